// The page of `spinney studio`: sends strokes and settings, and draws the pixels and points of the answers.
// The server holds the map, at 16 bits a pixel.
"use strict";

const token = new URLSearchParams(location.search).get("token");
const $ = (id) => document.getElementById(id);

// Returns a new element.
function make(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

// --- Talking to the server ---------------------------------------------------------------------

class Refusal extends Error {
  constructor(status, text) { super(text); this.status = status; }
}

const COMPUTING = "computing ...";

// Work that takes longer is shown, ms.
const PATIENCE = 300;

let requests = 0;
let patience = null;

function count(change) {
  requests += change;
  if (requests > 0) patience ??= setTimeout(() => { $("busy").textContent = COMPUTING; }, PATIENCE);
  else {
    clearTimeout(patience);
    patience = null;
    $("busy").textContent = "";
  }
}

async function ask(path, body) {
  const headers = { "X-Spinney-Token": token };
  let sent = body;
  if (body !== undefined && !(body instanceof Blob)) {
    sent = JSON.stringify(body);
    headers["Content-Type"] = "application/json";
  }
  const options = body === undefined ? { headers } : { method: "POST", headers, body: sent };
  let answer;
  count(1);
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Refusal(0, "The studio does not answer: was it ended in the terminal?");
  } finally {
    count(-1);
  }
  if (!answer.ok) throw new Refusal(answer.status, (await answer.text()).trim());
  return answer;
}

const askJson = async (path, body) => (await ask(path, body)).json();

// An answer with JSON and bytes: the length of the JSON, the JSON, the bytes.
async function askFrame(path, body) {
  const all = await (await ask(path, body)).arrayBuffer();
  const length = new DataView(all).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(all, 4, length)));
  return { head, bytes: all.slice(4 + length) };
}

// Whether an error is shown. It stays until the next change: what was measured before arrives later.
let complained = false;

function say(text, note = false) {
  complained = false;
  $("said").textContent = text;
  $("said").tabIndex = text === "" ? -1 : 0;
  $("said").classList.toggle("note", note);
}

function complain(error) {
  say(error.message);
  complained = true;
}

// --- What is shown -----------------------------------------------------------------------------

let state = null;
let choices = null;
// The map that is shown: its layer's id, the number of its last edit, and its size. Only the painter has its pixels.
const map = { layer: null, edits: 0, width: 1, height: 1 };
// Points in square bins: x, y, min_dist and layer of each.
const dots = { version: 0, bins: 1, lists: [new Float32Array(0)] };
const view = { zoom: 1, x: 0, y: 0, fitted: true };
let tool = "paint";
let measured = null;

const world = () => state.world;
const isUp = () => state.settings.y_up;

function brush() {
  return {
    tool,
    value: Number($("brush-value").value),
    size: Number($("brush-size").value),
    hardness: Number($("brush-hardness").value),
    strength: Number($("brush-strength").value),
  };
}

function putPixels(rect, bytes) {
  const count = rect[2] * rect[3];
  painter.putPixels(rect, new Uint16Array(bytes, 0, count), new Uint8Array(bytes, 2 * count, count));
}

async function loadMap() {
  const { head, bytes } = await askFrame("/api/map");
  const isResized = head.width !== map.width || head.height !== map.height;
  Object.assign(map, head);
  painter.resizeMap();
  putPixels([0, 0, map.width, map.height], bytes);
  if (isResized || view.fitted) fit();
  draw();
}

// Shows pixels of an edit of a layer, if the map has all edits before it.
function putEdit(layer, edits, rect, bytes) {
  if (!rect || layer !== map.layer || edits !== map.edits + 1) return;
  map.edits = edits;
  putPixels(rect, bytes);
  draw();
}

const isStale = () => active().id !== map.layer || active().edits > map.edits;

// Loads the map if it is not the session's: another layer, or edits of another window.
async function followMap() {
  if (isStale()) await loadMap();
}

function putPoints(head, bytes) {
  const floats = new Float32Array(bytes);
  if (head.all) {
    dots.bins = head.bins;
    dots.lists = Array.from({ length: head.bins * head.bins }, () => new Float32Array(0));
  }
  let at = 0;
  for (const [bin, count] of head.lists) {
    dots.lists[bin] = floats.subarray(at, at + 4 * count);
    at += 4 * count;
  }
  dots.version = head.version;
}

function joined(lists) {
  const all = new Float32Array(lists.reduce((sum, list) => sum + list.length, 0));
  let to = 0;
  for (const list of lists) {
    all.set(list, to);
    to += list.length;
  }
  return all;
}

// --- Drawing -----------------------------------------------------------------------------------

const canvas = $("view");
const MOST_LAYERS = 16;

const colours = () => state.layers.map(({ settings }) => {
  const rgb = Number.parseInt(settings.colour.slice(1), 16);
  return [(rgb >> 16) & 255, (rgb >> 8) & 255, rgb & 255];
});

// Pixels of the canvas per CSS pixel.
let ratio = 1;

// Returns the transform from world units, with the first corner at the top left, to device pixels.
function frameOf() {
  return { scale: view.zoom * ratio, left: view.x * ratio, top: view.y * ratio };
}

const mostDist = () => state.facts.scale * Math.max(...state.layers.map(({ settings }) => mostOf(settings)));

// Returns the points of the bins that may be visible.
function inView() {
  const { scale, left, top } = frameOf();
  const [width, height] = world();
  const margin = 0.5 * mostDist();
  const span = (from, to, size) => [from - margin, to + margin].map((x) => {
    const bin = Math.floor((x / size) * dots.bins);
    return Math.min(Math.max(bin, 0), dots.bins - 1);
  });
  const [x0, x1] = span(-left / scale, (canvas.width - left) / scale, width);
  const [a, b] = [-top / scale, (canvas.height - top) / scale];
  const [y0, y1] = isUp() ? span(height - b, height - a, height) : span(a, b, height);
  const lists = [];
  for (let y = y0; y <= y1; y += 1) lists.push(...dots.lists.slice(y * dots.bins + x0, y * dots.bins + x1 + 1));
  return lists;
}

// Pixels that each dot needs on average to be drawn on its own. With less room, dots are merged: a pixel with
// more dots is more opaque. Software rendering needs a second for a million single dots.
const ROOM = 16;
const roomOf = (lists) => (canvas.width * canvas.height) / lists.reduce((sum, list) => sum + list.length / 4, 0);

let mergedDots = new ImageData(1, 1);

