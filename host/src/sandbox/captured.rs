//! Where a guest's stdout and stderr go: a bounded buffer, for the log.
//!
//! No guest byte reaches the process's own stdout, which is the transport, or stderr. What
//! goes beyond the bound is counted and dropped; the guest never notices.

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
    kept: Vec<u8>,
    dropped: u64,
}

impl Captured {
    /// An empty buffer for at most `bytes_max` bytes.
    pub(super) fn new(bytes_max: usize) -> Self {
        Self { bytes_max, buffer: Arc::default() }
    }

    /// Adds `bytes` as far as there is room.
    pub(super) fn push(&self, bytes: &[u8]) {
        let mut buffer = self.buffer.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = bytes.len().min(self.bytes_max.saturating_sub(buffer.kept.len()));
        buffer.kept.extend_from_slice(&bytes[..kept]);
        buffer.dropped += (bytes.len() - kept) as u64;
    }

    /// What was kept, as text, and how many bytes were dropped.
    pub(super) fn take(&self) -> (String, u64) {
        let mut buffer = self.buffer.lock().unwrap_or_else(PoisonError::into_inner);
        let buffer = std::mem::take(&mut *buffer);
        (String::from_utf8_lossy(&buffer.kept).into_owned(), buffer.dropped)
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
    fn what_goes_beyond_the_bound_is_counted_and_dropped() {
        let captured = Captured::new(5);
        captured.push(b"abc");
        captured.push(b"defg");
        assert_eq!(captured.take(), ("abcde".to_owned(), 2));
    }
}
