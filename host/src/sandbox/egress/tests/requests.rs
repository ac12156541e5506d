//! What goes over the wire, and what does not.

use super::server::{Answer, Server};
use super::*;
use crate::grants::Lack;

/// A guest that may speak to `server` by its address, and the URI for that.
fn allowed(server: &Server) -> (Setting, String) {
    let host = server.at("127.0.0.1");
    (Setting::new(std::slice::from_ref(&host)), format!("http://{host}/"))
}

/// The lines of a request's head, sorted but for the first.
fn lines(request: &str) -> Vec<&str> {
    let head = request.split_once("\r\n\r\n").map_or(request, |(head, _)| head);
    let mut lines: Vec<&str> = head.lines().collect();
    lines[1..].sort_unstable();
    lines
}

#[tokio::test]
async fn what_is_not_granted_is_not_sent() {
    let server = Server::start(Answer::body("here")).await;
    let (setting, _) = allowed(&server);
    let mut guest = setting.guest();
    for uri in ["http://127.0.0.1:9/", "https://127.0.0.1/", "http://a.example/"] {
        assert_eq!(seen(guest.get(uri).await), "HTTP request denied", "{uri}");
    }
    let lack = |host: &str| Denied::Lack(Lack::Http(Some(host.parse().unwrap())));
    let lacks = [lack("127.0.0.1:9"), lack("127.0.0.1:443"), lack("a.example:80")];
    assert_eq!(guest.denied(), lacks);
    let userinfo = format!("http://user@{}/", server.at("127.0.0.1"));
    assert_eq!(seen(guest.get(&userinfo).await), "invalid HTTP request URI");
    let scheme = format!("ftp://{}/", server.at("127.0.0.1"));
    assert_eq!(seen(guest.get(&scheme).await), "HTTP protocol error");
    assert_eq!(server.connections(), [""; 0]);
}

#[tokio::test]
async fn a_request_is_sent_as_it_is_meant() {
    let server = Server::start(Answer::body("here")).await;
    let (setting, uri) = allowed(&server);
    let sent = request("POST", &format!("{uri}a?b=%0d%0a"), "body");
    assert_eq!(seen(setting.guest().whole(sent).await), "200 here");
    let host = server.at("127.0.0.1");
    let sent =
        format!("POST /a?b=%0d%0a HTTP/1.1\r\nhost: {host}\r\ncontent-length: 4\r\n\r\nbody");
    assert_eq!(server.connections(), [sent]);
}

#[tokio::test]
async fn host_and_the_headers_of_a_connection_are_the_hosts_alone() {
    let server = Server::start(Answer::Bytes(
        b"HTTP/1.1 200 OK\r\nconnection: keep-alive, x-hop\r\nx-hop: 1\r\nx-kept: 1\r\n\
          keep-alive: timeout=5\r\nproxy-authenticate: Basic\r\ntrailer: x\r\n\
          content-length: 0\r\n\r\n"
            .to_vec(),
    ))
    .await;
    let (setting, uri) = allowed(&server);
    let mut guest = setting.guest();
    let mut sent = request("GET", &uri, "");
    for (name, value) in [
        ("host", "first.example"),
        ("host", "second.example"),
        ("connection", "x-hop"),
        ("keep-alive", "timeout=5"),
        ("te", "trailers"),
        ("trailer", "x"),
        ("upgrade", "h2c"),
        ("proxy-authorization", "Basic eA=="),
        ("transfer-encoding", "gzip, chunked"),
        ("x-kept", "1"),
    ] {
        sent.headers_mut().append(name, HeaderValue::from_static(value));
    }
    let response = guest.whole(sent).await.unwrap();
    let mut names: Vec<&str> = response.headers().keys().map(|name| name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["content-length", "x-kept"]);
    let host = format!("host: {}", server.at("127.0.0.1"));
    assert_eq!(lines(&server.connections()[0]), ["GET / HTTP/1.1", &host, "x-kept: 1"]);

    let forbidden = guest.egress.forbidden_header_filter();
    for name in ["host", "connection", "te", "trailer", "transfer-encoding", "upgrade"] {
        assert!(forbidden(&name.parse().unwrap()), "{name}");
    }
    assert!(!forbidden(&"authorization".parse().unwrap()));
}

