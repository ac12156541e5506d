//! A core module, section by section.

use std::collections::BTreeMap;

use anyhow::{Context as _, bail, ensure};
use wasmparser::{
    BinaryReader, CodeSectionReader, DataSectionReader, ElementSectionReader,
    FunctionSectionReader, GlobalSectionReader, Import, KnownCustom, MemorySectionReader,
    NameSectionReader, Parser, Payload, TableSectionReader, TagSectionReader, TypeRef,
    TypeSectionReader,
};

use super::outline::Space;

/// The sections of a module, as far as it has them.
#[derive(Default)]
pub(super) struct Core<'a> {
    pub(super) types: Option<TypeSectionReader<'a>>,
    pub(super) imports: Vec<Import<'a>>,
    pub(super) functions: Option<FunctionSectionReader<'a>>,
    pub(super) tables: Option<TableSectionReader<'a>>,
    pub(super) memories: Option<MemorySectionReader<'a>>,
    pub(super) tags: Option<TagSectionReader<'a>>,
    pub(super) globals: Option<GlobalSectionReader<'a>>,
    pub(super) exports: BTreeMap<&'a str, (Space, u32)>,
    pub(super) elements: Option<ElementSectionReader<'a>>,
    pub(super) counts_data: bool,
    pub(super) code: Option<CodeSectionReader<'a>>,
    pub(super) data: Option<DataSectionReader<'a>>,
    pub(super) names: Option<NameSectionReader<'a>>,
}

/// The space that an import is in.
pub(super) fn space(import: &Import<'_>) -> Space {
    match import.ty {
        TypeRef::Func(_) | TypeRef::FuncExact(_) => Space::Func,
        TypeRef::Table(_) => Space::Table,
        TypeRef::Memory(_) => Space::Memory,
        TypeRef::Global(_) => Space::Global,
        TypeRef::Tag(_) => Space::Tag,
    }
}

impl<'a> Core<'a> {
    /// Reads `module`.
    ///
    /// # Errors
    /// When it is none, or runs something when it is instantiated.
    pub(super) fn read(module: &'a [u8]) -> anyhow::Result<Self> {
        let mut core = Self::default();
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::TypeSection(types) => core.types = Some(types),
                Payload::ImportSection(imports) => {
                    core.imports = imports.into_imports().collect::<Result<_, _>>()?;
                }
                Payload::FunctionSection(functions) => core.functions = Some(functions),
                Payload::TableSection(tables) => core.tables = Some(tables),
                Payload::MemorySection(memories) => core.memories = Some(memories),
                Payload::TagSection(tags) => core.tags = Some(tags),
                Payload::GlobalSection(globals) => core.globals = Some(globals),
                Payload::ExportSection(exports) => {
                    for export in exports {
                        let export = export?;
                        core.exports.insert(export.name, (export.kind.into(), export.index));
                    }
                }
                Payload::StartSection { .. } => bail!("a core module of it has a start function"),
                Payload::ElementSection(elements) => core.elements = Some(elements),
                Payload::DataCountSection { .. } => core.counts_data = true,
                Payload::CodeSectionStart { range, .. } => {
                    let code = module.get(range.clone()).context("it is cut off")?;
                    core.code = Some(CodeSectionReader::new(BinaryReader::new(code, range.start))?);
                }
                Payload::DataSection(data) => core.data = Some(data),
                Payload::CustomSection(custom) => {
                    if let KnownCustom::Name(names) = custom.as_known() {
                        core.names = Some(names);
                    }
                }
                Payload::Version { .. } | Payload::CodeSectionEntry(_) | Payload::End(_) => {}
                other => ensure!(
                    other.as_section().is_none(),
                    "a core module of it has a section that is not known"
                ),
            }
        }
        Ok(core)
    }

    /// Those of its imports that are in a space, in the order of their numbers.
    pub(super) fn imported(&self, of: Space) -> impl Iterator<Item = &Import<'a>> {
        self.imports.iter().filter(move |import| space(import) == of)
    }

    /// How many it adds to a space itself.
    pub(super) fn defined(&self, space: Space) -> u32 {
        let count = match space {
            Space::Func => self.functions.as_ref().map(|section| section.count()),
            Space::Table => self.tables.as_ref().map(|section| section.count()),
            Space::Memory => self.memories.as_ref().map(|section| section.count()),
            Space::Global => self.globals.as_ref().map(|section| section.count()),
            Space::Tag => self.tags.as_ref().map(|section| section.count()),
            Space::Module | Space::Instance => None,
        };
        count.unwrap_or_default()
    }

    /// How many types it has: a group has several.
    pub(super) fn types(&self) -> anyhow::Result<u32> {
        let mut count = 0;
        for group in self.types.iter().flat_map(|types| types.clone()) {
            count += u32::try_from(group?.types().len())?;
        }
        Ok(count)
    }
}
