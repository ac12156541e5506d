//! A project that is served while its author writes it.

mod plain;
mod project;

use std::io::Write as _;
use std::process::Stdio;

use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::harness::{Line, Run, Server, named, run, trials as named_trials};
use project::Project;

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = named_trials(
        "dev",
        named![
            a_save_is_served_and_an_error_leaves_the_last_version,
            a_project_that_does_not_build_at_first_is_served_once_it_does,
            a_config_grants_and_its_changes_are_followed,
            lines_are_calls_at_the_prompt,
            a_compiler_ends_with_the_server,
            what_is_no_project_is_refused,
        ],
    );
    trials.extend(plain::trials());
    trials
}

/// A tool `number` that gives `value`, described by `about`.
fn number(about: &str, value: &str) -> String {
    format!(
        "use portcullis_guest::tool;\n\n/// {about}\n#[tool]\nfn number() -> u32 {{\n    {value}\n}}\n"
    )
}

/// The number that the tool gives.
fn asked(server: &mut Server) -> Value {
    server.call("number", json!({}))["structuredContent"]["result"].clone()
}

/// Waits until something was built so many times, or could not be.
fn wait_for_builds(server: &Server, count: usize) {
    let is_end = |line: &str| line.starts_with("built in") || line.starts_with("the build failed");
    server.wait_for_log_that(|log| log.lines().filter(|line| is_end(line)).count() >= count);
}

/// The lines that say how builds ended, seconds and sizes aside.
fn ends(log: &str) -> Vec<String> {
    let end = |line: &str| {
        if line.starts_with("the build failed; ") {
            return Some(line.split(':').next()?.to_owned());
        }
        let (_, what) = line.strip_prefix("built in ")?.split_once(" s: ")?;
        let parts = what.split(", ").filter(|part| !part.ends_with(" KB"));
        Some(parts.collect::<Vec<_>>().join(", "))
    };
    log.lines().filter_map(end).collect()
}

fn told(server: &Server) -> usize {
    let changed = |line: &&Line| {
        matches!(line, Line::Notification(message)
            if message["method"] == "notifications/tools/list_changed")
    };
    server.lines().iter().filter(changed).count()
}

fn a_save_is_served_and_an_error_leaves_the_last_version() {
    let project = Project::new("saved", &number("A number.", "1"));
    let mut server = project.serve(&[]);
    assert!(!server.log().contains("built in"), "the handshake waits for no compiler");
    wait_for_builds(&server, 1);
    assert_eq!(asked(&mut server), 1);

    // The same definition: clients see no change.
    project.save(&number("A number.", "2"));
    wait_for_builds(&server, 2);
    assert_eq!(asked(&mut server), 2);
    assert_eq!(told(&server), 0);

    project.save(&number("A number.", "\"three\""));
    wait_for_builds(&server, 3);
    assert_eq!(asked(&mut server), 2);
    for said in [
        "error[E0308]: mismatched types\n",
        "--> src/lib.rs:6:5\n",
        "  |     ^^^^^^^ expected `u32`, found `&str`\n",
        "the build failed; the last version stays: `cargo build --lib --target wasm32-wasip2 \
         --profile release` failed in `",
    ] {
        assert!(server.log().contains(said), "{said}\n{}", server.log());
    }

    project.save(&(number("Another number.", "4") + "\n#[tool]\nfn other() -> u32 {\n    5\n}\n"));
    wait_for_builds(&server, 4);
    assert_eq!(asked(&mut server), 4);
    server.wait_for_notification("notifications/tools/list_changed");
    assert_eq!(told(&server), 1);
    assert_eq!(
        ends(&server.log()),
        [
            "saved.wasm, 1 tool",
            "saved.wasm, 1 tool",
            "the build failed; the last version stays",
            "saved.wasm, 2 tools; added other; changed number",
        ],
        "each save is built once, and nothing else is",
    );
    assert!(!server.log().contains("not served any more"), "{}", server.log());
    assert!(server.close().success());
}

fn a_project_that_does_not_build_at_first_is_served_once_it_does() {
    let project = Project::new("broken", &number("A number.", "one"));
    let mut server = project.serve(&[]);
    let listed = server.request("tools/list", json!({}));
    assert_eq!(listed["result"]["tools"], json!([]));
    wait_for_builds(&server, 1);
    project.save(&number("A number.", "1"));
    server.wait_for_notification("notifications/tools/list_changed");
    assert_eq!(asked(&mut server), 1);
    wait_for_builds(&server, 2);
    let ends = ends(&server.log());
    assert_eq!(ends, ["the build failed; nothing is served yet", "broken.wasm, 1 tool"]);
}

