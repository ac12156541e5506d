//! The commands that make a core module, `build/core.wasm`, of C, C++ or Zig and their bindings.
//!
//! They run in the project's directory, with paths as its author writes them.

use std::path::PathBuf;

use super::toolchain::{Compiler, Toolchain};
use super::{CORE, Language};
use crate::build::step::Step;

/// The stack, in bytes: zig's own is 16 MiB.
const STACK_BYTES: u32 = 1 << 20;

/// What is compiled.
pub(super) struct Compile<'a> {
    pub(super) toolchain: &'a Toolchain,
    /// What the files of the bindings begin with: `build/bindings/WORLD`.
    pub(super) bindings: &'a str,
    /// The author's options.
    pub(super) flags: Vec<String>,
    /// The author's files.
    pub(super) sources: Vec<String>,
}

impl Compile<'_> {
    /// The steps for `language`.
    pub(super) fn steps(&self, language: Language) -> Vec<Step> {
        match language {
            Language::C => vec![self.c(&[], "c")],
            Language::Cpp => vec![self.c(&["-fno-exceptions"], "cpp")],
            Language::Zig => vec![self.translate(), self.zig()],
            Language::Go => Vec::new(),
        }
    }

    fn step(&self, arguments: Vec<String>) -> Step {
        Step { program: self.toolchain.program.clone(), arguments, ..Step::default() }
    }

    fn c(&self, more: &[&str], extension: &str) -> Step {
        let stack = format!("-Wl,-z,stack-size={STACK_BYTES}");
        let mut words: Vec<&str> = match self.toolchain.compiler {
            Compiler::Zig => {
                let command = if extension == "c" { "cc" } else { "c++" };
                vec![command, "-target", "wasm32-wasi", "-s", &stack]
            }
            Compiler::Clang | Compiler::Go => {
                vec!["--target=wasm32-wasi", "-Wl,-s", &stack, "-Wl,--stack-first"]
            }
        };
        let [code, types] =
            [format!(".{extension}"), "_component_type.o".to_owned()].map(|end| self.binding(&end));
        words.extend(["-mexec-model=reactor", "-O2"]);
        words.extend(more);
        words.extend(self.flags.iter().map(String::as_str));
        words.extend(self.sources.iter().map(String::as_str));
        words.extend([&code, &types, "-o", CORE]);
        self.step(words.into_iter().map(str::to_owned).collect())
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
