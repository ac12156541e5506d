//! The limits, with their defaults and ranges.
//!
//! Every limit has its unit in its name and none can be switched off. docs/config.md lists them, and
//! a test compares that list with what is here.

use serde::Deserialize;
use toml::Spanned;

use super::{ConfigError, Source};
use crate::schema::Bounds;

/// What one call may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Milliseconds from the start of a call to its end, waiting, instantiation and host calls
    /// included.
    pub call_deadline_ms: u64,
    /// Bytes of all linear memories of a guest together.
    pub memory_bytes_max: usize,
    /// Elements of all tables of a guest together.
    pub table_elements_max: usize,
    /// Core instances of a guest, and as many memories and tables.
    pub instances_max: usize,
    /// Handles to host resources that a guest may hold at once.
    pub handles_max: usize,
    /// Bytes of a result.
    pub result_bytes_max: usize,
    /// Bytes of the arguments as JSON text.
    pub argument_bytes_max: usize,
    /// Bytes of what a guest prints, and of what it logs, that are kept.
    pub log_bytes_max: usize,
    /// Progress notes in any second that are passed on; the others are dropped.
    pub progress_notes_per_second_max: u64,
    /// HTTP requests of a call.
    pub http_requests_max: u64,
    /// Bytes of the bodies of a call's HTTP requests and responses together.
    pub http_bytes_max: u64,
    /// Calls of a tool that one client may begin in a second.
    pub calls_per_second_max: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            call_deadline_ms: 30_000,
            memory_bytes_max: 128 << 20,
            table_elements_max: 200_000,
            instances_max: 100,
            handles_max: 1024,
            result_bytes_max: 4 << 20,
            argument_bytes_max: 1 << 20,
            log_bytes_max: 64 << 10,
            progress_notes_per_second_max: 10,
            http_requests_max: 32,
            http_bytes_max: 16 << 20,
            calls_per_second_max: 100_000,
        }
    }
}

/// What the host takes for all calls together, and for a component before its first call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostLimits {
    /// Calls that run at once. One of a component that consists of many instances counts as more.
    pub calls_max: u64,
    /// Calls of one component that wait for room; a further one is refused.
    pub calls_queued_max: u64,
    /// Bytes of the linear memories of all guests together.
    pub memory_bytes_max: usize,
    /// Bytes of a component's file.
    pub component_bytes_max: u64,
    /// Milliseconds that compiling a component may take, of time and of each processor.
    pub compile_deadline_ms: u64,
    /// Bytes of address space of the process that compiles a component.
    pub compile_memory_bytes_max: u64,
}

impl Default for HostLimits {
    fn default() -> Self {
        Self {
            calls_max: 64,
            calls_queued_max: 256,
            memory_bytes_max: 2 << 30,
            component_bytes_max: 64 << 20,
            compile_deadline_ms: 120_000,
            compile_memory_bytes_max: 4 << 30,
        }
    }
}

/// What a server takes of its clients over HTTP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpLimits {
    /// Bytes of a request's body.
    pub body_bytes_max: usize,
    /// Bytes of the bodies of all requests that are being read or answered.
    pub bodies_bytes_max: usize,
    /// Milliseconds that a head may take to arrive, and a body.
    pub read_deadline_ms: u64,
    /// Connections at once.
    pub connections_max: usize,
    /// Sessions at once.
    pub sessions_max: usize,
    /// Milliseconds after which a session ends that has nothing open.
    pub session_idle_ms: u64,
    /// Requests of one client at once, streams included.
    pub client_requests_max: u64,
    /// Requests that one client may begin in a second.
    pub client_requests_per_second_max: u64,
    /// Milliseconds that running calls have when the server is told to end.
    pub shutdown_deadline_ms: u64,
}

impl Default for HttpLimits {
    fn default() -> Self {
        Self {
            body_bytes_max: 4 << 20,
            bodies_bytes_max: 256 << 20,
            read_deadline_ms: 30_000,
            connections_max: 512,
            sessions_max: 1024,
            session_idle_ms: 1_800_000,
            client_requests_max: 256,
            client_requests_per_second_max: 10_000,
            shutdown_deadline_ms: 30_000,
        }
    }
}

/// A key, for the list in the docs.
#[cfg(test)]
#[derive(Clone)]
pub(super) struct Key {
    pub(super) name: &'static str,
    pub(super) default: u64,
    pub(super) least: u64,
    pub(super) most: u64,
}