// Returns an image of merged dots.
function merged(lists) {
  const { width, height } = canvas;
  if (mergedDots.width !== width || mergedDots.height !== height) mergedDots = new ImageData(width, height);
  const pixels = new Uint32Array(mergedDots.data.buffer);
  pixels.fill(0);
  const { scale, left, top } = frameOf();
  const [down, from] = isUp() ? [-scale, top + world()[1] * scale] : [scale, top];
  const inks = colours().map(([r, g, b]) => r | (g << 8) | (b << 16));
  // Keeps the map visible below.
  const cover = Math.min(0.6, 0.4 * roomOf(lists));
  for (const list of lists) {
    for (let i = 0; i < list.length; i += 4) {
      const x = Math.floor(list[i] * scale + left);
      const y = Math.floor(list[i + 1] * down + from);
      if (x < 0 || y < 0 || x >= width || y >= height) continue;
      const at = y * width + x;
      const alpha = pixels[at] >>> 24;
      pixels[at] = (inks[list[i + 3]] | ((alpha + Math.ceil(cover * (255 - alpha))) << 24)) >>> 0;
    }
  }
  return mergedDots;
}

const MAP_VERTEX = `#version 300 es
uniform vec4 place; uniform vec2 size; in vec2 corner; out vec2 at;
void main() {
  at = corner; vec2 p = mix(place.xy, place.zw, corner) / size * 2.0 - 1.0;
  gl_Position = vec4(p.x, -p.y, 0.0, 1.0);
}`;
const MAP_FRAGMENT = `#version 300 es
precision highp float; precision highp usampler2D;
uniform usampler2D greys; uniform usampler2D open; uniform vec2 pixels; uniform bool shown;
in vec2 at; out vec4 colour;
void main() {
  ivec2 p = ivec2(min(at * pixels, pixels - 1.0));
  float v = float(texelFetch(greys, p, 0).r) / 65535.0;
  vec3 grey = shown ? vec3(v) : vec3(0.96);
  if (texelFetch(open, p, 0).r == 0u) {
    float stripe = step(5.0, mod(gl_FragCoord.x + gl_FragCoord.y, 10.0));
    grey = mix(vec3(0.45, 0.20, 0.22), vec3(0.36, 0.15, 0.18), stripe);
  }
  colour = vec4(grey, 1.0);
}`;
// A small dot is a point primitive, which software rendering draws in a tenth of the time. A larger one is a square of
// two triangles.
const dotShaders = (square) => [`#version 300 es
uniform vec3 frame; uniform vec2 size; uniform float up; uniform float fixedSize;
uniform vec3 inks[${MOST_LAYERS}];
in vec4 dot; ${square ? "in vec2 corner; out vec2 at;" : ""} out float radius; flat out vec3 ink;
void main() {
  vec2 p = vec2(dot.x, up > 0.0 ? up - dot.y : dot.y) * frame.x + frame.yz;
  radius = fixedSize > 0.0 ? fixedSize : max(0.5 * dot.z * frame.x, 0.6);
  ink = inks[int(dot.w)];
  ${square ? "at = (corner * 2.0 - 1.0) * (radius + 1.0); p += at;" : "gl_PointSize = 2.0 * radius + 2.0;"}
  vec2 q = p / size * 2.0 - 1.0;
  gl_Position = vec4(q.x, -q.y, 0.0, 1.0);
}`, `#version 300 es
precision highp float;
uniform float lines; ${square ? "in vec2 at;" : ""} in float radius; flat in vec3 ink; out vec4 colour;
void main() {
  ${square ? "" : "vec2 at = (gl_PointCoord * 2.0 - 1.0) * (radius + 1.0);"}
  float d = length(at), cover = clamp(radius + 0.5 - d, 0.0, 1.0);
  if (cover <= 0.0) discard;
  // A visible core, in a disk whose radius is half the distance.
  float core = min(radius, max(1.3, 0.34 * radius));
  float inner = clamp(core + 0.5 - d, 0.0, 1.0);
  float rim = clamp(d - radius + 1.5, 0.0, 1.0) * 0.9;
  float large = smoothstep(2.0, 4.0, radius);
  float alpha = lines > 0.0 ? max(inner, mix(0.3, max(0.16, rim), large)) : 1.0;
  colour = vec4(ink * alpha * cover, alpha * cover);
}`];

// Every graphics card supports points of this size, pixels.
const LARGEST_POINT = 60;

const IMAGE_FRAGMENT = `#version 300 es
precision mediump float;
uniform sampler2D image; in vec2 at; out vec4 colour;
void main() { vec4 c = texture(image, at); colour = vec4(c.rgb * c.a, c.a); }`;

