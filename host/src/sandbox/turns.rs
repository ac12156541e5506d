//! Who goes next: room that components share, fairly.
//!
//! The components take turns, however many calls each of them has waiting. Where a share is kept
//! free, a component never holds more than what is left, so that one more always finds room
//! (dynamic thresholds; Choudhury and Hahne, 1998).

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// Room of a size. Clones are the same room.
#[derive(Clone, Debug)]
pub(super) struct Turns(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    free: u32,
    keeps_share: bool,
    waiting_max: usize,
    /// The components that have someone waiting, the next one first.
    order: VecDeque<Arc<str>>,
    lines: HashMap<Arc<str>, Line>,
    next_id: u64,
}

/// What one component holds, and who waits.
#[derive(Debug, Default)]
struct Line {
    held: u32,
    waiting: VecDeque<Waiter>,
}

#[derive(Debug)]
struct Waiter {
    id: u64,
    weight: u32,
    ready: oneshot::Sender<Turn>,
}

/// Room that is held until this is dropped.
#[derive(Debug)]
pub(super) struct Turn {
    turns: Turns,
    component: Arc<str>,
    weight: u32,
}

/// As many calls of the component wait as may.
#[derive(Debug)]
pub(super) struct Full;

impl Turns {
    /// Room of `size`, of which one component leaves free as much as it holds; `waiting_max` of
    /// each component may wait.
    pub(super) fn shared(size: u32, waiting_max: usize) -> Self {
        Self::new(size, waiting_max, true)
    }

    /// Room of `size` of which one component may take all.
    pub(super) fn all(size: u32) -> Self {
        Self::new(size, usize::MAX, false)
    }

    fn new(free: u32, waiting_max: usize, keeps_share: bool) -> Self {
        Self(Arc::new(Mutex::new(State {
            free,
            keeps_share,
            waiting_max,
            order: VecDeque::new(),
            lines: HashMap::new(),
            next_id: 0,
        })))
    }

    /// Waits for room of `weight`, which must not be more than there is. Dropping the future is
    /// leaving the line.
    ///
    /// # Errors
    /// [`Full`] at once when the component's line is.
    pub(super) async fn take(&self, component: &Arc<str>, weight: u32) -> Result<Turn, Full> {
        let waiting = match self.lock().enter(self, component, weight) {
            Entered::Room => {
                return Ok(Turn { turns: self.clone(), component: component.clone(), weight });
            }
            Entered::Full => return Err(Full),
            Entered::Waits(id, turn) => Waiting { turns: self, component, id, turn, served: false },
        };
        Ok(waiting.turn().await)
    }

    /// Whether anybody holds a turn.
    pub(super) fn is_used(&self) -> bool {
        self.lock().lines.values().any(|line| line.held > 0)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

enum Entered {
    Room,
    Waits(u64, oneshot::Receiver<Turn>),
    Full,
}

/// Someone in a line; dropping it is leaving.
struct Waiting<'a> {
    turns: &'a Turns,
    component: &'a Arc<str>,
    id: u64,
    turn: oneshot::Receiver<Turn>,
    served: bool,
}

impl Waiting<'_> {
    async fn turn(mut self) -> Turn {
        match (&mut self.turn).await {
            Ok(turn) => {
                self.served = true;
                turn
            }
            // The room outlives whoever waits for it, so this is not reached.
            Err(_) => std::future::pending().await,
        }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if self.served {
            return;
        }
        let mut state = self.turns.lock();
        if let Some(line) = state.lines.get_mut(self.component) {
            line.waiting.retain(|waiter| waiter.id != self.id);
        }
        state.tidy(self.component);
        // The one that left may have been what the others waited behind.
        state.serve(self.turns);
        drop(state);
        // A turn that was given meanwhile is in the receiver, and goes back with it.
    }
}

impl State {
    fn enter(&mut self, turns: &Turns, component: &Arc<str>, weight: u32) -> Entered {
        let nobody_waits = self.order.is_empty();
        let (free, keeps_share, waiting_max) = (self.free, self.keeps_share, self.waiting_max);
        let line = self.lines.entry(component.clone()).or_default();
        if nobody_waits && line.fits(weight, free, keeps_share) {
            line.held += weight;
            self.free -= weight;
            return Entered::Room;
        }
        if line.waiting.len() >= waiting_max {
            return Entered::Full;
        }
        let id = self.next_id;
        let (ready, turn) = oneshot::channel();
        if line.waiting.is_empty() {
            self.order.push_back(component.clone());
        }
        line.waiting.push_back(Waiter { id, weight, ready });
        self.next_id += 1;
        // All that were there before may wait for the shares of their own components.
        self.serve(turns);
        Entered::Waits(id, turn)
    }

    /// Gives turns as long as there is room for the next one.
    fn serve(&mut self, turns: &Turns) {
        let mut passed = 0;
        while passed < self.order.len() {
            let Some(component) = self.order.pop_front() else { return };
            let Some(line) = self.lines.get_mut(&component) else { continue };
            let Some(weight) = line.waiting.front().map(|waiter| waiter.weight) else { continue };
            if line.fits(weight, self.free, self.keeps_share) {
                passed = 0;
                let Some(waiter) = line.waiting.pop_front() else { continue };
                if !line.waiting.is_empty() {
                    self.order.push_back(component.clone());
                }
                let turn = Turn { turns: turns.clone(), component, weight };
                match waiter.ready.send(turn) {
                    Ok(()) => {
                        line.held += weight;
                        self.free -= weight;
                    }
                    // It left; its turn was never counted.
                    Err(turn) => turn.forget(),
                }
            } else if line.held == 0 {
                // It waits for nothing but room, and nobody overtakes it.
                self.order.push_front(component);
                return;
            } else {
                self.order.push_back(component);
                passed += 1;
            }
        }
    }

