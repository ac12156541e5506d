//! Requests to a server of the tests' own.
//!
//! Nothing here needs a network but the loopback one, and no test looks at a clock.

mod addresses;
mod budgets;
mod over_tls;
mod requests;
mod server;

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::{HeaderValue, Request, Response};
use http_body_util::{BodyExt as _, Full};
use wasmtime_wasi_http::{Error, RequestOptions, Result, WasiBody, WasiHttpHooks as _};

use super::{Egress, Network, Resolver, Resolving, Sent};
use crate::config::Limits;
use crate::grants::{Effective, HttpHost, Secret, SecretHeader, SecretText};
use crate::sandbox::tally::{Denied, Tally};

/// Gives each answer once, and the last one ever after.
#[derive(Default)]
struct Names {
    answers: Mutex<VecDeque<Vec<IpAddr>>>,
    asked: AtomicUsize,
}

impl Names {
    fn answering(answers: &[&[&str]]) -> Arc<Self> {
        let answer = |answer: &&[&str]| answer.iter().map(|text| text.parse().unwrap()).collect();
        let answers = Mutex::new(answers.iter().map(answer).collect());
        Arc::new(Self { answers, asked: AtomicUsize::new(0) })
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }
}

impl Resolver for Names {
    fn resolve<'a>(&'a self, _name: &'a str) -> Resolving<'a> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let mut answers = self.answers.lock().unwrap();
        let answer = match answers.len() {
            0 => Vec::new(),
            1 => answers[0].clone(),
            _ => answers.pop_front().unwrap(),
        };
        Box::pin(async { Ok(answer) })
    }
}

/// One call of a guest.
struct Guest {
    egress: Egress,
    tally: Tally,
}

/// What a guest runs under.
struct Setting {
    network: Network,
    effective: Effective,
    limits: Limits,
    deadline: Duration,
}

impl Setting {
    /// A guest that is granted `grants`, where every name has the address of the server.
    fn new(grants: &[String]) -> Self {
        let granted: Vec<HttpHost> = grants.iter().map(|grant| grant.parse().unwrap()).collect();
        Self {
            network: Network::with_resolver(Names::answering(&[&["127.0.0.1"]])),
            effective: Effective {
                http: granted.clone(),
                granted_http: granted,
                ..Effective::default()
            },
            limits: Limits::default(),
            deadline: Duration::from_secs(60),
        }
    }

    fn resolver(mut self, names: &Arc<Names>) -> Self {
        self.network.resolver = names.clone();
        self
    }

    fn secret(mut self, header: &'static str, value: &'static str, host: &str) -> Self {
        self.effective.secrets.push(Secret {
            name: "token".to_owned(),
            text: SecretText::new(value.to_owned()).unwrap(),
            header: Some(SecretHeader {
                hosts: vec![host.parse().unwrap()],
                name: header.parse().unwrap(),
                value: HeaderValue::from_static(value),
            }),
        });
        self
    }

    fn limits(mut self, requests: u64, bytes: u64) -> Self {
        self.limits.http_requests_max = requests;
        self.limits.http_bytes_max = bytes;
        self
    }

    fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    fn guest(self) -> Guest {
        let tally = Tally::default();
        let deadline = Instant::now() + self.deadline;
        let (network, effective) = (Arc::new(self.network), Arc::new(self.effective));
        let egress = Egress::new(&network, &effective, &self.limits, deadline, &tally);
        Guest { egress, tally }
    }
}

impl Guest {
    async fn get(&mut self, uri: &str) -> Result<Response<Bytes>> {
        self.whole(request("GET", uri, "")).await
    }

    /// The response with its body.
    async fn whole(&mut self, request: Request<WasiBody>) -> Result<Response<Bytes>> {
        read(self.send(request, RequestOptions::default()).await?).await
    }

    /// The response before its body.
    fn send(
        &mut self,
        request: Request<WasiBody>,
        options: RequestOptions,
    ) -> impl Future<Output = Result<Sent>> + use<> {
        let done = Box::new(async { Ok(()) });
        Box::into_pin(self.egress.send_request(request, Some(options), done))
    }

    fn denied(&self) -> Vec<Denied> {
        self.tally.take().denied
    }
}

/// Reads the body of a response, with what goes on meanwhile.
async fn read((response, rest): Sent) -> Result<Response<Bytes>> {
    let rest = tokio::spawn(Box::into_pin(rest));
    let (parts, body) = response.into_parts();
    let body = body.collect().await?.to_bytes();
    rest.abort();
    Ok(Response::from_parts(parts, body))
}

fn request(method: &str, uri: &str, body: &'static str) -> Request<WasiBody> {
    let body = Full::new(Bytes::from_static(body.as_bytes())).map_err(Error::from).boxed_unsync();
    Request::builder().method(method).uri(uri).body(body).unwrap()
}

/// What a guest sees of a response, in a line.
fn seen(result: Result<Response<Bytes>>) -> String {
    match result {
        Ok(response) => {
            let body = String::from_utf8_lossy(response.body()).into_owned();
            format!("{} {body}", response.status().as_u16())
        }
        Err(error) => error.to_string(),
    }
}
