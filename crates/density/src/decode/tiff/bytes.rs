//! The bytes of a TIFF file, in memory or on disk.

use super::truncated;
use crate::decode::DecodeError;
use std::borrow::Cow;
use std::io::{Read, Seek, SeekFrom};
use std::sync::{Mutex, PoisonError};

/// A file that is read at any position.
pub(in crate::decode) trait ReadAt {
    /// Returns the length of the file, bytes.
    fn len(&self) -> u64;

    /// Returns `len` bytes of the file from `place` on; fewer if the file ends before.
    fn read_at(&self, place: u64, len: u64) -> Result<Cow<'_, [u8]>, DecodeError>;
}

impl ReadAt for &[u8] {
    fn len(&self) -> u64 {
        <[u8]>::len(self) as u64
    }

    fn read_at(&self, place: u64, len: u64) -> Result<Cow<'_, [u8]>, DecodeError> {
        let clamped = |place: u64| {
            usize::try_from(place)
                .unwrap_or(usize::MAX)
                .min(<[u8]>::len(self))
        };
        let part = clamped(place)..clamped(place.saturating_add(len));
        Ok(Cow::Borrowed(&self[part]))
    }
}

/// A file on disk, read by one thread at a time.
#[derive(Debug)]
pub(super) struct Shared<R> {
    file: Mutex<R>,
    len: u64,
}

impl<R: Seek> Shared<R> {
    pub(super) fn new(mut file: R) -> Result<Self, DecodeError> {
        let len = file.seek(SeekFrom::End(0)).map_err(|_| truncated())?;
        let file = Mutex::new(file);
        Ok(Self { file, len })
    }
}

impl<R: Read + Seek> ReadAt for Shared<R> {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, place: u64, len: u64) -> Result<Cow<'_, [u8]>, DecodeError> {
        let len = len.min(self.len.saturating_sub(place));
        let mut bytes = Vec::new();
        let wanted = usize::try_from(len).map_err(|_| truncated())?;
        bytes.try_reserve_exact(wanted).map_err(|_| truncated())?;
        bytes.resize(wanted, 0);
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let read = file.seek(SeekFrom::Start(place));
        let read = read.and_then(|_| file.read_exact(&mut bytes));
        read.map_err(|_| truncated())?;
        Ok(Cow::Owned(bytes))
    }
}
