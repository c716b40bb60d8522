//! Compares the images of `PngSuite` with figures from another decoder (see `data/README.md`).

use spinney_density::decode::{Levels, Raster, ReadOptions};

pub(crate) struct Figures {
    pub(crate) file: &'static str,
    width: u32,
    height: u32,
    depth: u8,
    allowed: usize,
    sum: u64,
    first: u16,
    middle: u16,
}

fn number<T: std::str::FromStr>(word: Option<&str>) -> T {
    let number = word.and_then(|w| w.parse().ok());
    number.expect("eight columns: a name and numbers")
}

pub(crate) fn table() -> impl Iterator<Item = Figures> {
    let lines = include_str!("../data/pngsuite.txt").lines();
    lines.filter(|line| !line.starts_with('#')).map(|line| {
        let mut words = line.split(' ');
        Figures {
            file: words.next().expect("a name"),
            width: number(words.next()),
            height: number(words.next()),
            depth: number(words.next()),
            allowed: number(words.next()),
            sum: number(words.next()),
            first: number(words.next()),
            middle: number(words.next()),
        }
    })
}

impl Figures {
    /// Decodes the file's bytes and compares.
    pub(crate) fn check(&self, bytes: &[u8]) {
        let file = self.file;
        let raster = Raster::decode(bytes, &ReadOptions::default())
            .unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(raster.level_type().bits(), self.depth, "{file}");
        let map = raster.into_map(Levels::Natural).expect("a good map");
        assert_eq!(
            (map.width(), map.height()),
            (self.width, self.height),
            "{file}"
        );
        let places = (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y)));
        let allowed = places.filter(|&(x, y)| map.allowed(x, y)).count();
        assert_eq!(allowed, self.allowed, "{file}: allowed pixels");
        let sum: u64 = map.greys().iter().map(|&g| u64::from(g)).sum();
        assert_eq!(sum, self.sum, "{file}: sum of the greys");
        assert_eq!(map.grey(0, 0), self.first, "{file}: first pixel");
        let middle = map.grey(self.width / 2, self.height / 2);
        assert_eq!(middle, self.middle, "{file}: middle pixel");
    }
}
