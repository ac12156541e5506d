//! One small document, from where the operator says it is.
//!
//! No redirect is followed, and nothing of a request goes out with it.

use std::time::Duration;

use http::header::{ACCEPT, HOST};
use http::{Request, StatusCode, Uri};
use http_body_util::{BodyExt as _, Empty, Limited};
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

use crate::sandbox::Tls;

/// How long it may take.
const DEADLINE: Duration = Duration::from_secs(10);
/// Bytes of it.
const BYTES_MAX: usize = 1 << 20;

/// What gets it.
#[derive(Default)]
pub(super) struct Fetch {
    tls: Tls,
}

impl Fetch {
    /// The text at `url`.
    ///
    /// # Errors
    /// A few words that say why there is none.
    pub(super) async fn get(&self, url: &Uri) -> Result<String, String> {
        let got = tokio::time::timeout(DEADLINE, self.connected(url)).await;
        got.unwrap_or_else(|_| Err(format!("it takes longer than {} s", DEADLINE.as_secs())))
    }

    #[expect(clippy::disallowed_methods, reason = "the door to the keys that the operator names")]
    async fn connected(&self, url: &Uri) -> Result<String, String> {
        let secure = url.scheme_str() == Some("https");
        let host = url.host().unwrap_or_default().trim_matches(['[', ']']).to_owned();
        let port = url.port_u16().unwrap_or(if secure { 443 } else { 80 });
        let stream = TcpStream::connect((host.as_str(), port)).await.map_err(words)?;
        if !secure {
            return asked(stream, url).await;
        }
        let connector = self.tls.connector().await.map_err(words)?;
        let name = ServerName::try_from(host).map_err(words)?;
        asked(connector.connect(name, stream).await.map_err(words)?, url).await
    }
}

async fn asked(
    stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
    url: &Uri,
) -> Result<String, String> {
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(words)?;
    let connection = tokio::spawn(connection);
    let path = url.path_and_query().map_or("/", |path| path.as_str());
    let request = Request::get(path)
        .header(HOST, url.authority().map_or("", |authority| authority.as_str()))
        .header(ACCEPT, "application/json")
        .body(Empty::<bytes::Bytes>::new())
        .map_err(words)?;
    let reply = sender.send_request(request).await.map_err(words)?;
    if reply.status() != StatusCode::OK {
        return Err(format!("it answers {}", reply.status()));
    }
    let body = Limited::new(reply.into_body(), BYTES_MAX).collect().await.map_err(words)?;
    connection.abort();
    String::from_utf8(body.to_bytes().to_vec()).map_err(words)
}

fn words(error: impl std::fmt::Display) -> String {
    error.to_string()
}
