//! Figures of the command as it ships, a table of each subject. They are printed and never a
//! verdict; docs/benchmarks.md says what each one is, and has those of a whole run.

#[allow(dead_code, unused_imports, reason = "the tests use the rest")]
#[path = "../generated/mod.rs"]
mod generated;
#[allow(dead_code, unused_imports, unused_macros, reason = "the tests use the rest")]
#[path = "../harness/mod.rs"]
mod harness;
#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../languages/mod.rs"]
mod languages;

mod calls;
mod compiled;
mod loopers;
mod page;
mod peers;
mod profile;
mod reload;
mod start;
mod table;
mod threads;
mod versions;

use std::process::ExitCode;

use table::Table;

/// A subject's name, and what measures it.
type Subject = (&'static str, fn(&mut Table));

const SUBJECTS: [Subject; 7] = [
    ("calls", calls::measure),
    ("loopers", loopers::measure),
    ("peers", peers::measure),
    ("peers-http", peers::measure_http),
    ("reload", reload::measure),
    ("start", start::measure),
    ("threads", threads::measure),
];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    match arguments.next().as_deref() {
        Some(peers::native::COMMAND) => {
            return peers::native::serve(&arguments.next().unwrap_or_default());
        }
        Some(profile::COMMAND) => return profile::record(),
        Some(_) | None => {}
    }
    // Cargo adds an option of its own.
    let named: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let is_subject = |name: &String| SUBJECTS.iter().any(|(subject, _)| subject == name);
    if let Some(unknown) = named.iter().find(|name| !is_subject(name)) {
        let known = SUBJECTS.map(|(subject, _)| subject).join(", ");
        eprintln!("there is no subject `{unknown}`; there are: {known}");
        return ExitCode::from(2);
    }
    let mut lines = Vec::new();
    for (subject, measure) in SUBJECTS {
        if named.is_empty() || named.iter().any(|name| name == subject) {
            let mut table = Table::of(subject);
            measure(&mut table);
            lines.extend(table.into_lines());
        }
    }
    if named.is_empty() && page::is_wanted() {
        page::write(&lines);
    }
    ExitCode::SUCCESS
}
