//! The commands that make a core module, `build/core.wasm`, of C, C++ or Zig and their bindings.
//!
//! They run in the project's directory, with paths as its author writes them.

use std::path::PathBuf;

use super::toolchain::{Compiler, Toolchain};
use super::{CORE, Language};
use crate::build::step::Step;

/// The stack, in bytes: zig's own is 16 MiB.
const STACK_BYTES: u32 = 1 << 20;

/// Where the object files of C are that belong to C++.
const OBJECTS: &str = "build/objects";

/// Takes back what zig says of its C++ library, in which `std::unexpected` is C++11's function too.
const ONE_UNEXPECTED: &str = "-U_LIBCPP_ENABLE_CXX17_REMOVED_UNEXPECTED_FUNCTIONS";

/// What is compiled.
pub(super) struct Compile<'a> {
    pub(super) toolchain: &'a Toolchain,
    /// What the files of the bindings begin with: `build/bindings/WORLD`.
    pub(super) bindings: &'a str,
    /// The author's options.
    pub(super) flags: Vec<String>,
    /// The author's files.
    pub(super) sources: Vec<String>,
    /// The author's files in C, beside those in C++.
    pub(super) c_sources: Vec<String>,
}

impl Compile<'_> {
    /// The steps for `language`.
    pub(super) fn steps(&self, language: Language) -> Vec<Step> {
        match language {
            Language::C => vec![self.link(&[], "c")],
            Language::Cpp => {
                let objects = self.c_sources.iter().map(|source| self.object(source));
                objects.chain([self.link(&["-fno-exceptions"], "cpp")]).collect()
            }
            Language::Zig => vec![self.translate(), self.zig()],
            Language::Go => Vec::new(),
        }
    }

    fn step(&self, arguments: Vec<String>) -> Step {
        Step { program: self.toolchain.program.clone(), arguments, ..Step::default() }
    }

    /// Compiles a file in C for what is in C++.
    fn object(&self, source: &str) -> Step {
        let mut words = match self.toolchain.compiler {
            Compiler::Zig => vec!["cc", "-target", "wasm32-wasi"],
            // That of C++.
            Compiler::Clang | Compiler::Go => vec!["--target=wasm32-wasi", "-x", "c"],
        };
        words.push("-O2");
        words.extend(self.flags("c"));
        let object = object(source);
        words.extend(["-c", source, "-o", &object]);
        self.step(words.into_iter().map(str::to_owned).collect())
    }

    fn link(&self, more: &[&str], extension: &str) -> Step {
        let stack = format!("-Wl,-z,stack-size={STACK_BYTES}");
        let mut words: Vec<&str> = match self.toolchain.compiler {
            Compiler::Zig => {
                let (command, more): (_, &[&str]) = match extension {
                    "c" => ("cc", &[]),
                    _ => ("c++", &[ONE_UNEXPECTED]),
                };
                [&[command, "-target", "wasm32-wasi", "-s", &stack], more].concat()
            }
            Compiler::Clang | Compiler::Go => {
                vec!["--target=wasm32-wasi", "-Wl,-s", &stack, "-Wl,--stack-first"]
            }
        };
        let [code, types] =
            [format!(".{extension}"), "_component_type.o".to_owned()].map(|end| self.binding(&end));
        let objects: Vec<String> = self.c_sources.iter().map(|source| object(source)).collect();
        words.extend(["-mexec-model=reactor", "-O2"]);
        words.extend(more);
        words.extend(self.flags(extension));
        words.extend(self.sources.iter().chain(&objects).map(String::as_str));
        words.extend([&code, &types, "-o", CORE]);
        self.step(words.into_iter().map(str::to_owned).collect())
    }

    /// The author's options for one of the languages: where there are two, the standard of the other
    /// would be refused.
    fn flags(&self, extension: &str) -> impl Iterator<Item = &str> {
        let is_alone = self.c_sources.is_empty();
        let is_cpp = extension == "cpp";
        let is_its = move |flag: &&str| {
            let standard = flag.strip_prefix("-std=");
            is_alone || standard.is_none_or(|standard| standard.contains("++") == is_cpp)
        };
        self.flags.iter().map(String::as_str).filter(is_its)
    }

    fn binding(&self, end: &str) -> String {
        format!("{}{end}", self.bindings)
    }

    /// Makes Zig of the bindings' header.
    fn translate(&self) -> Step {
        let header = self.binding(".h");
        let words = ["translate-c", "-target", "wasm32-wasi", "-lc", &header];
        let mut step = self.step(words.map(str::to_owned).into());
        step.into = Some(PathBuf::from(self.binding(".zig")));
        step
    }

    fn zig(&self) -> Step {
        let stack = STACK_BYTES.to_string();
        let [code, types] = [".c", "_component_type.o"].map(|end| self.binding(end));
        let (bindings, core) =
            (format!("-Mwit={}", self.binding(".zig")), format!("-femit-bin={CORE}"));
        let mut words = vec!["build-exe", "-target", "wasm32-wasi", "-mexec-model=reactor"];
        words.extend(["-O", "ReleaseSmall", "-fstrip", "--stack", &stack, "-lc"]);
        // Files of C belong to the module that is named after them.
        words.extend(["-cflags", "-std=c17", "--", &code, &types]);
        words.extend(["--dep", "wit", "-Mroot=src/root.zig", &bindings, &core]);
        words.extend(["--cache-dir", "build/zig-cache"]);
        self.step(words.into_iter().map(str::to_owned).collect())
    }
}

/// What a file in C is compiled to.
pub(super) fn object(source: &str) -> String {
    format!("{OBJECTS}/{source}.o")
}
