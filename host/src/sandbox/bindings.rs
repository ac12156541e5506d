//! What wasmtime generates from the provider's WIT.
//!
//! The world `everything` is never instantiated: exports are looked up by name, each interface
//! through indices of its own, so that a component may have any part of it.

wasmtime::component::bindgen!({
    path: "../wit",
    world: "everything",
    exports: { default: async },
    additional_derives: [Clone],
});
