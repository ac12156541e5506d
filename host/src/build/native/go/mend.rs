//! Mending the core modules of Go: the canonical ABI lets no call out of `cabi_realloc` and
//! `cabi_post_*`, but Go's runtime asks WASI things even there. docs/toolchains.md has the reasons.
//!
//! Functions are added after those that are there, so nothing gets another number.

mod answers;

use std::collections::BTreeMap;
use std::convert::Infallible;

use answers::{State, Wrapper};
use anyhow::{Context as _, ensure};
use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{
    CodeSection, ExportKind, ExportSection, FunctionSection, GlobalSection, Module,
};
use wasmparser::{ExternalKind, FuncType, Parser, Payload, TypeRef, ValType};

const PREVIEW1: &str = "wasi_snapshot_preview1";

/// What an added function stands before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// `cabi_realloc` or a `cabi_post_*`: no call may leave meanwhile.
    Guarded,
    /// `clock_time_get`.
    Clock,
    /// `poll_oneoff`.
    Poll,
    /// `sched_yield`.
    Yield,
    /// `random_get`.
    Random,
}

impl Kind {
    /// That of the import `name` of WASI, if calls of it are redirected.
    fn of_import(name: &str) -> Option<Self> {
        [Self::Clock, Self::Poll, Self::Yield, Self::Random]
            .into_iter()
            .find(|kind| kind.import().is_some_and(|(import, _)| import == name))
    }

    /// The import's name, and its parameters; each gives an `errno`.
    fn import(self) -> Option<(&'static str, &'static [ValType])> {
        use ValType::{I32, I64};
        match self {
            Self::Guarded => None,
            Self::Clock => Some(("clock_time_get", &[I32, I64, I32])),
            Self::Poll => Some(("poll_oneoff", &[I32, I32, I32, I32])),
            Self::Yield => Some(("sched_yield", &[])),
            Self::Random => Some(("random_get", &[I32, I32])),
        }
    }
}

/// Mends `core`.
///
/// # Errors
/// When it is no core module, or none that Go makes.
pub(in crate::build::native) fn mend(core: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut mending = Mending::of(&Read::new(core)?)?;
    let mut module = Module::new();
    mending.parse_core_module(&mut module, Parser::new(0), core)?;
    Ok(module.finish())
}

/// What is in a module, as far as mending goes.
#[derive(Default)]
struct Read<'a> {
    types: Vec<FuncType>,
    /// The type of each function, the imported ones first.
    functions: Vec<u32>,
    globals: u32,
    has_globals_section: bool,
    /// The imported functions of WASI: name and number.
    imported: Vec<(&'a str, u32)>,
    /// The exported functions that no call may leave.
    guarded: Vec<(&'a str, u32)>,
}

impl<'a> Read<'a> {
    fn new(core: &'a [u8]) -> anyhow::Result<Self> {
        let mut read = Self::default();
        for payload in Parser::new(0).parse_all(core) {
            match payload? {
                Payload::TypeSection(types) => {
                    read.types = types.into_iter_err_on_gc_types().collect::<Result<_, _>>()?;
                }
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        read.import(import?)?;
                    }
                }
                Payload::FunctionSection(functions) => {
                    for ty in functions {
                        read.functions.push(ty?);
                    }
                }
                Payload::GlobalSection(globals) => {
                    read.globals += globals.count();
                    read.has_globals_section = true;
                }
                Payload::ExportSection(exports) => {
                    for export in exports {
                        read.export(export?);
                    }
                }
                // Payloads are added with WebAssembly's proposals; the others stay as they are.
                _ => {}
            }
        }
        Ok(read)
    }

    fn import(&mut self, import: wasmparser::Import<'a>) -> anyhow::Result<()> {
        match import.ty {
            TypeRef::Func(ty) | TypeRef::FuncExact(ty) => {
                if import.module == PREVIEW1 {
                    self.imported.push((import.name, u32::try_from(self.functions.len())?));
                }
                self.functions.push(ty);
            }
            TypeRef::Global(_) => self.globals += 1,
            TypeRef::Table(_) | TypeRef::Memory(_) | TypeRef::Tag(_) => {}
        }
        Ok(())
    }

    fn export(&mut self, export: wasmparser::Export<'a>) {
        let is_guarded = export.name == "cabi_realloc" || export.name.starts_with("cabi_post_");
        match export.kind {
            ExternalKind::Func | ExternalKind::FuncExact if is_guarded => {
                self.guarded.push((export.name, export.index));
            }
            ExternalKind::Func
            | ExternalKind::FuncExact
            | ExternalKind::Table
            | ExternalKind::Memory
            | ExternalKind::Global
            | ExternalKind::Tag => {}
        }
    }

    /// The number of the type of function `index`, and the type.
    fn type_of(&self, index: u32) -> anyhow::Result<(u32, &FuncType)> {
        let number = self.functions.get(index as usize).copied();
        let ty = number.and_then(|number| Some((number, self.types.get(number as usize)?)));
        ty.with_context(|| format!("function {index} has no type"))
    }
}

