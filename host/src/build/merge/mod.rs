//! The core modules of a component that are linked when it is instantiated, merged into one.
//!
//! Each call has an instance of its own, so each pays for the linking: decision 14 has the reasons. A
//! component of another form stays as it is.

mod core;
mod join;
mod outline;
mod plan;

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context as _;
use join::{Joined, OUTSIDE, join};
use outline::{GONE, Item, Outline, Renumber, Space};
use plan::{Fate, Plan};
use wasm_encoder::{
    Alias, Component, ComponentAliasSection, ComponentSectionId, ExportKind, InstanceSection,
    ModuleArg, RawSection,
};
use wasmparser::{ComponentAlias, Validator};

/// Why a component stays as it is.
#[derive(Debug, thiserror::Error)]
enum Unmerged {
    /// There is nothing to merge, or nothing that can be.
    #[error("{0:#}")]
    OtherForm(anyhow::Error),
    /// What came out must not be used.
    #[error("its core modules were not merged well: {0}")]
    Invalid(wasmparser::Error),
}

/// The same component with one core module in place of those that are linked, or as it is where that
/// cannot be.
pub(super) fn merged(component: Vec<u8>) -> Vec<u8> {
    match merge(&component) {
        Ok(merged) => return merged,
        Err(Unmerged::OtherForm(why)) => {
            tracing::debug!("the component stays as it was built: {why:#}");
        }
        Err(error @ Unmerged::Invalid(_)) => {
            tracing::warn!("the component stays as it was built, and calls take longer: {error}");
        }
    }
    component
}

fn merge(component: &[u8]) -> Result<Vec<u8>, Unmerged> {
    // What is valid refers to nothing but what is before it.
    Validator::new().validate_all(component).map_err(|error| Unmerged::OtherForm(error.into()))?;
    let merged = rewritten(component).map_err(Unmerged::OtherForm)?;
    Validator::new().validate_all(&merged).map_err(Unmerged::Invalid)?;
    Ok(merged)
}

fn rewritten(component: &[u8]) -> anyhow::Result<Vec<u8>> {
    let outline = Outline::read(component)?;
    let plan = Plan::of(&outline)?;
    let items = |wanted: Fate| {
        let fates = plan.fates.iter().enumerate();
        fates.filter(move |&(_, fate)| *fate == wanted).map(|(item, _)| item)
    };
    let staying = items(Fate::Stays).chain(items(Fate::Waits));
    let exported: BTreeSet<_> = staying.filter_map(|item| plan.exported(&outline, item)).collect();
    let joined = join(&plan.members, &exported)?;

    let mut rewriting = Rewriting {
        outline: &outline,
        plan: &plan,
        joined: &joined,
        component: Component::new(),
        numbers: BTreeMap::new(),
        next: BTreeMap::new(),
        merged: 0,
    };
    for item in items(Fate::Stays).take_while(|&item| item < plan.before) {
        rewriting.add(item)?;
    }
    rewriting.add_merged()?;
    let behind = items(Fate::Stays).skip_while(|&item| item < plan.before);
    for item in items(Fate::Waits).chain(behind) {
        rewriting.add(item)?;
    }
    Ok(rewriting.component.finish())
}

/// The component, as far as it is written.
struct Rewriting<'p, 'a> {
    outline: &'p Outline<'a>,
    plan: &'p Plan<'a>,
    joined: &'p Joined<'a>,
    component: Component,
    /// The numbers of what is written: from those that it had.
    numbers: BTreeMap<(Space, u32), u32>,
    /// The next number in each space.
    next: BTreeMap<Space, u32>,
    /// The number of the merged instance.
    merged: u32,
}

impl Rewriting<'_, '_> {
    /// The number of what is written now.
    fn number(&mut self, space: Space) -> u32 {
        let next = self.next.entry(space).or_default();
        *next += 1;
        *next - 1
    }

    /// Writes an item that stays.
    fn add(&mut self, item: usize) -> anyhow::Result<()> {
        let Some(what) = self.outline.items.get(item) else { return Ok(()) };
        match (what, self.plan.exported(self.outline, item)) {
            (Item::Alias(ComponentAlias::CoreInstanceExport { kind, .. }), Some(export)) => {
                let name = self.joined.exports.get(&export).context("an export is lost")?;
                let kind = ExportKind::from(*kind);
                let mut section = ComponentAliasSection::new();
                section.alias(Alias::CoreInstanceExport { instance: self.merged, kind, name });
                self.component.section(&section);
            }
            _ => {
                let numbers = &self.numbers;
                let mut renumber =
                    Renumber(|space, number| *numbers.get(&(space, number)).unwrap_or(&GONE));
                what.write(&mut self.component, &mut renumber)?;
            }
        }
        if let Some((space, before)) = self.outline.defines(item) {
            let number = self.number(space);
            self.numbers.insert((space, before), number);
        }
        Ok(())
    }

    /// Writes the merged module and its instance.
    fn add_merged(&mut self) -> anyhow::Result<()> {
        let id = ComponentSectionId::CoreModule.into();
        self.component.section(&RawSection { id, data: &self.joined.module });
        let module = self.number(Space::Module);
        let mut imports = Vec::new();
        for (number, &item) in self.joined.imports.iter().enumerate() {
            let defined = self.outline.defines(item).and_then(|it| self.numbers.get(&it));
            let defined = *defined.context("an import is lost")?;
            imports.push((number.to_string(), ExportKind::Func, defined));
        }
        let mut section = InstanceSection::new();
        section.export_items(imports);
        let outside = ModuleArg::Instance(self.number(Space::Instance));
        section.instantiate(module, [(OUTSIDE, outside)]);
        self.merged = self.number(Space::Instance);
        self.component.section(&section);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
