//! How much a call may send and receive, and for how long.

use super::server::{Answer, Server};
use super::*;

fn setting(server: &Server) -> (Setting, String) {
    let host = server.at("127.0.0.1");
    (Setting::new(std::slice::from_ref(&host)), format!("http://{host}/"))
}

#[tokio::test]
async fn a_call_sends_no_more_requests_than_it_may() {
    let server = Server::start(Answer::body("here")).await;
    let (setting, uri) = setting(&server);
    let mut guest = setting.limits(2, 1000).guest();
    // What is denied is not sent and does not count.
    assert_eq!(seen(guest.get("http://b.example/").await), "HTTP request denied");
    guest.denied();
    for expected in ["200 here", "200 here", "connection limit reached", "connection limit reached"]
    {
        assert_eq!(seen(guest.get(&uri).await), expected);
    }
    assert_eq!(guest.denied(), [Denied::Limit("http_requests_max", 2)]);
    assert_eq!(server.connections().len(), 2);
}

#[tokio::test]
async fn bodies_of_requests_and_responses_are_counted_together() {
    let server = Server::start(Answer::body("1234567890")).await;
    let (setting, uri) = setting(&server);
    let mut guest = setting.limits(9, 39).guest();
    let post = |body| request("POST", &uri, body);
    assert_eq!(seen(guest.whole(post("1234567890")).await), "200 1234567890");
    assert_eq!(guest.denied(), []);
    let too_large = "HTTP response body size exceeds limit: 39 bytes";
    assert_eq!(seen(guest.whole(post("1234567890")).await), too_large);
    assert_eq!(guest.denied(), [Denied::Limit("http_bytes_max", 39)]);
    let too_large = "HTTP request body size exceeds limit: 39 bytes";
    assert_eq!(seen(guest.whole(post("1")).await), too_large);
    assert_eq!(guest.denied(), [Denied::Limit("http_bytes_max", 39)]);
}

#[tokio::test]
async fn a_body_that_drips_ends_at_the_deadline() {
    let server =
        Server::start(Answer::Hang("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nx")).await;
    let (setting, uri) = setting(&server);
    let mut guest = setting.deadline(Duration::from_millis(200)).guest();
    assert_eq!(seen(guest.get(&uri).await), "connection read timeout");
}

#[tokio::test]
async fn a_response_that_does_not_begin_ends_at_the_deadline() {
    for head in ["", "HTTP/1.1 200 OK\r\nx-", "HTTP/1.1 100 Continue\r\n\r\n"] {
        let server = Server::start(Answer::Hang(head)).await;
        let (setting, uri) = setting(&server);
        let mut guest = setting.deadline(Duration::from_millis(200)).guest();
        assert_eq!(seen(guest.get(&uri).await), "connection read timeout", "{head}");
    }
}

#[tokio::test]
async fn a_guest_that_waits_for_less_time_is_not_kept_waiting() {
    let short = Some(Duration::from_millis(1));
    let server = Server::start(Answer::Hang("")).await;
    let (first, uri) = setting(&server);
    let options = RequestOptions { first_byte_timeout: short, ..RequestOptions::default() };
    let sent = first.guest().send(request("GET", &uri, ""), options).await;
    assert_eq!(sent.err().unwrap().to_string(), "connection read timeout");

    let server = Server::start(Answer::Hang("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nx")).await;
    let (second, uri) = setting(&server);
    let options = RequestOptions { between_bytes_timeout: short, ..RequestOptions::default() };
    let sent = second.guest().send(request("GET", &uri, ""), options).await;
    assert_eq!(seen(read(sent.unwrap()).await), "connection read timeout");
}

/// Gives no answer.
struct Silent;

impl Resolver for Silent {
    fn resolve<'a>(&'a self, _name: &'a str) -> Resolving<'a> {
        Box::pin(std::future::pending())
    }
}

#[tokio::test]
async fn a_name_that_is_not_answered_ends_at_the_deadline() {
    let mut setting =
        Setting::new(&["a.example:80".to_owned()]).deadline(Duration::from_millis(50));
    setting.network = Network::with_resolver(Arc::new(Silent));
    assert_eq!(seen(setting.guest().get("http://a.example/").await), "DNS lookup timed out");
}

#[tokio::test]
async fn a_connection_ends_with_the_call() {
    let server = Server::start(Answer::Hang("")).await;
    let (first, uri) = setting(&server);
    let sending = first.guest().send(request("GET", &uri, ""), RequestOptions::default());
    tokio::select! {
        _ = sending => panic!("nothing answers"),
        () = server.received() => {}
    }
    server.closed().await;

    let server = Server::start(Answer::Hang("HTTP/1.1 200 OK\r\n\r\nx")).await;
    let (second, uri) = setting(&server);
    let sent = second.guest().send(request("GET", &uri, ""), RequestOptions::default()).await;
    drop(sent.unwrap());
    server.closed().await;
}