#[test]
fn no_line_end_gets_into_a_header_or_a_path() {
    for text in ["a\r\nx: 1", "a\nx: 1", "a\rx: 1", "a\0"] {
        assert!(HeaderValue::from_str(text).is_err(), "{text:?}");
        assert!(HeaderValue::from_bytes(text.as_bytes()).is_err(), "{text:?}");
        assert!(text.parse::<http::HeaderName>().is_err(), "{text:?}");
        assert!(http::uri::PathAndQuery::try_from(format!("/{text}")).is_err(), "{text:?}");
        assert!(http::Method::from_bytes(text.as_bytes()).is_err(), "{text:?}");
    }
}

#[tokio::test]
async fn neither_a_tunnel_nor_an_echo_of_the_request_is_asked_for() {
    let server = Server::start(Answer::body("here")).await;
    let (setting, uri) = allowed(&server);
    let mut guest = setting.guest();
    for method in ["CONNECT", "TRACE"] {
        let result = guest.whole(request(method, &uri, "")).await;
        assert_eq!(seen(result), "invalid HTTP request method", "{method}");
    }
    assert_eq!(server.connections(), [""; 0]);
}

#[tokio::test]
async fn a_redirect_is_a_response_and_no_further_request() {
    let server = Server::start(Answer::Bytes(
        b"HTTP/1.1 302 Found\r\nlocation: /next\r\ncontent-length: 0\r\n\r\n".to_vec(),
    ))
    .await;
    let (setting, uri) = allowed(&server);
    assert_eq!(seen(setting.guest().get(&uri).await), "302 ");
    assert_eq!(server.connections().len(), 1);
}

#[tokio::test]
async fn a_secret_goes_to_its_host_alone_in_place_of_the_guests_own_header() {
    let [own, other] =
        [Server::start(Answer::body("")).await, Server::start(Answer::body("")).await];
    let hosts = [own.at("127.0.0.1"), other.at("127.0.0.1")];
    let mut guest =
        Setting::new(&hosts).secret("authorization", "Bearer granted", &hosts[0]).guest();
    for host in &hosts {
        let mut sent = request("GET", &format!("http://{host}/"), "");
        sent.headers_mut().append("authorization", HeaderValue::from_static("Bearer guest"));
        sent.headers_mut().append("authorization", HeaderValue::from_static("Bearer twice"));
        assert_eq!(seen(guest.whole(sent).await), "200 ");
    }
    let [own, other] = [own.connections(), other.connections()];
    let host = format!("host: {}", hosts[0]);
    assert_eq!(lines(&own[0]), ["GET / HTTP/1.1", "authorization: Bearer granted", &host]);
    let host = format!("host: {}", hosts[1]);
    assert_eq!(
        lines(&other[0]),
        ["GET / HTTP/1.1", "authorization: Bearer guest", "authorization: Bearer twice", &host]
    );
}

#[tokio::test]
async fn a_secret_does_not_go_to_a_name_without_tls() {
    let server = Server::start(Answer::body("here")).await;
    let host = server.at("a.example");
    let setting = Setting::new(&[host.clone(), server.at("127.0.0.1")]);
    let mut guest = setting.secret("x-key", "12345678", &host).guest();
    let result = guest.get(&format!("http://{host}/")).await;
    assert_eq!(seen(result), "HTTP request denied");
    let denied = Denied::Cleartext(host.parse().unwrap(), "token".to_owned());
    assert_eq!(guest.denied(), [denied]);
    assert_eq!(server.connections(), [""; 0]);
}

#[tokio::test]
async fn a_response_that_is_none_is_an_error() {
    let long = format!("HTTP/1.1 200 OK\r\nx: {}\r\n\r\n", "x".repeat(128 << 10));
    let many = format!("HTTP/1.1 200 OK\r\n{}\r\n", "x: 1\r\n".repeat(500));
    let too_large = "HTTP response header section size exceeds limit: 65536 bytes";
    let upgrade = "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n";
    let cases = [
        (long.as_str(), too_large),
        (many.as_str(), too_large),
        ("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhere", "incomplete HTTP response"),
        ("HTTP/1.1 200 OK\r\ncontent-", "incomplete HTTP response"),
        ("", "incomplete HTTP response"),
        ("SSH-2.0-OpenSSH_9.9\r\n", "HTTP protocol error"),
        (upgrade, "HTTP protocol error"),
    ];
    for (sent, expected) in cases {
        let server = Server::start(Answer::Bytes(sent.into())).await;
        let (setting, uri) = allowed(&server);
        let start = sent.get(..40).unwrap_or(sent);
        assert_eq!(seen(setting.guest().get(&uri).await), expected, "{start}");
    }
}
