//! Bindings for C, C++ and Go from a WIT world, and a component of what a compiler made with them:
//! the steps of docs/toolchains.md that no compiler does.

mod component;
mod files;
mod go;
mod world;

use std::path::PathBuf;

use clap::Parser as _;
use world::{Language, World};

/// Bindings from a WIT world, and components of what was compiled with them
///
/// docs/toolchains.md has the compilers' commands between the two.
#[derive(Debug, clap::Parser)]
#[command(name = "bindings")]
#[command(after_help = "\
Examples:
  bindings c wit build/bindings
  bindings component build/core.wasm wit build/shop.wasm --embedded
  bindings go wit .
  bindings component build/core.wasm wit build/shop.wasm --go")]
enum Command {
    /// Write bindings for C, which Zig uses too
    C(Bindings),
    /// Write bindings for C++
    Cpp(Bindings),
    /// Write bindings for Go; the project's own go.mod is left as it is
    Go(Bindings),
    /// Make a component of a core module, with the WASI preview 1 adapter
    Component(Component),
}

#[derive(Debug, clap::Args)]
struct Bindings {
    /// The WIT package: a directory, or a file
    wit: PathBuf,

    /// The directory to write to; a file that is already as it should be is not touched
    out: PathBuf,
}

#[derive(Debug, clap::Args)]
struct Component {
    /// The core module that the compiler made
    core: PathBuf,

    /// The WIT package: a directory, or a file
    wit: PathBuf,

    /// The component to write
    out: PathBuf,

    /// The core module has its world already: it was linked with WORLD_component_type.o
    #[arg(long)]
    embedded: bool,

    /// The core module is Go's: mend what keeps it from running as a tool
    #[arg(long)]
    go: bool,
}

fn main() -> anyhow::Result<()> {
    match Command::parse() {
        Command::C(bindings) => bindings.write(Language::C),
        Command::Cpp(bindings) => bindings.write(Language::Cpp),
        Command::Go(bindings) => bindings.write(Language::Go),
        Command::Component(component) => component.write(),
    }
}

impl Bindings {
    fn write(self, language: Language) -> anyhow::Result<()> {
        for (name, contents) in World::read(&self.wit)?.bindings(language, &self.out)? {
            files::write(&self.out.join(name), &contents)?;
        }
        Ok(())
    }
}

impl Component {
    fn write(self) -> anyhow::Result<()> {
        let core = files::read(&self.core)?;
        let world = World::read(&self.wit)?;
        let steps = component::Steps { embedded: self.embedded, go: self.go };
        files::write(&self.out, &component::make(&self.core, core, &world, steps)?)
    }
}
