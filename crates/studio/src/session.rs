//! The one session that all tabs share: maps, settings, points.

use crate::brush::Brush;
use crate::canvas::{Canvas, Stroke};
use crate::command;
use crate::dots::{Dots, Shipment};
use crate::engine::{self, Found, Plan};
use crate::error::Refused;
use crate::history::{Changed, History, Step, Way};
use crate::settings::{LayerSettings, Settings, choices};
use density::shape::{PerlinMapOptions, perlin_map};
use density::{Bounds, GreyMap, PixelRect, RadiusMap};
use sampler::{Apart, MAX_LAYERS};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Pixels of a map at most: what 16-bit greys, the mask and their copies take is some 10 bytes a
/// pixel.
pub(crate) const MOST_PIXELS: u64 = 1 << 26;

/// Places in one message of a stroke at most.
const MOST_PLACES: usize = 4096;

/// Windows with more than this share of the world are no less work than the whole, which takes all
/// threads.
const WIDE: f64 = 0.5;

/// The map that a session begins with, unless it is given one: `spinney map perlin` by its
/// defaults.
const START: [u32; 2] = [512, 512];

/// A layer and the map that is painted for it.
#[derive(Debug)]
pub(crate) struct Layer {
    /// Kept for life.
    pub(crate) id: u64,
    pub(crate) settings: LayerSettings,
    pub(crate) canvas: Canvas,
    /// What was doubtful when its map was read.
    pub(crate) told: Vec<String>,
}

/// The distance between two layers, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Between {
    /// The layers' numbers, from 0.
    pub(crate) between: [usize; 2],
    /// World units; 0: they ignore each other.
    pub(crate) distance: f64,
}

/// Which pixels, or the points that they make, are out of date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dirty {
    None,
    Pixels(PixelRect),
    All,
}

impl Dirty {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::None, other) | (other, Self::None) => other,
            (Self::Pixels(a), Self::Pixels(b)) => Self::Pixels(a.with(&b)),
            _ => Self::All,
        }
    }
}

/// What is known of the points that are shown.
#[derive(Clone, Debug, Default)]
struct Shown {
    seconds: f64,
    unresolved: Option<(u64, f64)>,
    scale: f64,
    /// Why there are none.
    refused: Option<String>,
}

/// All that a session holds but the engine's own.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) settings: Settings,
    pub(crate) layers: Vec<Layer>,
    pub(crate) apart: Vec<Between>,
    /// The layer that is painted, by its number.
    pub(crate) active: usize,
    next_id: u64,
    history: History,
    /// The stroke that is not finished, with its number and its layer's id.
    stroke: Option<(u64, u64, Stroke)>,
    /// Pixels that changed since the points were made.
    stale_points: Dirty,
    /// Pixels that changed since the fields that are kept were made.
    stale_fields: Dirty,
    dots: Dots,
    shown: Shown,
    /// Counts changes of any kind.
    revision: u64,
}

/// What a run leaves for the next one.
#[derive(Debug, Default)]
struct Last {
    /// The field that the shown points follow, where a limit carries changes on.
    field: Option<Arc<RadiusMap>>,
    /// Whether the run before was given up: then the next is not, so that points come now and
    /// then while somebody paints without a pause.
    gave_up: bool,
    /// Whether no points are shown because the run before was refused.
    refused: bool,
}

/// A session. Every method may be called from any thread.
///
/// # Guarantees
/// 1. The points that are shown are those of `spinney sample` on the map that is saved, with the flags
///    of the command line that the page shows.
/// 2. A refused request changes nothing.
/// 3. Memory is bounded: by 2^26 pixels a map, 2.5 GiB of former pixels for undo, and 4 million
///    points.
#[derive(Debug)]
pub struct Session {
    state: Mutex<State>,
    /// The layers' fields, which strokes change in place. Is locked before `state`.
    fields: Mutex<Vec<Arc<RadiusMap>>>,
    /// Is locked before `fields`.
    last: Mutex<Last>,
    /// Counts changes that make points out of date.
    wanted: AtomicU64,
}

