//! Which instances of a component become one, and what becomes of the rest.
//!
//! A function that is lowered with a memory can be made only when the instance of that memory is there. What
//! imports such a function comes later: it stays an instance of its own. All others become one.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, bail, ensure};
use wasmparser::{CanonicalFunction, ComponentAlias, Instance};

use super::core::{Core, space};
use super::outline::{Item, Outline, Space};

/// Where a member gets an import.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source<'a> {
    /// From the member of that number, which is before it.
    Member(usize, &'a str),
    /// From an item of the component.
    Outside(usize),
}

/// An instance that becomes part of the one.
pub(super) struct Member<'a> {
    pub(super) core: Core<'a>,
    /// Those of its imports, in their order.
    pub(super) sources: Vec<Source<'a>>,
}

/// What becomes of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It stays where it is.
    Stays,
    /// It stays, but comes after the merged instance.
    Waits,
    /// It only linked what is one now.
    Goes,
}

/// What is to be done.
pub(super) struct Plan<'a> {
    /// In the order in which they were instantiated.
    pub(super) members: Vec<Member<'a>>,
    /// The items that are its instances: which member each is.
    places: BTreeMap<usize, usize>,
    /// How many items come before the merged instance, but for those that wait for it.
    pub(super) before: usize,
    pub(super) fates: Vec<Fate>,
}

impl<'a> Plan<'a> {
    /// Looks what can be done with a component.
    ///
    /// # Errors
    /// When nothing can. The text says why.
    pub(super) fn of(outline: &Outline<'a>) -> anyhow::Result<Self> {
        let is_late = late(outline)?;
        let mut places = BTreeMap::new();
        let mut modules = BTreeSet::new();
        for item in instantiated(outline).filter(|&item| !is_late[item]) {
            places.insert(item, places.len());
        }
        ensure!(places.len() > 1, "it has no core modules that are linked");
        let mut members = Vec::new();
        let mut before = 0;
        for &item in places.keys() {
            let core = core(outline, item)?;
            let sources = core.imports.iter().map(|import| {
                let source = source(outline, item, import.module, import.name)?;
                Ok(match source {
                    Link::Export(instance, name) => {
                        let member = places.get(&instance);
                        Source::Member(*member.context("it is linked with what comes later")?, name)
                    }
                    Link::Item(item) => {
                        ensure!(space(import) == Space::Func, "it is linked with no function");
                        before = before.max(item + 1);
                        Source::Outside(item)
                    }
                })
            });
            let sources = sources.collect::<anyhow::Result<_>>()?;
            members.push(Member { core, sources });
            ensure!(
                modules.insert(module(outline, item)?),
                "a core module of it is instantiated twice"
            );
        }
        in_any_order(outline, &is_late, &places)?;
        let mut plan = Self { members, places, before, fates: Vec::new() };
        plan.decide(outline, &is_late, &modules)?;
        Ok(plan)
    }

    /// Decides what becomes of each item.
    fn decide(
        &mut self,
        outline: &Outline<'a>,
        is_late: &[bool],
        merged: &BTreeSet<usize>,
    ) -> anyhow::Result<()> {
        let mut waits = Vec::new();
        for item in 0..outline.items.len() {
            let needs = outline.needs(item)?;
            waits.push(self.places.contains_key(&item) || needs.iter().any(|&need| waits[need]));
        }
        let mut is_needed = vec![false; outline.items.len()];
        self.fates = vec![Fate::Goes; outline.items.len()];
        for (number, item) in outline.items.iter().enumerate().rev() {
            let stays = match item {
                Item::Section { .. } | Item::Canonical(_) | Item::Names(_) => true,
                Item::Module(_) => is_needed[number] || !merged.contains(&number),
                Item::Instance(Instance::Instantiate { .. }) => is_late[number],
                Item::Instance(Instance::FromExports(_))
                | Item::Alias(ComponentAlias::CoreInstanceExport { .. }) => is_needed[number],
                Item::Alias(_) => true,
            };
            if !stays {
                continue;
            }
            for need in outline.needs(number)? {
                is_needed[need] = true;
                let is_whole = self.places.contains_key(&need) && !matches!(item, Item::Alias(_));
                ensure!(!is_whole, "what is linked later takes an instance as a whole");
            }
            let waits = number < self.before && waits[number];
            ensure!(
                !waits || outline.defines(number).is_some(),
                "what it exports is linked back into it"
            );
            self.fates[number] = if waits { Fate::Waits } else { Fate::Stays };
        }
        Ok(())
    }

    /// What an item is another number for, when it is an export of a member: which, and its name.
    pub(super) fn exported(&self, outline: &Outline<'a>, item: usize) -> Option<(usize, &'a str)> {
        let Some(Item::Alias(ComponentAlias::CoreInstanceExport { name, .. })) =
            outline.items.get(item)
        else {
            return None;
        };
        let instance = *outline.needs(item).ok()?.first()?;
        Some((*self.places.get(&instance)?, name))
    }
}

