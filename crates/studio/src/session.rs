//! The session that all tabs share: maps, settings, points.

use crate::brush::Brush;
use crate::canvas::{Canvas, Stroke};
use crate::command;
use crate::dots::{Dots, Shipment};
use crate::engine::{self, Found, Plan};
use crate::error::Refused;
use crate::history::{Direction, Dirty, History, Source, Step};
use crate::pictures::{Noise, Picture, check_pixels, read};
use crate::settings::{LayerSettings, Settings, choices};
use density::decode::{Levels, ReadOptions};
use density::diagnostic::Names;
use density::{Bounds, GreyMap, PixelRect, RadiusMap};
use sampler::Apart;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Largest number of places in one message of a stroke.
const MOST_PLACES: usize = 4096;

/// Largest share of the world that is sampled as windows. Larger windows cost as much as the whole,
/// which uses all threads.
const MAX_WINDOW_SHARE: f64 = 0.5;

/// A layer and its painted map.
#[derive(Debug)]
pub(crate) struct Layer {
    /// A permanent number.
    pub(crate) id: u64,
    pub(crate) settings: LayerSettings,
    pub(crate) canvas: Canvas,
    /// Counts the changes of the canvas, so that the page knows whether it shows the last one.
    edits: u64,
    source: Source,
    /// Whether this map or a former one of this layer is from a file that states a place, as a saved map may lie beside
    /// its world file.
    is_placed: bool,
}

impl Layer {
    fn new(id: u64, settings: LayerSettings, picture: &Picture) -> Self {
        Self {
            id,
            settings,
            canvas: Canvas::of_map(&picture.map),
            edits: 0,
            source: picture.source(),
            is_placed: picture.place.is_some(),
        }
    }
}

/// The distance between points of two layers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Between {
    /// The layers' numbers, from 0.
    pub(crate) between: [usize; 2],
    /// World units. At 0 the layers ignore each other.
    pub(crate) distance: f64,
}

/// Facts about the displayed points.
#[derive(Clone, Debug, Default)]
struct Shown {
    seconds: f64,
    scale: f64,
    /// The reason why there are no points.
    refused: Option<String>,
}

/// The state of a session, without the engine's fields.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) settings: Settings,
    pub(crate) layers: Vec<Layer>,
    pub(crate) apart: Vec<Between>,
    /// The number of the layer that is painted.
    pub(crate) active: usize,
    next_id: u64,
    history: History,
    /// The unfinished stroke, with its number and its layer's id.
    stroke: Option<(u64, u64, Stroke)>,
    /// Pixels that changed after the points were made.
    stale_points: Dirty,
    /// Pixels that changed after the stored fields were made.
    stale_fields: Dirty,
    dots: Dots,
    shown: Shown,
    /// Counts changes of any kind.
    revision: u64,
}

/// A session. Every method may be called from any thread.
///
/// # Guarantees
/// 1. The displayed points equal those of `spinney sample` on the saved map, with the command line's
///    flags that the page shows.
/// 2. A refused request changes nothing.
/// 3. Memory is bounded: by 2^26 pixels a map, 2.5 GiB of former pixels for undo, and 4 million points.
#[derive(Debug)]
pub struct Session {
    state: Mutex<State>,
    /// The layers' fields, which strokes change in place. Locked before `state`.
    fields: Mutex<Vec<Arc<RadiusMap>>>,
    /// Whether the last run was given up. The next one is then completed, so that points appear during continuous
    /// painting. Locked before `fields`.
    gave_up: Mutex<bool>,
    /// Counts changes that make points out of date.
    wanted: AtomicU64,
}

/// Result of a change of pixels.
#[derive(Clone, Debug)]
pub(crate) struct Painted {
    pub(crate) rect: Option<PixelRect>,
    pub(crate) pixels: Vec<u8>,
    pub(crate) depths: [usize; 2],
    pub(crate) edits: u64,
}

