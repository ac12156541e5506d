//! By which name a request calls this server, and from which web page.
//!
//! A page of a stranger reaches this server through a browser: under a name that leads here since
//! a moment ago, or from its own origin. Neither is let in.

use std::net::SocketAddr;

use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, HOST, ORIGIN, VARY,
};
use http::uri::Authority;
use http::{HeaderMap, HeaderValue, StatusCode, Uri};

use crate::config::HttpConfig;
use crate::mcp::{Reply, refuse};

/// Names and pages that are let in.
pub(super) struct Guard {
    hosts: Vec<Authority>,
    origins: Vec<String>,
}

impl Guard {
    /// That of a server that listens at `address`.
    pub(super) fn new(config: &HttpConfig, address: SocketAddr) -> Self {
        let bound = match address.ip() {
            ip if ip.is_unspecified() => None,
            std::net::IpAddr::V4(ip) => Some(ip.to_string()),
            std::net::IpAddr::V6(ip) => Some(format!("[{ip}]")),
        };
        let usual = ["localhost", "127.0.0.1", "[::1]"].map(str::to_owned);
        let resource = config.oauth.as_ref().and_then(|oauth| oauth.resource.parse::<Uri>().ok());
        let resource = resource.and_then(|url| Some(url.host()?.to_owned()));
        let hosts = usual.into_iter().chain(bound).chain(resource);
        let hosts = hosts.chain(config.allowed_hosts.iter().cloned());
        // Pages of this machine at the very port: nobody but this server has any there.
        let port = address.port();
        let own = ["localhost", "127.0.0.1", "[::1]"].map(|host| format!("http://{host}:{port}"));
        let own = own.into_iter().filter(|_| address.ip().is_loopback());
        Self {
            hosts: hosts.filter_map(|host| host.parse().ok()).collect(),
            origins: own.chain(config.allowed_origins.iter().cloned()).collect(),
        }
    }

    /// Lets a request in.
    ///
    /// # Errors
    /// The reply to one that is not let in.
    pub(super) fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Box<Reply>> {
        let mut named = headers.get_all(HOST).iter();
        let host = match (named.next(), named.next()) {
            (Some(host), None) => host.to_str().ok().and_then(|host| host.parse().ok()),
            (None, None) => uri.authority().cloned(),
            (_, Some(_)) => None,
        };
        let Some(host) = host else {
            return Err(Box::new(refuse(
                StatusCode::BAD_REQUEST,
                -32000,
                "the request does not say one host (`Host`)",
            )));
        };
        if !self.hosts.iter().any(|allowed| covers(allowed, &host)) {
            tracing::warn!(%host, "a request to a name that this server does not go by is refused");
            let message = "this server does not go by that name; its operator can add it to \
                           `http.allowed_hosts`";
            return Err(Box::new(refuse(StatusCode::FORBIDDEN, -32000, message)));
        }
        for origin in headers.get_all(ORIGIN) {
            if !self.lets_in(origin) {
                tracing::warn!(?origin, "a request of a web page is refused");
                let message = "this server answers no web page of that origin; its operator can \
                               add it to `http.allowed_origins`";
                return Err(Box::new(refuse(StatusCode::FORBIDDEN, -32000, message)));
            }
        }
        Ok(())
    }

    fn lets_in(&self, origin: &HeaderValue) -> bool {
        let origin = origin.as_bytes();
        self.origins.iter().any(|allowed| allowed.as_bytes().eq_ignore_ascii_case(origin))
    }

    /// Lets the page at `origin`, which was let in, read the reply.
    pub(super) fn share(reply: &mut Reply, origin: Option<&HeaderValue>) {
        let Some(origin) = origin else { return };
        let headers = reply.headers_mut();
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        headers.insert(VARY, HeaderValue::from_static("origin"));
        headers.insert(
            ACCESS_CONTROL_EXPOSE_HEADERS,
            HeaderValue::from_static("mcp-session-id, www-authenticate, retry-after"),
        );
    }

    /// Tells a browser what a page may send.
    pub(super) fn tell(reply: &mut Reply, asked: Option<&HeaderValue>) {
        let headers = reply.headers_mut();
        let methods = HeaderValue::from_static("GET, POST, DELETE");
        headers.insert(ACCESS_CONTROL_ALLOW_METHODS, methods);
        headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
        // `Mcp-Param-` headers have names that only tools know; the page was let in.
        if let Some(asked) = asked {
            headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, asked.clone());
        }
    }
}

/// A name without a port is that name at every port.
fn covers(allowed: &Authority, host: &Authority) -> bool {
    allowed.host().eq_ignore_ascii_case(host.host())
        && allowed.port_u16().is_none_or(|port| host.port_u16() == Some(port))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(guard: &Guard, headers: &[(&'static str, &str)]) -> u16 {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_str(value).unwrap());
        }
        guard.check(&Uri::from_static("/mcp"), &map).map_or_else(|r| r.status().as_u16(), |()| 200)
    }

    fn guard(address: &str) -> Guard {
        let config = HttpConfig {
            allowed_hosts: vec!["tools.example".to_owned(), "ported.example:8443".to_owned()],
            allowed_origins: vec!["https://app.example".to_owned()],
            ..HttpConfig::default()
        };
        Guard::new(&config, address.parse().unwrap())
    }

    #[test]
    fn a_server_goes_by_the_names_that_lead_to_it_alone() {
        let guard = guard("192.0.2.7:8080");
        let known = ["localhost", "127.0.0.1:8080", "[::1]:9", "192.0.2.7:8080", "TOOLS.example"];
        for host in known.iter().chain(&["ported.example:8443"]) {
            assert_eq!(status(&guard, &[("host", host)]), 200, "{host}");
        }
        for host in ["evil.example", "ported.example", "ported.example:1", "tools.example.evil"] {
            assert_eq!(status(&guard, &[("host", host)]), 403, "{host}");
        }
        assert_eq!(status(&guard, &[]), 400);
        assert_eq!(status(&guard, &[("host", "localhost"), ("host", "evil.example")]), 400);
    }

    #[test]
    fn pages_are_let_in_by_their_whole_origin() {
        let guard = guard("127.0.0.1:8080");
        let from = |origin| status(&guard, &[("host", "localhost"), ("origin", origin)]);
        assert_eq!(from("https://app.example"), 200);
        for origin in ["http://app.example", "https://app.example:444", "null", "http://localhost"]
        {
            assert_eq!(from(origin), 403, "{origin}");
        }
        assert_eq!(from("http://127.0.0.1:8080"), 200);
        for origin in ["http://127.0.0.1", "http://127.0.0.1:8081", "https://127.0.0.1:8080"] {
            assert_eq!(from(origin), 403, "{origin}");
        }
        let wide = self::guard("192.0.2.1:8080");
        let own = [("host", "192.0.2.1:8080"), ("origin", "http://192.0.2.1:8080")];
        assert_eq!(status(&wide, &own), 403, "anybody may be at that address for a browser");
    }
}
