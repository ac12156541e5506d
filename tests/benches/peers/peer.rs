//! What every server is to whoever measures it.

use std::process::Child;
use std::time::{Duration, Instant};

/// A call of a tool.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    pub(crate) tool: &'static str,
    /// A JSON object.
    pub(crate) arguments: &'static str,
}

/// A server, and a lean client of it: nothing is parsed that need not be.
pub(crate) trait Peer {
    /// Begins a round of calls, so many of which are in flight.
    fn begin(&mut self, _in_flight: usize) {}

    /// The reply to one call: a JSON-RPC message, as it came.
    fn reply(&mut self, call: Call) -> &[u8];

    /// How long so many calls take with some of them in flight at all times.
    fn time_many(&mut self, call: Call, calls: usize, in_flight: usize) -> Duration;

    /// The server's process.
    fn process(&self) -> &Child;

    /// How long one call takes.
    fn time(&mut self, call: Call) -> Duration {
        let began = Instant::now();
        self.reply(call);
        began.elapsed()
    }

    /// For how long the server's threads had a processor so far (Linux, schedstat). One that ends takes
    /// its time with it; the median of the rounds leaves such a round out.
    fn processor_time(&self) -> Duration {
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.process().id()));
        let time = |thread: std::io::Result<std::fs::DirEntry>| {
            let known = std::fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
            known.split(' ').next()?.parse::<u64>().ok()
        };
        let all = threads.expect("Linux shows threads").filter_map(time).sum();
        Duration::from_nanos(all)
    }
}
