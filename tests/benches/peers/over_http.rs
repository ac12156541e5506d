//! HTTP/1.1 by hand, over connections that are kept: requests of 2026-07-28, which need no session.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::peer::{Call, Peer};

/// What a server says on stderr before its address.
pub(crate) const LISTENING: &str = "listening at http://";
/// How long a server may take until it listens.
const HANG: Duration = Duration::from_secs(120);

/// What every request of this era says of its client.
const META: &str = r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"lean","version":"0"},"io.modelcontextprotocol/clientCapabilities":{}}"#;

/// A server over HTTP.
pub(crate) struct OverHttp {
    child: Child,
    address: SocketAddr,
    /// One for each call in flight.
    connections: Vec<Connection>,
}

struct Connection {
    stream: BufReader<TcpStream>,
    line: String,
    body: Vec<u8>,
    next_id: u64,
}

impl OverHttp {
    /// Starts a server, and waits until it says where it listens.
    pub(crate) fn start(command: &mut Command) -> Self {
        // Nobody has to read what a server writes to a file, as with the null of stdio.
        let log = tempfile::NamedTempFile::new().expect("the temporary directory can be written");
        let child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log.reopen().expect("it was made"))
            .spawn()
            .expect("the command starts");
        let began = Instant::now();
        let address = loop {
            let said = std::fs::read_to_string(log.path()).expect("it can be read");
            let address = said.split_once(LISTENING).and_then(|(_, rest)| rest.split_once("/mcp"));
            if let Some((address, _)) = address {
                break address.parse().expect("it is an address");
            }
            assert!(began.elapsed() < HANG, "the server does not listen: {said}");
            std::thread::sleep(Duration::from_millis(5));
        };
        Self { child, address, connections: vec![Connection::open(address)] }
    }
}

impl Connection {
    fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).expect("the server listens");
        stream.set_nodelay(true).expect("it is connected");
        let stream = BufReader::with_capacity(1 << 20, stream);
        Self { stream, line: String::new(), body: Vec::new(), next_id: 0 }
    }

    fn exchange(&mut self, Call { tool, arguments }: Call) {
        self.next_id += 1;
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments},"_meta":{META}}}}}"#,
            self.next_id
        );
        let request = format!(
            "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
             accept: application/json, text/event-stream\r\nmcp-protocol-version: 2026-07-28\r\n\
             mcp-method: tools/call\r\nmcp-name: {tool}\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes()).expect("the server reads");
        self.read();
    }

    /// Reads a reply that is one JSON document of a known length, as all of these are.
    fn read(&mut self) {
        let mut length = None;
        self.read_line();
        assert!(self.line.starts_with("HTTP/1.1 200 "), "the server says: {}", self.line);
        loop {
            self.read_line();
            let Some((name, value)) = self.line.split_once(':') else { break };
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse().ok();
            }
        }
        self.body.resize(length.expect("the reply has a length"), 0);
        self.stream.read_exact(&mut self.body).expect("the server writes");
    }

    fn read_line(&mut self) {
        self.line.clear();
        self.stream.read_line(&mut self.line).expect("the server writes");
        assert!(!self.line.is_empty(), "the server is gone");
    }
}

impl Peer for OverHttp {
    fn reply(&mut self, call: Call) -> &[u8] {
        let connection = &mut self.connections[0];
        connection.exchange(call);
        &connection.body
    }

    /// A server closes connections that nobody uses, as those of one are while the others are measured.
    fn begin(&mut self, in_flight: usize) {
        self.connections.clear();
        self.connections.extend((0..in_flight).map(|_| Connection::open(self.address)));
    }

    /// Each connection has a thread, and its part of the calls.
    fn time_many(&mut self, call: Call, calls: usize, in_flight: usize) -> Duration {
        let began = Instant::now();
        std::thread::scope(|scope| {
            for (number, connection) in self.connections[..in_flight].iter_mut().enumerate() {
                let part = calls / in_flight + usize::from(number < calls % in_flight);
                scope.spawn(move || (0..part).for_each(|_| connection.exchange(call)));
            }
        });
        began.elapsed()
    }

    fn process(&self) -> &Child {
        &self.child
    }
}

impl Drop for OverHttp {
    fn drop(&mut self) {
        // Both fail for a server that has ended, which is as well.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
