//! Where a guest's stdout and stderr go: a bounded buffer, for the log.
//!
//! No guest byte reaches the process's own stdout, which is the transport, or stderr. The end is
//! what is kept, because that is where a panic says why; what comes before is counted and dropped,
//! and the guest never notices.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use wasmtime_wasi::cli::{IsTerminal, StdoutStream};
use wasmtime_wasi::p2::{OutputStream, Pollable, StreamResult};

/// How much one write of a guest may hold, in bytes.
const WRITE_BYTES_MAX: usize = 64 << 10;

/// What a guest printed during one call. Clones are the same buffer.
#[derive(Clone, Debug)]
pub(crate) struct Captured {
    bytes_max: usize,
    buffer: Arc<Mutex<Buffer>>,
}

#[derive(Debug, Default)]
struct Buffer {
    kept: VecDeque<u8>,
    dropped: u64,
}

impl Captured {
    /// An empty buffer for at most `bytes_max` bytes.
    pub(super) fn new(bytes_max: usize) -> Self {
        Self { bytes_max, buffer: Arc::default() }
    }

    /// Adds `bytes`, and drops as many of the first ones as there is no room for.
    pub(super) fn push(&self, bytes: &[u8]) {
        let mut buffer = self.buffer.lock().unwrap_or_else(PoisonError::into_inner);
        let last = &bytes[bytes.len().saturating_sub(self.bytes_max)..];
        let room = self.bytes_max - last.len();
        let beyond = buffer.kept.len().saturating_sub(room);
        buffer.kept.drain(..beyond);
        buffer.kept.extend(last);
        buffer.dropped += (beyond + bytes.len() - last.len()) as u64;
    }

    /// The end of it, as text, and how many bytes before that were dropped.
    pub(super) fn take(&self) -> (String, u64) {
        let mut buffer = self.buffer.lock().unwrap_or_else(PoisonError::into_inner);
        let mut buffer = std::mem::take(&mut *buffer);
        let kept = buffer.kept.make_contiguous();
        (String::from_utf8_lossy(kept).into_owned(), buffer.dropped)
    }
}

impl IsTerminal for Captured {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdoutStream for Captured {
    fn async_stream(&self) -> Box<dyn tokio::io::AsyncWrite + Send + Sync> {
        Box::new(self.clone())
    }

    fn p2_stream(&self) -> Box<dyn OutputStream> {
        Box::new(self.clone())
    }
}

impl OutputStream for Captured {
    fn write(&mut self, bytes: bytes::Bytes) -> StreamResult<()> {
        self.push(&bytes);
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        Ok(WRITE_BYTES_MAX)
    }
}

#[wasmtime_wasi::async_trait]
impl Pollable for Captured {
    async fn ready(&mut self) {}
}

impl tokio::io::AsyncWrite for Captured {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        self.push(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_kept_and_what_is_before_it_is_counted() {
        let captured = Captured::new(5);
        captured.push(b"abc");
        captured.push(b"defg");
        assert_eq!(captured.take(), ("cdefg".to_owned(), 2));
        captured.push(b"0123456789");
        assert_eq!(captured.take(), ("56789".to_owned(), 5));
        let nothing = Captured::new(0);
        nothing.push(b"abc");
        assert_eq!(nothing.take(), (String::new(), 3));
    }
}
