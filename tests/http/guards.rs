//! Who is let in: by which name, from which page, with how large a body, and where it listens.

use std::path::Path;

use libtest_mimic::Trial;
use serde_json::{Value, json};

use super::{Served, message};
use crate::harness::{named, run, trials as named_trials, weather};

pub(super) fn trials() -> Vec<Trial> {
    named_trials(
        "http::guards",
        named![
            a_server_tells_how_it_is,
            a_name_or_a_page_that_is_not_known_is_refused,
            a_page_that_is_let_in_may_read_what_it_asks_for,
            a_body_that_is_too_large_is_refused_with_its_limit,
            nobody_listens_for_strangers_unless_told_so_in_as_many_words,
            wrong_config_is_said_with_its_place,
            a_client_that_asks_too_often_is_told_when_to_come_back,
            sessions_beyond_the_limit_and_idle_ones_end,
        ],
    )
}

fn hello() -> String {
    message(
        1,
        "initialize",
        json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": { "name": "t", "version": "0" },
        }),
    )
}

/// A server whose config has `[http]` as given.
pub(super) fn configured(http: &str) -> (tempfile::TempDir, Served) {
    let directory = tempfile::tempdir().expect("a directory can be made");
    let file = directory.path().join("portcullis.toml");
    std::fs::write(&file, http).expect("a file can be written");
    let arguments = ["--config".into(), file.into_os_string(), weather().into()];
    (directory, Served::start(&arguments))
}

fn a_server_tells_how_it_is() {
    let served = Served::start(&[weather()]);
    for (path, text) in [("/health", "ok\n"), ("/ready", "ready\n")] {
        let reply = served.get(path);
        assert_eq!((reply.status, reply.body.as_str()), (200, text));
    }
    assert_eq!(served.get("/").status, 404);
    let run = run(Path::new("/"), &["status", "--json", &served.pid().to_string()]);
    let reports: Value = serde_json::from_str(&run.stdout).expect("it prints JSON");
    assert_eq!(reports[0]["url"], format!("http://{}/mcp", served.address));
}

fn a_name_or_a_page_that_is_not_known_is_refused() {
    let served = Served::start(&[weather()]);
    for (name, value) in [
        ("host", "evil.example"),
        ("origin", "https://evil.example"),
        ("origin", "null"),
        ("origin", "http://localhost:6274"),
    ] {
        let reply = served.post(&[(name, value)], &hello());
        assert_eq!(reply.status, 403, "{name}: {value}");
        assert_eq!(reply.header("mcp-session-id"), None);
        assert_eq!(reply.header("access-control-allow-origin"), None);
    }
}

fn a_page_that_is_let_in_may_read_what_it_asks_for() {
    let (_directory, served) = configured("[http]\nallowed_origins = [\"https://app.example\"]\n");
    let origin = ("origin", "https://app.example");
    let reply = served.post(&[origin], &hello());
    assert_eq!(reply.status, 200);
    assert_eq!(reply.header("access-control-allow-origin").as_deref(), Some("https://app.example"));
    let asks = "OPTIONS /mcp HTTP/1.1\r\nhost: localhost\r\norigin: https://app.example\r\n\
                access-control-request-headers: mcp-session-id\r\nconnection: close\r\n\r\n";
    let told = served.raw(asks.as_bytes());
    assert_eq!(told.status, 204);
    assert_eq!(told.header("access-control-allow-headers").as_deref(), Some("mcp-session-id"));
}

fn a_body_that_is_too_large_is_refused_with_its_limit() {
    let (_directory, served) = configured("[http.limits]\nbody_bytes_max = 2048\n");
    let reply = served.post(&[], &" ".repeat(2049));
    assert_eq!(reply.status, 413);
    assert!(reply.body.contains("2048"), "{reply:?}");
    let padded = hello() + &" ".repeat(2048 - hello().len());
    assert_eq!(served.post(&[], &padded).status, 200);
    // RFC 9112, 7.1: chunks have no length beforehand.
    let chunk = "7FF\r\n".to_owned() + &" ".repeat(0x7ff) + "\r\n";
    let chunked = "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
                   accept: application/json, text/event-stream\r\nconnection: close\r\n\
                   transfer-encoding: chunked\r\n\r\n"
        .to_owned()
        + &chunk.repeat(2)
        + "0\r\n\r\n";
    assert_eq!(served.raw(chunked.as_bytes()).status, 413);
}