/// One message of a stroke.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StrokePart {
    /// The stroke's number. Parts with the same number are one stroke, and one step of undo.
    pub(crate) stroke: u64,
    /// The id of the layer that is painted, as in the state. Another window may have chosen another.
    pub(crate) layer: u64,
    /// The brush. Later parts of a stroke do not change it.
    pub(crate) brush: Brush,
    /// The path, in pixels from the map's top left corner.
    pub(crate) path: Vec<[f64; 2]>,
    /// Whether the stroke ends here.
    pub(crate) last: bool,
}

impl State {
    fn layer(&self) -> &Layer {
        // There is always a layer, and `active` is a valid number.
        &self.layers[self.active]
    }

    fn touch(&mut self) {
        self.revision += 1;
    }

    /// Returns the distances between layers, for the sampler.
    pub(crate) fn apart(&self) -> Result<Apart, Refused> {
        apart(&self.apart, self.layers.len())
    }

    /// Returns the size of the first map, the default size of the world.
    pub(crate) fn pixels(&self) -> [u32; 2] {
        let first = &self.layers[0].canvas;
        [first.width(), first.height()]
    }

    /// Returns `true` if a map's file stated a place.
    pub(crate) fn is_placed(&self) -> bool {
        self.layers.iter().any(|layer| layer.is_placed)
    }

    fn finish_stroke(&mut self) {
        if let Some((_, layer, stroke)) = self.stroke.take() {
            let tiles = stroke.into_tiles();
            if !tiles.is_empty() {
                // A stroke ends before another layer is chosen, so this is its layer.
                let canvas = &self.layer().canvas;
                let size = [canvas.width(), canvas.height()];
                self.history.push(Step {
                    layer,
                    size,
                    tiles,
                    source: None,
                });
            }
        }
    }

    fn replace_map(&mut self, canvas: Canvas, source: Source) {
        self.finish_stroke();
        let layer = &mut self.layers[self.active];
        layer.edits += 1;
        let former = std::mem::replace(&mut layer.canvas, canvas);
        let source = std::mem::replace(&mut layer.source, source);
        let step = Step {
            layer: layer.id,
            size: [former.width(), former.height()],
            tiles: former.tiles(),
            source: Some(source),
        };
        self.history.push(step);
    }

    fn painted(&self, rect: Option<PixelRect>) -> Painted {
        Painted {
            rect,
            pixels: rect.map_or_else(Vec::new, |rect| self.layer().canvas.wire(rect)),
            depths: self.depths(),
            edits: self.layer().edits,
        }
    }

    /// Returns the number of steps to undo, including the unfinished stroke, and to redo.
    fn depths(&self) -> [usize; 2] {
        let [done, undone] = self.history.depths();
        [done + usize::from(self.stroke.is_some()), undone]
    }

    fn facts(&self) -> Value {
        let shown = &self.shown;
        json!({
            "points": self.dots.len(),
            "seconds": shown.seconds,
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
                    "id": layer.id,
                    "edits": layer.edits,
                    "settings": layer.settings,
                    "width": layer.canvas.width(),
                    "height": layer.canvas.height(),
                    "told": layer.source.warnings,
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
            "command": command::command(&self.settings, only, self.is_placed()),
            "facts": self.facts(),
            "stale_points": self.stale_points != Dirty::None,
        })
    }
}

