//! Who may call, and what: tokens that the operator gave out, and those of an authorization server.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use libtest_mimic::Trial;
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use serde_json::{Value, json};

use super::guards::configured;
use super::{Reply, Served, message};
use crate::harness::{named, trials as named_trials, weather};

pub(super) fn trials() -> Vec<Trial> {
    named_trials(
        "http::auth",
        named![
            nobody_without_a_good_token_is_answered,
            a_token_calls_what_its_scopes_allow,
            a_session_is_its_owners_alone,
            a_server_says_where_tokens_come_from,
            a_token_is_of_its_issuer_for_this_server_and_of_now,
            every_algorithm_is_checked_with_keys_from_a_url,
        ],
    )
}

const ALICE: &str = "alice-0123456789abcdef";
const BOB: &str = "bob-0123456789abcdef";

const SCOPES: &str = "[http.scopes]\nweather = [\"get_temperature\"]\nall = [\"*\"]\n";

/// A server that Alice may ask for the temperature, and Bob for everything.
fn with_tokens() -> (tempfile::TempDir, Served) {
    let directory = tempfile::tempdir().expect("a directory can be made");
    let write = |name: &str, text: &str| {
        std::fs::write(directory.path().join(name), text).expect("a file can be written");
    };
    write("bob", &format!("{BOB}\n"));
    write(
        "portcullis.toml",
        &format!(
            "{SCOPES}[http.tokens.alice]\nenv = \"ALICE\"\nscopes = [\"weather\"]\n\
             [http.tokens.bob]\nfile = \"bob\"\nscopes = [\"all\"]\n"
        ),
    );
    let mut command = crate::harness::program();
    command.env("ALICE", ALICE).args(["serve", "--http", "127.0.0.1:0", "--config"]);
    command.arg(directory.path().join("portcullis.toml")).arg(weather());
    let served = Served::of(&mut command);
    (directory, served)
}

fn call(served: &Served, token: &str, tool: &str) -> Reply {
    let params = json!({ "name": tool, "arguments": { "city": "London" } });
    served.later(&[("authorization", &format!("Bearer {token}"))], "tools/call", params)
}

fn nobody_without_a_good_token_is_answered() {
    let (_directory, served) = with_tokens();
    let list = message(1, "tools/list", json!({}));
    let wrong = format!("Bearer {ALICE}x");
    let basic = format!("Basic {ALICE}");
    for headers in
        [&[][..], &[("authorization", wrong.as_str())], &[("authorization", basic.as_str())]]
    {
        let reply = served.post(headers, &list);
        assert_eq!(reply.status, 401, "{headers:?}");
        // RFC 9110, 11.6.1: a 401 says what is wanted.
        let wants = reply.header("www-authenticate").expect("a challenge");
        assert!(wants.starts_with("Bearer"), "{wants}");
        assert_eq!(
            wants.contains("invalid_token"),
            headers.first() == Some(&("authorization", &wrong))
        );
    }
    assert_eq!(served.get("/health").status, 200);
    let log = served.wait_for_log(|log| log.contains("is refused"));
    assert!(!log.contains(ALICE), "{log}");
}

fn a_token_calls_what_its_scopes_allow() {
    let (_directory, served) = with_tokens();
    let reply = call(&served, ALICE, "get_temperature");
    assert_eq!(reply.json()["result"]["structuredContent"], json!({ "result": 17 }));
    let refused = call(&served, ALICE, "get_weather");
    assert_eq!(refused.status, 403, "{refused:?}");
    let wants = refused.header("www-authenticate").expect("a challenge");
    assert!(wants.contains("insufficient_scope") && wants.contains("scope=\"all\""), "{wants}");
    assert_ne!(call(&served, BOB, "get_weather").status, 403);
    let tools = |token: &str| {
        let headers = [("authorization", format!("Bearer {token}"))];
        let headers = [("authorization", headers[0].1.as_str())];
        let list = served.later(&headers, "tools/list", json!({})).json()["result"].clone();
        assert_eq!(list["cacheScope"], "private");
        list["tools"].as_array().expect("a list").len()
    };
    assert_eq!(tools(ALICE), 1);
    assert!(tools(BOB) > 1);
    served.wait_for_log(|log| log.contains("principal=\"alice\""));
}

