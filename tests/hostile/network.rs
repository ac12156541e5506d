//! Requests of guests, with a server on loopback and a resolver that says what a test wants.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use libtest_mimic::Trial;
use portcullis::sandbox::{Resolver, Resolving};
use serde_json::json;

use super::figures::note;
use super::granted::Granted;
use crate::harness::{named, trials as named_trials};

pub(super) fn trials() -> Vec<Trial> {
    named_trials(
        "hostile",
        named![
            no_request_reaches_an_address_that_is_not_granted,
            a_granted_address_is_reached_and_only_there,
            a_name_that_is_answered_otherwise_later_leads_nowhere_else,
            a_redirect_is_a_request_of_its_own,
            what_is_not_granted_is_denied_with_the_line_to_add,
            a_guest_sets_no_host_and_smuggles_no_header,
            a_secret_goes_into_the_header_and_never_to_the_guest,
            requests_and_their_bytes_are_counted,
            a_call_that_is_dropped_has_a_receipt_of_what_it_reached,
        ],
    )
}

/// A server that keeps the heads of the requests that it gets. It ends when it is dropped.
struct Listening {
    address: SocketAddr,
    heads: Arc<Mutex<Vec<String>>>,
    serving: Option<JoinHandle<()>>,
}

impl Listening {
    /// One that answers each request with what `answer` makes of its head.
    fn with(answer: impl Fn(&str) -> String + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = listener.local_addr().expect("it has one");
        let heads: Arc<Mutex<Vec<String>>> = Arc::default();
        let kept = heads.clone();
        let serving = std::thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(stream) = stream else { continue };
                let Some(head) = head(&stream) else { return };
                let text = answer(&head);
                kept.lock().unwrap_or_else(PoisonError::into_inner).push(head);
                // A client that went away hears nothing.
                let _ = { &stream }.write_all(text.as_bytes());
            }
        });
        Self { address, heads, serving: Some(serving) }
    }

    fn new() -> Self {
        Self::with(|_| ok("hello"))
    }

    fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn port(&self) -> u16 {
        self.address.port()
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        // A connection that says nothing is the sign to end.
        drop(TcpStream::connect(self.address));
        if let Some(serving) = self.serving.take() {
            let _ = serving.join();
        }
    }
}

/// The head of a request, if there is one.
fn head(stream: &TcpStream) -> Option<String> {
    let mut head = String::new();
    for line in BufReader::new(stream).lines() {
        let line = line.ok()?;
        if line.is_empty() {
            return Some(head);
        }
        head.push_str(&(line + "\n"));
    }
    None
}

fn ok(body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
}

/// A resolver that gives these answers, one after the other, and the last one for ever.
struct Answers(Mutex<Vec<IpAddr>>);

impl Answers {
    fn of(addresses: &[IpAddr]) -> Arc<Self> {
        Arc::new(Self(Mutex::new(addresses.iter().rev().copied().collect())))
    }
}

impl Resolver for Answers {
    fn resolve<'a>(&'a self, _name: &'a str) -> Resolving<'a> {
        let mut left = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = if left.len() > 1 { left.pop() } else { left.last().copied() };
        Box::pin(async move { Ok(answer.into_iter().collect()) })
    }
}

const LOOPBACK: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

fn granted(lines: &str, answers: &[IpAddr]) -> Granted {
    Granted::of(lines, &[("key", SECRET)], Some(Answers::of(answers)))
}

fn grants(http: &[String], more: &str) -> String {
    format!("[components.reaching.grants]\nhttp = {}\n{more}\n", json!(http))
}

const SECRET: &str = "canary-0b8d66f2";

/// Addresses that must not be reached by whoever may speak to the whole web.
const FORBIDDEN: [&str; 14] = [
    "127.0.0.1",
    "0.0.0.0",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "::1",
    "::ffff:127.0.0.1",
    "fe80::1",
    "fd00::1",
    "fd00:ec2::254",
    "64:ff9b::7f00:1",
    "2002:7f00:1::1",
];

fn no_request_reaches_an_address_that_is_not_granted() {
    let listening = Listening::new();
    let port = listening.port();
    let any = [format!("*:{port}"), format!("forbidden.example:{port}")];
    for address in FORBIDDEN {
        let address: IpAddr = address.parse().expect("it is one");
        let granted = granted(&grants(&any, ""), &[address]);
        let literal = SocketAddr::new(address, port);
        for url in [format!("http://forbidden.example:{port}/"), format!("http://{literal}/")] {
            let error = granted.error("fetch", json!({ "url": url, "headers": [] }));
            assert!(error.contains("it was denied http"), "{url}: {error}");
        }
    }
    assert_eq!(listening.heads(), [""; 0], "nobody came");
    note(32, "14 forbidden addresses, by name and by literal: hits", 0);
}