/// What a stroke did.
#[derive(Clone, Debug)]
pub(crate) struct Painted {
    pub(crate) rect: Option<PixelRect>,
    pub(crate) pixels: Vec<u8>,
    pub(crate) depths: [usize; 2],
    pub(crate) revision: u64,
}

/// A part of a stroke.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StrokePart {
    /// The stroke's number; parts of one number are one stroke, and one step of undo.
    pub(crate) stroke: u64,
    /// The brush; of later parts it is not looked at.
    pub(crate) brush: Brush,
    /// Where it goes, pixels from the map's top left corner.
    pub(crate) path: Vec<[f64; 2]>,
    /// Whether the stroke ends here.
    pub(crate) last: bool,
}

/// How noise becomes a map: the flags of `spinney map perlin`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Noise {
    /// Width and height, pixels.
    pub(crate) size: [u32; 2],
    /// Which noise.
    pub(crate) seed: u64,
    /// Width of a cycle of the first octave, pixels.
    pub(crate) scale: f64,
    /// How many noises are added up.
    pub(crate) octaves: u32,
    /// How much the frequency rises from one to the next.
    pub(crate) lacunarity: f64,
    /// How much the amplitude falls from one to the next.
    pub(crate) persistence: f64,
    /// How far places are moved by more noise, pixels.
    pub(crate) warp: f64,
    /// Black below this value and white from it on.
    pub(crate) threshold: Option<f64>,
}

impl Default for Noise {
    fn default() -> Self {
        let usual = density::PerlinOptions::default();
        Self {
            size: START,
            seed: usual.seed,
            scale: 1.0 / usual.frequency,
            octaves: usual.octaves,
            lacunarity: usual.lacunarity,
            persistence: usual.persistence,
            warp: 0.0,
            threshold: None,
        }
    }
}

impl Noise {
    fn map(&self) -> Result<GreyMap, Refused> {
        check_pixels(self.size)?;
        if !(self.scale.is_finite() && self.scale > 0.0) {
            let problem = "must be a positive finite number";
            return Err(Refused::value("scale", self.scale, problem));
        }
        let options = PerlinMapOptions {
            noise: density::PerlinOptions {
                seed: self.seed,
                frequency: 1.0 / self.scale,
                octaves: self.octaves,
                lacunarity: self.lacunarity,
                persistence: self.persistence,
                ..density::PerlinOptions::default()
            },
            warp: self.warp,
            threshold: self.threshold,
        };
        let [width, height] = self.size;
        perlin_map(width, height, options).map_err(|e| Refused::Run(e.to_string()))
    }
}

fn check_pixels([width, height]: [u32; 2]) -> Result<(), Refused> {
    let pixels = u64::from(width) * u64::from(height);
    if pixels == 0 || pixels > MOST_PIXELS {
        let problem = format!("a map here has from 1 to {MOST_PIXELS} pixels");
        return Err(Refused::value("size", format!("{width}x{height}"), problem));
    }
    Ok(())
}

impl State {
    fn layer(&self) -> &Layer {
        // There is always a layer, and `active` is one of them.
        &self.layers[self.active]
    }

    fn touch(&mut self) {
        self.revision += 1;
    }

    /// The distances between layers, for the sampler.
    pub(crate) fn apart(&self) -> Result<Apart, Refused> {
        apart(&self.apart, self.layers.len())
    }

    /// The pixels that say how large the world is.
    pub(crate) fn pixels(&self) -> [u32; 2] {
        let first = &self.layers[0].canvas;
        [first.width(), first.height()]
    }

    fn finish_stroke(&mut self) {
        if let Some((_, layer, stroke)) = self.stroke.take() {
            let tiles = stroke.into_tiles();
            if !tiles.is_empty() {
                // A stroke is finished before another layer is chosen.
                let canvas = &self.layer().canvas;
                let size = [canvas.width(), canvas.height()];
                self.history.push(Step { layer, size, tiles });
            }
        }
    }