    /// Forgets a component that holds nothing and waits for nothing.
    fn tidy(&mut self, component: &Arc<str>) {
        let Some(line) = self.lines.get(component) else { return };
        if line.waiting.is_empty() {
            self.order.retain(|waiting| waiting != component);
            if line.held == 0 {
                self.lines.remove(component);
            }
        }
    }
}

impl Line {
    fn fits(&self, weight: u32, free: u32, keeps_share: bool) -> bool {
        let left = free.checked_sub(weight);
        left.is_some_and(|left| self.held == 0 || !keeps_share || self.held + weight <= left)
    }
}

impl Turn {
    /// Goes without giving anything back.
    fn forget(mut self) {
        self.weight = 0;
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if self.weight == 0 {
            return;
        }
        let mut state = self.turns.lock();
        state.free += self.weight;
        if let Some(line) = state.lines.get_mut(&self.component) {
            line.held -= self.weight;
        }
        state.serve(&self.turns);
        state.tidy(&self.component);
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    fn names() -> [Arc<str>; 3] {
        ["a", "b", "c"].map(Arc::from)
    }

    fn poll<F: Future>(future: std::pin::Pin<&mut F>) -> Poll<F::Output> {
        future.poll(&mut Context::from_waker(Waker::noop()))
    }

    fn now(turns: &Turns, component: &Arc<str>, weight: u32) -> Option<Turn> {
        match poll(pin!(turns.take(component, weight))) {
            Poll::Ready(turn) => turn.ok(),
            Poll::Pending => None,
        }
    }

    #[test]
    fn one_component_leaves_as_much_as_it_holds() {
        let [a, b, c] = names();
        let turns = Turns::shared(64, 10);
        let of_a: Vec<Turn> = std::iter::from_fn(|| now(&turns, &a, 1)).collect();
        assert_eq!(of_a.len(), 32);
        let of_b: Vec<Turn> = std::iter::from_fn(|| now(&turns, &b, 1)).collect();
        assert_eq!(of_b.len(), 16);
        assert!(now(&turns, &c, 8).is_some());
        drop((of_a, of_b));
        assert_eq!(turns.lock().free, 64);
        assert!(turns.lock().lines.is_empty());
    }

    #[test]
    fn who_waits_for_its_own_share_holds_up_nobody_else() {
        let [a, b, _] = names();
        let turns = Turns::shared(8, 10);
        let _of_a: Vec<Turn> = (0..4).filter_map(|_| now(&turns, &a, 1)).collect();
        let mut waits = Box::pin(turns.take(&a, 1));
        assert!(poll(waits.as_mut()).is_pending());
        assert!(now(&turns, &b, 1).is_some());
        assert!(poll(waits.as_mut()).is_pending());
    }

    #[test]
    fn components_take_turns_however_many_of_one_wait() {
        let [a, b, _] = names();
        let turns = Turns::all(1);
        let mut running = now(&turns, &a, 1);
        let mut of_a: Vec<_> = (0..50).map(|_| Box::pin(turns.take(&a, 1))).collect();
        for waiting in &mut of_a {
            assert!(poll(waiting.as_mut()).is_pending());
        }
        let mut of_b = Box::pin(turns.take(&b, 1));
        assert!(poll(of_b.as_mut()).is_pending());
        running.take();
        assert!(of_a.iter_mut().all(|waiting| poll(waiting.as_mut()).is_pending()));
        let Poll::Ready(Ok(turn)) = poll(of_b.as_mut()) else { panic!("b holds nothing") };
        drop(turn);
        assert!(poll(of_a[0].as_mut()).is_ready());
    }

    #[test]
    fn who_leaves_the_line_takes_no_room() {
        let [a, b, _] = names();
        let turns = Turns::all(1);
        let running = now(&turns, &a, 1);
        let mut leaves = Box::pin(turns.take(&b, 1));
        assert!(poll(leaves.as_mut()).is_pending());
        drop(leaves);
        let mut given = Box::pin(turns.take(&b, 1));
        assert!(poll(given.as_mut()).is_pending());
        drop(running);
        // It was given its turn and leaves before it looks.
        drop(given);
        assert_eq!(turns.lock().free, 1);
        assert!(now(&turns, &a, 1).is_some());
    }

    #[test]
    fn a_large_call_is_not_overtaken_for_ever() {
        let [a, b, c] = names();
        let turns = Turns::shared(8, 10);
        let small = now(&turns, &a, 2);
        let mut large = Box::pin(turns.take(&b, 8));
        assert!(poll(large.as_mut()).is_pending());
        assert!(now(&turns, &c, 1).is_none(), "there is room, and b is before it");
        drop(small);
        assert!(poll(large.as_mut()).is_ready());
    }

    #[test]
    fn a_line_has_an_end() {
        let [a, b, _] = names();
        let turns = Turns::shared(1, 2);
        let _running = now(&turns, &a, 1);
        let mut waiting: Vec<_> = (0..2).map(|_| Box::pin(turns.take(&a, 1))).collect();
        for waiting in &mut waiting {
            assert!(poll(waiting.as_mut()).is_pending());
        }
        assert!(matches!(poll(pin!(turns.take(&a, 1))), Poll::Ready(Err(Full))));
        assert!(poll(pin!(turns.take(&b, 1))).is_pending(), "the line of another is its own");
    }
}
