//! HTTP requests of guests: what is granted goes out, from here alone.

use std::sync::Arc;
use std::time::Instant;

use wasmtime_wasi_http::{Error, RequestOptions, Result, WasiBody, WasiHttpHooks};

use super::tally::Tally;
use crate::config::Limits;
use crate::grants::Effective;

/// What all calls send requests with.
#[derive(Debug, Default)]
pub(super) struct Network {}

/// The requests of one call.
#[derive(Debug)]
pub(super) struct Egress {}

impl Egress {
    pub(super) fn new(
        _network: &Arc<Network>,
        _effective: &Arc<Effective>,
        _limits: &Limits,
        _deadline: Instant,
        _tally: &Tally,
    ) -> Self {
        Self {}
    }
}

type Sent = (http::Response<WasiBody>, Box<dyn Future<Output = Result<()>> + Send>);

impl WasiHttpHooks for Egress {
    fn send_request(
        &mut self,
        _request: http::Request<WasiBody>,
        _options: Option<RequestOptions>,
        _done: Box<dyn Future<Output = Result<()>> + Send>,
    ) -> Box<dyn Future<Output = Result<Sent>> + Send> {
        Box::new(async { Err(Error::HttpRequestDenied) })
    }
}
