//! HTTP requests of guests: what is granted goes out, from here alone.
//!
//! Every request is checked from the start, whatever came before it. No redirect is followed: a
//! guest that follows one makes a new request, which is checked as any other. No proxy is used and
//! no connection is kept, so nothing of one call is there for the next.

mod address;
mod allowance;
mod body;
mod connect;
mod exchange;
mod fault;
mod headers;
mod resolve;
mod target;
#[cfg(test)]
mod tests;
mod timing;
mod tls;

use std::sync::Arc;
use std::time::Instant;

use http::{Method, Request, Response};
use http_body_util::BodyExt as _;
use wasmtime_wasi_http::{
    Error, ForbiddenHeaderFilter, RequestOptions, Result, WasiBody, WasiHttpHooks,
};

use allowance::Allowance;
use body::{Metered, Paced};
pub use resolve::{Resolver, Resolving};
use target::Target;
use timing::Patience;
pub(crate) use tls::Tls;

use super::tally::{Denied, Tally};
use crate::config::Limits;
use crate::grants::{Effective, Lack};

/// What all calls send requests with. The default one asks the system's resolver.
pub(super) struct Network {
    resolver: Arc<dyn Resolver>,
    tls: Tls,
}

impl Default for Network {
    fn default() -> Self {
        Self::with_resolver(Arc::new(resolve::System::default()))
    }
}

impl Network {
    /// One that asks `resolver`.
    pub(super) fn with_resolver(resolver: Arc<dyn Resolver>) -> Self {
        Self { resolver, tls: Tls::default() }
    }
}

/// The requests of one call.
pub(super) struct Egress(Arc<Call>);

/// What all requests of a call have in common.
struct Call {
    network: Arc<Network>,
    effective: Arc<Effective>,
    allowance: Arc<Allowance>,
    deadline: Instant,
    tally: Tally,
}

impl Egress {
    /// For a call that may reach what `effective` says, until `deadline`.
    pub(super) fn new(
        network: &Arc<Network>,
        effective: &Arc<Effective>,
        limits: &Limits,
        deadline: Instant,
        tally: &Tally,
    ) -> Self {
        Self(Arc::new(Call {
            network: network.clone(),
            effective: effective.clone(),
            allowance: Arc::new(Allowance::new(limits, tally)),
            deadline,
            tally: tally.clone(),
        }))
    }
}

/// A response, and what has to be done while its body is read.
type Sent = (Response<WasiBody>, Box<dyn Future<Output = Result<()>> + Send>);

impl WasiHttpHooks for Egress {
    fn forbidden_header_filter(&mut self) -> ForbiddenHeaderFilter {
        Arc::new(headers::is_the_hosts)
    }

    fn send_request(
        &mut self,
        request: Request<WasiBody>,
        options: Option<RequestOptions>,
        _done: Box<dyn Future<Output = Result<()>> + Send>,
    ) -> Box<dyn Future<Output = Result<Sent>> + Send> {
        let call = self.0.clone();
        let patience = Patience::new(call.deadline, options);
        // Not in the future: a guest is counted whether it waits for the response or not.
        let admitted = call.admit(&request);
        Box::new(async move { call.send(admitted?, request, patience).await })
    }
}

impl Call {
    /// Where `request` goes, if it may.
    fn admit(&self, request: &Request<WasiBody>) -> Result<Target> {
        // CONNECT makes a tunnel, in which nothing is checked. The response to TRACE is the
        // request, with what the guest must not see.
        if [Method::CONNECT, Method::TRACE].contains(request.method()) {
            return Err(Error::HttpRequestMethodInvalid);
        }
        let target = Target::of(request.uri())?;
        let denied = if self.effective.may_reach(&target.host) {
            headers::cleartext(&self.effective, &target)
        } else {
            Some(Denied::Lack(Lack::Http(Some(target.host.clone()))))
        };
        if let Some(denied) = denied {
            self.tally.deny(denied);
            return Err(Error::HttpRequestDenied);
        }
        self.allowance.take_request()?;
        Ok(target)
    }

    async fn send(
        &self,
        target: Target,
        mut request: Request<WasiBody>,
        patience: Patience,
    ) -> Result<Sent> {
        let Self { network, effective, allowance, tally, .. } = self;
        headers::complete(request.headers_mut(), &target, effective)?;
        let addresses = connect::addresses(network, &target, effective, tally, &patience).await?;
        let stream = connect::open(network, &target, &addresses, &patience).await?;
        tally.reach(&target.host);
        let request = request.map(|body| Metered::request(body, allowance));
        let (mut response, rest) = exchange::exchange(stream, request, &patience).await?;
        headers::remove_the_hosts(response.headers_mut());
        let response = response.map(|body| {
            let body = Paced::new(body, patience).boxed_unsync();
            Metered::response(body, allowance).boxed_unsync()
        });
        let rest = async move {
            rest.drive(patience).await;
            Ok(())
        };
        Ok((response, Box::new(rest)))
    }
}
