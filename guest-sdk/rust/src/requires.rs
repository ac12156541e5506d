//! What a component needs from its host beyond running.

use crate::call::ClientAbilities;

/// Says what the component needs from its host beyond running. What an operator has not granted
/// stays out of reach, whatever is written here.
///
/// All lists may be left out, and the macro may stand in several places; the component then needs
/// all of it.
///
#[doc = "```"]
#[doc = include_str!("../tests/examples/requires.rs")]
#[doc = "```"]
///
/// `client` names what no call can do without: `elicit_form`, `elicit_url`, `sampling`, `roots`.
#[macro_export]
macro_rules! requires {
    ($($list:ident : [$($item:tt)*]),* $(,)?) => {
        #[allow(clippy::needless_update, reason = "all lists may be given")]
        const _: () = {
            use $crate::__private as __sdk;
            __sdk::inventory::submit! {
                __sdk::Requirements {
                    $($list: $crate::__requirement!($list: $($item)*),)*
                    ..__sdk::Requirements::NONE
                }
            }
        };
    };
}

/// One list of [`requires!`], as an expression.
#[doc(hidden)]
#[macro_export]
macro_rules! __requirement {
    (client: $($ability:ident),* $(,)?) => {
        __sdk::ClientAbilities { $($ability: true,)* ..__sdk::ClientAbilities::NONE }
    };
    (directories: $($access:ident($path:expr)),* $(,)?) => {
        &[$(__sdk::Directory::$access($path)),*]
    };
    ($list:ident : $($item:tt)*) => {
        &[$($item)*]
    };
}

/// What a component needs.
#[derive(Clone, Copy)]
pub struct Requirements {
    /// Hosts that are spoken to over HTTP, as `host:port`.
    pub http: &'static [&'static str],
    /// Directories, as the component opens them.
    pub directories: &'static [Directory],
    /// Names of environment variables.
    pub environment: &'static [&'static str],
    /// Names of secrets.
    pub secrets: &'static [&'static str],
    /// What no call can do without.
    pub client: ClientAbilities,
}

/// A directory that a component wants to see.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Directory {
    pub(crate) guest_path: &'static str,
    pub(crate) writes: bool,
}

impl Requirements {
    /// Nothing.
    pub const NONE: Self = Self {
        http: &[],
        directories: &[],
        environment: &[],
        secrets: &[],
        client: ClientAbilities::NONE,
    };
}

impl Directory {
    /// One that is read.
    #[must_use]
    pub const fn read_only(guest_path: &'static str) -> Self {
        Self { guest_path, writes: false }
    }

    /// One that is read and written.
    #[must_use]
    pub const fn read_write(guest_path: &'static str) -> Self {
        Self { guest_path, writes: true }
    }
}

inventory::collect!(Requirements);

/// Everything that is asked for anywhere in the crate, each once and in order.
pub(crate) struct All {
    pub(crate) http: Vec<&'static str>,
    pub(crate) directories: Vec<Directory>,
    pub(crate) environment: Vec<&'static str>,
    pub(crate) secrets: Vec<&'static str>,
    pub(crate) client: ClientAbilities,
}

/// What the component needs.
pub(crate) fn all() -> All {
    let each = || inventory::iter::<Requirements>.into_iter();
    All {
        http: once(each().flat_map(|it| it.http)),
        directories: once(each().flat_map(|it| it.directories)),
        environment: once(each().flat_map(|it| it.environment)),
        secrets: once(each().flat_map(|it| it.secrets)),
        client: each().fold(ClientAbilities::NONE, |all, it| all.or(it.client)),
    }
}

// Inserting, here and for tools, takes a tenth of the code that sorting would add to a component.
fn once<T: Copy + Ord + 'static>(items: impl Iterator<Item = &'static T>) -> Vec<T> {
    let mut all: Vec<T> = Vec::new();
    for item in items {
        if let Err(place) = all.binary_search(item) {
            all.insert(place, *item);
        }
    }
    all
}