fn nobody_listens_for_strangers_unless_told_so_in_as_many_words() {
    let directory = tempfile::tempdir().expect("a directory can be made");
    let weather = weather().to_str().expect("a path of UTF-8");
    let refused = run(directory.path(), &["serve", "--http", "0.0.0.0:0", weather]);
    assert_eq!(refused.status, 2);
    assert!(refused.stderr.contains("--allow-unauthenticated"), "{}", refused.stderr);
    assert_eq!(refused.stderr.lines().count(), 1, "{}", refused.stderr);
    let mut command = crate::harness::program();
    command.args(["serve", "--http", "0.0.0.0:0", "--allow-unauthenticated", weather]);
    let served = Served::of(&mut command);
    served.wait_for_log(|log| log.contains("anybody who reaches"));
}

fn wrong_config_is_said_with_its_place() {
    let directory = tempfile::tempdir().expect("a directory can be made");
    let file = directory.path().join("portcullis.toml");
    let wrong = [
        ("[http]\nlisten = \"8080\"\n", "portcullis.toml:2:10: "),
        ("[http]\nlisten_at = 1\n", "did you mean `listen`?"),
        ("[http]\nallowed_origins = [\"app.example\"]\n", "portcullis.toml:2:20: "),
        ("[http.tokens.a]\nenv = \"NOT_SET_ANYWHERE\"\n", "`NOT_SET_ANYWHERE` is not set"),
        ("[http.tokens.a]\n", "either `env`"),
        ("[http.limits]\nsessions_max = 0\n", "it can be 1 to 100000"),
        (
            "[http.oauth]\nresource = \"http://tools.example/mcp\"\nissuer = \"https://a.example\"\n\
             jwks = \"k.json\"\n",
            "portcullis.toml:2:12: `resource` is no URL with `https`",
        ),
    ];
    for (text, expected) in wrong {
        std::fs::write(&file, text).expect("a file can be written");
        let weather = weather().to_str().expect("a path of UTF-8");
        let run = run(directory.path(), &["serve", "--config", "portcullis.toml", weather]);
        assert_eq!(run.status, 2, "{text}");
        assert!(run.stderr.contains(expected), "{text}: {}", run.stderr);
    }
}

fn a_client_that_asks_too_often_is_told_when_to_come_back() {
    let (_directory, served) = configured("[http.limits]\nclient_requests_per_second_max = 1\n");
    let replies: Vec<_> = (0..20).map(|_| served.post(&[], &hello())).collect();
    let (refused, answered): (Vec<_>, Vec<_>) =
        replies.into_iter().partition(|reply| reply.status == 429);
    assert!(!refused.is_empty() && !answered.is_empty());
    for reply in refused {
        let seconds = reply.header("retry-after").and_then(|seconds| seconds.parse::<u64>().ok());
        assert!(seconds.is_some_and(|seconds| seconds > 0), "{reply:?}");
    }
}

fn sessions_beyond_the_limit_and_idle_ones_end() {
    let (_directory, served) =
        configured("[http.limits]\nsessions_max = 2\nsession_idle_ms = 400\n");
    let (first, second) = (served.session(), served.session());
    // Both have a stream open, so neither gives way.
    let streams = [&first, &second].map(|session| session.stream());
    let refused = served.post(&[], &hello());
    assert_eq!(refused.status, 503, "{refused:?}");
    assert!(refused.body.contains("sessions_max"));
    drop(streams);
    // Whoever asks on keeps a session; the other one ends by itself, and makes room.
    let mut tries = 0;
    while second.request("ping", json!({})).status != 404 {
        std::thread::sleep(std::time::Duration::from_millis(1000));
        tries += 1;
        assert!(tries < 60, "an idle session never ends");
    }
    assert_eq!(served.post(&[], &hello()).status, 200);
}