/// What is added to a module.
struct Mending {
    wrappers: Vec<Wrapper>,
    /// The wrapper that is called in place of an import.
    redirected: BTreeMap<u32, u32>,
    /// The wrapper that is exported in place of a function.
    exported: BTreeMap<String, u32>,
    state: State,
}

impl Mending {
    fn of(read: &Read<'_>) -> anyhow::Result<Self> {
        ensure!(read.has_globals_section, "it has no globals, as every module of Go's has");
        let mut mending = Self {
            wrappers: Vec::new(),
            redirected: BTreeMap::new(),
            exported: BTreeMap::new(),
            state: State { first: read.globals },
        };
        for &(name, index) in &read.imported {
            if let Some(kind) = Kind::of_import(name) {
                let wrapper = mending.add(kind, index, read)?;
                mending.redirected.insert(index, wrapper);
            }
        }
        for &(name, index) in &read.guarded {
            let wrapper = mending.add(Kind::Guarded, index, read)?;
            mending.exported.insert(name.to_owned(), wrapper);
        }
        Ok(mending)
    }

    /// Adds a function that stands before `inner`, and gives its number.
    fn add(&mut self, kind: Kind, inner: u32, read: &Read<'_>) -> anyhow::Result<u32> {
        let (ty, signature) = read.type_of(inner)?;
        if let Some((name, parameters)) = kind.import() {
            ensure!(
                signature.params() == parameters && signature.results() == [ValType::I32],
                "its import `{name}` has another type than WASI preview 1 says"
            );
        }
        let parameters = u32::try_from(signature.params().len())?;
        let number = u32::try_from(read.functions.len() + self.wrappers.len())?;
        self.wrappers.push(Wrapper { kind, inner, ty, parameters });
        Ok(number)
    }
}

type Reencoded = Result<(), Error<Infallible>>;

impl Reencode for Mending {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, Error<Infallible>> {
        Ok(self.redirected.get(&function).copied().unwrap_or(function))
    }

    fn parse_export(
        &mut self,
        exports: &mut ExportSection,
        export: wasmparser::Export<'_>,
    ) -> Reencoded {
        match self.exported.get(export.name) {
            Some(&wrapper) => {
                exports.export(export.name, ExportKind::Func, wrapper);
                Ok(())
            }
            None => utils::parse_export(self, exports, export),
        }
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: wasmparser::FunctionSectionReader<'_>,
    ) -> Reencoded {
        utils::parse_function_section(self, functions, section)?;
        for wrapper in &self.wrappers {
            functions.function(wrapper.ty);
        }
        Ok(())
    }

    fn parse_global_section(
        &mut self,
        globals: &mut GlobalSection,
        section: wasmparser::GlobalSectionReader<'_>,
    ) -> Reencoded {
        utils::parse_global_section(self, globals, section)?;
        self.state.declare(globals);
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: wasmparser::CodeSectionReader<'_>,
    ) -> Reencoded {
        utils::parse_code_section(self, code, section)?;
        for wrapper in &self.wrappers {
            code.function(&wrapper.code(self.state));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
