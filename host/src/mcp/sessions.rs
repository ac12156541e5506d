//! The sessions of clients that shake hands over HTTP: whose each is, and when it ends.
//!
//! A session answers to nobody but who began it, and none is kept that nothing is heard of.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::call::Identity;

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
    /// By what its owner's share is counted.
    client: Arc<str>,
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
    /// That of this one, which is forgotten, and to be closed.
    Of(Starting, String),
    /// There is none.
    Full,
}

impl State {
    /// The session that gives way to one of `client`.
    fn gives_way(&self, client: &str) -> Option<String> {
        let closable = || self.known.iter().filter(|(_, it)| it.open == 0 && !it.is_ending);
        let unused = closable().filter(|(_, it)| !it.is_used).min_by_key(|(_, it)| it.seen);
        if let Some((id, _)) = unused {
            return Some(id.clone());
        }
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for session in self.known.values() {
            *counts.entry(&session.client).or_default() += 1;
        }
        let most = counts.iter().max_by_key(|(_, count)| **count).filter(|(_, count)| **count > 1);
        let holder = most.map_or(client, |(holder, _)| holder);
        let oldest =
            closable().filter(|(_, it)| *it.client == *holder).min_by_key(|(_, it)| it.seen);
        oldest.map(|(id, _)| id.clone())
    }
}

impl Sessions {
    pub(super) fn new(sessions_max: usize) -> Arc<Self> {
        Arc::new(Self { state: Mutex::default(), sessions_max })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes room for one more, of `client`. When there are as many as may be, one with nothing open
    /// gives way: the oldest that was never used, or else the one that was not used for longest of
    /// whoever has the most. Whoever begins sessions without end takes no other's, and who has one
    /// keeps it from all but themselves.
    pub(super) fn room(self: &Arc<Self>, client: &str) -> Room {
        let mut state = self.state();
        let mut gives_way = None;
        if state.known.len() + state.starting >= self.sessions_max {
            let Some(id) = state.gives_way(client) else { return Room::Full };
            state.known.remove(&id);
            gives_way = Some(id);
        }
        state.starting += 1;
        let starting = Starting(self.clone());
        match gives_way {
            None => Room::Free(starting),
            Some(id) => Room::Of(starting, id),
        }
    }

    /// A session of `owner` has begun in the room for it.
    pub(super) fn begun(&self, starting: Starting, id: String, owner: &Identity) {
        let session = Session {
            client: owner.client.clone(),
            principal: owner.principal.clone(),
            seen: Instant::now(),
            open: 0,
            is_used: false,
            is_ending: false,
        };
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
        let (starting, closed) = match sessions.room("owner") {
            Room::Free(starting) => (starting, None),
            Room::Of(starting, closed) => (starting, Some(closed)),
            Room::Full => panic!("no room for {id}"),
        };
        sessions.begun(starting, id.to_owned(), &Identity::default());
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
        assert!(matches!(sessions.room("owner"), Room::Full));
        drop(inside);
        assert!(matches!(sessions.room("another"), Room::Full), "it is another's only one");
        assert_eq!(begin(&sessions, "b"), Some("a".to_owned()));
    }

    #[test]
    fn whoever_has_the_most_sessions_gives_way() {
        let sessions = Sessions::new(4);
        for (client, id) in [("a", "a1"), ("b", "b1"), ("b", "b2"), ("b", "b3")] {
            let Room::Free(starting) = sessions.room(client) else { panic!("there is room") };
            let owner = Identity { client: client.into(), ..Identity::default() };
            sessions.begun(starting, id.to_owned(), &owner);
            drop(sessions.enter(id, None));
        }
        let Room::Of(_, closed) = sessions.room("c") else { panic!("one gives way") };
        assert_eq!(closed, "b1");
    }

    #[test]
    fn room_that_was_not_taken_is_given_back() {
        let sessions = Sessions::new(1);
        for _ in 0..3 {
            let Room::Free(starting) = sessions.room("owner") else { panic!("there is room") };
            assert!(matches!(sessions.room("owner"), Room::Full));
            drop(starting);
        }
    }

    #[test]
    fn a_session_answers_to_nobody_but_who_began_it() {
        let sessions = Sessions::new(1);
        let alice: Arc<str> = "alice".into();
        let Room::Free(starting) = sessions.room("alice") else { panic!("there is room") };
        let owner = Identity { principal: Some(alice.clone()), ..Identity::default() };
        sessions.begun(starting, "s".to_owned(), &owner);
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
