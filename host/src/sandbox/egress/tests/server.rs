//! A server for one test, which ends with it.
//!
//! It keeps what it was sent, so that tests look at the bytes and not at what was meant.

use std::sync::{Arc, Mutex};

use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::task::{JoinHandle, JoinSet};
use tokio_rustls::TlsAcceptor;

/// What the server trusts itself with: `a.example`, for a hundred years.
pub(super) const CERTIFICATE: &[u8] = include_bytes!("certificate.pem");
const KEY: &[u8] = include_bytes!("key.pem");

pub(super) struct Server {
    port: u16,
    log: Arc<Log>,
    task: JoinHandle<()>,
}

#[derive(Default)]
struct Log {
    /// Each connection with what came by it.
    connections: Mutex<Vec<String>>,
    received: Notify,
    closed: Notify,
}

/// What it does after a request.
#[derive(Clone)]
pub(super) enum Answer {
    /// Sends this and nothing else.
    Bytes(Vec<u8>),
    /// Sends this, and then nothing until the connection is closed.
    Hang(&'static str),
}

impl Answer {
    pub(super) fn body(body: &str) -> Self {
        let length = body.len();
        Self::Bytes(format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n{body}").into())
    }
}

impl Server {
    pub(super) async fn start(answer: Answer) -> Self {
        Self::on(answer, None).await
    }

    /// One that speaks TLS.
    pub(super) async fn secure(answer: Answer) -> Self {
        let certificate = CertificateDer::from_pem_slice(CERTIFICATE).unwrap();
        let key = PrivateKeyDer::from_pem_slice(KEY).unwrap();
        let ring = Arc::new(rustls::crypto::ring::default_provider());
        let config = rustls::ServerConfig::builder_with_provider(ring)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate], key)
            .unwrap();
        Self::on(answer, Some(TlsAcceptor::from(Arc::new(config)))).await
    }

    #[expect(clippy::disallowed_methods, reason = "a server of tests, on loopback")]
    async fn on(answer: Answer, tls: Option<TlsAcceptor>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let log = Arc::new(Log::default());
        let task = tokio::spawn(serve(listener, tls, answer, log.clone()));
        Self { port, log, task }
    }

    pub(super) fn at(&self, host: &str) -> String {
        format!("{host}:{}", self.port)
    }

    /// What came by each connection.
    pub(super) fn connections(&self) -> Vec<String> {
        self.log.connections.lock().unwrap().clone()
    }

    /// Waits until a request is there.
    pub(super) async fn received(&self) {
        self.log.received.notified().await;
    }

    /// Waits until the other side closes a connection.
    pub(super) async fn closed(&self) {
        self.log.closed.notified().await;
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(listener: TcpListener, tls: Option<TlsAcceptor>, answer: Answer, log: Arc<Log>) {
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        let number = {
            let mut connections = log.connections.lock().unwrap();
            connections.push(String::new());
            connections.len() - 1
        };
        let (tls, answer, log) = (tls.clone(), answer.clone(), log.clone());
        connections.spawn(async move {
            match tls {
                None => converse(stream, number, answer, log).await,
                Some(tls) => match tls.accept(stream).await {
                    Ok(stream) => converse(stream, number, answer, log).await,
                    Err(_) => log.closed.notify_one(),
                },
            }
        });
    }
}

async fn converse(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    number: usize,
    answer: Answer,
    log: Arc<Log>,
) {
    let mut received = Vec::new();
    while !is_whole(&received) {
        match stream.read_buf(&mut received).await {
            Ok(1..) => {}
            Ok(0) | Err(_) => break,
        }
    }
    log.connections.lock().unwrap()[number] = String::from_utf8_lossy(&received).into_owned();
    log.received.notify_one();
    let bytes = match &answer {
        Answer::Bytes(bytes) => bytes.as_slice(),
        Answer::Hang(head) => head.as_bytes(),
    };
    // The other side may be gone already.
    let sent = stream.write_all(bytes).await.and(stream.flush().await);
    if let (Answer::Hang(_), Ok(())) = (answer, sent) {
        while let Ok(1..) = stream.read_buf(&mut received).await {}
    }
    log.closed.notify_one();
}

/// Whether these are a head and the body that it announces.
fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request);
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    if head.contains("transfer-encoding: chunked") {
        return body.ends_with("0\r\n\r\n");
    }
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    body.len() >= length.map_or(0, |length| length.parse().unwrap())
}
