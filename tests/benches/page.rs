//! The figures of a whole run, written into docs/benchmarks.md with what they were measured on.

use std::process::Command;

use crate::harness::checkout;
use crate::harness::installed::output;

const BEGIN: &str = "<!-- figures -->\n";
const END: &str = "<!-- end of figures -->";

/// Whether they are to be written: `just bench` asks for it. A debug build's are not worth it.
pub(crate) fn is_wanted() -> bool {
    std::env::var_os("PORTCULLIS_BENCH_WRITE").is_some_and(|wanted| wanted == "1")
        && !cfg!(debug_assertions)
}

/// Writes the lines of all tables between the marks of the page.
pub(crate) fn write(lines: &[String]) {
    let file = checkout().join("docs/benchmarks.md");
    let page = std::fs::read_to_string(&file).expect("the page is there");
    std::fs::write(&file, with_figures(&page, lines)).expect("it can be written");
    println!("written to docs/benchmarks.md");
}

fn with_figures(page: &str, lines: &[String]) -> String {
    let (before, rest) = page.split_once(BEGIN).expect("the page has the first mark");
    let (_, after) = rest.split_once(END).expect("the page has the second mark");
    let figures = format!("{}\n\n```text\n{}\n```\n", machine(), lines.join("\n"));
    format!("{before}{BEGIN}{figures}{END}{after}")
}

/// The date, the machine and the versions.
fn machine() -> String {
    let asked = |program: &str, arguments: &[&str]| {
        output(Command::new(program).args(arguments)).unwrap_or_else(|_| "unknown".to_owned())
    };
    let processors = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = processors.lines().find(|line| line.starts_with("model name"));
    let model = model.and_then(|line| line.split_once(": ")).map_or("unknown", |(_, model)| model);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let lock = std::fs::read_to_string(checkout().join("Cargo.lock")).unwrap_or_default();
    format!(
        "{}, {model}, {cores} processors, {}; portcullis {}, wasmtime {}, rmcp {}, {}.",
        asked("date", &["-u", "+%F"]),
        asked("uname", &["-sr"]),
        env!("CARGO_PKG_VERSION"),
        locked(&lock, "wasmtime"),
        locked(&lock, "rmcp"),
        asked("rustc", &["--version"]),
    )
}

/// The version of a crate in a Cargo.lock.
fn locked<'a>(lock: &'a str, name: &str) -> &'a str {
    let found = lock.split_once(&format!("name = \"{name}\"\nversion = \""));
    found.and_then(|(_, rest)| rest.split('"').next()).unwrap_or("unknown")
}
