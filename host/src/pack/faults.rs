//! Why a component is not packed.
//!
//! Each text is one line that says what, where, and what to do; nothing was written.

use std::path::PathBuf;

use super::{SECTION_BYTES_MAX, Unfit};
use crate::component::LoadError;
use crate::config::ConfigError;

/// Why a component is not packed. Its author must act.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PackError {
    /// The component cannot be read, or is none.
    #[error("cannot pack `{}`: {fault}", .path.display())]
    Component { path: PathBuf, fault: LoadError },
    /// The component describes itself.
    #[error(
        "cannot pack `{}`: it exports `portcullis:guest/tools` and describes itself; say it in \
         its source",
        .path.display()
    )]
    Provider { path: PathBuf },
    /// The .wit source is no good.
    #[error("cannot read the WIT in `{}`: {what}", .path.display())]
    Wit { path: PathBuf, what: String },
    /// The component is not of the world.
    #[error(
        "the component is not of the world `{world}`: {what}; build it again, or name its own WIT"
    )]
    OtherWorld { world: String, what: String },
    /// The overlay file cannot be read.
    #[error("cannot read `{}`: {error}; name an overlay file that can be read", .path.display())]
    NoOverlay { path: PathBuf, error: std::io::Error },
    /// What the overlay file says is wrong.
    #[error(transparent)]
    Overlay(ConfigError),
    /// A tool would be refused for what is said of it.
    #[error("tool `{tool}` would be refused with what is said of it: {reason}; change its docs")]
    Refused { tool: String, reason: String },
    /// What is said in the .wit source does not fit the component.
    #[error("the docs in the WIT do not fit the component: {0}; build it again from this WIT")]
    Docs(Unfit),
    /// There is too much to say.
    #[error(
        "the descriptor would have {bytes} bytes, more than {SECTION_BYTES_MAX}; shorten the docs"
    )]
    TooLarge { bytes: usize },
    /// The component cannot be written.
    #[error("cannot write `{}`: {error}; name a file that can be written", .path.display())]
    Unwritable { path: PathBuf, error: std::io::Error },
}
