//! From a core module to a component.

use std::path::Path;

use anyhow::Context as _;
use wasi_preview1_component_adapter_provider::{
    WASI_SNAPSHOT_PREVIEW1_ADAPTER_NAME as WASI, WASI_SNAPSHOT_PREVIEW1_REACTOR_ADAPTER as ADAPTER,
};
use wit_component::{ComponentEncoder, StringEncoding};

use crate::go;
use crate::world::World;

/// What differs between languages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steps {
    /// The module has its world already.
    pub(crate) embedded: bool,
    /// The module is Go's.
    pub(crate) go: bool,
}

/// Makes a component of `core`, which exports what `world` says; `path` is what it is called in
/// errors.
///
/// # Errors
/// When it is no core module, or lacks what its world says.
pub(crate) fn make(
    path: &Path,
    mut core: Vec<u8>,
    world: &World,
    steps: Steps,
) -> anyhow::Result<Vec<u8>> {
    let shown = path.display();
    if !steps.embedded {
        let (resolve, id) = (&world.resolve, world.id);
        wit_component::embed_component_metadata(
            &mut core,
            resolve,
            id,
            StringEncoding::UTF8,
            false,
        )
        .with_context(|| format!("{shown} cannot be given its world"))?;
    }
    if steps.go {
        core = go::mend(&core).with_context(|| format!("{shown} cannot be mended as Go's"))?;
    }
    let mut encoder = ComponentEncoder::default();
    encoder.validate(true);
    encoder.module(&core).with_context(|| format!("{shown} is no module of this world"))?;
    encoder.adapter(WASI, ADAPTER).context("the WASI preview 1 adapter does not fit")?;
    encoder.encode().with_context(|| format!("{shown} cannot be made a component"))
}
