//! Where a request goes, read from its URI.
//!
//! A target has one reading: what resolvers, proxies and this host could understand differently is
//! refused.

use std::net::IpAddr;

use http::Uri;
use wasmtime_wasi_http::{Error, Result};

use crate::grants::HttpHost;

/// Where a request goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    /// As grants name it.
    pub(super) host: HttpHost,
    pub(super) place: Place,
    pub(super) port: u16,
    /// Over TLS.
    pub(super) secure: bool,
}

/// Who is spoken to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A name, in lower case and without a dot at its end.
    Name(String),
    /// An address; none of IPv4 within one of IPv6.
    Address(IpAddr),
}

const HTTP_PORT: u16 = 80;
const HTTPS_PORT: u16 = 443;

impl Target {
    /// The target of a request to `uri`.
    ///
    /// # Errors
    /// When it is no `http` or `https` URI of a host with an optional port and nothing else.
    pub(super) fn of(uri: &Uri) -> Result<Self> {
        let secure = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            Some(_) | None => return Err(Error::HttpProtocolError),
        };
        Self::of_authority(uri.authority().map_or("", |authority| authority.as_str()), secure)
            .ok_or(Error::HttpRequestUriInvalid)
    }

    fn of_authority(authority: &str, secure: bool) -> Option<Self> {
        // `*` is legal in a URI and means many hosts in a grant. With `@` a part that looks like a
        // host is none.
        if authority.contains(['*', '@']) {
            return None;
        }
        let end = authority.rfind(']').map_or(0, |bracket| bracket + 1);
        let (name, port) = match authority.get(end..)?.find(':') {
            Some(colon) => {
                let (name, port) = authority.split_at_checked(end + colon)?;
                let port = port.strip_prefix(':')?;
                if !port.bytes().all(|byte| byte.is_ascii_digit()) {
                    return None;
                }
                (name, port.parse().ok()?)
            }
            None => (authority, if secure { HTTPS_PORT } else { HTTP_PORT }),
        };
        // Parsed as a grant is, so that no text passes here that could not be granted.
        let host = format!("{name}:{port}").parse().ok()?;
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        let place = match bare.parse::<IpAddr>() {
            Ok(address) => Place::Address(address.to_canonical()),
            Err(_) => Place::Name(name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase()),
        };
        Some(Self { host, place, port, secure })
    }

    /// The value of `Host`: the port is left out where the scheme implies it (RFC 9110, 4.2.3).
    pub(super) fn authority(&self) -> String {
        let name = match &self.place {
            Place::Name(name) => name.clone(),
            Place::Address(IpAddr::V4(address)) => address.to_string(),
            Place::Address(IpAddr::V6(address)) => format!("[{address}]"),
        };
        match (self.port, self.secure) {
            (HTTP_PORT, false) | (HTTPS_PORT, true) => name,
            (port, true | false) => format!("{name}:{port}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_read_from_scheme_host_and_port() {
        let cases = [
            ("https://a.example", "a.example:443", "a.example"),
            ("http://a.example", "a.example:80", "a.example"),
            ("http://A.Example./x", "a.example:80", "a.example"),
            ("http://a.example:443", "a.example:443", "a.example:443"),
            ("https://a.example:443", "a.example:443", "a.example"),
            ("https://a.example:8443/?q", "a.example:8443", "a.example:8443"),
            ("http://127.0.0.1:8080", "127.0.0.1:8080", "127.0.0.1:8080"),
            ("http://[::1]", "[::1]:80", "[::1]"),
            ("http://[::ffff:127.0.0.1]:80", "127.0.0.1:80", "127.0.0.1"),
        ];
        for (uri, host, authority) in cases {
            let target = Target::of(&uri.parse().unwrap()).unwrap();
            assert_eq!(target.host, host.parse().unwrap(), "{uri}");
            assert_eq!(target.authority(), authority, "{uri}");
        }
    }

    #[test]
    fn what_could_be_read_in_two_ways_is_no_target() {
        let authorities = [
            "",
            "*",
            "*.a.example",
            "user@a.example",
            "user:pass@a.example",
            "a.example:80@b.example",
            "a.example:",
            "a.example:0",
            "a.example:+80",
            "a.example:65536",
            "a.example:99999999999",
            "a.example:80:80",
            "127.1",
            "2130706433",
            "0x7f000001",
            "0177.0.0.1",
            "10.0.0.1.",
            "[::1",
            "[::1]x:80",
            "[fe80::1%25lo]",
            "[127.0.0.1]",
            "::1",
            "a%2eexample",
            "a..example",
            "a b",
            "ä.example",
            "a.example\\@b.example",
        ];
        for authority in authorities {
            assert_eq!(Target::of_authority(authority, true), None, "{authority}");
        }
        for uri in ["ftp://a.example/", "ws://a.example/", "/path", "a.example:443"] {
            assert!(Target::of(&uri.parse().unwrap()).is_err(), "{uri}");
        }
    }
}
