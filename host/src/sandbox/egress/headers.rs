//! The headers of a request as they go out, and of a response as they come in.
//!
//! What is about the connection, and `Host`, is the host's alone. A secret is put in last, when the
//! guest has no more hold of the request.

use http::header::{CONNECTION, HOST, TE, TRAILER};
use http::{HeaderMap, HeaderName, HeaderValue};
use wasmtime_wasi_http::{DEFAULT_FORBIDDEN_HEADERS, Error, Result};

use super::target::{Place, Target};
use crate::grants::{Effective, Secret, SecretHeader};
use crate::sandbox::tally::Denied;

/// Whether a guest may neither set a header of this name nor see it. Beyond what is usual, it may
/// not say what it accepts of the connection: it never sees that.
pub(super) fn is_the_hosts(name: &HeaderName) -> bool {
    DEFAULT_FORBIDDEN_HEADERS.contains(name) || *name == TE || *name == TRAILER
}

/// Makes the headers of a request to `target` what is sent: the host's own, what a guest may set,
/// and the secrets for it.
///
/// # Errors
/// None for a target that was read from a URI.
pub(super) fn complete(
    headers: &mut HeaderMap,
    target: &Target,
    effective: &Effective,
) -> Result<()> {
    remove_the_hosts(headers);
    let host = HeaderValue::try_from(target.authority());
    let guests = std::mem::take(headers);
    // The first one, as RFC 9110, 7.2 wants it.
    headers.insert(HOST, host.map_err(|_| Error::HttpRequestUriInvalid)?);
    headers.extend(guests);
    for (_, header) in secrets(effective, target) {
        headers.insert(header.name.clone(), header.value.clone());
    }
    Ok(())
}

/// Removes from `headers`, of a response, what is about the connection that it came by.
pub(super) fn remove_the_hosts(headers: &mut HeaderMap) {
    let named: Vec<HeaderName> = headers
        .get_all(CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|name| name.trim().parse().ok())
        .collect();
    let own: Vec<HeaderName> = headers.keys().filter(|name| is_the_hosts(name)).cloned().collect();
    for name in named.iter().chain(&own) {
        headers.remove(name);
    }
}

/// What stands against sending the secrets for `target` there: it is a name that is spoken to
/// without TLS, so that whoever answers for it gets them. An address that the operator granted as
/// such is in a network of theirs.
pub(super) fn cleartext(effective: &Effective, target: &Target) -> Option<Denied> {
    match (&target.place, target.secure) {
        (Place::Name(_) | Place::Address(_), true) | (Place::Address(_), false) => None,
        (Place::Name(_), false) => secrets(effective, target)
            .next()
            .map(|(secret, _)| Denied::Cleartext(target.host.clone(), secret.name.clone())),
    }
}

/// The secrets that requests to `target` get.
fn secrets<'a>(
    effective: &'a Effective,
    target: &'a Target,
) -> impl Iterator<Item = (&'a Secret, &'a SecretHeader)> {
    let for_target =
        |header: &&SecretHeader| header.hosts.iter().any(|granted| granted.covers(&target.host));
    effective.secrets.iter().filter_map(move |secret| {
        secret.header.as_ref().filter(for_target).map(|header| (secret, header))
    })
}
