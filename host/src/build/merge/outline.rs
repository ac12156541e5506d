//! What a component consists of, in its order: the core modules, instances and functions one by one,
//! and all else as the sections that it is.

use std::collections::BTreeMap;
use std::convert::Infallible;

use anyhow::{Context as _, bail, ensure};
use wasm_encoder::reencode::{Error, Reencode, ReencodeComponent, RoundtripReencoder};
use wasm_encoder::{
    CanonicalFunctionSection, Component, ComponentAliasSection, ComponentExportSection,
    ComponentInstanceSection, ComponentNameSection, ComponentSectionId, ComponentTypeSection,
    InstanceSection, NameMap, RawSection,
};
use wasmparser::{
    CanonicalFunction, Chunk, ComponentAlias, ComponentExternalKind, ComponentName,
    ComponentNameSectionReader, ComponentOuterAliasKind, ComponentTypeRef, Encoding, ExternalKind,
    Instance, KnownCustom, Parser, Payload,
};

/// What has numbers of its own kind, in a component or in a core module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Space {
    Func,
    Table,
    Memory,
    Global,
    Tag,
    /// Only components have these, and instances.
    Module,
    Instance,
}

impl From<ExternalKind> for Space {
    fn from(kind: ExternalKind) -> Self {
        match kind {
            ExternalKind::Func | ExternalKind::FuncExact => Self::Func,
            ExternalKind::Table => Self::Table,
            ExternalKind::Memory => Self::Memory,
            ExternalKind::Global => Self::Global,
            ExternalKind::Tag => Self::Tag,
        }
    }
}

/// The number of what is not there any more.
pub(super) const GONE: u32 = u32::MAX;

