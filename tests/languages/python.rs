//! What the Python SDK says it can do: by its own tests, and in a component.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;

use libtest_mimic::{Completion, Failed, Trial};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::harness::{
    Line, Run, Server, checkout, ended, path_with, program, python_builder, skipped,
};

pub(super) fn trials() -> Vec<Trial> {
    let trial = |name: &str, test: fn(&Path)| {
        Trial::ignorable_test(format!("languages::{name}"), move || given_a_builder(test))
    };
    vec![
        trial("the_python_sdk_passes_its_own_tests", the_python_sdk_passes_its_own_tests),
        trial("python_waits_asks_and_fails_as_it_says", python_waits_asks_and_fails_as_it_says),
        trial("python_gets_what_a_project_depends_on", python_gets_what_a_project_depends_on),
        trial("what_is_no_tool_in_python_does_not_build", what_is_no_tool_in_python_does_not_build),
    ]
}

fn given_a_builder(test: fn(&Path)) -> Result<Completion, Failed> {
    match python_builder() {
        Ok(programs) => {
            test(&programs);
            Ok(Completion::Completed)
        }
        Err(why) => skipped("Python", &why),
    }
}

fn the_python_sdk_passes_its_own_tests(programs: &Path) {
    let mut python = Command::new(programs.join("python"));
    python.args(["-B", "-m", "unittest", "discover", "-s", "tests"]);
    python.current_dir(checkout().join("guest-sdk/python")).env("PYTHONPATH", "src");
    let run = ended(&mut python);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let ran = run.stderr.lines().find_map(|line| line.strip_prefix("Ran "));
    let count = ran.and_then(|ran| ran.split(' ').next()?.parse::<u32>().ok());
    assert!(count > Some(40), "{}", run.stderr);
}

fn built(place: &Path, programs: &Path) -> Run {
    let mut command = program();
    command.args(["build", ".", "--json"]).current_dir(place);
    ended(command.env("PATH", path_with(programs)))
}

/// A server of every_way.py, which may speak to `listener`.
fn served(programs: &Path, listener: &TcpListener) -> Server {
    let port = listener.local_addr().expect("it listens").port();
    let place = TempDir::new().expect("the temporary directory can be written");
    let write = |name: &str, text: &str| {
        std::fs::write(place.path().join(name), text).expect("it can be written");
    };
    write("pyproject.toml", include_str!("python/pyproject.toml"));
    write("every_way.py", include_str!("python/every_way.py"));
    write("port.py", &format!("PORT = {port}\n"));
    let run = built(place.path(), programs);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let built: Value = serde_json::from_str(&run.stdout).expect("it prints JSON");
    let imports = built["imports"].as_array().expect("it has imports");
    let is_http = |import: &Value| import.as_str().is_some_and(|it| it.starts_with("wasi:http/"));
    assert!(imports.iter().any(is_http), "{built}");
    let grants = format!(
        "[components.every-way]\npath = \"dist/every-way.wasm\"\n\
         [components.every-way.grants]\nhttp = [\"127.0.0.1:{port}\"]\n\
         dirs = [{{ host = \"data\", guest = \"/data\", access = \"ro\" }}]\n\
         env.CITY = \"Zürich\"\n"
    );
    std::fs::create_dir(place.path().join("data")).expect("it can be made");
    write("data/cities.txt", "Bern\nGenève\n");
    write("portcullis.toml", &grants);
    let config = place.path().join("portcullis.toml");
    Server::start(&["--config".as_ref(), config.as_os_str()]).keeping(place)
}

