//! Requests over TLS.

use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;

use super::server::{Answer, CERTIFICATE, Server};
use super::*;
use crate::sandbox::egress::tls::Tls;

/// A machine that trusts the server of the tests alone.
fn trusting(mut setting: Setting) -> Setting {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(CERTIFICATE).unwrap()).unwrap();
    setting.network.tls = Tls::trusting(roots);
    setting
}

#[tokio::test]
async fn a_secret_goes_over_tls_to_a_name() {
    let server = Server::secure(Answer::body("here")).await;
    let host = server.at("a.example");
    let setting = trusting(Setting::new(&[host.clone(), server.at("127.0.0.1")]));
    let mut guest = setting.secret("x-key", "12345678", &host).guest();
    assert_eq!(seen(guest.get(&format!("https://{host}/")).await), "200 here");
    let sent = format!("GET / HTTP/1.1\r\nhost: {host}\r\nx-key: 12345678\r\n\r\n");
    assert_eq!(server.connections(), [sent]);
}

#[tokio::test]
async fn a_certificate_that_is_not_for_the_host_is_refused() {
    let server = Server::secure(Answer::body("here")).await;
    for name in ["b.example", "x.a.example", "127.0.0.1"] {
        let host = server.at(name);
        let mut guest = trusting(Setting::new(&[host.clone(), server.at("127.0.0.1")])).guest();
        let result = guest.get(&format!("https://{host}/")).await;
        assert_eq!(seen(result), "TLS certificate error", "{name}");
        assert_eq!(guest.tally.take().reached, [], "{name}");
    }
    assert!(server.connections().iter().all(String::is_empty));
}

#[tokio::test]
async fn a_server_that_speaks_no_tls_is_told_nothing() {
    let server = Server::start(Answer::body("here")).await;
    let host = server.at("a.example");
    let mut guest = trusting(Setting::new(&[host.clone(), server.at("127.0.0.1")]))
        .deadline(Duration::from_millis(200))
        .guest();
    let result = guest.get(&format!("https://{host}/")).await;
    assert_eq!(seen(result), "connection timeout");
    assert_eq!(guest.tally.take().reached, []);
}

#[tokio::test]
async fn a_machine_that_trusts_nobody_sends_nothing() {
    let server = Server::secure(Answer::body("here")).await;
    let host = server.at("a.example");
    let mut setting = Setting::new(&[host.clone(), server.at("127.0.0.1")]);
    setting.network.tls = Tls::trusting(RootCertStore::empty());
    let result = setting.guest().get(&format!("https://{host}/")).await;
    assert_eq!(seen(result), "configuration error");
    assert!(server.connections().iter().all(String::is_empty));
}