/// What a component consists of.
pub(super) enum Item<'a> {
    /// A section in which no number of a core space stands.
    Section { id: u8, data: &'a [u8] },
    /// A core module.
    Module(&'a [u8]),
    /// A core instance.
    Instance(Instance<'a>),
    /// Another number for something of an instance.
    Alias(ComponentAlias<'a>),
    /// A function between core and component.
    Canonical(CanonicalFunction),
    /// The names of what has numbers, for those who read the component as text.
    Names(ComponentNameSectionReader<'a>),
}

impl Item<'_> {
    /// The core space that it adds to.
    fn space(&self) -> Option<Space> {
        match self {
            Self::Module(_) => Some(Space::Module),
            Self::Instance(_) => Some(Space::Instance),
            Self::Alias(ComponentAlias::CoreInstanceExport { kind, .. }) => Some((*kind).into()),
            Self::Canonical(CanonicalFunction::Lift { .. }) => None,
            Self::Canonical(_) => Some(Space::Func),
            Self::Alias(_) | Self::Section { .. } | Self::Names(_) => None,
        }
    }

    /// Writes it behind what `component` has, with the numbers that `numbers` gives.
    pub(super) fn write<F: FnMut(Space, u32) -> u32>(
        &self,
        component: &mut Component,
        numbers: &mut Renumber<F>,
    ) -> Result<(), Error> {
        match self {
            Self::Section { id, data } => {
                component.section(&RawSection { id: *id, data });
            }
            Self::Module(data) => {
                component.section(&RawSection { id: ComponentSectionId::CoreModule.into(), data });
            }
            Self::Instance(instance) => {
                let mut section = InstanceSection::new();
                numbers.parse_instance(&mut section, instance.clone())?;
                component.section(&section);
            }
            Self::Alias(alias) => {
                let mut section = ComponentAliasSection::new();
                section.alias(numbers.component_alias(alias.clone())?);
                component.section(&section);
            }
            Self::Canonical(function) => {
                let mut section = CanonicalFunctionSection::new();
                numbers.parse_component_canonical(&mut section, function.clone())?;
                component.section(&section);
            }
            Self::Names(names) => {
                component.section(&renamed(names.clone(), numbers)?);
            }
        }
        Ok(())
    }

    /// The numbers that stand in it.
    fn uses(&self) -> Result<Vec<(Space, u32)>, Error> {
        let mut uses = Vec::new();
        if matches!(self, Self::Instance(_) | Self::Alias(_) | Self::Canonical(_)) {
            let mut note = Renumber(|space, number| {
                uses.push((space, number));
                number
            });
            self.write(&mut Component::new(), &mut note)?;
        }
        Ok(uses)
    }
}

/// Gives other numbers to what is in core spaces, and leaves all others.
pub(super) struct Renumber<F>(pub(super) F);

impl<F: FnMut(Space, u32) -> u32> Reencode for Renumber<F> {
    type Error = Infallible;

    fn function_index(&mut self, number: u32) -> Result<u32, Error> {
        Ok((self.0)(Space::Func, number))
    }

    fn table_index(&mut self, number: u32) -> Result<u32, Error> {
        Ok((self.0)(Space::Table, number))
    }

    fn memory_index(&mut self, number: u32) -> Result<u32, Error> {
        Ok((self.0)(Space::Memory, number))
    }

    fn global_index(&mut self, number: u32) -> Result<u32, Error> {
        Ok((self.0)(Space::Global, number))
    }

    fn tag_index(&mut self, number: u32) -> Result<u32, Error> {
        Ok((self.0)(Space::Tag, number))
    }
}

impl<F: FnMut(Space, u32) -> u32> ReencodeComponent for Renumber<F> {
    fn module_index(&mut self, number: u32) -> u32 {
        (self.0)(Space::Module, number)
    }

    fn instance_index(&mut self, number: u32) -> u32 {
        (self.0)(Space::Instance, number)
    }
}

/// The names of what is still there.
fn renamed<F: FnMut(Space, u32) -> u32>(
    sections: ComponentNameSectionReader<'_>,
    numbers: &mut Renumber<F>,
) -> Result<ComponentNameSection, Error> {
    let mut names = ComponentNameSection::new();
    for section in sections {
        let section = section?;
        let (space, map) = match section.clone() {
            ComponentName::CoreFuncs(map) => (Space::Func, map),
            ComponentName::CoreTables(map) => (Space::Table, map),
            ComponentName::CoreMemories(map) => (Space::Memory, map),
            ComponentName::CoreGlobals(map) => (Space::Global, map),
            ComponentName::CoreTags(map) => (Space::Tag, map),
            ComponentName::CoreModules(map) => (Space::Module, map),
            ComponentName::CoreInstances(map) => (Space::Instance, map),
            _ => {
                RoundtripReencoder.parse_custom_component_name_subsection(&mut names, section)?;
                continue;
            }
        };
        let mut sorted = BTreeMap::new();
        for naming in map {
            let naming = naming?;
            sorted.insert((numbers.0)(space, naming.index), naming.name);
        }
        sorted.remove(&GONE);
        let mut map = NameMap::new();
        for (number, name) in sorted {
            map.append(number, name);
        }
        match space {
            Space::Func => names.core_funcs(&map),
            Space::Table => names.core_tables(&map),
            Space::Memory => names.core_memories(&map),
            Space::Global => names.core_globals(&map),
            Space::Tag => names.core_tags(&map),
            Space::Module => names.core_modules(&map),
            Space::Instance => names.core_instances(&map),
        }
    }
    Ok(names)
}

/// A component that has been read.
#[derive(Default)]
pub(super) struct Outline<'a> {
    pub(super) items: Vec<Item<'a>>,
    /// The numbers that stand in each item.
    uses: Vec<Vec<(Space, u32)>>,
    /// The number that each item defines.
    defines: Vec<Option<(Space, u32)>>,
    /// The items that define what has numbers.
    defined: BTreeMap<Space, Vec<usize>>,
}

impl<'a> Outline<'a> {
    /// Reads `component`.
    ///
    /// # Errors
    /// When it is none, or does more with its core modules than to run them.
    pub(super) fn read(component: &'a [u8]) -> anyhow::Result<Self> {
        let mut outline = Self::default();
        let (mut parser, mut rest) = (Parser::new(0), component);
        while !rest.is_empty() {
            let Chunk::Parsed { consumed, payload } = parser.parse(rest, true)? else {
                bail!("it is cut off");
            };
            rest = rest.get(consumed..).unwrap_or_default();
            if let Payload::ModuleSection { unchecked_range: range, .. }
            | Payload::ComponentSection { unchecked_range: range, .. } = &payload
            {
                rest = rest.get(range.len()..).context("it is cut off")?;
            }
            outline.add_payload(component, payload)?;
        }
        Ok(outline)
    }

    fn add_payload(&mut self, component: &'a [u8], payload: Payload<'a>) -> anyhow::Result<()> {
        match &payload {
            Payload::Version { encoding, .. } => {
                ensure!(*encoding == Encoding::Component, "it is no component");
                return Ok(());
            }
            Payload::End(_) => return Ok(()),
            Payload::ModuleSection { unchecked_range, .. } => {
                let module = component.get(unchecked_range.clone()).context("it is cut off")?;
                return self.add(Item::Module(module));
            }
            Payload::InstanceSection(instances) => {
                return instances
                    .clone()
                    .into_iter()
                    .try_for_each(|it| self.add(Item::Instance(it?)));
            }
            Payload::ComponentAliasSection(aliases) => {
                return aliases.clone().into_iter().try_for_each(|it| self.add(Item::Alias(it?)));
            }
            Payload::ComponentCanonicalSection(functions) => {
                let mut functions = functions.clone().into_iter();
                return functions.try_for_each(|it| self.add(Item::Canonical(it?)));
            }
            Payload::CustomSection(custom) => {
                if let KnownCustom::ComponentName(names) = custom.as_known() {
                    return self.add(Item::Names(names));
                }
            }
            Payload::ComponentSection { unchecked_range, .. } => {
                let inner = component.get(unchecked_range.clone()).context("it is cut off")?;
                ensure!(!reaches_out(inner)?, "a component in it has a core module of this one");
            }
            Payload::ComponentImportSection(imports) => {
                for import in imports.clone() {
                    let is_module = matches!(import?.ty, ComponentTypeRef::Module(_));
                    ensure!(!is_module, "it imports a core module");
                }
            }
            Payload::ComponentTypeSection(_)
            | Payload::ComponentInstanceSection(_)
            | Payload::ComponentExportSection(_) => {
                ensure!(
                    !has_core(&payload)?,
                    "it does more with its core modules than to run them"
                );
            }
            // No number of a core space stands in these.
            _ => {}
        }
        let (id, range) = payload.as_section().context("it has what is no section")?;
        let data = component.get(range).context("it is cut off")?;
        self.add(Item::Section { id, data })
    }

    fn add(&mut self, item: Item<'a>) -> anyhow::Result<()> {
        if let Item::Alias(
            ComponentAlias::InstanceExport { kind: ComponentExternalKind::Module, .. }
            | ComponentAlias::Outer { kind: ComponentOuterAliasKind::CoreModule, .. },
        ) = item
        {
            bail!("it has a core module of another component");
        }
        self.uses.push(item.uses()?);
        let mut defines = None;
        if let Some(space) = item.space() {
            let defined = self.defined.entry(space).or_default();
            defines = Some((space, u32::try_from(defined.len())?));
            defined.push(self.items.len());
        }
        self.defines.push(defines);
        self.items.push(item);
        Ok(())
    }

    /// The item that defines number `number`.
    ///
    /// # Errors
    /// When none does.
    pub(super) fn definer(&self, space: Space, number: u32) -> anyhow::Result<usize> {
        let defined = self.defined.get(&space).and_then(|items| items.get(number as usize));
        defined.copied().with_context(|| format!("{space:?} {number} is not defined"))
    }

    /// The number that an item defines.
    pub(super) fn defines(&self, item: usize) -> Option<(Space, u32)> {
        self.defines.get(item).copied().flatten()
    }

    /// The items that define what an item uses.
    pub(super) fn needs(&self, item: usize) -> anyhow::Result<Vec<usize>> {
        self.uses
            .get(item)
            .into_iter()
            .flatten()
            .map(|&(space, number)| self.definer(space, number))
            .collect()
    }
}

/// Whether a component that is in another has a core module of that.
fn reaches_out(component: &[u8]) -> anyhow::Result<bool> {
    for payload in Parser::new(0).parse_all(component) {
        if let Payload::ComponentAliasSection(aliases) = payload? {
            for alias in aliases {
                let kind = ComponentOuterAliasKind::CoreModule;
                if matches!(alias?, ComponentAlias::Outer { kind: it, .. } if it == kind) {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

/// Whether a number of a core space stands in a section that has seldom one: a core module that is
/// passed on, or the destructor of a resource.
fn has_core(payload: &Payload<'_>) -> Result<bool, Error> {
    let mut has_core = false;
    let mut note = Renumber(|_, number| {
        has_core = true;
        number
    });
    match payload {
        Payload::ComponentTypeSection(types) => {
            note.parse_component_type_section(&mut ComponentTypeSection::new(), types.clone())?;
        }
        Payload::ComponentInstanceSection(instances) => {
            note.parse_component_instance_section(
                &mut ComponentInstanceSection::new(),
                instances.clone(),
            )?;
        }
        Payload::ComponentExportSection(exports) => {
            note.parse_component_export_section(
                &mut ComponentExportSection::new(),
                exports.clone(),
            )?;
        }
        _ => {}
    }
    Ok(has_core)
}
