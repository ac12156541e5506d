//! The clocks that guests read.
//!
//! A precise clock is a tool for looking into what runs beside a guest, so it is a grant.

use std::time::{Duration, Instant, SystemTime};

use wasmtime_wasi::{HostMonotonicClock, HostWallClock, WasiCtxBuilder};

use crate::grants::Clocks;

/// The resolution of the coarse clock.
const COARSE: Duration = Duration::from_millis(1);

/// Gives the guest the clocks that it is granted; the precise ones are what it has without this.
pub(super) fn give(wasi: &mut WasiCtxBuilder, clocks: Clocks) {
    match clocks {
        Clocks::Precise => {}
        Clocks::Coarse => {
            wasi.wall_clock(Coarse { start: Instant::now() });
            wasi.monotonic_clock(Coarse { start: Instant::now() });
        }
        Clocks::Fixed => {
            wasi.wall_clock(Fixed);
            wasi.monotonic_clock(Fixed);
        }
    }
}

/// Clocks of whole milliseconds.
struct Coarse {
    start: Instant,
}

/// Rounded down to whole milliseconds.
fn whole(time: Duration) -> Duration {
    Duration::new(time.as_secs(), time.subsec_millis() * 1_000_000)
}

impl HostWallClock for Coarse {
    fn resolution(&self) -> Duration {
        COARSE
    }

    #[expect(clippy::disallowed_methods, reason = "this is the door for the time of day")]
    fn now(&self) -> Duration {
        whole(SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default())
    }
}

impl HostMonotonicClock for Coarse {
    fn resolution(&self) -> u64 {
        nanoseconds(COARSE)
    }

    fn now(&self) -> u64 {
        // There are languages whose start takes 0 for a clock that does not run (Go's nanotime).
        nanoseconds(COARSE + whole(self.start.elapsed()))
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// Clocks that stand still.
struct Fixed;

impl HostWallClock for Fixed {
    fn resolution(&self) -> Duration {
        COARSE
    }

    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

impl HostMonotonicClock for Fixed {
    fn resolution(&self) -> u64 {
        nanoseconds(COARSE)
    }

    fn now(&self) -> u64 {
        nanoseconds(COARSE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_coarse_clock_shows_whole_milliseconds() {
        let clock = Coarse { start: Instant::now() };
        for _ in 0..1000 {
            assert_eq!(HostMonotonicClock::now(&clock) % 1_000_000, 0);
            assert!(HostMonotonicClock::now(&clock) > 0);
            assert_eq!(HostWallClock::now(&clock).subsec_nanos() % 1_000_000, 0);
        }
    }
}
