//! The stages of a call and of loading, each alone, in one process: `just stages`.

#![allow(clippy::expect_used, reason = "a benchmark that cannot run fails by a panic")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use criterion::{BatchSize, Criterion};
use portcullis::Host;
use portcullis::build::RustGuest;
use portcullis::call::Asked;
use portcullis::call::benching::Staged;
use portcullis::config::Config;
use portcullis::lock::Gate;
use portcullis::mcp::definitions;
use portcullis::sandbox::{Cache, Compiler};
use portcullis::schema::{Bounds, Input, Style};
use serde_json::{Map, Value};
use tokio::runtime::Runtime;

/// What is called, of the weather guest: a scalar, and a record.
const TOOLS: [&str; 2] = ["get_temperature", "get_weather"];

fn main() {
    let runtime = Runtime::new().expect("the runtime starts");
    let weather = built("guests/rust/weather");
    let markdown = built("guests/rust/markdown");
    let mut criterion = Criterion::default().configure_from_args();
    let config = config(&weather);
    let host = runtime.block_on(load(&config, None));
    for tool in TOOLS {
        call(&mut criterion, &runtime, &host, tool);
    }
    loading(&mut criterion, &runtime, [&weather, &markdown]);
    schema(&mut criterion, &host);
    criterion.bench_function("list", |bencher| bencher.iter(|| definitions(&host.catalog())));
    criterion.final_summary();
}

/// Each stage of a call, and all of them.
fn call(criterion: &mut Criterion, runtime: &Runtime, host: &Host, tool: &str) {
    let mut arguments = Map::new();
    arguments.insert("city".to_owned(), Value::from("London"));
    let staged = Staged::new(host, tool, arguments.clone());
    let checked = staged.check();
    let enclose = || runtime.block_on(staged.enclose());
    let invoke = |enclosed| runtime.block_on(staged.invoke(&checked, enclosed));
    let mut group = criterion.benchmark_group(tool);
    group.bench_function("check", |bencher| bencher.iter(|| staged.check()));
    // The store is dropped outside of what is measured, as is what the other stages give.
    group.bench_function("enclose", |bencher| {
        bencher.iter_batched(|| (), |()| enclose(), BatchSize::PerIteration);
    });
    group.bench_function("invoke", |bencher| {
        bencher.iter_batched(enclose, invoke, BatchSize::PerIteration);
    });
    group.bench_function("verify", |bencher| {
        let given = || invoke(enclose());
        bencher.iter_batched(given, |given| staged.verify(given), BatchSize::PerIteration);
    });
    group.bench_function("present", |bencher| {
        let kept = || staged.verify(invoke(enclose()));
        bencher.iter_batched(kept, |kept| staged.present(kept), BatchSize::PerIteration);
    });
    group.bench_function("whole call", |bencher| {
        bencher.iter(|| {
            let asked = Asked::new(tool.to_owned(), arguments.clone());
            runtime.block_on(host.call(asked)).expect("there is such a tool")
        });
    });
    group.finish();
}

/// From a component's file to a host that serves it.
fn loading(criterion: &mut Criterion, runtime: &Runtime, [one, other]: [&Path; 2]) {
    let directory = tempfile::tempdir().expect("the temporary directory can be written");
    let cached = || Some(Cache::at(directory.path().join("cache")).expect("it can be written"));
    let [one, other] = [one, other].map(config);
    let mut group = criterion.benchmark_group("loading");
    group.sample_size(10);
    group.bench_function("compile", |bencher| {
        bencher.iter(|| runtime.block_on(load(&one, None)));
    });
    drop(runtime.block_on(load(&one, cached())));
    let host = runtime.block_on(load(&other, cached()));
    group.bench_function("cached load", |bencher| {
        bencher.iter(|| runtime.block_on(load(&one, cached())));
    });
    group.bench_function("swap", |bencher| {
        bencher.iter_custom(|times| swaps(runtime, &host, [&one, &other], times));
    });
    group.finish();
}

/// How long so many swaps take, of one component for another; both are in the cache.
fn swaps(runtime: &Runtime, host: &Host, configs: [&Config; 2], times: u64) -> Duration {
    let began = Instant::now();
    for config in configs.into_iter().cycle().take(usize::try_from(times).unwrap_or(usize::MAX)) {
        runtime.block_on(host.fill(config, &Gate::open(), |_| ())).expect("it loads");
    }
    began.elapsed()
}

/// The input schema of a tool, from its text.
fn schema(criterion: &mut Criterion, host: &Host) {
    let catalog = host.catalog();
    let entry = catalog.find(TOOLS[1]).expect("there is such a tool");
    let text = Value::Object(entry.tool().input.published().as_ref().clone()).to_string();
    let compile = || Input::load(&text, TOOLS[1], Style::default(), &Bounds::default());
    criterion.bench_function("schema compile", |bencher| bencher.iter(compile));
}

async fn load(config: &Config, cache: Option<Cache>) -> Host {
    let compiler = Compiler::in_this_process().with_cache(cache);
    Host::load(config, compiler, |_| ()).await.expect("it loads")
}

fn config(component: &Path) -> Config {
    Config::from_paths(&[component.to_owned()]).expect("it is a component")
}

/// The component of a guest of this repository.
fn built(guest: &str) -> PathBuf {
    let checkout =
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the host is a part of it");
    let guest = RustGuest {
        directory: checkout.join(guest),
        target_directory: checkout.join("target/guests"),
        profile: "guest".to_owned(),
    };
    guest.build().expect("it builds")
}
