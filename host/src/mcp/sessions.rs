//! The sessions of clients that shake hands over HTTP: whose each is, and when it ends.
//!
//! A session answers to nobody but who began it, and none is kept that nothing is heard of.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// All of them.
pub(super) struct Sessions {
    state: Mutex<State>,
    sessions_max: usize,
}

#[derive(Default)]
struct State {
    known: HashMap<String, Session>,
    starting: usize,
}

struct Session {
    principal: Option<Arc<str>>,
    seen: Instant,
    /// Requests and streams of it.
    open: usize,
    /// Whether anything came after the handshake's first request.
    is_used: bool,
    is_ending: bool,
}

/// Room for a session that is about to begin.
pub(super) struct Starting(Arc<Sessions>);

/// A request within a session.
pub(super) struct Inside {
    sessions: Arc<Sessions>,
    id: String,
}

/// How a session answers to somebody.
pub(super) enum Entered {
    Inside(Inside),
    /// It is not theirs, or it ends.
    Closed,
    Unknown,
}

/// What a new session takes the room of.
pub(super) enum Room {
    Free(Starting),
    /// That of this one, which is to be closed.
    Of(Starting, String),
    /// There is none.
    Full,
}

impl Sessions {
    pub(super) fn new(sessions_max: usize) -> Arc<Self> {
        Arc::new(Self { state: Mutex::default(), sessions_max })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes room for one more. When there are as many as may be, the oldest one that was never
    /// used gives way: whoever begins sessions without end takes no other's.
    pub(super) fn room(self: &Arc<Self>) -> Room {
        let mut state = self.state();
        let mut gives_way = None;
        if state.known.len() + state.starting >= self.sessions_max {
            let unused = state
                .known
                .iter_mut()
                .filter(|(_, session)| !session.is_used && !session.is_ending && session.open == 0);
            let Some((id, oldest)) = unused.min_by_key(|(_, session)| session.seen) else {
                return Room::Full;
            };
            oldest.is_ending = true;
            gives_way = Some(id.clone());
        }
        state.starting += 1;
        let starting = Starting(self.clone());
        match gives_way {
            None => Room::Free(starting),
            Some(id) => Room::Of(starting, id),
        }
    }

    /// A session has begun in the room for it.
    pub(super) fn begun(&self, starting: Starting, id: String, principal: Option<Arc<str>>) {
        let session =
            Session { principal, seen: Instant::now(), open: 0, is_used: false, is_ending: false };
        self.state().known.insert(id, session);
        drop(starting);
    }

    /// A request that `principal` sends to the session `id`.
    pub(super) fn enter(self: &Arc<Self>, id: &str, principal: Option<&Arc<str>>) -> Entered {
        match self.state().known.get_mut(id) {
            None => Entered::Unknown,
            Some(session) if session.principal.as_ref() != principal || session.is_ending => {
                Entered::Closed
            }
            Some(session) => {
                session.open += 1;
                session.is_used = true;
                Entered::Inside(Inside { sessions: self.clone(), id: id.to_owned() })
            }
        }
    }

    /// The session is gone.
    pub(super) fn forget(&self, id: &str) {
        self.state().known.remove(id);
    }

    /// Those that have had nothing open for longer than `idle`; from now on they answer to nobody.
    pub(super) fn idle(&self, idle: Duration) -> Vec<String> {
        let mut state = self.state();
        let ends = state.known.iter_mut().filter(|(_, session)| {
            session.open == 0 && !session.is_ending && session.seen.elapsed() > idle
        });
        ends.map(|(id, session)| {
            session.is_ending = true;
            id.clone()
        })
        .collect()
    }
}

impl Drop for Starting {
    fn drop(&mut self) {
        self.0.state().starting -= 1;
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        if let Some(session) = self.sessions.state().known.get_mut(&self.id) {
            session.open = session.open.saturating_sub(1);
            session.seen = Instant::now();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begin(sessions: &Arc<Sessions>, id: &str) -> Option<String> {
        let (starting, closed) = match sessions.room() {
            Room::Free(starting) => (starting, None),
            Room::Of(starting, closed) => (starting, Some(closed)),
            Room::Full => panic!("no room for {id}"),
        };
        if let Some(closed) = &closed {
            sessions.forget(closed);
        }
        sessions.begun(starting, id.to_owned(), None);
        closed
    }

    #[test]
    fn a_flood_of_handshakes_takes_the_room_of_its_own_sessions() {
        let sessions = Sessions::new(3);
        assert_eq!(begin(&sessions, "used"), None);
        assert!(matches!(sessions.enter("used", None), Entered::Inside(_)));
        assert_eq!(begin(&sessions, "f1"), None);
        assert_eq!(begin(&sessions, "f2"), None);
        assert_eq!(begin(&sessions, "f3"), Some("f1".to_owned()));
        assert_eq!(begin(&sessions, "f4"), Some("f2".to_owned()));
        assert!(matches!(sessions.enter("used", None), Entered::Inside(_)));
    }

    #[test]
    fn sessions_that_are_all_used_leave_no_room() {
        let sessions = Sessions::new(1);
        begin(&sessions, "a");
        let inside = sessions.enter("a", None);
        assert!(matches!(sessions.room(), Room::Full));
        drop(inside);
        assert!(matches!(sessions.room(), Room::Full));
    }

    #[test]
    fn room_that_was_not_taken_is_given_back() {
        let sessions = Sessions::new(1);
        for _ in 0..3 {
            let Room::Free(starting) = sessions.room() else { panic!("there is room") };
            assert!(matches!(sessions.room(), Room::Full));
            drop(starting);
        }
    }

    #[test]
    fn a_session_answers_to_nobody_but_who_began_it() {
        let sessions = Sessions::new(1);
        let alice: Arc<str> = "alice".into();
        let Room::Free(starting) = sessions.room() else { panic!("there is room") };
        sessions.begun(starting, "s".to_owned(), Some(alice.clone()));
        assert!(matches!(sessions.enter("s", Some(&alice)), Entered::Inside(_)));
        assert!(matches!(sessions.enter("s", Some(&"bob".into())), Entered::Closed));
        assert!(matches!(sessions.enter("s", None), Entered::Closed));
        assert!(matches!(sessions.enter("t", Some(&alice)), Entered::Unknown));
    }

    #[test]
    fn what_has_something_open_is_not_idle() {
        let sessions = Sessions::new(2);
        begin(&sessions, "a");
        let inside = sessions.enter("a", None);
        assert_eq!(sessions.idle(Duration::ZERO), Vec::<String>::new());
        drop(inside);
        std::thread::sleep(Duration::from_millis(1));
        assert_eq!(sessions.idle(Duration::ZERO), ["a"]);
        assert!(matches!(sessions.enter("a", None), Entered::Closed));
    }
}
