//! The world that a project is written for, and its bindings. Nothing is written here.

use std::path::Path;

use anyhow::Context as _;
use wit_bindgen_core::{Files, WorldGenerator};
use wit_parser::{Resolve, WorldId};

/// What bindings are generated for. Zig reads those of C.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Language {
    C,
    Cpp,
    Go,
}

/// A world, with all that it refers to.
pub(crate) struct World {
    pub(crate) resolve: Resolve,
    pub(crate) id: WorldId,
}

impl World {
    /// The only world of the WIT package at `wit`.
    ///
    /// # Errors
    /// When it cannot be read, is no WIT, or has not exactly one world.
    pub(crate) fn read(wit: &Path) -> anyhow::Result<Self> {
        let shown = wit.display();
        let mut resolve = Resolve::default();
        let (package, _) = resolve
            .push_path(wit)
            .with_context(|| format!("cannot read the WIT package {shown}"))?;
        let id = resolve
            .select_world(&[package], None)
            .with_context(|| format!("the WIT package {shown} must have one world alone"))?;
        Ok(Self { resolve, id })
    }

    /// The bindings for `language` that belong into the directory `out`: names and contents.
    ///
    /// # Errors
    /// When the world has what the generator does not know.
    pub(crate) fn bindings(
        mut self,
        language: Language,
        out: &Path,
    ) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
        let mut generator: Box<dyn WorldGenerator> = match language {
            Language::C => wit_bindgen_c::Opts::default().build(),
            Language::Cpp => wit_bindgen_cpp::Opts::default().build(Some(&out.to_owned())),
            Language::Go => wit_bindgen_go::Opts { quiet: true, ..Default::default() }.build(),
        };
        let world = self.resolve.worlds[self.id].name.clone();
        let mut files = Files::default();
        generator
            .generate(&mut self.resolve, self.id, &mut files)
            .with_context(|| format!("there are no bindings for world `{world}`"))?;
        let files = files.iter().map(|(name, contents)| (name.to_owned(), contents.to_vec()));
        Ok(files.filter(|(name, _)| !is_authors(language, name)).collect())
    }
}

/// Whether the file `name`, which the generator begins projects with, is the author's.
fn is_authors(language: Language, name: &str) -> bool {
    match language {
        Language::Go => name == "go.mod",
        Language::C | Language::Cpp => false,
    }
}
