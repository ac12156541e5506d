//! From a core module to a component.

use anyhow::Context as _;
use wasi_preview1_component_adapter_provider::{
    WASI_SNAPSHOT_PREVIEW1_ADAPTER_NAME as WASI, WASI_SNAPSHOT_PREVIEW1_REACTOR_ADAPTER as ADAPTER,
};
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};

use super::{Language, go};
use crate::pack::Source;

/// Makes a component of `core`, which exports what the world of `source` says.
///
/// # Errors
/// When it is no core module, or lacks what its world says.
pub(super) fn make(
    language: Language,
    mut core: Vec<u8>,
    source: &Source,
) -> anyhow::Result<Vec<u8>> {
    match language {
        // They are linked with an object of the bindings that has the world.
        Language::C | Language::Cpp | Language::Zig => {}
        Language::Go => {
            embed_component_metadata(&mut core, &source.resolve, source.id, StringEncoding::UTF8)?;
            core = go::mend(&core).context("it cannot be mended as Go's")?;
        }
    }
    let mut encoder = ComponentEncoder::default().validate(true).module(&core)?;
    encoder = encoder.adapter(WASI, ADAPTER).context("the WASI preview 1 adapter does not fit")?;
    encoder.encode()
}