fn python_waits_asks_and_fails_as_it_says(programs: &Path) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback can be listened to");
    let mut server = served(programs, &listener);
    let port = listener.local_addr().expect("it listens").port();
    std::thread::spawn(move || listener.incoming().flatten().for_each(answer));

    let value = |server: &mut Server, tool: &str, arguments: Value| {
        let result = server.call(tool, arguments);
        assert_eq!(result["isError"], false, "{tool}: {result}");
        result["structuredContent"]["result"].clone()
    };
    let waits = json!({ "waits_ms": [60, 0, 30] });
    assert_eq!(value(&mut server, "in_turn", waits), json!([0, 30, 60]));
    let url = format!("http://127.0.0.1:{port}/a b?c=1");
    let sent = json!({ "url": url, "method": "post", "body": "x".repeat(9000) });
    let shown = "POST /a%20b?c=1 Zürich 9000";
    assert_eq!(value(&mut server, "fetch", sent), json!([200, "text/plain", shown]));
    let tree = json!({ "tree": { "name": "a", "inner": [{ "name": "b", "inner": [] }] } });
    assert_eq!(value(&mut server, "depth", tree), 2);
    let anything = json!({ "text": r#"{"a":[1,2.50,null]}"# });
    assert_eq!(value(&mut server, "anything", anything), json!({ "a": [1, 2.5, null] }));

    let there = json!({ "path": "/data/cities.txt", "variable": "CITY" });
    assert_eq!(value(&mut server, "reads", there), json!(["Bern\nGenève\n", "Zürich"]));
    let elsewhere = json!({ "path": "/etc/passwd", "variable": "HOME" });
    assert_eq!(value(&mut server, "reads", elsewhere), json!([null, null]));

    let full = server.call("full", json!({}));
    assert_eq!(full["structuredContent"], json!({ "a": 1 }));
    assert_eq!(full["content"], json!([{ "type": "text", "text": "one" }]));
    assert_eq!(full["_meta"]["portcullis.every-way/source"], "here", "{full}");
    let shown = server.call("shown", json!({}));
    assert_eq!(shown.get("structuredContent"), None);
    // RFC 4648 of the bytes in every_way.py.
    assert_eq!(
        shown["content"],
        json!([
            { "type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png" },
            { "type": "audio", "data": "UklGRgAAAABXQVZF", "mimeType": "audio/wav" },
            { "type": "text", "text": "a caption" },
        ])
    );

    let noted = json!({
        "name": "says", "arguments": { "steps": 1 }, "_meta": { "progressToken": "p" },
    });
    assert_eq!(server.request("tools/call", noted)["result"]["structuredContent"]["result"], 1);
    let notes = server.beside_answers().into_iter().filter_map(|line| match line {
        Line::Notification(note) if note["method"] == "notifications/progress" => Some(note),
        _ => None,
    });
    let expected =
        json!({ "progressToken": "p", "progress": 1.0, "total": 1.0, "message": "step 1" });
    assert_eq!(notes.map(|note| note["params"].clone()).collect::<Vec<_>>(), [expected]);
    server.wait_for_log("all steps are done");
    server.wait_for_log("done 1");

    fails(&mut server, port);
}

/// What is raised on purpose is told, and the rest is in the log alone.
fn fails(server: &mut Server, port: u16) {
    let masked = "the tool has an internal fault; the host's log has the details under call cN";
    let other = port ^ 1;
    let denied = format!(
        "127.0.0.1:{other} gave no answer: http request denied; it was denied http to \
         `127.0.0.1:{other}`, which was not granted"
    );
    for (tool, arguments, told) in [
        ("given_up", json!({}), "gave up: True"),
        ("fails", json!({ "how": "told" }), "no such shelf"),
        ("fails", json!({ "how": "arguments" }), "a shelf has a number"),
        ("fails", json!({ "how": "other" }), masked),
        ("stuck", json!({}), masked),
        ("fetch", json!({ "url": format!("http://127.0.0.1:{other}/") }), denied.as_str()),
    ] {
        let result = server.call(tool, arguments);
        assert_eq!(result["isError"], true, "{result}");
        let text = format!("Error executing tool {tool}: {told}");
        assert_eq!(result["content"], json!([{ "type": "text", "text": text }]));
    }
    server.wait_for_log("ValueError: secret-c");
    // The end of the traceback, with the line that it is about.
    server.wait_for_log("in fails: raise ValueError(f\"secret-{call().id}\")");
    server.wait_for_log("awaits what nothing in the component will bring about");
}

/// Says what was asked, and how many bytes came with it.
fn answer(stream: TcpStream) {
    let mut reader = BufReader::new(stream);
    let mut head = Vec::new();
    let line = |reader: &mut BufReader<TcpStream>| {
        let mut line = String::new();
        reader.read_line(&mut line).expect("the host writes lines");
        line.trim_end().to_owned()
    };
    loop {
        match line(&mut reader) {
            end if end.is_empty() => break,
            of_head => head.push(of_head),
        }
    }
    let value = |name: &str| {
        head.iter().find_map(|line| line.strip_prefix(name)?.strip_prefix(": ")).unwrap_or_default()
    };
    let mut body = 0;
    if value("transfer-encoding") == "chunked" {
        loop {
            let size = usize::from_str_radix(&line(&mut reader), 16).expect("a chunk has a size");
            let mut chunk = vec![0; size + 2];
            reader.read_exact(&mut chunk).expect("a chunk is whole");
            body += size;
            if size == 0 {
                break;
            }
        }
    }
    let asked = head[0].trim_end_matches(" HTTP/1.1");
    let text = format!("{asked} {} {body}", value("x-city"));
    let reply = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: {}\r\n\
         connection: close\r\n\r\n{text}",
        text.len()
    );
    // A host that is gone does not read it.
    let _ = reader.into_inner().write_all(reply.as_bytes());
}

