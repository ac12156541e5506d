//! What a server takes: memory and time, as Linux counts them (proc(5)).

use std::time::Duration;

use super::Server;

impl Server {
    /// By how many bytes the server's resident memory grows at most while `run` runs.
    pub(crate) fn grows_by(&mut self, run: impl FnOnce(&mut Self)) -> u64 {
        // Its peak is counted from here on (clear_refs).
        let reset = std::fs::write(format!("/proc/{}/clear_refs", self.pid()), "5");
        reset.expect("a process of ours can be looked at");
        let before = self.resident_bytes();
        run(self);
        self.memory_bytes("VmHWM:").saturating_sub(before)
    }

    /// The memory that it takes now.
    pub(crate) fn resident_bytes(&self) -> u64 {
        self.memory_bytes("VmRSS:")
    }

    /// A line of the server's /proc/PID/status that is about memory.
    fn memory_bytes(&self, line: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid()));
        let status = status.expect("a process of ours can be looked at");
        let kilobytes = status.lines().find_map(|text| text.strip_prefix(line));
        let kilobytes = kilobytes.map(|text| text.trim().trim_end_matches(" kB").parse::<u64>());
        kilobytes.and_then(Result::ok).expect("Linux says how much memory a process has") << 10
    }

    /// The time for which it had a processor so far (stat; 100 ticks a second).
    pub(crate) fn processor_time(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.pid()));
        let stat = stat.expect("a process of ours can be looked at");
        let after_name = stat.rsplit(')').next().expect("it has a name in parentheses");
        let ticks = after_name.split_whitespace().skip(11).take(2);
        let ticks: u64 = ticks.map(|ticks| ticks.parse::<u64>().expect("a number")).sum();
        Duration::from_millis(ticks * 10)
    }
}
