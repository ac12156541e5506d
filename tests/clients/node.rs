//! Clients in Node: those of the TypeScript SDK, and the inspector.

use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

use crate::harness::installed;
use crate::harness::state;

/// What a script is made of. Node looks for packages beside it, so it is copied.
pub(crate) struct NodePackages {
    /// Where it is kept, under `target`.
    pub(crate) directory: &'static str,
    /// What is missing when it cannot be installed.
    pub(crate) what: &'static str,
    /// Names and texts.
    pub(crate) files: &'static [(&'static str, &'static str)],
}

const CLIENTS: NodePackages = NodePackages {
    directory: "node",
    what: "the clients of @modelcontextprotocol",
    files: &[
        ("package.json", include_str!("package.json")),
        ("package-lock.json", include_str!("package-lock.json")),
        ("client.mjs", include_str!("client.mjs")),
        ("inspector.mjs", include_str!("inspector.mjs")),
    ],
};

/// That of `@modelcontextprotocol/client`, or what this machine lacks for it.
pub(super) fn client() -> Result<Command, String> {
    script("client.mjs", &["@modelcontextprotocol/client"])
}

/// That of `@modelcontextprotocol/sdk`.
pub(super) fn sdk() -> Result<Command, String> {
    script("client.mjs", &["@modelcontextprotocol/sdk"])
}

/// That of `@modelcontextprotocol/inspector`, with `--cli`.
pub(super) fn inspector() -> Result<Command, String> {
    script("inspector.mjs", &[])
}

fn script(name: &str, arguments: &[&str]) -> Result<Command, String> {
    static INSTALLED: LazyLock<Result<PathBuf, String>> = LazyLock::new(|| node_packages(&CLIENTS));
    let directory = INSTALLED.as_ref().map_err(Clone::clone)?;
    let mut node = Command::new("node");
    node.arg(directory.join(name)).args(arguments);
    Ok(node)
}

/// A directory with the files, and with what they need beside them.
pub(crate) fn node_packages(packages: &NodePackages) -> Result<PathBuf, String> {
    let version = node_is_at_least(20)?;
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let directory = state(packages.directory);
    let texts: String = packages.files.iter().map(|(_, text)| *text).collect();
    installed::once(&directory, &format!("{version}\n{texts}"), || {
        for (name, text) in packages.files {
            std::fs::write(directory.join(name), text)
                .map_err(|error| format!("cannot write `{}`: {error}", directory.display()))?;
        }
        let mut npm = Command::new(npm);
        npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
        installed::output(npm.current_dir(&directory))
            .map_err(|why| format!("npm cannot install {}: {why}", packages.what))?;
        Ok(())
    })?;
    Ok(directory)
}

/// The version of the machine's Node, if it is of `least` or newer. All scripts run on 20.
pub(crate) fn node_is_at_least(least: u32) -> Result<String, String> {
    let version = installed::output(Command::new("node").arg("--version")).unwrap_or_default();
    let major = version.strip_prefix('v').and_then(|rest| rest.split('.').next());
    match major.and_then(|major| major.parse::<u32>().ok()) {
        Some(major) if major >= least => Ok(version),
        Some(_) | None => Err(format!("no node of {least} or newer; install Node.js with npm")),
    }
}
