//! Debian's clang with what it needs for WebAssembly, unpacked into a directory.
//!
//! The packages are those that docs/toolchains.md names, with those that they need and few machines have.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use crate::harness::{installed, state};

const PACKAGES: [&str; 9] = [
    "clang-19",
    "libclang-common-19-dev",
    "libclang-cpp19",
    "libllvm19",
    "lld-19",
    "wasi-libc",
    "libclang-rt-19-dev-wasm32",
    "libc++-19-dev-wasm32",
    "libc++abi-19-dev-wasm32",
];
/// Where the packages have the names of programs, which end in the number.
const PROGRAMS: &str = "usr/bin";
/// Options for one target, beside the compiler: the headers and libraries of the packages, not those of
/// the machine.
const OPTIONS: (&str, &str) =
    ("usr/lib/llvm-19/bin/wasm32-unknown-wasi.cfg", "--sysroot=<CFGDIR>/../../..\n");

/// A clang that is there.
#[derive(Clone, Debug)]
pub(super) struct Clang {
    pub(super) programs: PathBuf,
    pub(super) libraries: PathBuf,
}

/// The clang, unpacked once.
///
/// # Errors
/// What this machine lacks for it.
pub(super) fn installed() -> Result<Clang, String> {
    static INSTALLED: LazyLock<Result<Clang, String>> = LazyLock::new(|| {
        let directory = state("clang");
        installed::once(&directory, &PACKAGES.join("\n"), || unpack(&directory))?;
        let libraries = libraries(&directory)?;
        Ok(Clang { programs: directory.join(PROGRAMS), libraries })
    });
    INSTALLED.clone()
}

fn unpack(directory: &Path) -> Result<(), String> {
    let io = |error: std::io::Error| format!("cannot write `{}`: {error}", directory.display());
    let place = directory.join("apt");
    fs::create_dir_all(place.join("lists/partial")).map_err(io)?;
    // With lists of its own: the machine's may be old, and are root's.
    let apt = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(["-qq", "-o", "APT::Sandbox::User=root"]).args(arguments).current_dir(&place);
        for (name, path) in
            [("Dir::State::lists", place.join("lists")), ("Dir::Cache", place.clone())]
        {
            command.arg("-o").arg(format!("{name}={}", path.display()));
        }
        installed::output(&mut command)
            .map_err(|why| format!("clang-19 is got from Debian with apt-get: {why}"))
    };
    apt(&["update"])?;
    apt(&[["download"].as_slice(), &PACKAGES].concat())?;
    for package in fs::read_dir(&place).map_err(io)? {
        let package = package.map_err(io)?.path();
        if package.extension().is_some_and(|extension| extension == "deb") {
            let mut command = Command::new("dpkg-deb");
            installed::output(command.arg("--extract").arg(package).arg(directory))?;
        }
    }
    fs::remove_dir_all(&place).map_err(io)?;
    let (name, text) = OPTIONS;
    fs::write(directory.join(name), text).map_err(io)?;
    let mut clang = Command::new(directory.join(PROGRAMS).join("clang-19"));
    clang.arg("--version").env("LD_LIBRARY_PATH", libraries(directory)?);
    installed::output(&mut clang).map_err(|why| {
        format!("Debian's clang-19 does not run; apt-get install clang-19 brings the rest: {why}")
    })?;
    Ok(())
}

/// Where the packages have libraries, which is named after the machine, as in `x86_64-linux-gnu`.
fn libraries(directory: &Path) -> Result<PathBuf, String> {
    let all = fs::read_dir(directory.join("usr/lib")).into_iter().flatten().flatten();
    let found = all
        .map(|entry| entry.path())
        .find(|path| path.display().to_string().ends_with("-linux-gnu"));
    found.ok_or_else(|| "Debian's clang-19 has no libraries".to_owned())
}
