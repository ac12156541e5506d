//! Where a connection goes.

use std::net::SocketAddr;

use super::server::{Answer, Server};
use super::*;
use crate::grants::Lack;
use crate::sandbox::egress::connect;
use crate::sandbox::egress::target::Target;
use crate::sandbox::egress::timing::Patience;

/// Addresses of this machine, of its networks and of the metadata services of clouds, each in a
/// form that something once let through.
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

#[tokio::test]
async fn a_name_leads_to_no_private_address() {
    let server = Server::start(Answer::body("secret")).await;
    for address in FORBIDDEN {
        let names = Names::answering(&[&[address]]);
        let mut guest = Setting::new(&[server.at("*")]).resolver(&names).guest();
        let uri = format!("http://{}/", server.at("rebound.example"));
        assert_eq!(
            seen(guest.get(&uri).await),
            "destination IP address is prohibited",
            "{address}"
        );
        let host = server.at("rebound.example").parse().unwrap();
        let [Denied::Address(name, _)] = &guest.denied()[..] else {
            panic!("{address} was not denied");
        };
        assert_eq!(*name, host, "{address}");
    }
    assert_eq!(server.connections(), [""; 0]);
}

#[tokio::test]
async fn a_grant_of_all_names_grants_no_address() {
    let server = Server::start(Answer::body("secret")).await;
    for address in FORBIDDEN {
        let written = if address.contains(':') { format!("[{address}]") } else { address.into() };
        let mut guest = Setting::new(&[server.at("*")]).guest();
        let uri = format!("http://{}/", server.at(&written));
        assert_eq!(seen(guest.get(&uri).await), "HTTP request denied", "{address}");
        let host = server.at(&written).parse().unwrap();
        assert_eq!(guest.denied(), [Denied::Lack(Lack::Http(Some(host)))], "{address}");
    }
    assert_eq!(server.connections(), [""; 0]);
}

#[tokio::test]
async fn a_granted_address_is_reached_by_itself_and_by_name() {
    let server = Server::start(Answer::body("here")).await;
    for host in ["127.0.0.1", "[::ffff:127.0.0.1]", "a.example"] {
        let mut guest = Setting::new(&[server.at("*"), server.at("127.0.0.1")]).guest();
        let uri = format!("http://{}/", server.at(host));
        assert_eq!(seen(guest.get(&uri).await), "200 here", "{host}");
        let tallied = guest.tally.take();
        let [reached] = &tallied.reached[..] else { panic!("{host}: {tallied:?}") };
        let asked = server.at(if host == "a.example" { host } else { "127.0.0.1" });
        assert_eq!(reached.to_string(), asked);
        assert_eq!(tallied.denied, [], "{host}");
    }
    assert_eq!(server.connections().len(), 3);
}

#[tokio::test]
async fn of_a_mix_of_addresses_only_the_allowed_ones_are_used() {
    let server = Server::start(Answer::body("here")).await;
    let names = Names::answering(&[&["127.0.0.2", "10.0.0.1", "127.0.0.1", "::1"]]);
    let grants = [server.at("*"), server.at("127.0.0.1")];
    let mut guest = Setting::new(&grants).resolver(&names).guest();
    let uri = format!("http://{}/", server.at("mixed.example"));
    assert_eq!(seen(guest.get(&uri).await), "200 here");
    assert_eq!(guest.denied(), []);
}

#[tokio::test]
async fn a_name_is_looked_up_once_and_what_it_leads_to_later_does_not_matter() {
    let names = Names::answering(&[&["93.184.215.14"], &["127.0.0.1"]]);
    let setting = Setting::new(&["*:80".to_owned()]).resolver(&names);
    let target = Target::of(&"http://rebound.example/".parse().unwrap()).unwrap();
    let patience = Patience::new(Instant::now() + setting.deadline, None);
    let Setting { network, effective, .. } = setting;
    let tally = Tally::default();
    let found = connect::addresses(&network, &target, &effective, &tally, &patience).await;
    let public: SocketAddr = "93.184.215.14:80".parse().unwrap();
    assert_eq!(found.unwrap(), [public]);
    let later = connect::addresses(&network, &target, &effective, &tally, &patience).await;
    assert_eq!(later.unwrap_err().to_string(), "destination IP address is prohibited");

    let server = Server::start(Answer::body("here")).await;
    let names = Names::answering(&[&["127.0.0.1"], &["10.0.0.1"]]);
    let grants = [server.at("*"), server.at("127.0.0.1")];
    let mut guest = Setting::new(&grants).resolver(&names).guest();
    let uri = format!("http://{}/", server.at("rebound.example"));
    assert_eq!(seen(guest.get(&uri).await), "200 here");
    assert_eq!(names.asked(), 1);
}

#[tokio::test]
async fn a_name_without_addresses_is_a_dns_error() {
    let mut guest = Setting::new(&["*:80".to_owned()]).resolver(&Names::answering(&[])).guest();
    let result = guest.get("http://nowhere.example/").await;
    assert_eq!(seen(result), "DNS error: rcode no address found");
}
