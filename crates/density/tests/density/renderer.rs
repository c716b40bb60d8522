//! Compares drawings with an independent rasterisation of the same file, by `resvg`.

#![cfg(feature = "svg")]

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use spinney_density::polygons::{Outlines, Polygons};
use spinney_density::{Bounds, Region};

const WIDTH: i32 = 160;
const HEIGHT: i32 = 120;

/// Shapes within some 100 x 80 units, none of them symmetric.
const SHAPES: [&str; 10] = [
    r#"<rect x="20" y="10" width="50" height="40" {}/>"#,
    r#"<rect x="20" y="10" width="60" height="40" rx="15" ry="9" {}/>"#,
    r#"<circle cx="45" cy="40" r="27.5" {}/>"#,
    r#"<ellipse cx="55" cy="35" rx="40" ry="18" {}/>"#,
    r#"<polygon points="50,5 60,75 10,30 90,30 30,70" {}/>"#,
    r#"<polyline points="15 15, 85 25, 60 70, 40 30" {}/>"#,
    r#"<path d="M20 20 A30 20 25 1 1 70 60 L60 40 Q40 90 25 60 t-5 -20z" {}/>"#,
    r#"<path d="m10 10 c20-20 60 40 80 10 s-20 60 -40 40 h-30 v-20z m20 10 h20 v15 h-20z" {}/>"#,
    r##"<defs><path id="u" d="M0 0h40l10 30h-30z"/></defs><use href="#u" x="25" y="20" {}/>"##,
    r#"<g {}><svg x="15" y="10" width="70" height="60" viewBox="0 0 14 12"><path d="M1 1h9v10l-4-6z"/></svg></g>"#,
];

const TRANSFORMS: [&str; 6] = [
    "",
    r#"transform="rotate(30)" transform-origin="50 40""#,
    r#"transform="translate(15 -5) skewX(20)""#,
    r#"transform="matrix(.8 .3 -.2 .9 12 4)""#,
    r#"transform="rotate(-70, 50, 40) scale(0.7 1.1)""#,
    r#"style="transform: matrix(.8, 0, 0, .8, 8, 8)""#,
];

/// The last five hide the shape.
const STYLES: [&str; 10] = [
    r##"fill="#274""##,
    r#"fill-opacity="30%" fill-rule="evenodd""#,
    r#"class="seen""#,
    r#"fill="url(#g)""#,
    r#"opacity="0.2" color="red" fill="currentColor""#,
    r#"opacity="0""#,
    r#"fill="hsla(10,50%,50%,0)""#,
    r#"class="hidden""#,
    r#"visibility="hidden""#,
    r##"fill="#1230""##,
];

const PAGES: [&str; 6] = [
    r#"width="120" height="90""#,
    r#"viewBox="0 0 120 90""#,
    r#"viewBox="-30 -20 200 150" width="135.46667mm" height="101.6mm""#,
    r#"viewBox="-10 0 120 90" width="100%" height="100%""#,
    r#"viewBox="0 -20 120 120" width="4in" height="3in""#,
    r#"viewBox="0 0 100 110" width="40pt" height="30pt" preserveAspectRatio="xMinYMax slice""#,
];

fn drawing(number: usize) -> (String, bool) {
    let style = (number + number / 10) % STYLES.len();
    let page = PAGES[(number / 3) % PAGES.len()];
    let transform = TRANSFORMS[number % TRANSFORMS.len()];
    let shape = SHAPES[number % SHAPES.len()].replace("{}", STYLES[style]);
    let text = format!(
        r#"<?xml version="1.0"?><!-- {number} -->
<svg xmlns="http://www.w3.org/2000/svg" shape-rendering="crispEdges" {page}>
<style>/* one */ .seen {{ fill: rgb(10, 20, 30) /* two */ }} .hidden {{ fill: none !important }}</style>
<linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-opacity=".5"/></linearGradient>
<rect x="2" y="62" width="14" height="11"/>
<g {transform}>{shape}</g>
</svg>"#
    );
    (text, style < 5)
}

/// Returns for each pixel of the page whether anything is drawn in it.
fn rendered(text: &str) -> Vec<bool> {
    let tree = Tree::from_str(text, &Options::default()).expect("a drawing");
    let mut pixels = Pixmap::new(WIDTH as u32, HEIGHT as u32).expect("pixels");
    let scale = [
        WIDTH as f32 / tree.size().width(),
        HEIGHT as f32 / tree.size().height(),
    ];
    let to_pixels = Transform::from_scale(scale[0], scale[1]);
    resvg::render(&tree, to_pixels, &mut pixels.as_mut());
    pixels.pixels().iter().map(|p| p.alpha() > 0).collect()
}

/// Returns for each pixel whether its centre is in our region, in a world with its own origin and
/// units.
fn held(text: &str) -> Vec<bool> {
    let (origin, pixel) = ([300.0, -70.0], 0.25);
    let size = [WIDTH, HEIGHT].map(|side| f64::from(side) * pixel);
    let world = Bounds::with_origin(origin, size).expect("a box");
    let outlines = Outlines::from_svg_page(text, &world, 0.002).expect("outlines");
    let region = Polygons::new(outlines.polygons).expect("polygons");
    let places = (0..WIDTH * HEIGHT).map(|i| {
        let center = [i % WIDTH, i / WIDTH].map(|x| pixel * (f64::from(x) + 0.5));
        [origin[0] + center[0], origin[1] + center[1]]
    });
    places.map(|p| region.holds(p)).collect()
}

/// Returns the pixels around which one picture is uniform, but from which the other differs.
fn apart(sure: &[bool], other: &[bool]) -> Vec<[i32; 2]> {
    let at = |x: i32, y: i32| {
        let (x, y) = (x.clamp(0, WIDTH - 1), y.clamp(0, HEIGHT - 1));
        (y * WIDTH + x) as usize
    };
    let alike = |x: i32, y: i32| {
        let mut around = (0..9).map(|i| at(x - 1 + i % 3, y - 1 + i / 3));
        around.all(|i| sure[i] == sure[at(x, y)])
    };
    let all = (0..WIDTH * HEIGHT).map(|i| [i % WIDTH, i / WIDTH]);
    all.filter(|&[x, y]| alike(x, y) && sure[at(x, y)] != other[at(x, y)])
        .collect()
}

#[test]
fn sixty_drawings_hold_what_a_renderer_fills() {
    let mut shares = Vec::new();
    for number in 0..60 {
        let (text, seen) = drawing(number);
        let (ours, theirs) = (held(&text), rendered(&text));
        for (sure, other, who) in [(&ours, &theirs, "ours"), (&theirs, &ours, "theirs")] {
            let apart = apart(sure, other);
            assert!(
                apart.is_empty(),
                "drawing {number}: {} pixels only {who}, first {:?}\n{text}",
                apart.len(),
                apart[0]
            );
        }
        let share = ours.iter().filter(|&&held| held).count() as f64 / ours.len() as f64;
        assert!(share > 0.001 && share < 0.9, "drawing {number}: {share}");
        if seen {
            shares.push(share);
        }
    }
    // The shapes, not only the small rectangle, were on the page.
    assert_eq!(shares.len(), 30);
    let large = shares.iter().filter(|&&share| share > 0.06).count();
    assert!(large >= 28, "{shares:?}");
}
