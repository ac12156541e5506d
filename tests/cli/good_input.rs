//! What the commands print when all is well, and when a tool fails.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;
use std::time::Duration;

use libtest_mimic::Trial;
use serde_json::{Value, json};

use super::Place;
use crate::harness::{
    Run, Server, named, program, trials as named_trials, weather, without_call_id,
};

pub(super) fn trials() -> Vec<Trial> {
    named_trials(
        "cli",
        named![
            list_prints_one_name_a_line,
            list_with_json_prints_what_a_client_gets,
            call_prints_the_text,
            call_with_json_prints_the_whole_result,
            call_reads_arguments_from_stdin,
            a_tool_error_ends_with_status_1,
            a_list_is_one_text_a_line,
            paths_with_spaces_are_paths,
            a_config_names_components_and_prefixes,
            a_config_says_how_schemas_are_published,
            a_config_bounds_arguments,
            serve_ends_quietly_when_there_is_no_client,
            a_reply_is_whole_though_its_client_says_no_more,
            help_of_every_command_shows_examples,
        ],
    )
}

/// More than a pipe holds is still on its way when the client closes its side.
fn a_reply_is_whole_though_its_client_says_no_more() {
    let mut server = program()
        .arg("serve")
        .arg(weather())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the command starts");
    let mut stdin = server.stdin.take().expect("it is a pipe");
    let mut stdout = BufReader::new(server.stdout.take().expect("it is a pipe"));
    let city = "x".repeat(300_000);
    let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": { "name": "lean", "version": "0" } });
    let call = json!({ "name": "weather_report", "arguments": { "city": city } });
    for (id, method, params) in [(0, "initialize", hello), (1, "tools/call", call)] {
        let line = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        writeln!(stdin, "{line}").expect("the server reads");
        if id == 0 {
            stdout.read_line(&mut String::new()).expect("the server answers");
            let line = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
            writeln!(stdin, "{line}").expect("the server reads");
        }
    }
    // It has begun to answer.
    assert!(!stdout.fill_buf().expect("the server answers").is_empty());
    drop(stdin);
    // Longer than the end of a server may take that does not wait for its client.
    std::thread::sleep(Duration::from_secs(1));
    let mut line = String::new();
    stdout.read_line(&mut line).expect("the server writes");
    let reply: Value = serde_json::from_str(&line).expect("it is whole");
    let text = reply["result"]["content"][0]["text"].as_str().expect("it is text");
    assert!(text.starts_with(&format!("{city}: 17 degrees")), "{} bytes", text.len());
    server.wait().expect("it ends");
}

/// In the order in which they stand in the source, the module `described` before what follows it.
const TOOLS: [&str; 9] = [
    "get_temperature",
    "get_weather",
    "get_weather_td",
    "get_weather_dc",
    "get_forecast",
    "get_temperatures",
    "get_weather_bad",
    "weather_report",
    "get_weather_with_meta",
];

fn list_prints_one_name_a_line() {
    let run = Place::with_weather().run(&["list", "weather.wasm"]);
    assert_eq!(run, printed(&(TOOLS.join("\n") + "\n")));
}

