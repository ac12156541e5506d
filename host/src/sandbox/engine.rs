//! The one engine, tuned for a fresh instance on every call, and its twin that only compiles.
//!
//! No setting here widens what a guest can reach; features that no toolchain of ours needs
//! are off. docs/decisions/0002-the-engine.md has the reasons and the figures.

use super::Weights;
use wasmtime::{
    Config, Enabled, Engine, InstanceAllocationStrategy, PoolingAllocationConfig, Result,
};

/// Bytes of a memory that stay mapped between calls, so that the next one need not fault them in.
const MEMORY_KEEP_RESIDENT_BYTES: usize = 512 << 10;
/// The same for tables.
const TABLE_KEEP_RESIDENT_BYTES: usize = 64 << 10;
/// Elements a table may have, which bounds what one slot of the pool reserves.
const TABLE_ELEMENTS_MAX: usize = 100_000;

/// Makes the engine, with a pool for calls of these weights.
///
/// # Errors
/// When this machine cannot run it, such as when the address space is limited.
pub(super) fn build(weights: Weights) -> Result<Engine> {
    let parts = weights.all();
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(weights.calls)
        .total_core_instances(parts)
        .total_memories(parts)
        .total_tables(parts)
        .total_stacks(weights.calls)
        .max_tables_per_module(8)
        .table_elements(TABLE_ELEMENTS_MAX)
        .max_component_instance_size(4 << 20)
        .max_core_instance_size(4 << 20)
        .linear_memory_keep_resident(MEMORY_KEEP_RESIDENT_BYTES)
        .table_keep_resident(TABLE_KEEP_RESIDENT_BYTES)
        .pagemap_scan(Enabled::Auto);

    Engine::new(settings().allocation_strategy(InstanceAllocationStrategy::Pooling(pool)))
}

/// Makes the engine of a process that compiles and runs nothing: what it compiles is code for the
/// engine of [`build`], without the hundreds of gigabytes of address space that a pool reserves.
///
/// # Errors
/// When this machine cannot run it.
pub(super) fn for_compiling() -> Result<Engine> {
    Engine::new(settings().allocation_strategy(InstanceAllocationStrategy::OnDemand))
}

/// What both engines have in common, which is all that compiled code depends on.
fn settings() -> Config {
    let mut config = Config::new();
    config
        .concurrency_support(false)
        .epoch_interruption(true)
        .gc_support(false)
        .wasm_component_model(true)
        .wasm_component_model_map(true)
        .wasm_relaxed_simd(false)
        .wasm_memory64(false)
        // What passes a string between two components that are composed copies between two memories. A
        // module of its own has at most one all the same: the pool has no room for more.
        .wasm_multi_memory(true)
        .wasm_tail_call(false)
        .wasm_backtrace_max_frames(std::num::NonZeroUsize::new(16))
        .native_unwind_info(false);
    config
}

#[cfg(test)]
mod tests {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};

    use wasm_encoder::{ComponentBuilder, ComponentExportKind};

    use super::*;
    use crate::config::HostLimits;
    use crate::schema::wit::testing::component;

    /// Two components of strings, one of which calls the other.
    #[test]
    fn composed_components_compile() {
        let api = "interface api { f: func(x: string) -> string; }";
        let [given, taken] = ["export api;", "import api;"]
            .map(|world| component(&format!("package a:b; {api} world w {{ {world} }}")));
        let mut whole = ComponentBuilder::default();
        let [given, taken] = [given, taken].map(|part: Vec<u8>| whole.component_raw(None, &part));
        let none: [(&str, ComponentExportKind, u32); 0] = [];
        let given = whole.instantiate(None, given, none);
        let given = whole.alias_export(given, "a:b/api", ComponentExportKind::Instance);
        whole.instantiate(None, taken, [("a:b/api", ComponentExportKind::Instance, given)]);
        for_compiling().unwrap().precompile_component(&whole.finish()).unwrap();
    }

    #[test]
    fn what_one_engine_compiles_the_other_runs() {
        let hash = |engine: &Engine| {
            let mut hasher = DefaultHasher::new();
            engine.precompile_compatibility_hash().hash(&mut hasher);
            hasher.finish()
        };
        let running = build(Weights::of(&HostLimits::default())).unwrap();
        assert_eq!(hash(&for_compiling().unwrap()), hash(&running));
        assert_ne!(hash(&Engine::default()), hash(&running));
    }
}
