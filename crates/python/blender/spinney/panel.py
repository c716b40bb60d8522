"""Operators, and the panel with an object's settings."""

import textwrap

import bpy
from bpy.props import StringProperty

from . import nodes, scatter


def active_image(context):
    """Return the image in use: that of an Image Editor, otherwise that of texture painting."""
    space = context.space_data
    spaces = [] if space is None else [space]
    if context.screen is not None:
        spaces.extend(area.spaces.active for area in context.screen.areas)
    images = [space.image for space in spaces if space.type == "IMAGE_EDITOR"]
    images.append(context.tool_settings.image_paint.canvas)
    return next((image for image in images if image is not None), None)


def _run(operator, context, thing):
    """Scatter, and report errors; return True on success."""
    manager = context.window_manager
    manager.progress_begin(0, 100)
    try:
        scatter.run(thing, progress=lambda share, _count: manager.progress_update(int(100 * share)))
    except (ValueError, OSError) as error:
        operator.report({"ERROR"}, str(error))
        return False
    finally:
        manager.progress_end()
    for text in thing.data.spinney.warned.splitlines():
        operator.report({"WARNING"}, text)
    operator.report({"INFO"}, f"{len(thing.data.vertices)} points")
    return True


class SPINNEY_OT_add(bpy.types.Operator):
    """Add points whose spacing follows the active image or a file"""

    bl_idname = "spinney.add"
    bl_label = "Scatter Points by Map"
    bl_options = {"REGISTER", "UNDO"}

    image: StringProperty(name="Image", description="By default the active one")
    filepath: StringProperty(name="File", subtype="FILE_PATH", description="In place of an image")

    @classmethod
    def poll(cls, context):
        cls.poll_message_set("only in Object Mode")
        return context.mode == "OBJECT"

    def execute(self, context):
        image = bpy.data.images.get(self.image) if self.image else active_image(context)
        if not self.filepath and image is None:
            problem = "none is active: open one in the Image Editor, or give a file"
            if self.image:
                problem = "there is none of that name"
            self.report({"ERROR"}, f"image {self.image}".rstrip() + f": {problem}")
            return {"CANCELLED"}
        mesh = bpy.data.meshes.new("Spinney Points")
        thing = bpy.data.objects.new("Spinney Points", mesh)
        context.collection.objects.link(thing)
        settings = thing.spinney
        if self.filepath:
            settings.source, settings.filepath = "FILE", self.filepath
        else:
            settings.image = image
        is_filled = False
        try:
            is_filled = _run(self, context, thing)
        finally:
            if not is_filled:
                bpy.data.objects.remove(thing)
                bpy.data.meshes.remove(mesh)
        if not is_filled:
            return {"CANCELLED"}
        # Only changes made later scatter the points again.
        settings.made = True
        thing.location = context.scene.cursor.location
        for other in context.selected_objects:
            other.select_set(False)
        thing.select_set(True)
        context.view_layer.objects.active = thing
        return {"FINISHED"}


class SPINNEY_OT_scatter(bpy.types.Operator):
    """Scatter the active object's points again"""

    bl_idname = "spinney.scatter"
    bl_label = "Scatter Again"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        cls.poll_message_set("the active object has no points of Spinney, or they are a library's")
        thing = context.active_object
        return thing is not None and scatter.is_scattered(thing)

    def execute(self, context):
        return {"FINISHED"} if _run(self, context, context.active_object) else {"CANCELLED"}


def _show(layout, text, icon):
    """Show a text in lines that fit in a sidebar: Blender cuts off longer ones."""
    column = layout.column(align=True)
    for line in textwrap.wrap(text, 40):
        column.label(text=line, icon=icon)
        icon = "BLANK1"


class _Panel:
    bl_label = "Spinney"
    bl_region_type = "UI"
    bl_category = "Spinney"

    def draw(self, context):
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.operator("spinney.add", icon="ADD")
        thing = context.active_object
        if thing is None or thing.type != "MESH" or not thing.spinney.made:
            return
        settings = thing.spinney
        layout.prop(settings, "source", expand=True)
        if settings.source == "FILE":
            layout.prop(settings, "filepath")
        else:
            layout.template_ID(settings, "image", new="image.new", open="image.open")
        for name in ("white", "min_dist", "max_dist", "width", "rule", "seed", "layer", "max_points"):
            layout.prop(settings, name)
        modifier = nodes.modifier_of(thing)
        instances = None if modifier is None else nodes.input_of(modifier, "Collection")
        if instances is not None:
            layout.prop_search(*instances, bpy.data, "collections", text="Instances")
        layout.prop(settings, "rotate")
        column = layout.column(align=True)
        column.prop(settings, "scale_min", text="Scale from")
        column.prop(settings, "scale_max", text="to")
        layout.prop(settings, "live")
        layout.operator("spinney.scatter", icon="FILE_REFRESH")
        if thing.mode == "EDIT" and settings.live:
            _show(layout, "Changes are followed when you leave Edit Mode", "INFO")
        for text, icon in ((settings.error, "CANCEL"), (thing.data.spinney.warned, "ERROR")):
            for told in text.splitlines():
                _show(layout, told, icon)
        layout.label(text=f"{len(thing.data.vertices)} points")


class SPINNEY_PT_view(_Panel, bpy.types.Panel):
    """The panel in the 3D view's sidebar."""

    bl_idname = "SPINNEY_PT_view"
    bl_space_type = "VIEW_3D"


class SPINNEY_PT_image(_Panel, bpy.types.Panel):
    """The panel in the Image Editor's sidebar."""

    bl_idname = "SPINNEY_PT_image"
    bl_space_type = "IMAGE_EDITOR"


_CLASSES = (SPINNEY_OT_add, SPINNEY_OT_scatter, SPINNEY_PT_view, SPINNEY_PT_image)


def _in_menu(menu, _context):
    menu.layout.operator("spinney.add", icon="OUTLINER_OB_POINTCLOUD")


def register():
    """Add operators, panels and the entry in Add > Mesh."""
    for each in _CLASSES:
        bpy.utils.register_class(each)
    bpy.types.VIEW3D_MT_mesh_add.append(_in_menu)


def unregister():
    """Remove operators, panels and the menu entry."""
    bpy.types.VIEW3D_MT_mesh_add.remove(_in_menu)
    for each in reversed(_CLASSES):
        bpy.utils.unregister_class(each)
