//! A fast call beside guests of another component that loop for ever.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{Line, Server, hostile};
use crate::table::{Table, median};

const CALLS: usize = 300;
const WARM: usize = 50;

pub(crate) fn measure(table: &mut Table) {
    for loopers in [8, 50] {
        let mut server = serve();
        let idle = fast_calls(&mut server);
        let loops: Vec<u64> =
            (0..loopers).map(|_| server.send_call("bad_loops", json!({}))).collect();
        let busy = fast_calls(&mut server);
        let ended = |id: &u64| server.lines().contains(&Line::Answer(*id));
        assert!(!loops.iter().any(ended), "the loops have an hour");
        for (what, busy, idle) in [("p50", busy[0], idle[0]), ("p99", busy[1], idle[1])] {
            table.time(&format!("fast call beside {loopers}: {what}"), busy, "idle", idle);
        }
    }
}

/// The hostile component twice, with room for all loops.
fn serve() -> Server {
    let directory = tempfile::tempdir().expect("the temporary directory can be written");
    let config = directory.path().join("portcullis.toml");
    let path = json!(hostile());
    let components = ["bad", "good"]
        .map(|id| format!("[components.{id}]\npath = {path}\nprefix = \"{id}\"\n"))
        .concat();
    let limits = "limits.call_deadline_ms = 3_600_000\nhost.calls_max = 128\n";
    std::fs::write(&config, format!("{limits}{components}")).expect("it can be written");
    Server::start(&["--config".as_ref(), config.as_os_str()]).keeping(directory)
}

/// The median time of a fast call, and that of the slowest in a hundred.
fn fast_calls(server: &mut Server) -> [Duration; 2] {
    let mut call = |_| {
        let began = Instant::now();
        let result = server.call("good_well_behaved", json!({}));
        assert_eq!(result["isError"], false, "{result}");
        began.elapsed()
    };
    let mut times: Vec<Duration> = (0..WARM + CALLS).map(&mut call).skip(WARM).collect();
    times.sort();
    [median(times.clone()), times[CALLS * 99 / 100]]
}