fn a_granted_address_is_reached_and_only_there() {
    let listening = Listening::new();
    let port = listening.port();
    let http = [format!("127.0.0.1:{port}"), format!("local.example:{port}")];
    let granted = granted(&grants(&http, ""), &[LOOPBACK]);
    for host in ["127.0.0.1", "local.example"] {
        let url = format!("http://{host}:{port}/a?b=c");
        assert_eq!(granted.value("fetch", json!({ "url": url, "headers": [] })), "200 hello");
    }
    let other = format!("http://127.0.0.1:{}/", port ^ 1);
    granted.error("fetch", json!({ "url": other, "headers": [] }));
    let heads = listening.heads();
    assert_eq!(heads.len(), 2);
    assert!(heads[0].starts_with("GET /a?b=c HTTP/1.1\n"), "{heads:?}");
    let receipts = granted.receipts();
    assert_eq!(receipts[1]["hosts"], json!([format!("local.example:{port}")]));
    assert_eq!(receipts[2]["hosts"], json!([]));
    assert_eq!(receipts[2]["denied"], json!([format!("http to `127.0.0.1:{}`", port ^ 1)]));
}

/// The first answer is the granted address; what is answered later is never asked for within a
/// request, and is refused in the next one.
fn a_name_that_is_answered_otherwise_later_leads_nowhere_else() {
    let listening = Listening::new();
    let port = listening.port();
    let rebound: IpAddr = "127.0.0.2".parse().expect("it is one");
    let http = [format!("127.0.0.1:{port}"), format!("rebinds.example:{port}")];
    let granted = granted(&grants(&http, ""), &[LOOPBACK, rebound]);
    let url = json!({ "url": format!("http://rebinds.example:{port}/"), "headers": [] });
    assert_eq!(granted.value("fetch", url.clone()), "200 hello");
    let error = granted.error("fetch", url);
    let told = format!(
        "it was denied http to `rebinds.example:{port}`, which leads to the private address \
         `127.0.0.2:{port}`"
    );
    assert!(error.contains(&told), "{error}");
}

fn a_redirect_is_a_request_of_its_own() {
    let listening = Listening::with(|_| {
        "HTTP/1.1 302 Found\r\nlocation: http://169.254.169.254/\r\ncontent-length: 0\r\n\
         connection: close\r\n\r\n"
            .to_owned()
    });
    let http = [format!("127.0.0.1:{}", listening.port())];
    let granted = granted(&grants(&http, ""), &[LOOPBACK]);
    let url = format!("http://{}/", listening.address);
    // The guest is told of the redirect, and the host follows none.
    assert_eq!(granted.value("fetch", json!({ "url": url, "headers": [] })), "302 ");
    assert_eq!(listening.heads().len(), 1);
    let metadata = json!({ "url": "http://169.254.169.254/", "headers": [] });
    let error = granted.error("fetch", metadata);
    assert!(error.contains("it was denied http to `169.254.169.254:80`"), "{error}");
}

fn what_is_not_granted_is_denied_with_the_line_to_add() {
    let granted = granted(&grants(&["a.example:443".to_owned()], ""), &[LOOPBACK]);
    let url = json!({ "url": "https://b.example/", "headers": [] });
    let error = granted.error("fetch", url);
    assert!(
        error.ends_with(
            "; it was denied http to `b.example:443`, which it was not granted; add \
             `http = [\"b.example:443\"]` under `[components.reaching.grants]` in portcullis.toml"
        ),
        "{error}"
    );
}

fn a_guest_sets_no_host_and_smuggles_no_header() {
    let listening = Listening::new();
    let port = listening.port();
    let granted = granted(&grants(&[format!("127.0.0.1:{port}")], ""), &[LOOPBACK]);
    let url = format!("http://127.0.0.1:{port}/");
    for (name, value) in [
        ("host", "other.example"),
        ("Host", "other.example"),
        ("x", "a\r\nhost: other.example"),
        ("x\r\nhost", "other.example"),
        ("transfer-encoding", "chunked"),
        ("connection", "keep-alive"),
        ("proxy-authorization", "x"),
    ] {
        granted.error("fetch", json!({ "url": url, "headers": [[name, value]] }));
    }
    granted.error("fetch", json!({ "url": format!("{url}\r\nx: y"), "headers": [] }));
    granted
        .error("fetch", json!({ "url": format!("http://user@127.0.0.1:{port}/"), "headers": [] }));
    let fine = json!({ "url": url, "headers": [["x-fine", "yes"]] });
    assert_eq!(granted.value("fetch", fine), "200 hello");
    let heads = listening.heads();
    let [head] = &heads[..] else { panic!("{heads:?}") };
    let hosts: Vec<&str> = head.lines().filter(|line| line.starts_with("host:")).collect();
    assert_eq!(hosts, [format!("host: 127.0.0.1:{port}")]);
    assert!(head.contains("x-fine: yes\n"), "{head}");
}

