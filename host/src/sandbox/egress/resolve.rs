//! From the name of a host to its addresses.
//!
//! A resolver only answers; whether an address may be connected to is decided elsewhere, whoever
//! answers.

use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;

use tokio::sync::Semaphore;

/// Addresses that are looked up.
pub type Resolving<'a> = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'a>>;

/// Finds the addresses of hosts that components speak to.
///
/// It is asked once for each request to a host that is granted and is no address itself. Every
/// address that it gives is checked, and none but those is connected to.
pub trait Resolver: Send + Sync {
    /// The addresses of `name`, the best one first. The future is dropped when it takes too long.
    fn resolve<'a>(&'a self, name: &'a str) -> Resolving<'a>;
}

/// The resolver of the operating system.
pub(super) struct System {
    lookups: Arc<Semaphore>,
}

/// Names that are looked up at once. A lookup holds a thread and cannot be stopped, and whose name
/// servers are slow must not take all threads.
const LOOKUPS_MAX: usize = 32;

impl Default for System {
    fn default() -> Self {
        Self { lookups: Arc::new(Semaphore::new(LOOKUPS_MAX)) }
    }
}

impl Resolver for System {
    fn resolve<'a>(&'a self, name: &'a str) -> Resolving<'a> {
        let lookups = self.lookups.clone();
        Box::pin(async move {
            let permit = lookups.acquire_owned().await.map_err(io::Error::other)?;
            let name = name.to_owned();
            let lookup = move || {
                // Until the thread is free again, even if nobody waits for the answer any more.
                let _permit = permit;
                look_up(&name)
            };
            tokio::task::spawn_blocking(lookup).await.map_err(io::Error::other)?
        })
    }
}

/// The door to the system's resolver.
#[expect(clippy::disallowed_methods, reason = "this is the door")]
fn look_up(name: &str) -> io::Result<Vec<IpAddr>> {
    use std::net::ToSocketAddrs;
    let mut addresses = Vec::new();
    for address in (name, 0).to_socket_addrs()? {
        if !addresses.contains(&address.ip()) {
            addresses.push(address.ip());
        }
    }
    Ok(addresses)
}
