//! Types and components to test with.

use std::sync::Arc;

use wit_component::{ComponentEncoder, StringEncoding, dummy_module, embed_component_metadata};
use wit_parser::{ManglingAndAbi, Resolve, WorldId};

use super::{Entry, Export, Field, Function, Notes, Read, Returns, Type, read, read_world};

/// WIT text, and its world `w`.
pub(super) fn resolved(wit: &str) -> (Resolve, WorldId) {
    let mut resolve = Resolve::default();
    let package = resolve.push_str("test.wit", wit).unwrap();
    let world = resolve.select_world(&[package], Some("w")).unwrap();
    (resolve, world)
}

/// A component of the world `w` that does nothing.
pub(crate) fn component(wit: &str) -> Vec<u8> {
    let (resolve, world) = resolved(wit);
    let mut module = dummy_module(&resolve, world, ManglingAndAbi::Standard32);
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8).unwrap();
    ComponentEncoder::default().module(&module).unwrap().encode().unwrap()
}

/// What is read of such a component.
pub(super) fn read_wit(wit: &str) -> Read {
    read(&component(wit)).unwrap()
}

/// The function of an interface with these items; docs are kept.
pub(crate) fn function(items: &str) -> Function {
    let wit = format!("package a:b; interface api {{ {items} }} world w {{ export api; }}");
    let (resolve, world) = resolved(&wit);
    let read = read_world(&resolve, world).unwrap();
    assert_eq!(read.refused, []);
    read.functions.into_iter().next().unwrap()
}

/// The type that a function of these items takes.
pub(super) fn ty(items: &str, ty: &str) -> Type {
    let function = function(&format!("{items} take: func(x: {ty});"));
    function.parameters.into_iter().next().unwrap().ty
}

/// The function that takes and gives a type.
pub(super) fn function_of(ty: &Type) -> Function {
    let notes = Notes::default;
    let (wit_name, name) = ("x".to_owned(), "x".to_owned());
    Function {
        export: Export::World,
        wit_name: "f".to_owned(),
        tool_name: "f".to_owned(),
        docs: None,
        parameters: vec![Field { wit_name, name, ty: ty.clone(), notes: notes() }],
        returns: Returns::Value(Some(ty.clone())),
        value_notes: notes(),
    }
}

/// A map, whose keys may be of any type in a binary.
pub(super) fn map(items: &str, key: &str, value: &str) -> Type {
    Type::Map(Arc::new(Entry { key: ty(items, key), value: ty(items, value) }))
}
