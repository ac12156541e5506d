//! Go's own files of a build, and its command.
//!
//! The bindings use a module of Go's that is made here of what their generator was published with, so
//! nothing is downloaded for a project that requires nothing else.

mod mend;

use std::io;
use std::path::Path;

pub(super) use mend::mend;

use super::CORE;
use super::toolchain::Toolchain;
use crate::build::BuildError;
use crate::build::step::Step;
use crate::files;

/// The file that says that a directory is a project.
pub(super) const MANIFEST: &str = "go.mod";
/// The module, as the bindings call it.
const MODULE: &str = "wit_component";
/// The module that the bindings use, which asks for no newer Go than they need.
const PACKAGE: &str = "module go.bytecodealliance.org/pkg\n\ngo 1.25\n";

/// The other files of that module, as they are in the crate that generates the bindings.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/go_packages.rs"));

/// Writes what the command needs into the project's directory `build`.
///
/// # Errors
/// When the manifest is no good, or `build` cannot be written.
pub(super) fn prepare(directory: &Path) -> Result<(), BuildError> {
    let file = directory.join(MANIFEST);
    let unreadable = |error: String| BuildError::Manifest { file: file.clone(), error };
    let text = files::read_config(&file).map_err(|error| unreadable(error.to_string()))?;
    let module = text.lines().find_map(|line| line.trim().strip_prefix("module "));
    let module = module.map(|rest| rest.split("//").next().unwrap_or_default().trim());
    if module.map(|name| name.trim_matches('"')) != Some(MODULE) {
        return Err(unreadable(format!(
            "the module must be called `{MODULE}`, for so the bindings call it"
        )));
    }
    let build = directory.join("build");
    let sums = match files::read_config(&directory.join("go.sum")) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        read => read.map_err(|error| unreadable(format!("go.sum: {error}")))?,
    };
    let text = format!("{text}\nreplace go.bytecodealliance.org/pkg => ./build/pkg\n");
    let mut written = vec![(build.join(MANIFEST), text.as_str()), (build.join("go.sum"), &sums)];
    let module = [(MANIFEST, PACKAGE)].into_iter().chain(FILES.iter().copied());
    written.extend(module.map(|(name, text)| (build.join("pkg").join(name), text)));
    for (path, text) in written {
        files::update(&path, text.as_bytes())
            .map_err(|error| BuildError::Unwritable { path, error })?;
    }
    Ok(())
}

/// The command that makes a core module.
pub(super) fn compile(toolchain: &Toolchain) -> Step {
    let words = [
        "build",
        "-mod=mod",
        "-modfile=build/go.mod",
        "-buildmode=c-shared",
        "-trimpath",
        "-ldflags=-s -w -checklinkname=0",
        "-o",
        CORE,
        ".",
    ];
    Step {
        program: toolchain.program.clone(),
        arguments: words.map(str::to_owned).into(),
        with: &[("GOOS", "wasip1"), ("GOARCH", "wasm"), ("GOWORK", "off"), ("GOFLAGS", "")],
        ..Step::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_module_of_the_bindings_is_of_the_version_that_they_were_made_for() {
        let version = "go.bytecodealliance.org/pkg v0.4.0";
        assert_eq!(wit_bindgen_go::remote_pkg_version(), version);
        assert!(PACKAGE.starts_with("module go.bytecodealliance.org/pkg\n"));
        assert!(FILES.iter().any(|(name, _)| *name == "wit/runtime/runtime.go"), "{FILES:?}");
        assert!(include_str!("../template/go/go.mod").contains(&format!("require {version}\n")));
    }
}