fn a_secret_goes_into_the_header_and_never_to_the_guest() {
    // A server that gives away what it was sent.
    let listening = Listening::with(|head| ok(&head.replace('\n', " ")));
    let quiet = Listening::new();
    let [port, other] = [listening.port(), quiet.port()];
    let hosts = [format!("127.0.0.1:{port}"), format!("127.0.0.1:{other}")];
    let secret = format!(
        "secrets.KEY = {{ file = \"key\", header = \"authorization\", value = \"Bearer {{}}\", \
         hosts = [\"127.0.0.1:{port}\"] }}"
    );
    let granted = granted(&grants(&hosts, &secret), &[LOOPBACK]);
    assert_eq!(granted.value("variables", json!({})), json!([]));
    let own = json!([["authorization", "Bearer of-the-guest"]]);
    let url = format!("http://127.0.0.1:{port}/");
    let error = granted.error("fetch", json!({ "url": url, "headers": own }));
    assert!(error.contains("what it says holds the secret `KEY`"), "{error}");
    let sent = listening.heads().concat();
    assert!(sent.contains(&format!("authorization: Bearer {SECRET}\n")), "{sent}");
    assert!(!sent.contains("of-the-guest"), "{sent}");
    // Another host gets none.
    let url = format!("http://127.0.0.1:{other}/");
    assert_eq!(granted.value("fetch", json!({ "url": url, "headers": [] })), "200 hello");
    assert!(!quiet.heads().concat().contains("authorization"));
}

fn requests_and_their_bytes_are_counted() {
    let listening = Listening::with(|_| ok(&"x".repeat(10_000)));
    let port = listening.port();
    let limits = "[components.reaching.limits]\nhttp_requests_max = 5\nhttp_bytes_max = 35_000\n";
    let lines = limits.to_owned() + &grants(&[format!("127.0.0.1:{port}")], "");
    let granted = granted(&lines, &[LOOPBACK]);
    let url = format!("http://127.0.0.1:{port}/");
    let results = granted.value("fetch_often", json!({ "url": url, "count": 8 }));
    let whole = |text: &str| text.len() == "200 ".len() + 10_000;
    let results: Vec<&str> =
        results.as_array().expect("a list").iter().filter_map(|r| r.as_str()).collect();
    assert_eq!(results.len(), 8);
    assert_eq!(results.iter().filter(|text| whole(text)).count(), 3, "30,000 of 35,000 bytes");
    assert_eq!(listening.heads().len(), 5);
    let denied = granted.receipts()[0]["denied"].clone();
    assert_eq!(denied, json!(["`http_bytes_max` = 35000", "`http_requests_max` = 5"]));
}

fn a_call_that_is_dropped_has_a_receipt_of_what_it_reached() {
    let (asked, was_asked) = std::sync::mpsc::channel();
    let (let_go, wait) = std::sync::mpsc::channel::<()>();
    let listening = Listening::with(move |_| {
        asked.send(()).expect("the test waits");
        // Until the call is gone.
        let _ = wait.recv();
        ok("late")
    });
    let port = listening.port();
    let granted = granted(&grants(&[format!("127.0.0.1:{port}")], ""), &[LOOPBACK]);
    let url = format!("http://127.0.0.1:{port}/");
    let arguments = json!({ "url": url, "headers": [] });
    let serde_json::Value::Object(arguments) = arguments else { panic!("no object") };
    let asked = portcullis::call::Asked::new("fetch".to_owned(), arguments);
    granted.runtime.block_on(async {
        let was_asked = tokio::task::spawn_blocking(move || was_asked.recv());
        tokio::select! {
            _ = granted.host.call(asked) => panic!("nothing was answered"),
            asked = was_asked => asked.expect("it ends").expect("the server was asked"),
        }
    });
    drop(let_go);
    let receipts = granted.receipts();
    assert_eq!(receipts[0]["outcome"], "cancelled");
    assert_eq!(receipts[0]["hosts"], json!([format!("127.0.0.1:{port}")]));
    assert!(receipts[0]["peak_memory_bytes"].as_u64() > Some(0));
    assert!(receipts[0]["guest_us"].as_u64() > Some(0));
}
