//! Components from WIT text, and the docs in it.

use serde_json::{Map, Value as Json, json};
use wasm_encoder::{CustomSection, Section as _};
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::{Docs, Function, Interface, PackageId, Resolve, TypeDefKind, WorldId, WorldItem};

use super::module::{Body, Gives, module};
use super::types::Ty;

/// A parsed package, and a world of it that exports interfaces alone.
pub(crate) struct Package {
    pub(crate) resolve: Resolve,
    world: WorldId,
}

impl Package {
    /// Reads a package with a world `w`.
    pub(crate) fn parse(wit: &str) -> Self {
        let mut resolve = Resolve::default();
        let package = resolve.push_str("generated.wit", wit).unwrap_or_else(|error| {
            panic!("{error:?}\n{wit}");
        });
        Self::of(resolve, package, "w")
    }

    /// A package that was read.
    pub(crate) fn of(resolve: Resolve, package: PackageId, world: &str) -> Self {
        let world = resolve
            .select_world(&[package], Some(world))
            .unwrap_or_else(|error| panic!("{world}: {error:?}"));
        Self { resolve, world }
    }

    /// Every exported function, with the name that it has in a module.
    pub(crate) fn functions(&self) -> Vec<(String, &Function)> {
        let mut functions = Vec::new();
        for item in self.resolve.worlds[self.world].exports.values() {
            let WorldItem::Interface { id, .. } = item else { panic!("no interface: {item:?}") };
            let name = self.resolve.id_of(*id).expect("an interface of a package has a name");
            let all = self.resolve.interfaces[*id].functions.values();
            functions.extend(all.map(|function| (format!("{name}#{}", function.name), function)));
        }
        functions
    }

    /// What a function gives.
    pub(crate) fn result(&self, function: &Function) -> Option<Ty> {
        function.result.as_ref().map(|ty| Ty::of(&self.resolve, ty))
    }

    /// A component of the world, whose functions do what `gives` says, with the docs in a
    /// `package-docs` section.
    pub(crate) fn component(&self, gives: impl Fn(&Function) -> Gives) -> Vec<u8> {
        let functions: Vec<Body> = self
            .functions()
            .into_iter()
            .map(|(export, function)| Body {
                export,
                parameters: function
                    .params
                    .iter()
                    .map(|parameter| Ty::of(&self.resolve, &parameter.ty))
                    .collect(),
                result: self.result(function),
                gives: gives(function),
            })
            .collect();
        let mut module = module(&functions);
        embed_component_metadata(&mut module, &self.resolve, self.world, StringEncoding::UTF8)
            .expect("a module can have a custom section");
        let mut component = ComponentEncoder::default()
            .validate(true)
            .module(&module)
            .and_then(|mut encoder| encoder.encode())
            .unwrap_or_else(|error| panic!("no component: {error:?}"));
        component.extend(section("package-docs", &self.docs()));
        component
    }

    /// What tools for WIT write into the section, in the version 1 of its format.
    fn docs(&self) -> Vec<u8> {
        let mut interfaces = Map::new();
        for item in self.resolve.worlds[self.world].exports.values() {
            let WorldItem::Interface { id, .. } = item else { continue };
            let interface = &self.resolve.interfaces[*id];
            if let Some(name) = &interface.name {
                interfaces.insert(name.clone(), self.docs_of(interface));
            }
        }
        let json = json!({ "interfaces": interfaces }).to_string();
        [&[1_u8], json.as_bytes()].concat()
    }

    fn docs_of(&self, interface: &Interface) -> Json {
        let functions = interface.functions.iter().filter_map(|(name, function)| {
            let docs = function.docs.contents.as_ref()?;
            Some((name.clone(), json!({ "docs": docs })))
        });
        let types = interface.types.iter().map(|(name, id)| {
            let definition = &self.resolve.types[*id];
            let items: Vec<(&String, &Docs)> = match &definition.kind {
                TypeDefKind::Record(of) => of.fields.iter().map(|f| (&f.name, &f.docs)).collect(),
                TypeDefKind::Variant(of) => of.cases.iter().map(|c| (&c.name, &c.docs)).collect(),
                TypeDefKind::Enum(of) => of.cases.iter().map(|c| (&c.name, &c.docs)).collect(),
                TypeDefKind::Flags(of) => of.flags.iter().map(|f| (&f.name, &f.docs)).collect(),
                _ => Vec::new(),
            };
            let items: Map<String, Json> = items
                .into_iter()
                .filter_map(|(name, docs)| Some((name.clone(), json!(docs.contents.as_ref()?))))
                .collect();
            let mut docs = Map::new();
            docs.extend(
                definition.docs.contents.iter().map(|text| ("docs".to_owned(), json!(text))),
            );
            docs.insert("items".to_owned(), Json::Object(items));
            (name.clone(), Json::Object(docs))
        });
        json!({
            "funcs": functions.collect::<Map<_, _>>(),
            "types": types.collect::<Map<_, _>>(),
        })
    }
}

/// A custom section, to be put after a component.
pub(crate) fn section(name: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    CustomSection { name: name.into(), data: data.into() }.append_to(&mut bytes);
    bytes
}