/// With a builder of its own, unless this machine's PATH leads to one.
fn python_gets_what_a_project_depends_on(_: &Path) {
    const NAMES: &str = "import idna\nfrom portcullis import tool\n\n@tool\n\
                         def in_dns(name: str) -> str:\n    return idna.encode(name).decode()\n";
    let place = TempDir::new().expect("the temporary directory can be written");
    let write = |name: &str, text: &str| {
        std::fs::write(place.path().join(name), text).expect("it can be written");
    };
    let depends_on = |what: &str| {
        let sdk = "portcullis @ file:///where/this/program/does/not/look";
        let listed = json!([sdk, what]);
        write(
            "pyproject.toml",
            &format!("[project]\nname = \"names\"\nversion = \"0.1.0\"\ndependencies = {listed}\n"),
        );
        ended(program().args(["build", ".", "--json"]).current_dir(place.path()))
    };
    write("names.py", NAMES);
    let native = depends_on("numpy==2.4.0");
    assert_eq!((native.status, native.stdout.as_str()), (2, ""));
    let said = "No matching distribution found for numpy==2.4.0";
    assert!(native.stderr.contains(said), "{}", native.stderr);
    assert!(native.stderr.contains("-m pip install"), "{}", native.stderr);
    let pure = depends_on("idna==3.20");
    assert_eq!(pure.status, 0, "{}", pure.stderr);
    let mut server = Server::start(&[place.path().join("dist/names.wasm")]);
    let result = server.call("in_dns", json!({ "name": "königsgäßchen" }));
    // What CPython's own codec gives (`"königsgäßchen".encode("punycode")`), behind RFC 5890's prefix.
    assert_eq!(result["structuredContent"]["result"], "xn--knigsgchen-b4a3dun", "{result}");
}

fn what_is_no_tool_in_python_does_not_build(programs: &Path) {
    const BEFORE: &str = "from portcullis import tool\n\
                          class Station:\n    def __init__(self):\n        self.name = 1\n\n@tool\n";
    for (function, said) in [
        (
            "def get_station() -> Station:\n    return Station()\n",
            "SchemaError: Function get_station: return type <class 'station.Station'> is not \
             serializable for structured output: the type <class 'station.Station'> has no schema: it \
             has no annotations in its body",
        ),
        (
            "def put(of: range) -> int:\n    return 1\n",
            "SchemaError: Function put: parameter `of`: the type <class 'range'> has no schema",
        ),
        (
            "def put() -> int:\n    return 1\n\nimport portcullis as p\np.resource(\"a://b\")(put)\n",
            "SchemaError: `@resource` is used, and the component is built without it: write \
             `from portcullis import resource` in a module of the project",
        ),
    ] {
        let place = TempDir::new().expect("the temporary directory can be written");
        let manifest = "[project]\nname = \"station\"\nversion = \"0.1.0\"\n";
        for (name, text) in
            [("pyproject.toml", manifest), ("station.py", &[BEFORE, function].concat())]
        {
            std::fs::write(place.path().join(name), text).expect("it can be written");
        }
        let run = built(place.path(), programs);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{}", run.stderr);
        assert!(run.stderr.contains(said), "{}", run.stderr);
        assert!(!place.path().join("dist/station.wasm").exists());
    }
}
