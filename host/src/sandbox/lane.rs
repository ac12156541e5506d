//! The lane for guests that compute for long, so that they leave the others a processor.
//!
//! Two slices are free. For each further one a guest waits for its turn in the lane, which is one
//! narrower than there are threads; it holds its turn only while it computes.

use std::sync::{Arc, Mutex, PoisonError};

use wasmtime::UpdateDeadline;

use super::turns::{Turn, Turns};

/// Epochs (of 1 ms) of a slice.
pub(super) const SLICE_EPOCHS: u64 = 1;
/// Yields without a turn: a guest has one slice more than this for nothing.
const FREE_SLICES: u64 = 1;

/// Room for long computations. Clones are the same lane.
#[derive(Clone, Debug)]
pub(super) struct Lane(Turns);

impl Lane {
    /// A lane beside which `threads` threads always have one that is free, if there are two.
    pub(super) fn beside(threads: usize) -> Self {
        let width = u32::try_from(threads.saturating_sub(1)).unwrap_or(u32::MAX);
        Self(Turns::all(width.max(1)))
    }

    /// Whether somebody is in it.
    pub(super) fn is_used(&self) -> bool {
        self.0.is_used()
    }

    /// A place in the lane for one call of `component`.
    pub(super) fn place(&self, component: &Arc<str>) -> Place {
        Place { lane: self.clone(), component: component.clone(), slices: 0, held: Held::default() }
    }
}

/// One call's place in the lane.
#[derive(Debug)]
pub(super) struct Place {
    lane: Lane,
    component: Arc<str>,
    slices: u64,
    held: Held,
}

/// The turn that a call holds, if it holds one. Clones are the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Held(Arc<Mutex<Option<Turn>>>);

impl Held {
    /// Gives the turn back.
    pub(super) fn release(&self) {
        self.replace(None);
    }

    fn replace(&self, turn: Option<Turn>) {
        let before =
            std::mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), turn);
        drop(before);
    }
}

impl Place {
    pub(super) fn held(&self) -> Held {
        self.held.clone()
    }

    /// At the end of a slice: what the guest waits for before the next one.
    pub(super) fn next_slice(&mut self) -> UpdateDeadline {
        self.slices += 1;
        self.held.release();
        if self.slices <= FREE_SLICES {
            return UpdateDeadline::YieldCustom(SLICE_EPOCHS, Box::pin(tokio::task::yield_now()));
        }
        let (lane, component, held) =
            (self.lane.clone(), self.component.clone(), self.held.clone());
        let turn = async move {
            tokio::task::yield_now().await;
            held.replace(lane.0.take(&component, 1).await.ok());
        };
        UpdateDeadline::YieldCustom(SLICE_EPOCHS, Box::pin(turn))
    }
}