    fn replace_canvas(&mut self, canvas: Canvas) {
        self.finish_stroke();
        let layer = &mut self.layers[self.active];
        let former = std::mem::replace(&mut layer.canvas, canvas);
        let step = Step {
            layer: layer.id,
            size: [former.width(), former.height()],
            tiles: former.tiles(),
        };
        self.history.push(step);
    }

    fn painted(&self, rect: Option<PixelRect>) -> Painted {
        Painted {
            rect,
            pixels: rect.map_or_else(Vec::new, |rect| self.layer().canvas.wire(rect)),
            depths: self.depths(),
            revision: self.revision,
        }
    }

    /// Steps that can be taken back, the unfinished stroke among them, and brought again.
    fn depths(&self) -> [usize; 2] {
        let [done, undone] = self.history.depths();
        [done + usize::from(self.stroke.is_some()), undone]
    }

    fn facts(&self) -> Value {
        let shown = &self.shown;
        json!({
            "points": self.dots.len(),
            "seconds": shown.seconds,
            "unresolved": shown.unresolved.map(|(cells, _)| cells),
            "scale": shown.scale,
            "refused": shown.refused,
        })
    }

    fn json(&self) -> Value {
        let layers: Vec<Value> = self
            .layers
            .iter()
            .map(|layer| {
                json!({
                    "settings": layer.settings,
                    "width": layer.canvas.width(),
                    "height": layer.canvas.height(),
                    "told": layer.told,
                })
            })
            .collect();
        let [undo, redo] = self.depths();
        let world = self.settings.world(self.pixels());
        let only = match self.layers.as_slice() {
            [layer] => Some(&layer.settings),
            _ => None,
        };
        json!({
            "revision": self.revision,
            "settings": self.settings,
            "layers": layers,
            "active": self.active,
            "apart": self.apart,
            "world": world.map(|world| world.size()).ok(),
            "undo": undo,
            "redo": redo,
            "command": command::command(&self.settings, only),
            "facts": self.facts(),
        })
    }
}

/// Returns the distances for the sampler. Refuses a pair that is given twice.
fn apart(list: &[Between], layers: usize) -> Result<Apart, Refused> {
    let mut apart = Apart::new(layers);
    for (i, &Between { between, distance }) in list.iter().enumerate() {
        let [a, b] = between;
        apart
            .set(a, b, distance)
            .map_err(|e| Refused::value("apart", distance, e.to_string()))?;
        let same = |other: &Between| other.between == [a, b] || other.between == [b, a];
        if list[..i].iter().any(same) {
            let problem = "a pair of layers is given twice";
            return Err(Refused::value("apart", distance, problem));
        }
    }
    Ok(apart)
}

