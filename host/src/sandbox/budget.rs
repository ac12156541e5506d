//! The memory that all guests have together.
//!
//! A component always gets the memory of one call if it is there, and beyond that no more than it
//! leaves to the others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Memory that is shared out. Clones are the same budget.
#[derive(Clone, Debug)]
pub(super) struct Budget(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    free: usize,
    held: HashMap<Arc<str>, usize>,
}

/// What one call holds of the budget; it goes back when this is dropped.
#[derive(Debug)]
pub(super) struct Charge {
    budget: Budget,
    component: Arc<str>,
    one_call: usize,
    bytes: usize,
}

impl Budget {
    pub(super) fn new(bytes: usize) -> Self {
        Self(Arc::new(Mutex::new(State { free: bytes, held: HashMap::new() })))
    }

    /// An account for a call of `component`, which may have `one_call` bytes.
    pub(super) fn open(&self, component: &Arc<str>, one_call: usize) -> Charge {
        Charge { budget: self.clone(), component: component.clone(), one_call, bytes: 0 }
    }
}

impl Charge {
    /// Takes `bytes` more, if they are there.
    pub(super) fn take(&mut self, bytes: usize) -> bool {
        let mut state = self.budget.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(left) = state.free.checked_sub(bytes) else { return false };
        let held = state.held.get(&self.component).copied().unwrap_or(0) + bytes;
        if held > left && held > self.one_call {
            return false;
        }
        state.free = left;
        state.held.insert(self.component.clone(), held);
        self.bytes += bytes;
        true
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        if self.bytes == 0 {
            return;
        }
        let mut state = self.budget.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.free += self.bytes;
        if let Some(held) = state.held.get_mut(&self.component) {
            *held -= self.bytes;
            if *held == 0 {
                state.held.remove(&self.component);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_component_has_one_call_and_then_what_it_leaves() {
        let [a, b]: [Arc<str>; 2] = ["a", "b"].map(Arc::from);
        let budget = Budget::new(100);
        let mut first = budget.open(&a, 40);
        let mut second = budget.open(&a, 40);
        assert!(first.take(40));
        assert!(second.take(10), "50 held, 50 left");
        assert!(!second.take(1));
        let mut other = budget.open(&b, 40);
        assert!(other.take(40), "10 are left, and it is one call");
        assert!(!other.take(20), "they are not there");
        drop((first, second, other));
        assert_eq!(budget.0.lock().unwrap().free, 100);
        assert!(budget.0.lock().unwrap().held.is_empty());
    }
}
