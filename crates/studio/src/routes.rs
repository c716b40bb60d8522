//! Answers to each address of the server.

use crate::brush::Brush;
use crate::dots::Shipment;
use crate::error::Refused;
use crate::guard::{Guard, query};
use crate::history::Direction;
use crate::pictures::Noise;
use crate::session::{Between, Painted, Session, StrokePart};
use crate::settings::{LayerSettings, Settings};
use crate::{exports, species, verify};
use density::decode::EXTENSIONS;
use hyper::{Method, StatusCode, Uri};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const HTML: &str = "text/html; charset=utf-8";
const TEXT: &str = "text/plain; charset=utf-8";
const JSON: &str = "application/json";
const BYTES: &str = "application/octet-stream";
const PNG: &str = "image/png";

/// Largest body of a request with strokes or settings, bytes.
const SMALL: u64 = 256 << 10;

/// Largest body of a request with pictures, bytes.
const LARGE: u64 = 128 << 20;

/// An answer to a request.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) kind: &'static str,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    fn ok(kind: &'static str, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status: StatusCode::OK,
            kind,
            body: body.into(),
        }
    }

    /// Creates a refusal of one line.
    pub(crate) fn refusal(status: StatusCode, problem: &str) -> Self {
        Self {
            status,
            kind: TEXT,
            body: format!("{problem}\n").into_bytes(),
        }
    }
}

impl From<Refused> for Answer {
    fn from(refused: Refused) -> Self {
        let status = match refused {
            Refused::Superseded => StatusCode::CONFLICT,
            Refused::Request(_) => StatusCode::BAD_REQUEST,
            Refused::Value { .. } | Refused::Run(_) => StatusCode::UNPROCESSABLE_ENTITY,
        };
        Self::refusal(status, &refused.to_string().replace('\n', " "))
    }
}

