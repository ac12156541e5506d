//! What a server of many components that are in the cache takes until it answers, and of memory.

use std::time::{Duration, Instant};

use serde_json::json;
use tempfile::TempDir;

use crate::harness::Server;
use crate::table::{Table, median};
use crate::versions::WEATHER;

const COMPONENTS: u32 = 20;
const STARTS: usize = 15;
/// From the start of the command to its first reply.
const TARGET: Duration = Duration::from_millis(60);
/// What a server may take, and each component beside it.
const MEMORY: [u64; 2] = [30 << 20, 1 << 20];

pub(crate) fn measure(table: &mut Table) {
    let directory = components();
    let config = directory.path().join("portcullis.toml");
    let arguments = ["--config".as_ref(), config.as_os_str()];
    let start = || {
        let began = Instant::now();
        let mut server = Server::start(&arguments);
        let replied = began.elapsed();
        let listed = server.request("tools/list", json!({}));
        let served = began.elapsed();
        let tools = listed["result"]["tools"].as_array().map_or(0, Vec::len);
        assert!(tools >= COMPONENTS as usize, "{listed}");
        (replied, served, server.resident_bytes())
    };
    // The first one compiles what is not in the cache yet.
    let starts: Vec<_> = (0..=STARTS).map(|_| start()).skip(1).collect();
    let replied = median(starts.iter().map(|start| start.0).collect());
    let served = median(starts.iter().map(|start| start.1).collect());
    let mut memory: Vec<u64> = starts.iter().map(|start| start.2).collect();
    memory.sort_unstable();
    let [server, each] = MEMORY;
    table.time("first reply", replied, "target", TARGET);
    table.time("all listed", served, "target", TARGET);
    let may = server + u64::from(COMPONENTS) * each;
    table.memory("memory, all listed", memory[memory.len() / 2], "target", may);
}

/// A config of weather guests that differ in their bytes.
fn components() -> TempDir {
    let directory = tempfile::tempdir().expect("the temporary directory can be written");
    let mut config = String::new();
    for number in 0..COMPONENTS {
        let file = format!("w{number}.wasm");
        std::fs::write(directory.path().join(&file), WEATHER.known(number))
            .expect("it can be written");
        config += &format!("[components.w{number}]\npath = \"{file}\"\nprefix = \"w{number}\"\n");
    }
    std::fs::write(directory.path().join("portcullis.toml"), config).expect("it can be written");
    directory
}
