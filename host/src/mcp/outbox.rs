//! The way of lines to a client over stdio.
//!
//! Whoever has a line writes it at once, and those of others that came meanwhile with it: nobody waits for a
//! turn, and a task of its own goes on only where the client does not read.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker, ready};

use tokio::io::AsyncWrite;
use tokio::sync::Notify;

/// Bytes that wait for a client that does not read; beyond that, whoever has more for it waits.
const WAITING_BYTES_MAX: usize = 1 << 20;
/// Lines that one write takes.
const LINES_AT_ONCE: usize = 64;

/// Where lines go. Clones are the same.
pub(super) struct Outbox<W>(Arc<Shared<W>>);

struct Shared<W> {
    state: Mutex<State<W>>,
    /// There is room again, or no way any more.
    changed: Notify,
}

struct State<W> {
    waiting: VecDeque<Vec<u8>>,
    bytes: usize,
    /// None: somebody writes, or there is no way any more.
    writer: Option<W>,
    writing: bool,
    closed: bool,
}

impl<W> Clone for Outbox<W> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<W: AsyncWrite + Unpin + Send + 'static> Outbox<W> {
    /// Lines go to `writer`.
    pub(super) fn to(writer: W) -> Self {
        let writer = Some(writer);
        let state =
            State { waiting: VecDeque::new(), bytes: 0, writer, writing: false, closed: false };
        Self(Arc::new(Shared { state: Mutex::new(state), changed: Notify::new() }))
    }

    /// Sends `line`, and waits where the client reads too slowly. Once this was called, the line is written
    /// whole or not at all, whether or not its future goes on.
    ///
    /// # Errors
    /// When the way is closed.
    pub(super) async fn send(&self, line: Vec<u8>) -> io::Result<()> {
        self.push(line)?;
        loop {
            let mut changed = std::pin::pin!(self.0.changed.notified());
            changed.as_mut().enable();
            if self.has_room()? {
                return Ok(());
            }
            changed.await;
        }
    }

    fn has_room(&self) -> io::Result<bool> {
        let state = self.0.state();
        match state.closed {
            true => Err(io::ErrorKind::NotConnected.into()),
            false => Ok(state.bytes <= WAITING_BYTES_MAX),
        }
    }

    /// Takes nothing more, and waits until what was taken is written or the client is gone.
    pub(super) async fn close(&self) {
        self.0.state().closed = true;
        self.0.changed.notify_waiters();
        loop {
            let mut changed = std::pin::pin!(self.0.changed.notified());
            changed.as_mut().enable();
            if !self.0.state().writing {
                break;
            }
            changed.await;
        }
        self.0.state().writer = None;
    }

    fn push(&self, line: Vec<u8>) -> io::Result<()> {
        let mut state = self.0.state();
        if state.closed {
            return Err(io::ErrorKind::NotConnected.into());
        }
        state.bytes += line.len();
        state.waiting.push_back(line);
        let Some(writer) = state.writer.take() else { return Ok(()) };
        state.writing = true;
        drop(state);
        let mut writing =
            Writing { shared: self.0.clone(), writer: Some(writer), lines: VecDeque::new(), at: 0 };
        // Most of what is sent has room in the pipe.
        if writing.poll(&mut Context::from_waker(Waker::noop())).is_pending() {
            tokio::spawn(poll_fn(move |context| writing.poll(context)));
        }
        Ok(())
    }
}

impl<W> Shared<W> {
    fn state(&self) -> MutexGuard<'_, State<W>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Somebody who writes until nothing waits any more.
struct Writing<W> {
    shared: Arc<Shared<W>>,
    writer: Option<W>,
    lines: VecDeque<Vec<u8>>,
    /// Bytes of the first line that are written.
    at: usize,
}

impl<W: AsyncWrite + Unpin> Writing<W> {
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<()> {
        while let Some(writer) = &mut self.writer {
            if self.lines.is_empty() {
                // What is written may still be in a buffer of the writer.
                if ready!(Pin::new(&mut *writer).poll_flush(context)).is_err() {
                    self.give_up();
                    return Poll::Ready(());
                }
                self.take_lines();
                continue;
            }
            match ready!(write(writer, &self.lines, self.at, context)) {
                Ok(0) | Err(_) => self.give_up(),
                Ok(bytes) => self.wrote(bytes),
            }
        }
        Poll::Ready(())
    }

    /// Takes what waits; where nothing does, the writer goes back.
    fn take_lines(&mut self) {
        let mut state = self.shared.state();
        if state.waiting.is_empty() {
            (state.writer, state.writing) = (self.writer.take(), false);
            if state.closed {
                drop(state);
                self.shared.changed.notify_waiters();
            }
        } else {
            std::mem::swap(&mut self.lines, &mut state.waiting);
        }
    }