class GlPainter {
  constructor(gl) {
    this.gl = gl;
    this.limit = gl.getParameter(gl.MAX_TEXTURE_SIZE);
    this.corners = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.corners);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([0, 0, 1, 0, 0, 1, 1, 1]), gl.STATIC_DRAW);
    this.dotBuffer = gl.createBuffer();
    this.mapProgram = this.program(MAP_VERTEX, MAP_FRAGMENT);
    this.imageProgram = this.program(MAP_VERTEX, IMAGE_FRAGMENT);
    this.imageTexture = gl.createTexture();
    this.squares = this.program(...dotShaders(true));
    this.points = this.program(...dotShaders(false));
    this.tiles = [];
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    // Other textures are those of unit 0.
    gl.useProgram(this.mapProgram.program);
    gl.uniform1i(gl.getUniformLocation(this.mapProgram.program, "open"), 1);
  }

  // Returns a program, and the array of its inputs: corners, dots, or dots at each of which the corners are drawn.
  program(vertex, fragment) {
    const { gl } = this;
    const program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
      throw new Error(`WebGL: ${gl.getProgramInfoLog(program)}`);
    }
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    const corner = gl.getAttribLocation(program, "corner");
    if (corner >= 0) {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.corners);
      gl.enableVertexAttribArray(corner);
      gl.vertexAttribPointer(corner, 2, gl.FLOAT, false, 0, 0);
    }
    const dot = gl.getAttribLocation(program, "dot");
    if (dot >= 0) {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.dotBuffer);
      gl.enableVertexAttribArray(dot);
      gl.vertexAttribPointer(dot, 4, gl.FLOAT, false, 0, 0);
      gl.vertexAttribDivisor(dot, corner >= 0 ? 1 : 0);
    }
    return { program, array };
  }

  use({ program, array }) {
    this.gl.useProgram(program);
    this.gl.bindVertexArray(array);
  }

  // Sets uniforms of the program in use: lists of one to four numbers.
  set({ program }, uniforms) {
    const { gl } = this;
    for (const [name, numbers] of Object.entries(uniforms)) {
      gl[`uniform${numbers.length}fv`](gl.getUniformLocation(program, name), numbers);
    }
  }

  // Makes room for the map, in tiles if it is larger than a texture may be.
  resizeMap() {
    const { gl, limit } = this;
    for (const { textures } of this.tiles) textures.forEach((texture) => gl.deleteTexture(texture));
    this.tiles = [];
    for (let y = 0; y < map.height; y += limit) {
      for (let x = 0; x < map.width; x += limit) {
        const [width, height] = [Math.min(limit, map.width - x), Math.min(limit, map.height - y)];
        const textures = [gl.R16UI, gl.R8UI].map((format) => {
          const texture = gl.createTexture();
          gl.bindTexture(gl.TEXTURE_2D, texture);
          gl.texStorage2D(gl.TEXTURE_2D, 1, format, width, height);
          this.nearest();
          return texture;
        });
        this.tiles.push({ x, y, width, height, textures });
      }
    }
  }

  putPixels([x, y, width, height], greys, open) {
    const { gl } = this;
    gl.pixelStorei(gl.UNPACK_ROW_LENGTH, width);
    for (const tile of this.tiles) {
      const [x0, y0] = [Math.max(x, tile.x), Math.max(y, tile.y)];
      const [w, h] = [Math.min(x + width, tile.x + tile.width) - x0, Math.min(y + height, tile.y + tile.height) - y0];
      if (w <= 0 || h <= 0) continue;
      const all = [[gl.UNSIGNED_SHORT, greys], [gl.UNSIGNED_BYTE, open]];
      all.forEach(([type, data], i) => {
        gl.bindTexture(gl.TEXTURE_2D, tile.textures[i]);
        gl.texSubImage2D(gl.TEXTURE_2D, 0, x0 - tile.x, y0 - tile.y, w, h, gl.RED_INTEGER, type, data, (y0 - y) * width + x0 - x);
      });
    }
    gl.pixelStorei(gl.UNPACK_ROW_LENGTH, 0);
  }

  nearest() {
    const { gl } = this;
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) {
      gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
    }
  }

  drawMap() {
    const { gl } = this;
    const { scale, left, top } = frameOf();
    const size = [canvas.width, canvas.height];
    gl.viewport(0, 0, ...size);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.disable(gl.BLEND);
    this.use(this.mapProgram);
    this.set(this.mapProgram, { size, shown: [Number($("show-map").checked)] });
    const [across, down] = [(scale * world()[0]) / map.width, (scale * world()[1]) / map.height];
    for (const { x, y, width, height, textures } of this.tiles) {
      textures.forEach((texture, i) => {
        gl.activeTexture(gl.TEXTURE0 + i);
        gl.bindTexture(gl.TEXTURE_2D, texture);
      });
      const place = [left + x * across, top + y * down, left + (x + width) * across, top + (y + height) * down];
      this.set(this.mapProgram, { place, pixels: [width, height] });
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }
    gl.activeTexture(gl.TEXTURE0);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  drawDots(list) {
    const { gl } = this;
    const { scale, left, top } = frameOf();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.dotBuffer);
    gl.bufferData(gl.ARRAY_BUFFER, list, gl.STREAM_DRAW);
    const toScale = $("to-scale").checked;
    const fixed = toScale ? 0 : 2.5 * ratio;
    const most = Math.ceil(fixed || 0.5 * mostDist() * scale);
    const isSmall = 2 * most + 2 <= LARGEST_POINT;
    const kind = isSmall ? this.points : this.squares;
    // A point primitive is not drawn if its centre lies outside the viewport.
    const margin = isSmall ? most + 1 : 0;
    const sides = [canvas.width, canvas.height].map((side) => side + 2 * margin);
    gl.viewport(-margin, -margin, ...sides);
    this.use(kind);
    const inks = new Float32Array(3 * MOST_LAYERS);
    colours().slice(0, MOST_LAYERS).forEach((rgb, i) => inks.set(rgb.map((c) => c / 255), 3 * i));
    gl.uniform3fv(gl.getUniformLocation(kind.program, "inks"), inks);
    this.set(kind, {
      size: sides, frame: [scale, left + margin, top + margin], up: [isUp() ? world()[1] : 0], fixedSize: [fixed], lines: [Number(toScale)],
    });
    if (isSmall) gl.drawArrays(gl.POINTS, 0, list.length / 4);
    else gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, list.length / 4);
  }

  drawImage(image) {
    const { gl } = this;
    const size = [canvas.width, canvas.height];
    this.use(this.imageProgram);
    gl.bindTexture(gl.TEXTURE_2D, this.imageTexture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, image);
    this.nearest();
    this.set(this.imageProgram, { size, place: [0, 0, ...size] });
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }

  // Waits until the frame is drawn, for measurements.
  finish() {
    const { gl } = this;
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  }
}

// Draws without WebGL2.
class FlatPainter {
  constructor(context) {
    this.context = context;
    this.mapCanvas = make("canvas");
    this.imageCanvas = make("canvas");
  }

  resizeMap() {
    this.mapCanvas.width = map.width;
    this.mapCanvas.height = map.height;
  }

  putPixels([x, y, width, height], greys, open) {
    const image = new ImageData(width, height);
    for (let i = 0; i < width * height; i += 1) {
      const grey = greys[i] >> 8;
      const rgb = open[i] ? [grey, grey, grey] : [104, 45, 50];
      image.data.set([...rgb, 255], 4 * i);
    }
    this.mapCanvas.getContext("2d").putImageData(image, x, y);
  }

  drawMap() {
    const { context } = this;
    const { scale, left, top } = frameOf();
    const [width, height] = world();
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.imageSmoothingEnabled = scale * width < map.width;
    if ($("show-map").checked) {
      context.drawImage(this.mapCanvas, left, top, width * scale, height * scale);
    } else {
      context.fillStyle = "#f5f5f5";
      context.fillRect(left, top, width * scale, height * scale);
    }
  }

  drawImage(image) {
    Object.assign(this.imageCanvas, { width: canvas.width, height: canvas.height });
    this.imageCanvas.getContext("2d").putImageData(image, 0, 0);
    this.context.drawImage(this.imageCanvas, 0, 0);
  }

  drawDots(list) {
    const { context } = this;
    const { scale, left, top } = frameOf();
    const height = world()[1];
    const inks = colours().map(([r, g, b]) => `rgb(${r} ${g} ${b})`);
    const toScale = $("to-scale").checked;
    for (let i = 0; i < list.length; i += 4) {
      const x = list[i] * scale + left;
      const y = (isUp() ? height - list[i + 1] : list[i + 1]) * scale + top;
      if (x < -50 || y < -50 || x > canvas.width + 50 || y > canvas.height + 50) continue;
      const radius = toScale ? 0.5 * list[i + 2] * scale : 2.5;
      context.fillStyle = inks[list[i + 3]] ?? inks[0];
      if (radius < 2) {
        context.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
        continue;
      }
      context.beginPath();
      context.arc(x, y, toScale ? Math.max(1.6, 0.34 * radius) : radius, 0, 7);
      context.fill();
      if (toScale) {
        context.strokeStyle = context.fillStyle;
        context.beginPath();
        context.arc(x, y, radius, 0, 7);
        context.stroke();
      }
    }
  }