fn list_with_json_prints_what_a_client_gets() {
    let place = Place::with_weather();
    let run = place.run(&["list", "--json", "weather.wasm"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    let listed: Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    let mut server = Server::start(&[place.path().join("weather.wasm")]);
    let answer = server.request("tools/list", json!({}));
    assert_eq!(listed.to_string(), answer["result"]["tools"].to_string());
}

fn call_prints_the_text() {
    let run = call("get_temperature", LONDON, &[]);
    assert_eq!(run, printed("17\n"));
    let run = call("weather_report", LONDON, &[]);
    assert_eq!(run, printed("London: 17 degrees, overcast, light rain easing by evening.\n"));
}

fn call_with_json_prints_the_whole_result() {
    let run = call("get_temperature", LONDON, &["--json"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    let result: Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    assert_eq!(
        result,
        json!({
            "content": [{ "type": "text", "text": "17" }],
            "structuredContent": { "result": 17 },
            "isError": false,
        })
    );
}

fn call_reads_arguments_from_stdin() {
    let place = Place::with_weather().file("arguments.json", LONDON.as_bytes());
    let arguments = std::fs::File::open(place.path().join("arguments.json")).expect("it is there");
    let output = crate::harness::program()
        .args(["call", "weather.wasm", "get_temperature", "-"])
        .current_dir(place.path())
        .stdin(arguments)
        .output()
        .expect("the command starts");
    assert_eq!((output.status.code(), output.stdout), (Some(0), b"17\n".to_vec()));
}

fn a_tool_error_ends_with_status_1() {
    let told = "Error executing tool get_weather_bad: 1 validation error for WeatherData\n\
                humidity\n  Field required\n";
    let run = call("get_weather_bad", LONDON, &["--log=off"]);
    assert_eq!(run, Run { status: 1, stdout: String::new(), stderr: told.to_owned() });

    let run = call("get_temperature", r#"{"city": "Oz"}"#, &["--json", "--log=off"]);
    assert_eq!((run.status, run.stderr.as_str()), (1, ""));
    let result: Value = serde_json::from_str(&without_call_id(&run.stdout)).expect("it is JSON");
    let told = "Error executing tool get_temperature: the tool stopped unexpectedly and gave no \
                result; the host's log has the details under call cN";
    let content = json!([{ "type": "text", "text": told }]);
    assert_eq!(result, json!({ "content": content, "isError": true }));
}

fn a_list_is_one_text_a_line() {
    let run = call("get_forecast", r#"{"city": "London", "days": 2}"#, &[]);
    let day = |temperature| {
        format!(
            "{{\n  \"temperature\": {temperature},\n  \"humidity\": 0.83,\n  \"conditions\": \"Overcast\"\n}}\n"
        )
    };
    assert_eq!(run, printed(&(day("16.2") + &day("17.2"))));
}

fn paths_with_spaces_are_paths() {
    let bytes = std::fs::read(crate::harness::weather()).expect("it was just built");
    let place = Place::new().file("my tools/the weather.wasm", &bytes);
    for path in ["my tools/the weather.wasm", "my tools"] {
        let run = place.run(&["call", path, "get_temperature", LONDON]);
        assert_eq!(run, printed("17\n"), "{path}");
    }
}

/// Paths in it are relative to its own directory.
fn a_config_names_components_and_prefixes() {
    let config = "[components.wx]\npath = \"../weather.wasm\"\nprefix = \"wx\"\n";
    let place = Place::with_weather().file("settings/my.toml", config.as_bytes());
    let run = place.run(&["list", "--config", "settings/my.toml"]);
    let names = TOOLS.map(|tool| format!("wx_{tool}\n"));
    assert_eq!(run, printed(&names.concat()));
}

fn a_config_says_how_schemas_are_published() {
    let published = |schema: &str| -> Value {
        let config = format!("{schema}[components.weather]\npath = \"weather.wasm\"\n");
        let place = Place::with_weather().file("portcullis.toml", config.as_bytes());
        let run = place.run(&["list", "--json"]);
        assert_eq!((run.status, run.stderr.as_str()), (0, ""));
        let tools: Value = serde_json::from_str(&run.stdout).expect("it is JSON");
        let forecast = |tool: &&Value| tool["name"] == "get_forecast";
        tools.as_array().into_iter().flatten().find(forecast).expect("it is served").clone()
    };
    let usual = published("");
    let items = &usual["outputSchema"]["properties"]["result"]["items"];
    assert_eq!(items, &json!({ "$ref": "#/$defs/WeatherData" }));
    assert_eq!(usual["inputSchema"]["properties"]["city"]["title"], json!("City"));

    let inline = published("[schema]\nrefs = \"inline\"\ntitles = false\n");
    assert!(!inline.to_string().contains("$ref"), "{inline}");
    assert_eq!(inline["outputSchema"].get("$defs"), None);
    let items = &inline["outputSchema"]["properties"]["result"]["items"];
    assert_eq!(items["required"], json!(["temperature", "humidity", "conditions"]));
    assert_eq!(inline["inputSchema"]["properties"]["city"], json!({ "type": "string" }));
}

fn a_config_bounds_arguments() {
    let config = "[limits]\nargument_bytes_max = 1024\n";
    let place = Place::with_weather().file("c.toml", config.as_bytes());
    let call = |city: &str| {
        let arguments = json!({ "city": city }).to_string();
        let command = ["call", "--config", "c.toml", "weather.wasm", "weather_report", &arguments];
        place.run(&command)
    };
    // `{"city":""}` has 11 bytes.
    assert_eq!(call(&"x".repeat(1024 - 11)).status, 0);
    let run = call(&"x".repeat(1025 - 11));
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    assert_eq!(
        run.stderr,
        "Error executing tool weather_report: the arguments have more than 1024 bytes; send less\n"
    );
}

fn serve_ends_quietly_when_there_is_no_client() {
    let run = Place::with_weather().run(&["serve", "--log=off", "weather.wasm"]);
    assert_eq!(run, printed(""));
}

fn help_of_every_command_shows_examples() {
    for command in ["serve", "dev", "call", "list", "check", "pack", "demo"] {
        let run = Place::new().run(&[command, "--help"]);
        assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{command}");
        let (_, examples) = run
            .stdout
            .split_once("\nExample")
            .unwrap_or_else(|| panic!("help of {command} has no example:\n{}", run.stdout));
        assert!(examples.contains(command), "{examples}");
    }
    let run = Place::new().run(&["--help"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    for command in ["serve", "dev", "call", "list", "check", "pack", "demo"] {
        assert!(run.stdout.contains(&format!("  portcullis {command}")), "{}", run.stdout);
    }
}

const LONDON: &str = r#"{"city": "London"}"#;

/// Calls a tool of the weather component.
fn call(tool: &str, arguments: &str, options: &[&str]) -> Run {
    let arguments = [&["call", "weather.wasm", tool, arguments], options].concat();
    Place::with_weather().run(&arguments)
}

/// What a command that did what it should prints.
fn printed(stdout: &str) -> Run {
    Run { status: 0, stdout: stdout.to_owned(), stderr: String::new() }
}
