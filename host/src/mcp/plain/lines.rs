//! The lines that a client writes, without those that are taken on the way.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::{Buf as _, BytesMut};
use tokio::io::{AsyncRead, ReadBuf};
use tokio_util::io::poll_read_buf;

/// Bytes of a line that is looked at; a longer one is never taken.
const LINE_BYTES_MAX: usize = 64 << 10;
/// Bytes that are read at once.
const READ_BYTES: usize = 16 << 10;

/// Who takes lines.
pub(in crate::mcp) trait Take {
    /// Whether it takes a line, which has its end.
    fn take(&self, line: &[u8]) -> bool;

    /// There are no more.
    fn end(&self);
}

/// What a reader has, without the lines that are taken.
pub(in crate::mcp) struct Lines<R, T> {
    reader: R,
    taker: T,
    /// What was read and not looked at yet.
    unread: BytesMut,
    /// The beginning of `unread` in which there is no end of a line.
    seen: usize,
    /// What is not taken.
    rest: BytesMut,
    /// The beginning of the line is in `rest`, or was.
    is_within: bool,
}

impl<R: AsyncRead + Unpin, T: Take> Lines<R, T> {
    pub(in crate::mcp) fn of(reader: R, taker: T) -> Self {
        let [unread, rest] = [(); 2].map(|()| BytesMut::new());
        Self { reader, taker, unread, seen: 0, rest, is_within: false }
    }

    /// Looks at all lines that are whole.
    fn sort(&mut self) {
        while let Some(end) = memchr::memchr(b'\n', &self.unread[self.seen..]) {
            let line = self.unread.split_to(self.seen + end + 1);
            self.seen = 0;
            let is_whole = !std::mem::take(&mut self.is_within) && line.len() <= LINE_BYTES_MAX;
            if !is_whole || !self.taker.take(&line) {
                self.rest.extend_from_slice(&line);
            }
        }
        self.seen = self.unread.len();
        if self.seen > LINE_BYTES_MAX || self.is_within {
            self.pass();
        }
    }

    /// What is there of a line is not taken, and so is nothing that comes of it.
    fn pass(&mut self) {
        self.is_within |= !self.unread.is_empty();
        self.rest.unsplit(self.unread.split());
        self.seen = 0;
    }
}

impl<R: AsyncRead + Unpin, T: Take + Unpin> AsyncRead for Lines<R, T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        while this.rest.is_empty() {
            this.unread.reserve(READ_BYTES);
            let reader = Pin::new(&mut this.reader);
            if ready!(poll_read_buf(reader, context, &mut this.unread))? == 0 {
                this.pass();
                this.taker.end();
                break;
            }
            this.sort();
        }
        let bytes = this.rest.len().min(buffer.remaining());
        buffer.put_slice(&this.rest[..bytes]);
        this.rest.advance(bytes);
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Arc, Mutex};

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    use super::*;

    /// Takes lines that begin with a word.
    #[derive(Default)]
    struct Taken(Mutex<String>, AtomicBool);

    impl Take for Arc<Taken> {
        fn take(&self, line: &[u8]) -> bool {
            let takes = line.starts_with(b"take");
            if takes {
                self.0.lock().unwrap().push_str(std::str::from_utf8(line).unwrap());
            }
            takes
        }

        fn end(&self) {
            self.1.store(true, Ordering::SeqCst);
        }
    }

    /// What is taken of `text`, and what is left of it, where `pieces` bytes are read at a time.
    async fn sorted(text: &str, pieces: usize) -> (String, String) {
        let (mut write, read) = duplex(pieces);
        let taken = Arc::<Taken>::default();
        let mut lines = Lines::of(read, taken.clone());
        let writes = async {
            write.write_all(text.as_bytes()).await.unwrap();
            drop(write);
        };
        let mut rest = String::new();
        let ((), read) = tokio::join!(writes, lines.read_to_string(&mut rest));
        read.unwrap();
        assert!(taken.1.load(Ordering::SeqCst));
        let taken = taken.0.lock().unwrap().clone();
        (taken, rest)
    }

    #[tokio::test]
    async fn what_is_not_taken_stays_as_it_is_however_it_comes() {
        let text = "a\ntake 1\r\n\n{\"b\":1}\ntake 2\nä€\r\ntake the end";
        for pieces in 1..=text.len() {
            let (taken, rest) = sorted(text, pieces).await;
            assert_eq!(taken, "take 1\r\ntake 2\n", "{pieces}");
            assert_eq!(rest, "a\n\n{\"b\":1}\nä€\r\ntake the end", "{pieces}");
        }
    }

    #[tokio::test]
    async fn a_long_line_is_not_taken_and_those_behind_it_are() {
        let long = format!("take {}\n", "x".repeat(3 * LINE_BYTES_MAX));
        let text = format!("take 1\n{long}take 2\nb\n");
        for pieces in [1_000, LINE_BYTES_MAX, LINE_BYTES_MAX + 1, text.len()] {
            let (taken, rest) = sorted(&text, pieces).await;
            assert_eq!((taken.as_str(), rest), ("take 1\ntake 2\n", format!("{long}b\n")));
        }
    }
}
