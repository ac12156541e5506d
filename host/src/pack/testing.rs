//! Components, sources and overlay files to test with.

use std::path::Path;

use serde_json::{Value, json};
use wit_component::{ComponentEncoder, StringEncoding, dummy_module, embed_component_metadata};
use wit_parser::{ManglingAndAbi, Resolve};

use super::{OverlayFile, Packed, Said, Source, pack};
use crate::component::typed_descriptor;
use crate::schema::wit;

/// A component of the one world in `wit` that does nothing.
pub(super) fn component(wit: &str) -> Vec<u8> {
    let mut resolve = Resolve::default();
    let package = resolve.push_str("test.wit", wit).unwrap();
    let world = resolve.select_world(&[package], None).unwrap();
    let mut module = dummy_module(&resolve, world, ManglingAndAbi::Standard32);
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8).unwrap();
    ComponentEncoder::default().module(&module).unwrap().encode().unwrap()
}

/// The one world in `wit`, with its docs.
pub(super) fn source(wit: &str) -> Source {
    let mut resolve = Resolve::default();
    let package = resolve.push_str("test.wit", wit).unwrap();
    Source::of(resolve, package, None).unwrap()
}

/// Packs a component of `wit` with an overlay file `o.toml` of this text.
pub(super) fn packed(wit: &str, overlay: &str) -> Result<Packed, String> {
    pack_into(&component(wit), wit, overlay)
}

/// Packs a component with the docs in `wit`.
pub(super) fn pack_into(component: &[u8], wit: &str, overlay: &str) -> Result<Packed, String> {
    let overlay = OverlayFile::of(Path::new("o.toml"), overlay.to_owned());
    let overlay = overlay.map_err(|error| error.to_string())?;
    pack(Path::new("c.wasm"), component, &source(wit), Some(&overlay))
        .map_err(|error| error.to_string())
}

/// The tools of a component as they are described when it is loaded, by their names.
pub(super) fn tools(component: &[u8]) -> Value {
    let mut read = wit::read(component).unwrap();
    let said = Said::read(component).unwrap().unwrap_or_default();
    said.apply(&mut read).unwrap();
    let tool = |function: &wit::Function| {
        let tool = typed_descriptor(function, &said.tool(function));
        let schema = |text: &String| serde_json::from_str::<Value>(text).unwrap();
        let hints = tool.hints;
        let described = json!({
            "title": tool.title,
            "description": tool.description,
            "input": schema(&tool.input),
            "output": tool.output.as_ref().map(schema),
            "hints": [hints.read_only, hints.destructive, hints.idempotent, hints.open_world],
        });
        (tool.name, described)
    };
    read.functions.iter().map(tool).collect::<serde_json::Map<_, _>>().into()
}
