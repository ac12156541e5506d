//! A stream into a file whose writes are counted.
//!
//! Each write is admitted and made in a task of its own that holds its turn to the end, so that
//! what a guest has written is counted even if its call ends meanwhile.

use std::fs::File;
use std::sync::Arc;

use bytes::Bytes;
use tokio::task::JoinHandle;
use wasmtime_wasi::p2::{DynOutputStream, OutputStream, Pollable, StreamError, StreamResult};

use super::quota::{Adds, Room};

/// Where the writes go in the file.
#[derive(Debug)]
pub(super) enum Position {
    /// To its end.
    End,
    /// On from here.
    At(Arc<File>, u64),
}

/// A stream of wasmtime-wasi, and the room that it writes to.
pub(super) struct CountedStream {
    room: Room,
    position: Position,
    state: State,
}

enum State {
    Ready(DynOutputStream),
    /// A write is being made.
    Busy(JoinHandle<(DynOutputStream, StreamResult<()>)>),
    /// The last write failed, and the guest does not know yet.
    Failed(StreamError),
    Closed,
}

impl CountedStream {
    pub(super) fn new(stream: DynOutputStream, room: Room, position: Position) -> Self {
        Self { room, position, state: State::Ready(stream) }
    }

    /// What the next write could add; the one after it goes on behind it.
    fn adds(&mut self, bytes: &Bytes) -> Adds {
        let length = bytes.len() as u64;
        match &mut self.position {
            Position::End => Adds::Bytes(length),
            Position::At(file, position) => {
                *position = position.saturating_add(length);
                Adds::UpTo(Arc::clone(file), *position)
            }
        }
    }

    /// Tells of the failure once; the stream is closed then.
    fn told(&mut self) -> StreamError {
        match std::mem::replace(&mut self.state, State::Closed) {
            State::Failed(error) => error,
            State::Ready(_) | State::Busy(_) | State::Closed => StreamError::Closed,
        }
    }
}

async fn write(
    mut stream: DynOutputStream,
    room: Room,
    adds: Adds,
    bytes: Bytes,
) -> (DynOutputStream, StreamResult<()>) {
    let result = match room.admit(adds).await {
        Ok(admitted) => {
            let result = stream.blocking_write_and_flush(bytes).await;
            // Where it failed, some of it may be there.
            admitted.made();
            result
        }
        Err(code) => Err(StreamError::LastOperationFailed(wasmtime::Error::new(code))),
    };
    (stream, result)
}

#[wasmtime_wasi::async_trait]
impl OutputStream for CountedStream {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        match std::mem::replace(&mut self.state, State::Closed) {
            State::Ready(stream) => {
                let adds = self.adds(&bytes);
                let writing = write(stream, self.room.clone(), adds, bytes);
                self.state = State::Busy(tokio::spawn(writing));
                Ok(())
            }
            State::Busy(_) | State::Failed(_) => {
                Err(StreamError::trap("write without a check-write that permits it"))
            }
            State::Closed => Err(StreamError::Closed),
        }
    }

    fn flush(&mut self) -> StreamResult<()> {
        match self.state {
            State::Ready(_) | State::Busy(_) => Ok(()),
            State::Failed(_) | State::Closed => Err(self.told()),
        }
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        match &mut self.state {
            State::Ready(stream) => stream.check_write(),
            State::Busy(_) => Ok(0),
            State::Failed(_) | State::Closed => Err(self.told()),
        }
    }

    async fn cancel(&mut self) {
        self.ready().await;
        self.state = State::Closed;
    }
}

#[wasmtime_wasi::async_trait]
impl Pollable for CountedStream {
    async fn ready(&mut self) {
        if let State::Busy(writing) = &mut self.state {
            self.state = match writing.await {
                Ok((stream, Ok(()))) => State::Ready(stream),
                Ok((_, Err(error))) => State::Failed(error),
                Err(error) => State::Failed(StreamError::Trap(wasmtime::Error::new(error))),
            };
        }
    }
}
