//! Finds the Go module that bindings for Go use. It comes with the crate that generates them, and that has
//! no other way to it than its source.

#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "it runs when this is built")]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use serde_json::Value;

/// The crate, and where in it the module is.
const GENERATOR: &str = "wit-bindgen-go";
const MODULE: &str = "src/pkg";
/// The directory of it that is needed.
const PACKAGES: &str = "wit";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=Cargo.toml");
    let module = generator()?.join(MODULE);
    let mut files = Vec::new();
    find(&module.join(PACKAGES), &mut files)?;
    files.sort();
    let entries = files.iter().map(|file| {
        let name = file.strip_prefix(&module)?.display().to_string().replace('\\', "/");
        Ok(format!("({name:?}, include_str!({:?})),\n", file.display().to_string()))
    });
    let entries: String = entries.collect::<Result<_, Box<dyn Error>>>()?;
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?);
    fs::write(out.join("go_packages.rs"), format!("&[\n{entries}]\n"))?;
    Ok(())
}

/// The directory of the crate's source.
fn generator() -> Result<PathBuf, Box<dyn Error>> {
    let cargo = env::var_os("CARGO").ok_or("CARGO is not set")?;
    let target = env::var("TARGET")?;
    let output = Command::new(cargo)
        .args(["metadata", "--format-version=1", "--filter-platform", &target])
        .output()?;
    if !output.status.success() {
        return Err(format!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    let known: Value = serde_json::from_slice(&output.stdout)?;
    let packages = known["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let generator = packages.iter().find(|package| package["name"] == GENERATOR);
    let manifest = generator.and_then(|package| package["manifest_path"].as_str());
    let directory = manifest.and_then(|manifest| Path::new(manifest).parent());
    Ok(directory.ok_or(format!("cargo does not know {GENERATOR}"))?.to_owned())
}

fn find(directory: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