/// The items that are instances of modules.
fn instantiated(outline: &Outline<'_>) -> impl Iterator<Item = usize> {
    let items = outline.items.iter().enumerate();
    items
        .filter(|(_, item)| matches!(item, Item::Instance(Instance::Instantiate { .. })))
        .map(|(number, _)| number)
}

/// For each item whether it needs a function that is lowered with something of an instance.
fn late(outline: &Outline<'_>) -> anyhow::Result<Vec<bool>> {
    let mut late: Vec<bool> = Vec::new();
    for (number, item) in outline.items.iter().enumerate() {
        let needs = outline.needs(number)?;
        let is_lowered = matches!(item, Item::Canonical(function) if !matches!(function, CanonicalFunction::Lift { .. }));
        late.push((is_lowered && !needs.is_empty()) || needs.iter().any(|&need| late[need]));
    }
    Ok(late)
}

/// The item that is the module of an instance.
fn module(outline: &Outline<'_>, instance: usize) -> anyhow::Result<usize> {
    let Some(Item::Instance(Instance::Instantiate { module_index, .. })) =
        outline.items.get(instance)
    else {
        bail!("an instance has no module");
    };
    outline.definer(Space::Module, *module_index)
}

/// The module of an instance.
fn core<'a>(outline: &Outline<'a>, instance: usize) -> anyhow::Result<Core<'a>> {
    match outline.items.get(module(outline, instance)?) {
        Some(Item::Module(module)) => Core::read(module),
        _ => bail!("an instance has no module"),
    }
}

/// What an import is linked with: the export of an instance of a module, or an item.
enum Link<'a> {
    Export(usize, &'a str),
    Item(usize),
}

/// Follows the import `name` of `module`, of an instance.
fn source<'a>(
    outline: &Outline<'a>,
    instance: usize,
    module: &str,
    name: &'a str,
) -> anyhow::Result<Link<'a>> {
    let Some(Item::Instance(Instance::Instantiate { args, .. })) = outline.items.get(instance)
    else {
        bail!("what is instantiated is no module");
    };
    let arg = args.iter().find(|arg| arg.name == module);
    let arg = arg.with_context(|| format!("nothing is given for the import of `{module}`"))?;
    follow(outline, outline.definer(Space::Instance, arg.index)?, name)
}

/// Follows the export `name` of an instance, which may be one that only gathers others' exports.
fn follow<'a>(outline: &Outline<'a>, instance: usize, name: &'a str) -> anyhow::Result<Link<'a>> {
    let Some(Item::Instance(Instance::FromExports(exports))) = outline.items.get(instance) else {
        return Ok(Link::Export(instance, name));
    };
    let export = exports.iter().find(|export| export.name == name);
    let export = export.with_context(|| format!("an instance has no `{name}`"))?;
    let item = outline.definer(export.kind.into(), export.index)?;
    match outline.items.get(item) {
        Some(Item::Alias(ComponentAlias::CoreInstanceExport { instance_index, name, .. })) => {
            follow(outline, outline.definer(Space::Instance, *instance_index)?, name)
        }
        _ => Ok(Link::Item(item)),
    }
}

/// That what is instantiated among the members, and comes after them now, fills no table or memory that a
/// later member fills as well: the order would be another one.
fn in_any_order(
    outline: &Outline<'_>,
    is_late: &[bool],
    members: &BTreeMap<usize, usize>,
) -> anyhow::Result<()> {
    for late in instantiated(outline).filter(|&item| is_late[item]) {
        let fills = shared(outline, late)?;
        for &member in members.range(late..).map(|(member, _)| member) {
            let is_shared = shared(outline, member)?.iter().any(|it| fills.contains(it));
            ensure!(!is_shared, "what is linked later is filled before what is linked");
        }
    }
    Ok(())
}

/// The imported tables and memories of an instance: where each is defined.
fn shared(outline: &Outline<'_>, instance: usize) -> anyhow::Result<Vec<(usize, Space, u32)>> {
    let imports = core(outline, instance)?.imports;
    let imports = imports.iter().filter(|it| matches!(space(it), Space::Table | Space::Memory));
    imports
        .map(|import| origin(outline, source(outline, instance, import.module, import.name)?))
        .collect()
}

fn origin(outline: &Outline<'_>, link: Link<'_>) -> anyhow::Result<(usize, Space, u32)> {
    let Link::Export(instance, name) = link else { bail!("it is linked with no function") };
    let core = core(outline, instance)?;
    let Some(&(of, number)) = core.exports.get(name) else { bail!("an instance has no `{name}`") };
    match core.imported(of).nth(number as usize) {
        Some(import) => origin(outline, source(outline, instance, import.module, import.name)?),
        None => Ok((instance, of, number)),
    }
}