/// Returns the largest permitted length of a request's body, bytes.
pub(crate) fn most_bytes(uri: &Uri) -> u64 {
    match uri.path() {
        "/api/open" | "/api/species" => LARGE,
        _ => SMALL,
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fill {
    brush: Brush,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Have {
    /// The version of the page's points.
    version: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    name: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Chosen {
    layer: usize,
}

/// Head of a message with a species file and its maps. The maps' bytes follow, one after the other.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bundle {
    text: String,
    /// Names and lengths of the maps.
    maps: Vec<(String, usize)>,
}

/// Answers a request that the guard has admitted.
pub(crate) fn answer(
    session: &Session,
    guard: &Guard,
    method: &Method,
    uri: &Uri,
    body: &[u8],
) -> Answer {
    let found = if method == Method::GET {
        get(session, guard, uri)
    } else if method == Method::POST {
        post(session, uri, body)
    } else {
        let problem = "only GET and POST are answered";
        return Answer::refusal(StatusCode::METHOD_NOT_ALLOWED, problem);
    };
    match found {
        Ok(Some(answer)) => answer,
        Ok(None) => Answer::refusal(StatusCode::NOT_FOUND, "there is nothing here"),
        Err(refused) => refused.into(),
    }
}

fn get(session: &Session, guard: &Guard, uri: &Uri) -> Result<Option<Answer>, Refused> {
    let token = guard.token();
    Ok(Some(match uri.path() {
        "/" => Answer::ok(
            HTML,
            include_str!("page/index.html")
                .replace("{token}", token)
                .replace("{maps}", &EXTENSIONS.map(|e| format!(".{e}")).join(",")),
        ),
        "/studio.css" => Answer::ok(
            "text/css; charset=utf-8",
            include_bytes!("page/studio.css").as_slice(),
        ),
        "/studio.js" => Answer::ok(
            "text/javascript; charset=utf-8",
            include_bytes!("page/studio.js").as_slice(),
        ),
        "/verify" => Answer::ok(HTML, verify::page(session, token)?),
        "/api/choices" => Answer::ok(JSON, Session::choices().to_string()),
        "/api/state" => Answer::ok(JSON, session.state().to_string()),
        "/api/facts" => Answer::ok(JSON, verify::facts(session)?.to_string()),
        "/api/map" => {
            let (pixels, head) = session.pixels();
            Answer::ok(BYTES, frame(&head, &pixels))
        }
        "/api/map.png" => {
            let number = |text: &str| {
                let problem = "is no layer's number";
                let refused = |_| Refused::value("layer", text.escape_debug(), problem);
                text.parse().map_err(refused)
            };
            let layer = query(uri, "layer").map(number).transpose()?;
            Answer::ok(PNG, session.png(layer)?)
        }
        "/api/species" => {
            let state = session.lock();
            let text = species::text(&state)?;
            let maps = species::map_names(&state);
            Answer::ok(JSON, json!({ "text": text, "maps": maps }).to_string())
        }
        _ => return Ok(None),
    }))
}

fn post(session: &Session, uri: &Uri, body: &[u8]) -> Result<Option<Answer>, Refused> {
    match uri.path() {
        "/api/stroke" => {
            let painted = session.paint(&parsed::<StrokePart>(body)?)?;
            return Ok(Some(pixels(&painted)));
        }
        "/api/undo" => return Ok(Some(step(session, Direction::Undo))),
        "/api/redo" => return Ok(Some(step(session, Direction::Redo))),
        "/api/points" => {
            let Have { version } = parsed(body)?;
            // Other refusals are part of the state, which then has no points.
            if let Err(Refused::Superseded) = session.refresh() {
                return Err(Refused::Superseded);
            }
            return Ok(Some(points(session, version)));
        }
        "/api/export" => {
            let Named { name } = parsed(body)?;
            return Ok(Some(Answer::ok(BYTES, exports::file(session, &name)?)));
        }
        "/api/fill" => session.fill(&parsed::<Fill>(body)?.brush)?,
        "/api/noise" => session.noise(&parsed::<Noise>(body)?)?,
        "/api/open" => session.load(body)?,
        "/api/settings" => session.set(parsed::<Settings>(body)?)?,
        "/api/layer" => session.set_layer(parsed::<LayerSettings>(body)?)?,
        "/api/layers/choose" => session.choose(parsed::<Chosen>(body)?.layer)?,
        "/api/layers/add" => session.add_layer()?,
        "/api/layers/remove" => session.remove_layer()?,
        "/api/apart" => session.set_apart(parsed::<Vec<Between>>(body)?)?,
        "/api/species" => load_species(session, body)?,
        _ => return Ok(None),
    }
    Ok(Some(Answer::ok(JSON, session.state().to_string())))
}

fn parsed<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refused> {
    serde_json::from_slice(body).map_err(|e| Refused::Request(format!("the request: {e}")))
}

/// Returns the length of a JSON text as a little-endian `u32`, the text, and further bytes.
fn frame(json: &Value, bytes: &[u8]) -> Vec<u8> {
    let text = json.to_string();
    let length = (text.len() as u32).to_le_bytes();
    [&length[..], text.as_bytes(), bytes].concat()
}

/// Returns the first column, the first row, and the number of each, the page's form of a rectangle.
fn changed(painted: &Painted) -> Option<[u32; 4]> {
    let rect = painted.rect?;
    Some([rect.min[0], rect.min[1], rect.width(), rect.height()])
}

fn pixels(painted: &Painted) -> Answer {
    let rect = changed(painted);
    let [undo, redo] = painted.depths;
    let head = json!({ "rect": rect, "edits": painted.edits, "undo": undo, "redo": redo });
    Answer::ok(BYTES, frame(&head, &painted.pixels))
}

fn step(session: &Session, direction: Direction) -> Answer {
    let (painted, state) = session.step(direction);
    let rect = changed(&painted);
    let head = json!({ "rect": rect, "state": state });
    Answer::ok(BYTES, frame(&head, &painted.pixels))
}

fn points(session: &Session, version: u64) -> Answer {
    let (shipment, state) = session.shipment(version);
    let Shipment {
        version,
        bins,
        all,
        lists,
        bytes,
    } = shipment;
    let head = json!({
        "version": version,
        "bins": bins,
        "all": all,
        "lists": lists,
        "state": state,
    });
    Answer::ok(BYTES, frame(&head, &bytes))
}

fn load_species(session: &Session, body: &[u8]) -> Result<(), Refused> {
    let broken = || Refused::Request("the request: its parts do not fit its head".to_owned());
    let (length, rest) = body.split_first_chunk::<4>().ok_or_else(broken)?;
    let length = u32::from_le_bytes(*length) as usize;
    let (head, mut rest) = rest.split_at_checked(length).ok_or_else(broken)?;
    let bundle: Bundle = parsed(head)?;
    let mut maps = BTreeMap::new();
    for (name, length) in bundle.maps {
        let (bytes, after) = rest.split_at_checked(length).ok_or_else(broken)?;
        if maps.insert(name.clone(), bytes).is_some() {
            let problem = "two files of this name were given: give one of them another name";
            return Err(Refused::value("map", name, problem));
        }
        rest = after;
    }
    species::load(session, &bundle.text, &maps)
}
