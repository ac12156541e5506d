//! Whole calls in this process: how many more two threads make than one.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use portcullis::Host;
use portcullis::call::Asked;
use portcullis::config::Config;
use portcullis::sandbox::Compiler;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::harness::weather;
use crate::table::{Table, median};

const CALLS: usize = 1_000;
const ROUNDS: usize = 5;

pub(crate) fn measure(table: &mut Table) {
    let runtime = Runtime::new().expect("the runtime starts");
    let config = Config::from_paths(&[PathBuf::from(weather())]).expect("it is a component");
    let host = runtime.block_on(Host::load(&config, Compiler::in_this_process(), |_| ()));
    let host = host.expect("it loads");
    let mut rounds: [Vec<Duration>; 2] = Default::default();
    for _ in 0..=ROUNDS {
        for (threads, rounds) in (1..).zip(&mut rounds) {
            rounds.push(calls(&runtime, &host, threads));
        }
    }
    // The first round warms up.
    let [one, two] = rounds.map(|rounds| median(rounds.into_iter().skip(1).collect()));
    let a_second = |threads: usize, took: Duration| (threads * CALLS) as f64 / took.as_secs_f64();
    table.rate("two threads", a_second(2, two), "one", a_second(1, one));
}

/// How long each of some threads takes for its calls.
fn calls(runtime: &Runtime, host: &Host, threads: usize) -> Duration {
    let Value::Object(arguments) = json!({ "city": "London" }) else { unreachable!() };
    let began = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                for _ in 0..CALLS {
                    let asked = Asked::new("get_temperature".to_owned(), arguments.clone());
                    let reply = runtime.block_on(host.call(asked)).expect("there is such a tool");
                    assert!(!reply.is_error, "{reply:?}");
                }
            });
        }
    });
    began.elapsed()
}
