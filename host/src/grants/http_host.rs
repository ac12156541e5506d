//! Which hosts may be spoken to over HTTP: `host:port`.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use serde::{Deserialize, Serialize, Serializer};

/// A host and a port, or a family of hosts on a port.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct HttpHost {
    name: Name,
    port: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Name {
    /// `*`: every host with a public address.
    Any,
    /// `*.example.com`: the hosts below it, and not itself.
    Below(String),
    /// One host, in lower case and without a dot at its end.
    Host(String),
    /// An address, which may be one that a name must not lead to.
    Address(IpAddr),
}

/// The longest name of a host (RFC 1035, 2.3.4).
const NAME_BYTES_MAX: usize = 253;

impl HttpHost {
    /// The host of a request. An address in brackets or not is an address however it is written.
    #[must_use]
    pub fn of_request(host: &str, port: u16) -> Self {
        let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        let name = match bare.parse::<IpAddr>() {
            Ok(address) => Name::Address(address.to_canonical()),
            Err(_) => Name::Host(folded(host)),
        };
        Self { name, port }
    }

    /// Whether everything that `other` means is meant here too.
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        self.port == other.port
            && match (&self.name, &other.name) {
                // An address is granted as such or not at all.
                (Name::Any, Name::Address(_)) => false,
                (Name::Any, Name::Any | Name::Below(_) | Name::Host(_)) => true,
                (Name::Below(parent), Name::Host(name) | Name::Below(name)) => {
                    name.strip_suffix(parent.as_str()).is_some_and(|rest| rest.ends_with('.'))
                        || matches!(&other.name, Name::Below(same) if same == parent)
                }
                (Name::Host(one), Name::Host(other)) => one == other,
                (Name::Address(one), Name::Address(other)) => one == other,
                (Name::Below(_) | Name::Host(_) | Name::Address(_), _) => false,
            }
    }

    /// Whether a component that requires this may have what `granted` means. To require any host
    /// is to require addresses too.
    #[must_use]
    pub(super) fn wants(&self, granted: &Self) -> bool {
        let any_address = self.name == Name::Any && matches!(granted.name, Name::Address(_));
        self.covers(granted) || (any_address && self.port == granted.port)
    }

    /// Whether this is an address and no name.
    #[must_use]
    pub(crate) fn is_any_address(&self) -> bool {
        matches!(self.name, Name::Address(_))
    }

    /// Whether this is `address` itself, on `port`.
    #[must_use]
    pub fn is_address(&self, address: IpAddr, port: u16) -> bool {
        self.port == port && self.name == Name::Address(address.to_canonical())
    }
}

fn folded(host: &str) -> String {
    host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase()
}

impl FromStr for HttpHost {
    type Err = NotAHost;

    fn from_str(text: &str) -> Result<Self, NotAHost> {
        let (host, port) = text.rsplit_once(':').ok_or(NotAHost)?;
        let port = port.parse().ok().filter(|port| *port != 0).ok_or(NotAHost)?;
        let name = if host == "*" {
            Name::Any
        } else if let Some(parent) = host.strip_prefix("*.") {
            Name::Below(checked(parent)?)
        } else if let Some(address) = host.strip_prefix('[') {
            let address = address.strip_suffix(']').ok_or(NotAHost)?;
            let address: std::net::Ipv6Addr = address.parse().map_err(|_| NotAHost)?;
            Name::Address(IpAddr::from(address).to_canonical())
        } else if let Ok(address) = host.parse::<std::net::Ipv4Addr>() {
            Name::Address(address.into())
        } else {
            Name::Host(checked(host)?)
        };
        Ok(Self { name, port })
    }
}

/// A host's name: labels of letters, digits, `-` and `_`. The last one is no number, so that
/// nothing that some resolver takes for an address passes as a name (WHATWG URL, 3.5).
fn checked(name: &str) -> Result<String, NotAHost> {
    let name = folded(name);
    let legal = |label: &str| {
        (1..=63).contains(&label.len())
            && label.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
    };
    let last = name.rsplit('.').next().unwrap_or_default();
    let number = last.starts_with("0x") || last.chars().all(|c| c.is_ascii_digit());
    if name.len() > NAME_BYTES_MAX || number || !name.split('.').all(legal) {
        return Err(NotAHost);
    }
    Ok(name)
}

impl TryFrom<String> for HttpHost {
    type Error = NotAHost;

    fn try_from(text: String) -> Result<Self, NotAHost> {
        text.parse()
    }
}

impl Serialize for HttpHost {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A text that names no host and port.
#[derive(Debug, thiserror::Error)]
#[error(
    "it is no host and port, such as \"api.example.com:443\", \"*.example.com:443\", \"*:443\" \
     or \"10.0.0.5:8080\""
)]
pub struct NotAHost;

impl fmt::Display for HttpHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Name::Any => write!(f, "*:{}", self.port),
            Name::Below(parent) => write!(f, "*.{parent}:{}", self.port),
            Name::Host(host) => write!(f, "{host}:{}", self.port),
            Name::Address(IpAddr::V4(address)) => write!(f, "{address}:{}", self.port),
            Name::Address(IpAddr::V6(address)) => write!(f, "[{address}]:{}", self.port),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(text: &str) -> HttpHost {
        text.parse().unwrap()
    }

    #[test]
    fn a_grant_covers_what_it_says_and_no_more() {
        let cases = [
            ("a.example:443", "a.example:443", true),
            ("A.Example.:443", "a.example:443", true),
            ("a.example:443", "a.example:80", false),
            ("a.example:443", "b.example:443", false),
            ("*.example:443", "a.example:443", true),
            ("*.example:443", "a.b.example:443", true),
            ("*.example:443", "*.b.example:443", true),
            ("*.example:443", "*.example:443", true),
            ("*.example:443", "example:443", false),
            ("*.example:443", "anexample:443", false),
            ("*:443", "a.example:443", true),
            ("*:443", "*.example:443", true),
            ("*:443", "10.0.0.5:443", false),
            ("*.5:443", "10.0.0.5:443", false),
            ("10.0.0.5:443", "10.0.0.5:443", true),
            ("10.0.0.5:443", "[::ffff:10.0.0.5]:443", true),
            ("a.example:443", "*:443", false),
        ];
        for (grant, asked, covers) in cases {
            let Ok(grant) = grant.parse::<HttpHost>() else {
                assert!(!covers, "{grant} is no host");
                continue;
            };
            assert_eq!(grant.covers(&host(asked)), covers, "{grant} {asked}");
        }
    }

    #[test]
    fn the_host_of_a_request_is_an_address_however_it_is_written() {
        for written in ["[::ffff:10.0.0.5]", "::ffff:10.0.0.5", "10.0.0.5"] {
            assert_eq!(HttpHost::of_request(written, 80), host("10.0.0.5:80"), "{written}");
        }
        assert_eq!(HttpHost::of_request("A.example.", 80), host("a.example:80"));
    }

    #[test]
    fn what_is_no_host_and_port_is_refused() {
        for text in [
            "",
            "a.example",
            "a.example:",
            "a.example:0",
            "a.example:70000",
            "http://a:80",
            "a b:80",
            "a..b:80",
            ":80",
            "[::1:80",
            "[10.0.0.1]:80",
            "0x7f.1:80",
            "127.1:80",
            "2130706433:80",
            "*a.example:80",
            "*.:80",
            "a/b:80",
            "user@a:80",
        ] {
            assert!(text.parse::<HttpHost>().is_err(), "{text}");
        }
    }
}
