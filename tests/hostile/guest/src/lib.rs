//! A component whose tools misbehave, each in one way, and one that does not.
//!
//! It speaks the raw interface: the SDK would not let it lie.

#![cfg(target_family = "wasm")]

mod argument;
mod says;
mod tells;

wit_bindgen::generate!({
    inline: r#"
        package tests:hostile;

        world hostile {
            include portcullis:guest/tool-provider@0.1.0;
            include portcullis:guest/progress-reporter@0.1.0;
            include portcullis:guest/log-writer@0.1.0;
        }
    "#,
    path: "../../../wit",
    world: "tests:hostile/hostile",
    generate_all,
});

use std::io::Write as _;

use exports::portcullis::guest::tools::{
    Component, Descriptor, Failure, Guest, Hints, Outcome, OutputContract, Request, Requirements,
};
use portcullis::guest::types::{ClientAbilities, FailureKind};

struct Hostile;

export!(Hostile);

/// Names of tools that take up what they can get, or give what they must not; all promise an
/// object with an integer `n`.
const TOOLS: &[&str] = &[
    "well_behaved",
    "loops",
    "sleeps",
    "panics",
    "exits",
    "allocates_without_end",
    "prints_json_rpc",
    "floods_stderr",
    "floods_stderr_with",
    "floods_progress",
    "returns_the_wrong_shape",
    "returns_invalid_json",
    "returns_100_mb",
];

impl Guest for Hostile {
    fn describe() -> Result<Component, String> {
        Ok(Component {
            name: "hostile".to_owned(),
            version: "0.1.0".to_owned(),
            requires: Requirements {
                http: Vec::new(),
                directories: Vec::new(),
                environment: Vec::new(),
                secrets: Vec::new(),
                client: ClientAbilities::empty(),
            },
            tools: descriptors(),
            extensions: Vec::new(),
        })
    }

    fn call(name: String, arguments: String, _request: Request) -> Result<Outcome, Failure> {
        if let Some(played) = says::play(&name, &arguments) {
            return played;
        }
        if let Some(told) = tells::play(&name, &arguments) {
            return Ok(told);
        }
        let json = match name.as_str() {
            "well_behaved" => r#"{"n":1}"#.to_owned(),
            "loops" => loop {
                std::hint::spin_loop();
            },
            "sleeps" => {
                std::thread::sleep(std::time::Duration::from_secs(3600));
                r#"{"n":1}"#.to_owned()
            }
            "panics" => panic!("the secret text of a panic"),
            "exits" => std::process::exit(7),
            "allocates_without_end" => allocate(),
            "prints_json_rpc" => {
                for id in 0..100 {
                    println!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[]}}}}"#);
                }
                r#"{"n":1}"#.to_owned()
            }
            "floods_stderr" => {
                let line = "x".repeat(4096);
                for _ in 0..10_000 {
                    eprintln!("{line}");
                }
                r#"{"n":1}"#.to_owned()
            }
            "floods_stderr_with" => {
                let mut stderr = std::io::stderr();
                let piece = vec![b'x'; 1 << 20];
                for _ in 0..argument::json(&arguments).parse().unwrap_or(0) {
                    // What the host drops it takes all the same.
                    stderr.write_all(&piece).expect("stderr takes everything");
                }
                r#"{"n":1}"#.to_owned()
            }
            "floods_progress" => {
                for done in 1..=10_000 {
                    portcullis::guest::progress::report(f64::from(done), None, Some("on and on"));
                }
                r#"{"n":1}"#.to_owned()
            }
            "returns_the_wrong_shape" => r#"{"wrong":"shape"}"#.to_owned(),
            "returns_invalid_json" => r#"{"n":1"#.to_owned(),
            "returns_100_mb" => hundred_megabytes(),
            _ => {
                return Err(Failure {
                    kind: FailureKind::NotFound,
                    message: format!("no tool {name}"),
                });
            }
        };
        Ok(Outcome::Value(says::value(json)))
    }
}

fn descriptors() -> Vec<Descriptor> {
    const N: &str =
        r#"{"type":"object","title":"N","properties":{"n":{"type":"integer"}},"required":["n"]}"#;
    let typed = |schema: &str| OutputContract::Typed(schema.to_owned());
    let n = TOOLS.iter().chain(says::TYPED).map(|name| descriptor(name, typed(N)));
    let any = says::ANY.iter().map(|name| descriptor(name, typed("{}")));
    let told = tells::TYPED.iter().map(|(name, schema)| descriptor(name, typed(schema)));
    let content = says::CONTENT.iter().chain(tells::CONTENT);
    let content = content.map(|name| descriptor(name, OutputContract::ContentOnly));
    n.chain(any).chain(told).chain(content).collect()
}

/// Every tool takes anything as `it`, or nothing.
fn descriptor(name: &str, output: OutputContract) -> Descriptor {
    Descriptor {
        name: name.to_owned(),
        title: None,
        description: None,
        input_schema: r#"{"type":"object","properties":{"it":{}}}"#.to_owned(),
        output,
        hints: Hints { read_only: None, destructive: None, idempotent: None, open_world: None },
        own_content: false,
        extensions: Vec::new(),
    }
}

fn allocate() -> ! {
    let mut kept: Vec<Vec<u8>> = Vec::new();
    loop {
        kept.push(vec![1; 1 << 20]);
        std::hint::black_box(&kept);
    }
}

/// Valid JSON of a little over 100 MB, in one allocation.
fn hundred_megabytes() -> String {
    let size = 100_000_000;
    let mut json = String::with_capacity(size + 100);
    json.push_str(r#"{"n":1,"padding":""#);
    json.extend(std::iter::repeat_n('x', size));
    json.push_str(r#""}"#);
    json
}
