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

/// Says whether it takes a line.
type Take = Box<dyn Fn(&[u8]) -> bool + Send>;

/// What a reader has, without the lines that are taken.
pub(in crate::mcp) struct Lines<R> {
    reader: R,
    take: Take,
    /// What was read and not looked at yet.
    unread: BytesMut,
    /// The beginning of `unread` in which there is no end of a line.
    seen: usize,
    /// What is not taken.
    rest: BytesMut,
    /// The beginning of the line is in `rest`, or was.
    is_within: bool,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    /// `take` says whether it takes a line, which has its end.
    pub(in crate::mcp) fn without(
        take: impl Fn(&[u8]) -> bool + Send + 'static,
        reader: R,
    ) -> Self {
        let [unread, rest] = [(); 2].map(|()| BytesMut::new());
        Self { reader, take: Box::new(take), unread, seen: 0, rest, is_within: false }
    }

    /// Looks at all lines that are whole.
    fn sort(&mut self) {
        while let Some(end) = memchr::memchr(b'\n', &self.unread[self.seen..]) {
            let line = self.unread.split_to(self.seen + end + 1);
            self.seen = 0;
            if std::mem::take(&mut self.is_within) || !(self.take)(&line) {
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

impl<R: AsyncRead + Unpin> AsyncRead for Lines<R> {
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
    use std::sync::{Arc, Mutex};

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    use super::*;

    /// What is taken of `text`, and what is left of it, where `pieces` bytes are read at a time.
    async fn sorted(text: &str, pieces: usize) -> (String, String) {
        let (mut write, read) = duplex(pieces);
        let taken = Arc::<Mutex<String>>::default();
        let takes = {
            let taken = taken.clone();
            move |line: &[u8]| {
                let takes = line.starts_with(b"take");
                if takes {
                    taken.lock().unwrap().push_str(std::str::from_utf8(line).unwrap());
                }
                takes
            }
        };
        let mut lines = Lines::without(takes, read);
        let writes = async {
            write.write_all(text.as_bytes()).await.unwrap();
            drop(write);
        };
        let mut rest = String::new();
        let ((), read) = tokio::join!(writes, lines.read_to_string(&mut rest));
        read.unwrap();
        let taken = taken.lock().unwrap().clone();
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