/// Converts distances for the sampler. Refuses a pair that is given twice.
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
    /// Creates a session. Its map is `picture`, or noise.
    ///
    /// # Errors
    /// If the map has more than 2^26 pixels.
    pub fn new(picture: Option<Picture>) -> Result<Self, Refused> {
        let picture = match picture {
            Some(picture) => picture,
            None => Picture::made(Noise::default().map()?),
        };
        let size = [picture.map.width(), picture.map.height()];
        check_pixels(size)?;
        let settings = Settings::default();
        let world = settings.world(size)?;
        Ok(Self {
            state: Mutex::new(State {
                settings,
                layers: vec![Layer::new(0, LayerSettings::default(), &picture)],
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
            gave_up: Mutex::default(),
            wanted: AtomicU64::new(0),
        })
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Marks points as out of date, which also ends a run in progress.
    fn mark_changed(&self, state: &mut State, dirty: Dirty) {
        state.touch();
        if dirty != Dirty::None {
            state.stale_points = state.stale_points.union(dirty);
            state.stale_fields = state.stale_fields.union(dirty);
            self.wanted.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// Returns all that the page shows besides pixels and points, as JSON.
    pub(crate) fn state(&self) -> Value {
        self.lock().json()
    }

    /// Returns the available choices, and the defaults, as JSON.
    pub(crate) fn choices() -> Value {
        let mut all = choices();
        all["noise"] = json!(Noise::default());
        all
    }

    /// Returns the map of layer number `layer`, or of the active one, as a 16-bit PNG.
    ///
    /// # Errors
    /// If there is no such layer, or memory is insufficient.
    pub(crate) fn png(&self, layer: Option<usize>) -> Result<Vec<u8>, Refused> {
        let map = {
            let state = self.lock();
            let number = layer.unwrap_or(state.active);
            let Some(layer) = state.layers.get(number) else {
                return Err(Refused::value("layer", number, "there is no such layer"));
            };
            layer.canvas.to_map().map_err(Refused::run)?
        };
        let mut bytes = Vec::new();
        map.write_png(&mut bytes).map_err(Refused::run)?;
        Ok(bytes)
    }

    /// Returns all pixels of the active layer's map, and facts about it as JSON.
    pub(crate) fn pixels(&self) -> (Vec<u8>, Value) {
        let state = self.lock();
        let layer = state.layer();
        let canvas = &layer.canvas;
        let facts = json!({
            "layer": layer.id,
            "edits": layer.edits,
            "width": canvas.width(),
            "height": canvas.height(),
        });
        (canvas.wire(canvas.rect()), facts)
    }

    /// Starts or continues a stroke, and chooses its layer.
    ///
    /// # Errors
    /// If the brush or the path is invalid, or the layer was removed.
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
        let id = part.layer;
        let Some(painted) = state.layers.iter().position(|layer| layer.id == id) else {
            let problem = "it was removed in another window";
            return Err(Refused::value("layer", id, problem));
        };
        let same = |(number, layer, _): &(u64, u64, Stroke)| *number == part.stroke && *layer == id;
        if !state.stroke.as_ref().is_some_and(same) {
            state.finish_stroke();
            state.active = painted;
            state.stroke = Some((part.stroke, id, Stroke::new(part.brush)));
        }
        let mut rect = None;
        if let Some((_, _, stroke)) = &mut state.stroke {
            let layer = &mut state.layers[state.active];
            rect = layer.canvas.paint(stroke, &part.path);
            layer.edits += u64::from(rect.is_some());
        }
        if part.last {
            state.finish_stroke();
        }
        self.mark_changed(state, rect.into());
        Ok(state.painted(rect))
    }

    /// Fills the active layer's map with the brush.
    ///
    /// # Errors
    /// If the brush is invalid.
    pub(crate) fn fill(&self, brush: &Brush) -> Result<(), Refused> {
        brush.check()?;
        let mut state = self.lock();
        let mut canvas = state.layer().canvas.clone();
        canvas.fill(brush);
        let source = Source {
            is_read: false,
            ..state.layer().source.clone()
        };
        state.replace_map(canvas, source);
        self.mark_changed(&mut state, Dirty::All);
        Ok(())
    }

    /// Replaces the active layer's map by noise.
    ///
    /// # Errors
    /// If the parameters are invalid.
    pub(crate) fn noise(&self, noise: &Noise) -> Result<(), Refused> {
        self.replace(&Picture::made(noise.map()?));
        Ok(())
    }

    /// Replaces the active layer's map by the picture in `bytes`. It may have any format that `spinney
    /// sample` reads and that stores its own size.
    ///
    /// # Errors
    /// If `bytes` are not such a picture.
    pub(crate) fn load(&self, bytes: &[u8]) -> Result<(), Refused> {
        let options = ReadOptions::default();
        self.replace(&read(
            bytes,
            "the picture",
            options,
            Levels::Natural,
            &READ,
        )?);
        Ok(())
    }

    fn replace(&self, picture: &Picture) {
        let canvas = Canvas::of_map(&picture.map);
        let mut state = self.lock();
        state.replace_map(canvas, picture.source());
        let active = state.active;
        state.layers[active].is_placed |= picture.place.is_some();
        self.mark_changed(&mut state, Dirty::All);
    }

    /// Undoes or redoes a step. Returns the state, and the changed pixels if neither the active layer
    /// nor the size of its map has changed.
    pub(crate) fn step(&self, direction: Direction) -> (Painted, Value) {
        let mut state = self.lock();
        let state = &mut *state;
        state.finish_stroke();
        let rect = self.swap(state, direction);
        (state.painted(rect), state.json())
    }

    fn swap(&self, state: &mut State, direction: Direction) -> Option<PixelRect> {
        let mut step = state.history.take(direction)?;
        // A removed layer's steps are removed with it.
        let number = state.layers.iter().position(|l| l.id == step.layer)?;
        let layer = &mut state.layers[number];
        let changed = step.swap(&mut layer.canvas);
        layer.edits += 1;
        if let Some(source) = &mut step.source {
            std::mem::swap(source, &mut layer.source);
        }
        state.history.put(direction, step);
        let was_active = state.active == number;
        state.active = number;
        self.mark_changed(state, changed);
        match changed {
            Dirty::Pixels(rect) if was_active => Some(rect),
            _ => None,
        }
    }

    /// Changes the settings of the world.
    ///
    /// # Errors
    /// If they contradict one another.
    pub(crate) fn set(&self, settings: Settings) -> Result<(), Refused> {
        let mut state = self.lock();
        settings.check(state.layers.len())?;
        let names = settings.names.clone();
        let names_only = Settings {
            names,
            ..state.settings.clone()
        } == settings;
        state.settings = settings;
        let dirty = if names_only { Dirty::None } else { Dirty::All };
        self.mark_changed(&mut state, dirty);
        Ok(())
    }

    /// Changes the settings of the active layer.
    ///
    /// # Errors
    /// If they are invalid, or another layer has the same name.
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
            let problem = "there is already a layer of this name";
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
        self.mark_changed(&mut state, dirty);
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

    /// Adds a layer with an even map, and chooses it.
    ///
    /// # Errors
    /// If there are too many layers, or the settings forbid several.
    pub(crate) fn add_layer(&self) -> Result<(), Refused> {
        let mut state = self.lock();
        let count = state.layers.len();
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
            edits: 0,
            source: Source {
                warnings: Vec::new(),
                is_read: false,
            },
            is_placed: false,
        });
        state.active = count;
        self.mark_changed(&mut state, Dirty::All);
        Ok(())
    }

    /// Removes the active layer and its steps of undo.
    ///
    /// # Errors
    /// If it is the only layer.
    pub(crate) fn remove_layer(&self) -> Result<(), Refused> {
        let mut state = self.lock();
        if state.layers.len() == 1 {
            return Err(Refused::run("the only layer cannot be removed"));
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
        self.mark_changed(&mut state, Dirty::All);
        Ok(())
    }

    /// Sets the distances between layers.
    ///
    /// # Errors
    /// If a pair or a distance is invalid.
    pub(crate) fn set_apart(&self, list: Vec<Between>) -> Result<(), Refused> {
        let mut state = self.lock();
        apart(&list, state.layers.len())?;
        state.apart = list;
        self.mark_changed(&mut state, Dirty::All);
        Ok(())
    }

    /// Replaces all layers. The settings must have been checked.
    ///
    /// # Errors
    /// If a pair or a distance is invalid.
    pub(crate) fn set_species(
        &self,
        settings: Settings,
        layers: Vec<(LayerSettings, Picture)>,
        between: Vec<Between>,
    ) -> Result<(), Refused> {
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
            .map(|(id, (settings, picture))| Layer::new(id, settings, &picture))
            .collect();
        self.mark_changed(&mut state, Dirty::All);
        Ok(())
    }

    /// Returns the plan, and the result of `of`, which runs under the same lock of the state.
    fn plan<T>(&self, of: impl FnOnce(&mut State) -> T) -> (Result<Plan, Refused>, T) {
        let mut fields = lock(&self.fields);
        let (inputs, of) = {
            let mut state = self.lock();
            let of = of(&mut state);
            (Inputs::take(&mut state, fields.len()), of)
        };
        let plan = inputs.and_then(|inputs| inputs.plan(&mut fields));
        if plan.is_err() {
            // The record of changed pixels is lost, so the next plan needs all of them.
            fields.clear();
        }
        (plan, of)
    }

    /// Brings the points up to date. A stroke in between ends the run, unless the previous run ended
    /// that way, too.
    ///
    /// # Errors
    /// [`Refused::Superseded`] if the run was given up; the points then stay out of date. If the run is
    /// impossible, there are no points, and the state gives the reason.
    pub(crate) fn refresh(&self) -> Result<(), Refused> {
        let mut gave_up = lock(&self.gave_up);
        let started = Instant::now();
        if self.lock().stale_points == Dirty::None {
            return Ok(());
        }
        let (plan, (dirty, number)) = self.plan(|state| {
            let mut dirty = std::mem::replace(&mut state.stale_points, Dirty::None);
            if state.shown.refused.is_some() {
                // There are no points around the changed pixels.
                dirty = Dirty::All;
            }
            (dirty, self.wanted.load(Ordering::SeqCst))
        });
        let patient = std::mem::take(&mut *gave_up);
        let stop = || !patient && self.wanted.load(Ordering::SeqCst) != number;
        let done = plan.and_then(|plan| {
            let found = Self::run(&plan, dirty, &stop)?;
            Ok((plan, found))
        });
        let mut state = self.lock();
        match done {
            Ok((plan, done)) => {
                match &done {
                    Done::Whole(found) => {
                        state.dots.replace_all(plan.world, &found.samples);
                        state.shown.scale = found.scale;
                    }
                    Done::Windows(windows, samples) => state.dots.replace_in(windows, samples),
                }
                state.shown.refused = None;
                state.shown.seconds = started.elapsed().as_secs_f64();
                Ok(())
            }
            Err(Refused::Superseded) => {
                *gave_up = true;
                state.stale_points = state.stale_points.union(dirty);
                Err(Refused::Superseded)
            }
            Err(problem) => {
                let world = state.settings.world(state.pixels());
                if let Ok(world) = world {
                    state.dots.replace_all(world, &[]);
                }
                state.shown.refused = Some(problem.to_string());
                state.shown.seconds = 0.0;
                Err(problem)
            }
        }
    }

    fn run(plan: &Plan, dirty: Dirty, stop: engine::Stop<'_>) -> Result<Done, Refused> {
        let (Dirty::Pixels(rect), Some(field)) = (dirty, plan.windowed()) else {
            return plan.whole(stop).map(Done::Whole);
        };
        let windows = plan.touched(field, rect);
        let area: f64 = windows.iter().map(Bounds::volume).sum();
        if area > MAX_WINDOW_SHARE * plan.world.volume() {
            return plan.whole(stop).map(Done::Whole);
        }
        let samples = plan.windows(field, &windows, stop)?;
        Ok(Done::Windows(windows, samples))
    }

    /// Returns the bins that changed after `version` of the points, and the state.
    pub(crate) fn shipment(&self, version: u64) -> (Shipment, Value) {
        let state = self.lock();
        (state.dots.since(version), state.json())
    }

    /// Samples the whole as the command line does. Returns the plan, and all points in their order.
    ///
    /// # Errors
    /// If the run is impossible. A change of the map in the meantime does not end the run.
    pub(crate) fn export(&self) -> Result<(Plan, Found), Refused> {
        let plan = self.plan(|_| ()).0?;
        let found = plan.whole(&|| false)?;
        Ok((plan, found))
    }

    /// Samples the whole like [`export`](Self::export), but gives up when the map changes.
    ///
    /// # Errors
    /// If the run is impossible, or was given up.
    pub(crate) fn survey(&self) -> Result<(Plan, Found), Refused> {
        let (plan, number) = self.plan(|_| self.wanted.load(Ordering::SeqCst));
        let plan = plan?;
        let found = plan.whole(&|| self.wanted.load(Ordering::SeqCst) != number)?;
        Ok((plan, found))
    }

    /// Returns the warnings from reading the maps.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let state = self.lock();
        state
            .layers
            .iter()
            .flat_map(|l| l.source.warnings.clone())
            .collect()
    }
}

/// Copies of everything that determines the points.
struct Inputs {
    settings: Settings,
    layers: Vec<LayerSettings>,
    are_read: Vec<bool>,
    apart: Apart,
    size: [u32; 2],
    pixels: Pixels,
}

/// Pixels that the stored fields lack.
enum Pixels {
    None,
    /// The pixels of a rectangle of the only layer.
    Part(PixelRect, GreyMap),
    /// The pixels of every layer.
    All(Vec<GreyMap>),
}

impl Inputs {
    /// Copies the changes since the fields were made; `known` is the number of stored fields.
    fn take(state: &mut State, known: usize) -> Result<Self, Refused> {
        let stale = std::mem::replace(&mut state.stale_fields, Dirty::None);
        let pixels = match (stale, state.layers.as_slice()) {
            (Dirty::None, layers) if layers.len() == known => Pixels::None,
            // With a limit, a pixel changes distances far away.
            (Dirty::Pixels(rect), [layer]) if known == 1 && layer.settings.limit.is_none() => {
                Pixels::Part(rect, layer.canvas.cut(rect).map_err(Refused::run)?)
            }
            (_, layers) => {
                let maps = layers.iter().map(|layer| layer.canvas.to_map());
                Pixels::All(maps.collect::<Result<_, _>>().map_err(Refused::run)?)
            }
        };
        Ok(Self {
            settings: state.settings.clone(),
            layers: state.layers.iter().map(|l| l.settings.clone()).collect(),
            are_read: state.layers.iter().map(|l| l.source.is_read).collect(),
            apart: state.apart()?,
            size: state.pixels(),
            pixels,
        })
    }

    /// Brings the fields up to date, and returns the plan.
    fn plan(self, fields: &mut Vec<Arc<RadiusMap>>) -> Result<Plan, Refused> {
        let Self {
            settings, layers, ..
        } = self;
        let world = settings.world(self.size)?;
        match self.pixels {
            Pixels::None => {}
            Pixels::Part(rect, map) => {
                for (field, layer) in fields.iter_mut().zip(&layers) {
                    let (range, white) = (layer.range()?, layer.white()?);
                    let map = layer.shaping()?.toned(map.clone(), range, white);
                    let map = map.map_err(Refused::run)?;
                    let field = Arc::make_mut(field);
                    field.paste(rect.min, &map).map_err(Refused::run)?;
                }
            }
            Pixels::All(maps) => {
                // Frees memory for the new fields.
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
            are_read: self.are_read,
            apart: self.apart,
        })
    }
}

/// Names of options in warnings about reading a picture. The page has no controls for them.
const READ: Names = Names {
    no_data: Some("spinney studio MAP --nodata"),
    ..Names::NONE
};

/// Result of a run over the whole or over windows.
enum Done {
    Whole(Found),
    Windows(Vec<Bounds<2>>, Vec<sampler::Sample<2>>),
}

/// Locks a mutex, even if a thread panicked while it held the lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
