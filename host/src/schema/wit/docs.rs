//! The format of `package-docs`, which tools for WIT write (versions 0 and 1).
//!
//! Docs of what the component does not have are left aside; nothing but texts is taken.

use std::collections::BTreeMap;

use serde::Deserialize;
use wit_parser::{
    Docs as Text, Function, InterfaceId, Resolve, TypeDefKind, TypeId, WorldId, WorldItem, WorldKey,
};

use super::{DOCS_BYTES_MAX, DOCS_SECTION_BYTES_MAX, Refused};

/// The docs of a package. It is not said which.
#[derive(Debug, Default, Deserialize)]
pub(super) struct PackageDocs {
    #[serde(default)]
    worlds: BTreeMap<String, WorldDocs>,
    #[serde(default)]
    interfaces: BTreeMap<String, InterfaceDocs>,
}

#[derive(Debug, Default, Deserialize)]
struct WorldDocs {
    #[serde(default)]
    interfaces: BTreeMap<String, InterfaceDocs>,
    #[serde(default)]
    interface_exports: BTreeMap<String, InterfaceDocs>,
    #[serde(default)]
    funcs: BTreeMap<String, FunctionDocs>,
    #[serde(default)]
    func_exports: BTreeMap<String, FunctionDocs>,
    #[serde(default)]
    types: BTreeMap<String, TypeDocs>,
}

#[derive(Debug, Default, Deserialize)]
struct InterfaceDocs {
    #[serde(default)]
    funcs: BTreeMap<String, FunctionDocs>,
    #[serde(default)]
    types: BTreeMap<String, TypeDocs>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum FunctionDocs {
    /// Version 0.
    Text(Option<String>),
    /// Version 1.
    Record {
        #[serde(default)]
        docs: Option<String>,
    },
}

#[derive(Debug, Default, Deserialize)]
struct TypeDocs {
    #[serde(default)]
    docs: Option<String>,
    /// Of fields, cases and flags.
    #[serde(default)]
    items: BTreeMap<String, String>,
}

impl PackageDocs {
    /// Reads what a section holds.
    ///
    /// # Errors
    /// [`Refused::Docs`] if it is too large, of a version not known or not in its format.
    pub(super) fn read(section: &[u8]) -> Result<Self, Refused> {
        if section.len() > DOCS_SECTION_BYTES_MAX {
            return Err(Refused::docs_too_large(section.len()));
        }
        match section {
            [0 | 1, json @ ..] => {
                serde_json::from_slice(json).map_err(|error| Refused::docs(&error.to_string()))
            }
            [version, ..] => Err(Refused::docs(&format!("its version {version} is not known"))),
            [] => Err(Refused::docs("it is empty")),
        }
    }

    /// Puts the docs where they belong in `resolve`.
    pub(super) fn inject(&self, resolve: &mut Resolve, world: WorldId) {
        let named: Vec<_> = resolve
            .interfaces
            .iter()
            .filter_map(|(id, interface)| {
                let docs = self.interfaces.get(interface.name.as_deref()?)?;
                Some((id, docs))
            })
            .collect();
        for (id, docs) in named {
            docs.inject(resolve, id);
        }
        for docs in self.worlds.values() {
            docs.inject(resolve, world);
        }
    }
}

impl WorldDocs {
    fn inject(&self, resolve: &mut Resolve, world: WorldId) {
        for key in resolve.worlds[world].exports.keys().cloned().collect::<Vec<_>>() {
            let WorldKey::Name(name) = &key else { continue };
            let function = self.func_exports.get(name).or_else(|| self.funcs.get(name));
            let interface = self.interface_exports.get(name).or_else(|| self.interfaces.get(name));
            match (resolve.worlds[world].exports.get_mut(&key), function, interface) {
                (Some(WorldItem::Function(function)), Some(docs), _) => docs.inject(function),
                (Some(WorldItem::Interface { id, .. }), _, Some(docs)) => {
                    let id = *id;
                    docs.inject(resolve, id);
                }
                (Some(_) | None, Some(_) | None, Some(_) | None) => {}
            }
        }
        let imports = resolve.worlds[world].imports.iter();
        let types: Vec<_> = imports
            .filter_map(|(key, item)| match (key, item) {
                (WorldKey::Name(name), WorldItem::Type { id, .. }) => {
                    Some((*id, self.types.get(name)?))
                }
                (WorldKey::Name(_) | WorldKey::Interface(_), _) => None,
            })
            .collect();
        for (id, docs) in types {
            docs.inject(resolve, id);
        }
    }
}

impl InterfaceDocs {
    fn inject(&self, resolve: &mut Resolve, interface: InterfaceId) {
        for (name, docs) in &self.funcs {
            if let Some(function) = resolve.interfaces[interface].functions.get_mut(name) {
                docs.inject(function);
            }
        }
        for (name, docs) in &self.types {
            if let Some(id) = resolve.interfaces[interface].types.get(name).copied() {
                docs.inject(resolve, id);
            }
        }
    }
}

impl FunctionDocs {
    fn inject(&self, function: &mut Function) {
        match self {
            Self::Text(Some(docs)) | Self::Record { docs: Some(docs) } => {
                function.docs = text(docs);
            }
            Self::Text(None) | Self::Record { docs: None } => {}
        }
    }
}

impl TypeDocs {
    fn inject(&self, resolve: &mut Resolve, id: TypeId) {
        let ty = &mut resolve.types[id];
        if let Some(docs) = &self.docs {
            ty.docs = text(docs);
        }
        match &mut ty.kind {
            TypeDefKind::Record(record) => {
                self.items(record.fields.iter_mut().map(|field| (&field.name, &mut field.docs)));
            }
            TypeDefKind::Variant(variant) => {
                self.items(variant.cases.iter_mut().map(|case| (&case.name, &mut case.docs)));
            }
            TypeDefKind::Enum(cases) => {
                self.items(cases.cases.iter_mut().map(|case| (&case.name, &mut case.docs)));
            }
            TypeDefKind::Flags(flags) => {
                self.items(flags.flags.iter_mut().map(|flag| (&flag.name, &mut flag.docs)));
            }
            TypeDefKind::Resource
            | TypeDefKind::Handle(_)
            | TypeDefKind::Tuple(_)
            | TypeDefKind::Option(_)
            | TypeDefKind::Result(_)
            | TypeDefKind::List(_)
            | TypeDefKind::Map(..)
            | TypeDefKind::FixedLengthList(..)
            | TypeDefKind::Future(_)
            | TypeDefKind::Stream(_)
            | TypeDefKind::Type(_)
            | TypeDefKind::Unknown => {}
        }
    }

    fn items<'a>(&self, items: impl Iterator<Item = (&'a String, &'a mut Text)>) {
        for (name, docs) in items {
            if let Some(found) = self.items.get(name) {
                *docs = text(found);
            }
        }
    }
}

fn text(docs: &str) -> Text {
    Text { contents: Some(docs.to_owned()) }
}

/// Docs as they are published: trimmed, cut to at most 4 KiB; none if nothing is left.
pub(super) fn published(docs: &Text) -> Option<String> {
    let docs = docs.contents.as_deref()?.replace("\r\n", "\n");
    let docs = docs.trim();
    let end = docs.floor_char_boundary(DOCS_BYTES_MAX);
    (!docs.is_empty()).then(|| docs[..end].trim_end().to_owned())
}
