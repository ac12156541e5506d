//! Which addresses are public ones.
//!
//! What is not known to be a public address of one machine is none, so that an address range that
//! is set aside for something new is refused until somebody adds it.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// What is not public of IPv4: the IANA IPv4 Special-Purpose Address Registry (RFC 6890), without
/// the few blocks of it that are said to be globally reachable, and multicast.
const SPECIAL_V4: [(Ipv4Addr, u32, &str); 17] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8, "this network, RFC 791"),
    (Ipv4Addr::new(10, 0, 0, 0), 8, "private use, RFC 1918"),
    (Ipv4Addr::new(100, 64, 0, 0), 10, "carrier-grade NAT, RFC 6598"),
    (Ipv4Addr::new(127, 0, 0, 0), 8, "loopback, RFC 1122"),
    (Ipv4Addr::new(168, 63, 129, 16), 32, "Azure's virtual address of the machine's host"),
    (Ipv4Addr::new(169, 254, 0, 0), 16, "link-local, RFC 3927; metadata of clouds"),
    (Ipv4Addr::new(172, 16, 0, 0), 12, "private use, RFC 1918"),
    (Ipv4Addr::new(192, 0, 0, 0), 24, "IETF protocol assignments, RFC 6890"),
    (Ipv4Addr::new(192, 0, 2, 0), 24, "documentation, RFC 5737"),
    (Ipv4Addr::new(192, 88, 99, 0), 24, "6to4 relays, RFC 7526"),
    (Ipv4Addr::new(192, 168, 0, 0), 16, "private use, RFC 1918"),
    (Ipv4Addr::new(198, 18, 0, 0), 15, "benchmarking, RFC 2544"),
    (Ipv4Addr::new(198, 51, 100, 0), 24, "documentation, RFC 5737"),
    (Ipv4Addr::new(203, 0, 113, 0), 24, "documentation, RFC 5737"),
    (Ipv4Addr::new(224, 0, 0, 0), 4, "multicast, RFC 5771"),
    (Ipv4Addr::new(240, 0, 0, 0), 4, "reserved, RFC 1112"),
    (Ipv4Addr::BROADCAST, 32, "broadcast, RFC 919"),
];

/// The one block of IPv6 from which addresses of machines are given out (IANA IPv6 Address Space).
/// Loopback, IPv4-mapped and IPv4-compatible, NAT64 (64:ff9b::/96), discard-only (100::/64), unique
/// local, link-local, site-local and multicast addresses are outside of it.
const GLOBAL_UNICAST: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// What is not public of it: the IANA IPv6 Special-Purpose Address Registry (RFC 6890).
const SPECIAL_V6: [(Ipv6Addr, u32, &str); 4] = [
    (
        Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0),
        23,
        "IETF protocol assignments, RFC 2928; Teredo, benchmarking and ORCHIDv2 are in it",
    ),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32, "documentation, RFC 3849"),
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16, "6to4, RFC 3056: an IPv4 address within"),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20, "documentation, RFC 9637"),
];

/// Whether `address` is a public one, of one machine. One that holds an IPv4 address within is
/// none: it is not looked at twice.
pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            !SPECIAL_V4.iter().any(|(block, length, _)| within_v4(address, *block, *length))
        }
        IpAddr::V6(address) => {
            let (global, length) = GLOBAL_UNICAST;
            within_v6(address, global, length)
                && !SPECIAL_V6.iter().any(|(block, length, _)| within_v6(address, *block, *length))
        }
    }
}

fn within_v4(address: Ipv4Addr, block: Ipv4Addr, length: u32) -> bool {
    (address.to_bits() ^ block.to_bits()).leading_zeros() >= length
}

fn within_v6(address: Ipv6Addr, block: Ipv6Addr, length: u32) -> bool {
    (address.to_bits() ^ block.to_bits()).leading_zeros() >= length
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first and last address of each block of the registries, and what lies beside it.
    #[test]
    fn no_special_purpose_address_of_the_iana_registries_is_public() {
        let special = [
            "0.0.0.0",
            "0.255.255.255",
            "10.0.0.0",
            "10.255.255.255",
            "100.64.0.0",
            "100.100.100.200",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.255",
            "168.63.129.16",
            "169.254.0.0",
            "169.254.169.254",
            "169.254.255.255",
            "172.16.0.0",
            "172.31.255.255",
            "192.0.0.0",
            "192.0.0.192",
            "192.0.0.255",
            "192.0.2.0",
            "192.0.2.255",
            "192.88.99.1",
            "192.168.0.0",
            "192.168.255.255",
            "198.18.0.0",
            "198.19.255.255",
            "198.51.100.0",
            "203.0.113.255",
            "224.0.0.0",
            "239.255.255.255",
            "240.0.0.0",
            "255.255.255.255",
            "::",
            "::1",
            "::7f00:1",
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "::ffff:0:127.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b::8.8.8.8",
            "64:ff9b:1::1",
            "100::1",
            "100:0:0:1::1",
            "2001::1",
            "2001:0:7f00:1::",
            "2001:2::1",
            "2001:10::1",
            "2001:20::1",
            "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff",
            "2001:db8::1",
            "2002:7f00:1::1",
            "2002:808:808::1",
            "3fff::1",
            "3fff:fff:ffff::1",
            "4000::1",
            "5f00::1",
            "fc00::1",
            "fd00::1",
            "fd00:ec2::254",
            "fe80::1",
            "febf::1",
            "fec0::1",
            "ff02::1",
        ];
        for text in special {
            assert!(!is_public(text.parse().unwrap()), "{text}");
        }
    }

    #[test]
    fn what_lies_beside_the_special_blocks_is_public() {
        let public = [
            "1.0.0.0",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "168.63.129.15",
            "169.253.255.255",
            "169.255.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "191.255.255.255",
            "192.0.1.0",
            "192.0.3.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "203.0.112.255",
            "203.0.114.0",
            "223.255.255.255",
            "2001:200::1",
            "2001:4860:4860::8888",
            "2003::1",
            "2606:4700:4700::1111",
            "3ffe::1",
            "3fff:1000::1",
        ];
        for text in public {
            assert!(is_public(text.parse().unwrap()), "{text}");
        }
    }
}
