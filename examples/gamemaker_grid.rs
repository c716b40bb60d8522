//! `GameMaker`: the points as a grid of cells to draw from. Points in the view, or near the mouse,
//! are found without a search through the others.

use anyhow::{Result, ensure};
use density::{Bounds, DistRange, Perlin, PerlinOptions};
use sampler::{Bridson, BridsonOptions, Rule, Sample};
use spinney_examples::{Canvas, Color, Run, check_spacing};

/// The points of each cell, row by row.
struct Grid {
    cell: f64,
    columns: usize,
    rows: usize,
    cells: Vec<Vec<Sample<2>>>,
}

impl Grid {
    /// Builds a grid of cells that covers the whole room, including the last column and row.
    fn new(room: Bounds<2>, cell: f64, points: impl Iterator<Item = Sample<2>>) -> Self {
        let [columns, rows] = room.size().map(|s| (s / cell).ceil() as usize);
        let mut grid = Self {
            cell,
            columns,
            rows,
            cells: vec![Vec::new(); columns * rows],
        };
        for point in points {
            let [column, row] = grid.cell_of(point.position);
            grid.cells[row * grid.columns + column].push(point);
        }
        grid
    }

    fn cell_of(&self, [x, y]: [f64; 2]) -> [usize; 2] {
        let index = |p: f64, count: usize| ((p / self.cell).max(0.0) as usize).min(count - 1);
        [index(x, self.columns), index(y, self.rows)]
    }

    /// Returns the points of one cell in constant time.
    fn at(&self, [column, row]: [usize; 2]) -> &[Sample<2>] {
        &self.cells[row * self.columns + column]
    }

    /// Returns the points of every cell that the box touches.
    fn near(&self, area: Bounds<2>) -> impl Iterator<Item = &Sample<2>> {
        let ([left, top], [right, bottom]) = (self.cell_of(area.min()), self.cell_of(area.max()));
        (top..=bottom)
            .flat_map(move |row| (left..=right).map(move |column| [column, row]))
            .flat_map(|cell| self.at(cell))
    }
}

fn main() -> Result<()> {
    let run = Run::from_args()?;
    let room = Bounds::from_size([320.0, 200.0])?;
    let noise = PerlinOptions {
        seed: 4,
        ..PerlinOptions::default()
    };
    let field = Perlin::new(DistRange::new(5.0, 14.0)?, noise)?;
    let points = Bridson::new(field, room, BridsonOptions::default())?;
    let grid = Grid::new(room, 10.0, points);
    let all: Vec<Sample<2>> = grid.cells.concat();
    check_spacing(&all, Rule::Max)?;

    let view = Bounds::new([96.0, 52.0], [236.0, 150.0])?;
    let mouse = [143.0, 96.0];
    // Only cells within 16 of the mouse can contain points within 16.
    let around = Bounds::new(mouse.map(|m| m - 16.0), mouse.map(|m| m + 16.0))?;
    let is_near = |s: &Sample<2>| {
        let (dx, dy) = (s.position[0] - mouse[0], s.position[1] - mouse[1]);
        dx * dx + dy * dy < 256.0
    };
    let near: Vec<&Sample<2>> = grid.near(around).filter(|s| is_near(s)).collect();
    ensure!(
        near.len() == all.iter().filter(|s| is_near(s)).count(),
        "the cells must find what a search through all points finds"
    );

    let (blue, red) = (Color::hex(0x0027_6fbf), Color::hex(0x00c8_4a2b));
    let mut canvas = Canvas::new(room, run.length(960.0), Color::WHITE)?;
    canvas.fill_box(view, Color::hex(0x00e8_f0fa));
    for (i, _) in grid.cells.iter().enumerate() {
        let corner = [i % grid.columns, i / grid.columns].map(|k| k as f64 * grid.cell);
        let cell = Bounds::with_origin(corner, [grid.cell; 2])?;
        canvas.frame(cell, 0.3, Color::INK.faint(0.12));
    }
    for point in &all {
        canvas.disk(point.position, 1.1, Color::INK.faint(0.25));
    }
    for point in grid.near(view).filter(|s| view.contains(s.position)) {
        canvas.disk(point.position, 0.3 * point.min_dist, blue.faint(0.2));
        canvas.disk(point.position, 1.4, blue);
    }
    canvas.frame(view, 0.8, blue);
    let [[left, top], [right, bottom]] =
        [around.min(), around.max()].map(|p| grid.cell_of(p).map(|k| k as f64 * grid.cell));
    let block = Bounds::new([left, top], [right + grid.cell, bottom + grid.cell])?;
    canvas.fill_box(block, red.faint(0.1));
    canvas.frame(block, 0.6, red.faint(0.6));
    canvas.ring(mouse, 16.0, 0.6, red);
    canvas.disk(mouse, 0.9, red);
    for point in &near {
        canvas.disk(point.position, 1.8, red);
    }
    println!(
        "{} points in {} cells; {} near the mouse",
        all.len(),
        grid.cells.len(),
        near.len()
    );
    run.save("gamemaker_grid", &canvas)
}
