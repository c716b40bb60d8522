"""The geometry-nodes group that puts instances on points."""

import bpy

NAME = "Spinney Instances"

#: Marks groups made by this version.
MARK, VERSION = "spinney", 1


def group():
    """Return the group, and create it if necessary."""
    for tree in bpy.data.node_groups:
        if tree.library is None and tree.get(MARK) == VERSION:
            return tree
    return _made()


def modifier_of(thing):
    """Return an object's modifier with the group; None where there is none."""
    for modifier in thing.modifiers:
        if modifier.type == "NODES" and modifier.node_group and modifier.node_group.get(MARK):
            return modifier
    return None


def add_modifier(thing):
    """Add a modifier with the group to an object, and return it."""
    modifier = thing.modifiers.new(NAME, "NODES")
    modifier.node_group = group()
    return modifier


def input_of(modifier, name):
    """Return the holder of an input's value, and its path there; None if the group has no such input."""
    for item in modifier.node_group.interface.items_tree:
        if item.item_type == "SOCKET" and item.in_out == "INPUT" and item.name == name:
            # Since Blender 5.2 values are no longer the modifier's own properties.
            if hasattr(modifier, "properties"):
                return getattr(modifier.properties.inputs, item.identifier), "value"
            return modifier, f'["{item.identifier}"]'
    return None


def set_input(modifier, name, value):
    """Set a modifier's input, unless it has that value or its group has no such input."""
    found = input_of(modifier, name)
    if found is None or found[0].path_resolve(found[1]) == value:
        return
    holder, path = found
    if path == "value":
        holder.value = value
    else:
        holder[path[2:-2]] = value


def _made():
    tree = bpy.data.node_groups.new(NAME, "GeometryNodeTree")
    tree[MARK] = VERSION
    tree.is_modifier = True
    add = tree.interface.new_socket
    add("Points", in_out="INPUT", socket_type="NodeSocketGeometry")
    collection = add("Collection", in_out="INPUT", socket_type="NodeSocketCollection")
    collection.description = "One of its objects stands on each point; without it discs do"
    image = add("Map", in_out="INPUT", socket_type="NodeSocketImage")
    image.description = "Set by Spinney: so Blender tells of its changes"
    add("Instances", in_out="OUTPUT", socket_type="NodeSocketGeometry")

    def node(kind, x, y, **settings):
        made = tree.nodes.new(kind)
        made.location = (x, y)
        for name, value in settings.items():
            setattr(made, name, value)
        return made

    def attribute(name, kind, x, y):
        made = node("GeometryNodeInputNamedAttribute", x, y, data_type=kind)
        made.inputs["Name"].default_value = name
        return next(output for output in made.outputs if output.enabled and output.name == "Attribute")

    def link(a, b):
        tree.links.new(a, b)

    given = node("NodeGroupInput", -800, 0)
    things = node("GeometryNodeCollectionInfo", -600, -100)
    things.inputs["Separate Children"].default_value = True
    things.inputs["Reset Children"].default_value = True
    link(given.outputs["Collection"], things.inputs["Collection"])

    placed = node("GeometryNodeInstanceOnPoints", -200, 0)
    placed.inputs["Pick Instance"].default_value = True
    link(given.outputs["Points"], placed.inputs["Points"])
    link(things.outputs[0], placed.inputs["Instance"])
    link(attribute("rotation", "FLOAT_VECTOR", -600, -320), placed.inputs["Rotation"])
    link(attribute("scale", "FLOAT", -600, -480), placed.inputs["Scale"])

    # Without an object to instance, the points are shown as disks of half the distance.
    half = node("ShaderNodeMath", -400, -640, operation="MULTIPLY")
    half.inputs[1].default_value = 0.5
    link(attribute("min_dist", "FLOAT", -600, -640), half.inputs[0])
    disks = node("GeometryNodeMeshToPoints", -200, -480)
    link(given.outputs["Points"], disks.inputs["Mesh"])
    link(half.outputs[0], disks.inputs["Radius"])

    size = node("GeometryNodeAttributeDomainSize", -400, 260, component="INSTANCES")
    link(things.outputs[0], size.inputs[0])
    any_thing = node("FunctionNodeCompare", -200, 260, data_type="INT", operation="GREATER_THAN")
    link(size.outputs["Instance Count"], next(i for i in any_thing.inputs if i.enabled and i.name == "A"))
    choice = node("GeometryNodeSwitch", 0, 0, input_type="GEOMETRY")
    link(any_thing.outputs[0], choice.inputs["Switch"])
    link(disks.outputs[0], choice.inputs["False"])
    link(placed.outputs[0], choice.inputs["True"])
    result = node("NodeGroupOutput", 200, 0)
    link(choice.outputs[0], result.inputs["Instances"])
    return tree
