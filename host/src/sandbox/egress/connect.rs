//! From a target to an open connection.
//!
//! A connection goes to an address that was checked; a name is looked up once and never again.

use std::io;
use std::net::{IpAddr, SocketAddr};

use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use wasmtime_wasi_http::{Error, Result};

use super::address::is_public;
use super::target::{Place, Target};
use super::timing::{Patience, within};
use super::{Network, fault};
use crate::grants::{Effective, HttpHost};
use crate::sandbox::tally::{Denied, Tally};

/// A connection, over TLS or not.
pub(super) type Stream = Box<dyn ReadWrite>;

/// What bytes go in and come out of.
pub(super) trait ReadWrite: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> ReadWrite for T {}

/// Addresses of a name that are tried.
const ADDRESSES_MAX: usize = 8;

/// The addresses of `target` that may be connected to.
///
/// # Errors
/// When there are none, which `tally` is told if it is because they are not public.
pub(super) async fn addresses(
    network: &Network,
    target: &Target,
    effective: &Effective,
    tally: &Tally,
    patience: &Patience,
) -> Result<Vec<SocketAddr>> {
    let found = match &target.place {
        Place::Address(address) => vec![*address],
        Place::Name(name) => {
            let looking_up = async {
                network.resolver.resolve(name).await.map_err(|error| {
                    tracing::debug!("no address of `{}`: {error}", target.host);
                    fault::of_lookup()
                })
            };
            within(patience.open_by(), Error::DnsTimeout, looking_up).await?
        }
    };
    let Some(&first) = found.first() else {
        return Err(fault::of_lookup());
    };
    let may_be_reached = |address: &IpAddr| {
        is_public(*address) || effective.may_reach_address(*address, target.port)
    };
    let reached: Vec<SocketAddr> = found
        .into_iter()
        .filter(may_be_reached)
        .take(ADDRESSES_MAX)
        .map(|address| SocketAddr::new(address.to_canonical(), target.port))
        .collect();
    if reached.is_empty() {
        let address = HttpHost::of_request(&first.to_string(), target.port);
        tally.deny(Denied::Address(target.host.clone(), address));
        return Err(Error::DestinationIpProhibited);
    }
    Ok(reached)
}

/// A connection to the first of `addresses` that answers, over TLS if `target` says so.
///
/// # Errors
/// What the last one failed with.
pub(super) async fn open(
    network: &Network,
    target: &Target,
    addresses: &[SocketAddr],
    patience: &Patience,
) -> Result<Stream> {
    let mut failed = Error::DestinationNotFound;
    for (tried, address) in addresses.iter().enumerate() {
        let by = patience.attempt_by(addresses.len() - tried);
        let dialling = async { dial(*address).await.map_err(|error| fault::of_connect(&error)) };
        match within(by, Error::ConnectionTimeout, dialling).await {
            Ok(stream) if target.secure => return secured(network, target, stream, patience).await,
            Ok(stream) => return Ok(Box::new(stream)),
            Err(error) => {
                tracing::debug!("`{}` at {address}: {error}", target.host);
                failed = error;
            }
        }
    }
    Err(failed)
}

/// The door to the network. What comes here was checked.
#[expect(clippy::disallowed_methods, reason = "this is the door")]
async fn dial(address: SocketAddr) -> io::Result<TcpStream> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

async fn secured(
    network: &Network,
    target: &Target,
    stream: TcpStream,
    patience: &Patience,
) -> Result<Stream> {
    let name = match &target.place {
        Place::Name(name) => {
            ServerName::try_from(name.clone()).map_err(|_| Error::HttpRequestUriInvalid)?
        }
        Place::Address(address) => ServerName::from(*address),
    };
    let agreeing = async {
        network.tls.connector().await?.connect(name, stream).await.map_err(|error| {
            tracing::debug!("`{}` over TLS: {error}", target.host);
            fault::of_tls(&error)
        })
    };
    Ok(Box::new(within(patience.open_by(), Error::ConnectionTimeout, agreeing).await?))
}