  finish() {
    this.context.getImageData(0, 0, 1, 1);
  }
}

function newPainter() {
  const flat = new URLSearchParams(location.search).get("draw") === "2d";
  const gl = flat ? null : canvas.getContext("webgl2", { antialias: false, premultipliedAlpha: true });
  return gl ? new GlPainter(gl) : new FlatPainter(canvas.getContext("2d"));
}
let painter = null;

canvas.addEventListener("webglcontextlost", (event) => {
  // Otherwise the browser never restores the context.
  event.preventDefault();
  complain(new Error("the graphics card was reset: reload the page if the map stays blank"));
});
canvas.addEventListener("webglcontextrestored", () => {
  painter = newPainter();
  // Before the first state, the page still loads the map.
  if (!state) return;
  inTurn(async () => {
    await loadMap();
    say("");
    showFacts();
  });
});

function drawNow() {
  painter.drawMap();
  const lists = inView();
  if (roomOf(lists) < ROOM) painter.drawImage(merged(lists));
  else painter.drawDots(joined(lists));
}

let drawing = false;
function draw() {
  if (drawing) return;
  drawing = true;
  requestAnimationFrame(() => {
    drawing = false;
    if (!state) return;
    drawNow();
    $("zoom").textContent = `${Math.round(100 * view.zoom)} %`;
    placeRing();
  });
}

function resize() {
  ratio = window.devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(canvas.clientWidth * ratio));
  canvas.height = Math.max(1, Math.round(canvas.clientHeight * ratio));
  if (state && view.fitted) fit();
  draw();
}

