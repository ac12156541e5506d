//! The client of the TypeScript SDK, in Node.

use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

use super::installed;
use crate::harness::state;

/// What the client is made of. Node looks for packages beside the script, so it is copied.
const FILES: [(&str, &str); 3] = [
    ("package.json", include_str!("package.json")),
    ("package-lock.json", include_str!("package-lock.json")),
    ("client.mjs", include_str!("client.mjs")),
];

/// A command that runs client.mjs, or what this machine lacks for it.
pub(super) fn client() -> Result<Command, String> {
    static INSTALLED: LazyLock<Result<PathBuf, String>> = LazyLock::new(install);
    let mut node = Command::new("node");
    node.arg(INSTALLED.as_ref().map_err(Clone::clone)?);
    Ok(node)
}

/// The script, with its packages beside it.
fn install() -> Result<PathBuf, String> {
    let version = version()?;
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let directory = state("node");
    let files = FILES.map(|(_, text)| text).concat();
    installed::once(&directory, &format!("{version}\n{files}"), || {
        for (name, text) in FILES {
            std::fs::write(directory.join(name), text)
                .map_err(|error| format!("cannot write `{}`: {error}", directory.display()))?;
        }
        let mut npm = Command::new(npm);
        npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
        installed::output(npm.current_dir(&directory))
            .map_err(|why| format!("npm cannot install @modelcontextprotocol/client: {why}"))?;
        Ok(())
    })?;
    Ok(directory.join("client.mjs"))
}

/// The version of a Node that the client runs on.
fn version() -> Result<String, String> {
    let version = installed::output(Command::new("node").arg("--version")).unwrap_or_default();
    let major = version.strip_prefix('v').and_then(|rest| rest.split('.').next());
    match major.and_then(|major| major.parse::<u32>().ok()) {
        Some(20..) => Ok(version),
        Some(_) | None => Err("no node of 20 or newer; install Node.js with npm".to_owned()),
    }
}
