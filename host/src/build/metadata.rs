//! What cargo says of a project: `cargo metadata --format-version 1`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde::Deserialize;

use super::program::{output, tool};
use super::rust::RUST;
use super::{BuildError, Sources, TARGET};

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Option<Resolve>,
    target_directory: PathBuf,
    /// Where cargo keeps what it needs on the way, if that is another place.
    build_directory: Option<PathBuf>,
    workspace_root: PathBuf,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    /// None: its sources are on this machine.
    source: Option<String>,
    manifest_path: PathBuf,
    targets: Vec<Target>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    crate_types: Vec<String>,
}

/// The graph of packages.
#[derive(Deserialize)]
struct Resolve {
    /// The package of the directory that was asked about.
    root: Option<String>,
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    dependencies: Vec<String>,
}

/// What is known of a package that has not been built yet.
pub(super) struct Described {
    pub(super) target_directory: PathBuf,
    /// The name of the library that is a component.
    pub(super) library: String,
    /// Its directory, and the manifest of its workspace.
    pub(super) sources: Sources,
}

/// Asks about the package in `directory`, and nothing that it depends on: nothing is downloaded.
pub(super) async fn package(directory: &Path) -> Result<Described, BuildError> {
    let said = ask(directory, &["--no-deps"], Stdio::inherit()).await?;
    let manifest = crate::files::resolved(&directory.join("Cargo.toml"))
        .map_err(|_| BuildError::NoProject(directory.to_owned()))?;
    let is_here = |package: &&Package| {
        crate::files::resolved(&package.manifest_path).is_ok_and(|path| path == manifest)
    };
    let Some(package) = said.packages.iter().find(is_here) else {
        return Err(BuildError::NoPackage(directory.to_owned()));
    };
    let is_component = |target: &&Target| target.crate_types.iter().any(|kind| kind == "cdylib");
    let Some(library) = package.targets.iter().find(is_component) else {
        return Err(BuildError::NoComponent(directory.to_owned()));
    };
    let mut sources = sources(package);
    let [manifest, lock] = ["Cargo.toml", "Cargo.lock"].map(|name| said.workspace_root.join(name));
    sources.files.extend([manifest, lock.clone()]);
    sources.written.insert(lock);
    sources.aside.insert(said.target_directory.clone());
    sources.aside.extend(said.build_directory);
    Ok(Described {
        target_directory: said.target_directory,
        library: library.name.replace('-', "_"),
        sources,
    })
}

/// The sources of the local packages that the one in `directory` depends on.
pub(super) async fn dependencies(directory: &Path) -> Result<Sources, BuildError> {
    let said = ask(directory, &["--filter-platform", TARGET], Stdio::null()).await?;
    let mut all = Sources::default();
    let Some(Resolve { root: Some(root), nodes }) = said.resolve else { return Ok(all) };
    let nodes: BTreeMap<String, Vec<String>> =
        nodes.into_iter().map(|node| (node.id, node.dependencies)).collect();
    let (mut used, mut next) = (BTreeSet::new(), vec![root]);
    while let Some(id) = next.pop() {
        if let Some(dependencies) = nodes.get(&id)
            && used.insert(id)
        {
            next.extend(dependencies.iter().cloned());
        }
    }
    let is_local = |package: &&Package| package.source.is_none() && used.contains(&package.id);
    for package in said.packages.iter().filter(is_local) {
        all.add(sources(package));
    }
    Ok(all)
}

/// Those of one package, which may have been built where it is.
fn sources(package: &Package) -> Sources {
    let directory = package.manifest_path.parent().unwrap_or(Path::new("/")).to_owned();
    Sources {
        aside: [directory.join("target")].into(),
        directories: [directory].into(),
        ..Sources::default()
    }
}

async fn ask(directory: &Path, options: &[&str], stderr: Stdio) -> Result<Metadata, BuildError> {
    let mut cargo = tool("cargo", directory);
    cargo.args(["metadata", "--quiet", "--format-version", "1"]).args(options).stderr(stderr);
    let output = output(cargo).await.map_err(|error| BuildError::Missing {
        program: "cargo".to_owned(),
        error,
        get: RUST,
    })?;
    let said = serde_json::from_slice(&output.stdout).ok().filter(|_| output.status.success());
    said.ok_or_else(|| BuildError::Failed {
        command: "cargo metadata --format-version 1".to_owned(),
        directory: directory.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_sources_are_those_of_the_package_and_of_local_ones_that_it_depends_on() {
        let checkout = crate::files::resolved(Path::new("..")).unwrap();
        let weather = checkout.join("guests/rust/weather");
        let described = package(&weather).await.unwrap();
        assert_eq!(described.library, "weather");
        assert_eq!(described.sources.directories, [weather.clone()].into());
        let [manifest, lock] = ["Cargo.toml", "Cargo.lock"].map(|name| checkout.join(name));
        assert_eq!(described.sources.files, [manifest, lock.clone()].into());
        assert_eq!(described.sources.written, [lock].into());
        let all = dependencies(&weather).await.unwrap();
        let sdk = checkout.join("guest-sdk/rust");
        assert_eq!(all.directories, [weather, sdk.clone(), sdk.join("macros")].into());
    }
}
