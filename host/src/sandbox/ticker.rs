//! The clock that interrupts guests: one epoch each millisecond.
//!
//! It stands still when no guest has run for a while, so that an idle host uses no processor. While guests compute
//! for long it sees to it that a thread of the runtime waits for what clients send: one that is asleep would not
//! know that the others compute.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::Thread;
use std::time::Duration;

use wasmtime::Engine;

use super::lane::Lane;

/// The time between two epochs.
const EPOCH: Duration = Duration::from_millis(1);
/// Epochs without a guest before it stands still. To wake the thread costs a call more than that.
const IDLE_MAX: u32 = 50;

/// The thread that counts epochs; it ends with the engine.
#[derive(Debug)]
pub(super) struct Ticker {
    running: Arc<AtomicUsize>,
    thread: Thread,
}

impl Ticker {
    pub(super) fn start(engine: &Engine, lane: Lane) -> std::io::Result<Self> {
        let runtime = tokio::runtime::Handle::try_current().ok();
        let running = Arc::new(AtomicUsize::new(0));
        let engine = engine.weak();
        let counted = running.clone();
        let handle = std::thread::Builder::new().name("epochs".to_owned()).spawn(move || {
            let mut idle = 0_u32;
            loop {
                idle = if counted.load(Ordering::SeqCst) == 0 { idle + 1 } else { 0 };
                if idle > IDLE_MAX {
                    std::thread::park();
                    idle = 0;
                }
                std::thread::sleep(EPOCH);
                if let Some(runtime) = runtime.as_ref().filter(|_| lane.is_used()) {
                    drop(runtime.spawn(async {}));
                }
                match engine.upgrade() {
                    Some(engine) => engine.increment_epoch(),
                    None => break,
                }
            }
        })?;
        Ok(Self { running, thread: handle.thread().clone() })
    }

    /// Epochs pass as long as the returned value lives.
    pub(super) fn tick(&self) -> Ticking {
        if self.running.fetch_add(1, Ordering::SeqCst) == 0 {
            self.thread.unpark();
        }
        Ticking { running: self.running.clone() }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.thread.unpark();
    }
}

/// Keeps the epochs passing.
#[derive(Debug)]
pub(super) struct Ticking {
    running: Arc<AtomicUsize>,
}

impl Drop for Ticking {
    fn drop(&mut self) {
        self.running.fetch_sub(1, Ordering::SeqCst);
    }
}
