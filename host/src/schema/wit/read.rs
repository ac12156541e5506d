//! From a component's bytes to the functions that are tools.
//!
//! A function that cannot be a tool is reported and leaves its siblings; a component whose types
//! cannot be read at all is refused.

use std::collections::HashMap;
use std::panic::catch_unwind;

use wit_component::DecodedWasm;
use wit_parser::{InterfaceId, Resolve, WorldId, WorldItem, WorldKey};

use super::convert::Converter;
use super::docs::PackageDocs;
use super::refused::shown;
use super::sections::Split;
use super::{Export, FUNCTIONS_MAX, Function, Refused, names};

/// What every component begins with: magic, version and layer.
const HEADER: &[u8] = b"\0asm\x0d\0\x01\0";

/// What a component exports.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Read {
    /// The tools, in the component's order.
    pub functions: Vec<Function>,
    /// Functions that cannot be tools.
    pub refused: Vec<RefusedFunction>,
    /// Exports that are not meant to be tools.
    pub left_out: Vec<LeftOut>,
    /// Why docs were not read, if there are some that were not.
    pub docs_fault: Option<Refused>,
}

/// A function that cannot be a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedFunction {
    /// Where it is exported.
    pub export: Export,
    /// In WIT.
    pub wit_name: String,
    /// Why.
    pub reason: Refused,
}

/// As of [`Function`].
impl std::fmt::Display for RefusedFunction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.export.named(&self.wit_name, f)
    }
}

/// An export that is not meant to be a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its name, cleaned and bounded.
    pub export: String,
    /// What it is there for.
    pub why: &'static str,
}

/// Reads the types and the docs of a component. Functions of one tool name are still among what
/// is read: see [`Read::refuse_same_names`].
///
/// # Errors
/// [`Refused`] if it is not a component whose exports can be written in WIT, or has more than
/// [`FUNCTIONS_MAX`] functions.
pub fn read(component: &[u8]) -> Result<Read, Refused> {
    if !component.starts_with(HEADER) {
        return Err(Refused::unreadable("it is not a component"));
    }
    let split = Split::of(component);
    let bare = split.without_docs();
    let (mut resolve, world) = decode(bare.as_deref().unwrap_or(component))?;
    let mut docs_fault = None;
    for section in &split.docs {
        match PackageDocs::read(section) {
            Ok(docs) => docs.inject(&mut resolve, world),
            Err(fault) => docs_fault = Some(fault),
        }
    }
    let read = read_world(&resolve, world)?;
    Ok(Read { docs_fault, ..read })
}

/// The decoder is known to stop on components that WIT cannot say.
fn decode(component: &[u8]) -> Result<(Resolve, WorldId), Refused> {
    match catch_unwind(|| wit_component::decode(component)) {
        Ok(Ok(DecodedWasm::Component(resolve, world))) => Ok((resolve, world)),
        Ok(Ok(DecodedWasm::WitPackage(..))) => Err(Refused::WitPackage),
        Ok(Err(error)) => Err(Refused::unreadable(&format!("{error:#}"))),
        Err(_panic) => Err(Refused::unreadable("its exports cannot be written in WIT")),
    }
}

/// The functions that `world` exports.
///
/// # Errors
/// [`Refused::TooManyFunctions`].
pub fn read_world(resolve: &Resolve, world: WorldId) -> Result<Read, Refused> {
    let exports = Exports::of(resolve, world);
    if exports.functions.len() > FUNCTIONS_MAX {
        return Err(Refused::TooManyFunctions { functions: exports.functions.len() });
    }
    let mut converter = Converter::new(resolve, exports.labels);
    let mut read = Read { left_out: exports.left_out, ..Read::default() };
    for (export, function) in exports.functions {
        match converter.function(export.clone(), function) {
            Ok(function) => read.functions.push(function),
            Err(reason) => {
                let wit_name = function.name.clone();
                read.refused.push(RefusedFunction { export, wit_name, reason });
            }
        }
    }
    Ok(read)
}

/// What a world exports, sorted.
#[derive(Default)]
struct Exports<'a> {
    functions: Vec<(Export, &'a wit_parser::Function)>,
    /// What interfaces without a name of their own are exported as.
    labels: HashMap<InterfaceId, String>,
    left_out: Vec<LeftOut>,
}

impl<'a> Exports<'a> {
    fn of(resolve: &'a Resolve, world: WorldId) -> Self {
        let mut exports = Self::default();
        for (key, item) in &resolve.worlds[world].exports {
            let name = match key {
                WorldKey::Name(name) => name.clone(),
                WorldKey::Interface(id) => resolve.id_of(*id).unwrap_or_default(),
            };
            match item {
                WorldItem::Function(function) => exports.function(name, function),
                WorldItem::Interface { id, .. } => exports.interface(resolve, name, *id),
                WorldItem::Type { .. } => {}
            }
        }
        exports
    }

    fn function(&mut self, name: String, function: &'a wit_parser::Function) {
        match leftover_function(&name) {
            Some(why) => self.left_out.push(LeftOut { export: shown(&name), why }),
            None => self.functions.push((Export::World, function)),
        }
    }

    fn interface(&mut self, resolve: &'a Resolve, name: String, id: InterfaceId) {
        if let Some(why) = leftover_instance(&name) {
            self.left_out.push(LeftOut { export: shown(&name), why });
            return;
        }
        for function in resolve.interfaces[id].functions.values() {
            self.functions.push((Export::Instance(name.clone()), function));
        }
        self.labels.insert(id, name);
    }
}

/// Why a function of the component itself is not a tool.
fn leftover_function(name: &str) -> Option<&'static str> {
    if name == "init" {
        return Some("starts the engine of a JavaScript component");
    }
    let of_abi = name.starts_with("cabi_") || name.starts_with("cabi-");
    of_abi.then_some("is of the canonical ABI")
}

/// Why no function of an exported instance is a tool.
fn leftover_instance(name: &str) -> Option<&'static str> {
    if name == "exports" {
        return Some("starts the interpreter of a Python component");
    }
    if name.starts_with("wasi:") {
        return Some("is for hosts of WASI programs");
    }
    name.starts_with("portcullis:guest/").then_some("is for tools that describe themselves")
}

impl Read {
    /// Refuses tools that have one name, all of them. To be called once those are removed that
    /// are left out for other reasons.
    pub fn refuse_same_names(&mut self) {
        let mut same: HashMap<String, Vec<String>> = HashMap::new();
        for function in &self.functions {
            same.entry(names::folded(&function.tool_name)).or_default().push(function.to_string());
        }
        for function in std::mem::take(&mut self.functions) {
            let name = function.to_string();
            let all = same.get(&names::folded(&function.tool_name));
            match all.into_iter().flatten().find(|other| **other != name) {
                None => self.functions.push(function),
                Some(other) => {
                    let (other, tool_name) = (shown(other), shown(&function.tool_name));
                    let reason = Refused::SameTool { other, tool_name };
                    let Function { export, wit_name, .. } = function;
                    self.refused.push(RefusedFunction { export, wit_name, reason });
                }
            }
        }
    }
}