fn a_session_is_its_owners_alone() {
    let (_directory, served) = with_tokens();
    let [alice, bob] = [ALICE, BOB].map(|token| format!("Bearer {token}"));
    let session = served.session_with(&[("authorization", &alice)]);
    let ping = message(2, "ping", json!({}));
    let as_who = |who: &str| {
        let headers = [session.headers().as_slice(), &[("authorization", who)]].concat();
        served.post(&headers, &ping).status
    };
    assert_eq!(as_who(&alice), 200);
    assert_eq!(as_who(&bob), 404);
    assert_eq!(as_who(&alice), 200);
}

/// An authorization server that signs with Ed25519 (RFC 8037).
struct Issuer {
    key: Ed25519KeyPair,
    served: Served,
    _directory: tempfile::TempDir,
}

const ISSUER: &str = "https://login.example";
const RESOURCE: &str = "https://tools.example/mcp";

fn issuer() -> Issuer {
    let key = Ed25519KeyPair::from_seed_unchecked(&[7; 32]).expect("a seed of 32 bytes");
    let keys = tempfile::tempdir().expect("a directory can be made");
    let file = keys.path().join("jwks.json");
    let x = URL_SAFE_NO_PAD.encode(key.public_key());
    let jwks = json!({ "keys": [{
        "kty": "OKP", "crv": "Ed25519", "kid": "k1", "alg": "EdDSA", "use": "sig", "x": x,
    }] });
    std::fs::write(&file, jwks.to_string()).expect("a file can be written");
    let (directory, served) = configured(&format!(
        "{SCOPES}[http.oauth]\nresource = \"{RESOURCE}\"\nissuer = \"{ISSUER}\"\njwks = '{}'\n",
        file.display()
    ));
    served.wait_for_log(|log| log.contains("listening"));
    // The keys are read once the server listens; they stay where they are.
    let _ = keys.keep();
    Issuer { key, served, _directory: directory }
}

impl Issuer {
    fn token(&self, header: &Value, claims: &Value) -> String {
        let parts = [header, claims].map(|part| URL_SAFE_NO_PAD.encode(part.to_string()));
        let signed = parts.join(".");
        let signature = URL_SAFE_NO_PAD.encode(self.key.sign(signed.as_bytes()));
        format!("{signed}.{signature}")
    }
}

fn claims() -> Value {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let now = now.expect("it is after 1970").as_secs();
    json!({ "iss": ISSUER, "aud": [RESOURCE], "sub": "carol", "exp": now + 600, "scope": "weather x" })
}

fn header() -> Value {
    json!({ "alg": "EdDSA", "typ": "at+jwt", "kid": "k1" })
}

/// RFC 9728, 3 and 5.1.
fn a_server_says_where_tokens_come_from() {
    let issuer = issuer();
    let reply = issuer.served.post(&[], &message(1, "tools/list", json!({})));
    assert_eq!(reply.status, 401);
    let url = "https://tools.example/.well-known/oauth-protected-resource/mcp";
    let wants = reply.header("www-authenticate").expect("a challenge");
    assert!(wants.contains(&format!("resource_metadata=\"{url}\"")), "{wants}");
    for path in
        ["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"]
    {
        let told = issuer.served.get(path).json();
        assert_eq!(told["resource"], RESOURCE);
        assert_eq!(told["authorization_servers"], json!([ISSUER]));
        assert_eq!(told["scopes_supported"], json!(["weather", "all"]));
    }
}

