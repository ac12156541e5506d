//! Plain functions that reach for what the host has: files, variables, the network, clocks.
//!
//! It has no descriptor, so it gets what is granted to it, and nothing else.

#![cfg(target_family = "wasm")]

use std::io::Write as _;

use wasip2::http::outgoing_handler;
use wasip2::http::types::{Fields, OutgoingRequest, Scheme};

wit_bindgen::generate!({
    inline: "
        package test:reach;
        world reach {
            /// The body of the answer, or why there is none.
            export fetch: func(url: string, headers: list<tuple<string, string>>) -> result<string, string>;
            /// The statuses or errors of so many requests.
            export fetch-often: func(url: string, count: u32) -> list<string>;
            export read-file: func(path: string) -> result<string, string>;
            export write-file: func(path: string, text: string) -> result<string, string>;
            /// Writes pieces of 64 KiB until it is told to stop, and says how many bytes went in.
            export fill: func(path: string, pieces: u32) -> tuple<u64, string>;
            export list-files: func(path: string) -> result<list<string>, string>;
            export variables: func() -> list<tuple<string, string>>;
            export arguments: func() -> list<string>;
            export random: func() -> u64;
            /// Readings of the monotonic clock and of the nanoseconds of the wall clock.
            export clocks: func(count: u32) -> list<tuple<u64, u32>>;
            export connect: func(address: string) -> result<string, string>;
            export say: func(text: string) -> string;
            export say-bytes: func(text: string) -> list<u8>;
            export fail: func(text: string) -> result<string, string>;
            export print: func(text: string) -> string;
            export stop: func(text: string);
            export hash-seeds: func() -> list<u64>;
            /// Makes handles and keeps them.
            export hoard: func(count: u32) -> u32;
            /// Opens the file so often, and counts how often it could be read and what it said.
            export read-often: func(path: string, count: u32) -> tuple<u32, list<string>>;
            /// How often this instance was asked.
            export count: func() -> u32;
        }
    ",
});

struct Reach;

export!(Reach);

impl Guest for Reach {
    fn fetch(url: String, headers: Vec<(String, String)>) -> Result<String, String> {
        fetch(&url, &headers)
    }

    fn fetch_often(url: String, count: u32) -> Vec<String> {
        (0..count).map(|_| fetch(&url, &[]).unwrap_or_else(|error| error)).collect()
    }

    fn read_file(path: String) -> Result<String, String> {
        std::fs::read_to_string(path).map_err(|error| error.to_string())
    }

    fn write_file(path: String, text: String) -> Result<String, String> {
        std::fs::write(path, text).map(|()| "written".to_owned()).map_err(|error| error.to_string())
    }

    fn fill(path: String, pieces: u32) -> (u64, String) {
        let piece = vec![7; 64 << 10];
        let mut file = match std::fs::File::create(path) {
            Ok(file) => file,
            Err(error) => return (0, error.to_string()),
        };
        let mut written = 0;
        for _ in 0..pieces {
            match file.write(&piece) {
                Ok(0) => return (written, "nothing was written".to_owned()),
                Ok(count) => written += count as u64,
                Err(error) => return (written, error.to_string()),
            }
        }
        (written, "done".to_owned())
    }

    fn list_files(path: String) -> Result<Vec<String>, String> {
        let entries = std::fs::read_dir(path).map_err(|error| error.to_string())?;
        let names = entries.map(|entry| {
            let entry = entry.map_err(|error| error.to_string())?;
            Ok(entry.file_name().to_string_lossy().into_owned())
        });
        names.collect()
    }

    fn variables() -> Vec<(String, String)> {
        std::env::vars().collect()
    }

    fn arguments() -> Vec<String> {
        std::env::args().collect()
    }

    fn random() -> u64 {
        wasip2::random::random::get_random_u64()
    }

    fn clocks(count: u32) -> Vec<(u64, u32)> {
        let reading = |_| {
            let wall = wasip2::clocks::wall_clock::now();
            (wasip2::clocks::monotonic_clock::now(), wall.nanoseconds)
        };
        (0..count).map(reading).collect()
    }

    fn connect(address: String) -> Result<String, String> {
        let connected = std::net::TcpStream::connect(address);
        connected.map(|_| "connected".to_owned()).map_err(|error| error.to_string())
    }

    fn say(text: String) -> String {
        text
    }

    fn say_bytes(text: String) -> Vec<u8> {
        text.into_bytes()
    }

    fn fail(text: String) -> Result<String, String> {
        Err(text)
    }

    fn print(text: String) -> String {
        eprintln!("{text}");
        "printed".to_owned()
    }

    fn stop(text: String) {
        panic!("{text}");
    }

    fn hoard(count: u32) -> u32 {
        let kept: Vec<Fields> = (0..count).map(|_| Fields::new()).collect();
        u32::try_from(kept.len()).unwrap_or(u32::MAX)
    }

    fn read_often(path: String, count: u32) -> (u32, Vec<String>) {
        let mut read = 0;
        let mut texts = Vec::new();
        for _ in 0..count {
            if let Ok(text) = std::fs::read_to_string(&path) {
                read += 1;
                if !texts.contains(&text) && texts.len() < 10 {
                    texts.push(text);
                }
            }
        }
        (read, texts)
    }

    fn count() -> u32 {
        use std::sync::atomic::{AtomicU32, Ordering};
        static ASKED: AtomicU32 = AtomicU32::new(0);
        ASKED.fetch_add(1, Ordering::Relaxed) + 1
    }

    fn hash_seeds() -> Vec<u64> {
        use std::hash::BuildHasher as _;
        (0..2).map(|_| std::collections::hash_map::RandomState::new().hash_one(1)).collect()
    }
}

/// A GET request of `scheme://authority/path`.
fn fetch(url: &str, headers: &[(String, String)]) -> Result<String, String> {
    let (scheme, rest) = url.split_once("://").ok_or("no scheme")?;
    let (authority, path) = match rest.find('/') {
        Some(at) => rest.split_at(at),
        None => (rest, "/"),
    };
    let fields = Fields::new();
    for (name, value) in headers {
        fields.append(name, value.as_bytes()).map_err(|error| format!("{error:?}"))?;
    }
    let request = OutgoingRequest::new(fields);
    let scheme = match scheme {
        "http" => Scheme::Http,
        "https" => Scheme::Https,
        other => Scheme::Other(other.to_owned()),
    };
    request.set_scheme(Some(&scheme)).map_err(|()| "scheme refused")?;
    request.set_authority(Some(authority)).map_err(|()| "authority refused")?;
    request.set_path_with_query(Some(path)).map_err(|()| "path refused")?;
    let sent = outgoing_handler::handle(request, None).map_err(|error| format!("{error:?}"))?;
    sent.subscribe().block();
    let answer = sent.get().ok_or("not ready")?.map_err(|()| "taken twice")?;
    let answer = answer.map_err(|error| format!("{error:?}"))?;
    let body = answer.consume().map_err(|()| "no body")?;
    let stream = body.stream().map_err(|()| "no stream")?;
    let mut bytes = Vec::new();
    while let Ok(piece) = stream.blocking_read(64 << 10) {
        bytes.extend(piece);
    }
    Ok(format!("{} {}", answer.status(), String::from_utf8_lossy(&bytes)))
}