impl Session {
    /// A session that begins with `map`, of which `told` is doubtful; without one, with noise.
    ///
    /// # Errors
    /// When the map has more than 2^26 pixels.
    pub fn new(map: Option<(&GreyMap, Vec<String>)>) -> Result<Self, Refused> {
        let (canvas, told) = match map {
            Some((map, told)) => {
                check_pixels([map.width(), map.height()])?;
                (Canvas::of_map(map), told)
            }
            None => (Canvas::of_map(&Noise::default().map()?), Vec::new()),
        };
        let settings = Settings::default();
        let world = settings.world([canvas.width(), canvas.height()])?;
        Ok(Self {
            state: Mutex::new(State {
                settings,
                layers: vec![Layer {
                    id: 0,
                    settings: LayerSettings::default(),
                    canvas,
                    told,
                }],
                apart: Vec::new(),
                active: 0,
                next_id: 1,
                history: History::default(),
                stroke: None,
                stale_points: Dirty::All,
                stale_fields: Dirty::All,
                dots: Dots::none(world),
                shown: Shown {
                    scale: 1.0,
                    ..Shown::default()
                },
                revision: 1,
            }),
            fields: Mutex::default(),
            last: Mutex::default(),
            wanted: AtomicU64::new(0),
        })
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Marks points as out of date; a run that is under way is given up.
    fn spoil(&self, state: &mut State, dirty: Dirty) {
        state.touch();
        if dirty != Dirty::None {
            state.stale_points = state.stale_points.and(dirty);
            state.stale_fields = state.stale_fields.and(dirty);
            self.wanted.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// Returns all that the page shows beside pixels and points, as JSON.
    pub(crate) fn state(&self) -> Value {
        self.lock().json()
    }

    /// Returns what may be chosen from, and defaults, as JSON.
    pub(crate) fn choices() -> Value {
        let mut all = choices();
        all["noise"] = json!(Noise::default());
        all
    }

    /// Returns the active layer's map as a 16-bit PNG.
    ///
    /// # Errors
    /// Without the memory.
    pub(crate) fn png(&self) -> Result<Vec<u8>, Refused> {
        let active = self.lock().active;
        self.layer_png(active)
    }

    /// Returns the map of a layer, by its number, as a 16-bit PNG.
    ///
    /// # Errors
    /// When there is no such layer, or without the memory.
    pub(crate) fn layer_png(&self, layer: usize) -> Result<Vec<u8>, Refused> {
        let map = {
            let state = self.lock();
            let Some(layer) = state.layers.get(layer) else {
                return Err(Refused::value("layer", layer, "there is no such layer"));
            };
            layer.canvas.to_map().map_err(|e| run(&e))?
        };
        let mut bytes = Vec::new();
        map.write_png(&mut bytes).map_err(|e| run(&e))?;
        Ok(bytes)
    }

    /// Returns width, height and all pixels of the active layer's map.
    pub(crate) fn pixels(&self) -> (Painted, [u32; 2]) {
        let state = self.lock();
        let canvas = &state.layer().canvas;
        let size = [canvas.width(), canvas.height()];
        (state.painted(Some(canvas.rect())), size)
    }

    /// Goes on with a stroke.
    ///
    /// # Errors
    /// When the brush or the path cannot be.
    pub(crate) fn paint(&self, part: &StrokePart) -> Result<Painted, Refused> {
        part.brush.check()?;
        if part.path.len() > MOST_PLACES {
            let problem = format!("a message holds at most {MOST_PLACES} places");
            return Err(Refused::value("path", part.path.len(), problem));
        }
        let far = |x: &f64| !(-1e6..=1e6).contains(x);
        if let Some(place) = part.path.iter().flatten().find(|x| far(x)) {
            return Err(Refused::value("path", place, "lies far outside the map"));
        }
        let mut state = self.lock();
        let state = &mut *state;
        let id = state.layer().id;
        let same = |(number, layer, _): &(u64, u64, Stroke)| *number == part.stroke && *layer == id;
        if !state.stroke.as_ref().is_some_and(same) {
            state.finish_stroke();
            state.stroke = Some((part.stroke, id, Stroke::new(part.brush)));
        }
        let mut rect = None;
        if let Some((_, _, stroke)) = &mut state.stroke {
            rect = state.layers[state.active].canvas.paint(stroke, &part.path);
        }
        if part.last {
            state.finish_stroke();
        }
        self.spoil(state, rect.map_or(Dirty::None, Dirty::Pixels));
        Ok(state.painted(rect))
    }

    /// Fills the active layer's map with the brush.
    ///
    /// # Errors
    /// When the brush cannot be.
    pub(crate) fn fill(&self, brush: &Brush) -> Result<(), Refused> {
        brush.check()?;
        let mut state = self.lock();
        let mut canvas = state.layer().canvas.clone();
        canvas.fill(brush);
        state.replace_canvas(canvas);
        self.spoil(&mut state, Dirty::All);
        Ok(())
    }

    /// Replaces the active layer's map by noise.
    ///
    /// # Errors
    /// When the noise cannot be.
    pub(crate) fn noise(&self, noise: &Noise) -> Result<(), Refused> {
        let map = noise.map()?;
        self.replace(&map, Vec::new());
        Ok(())
    }

    /// Replaces the active layer's map by the picture in `bytes`, in any format that
    /// `spinney sample` reads and that says its own size.
    ///
    /// # Errors
    /// When it is not such a picture.
    pub(crate) fn load(&self, bytes: &[u8]) -> Result<(), Refused> {
        let (map, told) = read(bytes)?;
        self.replace(&map, told);
        Ok(())
    }

    fn replace(&self, map: &GreyMap, told: Vec<String>) {
        let canvas = Canvas::of_map(map);
        let mut state = self.lock();
        state.replace_canvas(canvas);
        let active = state.active;
        state.layers[active].told = told;
        self.spoil(&mut state, Dirty::All);
    }

    /// Takes the last step back, or brings back what was taken back last. Returns the state, and the
    /// pixels that changed if the same layer is painted still and its map has the size that it had.
    pub(crate) fn step(&self, way: Way) -> (Painted, Value) {
        let mut state = self.lock();
        let state = &mut *state;
        state.finish_stroke();
        let rect = self.swap(state, way);
        (state.painted(rect), state.json())
    }

    fn swap(&self, state: &mut State, way: Way) -> Option<PixelRect> {
        let mut step = state.history.take(way)?;
        // Steps of a layer go with it.
        let number = state.layers.iter().position(|l| l.id == step.layer)?;
        let changed = step.swap(&mut state.layers[number].canvas);
        state.history.put(way, step);
        let was_active = state.active == number;
        state.active = number;
        let dirty = match changed {
            Changed::Nothing => Dirty::None,
            Changed::Pixels(rect) => Dirty::Pixels(rect),
            Changed::Map => Dirty::All,
        };
        self.spoil(state, dirty);
        match changed {
            Changed::Pixels(rect) if was_active => Some(rect),
            _ => None,
        }
    }

    /// Changes the settings of the world.
    ///
    /// # Errors
    /// When they contradict one another.
    pub(crate) fn set(&self, settings: Settings) -> Result<(), Refused> {
        let mut state = self.lock();
        settings.check(state.layers.len())?;
        settings.world(state.pixels())?;
        let names = settings.names.clone();
        let names_only = Settings {
            names,
            ..state.settings.clone()
        } == settings;
        state.settings = settings;
        let dirty = if names_only { Dirty::None } else { Dirty::All };
        self.spoil(&mut state, dirty);
        Ok(())
    }

    /// Changes the settings of the active layer.
    ///
    /// # Errors
    /// When they cannot be, or another layer has the name.
    pub(crate) fn set_layer(&self, settings: LayerSettings) -> Result<(), Refused> {
        settings.check()?;
        let mut state = self.lock();
        let active = state.active;
        let mut others = state
            .layers
            .iter()
            .enumerate()
            .filter(|(i, _)| *i != active);
        if others.any(|(_, layer)| layer.settings.name == settings.name) {
            let problem = "there is a layer of this name already";
            return Err(Refused::value("name", &settings.name, problem));
        }
        let looks = LayerSettings {
            colour: settings.colour.clone(),
            name: settings.name.clone(),
            ..state.layer().settings.clone()
        };
        let dirty = if looks == settings {
            Dirty::None
        } else {
            Dirty::All
        };
        state.layers[active].settings = settings;
        self.spoil(&mut state, dirty);
        Ok(())
    }

    /// Chooses the layer that is painted.
    ///
    /// # Errors
    /// When there is no such layer.
    pub(crate) fn choose(&self, layer: usize) -> Result<(), Refused> {
        let mut state = self.lock();
        if layer >= state.layers.len() {
            return Err(Refused::value("layer", layer, "there is no such layer"));
        }
        state.finish_stroke();
        state.active = layer;
        state.touch();
        Ok(())
    }

    /// Adds a layer, whose map is even, and chooses it.
    ///
    /// # Errors
    /// When there are as many as there can be, or settings forbid several.
    pub(crate) fn add_layer(&self) -> Result<(), Refused> {
        let mut state = self.lock();
        let count = state.layers.len();
        // A page is for some; the library's own limit is far beyond.
        let most = MAX_LAYERS.min(16);
        if count >= most {
            let problem = format!("at most {most} are possible here");
            return Err(Refused::value("layers", count + 1, problem));
        }
        state.settings.check(count + 1)?;
        state.finish_stroke();
        let [width, height] = state.pixels();
        let mut settings = LayerSettings::numbered(count);
        let mut number = count;
        while state
            .layers
            .iter()
            .any(|l| l.settings.name == settings.name)
        {
            number += 1;
            settings.name = LayerSettings::numbered(number).name;
        }
        let id = state.next_id;
        state.next_id += 1;
        state.layers.push(Layer {
            id,
            settings,
            canvas: Canvas::even(width, height, 0),
            told: Vec::new(),
        });
        state.active = count;
        self.spoil(&mut state, Dirty::All);
        Ok(())
    }

    /// Takes the active layer away, and its steps of undo.
    ///
    /// # Errors
    /// When it is the only one.
    pub(crate) fn remove_layer(&self) -> Result<(), Refused> {
        let mut state = self.lock();
        if state.layers.len() == 1 {
            return Err(Refused::Run(
                "the only layer cannot be taken away".to_owned(),
            ));
        }
        state.finish_stroke();
        let gone = state.active;
        let layer = state.layers.remove(gone);
        state.history.forget(layer.id);
        state.apart.retain(|a| !a.between.contains(&gone));
        for number in state.apart.iter_mut().flat_map(|a| &mut a.between) {
            *number -= usize::from(*number > gone);
        }
        state.active = gone.min(state.layers.len() - 1);
        self.spoil(&mut state, Dirty::All);
        Ok(())
    }

    /// Sets the distances between layers.
    ///
    /// # Errors
    /// When a pair or a distance cannot be.
    pub(crate) fn set_apart(&self, list: Vec<Between>) -> Result<(), Refused> {
        let mut state = self.lock();
        apart(&list, state.layers.len())?;
        state.apart = list;
        self.spoil(&mut state, Dirty::All);
        Ok(())
    }

    /// Exchanges all layers: settings, maps and what was doubtful in these.
    pub(crate) fn set_species(
        &self,
        settings: Settings,
        layers: Vec<(LayerSettings, GreyMap, Vec<String>)>,
        between: Vec<Between>,
    ) -> Result<(), Refused> {
        settings.check(layers.len())?;
        apart(&between, layers.len())?;
        let mut state = self.lock();
        state.stroke = None;
        state.history = History::default();
        state.settings = settings;
        state.apart = between;
        state.active = 0;
        let first = state.next_id;
        state.next_id += layers.len() as u64;
        let numbered = (first..).zip(layers);
        state.layers = numbered
            .map(|(id, (settings, map, told))| Layer {
                id,
                settings,
                canvas: Canvas::of_map(&map),
                told,
            })
            .collect();
        self.spoil(&mut state, Dirty::All);
        Ok(())
    }

    /// Returns the plan, and the result of `of` on the same locked state.
    fn plan<T>(&self, of: impl FnOnce(&mut State) -> T) -> (Result<Plan, Refused>, T) {
        let mut fields = lock(&self.fields);
        let (inputs, of) = {
            let mut state = self.lock();
            let of = of(&mut state);
            (Inputs::take(&mut state, fields.len()), of)
        };
        let plan = inputs.and_then(|inputs| inputs.plan(&mut fields));
        if plan.is_err() {
            // The pixels that changed are no longer known.
            fields.clear();
        }
        (plan, of)
    }

    /// Brings the points up to date. A stroke that comes in between ends it, unless it ended the
    /// run before too.
    ///
    /// # Errors
    /// [`Refused::Superseded`] when it was given up; what is to be done stays to be done. When the
    /// run cannot be, there are no points, and the state says why.
    pub(crate) fn refresh(&self) -> Result<(), Refused> {
        let mut last = lock(&self.last);
        let started = Instant::now();
        if self.lock().stale_points == Dirty::None {
            return Ok(());
        }
        let (plan, (dirty, number)) = self.plan(|state| {
            let dirty = std::mem::replace(&mut state.stale_points, Dirty::None);
            (dirty, self.wanted.load(Ordering::SeqCst))
        });
        let patient = last.gave_up;
        let dirty = if last.refused { Dirty::All } else { dirty };
        let stop = || !patient && self.wanted.load(Ordering::SeqCst) != number;
        let done = plan.and_then(|plan| {
            let found = Self::run(&plan, dirty, last.field.as_deref(), &stop)?;
            Ok((plan, found))
        });
        last.gave_up = false;
        last.refused = false;
        let mut state = self.lock();
        match done {
            Ok((plan, done)) => {
                match &done {
                    Done::Whole(found) => {
                        state.dots.replace_all(plan.world, &found.samples);
                        state.shown.unresolved = found.unresolved;
                        state.shown.scale = found.scale;
                    }
                    Done::Windows(windows, samples) => {
                        state.dots.replace_in(windows, samples);
                        // How many cells are unresolved is known of the whole only.
                        state.shown.unresolved = None;
                    }
                }
                state.shown.refused = None;
                state.shown.seconds = started.elapsed().as_secs_f64();
                let limited = plan.layers.iter().any(|layer| layer.limit.is_some());
                last.field = plan.fields.into_iter().next().filter(|_| limited);
                Ok(())
            }
            Err(Refused::Superseded) => {
                last.gave_up = true;
                state.stale_points = state.stale_points.and(dirty);
                Err(Refused::Superseded)
            }
            Err(problem) => {
                let world = state.settings.world(state.pixels());
                if let Ok(world) = world {
                    state.dots.replace_all(world, &[]);
                }
                state.shown.unresolved = None;
                state.shown.refused = Some(problem.to_string());
                state.shown.seconds = 0.0;
                last.field = None;
                last.refused = true;
                Err(problem)
            }
        }
    }

    fn run(
        plan: &Plan,
        dirty: Dirty,
        before: Option<&RadiusMap>,
        stop: engine::Stop<'_>,
    ) -> Result<Done, Refused> {
        let rect = match dirty {
            Dirty::Pixels(rect) if plan.has_windows() => rect,
            _ => return plan.whole(stop).map(Done::Whole),
        };
        let mut rect = rect;
        if plan.layers.iter().any(|layer| layer.limit.is_some()) {
            let now = plan.fields[0].map();
            let same = |m: &&GreyMap| [m.width(), m.height()] == [now.width(), now.height()];
            match before.map(RadiusMap::map).filter(same) {
                Some(before) => {
                    if let Some(more) = engine::difference(before, now) {
                        rect = rect.with(&more);
                    }
                }
                None => return plan.whole(stop).map(Done::Whole),
            }
        }
        let windows = plan.touched(rect);
        let area: f64 = windows.iter().map(Bounds::volume).sum();
        if area > WIDE * plan.world.volume() {
            return plan.whole(stop).map(Done::Whole);
        }
        let samples = plan.windows(&windows, stop)?;
        Ok(Done::Windows(windows, samples))
    }

    /// Returns the bins that changed since a version of the points, and the state.
    pub(crate) fn shipment(&self, version: u64) -> (Shipment, Value) {
        let state = self.lock();
        (state.dots.since(version), state.json())
    }

    /// Runs the whole as the command line does. Returns the plan and all points in their order.
    ///
    /// # Errors
    /// When the run cannot be. A change of the map in the meantime does not end it.
    pub(crate) fn export(&self) -> Result<(Plan, Found), Refused> {
        let plan = self.plan(|_| ()).0?;
        let found = plan.whole(&|| false)?;
        Ok((plan, found))
    }

    /// Runs the whole as [`export`](Self::export) does, but gives up when the map changes. What is
    /// unresolved is then known of the points that are shown.
    ///
    /// # Errors
    /// When the run cannot be, or was given up.
    pub(crate) fn survey(&self) -> Result<(Plan, Found), Refused> {
        let (plan, number) = self.plan(|_| self.wanted.load(Ordering::SeqCst));
        let plan = plan?;
        let changed = || self.wanted.load(Ordering::SeqCst) != number;
        let found = plan.whole(&changed)?;
        let mut state = self.lock();
        if changed() {
            return Err(Refused::Superseded);
        }
        state.shown.unresolved = found.unresolved;
        drop(state);
        Ok((plan, found))
    }

    /// Returns what was doubtful when the maps were read.
    pub(crate) fn told(&self) -> Vec<String> {
        let state = self.lock();
        state.layers.iter().flat_map(|l| l.told.clone()).collect()
    }
}

/// Copies of what the points are a function of.
struct Inputs {
    settings: Settings,
    layers: Vec<LayerSettings>,
    apart: Apart,
    size: [u32; 2],
    pixels: Pixels,
}

/// Pixels that the fields which are kept do not have yet.
enum Pixels {
    None,
    /// Those of a rectangle of the only layer.
    Part(PixelRect, GreyMap),
    /// All of every layer.
    All(Vec<GreyMap>),
}

impl Inputs {
    /// Copies what has changed since the fields were made, of which there are `known`.
    fn take(state: &mut State, known: usize) -> Result<Self, Refused> {
        state.settings.check(state.layers.len())?;
        for layer in &state.layers {
            layer.settings.check()?;
        }
        let stale = std::mem::replace(&mut state.stale_fields, Dirty::None);
        let pixels = match (stale, state.layers.as_slice()) {
            (Dirty::None, layers) if layers.len() == known => Pixels::None,
            // With a limit, a pixel is felt far away.
            (Dirty::Pixels(rect), [layer]) if known == 1 && layer.settings.limit.is_none() => {
                Pixels::Part(rect, layer.canvas.cut(rect).map_err(|e| run(&e))?)
            }
            (_, layers) => {
                let maps = layers.iter().map(|layer| layer.canvas.to_map());
                Pixels::All(maps.collect::<Result<_, _>>().map_err(|e| run(&e))?)
            }
        };
        Ok(Self {
            settings: state.settings.clone(),
            layers: state.layers.iter().map(|l| l.settings.clone()).collect(),
            apart: state.apart()?,
            size: state.pixels(),
            pixels,
        })
    }

    /// Brings the fields up to date, and returns them with everything else.
    fn plan(self, fields: &mut Vec<Arc<RadiusMap>>) -> Result<Plan, Refused> {
        let Self {
            settings, layers, ..
        } = self;
        let world = settings.world(self.size)?;
        match self.pixels {
            Pixels::None => {}
            Pixels::Part(rect, map) => {
                for (field, layer) in fields.iter_mut().zip(&layers) {
                    let map = engine::toned(map.clone(), layer)?;
                    let field = Arc::make_mut(field);
                    field.paste(rect.min, &map).map_err(|e| run(&e))?;
                }
            }
            Pixels::All(maps) => {
                // Memory for the new ones.
                fields.clear();
                for (map, layer) in maps.into_iter().zip(&layers) {
                    let field = engine::field(map, layer, world, &settings)?;
                    fields.push(Arc::new(field));
                }
            }
        }
        Ok(Plan {
            rule: settings.rule()?,
            settings,
            world,
            fields: fields.clone(),
            layers,
            apart: self.apart,
        })
    }
}

/// What a run made.
enum Done {
    Whole(Found),
    Windows(Vec<Bounds<2>>, Vec<sampler::Sample<2>>),
}

/// Reads a picture as `spinney sample` reads a map by its defaults.
pub(crate) fn read(bytes: &[u8]) -> Result<(GreyMap, Vec<String>), Refused> {
    use density::decode::{DecodeLimits, Levels, Raster, ReadOptions};
    use density::diagnostic::{Names, Role, Subject};
    let options = ReadOptions {
        limits: DecodeLimits {
            max_pixels: MOST_PIXELS,
            ..DecodeLimits::default()
        },
        ..ReadOptions::default()
    };
    let raster = Raster::decode(bytes, &options).map_err(|e| run(&e))?;
    let subject = Subject::new(Role::Map, "the picture", &Names::NONE);
    let found = raster.diagnostics(&options.channel, Some(Levels::Natural));
    let told = found.into_iter().map(|d| d.about(&subject).to_string());
    let told = told.collect();
    let map = raster.into_map(Levels::Natural).map_err(|e| run(&e))?;
    Ok((map, told))
}

/// Locks, even if a thread panicked meanwhile.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn run(problem: &dyn std::fmt::Display) -> Refused {
    Refused::Run(problem.to_string())
}
