//! A village: trees on its land, which a drawing defines, but not on the roads, the pond, the
//! playing field, or near the houses.

use anyhow::{Context, Result, ensure};
use density::polygons::{Outlines, Polygons};
use density::{Bounds, DistRange, Perlin, PerlinOptions, Region, Within};
use sampler::{Avoiding, Obstacle, Rule, Sample, Scatter, ScatterOptions};
use spinney_examples::{Canvas, Color, Run, check_spacing};
use std::fs;
use std::path::Path;

/// Size of the land, world units. Curves are flattened as finely as on the command line.
const SIZE: [f64; 2] = [640.0, 420.0];

fn main() -> Result<()> {
    let run = Run::from_args()?;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("village");
    let drawing = fs::read_to_string(folder.join("land.svg"))?;
    let land = Polygons::new(Outlines::from_svg(&drawing, SIZE[0] / 65_536.0)?.polygons)?;
    let houses = houses(&fs::read_to_string(folder.join("houses.csv"))?)?;

    // Woods and clearings, on the land only, clear of the houses.
    let woods = Perlin::new(DistRange::new(5.0, 18.0)?, PerlinOptions::default())?;
    let field = Avoiding::new(Within::new(woods, &land), Rule::Max, houses.clone())?;
    let domain = Bounds::from_size(SIZE)?;
    let trees = Scatter::new(&field, domain, ScatterOptions::default())?.points()?;

    check_spacing(&trees.samples, Rule::Max)?;
    for tree in &trees.samples {
        ensure!(land.holds(tree.position), "a tree on the road: {tree:?}");
        for house in &houses {
            let [dx, dy] = [0, 1].map(|a| tree.position[a] - house.position[a]);
            let keep = house.min_dist.max(tree.min_dist);
            ensure!(dx * dx + dy * dy >= keep * keep, "{tree:?} at {house:?}");
        }
    }
    println!("{} trees, {} houses", trees.samples.len(), houses.len());
    run.save(
        "village",
        &draw(&run, domain, &land, &houses, trees.samples)?,
    )
}

fn houses(csv: &str) -> Result<Vec<Obstacle<2>>> {
    let house = |line: &str| {
        let numbers: Option<Vec<f64>> = line.split(',').map(|n| n.parse().ok()).collect();
        match numbers.as_deref() {
            Some(&[x, y, min_dist]) => Ok(Obstacle {
                position: [x, y],
                min_dist,
            }),
            _ => Err(anyhow::anyhow!("not a house: {line}")),
        }
    };
    let lines = csv.lines().skip(1);
    lines
        .map(house)
        .collect::<Result<_>>()
        .context("houses.csv")
}

fn draw(
    run: &Run,
    world: Bounds<2>,
    land: &Polygons,
    houses: &[Obstacle<2>],
    mut trees: Vec<Sample<2>>,
) -> Result<Canvas> {
    let mut canvas = Canvas::new(world, run.length(960.0), Color::hex(0x00d9_cdb4))?;
    // Boxes around the pond and the playing field, which are holes in the land.
    let pond = Bounds::new([110.0, 260.0], [220.0, 340.0])?;
    let field = Bounds::new([415.0, 255.0], [555.0, 350.0])?;
    canvas.backdrop(|p| match p {
        p if land.holds(p) => Color::hex(0x00c3_cf94),
        p if pond.contains(p) => Color::hex(0x0087_b5cf),
        p if field.contains(p) => Color::hex(0x00a9_c77c),
        _ => Color::hex(0x00d9_cdb4),
    });
    for house in houses {
        house_at(&mut canvas, house.position);
    }
    // Trees in front are drawn last.
    trees.sort_by(|p, q| p.position[1].total_cmp(&q.position[1]));
    for tree in &trees {
        let [x, y] = tree.position;
        let radius = 0.42 * tree.min_dist.min(11.0);
        canvas.disk(
            [x + 0.4 * radius, y + 0.5 * radius],
            radius,
            Color::INK.faint(0.2),
        );
        let leaves = [Color::hex(0x0079_a84f), Color::hex(0x003c_6b34)];
        canvas.ball([x, y], radius, [-0.35, -0.4], leaves);
    }
    Ok(canvas)
}

fn house_at(canvas: &mut Canvas, [x, y]: [f64; 2]) {
    let corners = |dx: f64, dy: f64, w: f64, h: f64| {
        [[-w, -h], [w, -h], [w, h], [-w, h]].map(|[u, v]| [x + dx + u, y + dy + v])
    };
    canvas.polygon(&corners(2.0, 2.5, 9.5, 7.0), Color::INK.faint(0.2));
    canvas.polygon(&corners(0.0, -3.5, 9.5, 3.5), Color::hex(0x00c0_6448));
    canvas.polygon(&corners(0.0, 3.5, 9.5, 3.5), Color::hex(0x009c_4a36));
}
