//! Bindings from the world of a project. Nothing is written here.

use std::path::Path;

use anyhow::Context as _;
use wit_bindgen_core::wit_parser::Resolve;
use wit_bindgen_core::{Files, WorldGenerator};

use super::Language;

/// A file of the bindings: its path below their directory, and what is in it.
pub(super) type File = (String, Vec<u8>);

/// The bindings for the only world of the WIT package at `wit`, which belong into the directory
/// `out`. Zig reads those of C.
///
/// # Errors
/// When the world has what the generator does not know.
pub(super) fn generate(language: Language, wit: &Path, out: &Path) -> anyhow::Result<Vec<File>> {
    // Of the version that the generators have.
    let mut resolve = Resolve::default();
    let (package, _) = resolve.push_path(wit)?;
    let id = resolve.select_world(&[package], None)?;
    let mut generator: Box<dyn WorldGenerator> = match language {
        Language::C | Language::Zig => wit_bindgen_c::Opts::default().build(),
        Language::Cpp => wit_bindgen_cpp::Opts::default().build(Some(&out.to_owned())),
        Language::Go => wit_bindgen_go::Opts { quiet: true, ..Default::default() }.build(),
    };
    let world = resolve.worlds[id].name.clone();
    let mut files = Files::default();
    generator
        .generate(&mut resolve, id, &mut files)
        .with_context(|| format!("there are no bindings for world `{world}`"))?;
    let files = files.iter().map(|(name, contents)| (name.to_owned(), contents.to_vec()));
    // With this one the generator begins projects; it is the author's.
    Ok(files.filter(|(name, _)| name != "go.mod").collect())
}