/// How the limits of a struct are written: each key with its range.
macro_rules! written {
    ($raw:ident => $meant:ident { $($key:ident: $least:expr => $most:expr,)+ }) => {
        /// As they are written; none: what is meant otherwise.
        #[derive(Debug, Default, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(super) struct $raw {
            $($key: Option<Spanned<u64>>,)+
        }

        impl $raw {
            /// What is written, and `base` for what is not.
            pub(super) fn over(
                self,
                base: &$meant,
                source: &Source<'_>,
            ) -> Result<$meant, ConfigError> {
                let mut meant = base.clone();
                $(if let Some(value) = self.$key {
                    let value = source.within(stringify!($key), &value, $least, $most)?;
                    meant.$key = value.try_into().unwrap_or(meant.$key);
                })+
                Ok(meant)
            }

            #[cfg(test)]
            pub(super) fn keys() -> Vec<Key> {
                let meant = $meant::default();
                vec![$(Key {
                    name: stringify!($key),
                    default: meant.$key as u64,
                    least: $least,
                    most: $most,
                },)+]
            }
        }
    };
}

written!(RawLimits => Limits {
    call_deadline_ms: 1 => 3_600_000,
    memory_bytes_max: 64 << 10 => 4 << 30,
    table_elements_max: 0 => 10_000_000,
    instances_max: 1 => 1000,
    handles_max: 8 => 1_000_000,
    result_bytes_max: 1 << 10 => 256 << 20,
    argument_bytes_max: 1 << 10 => 15 << 20,
    log_bytes_max: 0 => 16 << 20,
    progress_notes_per_second_max: 0 => 1000,
    http_requests_max: 0 => 10_000,
    http_bytes_max: 0 => 1 << 30,
    calls_per_second_max: 1 => 1_000_000,
});

written!(RawHostLimits => HostLimits {
    calls_max: 1 => 1024,
    calls_queued_max: 0 => 100_000,
    memory_bytes_max: 1 << 20 => 1 << 40,
    component_bytes_max: 1 << 10 => 4 << 30,
    compile_deadline_ms: 100 => 3_600_000,
    compile_memory_bytes_max: 256 << 20 => 1 << 40,
});

written!(RawBounds => Bounds {
    schema_bytes_max: 256 => 4 << 20,
    published_bytes_max: 256 => 16 << 20,
    depth_max: 4 => 128,
    nesting_max: 2 => 64,
    subschemas_max: 1 => 100_000,
    expansion_max: 1 => 10_000,
    cases_max: 1 => 10_000,
    description_bytes_max: 0 => 64 << 10,
    patterns_max: 0 => 1000,
    pattern_bytes_max: 1 => 64 << 10,
    regex_bytes_max: 1 << 10 => 10 << 20,
});

written!(RawHttpLimits => HttpLimits {
    body_bytes_max: 1 << 10 => 64 << 20,
    bodies_bytes_max: 1 << 20 => 16 << 30,
    read_deadline_ms: 100 => 600_000,
    connections_max: 1 => 65_536,
    sessions_max: 1 => 100_000,
    session_idle_ms: 100 => 604_800_000,
    client_requests_max: 1 => 65_536,
    client_requests_per_second_max: 1 => 1_000_000,
    shutdown_deadline_ms: 0 => 3_600_000,
});

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows of the tables in the docs: name, default, least and most.
    fn documented() -> Vec<(String, [u64; 3])> {
        let rows = include_str!("../../../docs/config.md").lines().filter_map(|line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let [_, name, default, least, most, _, _] = cells[..] else { return None };
            let numbers = [default, least, most].map(|number| number.parse().ok());
            let [Some(default), Some(least), Some(most)] = numbers else { return None };
            Some((name.trim_matches('`').to_owned(), [default, least, most]))
        });
        rows.collect()
    }

    #[test]
    fn the_docs_list_every_limit_with_its_default_and_range() {
        let keys =
            [RawLimits::keys(), RawHostLimits::keys(), RawBounds::keys(), RawHttpLimits::keys()];
        let keys = keys.into_iter().flatten();
        let keys: Vec<_> =
            keys.map(|key| (key.name.to_owned(), [key.default, key.least, key.most])).collect();
        assert_eq!(documented(), keys);
    }

    #[test]
    fn every_default_is_in_its_range_and_has_its_unit_in_its_name() {
        let units = [
            "_ms",
            "_bytes",
            "_elements",
            "_instances",
            "instances",
            "handles",
            "notes",
            "requests",
            "calls",
            "depth",
            "nesting",
            "subschemas",
            "expansion",
            "cases",
            "patterns",
            "connections",
            "sessions",
        ];
        let all =
            [RawLimits::keys(), RawHostLimits::keys(), RawBounds::keys(), RawHttpLimits::keys()];
        for key in all.concat() {
            assert!((key.least..=key.most).contains(&key.default), "{}", key.name);
            assert!(units.iter().any(|unit| key.name.contains(unit)), "{}", key.name);
        }
    }
}