// Resizes the canvas when the window comes to another screen, where its size in CSS pixels may be the same.
function watchRatio() {
  matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`).addEventListener("change", () => {
    resize();
    watchRatio();
  }, { once: true });
}

function fit() {
  const [width, height] = world();
  // Buttons cover the lower corner.
  const [w, h] = [canvas.clientWidth, canvas.clientHeight - 50];
  view.zoom = 0.95 * Math.min(w / width, h / height);
  view.x = 0.5 * (w - width * view.zoom);
  view.y = 0.5 * (h - height * view.zoom) + 8;
  view.fitted = true;
  draw();
}

function zoomBy(factor, x = 0.5 * canvas.clientWidth, y = 0.5 * canvas.clientHeight) {
  const [width, height] = world();
  const least = 0.1 * Math.min(canvas.clientWidth / width, canvas.clientHeight / height);
  const zoom = Math.min(Math.max(view.zoom * factor, least), least * 5000);
  view.x = x - (x - view.x) * (zoom / view.zoom);
  view.y = y - (y - view.y) * (zoom / view.zoom);
  view.zoom = zoom;
  view.fitted = false;
  draw();
}

// --- Points, as fast as they come ----------------------------------------------------------------

let pumping = null;
let again = false;
let factsTimer = 0;
// The number of changes so far.
let changed = 0;

// Requests points until none are out of date, one request at a time. Strokes made meanwhile count for the
// next request.
function pump() {
  again = true;
  changed += 1;
  measured = null;
  complained = false;
  clearTimeout(factsTimer);
  pumping ??= (async () => {
    try {
      while (again) {
        again = false;
        try {
          const { head, bytes } = await askFrame("/api/points", { version: dots.version });
          putPoints(head, bytes);
          show(head.state);
          // Another window may have changed something meanwhile.
          again ||= head.state.stale_points;
          if (isStale()) inTurn(followMap);
          draw();
        } catch (error) {
          if (error.status !== 409) throw error;
          again = true;
        }
      }
    } catch (error) {
      complain(error);
    } finally {
      pumping = null;
    }
    factsTimer = setTimeout(measure, 500);
  })();
  return pumping;
}

async function measure() {
  const before = changed;
  try {
    const found = await askJson("/api/facts");
    if (changed !== before) return;
    measured = found;
    showFacts();
  } catch (error) {
    if (error.status === 0) complain(error);
  }
}

// --- Changes, one after another ------------------------------------------------------------------

// Changes, parts of strokes and loads of the map run in the order in which they were made. So an older map never
// replaces pixels that were painted later.
let turns = Promise.resolve();
let unfinished = 0;

function inTurn(work) {
  unfinished += 1;
  turns = turns.then(async () => {
    try {
      await work();
    } catch (error) {
      complain(error);
    } finally {
      unfinished -= 1;
    }
  });
  return turns;
}

// Does something that may change the map.
function act(path, body = {}) {
  return inTurn(async () => {
    const next = await askJson(path, body);
    pump();
    show(next);
    await followMap();
  });
}

// Runs undo or redo.
function step(path) {
  return inTurn(async () => {
    const { head, bytes } = await askFrame(path, {});
    pump();
    show(head.state);
    putEdit(active().id, active().edits, head.rect, bytes);
    await followMap();
  });
}

// --- Strokes -------------------------------------------------------------------------------------

// The stroke that still grows.
let current = null;

function newStroke() {
  const number = crypto.getRandomValues(new Uint32Array(1))[0];
  return { number, layer: active().id, brush: brush(), path: [], ended: false, isQueued: false };
}

// Sends the new places of a stroke, and its end.
function send(stroke) {
  if (stroke.isQueued) return;
  stroke.isQueued = true;
  inTurn(async () => {
    const { number, layer, brush } = stroke;
    let last = false;
    while (stroke.path.length > 0 || (stroke.ended && !last)) {
      const path = stroke.path.splice(0, 2000);
      last = stroke.ended && stroke.path.length === 0;
      const { head, bytes } = await askFrame("/api/stroke", { stroke: number, layer, brush, path, last });
      putEdit(layer, head.edits, head.rect, bytes);
      // Edits of another window came in between.
      if (layer === map.layer && head.edits > map.edits) await loadMap();
      enableHistory(head.undo, head.redo);
      pump();
    }
    // A refused stroke stays queued, so that the rest of it is not painted.
    stroke.isQueued = false;
  });
}

function begin(place) {
  end();
  current = newStroke();
  goOn(place);
}

function goOn(place) {
  current.path.push(place);
  send(current);
}

function end() {
  if (!current) return;
  current.ended = true;
  send(current);
  current = null;
}

// Converts a place on the page to pixels of the map.
function onMap(x, y) {
  const [width, height] = world();
  const px = ((x - view.x) / view.zoom / width) * map.width;
  const py = ((y - view.y) / view.zoom / height) * map.height;
  const most = 1e6;
  return [px, py].map((p) => Math.min(Math.max(p, -most), most));
}

const cursor = { x: 0, y: 0, shown: false, keys: false, over: false };

function placeRing() {
  const ring = $("ring");
  ring.hidden = !cursor.shown;
  // Pixels of the map may be no squares in the world.
  const [width, height] = world();
  const size = Number($("brush-size").value) * view.zoom;
  const across = Math.max(3, (size * width) / map.width);
  const down = Math.max(3, (size * height) / map.height);
  ring.style.width = `${across}px`;
  ring.style.height = `${down}px`;
  ring.style.left = `${cursor.x - 0.5 * across}px`;
  ring.style.top = `${cursor.y - 0.5 * down}px`;
}

let space = false;
let pan = null;
// The pointer that paints or pans. Others, like a second finger, are ignored meanwhile.
let held = null;
const isOther = ({ pointerId }) => held !== null && pointerId !== held;

canvas.addEventListener("pointerdown", (event) => {
  if (isOther(event)) return;
  held = event.pointerId;
  canvas.focus();
  canvas.setPointerCapture(event.pointerId);
  if (event.button === 1 || event.button === 2 || space) {
    pan = { x: event.clientX - view.x, y: event.clientY - view.y };
    canvas.classList.add("panning");
    return;
  }
  if (event.button === 0) begin(onMap(event.offsetX, event.offsetY));
});
canvas.addEventListener("pointermove", (event) => {
  if (isOther(event)) return;
  Object.assign(cursor, { x: event.offsetX, y: event.offsetY, shown: true, over: true });
  if (pan) {
    view.x = event.clientX - pan.x;
    view.y = event.clientY - pan.y;
    view.fitted = false;
    draw();
    return;
  }
  placeRing();
  if (!current) return;
  const box = canvas.getBoundingClientRect();
  const all = event.getCoalescedEvents?.() ?? [];
  for (const one of all.length > 0 ? all : [event]) {
    goOn(onMap(one.clientX - box.left, one.clientY - box.top));
  }
});
const lift = (event) => {
  if (isOther(event)) return;
  held = null;
  pan = null;
  canvas.classList.remove("panning");
  end();
};
canvas.addEventListener("pointerup", lift);
canvas.addEventListener("pointercancel", lift);
canvas.addEventListener("pointerleave", () => {
  Object.assign(cursor, { shown: document.activeElement === canvas && cursor.keys, over: false });
  placeRing();
});
canvas.addEventListener("contextmenu", (event) => event.preventDefault());
canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  zoomBy(1.0015 ** -event.deltaY, event.offsetX, event.offsetY);
}, { passive: false });

// --- Keyboard ------------------------------------------------------------------------------------

const typing = (element) => element.matches("input:not([type=range]):not([type=checkbox]):not([type=color]), select, textarea");

function setTool(kind) {
  tool = kind;
  $("tool-brush").setAttribute("aria-pressed", kind === "paint");
  $("tool-eraser").setAttribute("aria-pressed", kind === "erase");
}

function resizeBrush(factor) {
  const size = $("brush-size");
  const now = Number(size.value);
  size.value = factor > 1 ? Math.max(now + 1, now * factor) : Math.min(now - 1, now * factor);
  showBrush();
}

function moveCursor(dx, dy) {
  if (!cursor.shown && !cursor.keys) Object.assign(cursor, { x: 0.5 * canvas.clientWidth, y: 0.5 * canvas.clientHeight });
  const step = Math.max(4, 0.25 * $("ring").offsetWidth);
  for (const [axis, by, size] of [["x", dx, canvas.clientWidth], ["y", dy, canvas.clientHeight]]) {
    const inside = (at) => Math.min(Math.max(at, 0), size);
    const to = inside(cursor[axis]) + by * step;
    cursor[axis] = inside(to);
    if (cursor[axis] === to) continue;
    // At the edge the map moves instead.
    view[axis] += cursor[axis] - to;
    view.fitted = false;
    draw();
  }
  Object.assign(cursor, { shown: true, keys: true });
  placeRing();
}

document.addEventListener("keydown", (event) => {
  const { target, key } = event;
  // After Tab, Space presses the button with the focus, even if the pointer still lies on the map.
  if (key === "Tab") cursor.over = false;
  if ((event.ctrlKey || event.metaKey) && !event.altKey) {
    const letter = key.toLowerCase();
    if (typing(target) || (letter !== "z" && letter !== "y")) return;
    event.preventDefault();
    step(letter === "y" || event.shiftKey ? "/api/redo" : "/api/undo");
    return;
  }
  // Some keyboards have brackets only with Alt.
  if (typing(target) || (event.altKey && key !== "[" && key !== "]")) return;
  const here = target === canvas;
  const keys = {
    b: () => setTool("paint"),
    e: () => setTool("erase"),
    "[": () => resizeBrush(1 / 1.15),
    "]": () => resizeBrush(1.15),
    "+": () => zoomBy(1.25),
    "=": () => zoomBy(1.25),
    "-": () => zoomBy(0.8),
    0: fit,
    ...(here && {
      ArrowLeft: () => moveCursor(-1, 0),
      ArrowRight: () => moveCursor(1, 0),
      ArrowUp: () => moveCursor(0, -1),
      ArrowDown: () => moveCursor(0, 1),
      Enter: () => {
        if (current) return;
        moveCursor(0, 0);
        begin(onMap(cursor.x, cursor.y));
        end();
      },
    }),
  };
  if (key === " " && (here || cursor.over || target === document.body)) {
    event.preventDefault();
    space = true;
    canvas.classList.add("pan");
    return;
  }
  const action = keys[key.length === 1 ? key.toLowerCase() : key];
  if (!action) return;
  event.preventDefault();
  action();
});
document.addEventListener("keyup", (event) => {
  if (event.key !== " ") return;
  // Browsers may press a focused button at keyup.
  if (space) event.preventDefault();
  space = false;
  canvas.classList.remove("pan");
});
window.addEventListener("blur", () => {
  space = false;
  canvas.classList.remove("pan");
});

// --- Controls ------------------------------------------------------------------------------------

const active = () => state.layers[state.active];
const several = () => state.layers.length > 1;

function showBrush() {
  const { value, size, hardness, strength } = brush();
  const percent = (share) => `${Math.round(100 * share)} %`;
  const [o1, o2, o3, o4] = document.querySelectorAll(".brush output");
  o1.textContent = value.toFixed(2);
  o2.textContent = size;
  o3.textContent = percent(hardness);
  o4.textContent = percent(strength);
  const grey = Math.round(255 * value);
  $("swatch").style.background = `rgb(${grey} ${grey} ${grey})`;
  if (state) placeRing();
}

function enableHistory(undo, redo) {
  $("undo").disabled = undo === 0;
  $("redo").disabled = redo === 0;
}

const number = new Intl.NumberFormat("en-US");
const short = (value) => Number(value.toPrecision(6));

const fact = (textContent, title = "") => make("span", { textContent, title });

function showFacts() {
  const { facts } = state;
  const textContent = `${number.format(facts.points)} ${facts.points === 1 ? "point" : "points"}`;
  const all = [make("b", { textContent })];
  if (facts.refused === null) all.push(fact(`${Math.round(1000 * facts.seconds)} ms`, "From the change to the points, on the server"));
  if (facts.scale !== 1) all.push(fact(`distances × ${facts.scale.toPrecision(4)}`));
  if (measured) {
    if (measured.density_error !== null) all.push(fact(`density error ${(100 * measured.density_error).toFixed(1)} %`, "Mean over cells, against the map"));
    if (measured.gaps !== null) all.push(fact(`gaps ${measured.gaps === 0 ? "0" : measured.gaps.toExponential(1)}`, "The share of the map where one more point would fit"));
    if (measured.unresolved !== null) all.push(fact(`${measured.unresolved} unresolved`, "Places too small to decide"));
  }
  $("facts").replaceChildren(...all);
  $("facts").title = $("facts").textContent;
  if (complained) return;
  const [reason] = refused.values();
  if (reason !== undefined || facts.refused !== null) {
    say(reason ?? facts.refused);
    return;
  }
  const warnings = measured ? measured.warnings : active().told;
  say(warnings.join("; "), true);
}

// Fills the lists of choices, whose first entry is the default.
function fillLists() {
  for (const select of document.querySelectorAll("[data-of]")) {
    // This one is too narrow for the note.
    const note = select.id === "limit-keep" ? "" : " (default)";
    choices[select.dataset.of].forEach((name, i) => select.add(new Option(i === 0 ? name + note : name, name)));
  }
  for (const { name, extension } of choices.formats) $("format").add(new Option(`${name} (.${extension})`, extension));
}

// Fields whose values wait to be sent, once for each change.
const unsent = [];

// Fields whose text was refused, with the reason. They keep it until it is changed or accepted.
const refused = new Map();

// Returns whether a field shows a value that is not the session's.
const isHeld = (element) => unsent.includes(element) || dragged.has(element) || refused.has(element);

function accept(element) {
  refused.delete(element);
  element.removeAttribute("aria-invalid");
}

function put(input, value) {
  if (isHeld(input)) return;
  if (document.activeElement === input && typing(input)) return;
  input.value = value ?? "";
}

const mostOf = ({ min_dist: least, max_dist: most }) => most ?? choices.max_to_min * (least ?? choices.min_dist);

function show(next) {
  // Answers may overtake each other.
  if (state && next.revision < state.revision) return;
  const layersOf = ({ layers, active }) => [layers[active].id, ...layers.map(({ id }) => id)].join();
  // A text that one layer's field refused is not another's.
  if (state && layersOf(next) !== layersOf(state)) [...refused.keys()].forEach(accept);
  const isResized = state && String(next.world) !== String(state.world);
  state = next;
  if (isResized && view.fitted) fit();
  const { settings } = state;
  const layer = active().settings;
  const least = layer.min_dist ?? choices.min_dist;
  for (const element of document.querySelectorAll("[data-layer], [data-world]")) {
    if (isHeld(element)) continue;
    const { layer: mine, world: whole, of } = element.dataset;
    const value = mine ? layer[mine] : settings[whole];
    if (of) element.value = value ?? choices[of][0];
    else if (element.type === "checkbox") element.checked = value;
    else put(element, value);
  }
  $("min-dist").placeholder = short(choices.min_dist);
  $("max-dist").placeholder = short(choices.max_to_min * least);
  if (document.activeElement !== $("min-dist-slide")) $("min-dist-slide").value = least;
  if (document.activeElement !== $("max-dist-slide")) $("max-dist-slide").value = mostOf(layer);
  $("limit-keep").disabled = layer.limit === null;
  const bridson = settings.algorithm === "bridson";
  $("tries").disabled = !bridson;
  $("tries").placeholder = bridson ? choices.tries : "no gap is left";
  $("count").disabled = bridson;
  $("tile").disabled = bridson;
  $("algorithm").disabled = several();
  put($("size-width"), settings.size?.[0]);
  put($("size-height"), settings.size?.[1]);
  $("size-width").placeholder = state.layers[0].width;
  $("size-height").placeholder = state.layers[0].height;
  for (const element of document.querySelectorAll("[data-name]")) put(element, settings.names[element.dataset.name]);
  $("format").value = ending($("name-output").value) ?? "csv";
  showLayers();
  enableHistory(state.undo, state.redo);
  $("command").textContent = state.command;
  $("command-hint").textContent = several()
    ? "Save the species first, beside where you run it."
    : "Save the map first, beside where you run it.";
  document.querySelector(".species-only").hidden = !several();
  canvas.setAttribute("aria-label", `The map, ${active().width} by ${active().height} pixels, under ${number.format(state.facts.points)} points`);
  showFacts();
}

const ending = (name) => choices.formats
  .map(({ extension }) => extension)
  .filter((extension) => name.toLowerCase().endsWith(`.${extension}`))
  .sort((a, b) => b.length - a.length)[0];

// Returns a name without its ending.
function stemOf(name) {
  const end = ending(name);
  return end ? name.slice(0, -end.length - 1) : name;
}

function showLayers() {
  const list = state.layers.map(({ settings }, i) => {
    const dot = make("i");
    dot.style.background = settings.colour;
    const button = make("button", { type: "button" }, dot, make("span", { textContent: settings.name }));
    button.setAttribute("aria-pressed", i === state.active);
    button.addEventListener("click", () => act("/api/layers/choose", { layer: i }));
    return make("li", {}, button);
  });
  const focused = [...$("layers").querySelectorAll("button")].indexOf(document.activeElement);
  $("layers").replaceChildren(...list);
  if (focused >= 0) $("layers").querySelectorAll("button")[focused]?.focus();
  $("layer-remove").disabled = !several();
  for (const element of document.querySelectorAll(".whose")) {
    element.textContent = several() ? `of ${active().settings.name}` : "";
  }
  $("apart-set").hidden = !several();
  const isBusy = (input) => input === document.activeElement || isHeld(input);
  if ([...$("apart").querySelectorAll("input")].some(isBusy)) return;
  const pairs = [];
  state.layers.forEach((a, i) => state.layers.slice(i + 1).forEach((b, k) => pairs.push([i, i + 1 + k, a, b])));
  $("apart").replaceChildren(...pairs.map(([i, j, a, b]) => {
    const id = `apart-${i}-${j}`;
    const label = make("label", { htmlFor: id, textContent: `${a.settings.name} - ${b.settings.name}` });
    const input = make("input", { id, type: "number", min: 0, step: "any", placeholder: "by rule" });
    const isOwn = ({ between: [x, y] }) => (x === i && y === j) || (x === j && y === i);
    input.value = state.apart.find(isOwn)?.distance ?? "";
    input.addEventListener("change", () => {
      const own = input.value === "" ? [] : [{ between: [i, j], distance: Number(input.value) }];
      sendField(input, "/api/apart", () => [...state.apart.filter((one) => !isOwn(one)), ...own]);
    });
    return make("li", {}, label, input);
  }));
}

// Returns why the browser refuses a field's text. Other limits are the server's, which names them.
function misfit(element) {
  const { validity, step } = element;
  if (validity.valid || !(validity.badInput || step === "1")) return null;
  return `${element.ariaLabel ?? element.labels[0].textContent}: ${element.validationMessage}`;
}

// Sends the value that a field has now. `bodyOf` is called later, when the changes before it are done.
function sendField(element, path, bodyOf) {
  const problem = misfit(element);
  unsent.push(element);
  return inTurn(async () => {
    let next;
    try {
      if (problem) throw new Error(problem);
      next = await askJson(path, bodyOf());
      accept(element);
    } catch (error) {
      refuse(element, error.message);
      throw error;
    } finally {
      unsent.splice(unsent.indexOf(element), 1);
    }
    pump();
    show(next);
    // Other fields may fit now: a least distance, once the greatest is larger.
    for (const other of refused.keys()) other.dispatchEvent(new Event("change"));
  });
}

function refuse(element, reason) {
  refused.set(element, reason);
  element.setAttribute("aria-invalid", "true");
}

function valueOf(element) {
  if (element.type === "checkbox") return element.checked;
  if (element.type === "number") return element.value === "" ? null : Number(element.value);
  return element.value;
}

// Sends a field of the active layer's settings or of the world's, with null for its default.
function setField(element) {
  const { layer, world: whole, of } = element.dataset;
  let value = valueOf(element);
  if (of && of !== "algorithms" && value === choices[of][0]) value = null;
  if ((layer === "turn" || whole === "seed") && value === null) value = 0;
  sendField(element, layer ? "/api/layer" : "/api/settings", () => {
    const settings = { ...(layer ? active().settings : state.settings), [layer ?? whole]: value };
    // Fields that this value disables.
    if (settings.limit === null) settings.limit_keep = null;
    if (settings.algorithm === "bridson") Object.assign(settings, { tile: false, count: null });
    if (settings.algorithm === "scatter") settings.tries = null;
    return settings;
  });
}

// Fields whose sliders are being dragged. Only the newest value is sent when the changes before it are done.
const dragged = new Set();
function drag(input, slide) {
  input.value = Number(slide.value);
  if (dragged.has(input)) return;
  dragged.add(input);
  turns.then(() => {
    dragged.delete(input);
    setField(input);
  });
}

function setName(element) {
  const name = { [element.dataset.name]: element.value.trim() };
  sendField(element, "/api/settings", () => ({
    ...state.settings,
    names: { ...state.settings.names, ...name },
  }));
}

function wire() {
  for (const element of document.querySelectorAll("[data-layer], [data-world]")) element.addEventListener("change", () => setField(element));
  for (const element of document.querySelectorAll("[data-name]")) element.addEventListener("change", () => setName(element));
  for (const name of ["min-dist", "max-dist"]) $(`${name}-slide`).addEventListener("input", (event) => drag($(name), event.target));
  const size = ({ target }) => {
    const inputs = [$("size-width"), $("size-height")];
    // An empty field is a default, and empties the other.
    if (valueOf(target) === null && !misfit(target)) for (const input of inputs) input.value = "";
    const both = inputs.map(valueOf);
    sendField(target, "/api/settings", () => {
      if (both[0] === null && both[1] === null) return { ...state.settings, size: null };
      // With one number alone, the map's shape gives the other.
      const ratio = state.layers[0].height / state.layers[0].width;
      return { ...state.settings, size: [both[0] ?? both[1] / ratio, both[1] ?? both[0] * ratio] };
    });
  };
  $("size-width").addEventListener("change", size);
  $("size-height").addEventListener("change", size);

  for (const slide of document.querySelectorAll(".brush input")) slide.addEventListener("input", showBrush);
  $("tool-brush").addEventListener("click", () => setTool("paint"));
  $("tool-eraser").addEventListener("click", () => setTool("erase"));
  $("fill").addEventListener("click", () => act("/api/fill", { brush: brush() }));
  $("undo").addEventListener("click", () => step("/api/undo"));
  $("redo").addEventListener("click", () => step("/api/redo"));
  $("zoom-in").addEventListener("click", () => zoomBy(1.25));
  $("zoom-out").addEventListener("click", () => zoomBy(0.8));
  $("zoom-fit").addEventListener("click", fit);
  $("to-scale").addEventListener("change", draw);
  $("show-map").addEventListener("change", draw);

  $("noise").addEventListener("click", () => {
    const noise = { size: [Number($("noise-width").value), Number($("noise-height").value)] };
    for (const element of document.querySelectorAll("[data-noise]")) noise[element.dataset.noise] = valueOf(element) ?? choices.noise[element.dataset.noise];
    const inputs = [...document.querySelectorAll("[id^=noise-]")];
    for (const input of inputs) input.removeAttribute("aria-invalid");
    const wrong = inputs.find(misfit);
    if (!wrong) act("/api/noise", noise);
    else {
      wrong.setAttribute("aria-invalid", "true");
      complain(new Error(misfit(wrong)));
    }
  });
  $("open").addEventListener("click", () => $("open-file").click());
  $("open-file").addEventListener("change", () => {
    const [file] = $("open-file").files;
    if (file) openPicture(file);
    $("open-file").value = "";
  });
  $("save-map").addEventListener("click", async () => {
    if (await isReady("#name-map", false)) download("/api/map.png", undefined, state.settings.names.map);
  });

  $("layer-add").addEventListener("click", () => act("/api/layers/add"));
  $("layer-remove").addEventListener("click", () => {
    const { name } = active().settings;
    if (confirm(`Remove ${name} and its map? Undo does not bring them back.`)) act("/api/layers/remove");
  });
  $("species-save").addEventListener("click", saveSpecies);
  $("species-open").addEventListener("click", () => $("species-file").click());
  $("species-file").addEventListener("change", () => openSpecies([...$("species-file").files]));

  $("format").addEventListener("change", () => {
    const name = $("name-output").value.trim();
    $("name-output").value = `${stemOf(name)}.${$("format").value}`;
    setName($("name-output"));
  });
  $("export").addEventListener("click", async () => {
    if (!await isReady()) return;
    const { output } = state.settings.names;
    download("/api/export", { name: output }, output);
  });
  $("preview").addEventListener("click", async () => {
    if (!await isReady()) return;
    const { output } = state.settings.names;
    // Not the name of the map.
    const name = `${stemOf(output)}.preview.png`;
    download("/api/export", { name }, name);
  });
  $("copy").addEventListener("click", copy);
  $("verify").addEventListener("click", async () => {
    // Browsers open windows only at the click, not seconds later.
    const plots = window.open("", "_blank");
    if (!plots) {
      complain(new Error("the browser opened no window: allow it to this page"));
      return;
    }
    plots.opener = null;
    plots.document.body.textContent = COMPUTING;
    await settled();
    plots.location.replace(`/verify?token=${token}`);
  });

  const tabs = [...document.querySelectorAll("[role=tab]")];
  const choose = (tab) => {
    for (const one of tabs) {
      one.setAttribute("aria-selected", one === tab);
      one.tabIndex = one === tab ? 0 : -1;
      $(one.getAttribute("aria-controls")).hidden = one !== tab;
    }
  };
  tabs.forEach((tab, i) => {
    tab.addEventListener("click", () => choose(tab));
    tab.addEventListener("keydown", (event) => {
      const to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: tabs.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      const next = tabs[(to + tabs.length) % tabs.length];
      choose(next);
      next.focus();
    });
  });

  const stage = document.querySelector(".stage");
  const over = (shown) => (event) => {
    event.preventDefault();
    $("drop").hidden = !shown;
  };
  stage.addEventListener("dragenter", over(true));
  stage.addEventListener("dragover", over(true));
  stage.addEventListener("dragleave", over(false));
  stage.addEventListener("drop", (event) => {
    over(false)(event);
    const files = [...event.dataTransfer.files];
    if (files.some((file) => file.name.toLowerCase().endsWith(".toml"))) openSpecies(files);
    else if (files.length === 1) openPicture(files[0]);
    else if (files.length > 1) complain(new Error("give one picture at a time, or a species file and its maps"));
  });
  new ResizeObserver(resize).observe(canvas);
  watchRatio();
  document.addEventListener("visibilitychange", refreshTab);
  window.addEventListener("focus", refreshTab);
}

// Another tab of the session may have changed something.
async function refreshTab() {
  if (document.hidden || unfinished > 0) return;
  await inTurn(async () => {
    const next = await askJson("/api/state");
    if (next.revision === state.revision) return;
    pump();
    show(next);
    await followMap();
  });
}

const openPicture = (file) => act("/api/open", file);

async function saveSpecies() {
  if (!await isReady("*", false)) return;
  try {
    const { text, maps } = await askJson("/api/species");
    keep(new Blob([text], { type: "application/toml" }), state.settings.names.species);
    for (const [layer, name] of maps.entries()) await download(`/api/map.png?layer=${layer}`, undefined, name);
  } catch (error) {
    complain(error);
  }
}

async function openSpecies(files) {
  const file = files.find(({ name }) => name.toLowerCase().endsWith(".toml"));
  const maps = files.filter((one) => one !== file);
  $("species-file").value = "";
  if (!file) {
    complain(new Error("choose a species file (.toml) and the maps that it names"));
    return;
  }
  const head = new TextEncoder().encode(JSON.stringify({
    text: await file.text(),
    maps: maps.map(({ name, size }) => [name, size]),
  }));
  const isPainted = !$("undo").disabled || unfinished > 0;
  if (isPainted && !confirm(`Open ${file.name} in place of the layers and their maps? Undo does not bring them back.`)) return;
  const length = new DataView(new ArrayBuffer(4));
  length.setUint32(0, head.length, true);
  act("/api/species", new Blob([length.buffer, head, ...maps]));
}

function keep(blob, name) {
  const href = URL.createObjectURL(blob);
  make("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60000);
}

async function download(path, body, name) {
  try {
    const answer = await ask(path, body);
    keep(await answer.blob(), name);
  } catch (error) {
    complain(error);
  }
}

async function copy() {
  const text = $("command").textContent;
  try {
    await navigator.clipboard.writeText(text);
    say("copied", true);
  } catch {
    getSelection().selectAllChildren($("command"));
    say("press Ctrl-C to copy", true);
  }
}

// Resolves when all strokes and changes are done and, with `points`, the points are up to date.
async function settled(points = true) {
  do {
    await turns;
    if (points) await pumping;
  } while (unfinished > 0 || dragged.size > 0 || (points && pumping));
}

// Resolves when the session is up to date, to whether a file of it may be saved. It would lack the texts that were
// refused in the fields that it depends on.
async function isReady(fields = "*", points = true) {
  await settled(points);
  const wrong = [...refused.keys()].find((field) => field.matches(fields));
  if (wrong) complain(new Error(`not saved: ${refused.get(wrong)}`));
  return !wrong;
}

async function start() {
  try {
    painter = newPainter();
    choices = await askJson("/api/choices");
    fillLists();
    wire();
    for (const element of document.querySelectorAll("[data-noise]")) put(element, choices.noise[element.dataset.noise]);
    const first = await askJson("/api/state");
    show(first);
    $("noise-width").value = first.layers[first.active].width;
    $("noise-height").value = first.layers[first.active].height;
    showBrush();
    await Promise.all([inTurn(followMap), pump()]);
    spinney.drawNow();
    if (map.layer === null) return;
    // Milliseconds since the page was requested.
    spinney.first = performance.now();
    document.body.dataset.ready = "yes";
  } catch (error) {
    complain(error);
  }
}

// For tests and measurements.
window.spinney = {
  settled,
  measure,
  points: () => joined(dots.lists),
  drawNow: () => {
    drawNow();
    painter.finish();
  },
  painter: () => painter.constructor.name,
  renderer: () => painter.gl?.getParameter(painter.gl.RENDERER) ?? "2D",
  view,
};
start();