    fn wrote(&mut self, bytes: usize) {
        self.at += bytes;
        while let Some(first) = self.lines.front().filter(|first| self.at >= first.len()) {
            self.at -= first.len();
            self.lines.pop_front();
        }
        let mut state = self.shared.state();
        let was_full = state.bytes > WAITING_BYTES_MAX;
        state.bytes -= bytes;
        if was_full && state.bytes <= WAITING_BYTES_MAX {
            drop(state);
            self.shared.changed.notify_waiters();
        }
    }

    /// The client is gone.
    fn give_up(&mut self) {
        self.writer = None;
        self.lines.clear();
        let mut state = self.shared.state();
        (state.closed, state.writing) = (true, false);
        state.waiting.clear();
        drop(state);
        self.shared.changed.notify_waiters();
    }
}

/// Writes of `lines`, of whose first one `at` bytes are written.
fn write<W: AsyncWrite + Unpin>(
    writer: &mut W,
    lines: &VecDeque<Vec<u8>>,
    at: usize,
    context: &mut Context<'_>,
) -> Poll<io::Result<usize>> {
    let writer = Pin::new(writer);
    match (lines.len(), lines.front()) {
        (2.., Some(first)) if writer.is_write_vectored() => {
            let rest = lines.iter().skip(1).take(LINES_AT_ONCE - 1).map(|line| IoSlice::new(line));
            let slices: Vec<IoSlice<'_>> =
                std::iter::once(IoSlice::new(&first[at..])).chain(rest).collect();
            writer.poll_write_vectored(context, &slices)
        }
        (_, Some(first)) => writer.poll_write(context, &first[at..]),
        (_, None) => Poll::Ready(Ok(0)),
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, duplex};

    use super::*;

    /// Every line is there once and whole, those of each sender in their order, through a pipe that is far
    /// smaller than what is sent.
    #[tokio::test]
    async fn lines_of_many_senders_stay_whole() {
        const SENDERS: usize = 8;
        const LINES: usize = 200;
        let (write, mut read) = duplex(100);
        let outbox = Outbox::to(write);
        for sender in 0..SENDERS {
            let outbox = outbox.clone();
            tokio::spawn(async move {
                for number in 0..LINES {
                    let line = format!("{sender} {number} {}\n", "x".repeat(number));
                    outbox.send(line.into_bytes()).await.unwrap();
                }
            });
        }
        drop(outbox);
        let mut text = String::new();
        read.read_to_string(&mut text).await.unwrap();
        let mut next = [0; SENDERS];
        for line in text.lines() {
            let parts: Vec<&str> = line.split(' ').collect();
            let [sender, number] = [0, 1].map(|part: usize| parts[part].parse::<usize>().unwrap());
            assert_eq!((number, parts[2].len()), (next[sender], number));
            next[sender] += 1;
        }
        assert_eq!(next, [LINES; SENDERS]);
    }

    #[tokio::test]
    async fn who_has_more_waits_for_a_client_that_does_not_read() {
        let (write, mut read) = duplex(10);
        let outbox = Outbox::to(write);
        let line = vec![b'x'; WAITING_BYTES_MAX + 100];
        let mut waits = Box::pin(outbox.send(line));
        let waiting = waits.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert!(waiting.is_pending());
        // The line was begun, and so it is written.
        drop(waits);
        let mut bytes = vec![0; WAITING_BYTES_MAX + 100];
        read.read_exact(&mut bytes).await.unwrap();
        outbox.send(b"y".to_vec()).await.unwrap();
        assert_eq!(read.read_u8().await.unwrap(), b'y');
    }

    #[tokio::test]
    async fn nothing_is_sent_to_a_client_that_is_gone() {
        let (write, read) = duplex(10);
        let outbox = Outbox::to(write);
        drop(read);
        let line = || vec![b'x'; 100];
        let first = outbox.send(line()).await;
        assert!(first.is_err() || outbox.send(line()).await.is_err());
        let (write, _read) = duplex(10);
        let outbox = Outbox::to(write);
        outbox.close().await;
        assert!(outbox.send(line()).await.is_err());
    }

    #[tokio::test]
    async fn what_was_taken_is_written_before_the_end() {
        let (write, mut read) = duplex(10);
        let outbox = Outbox::to(write);
        outbox.send(vec![b'x'; 1000]).await.unwrap();
        let mut text = Vec::new();
        let ((), read) = tokio::join!(outbox.close(), read.read_to_end(&mut text));
        assert_eq!((read.unwrap(), text), (1000, vec![b'x'; 1000]));
    }
}