fn a_config_grants_and_its_changes_are_followed() {
    let source = r#"
portcullis_guest::requires! { environment: ["TZ"] }

#[portcullis_guest::tool]
fn zone() -> String {
    std::env::var("TZ").unwrap_or_default()
}
"#;
    let project = Project::new("granted", source);
    let config = |zone: &str| format!("[components.granted.grants]\nenv.TZ = \"{zone}\"\n");
    project.file("portcullis.toml", &config("UTC"));
    let mut server = project.serve(&[]);
    let zone = |server: &mut Server| server.call("zone", json!({}))["structuredContent"].clone();
    wait_for_builds(&server, 1);
    assert_eq!(zone(&mut server), json!({ "result": "UTC" }));
    project.file("portcullis.toml", &config("CET"));
    server.wait_for_log_that(|log| log.matches("is served in version").count() == 2);
    assert_eq!(zone(&mut server), json!({ "result": "CET" }));
    assert_eq!(ends(&server.log()).len(), 1, "a config is not built: {}", server.log());
}

fn lines_are_calls_at_the_prompt() {
    let source = r#"
#[portcullis_guest::tool]
fn greet(name: String, loud: Option<bool>) -> Result<String, String> {
    if loud == Some(true) { Err("too loud".to_owned()) } else { Ok(format!("Hello, {name}.")) }
}
"#;
    let project = Project::new("prompted", source);
    let mut child = project
        .command(&["--prompt"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let lines = "?\ngreet {\"name\": \"Ada\"}\n\ngreet {\"name\": \"Ada\", \"loud\": true}\n\
                 greet {\"name\": 1}\ngreet\ngreet Ada\ngret\n";
    let written = child.stdin.take().expect("stdin is a pipe").write_all(lines.as_bytes());
    written.expect("the command reads");
    let output = child.wait_with_output().expect("it ends with its input");
    let text = |bytes| String::from_utf8(bytes).expect("the command writes UTF-8");
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    let tool = "greet {\"name\": string, \"loud\"?: boolean | null}\n";
    let (help, rest) = stdout.split_once(tool).expect("the tools are listed after the build");
    assert!(help.contains("an empty line"), "{help}");
    assert_eq!(rest, format!("Hello, Ada.\n{tool}"));
    for said in [
        "building prompted …\n",
        "built in ",
        "prompted.wasm, ",
        "Error executing tool greet: too loud\n",
        "Unknown tool: gret; did you mean greet?\n",
        "the arguments of `greet` are not JSON: ",
        "write them such as {\"city\": \"London\"}\n",
    ] {
        assert!(stderr.contains(said), "{said}\n{stderr}");
    }
}

/// A build script that runs until it is ended.
const ENDLESS: &str = r#"
fn main() {
    let ids = format!("{} {}", std::process::id(), std::os::unix::process::parent_id());
    std::fs::write("ids.new", ids).unwrap();
    std::fs::rename("ids.new", "ids").unwrap();
    std::thread::sleep(std::time::Duration::from_secs(600));
}
"#;

fn a_compiler_ends_with_the_server() {
    for ends in
        [(|server: &mut Server| assert!(server.close().success())) as fn(&mut Server), |server| {
            server.signal("-TERM");
            assert!(server.wait_for_end().success());
        }]
    {
        let project = Project::without_dependencies("ended", "");
        project.file("build.rs", ENDLESS);
        let mut server = project.serve(&[]);
        let ids = project.path().join("ids");
        server.wait_for_log("building ended …");
        wait_until("the build script runs", || ids.exists());
        let ids = std::fs::read_to_string(ids).expect("it was written");
        ends(&mut server);
        for id in ids.split(' ') {
            wait_until("a program that the build started is gone", || is_gone(id));
        }
    }
}

/// Whether a process has ended; nobody may have waited for it yet (proc(5), stat).
fn is_gone(id: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    stat.rsplit(") ").next().is_none_or(|state| state.is_empty() || state.starts_with('Z'))
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let began = std::time::Instant::now();
    while !is_so() {
        assert!(began.elapsed().as_secs() < 60, "waited too long until {what}");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

fn what_is_no_project_is_refused() {
    let directory = tempfile::tempdir().expect("the temporary directory can be written");
    let refused = |said: &str| Run {
        status: 2,
        stdout: String::new(),
        stderr: format!("portcullis: {said}\n"),
    };
    let dev = |name: &str| run(directory.path(), &["dev", name]);
    let none = "`none` is no project: there is no Cargo.toml (Rust), package.json (TypeScript, \
                JavaScript), pyproject.toml (Python), nor wit/ with go.mod (Go), src/root.zig (Zig), \
                src/*.cpp (C++) or src/*.c (C) in it; `portcullis new` begins one";
    assert_eq!(dev("none"), refused(none));
    let none = none.replace("none", ".");
    assert_eq!(run(directory.path(), &["dev"]), refused(&none));
    let manifest = directory.path().join("Cargo.toml");
    std::fs::write(&manifest, "[workspace]\n").expect("it can be written");
    let workspace =
        "`.` is a workspace without a package of its own; name the directory of a package";
    assert_eq!(dev("."), refused(workspace));
    // A config that is wrong is refused before anything is built.
    let project = Project::without_dependencies("misconfigured", "");
    project.file("portcullis.toml", "[limit]\n");
    let run = run(project.path(), &["dev"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert!(
        run.stderr.starts_with("portcullis: ./portcullis.toml:1:2: unknown field `limit`"),
        "{run:?}"
    );
}
