//! The connections that are open: which of them may end to make room for another.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio_util::sync::CancellationToken;

/// All of them.
pub(super) struct Connections {
    state: Mutex<State>,
    connections_max: usize,
}

#[derive(Default)]
struct State {
    open: HashMap<u64, Connection>,
    next: u64,
}

struct Connection {
    requests: usize,
    waits_since: Instant,
    ends: CancellationToken,
}

/// One of them, which is open until this is dropped.
pub(super) struct Open {
    all: Arc<Connections>,
    number: u64,
    /// Is cancelled when it is to end.
    pub(super) ends: CancellationToken,
}

/// A request on a connection, which goes on until this is dropped.
pub(super) struct Serving {
    all: Arc<Connections>,
    number: u64,
}

impl Connections {
    pub(super) fn new(connections_max: usize) -> Arc<Self> {
        Arc::new(Self { state: Mutex::default(), connections_max })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One more. When there are as many as may be, the one that has waited longest for a request ends;
    /// if none waits, there is no room.
    pub(super) fn open(self: &Arc<Self>) -> Option<Open> {
        let mut state = self.state();
        if state.open.len() >= self.connections_max {
            let waiting = state.open.iter().filter(|(_, connection)| connection.requests == 0);
            let (number, _) = waiting.min_by_key(|(_, connection)| connection.waits_since)?;
            let number = *number;
            if let Some(connection) = state.open.remove(&number) {
                connection.ends.cancel();
            }
        }
        let number = state.next;
        state.next += 1;
        let ends = CancellationToken::new();
        let connection =
            Connection { requests: 0, waits_since: Instant::now(), ends: ends.clone() };
        state.open.insert(number, connection);
        drop(state);
        Some(Open { all: self.clone(), number, ends })
    }
}

impl Open {
    /// A request has come.
    pub(super) fn serve(&self) -> Serving {
        if let Some(connection) = self.all.state().open.get_mut(&self.number) {
            connection.requests += 1;
        }
        Serving { all: self.all.clone(), number: self.number }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        if let Some(connection) = self.all.state().open.get_mut(&self.number) {
            connection.requests -= 1;
            connection.waits_since = Instant::now();
        }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.all.state().open.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_connection_that_waits_longest_makes_room() {
        let all = Connections::new(2);
        let first = all.open().unwrap();
        let second = all.open().unwrap();
        let serving = first.serve();
        let third = all.open().unwrap();
        assert!(!first.ends.is_cancelled() && second.ends.is_cancelled());
        let _serving = third.serve();
        assert!(all.open().is_none(), "none of both waits");
        drop(serving);
        assert!(all.open().is_some());
        assert!(first.ends.is_cancelled());
    }
}