fn a_token_is_of_its_issuer_for_this_server_and_of_now() {
    let issuer = issuer();
    let status = |header: Value, claims: Value| {
        call(&issuer.served, &issuer.token(&header, &claims), "get_temperature").status
    };
    assert_eq!(status(header(), claims()), 200);
    let changed = |key: &str, value: Value| {
        let mut claims = claims();
        claims[key] = value;
        claims
    };
    let wrong = [
        ("iss", json!("https://other.example")),
        ("aud", json!(["https://other.example/mcp"])),
        ("exp", json!(1_000_000_000)),
        ("exp", json!("never")),
        ("nbf", json!(4_000_000_000_u64)),
        ("nbf", json!("later")),
        ("sub", Value::Null),
    ];
    for (key, value) in wrong {
        assert_eq!(status(header(), changed(key, value.clone())), 401, "{key}: {value}");
    }
    for key in ["iss", "aud", "exp"] {
        let mut claims = claims();
        claims.as_object_mut().expect("an object").remove(key);
        assert_eq!(status(header(), claims), 401, "without {key}");
    }
    for header in [
        json!({ "alg": "EdDSA", "kid": "k2" }),
        json!({ "alg": "none" }),
        json!({ "alg": "HS256", "kid": "k1" }),
        json!({ "alg": "ES256", "kid": "k1" }),
    ] {
        assert_eq!(status(header.clone(), claims()), 401, "{header}");
    }
    let good = issuer.token(&header(), &claims());
    let (signed, _) = good.rsplit_once('.').expect("three parts");
    let forged = format!("{signed}.{}", URL_SAFE_NO_PAD.encode([0; 64]));
    assert_eq!(call(&issuer.served, &forged, "get_temperature").status, 401);
    assert_eq!(call(&issuer.served, &good, "get_weather").status, 403);
    issuer.served.wait_for_log(|log| log.contains("principal=\"carol\""));
}

/// Keys, and a token of each, made by PyJWT 2.15.1 with the package `cryptography` 50.0.2: of `alice`
/// with the scope `weather`, until 2100.
const SIGNED: &str = include_str!("signed.json");

/// RFC 7518, 3.1, and RFC 8037: all that a public key checks, but ES512.
fn every_algorithm_is_checked_with_keys_from_a_url() {
    let signed: Vec<Value> = serde_json::from_str(SIGNED).expect("it is JSON");
    let keys: Vec<&Value> = signed.iter().map(|it| &it["jwk"]).collect();
    let jwks = json!({ "keys": keys }).to_string();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port can be had");
    let address = listener.local_addr().expect("it has an address");
    let (_directory, served) = configured(&format!(
        "{SCOPES}[http.oauth]\nresource = \"{RESOURCE}\"\nissuer = \"{ISSUER}\"\n\
         jwks = \"http://{address}/jwks.json\"\n"
    ));
    // It asks when it begins, and not again for a while.
    let (mut asked, _) = listener.accept().expect("the keys are asked for");
    let mut head = [0; 4096];
    let length = asked.read(&mut head).expect("a request comes");
    assert!(head[..length].starts_with(b"GET /jwks.json HTTP/1.1\r\n"));
    let length = jwks.len();
    write!(asked, "HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n{jwks}")
        .expect("it can be answered");
    let algorithms: Vec<_> = signed.iter().map(|it| it["jwk"]["alg"].as_str()).collect();
    let all = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA"];
    assert_eq!(algorithms, all.map(Some));
    for it in &signed {
        let (algorithm, token) = (&it["jwk"]["alg"], it["token"].as_str().expect("a token"));
        assert_eq!(call(&served, token, "get_temperature").status, 200, "{algorithm}");
        let (rest, signature) = token.rsplit_once('.').expect("three parts");
        let mut bytes = URL_SAFE_NO_PAD.decode(signature).expect("it is base64");
        bytes[7] ^= 1;
        let forged = format!("{rest}.{}", URL_SAFE_NO_PAD.encode(bytes));
        assert_eq!(call(&served, &forged, "get_temperature").status, 401, "{algorithm}");
    }
}
