//! What a component imports that says something about what it wants, and what the host does not have.
//!
//! A component that imports what is unknown loads and can be listed; whatever it calls of it traps.

use wasmtime::Engine;
use wasmtime::component::types::{Component, ComponentItem};
use wasmtime::component::{LinkerInstance, ResourceType};

use super::Guest;

/// The imports of a component, and those that are more than its language's library.
pub(crate) struct Imports {
    /// The names of all of them, sorted.
    pub(crate) names: Vec<String>,
    /// It sends HTTP requests.
    pub(crate) http: bool,
    /// What the host does not have.
    unknown: Vec<(String, ComponentItem)>,
}

impl Imports {
    pub(crate) fn of(ty: &Component, engine: &Engine) -> Self {
        let mut imports = Self { names: Vec::new(), http: false, unknown: Vec::new() };
        for (name, item) in ty.imports(engine) {
            imports.names.push(name.to_owned());
            imports.http |= name.starts_with("wasi:http/outgoing-handler@0.2.");
            if !is_known(name) && does_something(&item.ty, engine) {
                imports.unknown.push((name.to_owned(), item.ty));
            }
        }
        imports.names.sort();
        imports
    }

    /// Their names.
    pub(crate) fn unknown(&self) -> impl Iterator<Item = &str> {
        self.unknown.iter().map(|(name, _)| name.as_str())
    }

    /// Defines each of them as a trap.
    ///
    /// # Errors
    /// When one is a module or a component, which cannot be one.
    pub(super) fn define(
        &self,
        root: &mut LinkerInstance<'_, Guest>,
        engine: &Engine,
    ) -> wasmtime::Result<()> {
        for (name, item) in &self.unknown {
            match item {
                ComponentItem::ComponentInstance(instance) => {
                    let mut inner = root.instance(name)?;
                    for (part, item) in instance.exports(engine) {
                        define(&mut inner, part, &item.ty)?;
                    }
                }
                ComponentItem::ComponentFunc(_)
                | ComponentItem::Resource(_)
                | ComponentItem::CoreFunc(_)
                | ComponentItem::Module(_)
                | ComponentItem::Component(_)
                | ComponentItem::Type(_) => define(root, name, item)?,
            }
        }
        Ok(())
    }
}

/// Whether an interface is one that the host has: WASI 0.2, which every language's library
/// imports, wanted or not, and our own.
fn is_known(name: &str) -> bool {
    const WASI: [&str; 7] = ["cli", "clocks", "filesystem", "http", "io", "random", "sockets"];
    let wasi = name.strip_prefix("wasi:").and_then(|rest| rest.split_once('/'));
    name.starts_with("portcullis:guest/")
        || wasi.is_some_and(|(package, rest)| WASI.contains(&package) && rest.contains("@0.2."))
}

/// Whether it is more than names for types.
fn does_something(item: &ComponentItem, engine: &Engine) -> bool {
    match item {
        ComponentItem::ComponentInstance(instance) => {
            instance.exports(engine).any(|(_, item)| does_something(&item.ty, engine))
        }
        ComponentItem::Type(_) => false,
        ComponentItem::ComponentFunc(_)
        | ComponentItem::CoreFunc(_)
        | ComponentItem::Module(_)
        | ComponentItem::Component(_)
        | ComponentItem::Resource(_) => true,
    }
}

fn define(
    place: &mut LinkerInstance<'_, Guest>,
    name: &str,
    item: &ComponentItem,
) -> wasmtime::Result<()> {
    match item {
        ComponentItem::ComponentFunc(_) => {
            let called = format!("`{name}` was called, which the host does not have");
            place.func_new(name, move |_, _, _, _| Err(wasmtime::Error::msg(called.clone())))
        }
        ComponentItem::Resource(_) => {
            place.resource(name, ResourceType::host::<Unknown>(), |_, _| Ok(()))
        }
        ComponentItem::Type(_) => Ok(()),
        ComponentItem::ComponentInstance(_)
        | ComponentItem::CoreFunc(_)
        | ComponentItem::Module(_)
        | ComponentItem::Component(_) => {
            Err(wasmtime::Error::msg(format!("the host does not have `{name}`")))
        }
    }
}

/// The resources of interfaces that the host does not have.
struct Unknown;
