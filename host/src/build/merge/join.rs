//! Modules that import from each other, as one module.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, bail, ensure};
use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{
    CodeSection, DataCountSection, DataSection, ElementSection, ExportKind, ExportSection,
    FunctionSection, GlobalSection, ImportSection, MemorySection, Module, NameMap, NameSection,
    TableSection, TagSection, TypeSection,
};
use wasmparser::{ConstExpr, Name, Operator};

use super::core::{Core, space};
use super::outline::Space;
use super::plan::{Member, Source};

/// What the host's pool has room for in one module: see `sandbox/engine.rs`.
const MEMORIES_MAX: u32 = 1;
const TABLES_MAX: u32 = 8;
/// What the merged module's imports are called; each has a number as its name.
pub(super) const OUTSIDE: &str = "outside";

/// A module made of several.
pub(super) struct Joined<'a> {
    pub(super) module: Vec<u8>,
    /// What it imports: the items of the component, in the order of their numbers.
    pub(super) imports: Vec<usize>,
    /// What those exports of its members that are its own are called.
    pub(super) exports: Exports<'a>,
}

/// The names of exports: from the number of a member, and the name that it has for them.
type Exports<'a> = BTreeMap<(usize, &'a str), String>;

/// The value of a global that does not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    I32(i32),
    I64(i64),
}

/// A module refers to something that it does not have, or whose value is not known before it runs.
#[derive(Debug, thiserror::Error)]
#[error("a core module of it refers to {0} {1}, which is not known")]
struct Unknown(&'static str, u32);

type Reencoded<T> = Result<T, Error<Unknown>>;

/// The numbers that what one member has gets in the joined module.
#[derive(Default)]
struct Numbers {
    /// Those of what it imports first, as in the member.
    functions: Vec<u32>,
    tables: Vec<u32>,
    memories: Vec<u32>,
    globals: Vec<u32>,
    tags: Vec<u32>,
    /// How much comes before its own.
    types: u32,
    elements: u32,
    data: u32,
    /// The values of its globals, as far as they do not change.
    values: Vec<Option<Value>>,
}

impl Numbers {
    fn of(&mut self, space: Space) -> &mut Vec<u32> {
        match space {
            Space::Func => &mut self.functions,
            Space::Table => &mut self.tables,
            Space::Memory => &mut self.memories,
            Space::Global => &mut self.globals,
            // A core module has neither modules nor instances.
            Space::Tag | Space::Module | Space::Instance => &mut self.tags,
        }
    }

    /// The value of an expression that can be known before anything runs.
    fn value(&self, expression: &ConstExpr<'_>) -> Reencoded<Option<Value>> {
        let mut stack = Vec::new();
        for operator in expression.get_operators_reader() {
            let operator = operator?;
            let value = match operator {
                Operator::I32Const { value } => Value::I32(value),
                Operator::I64Const { value } => Value::I64(value),
                Operator::GlobalGet { global_index } => {
                    let value = self.values.get(global_index as usize).copied().flatten();
                    value.ok_or(Error::UserError(Unknown("the value of global", global_index)))?
                }
                Operator::End => break,
                _ => {
                    let (Some(right), Some(left)) = (stack.pop(), stack.pop()) else {
                        return Ok(None);
                    };
                    match calculated(&operator, left, right) {
                        Some(value) => value,
                        None => return Ok(None),
                    }
                }
            };
            stack.push(value);
        }
        Ok(stack.pop())
    }
}

/// The operators of constant expressions (WebAssembly 3.0, 3.4.13).
fn calculated(operator: &Operator<'_>, left: Value, right: Value) -> Option<Value> {
    Some(match (operator, left, right) {
        (Operator::I32Add, Value::I32(a), Value::I32(b)) => Value::I32(a.wrapping_add(b)),
        (Operator::I32Sub, Value::I32(a), Value::I32(b)) => Value::I32(a.wrapping_sub(b)),
        (Operator::I32Mul, Value::I32(a), Value::I32(b)) => Value::I32(a.wrapping_mul(b)),
        (Operator::I64Add, Value::I64(a), Value::I64(b)) => Value::I64(a.wrapping_add(b)),
        (Operator::I64Sub, Value::I64(a), Value::I64(b)) => Value::I64(a.wrapping_sub(b)),
        (Operator::I64Mul, Value::I64(a), Value::I64(b)) => Value::I64(a.wrapping_mul(b)),
        _ => return None,
    })
}

fn looked_up(numbers: &[u32], what: &'static str, number: u32) -> Reencoded<u32> {
    let found = numbers.get(number as usize).copied();
    found.ok_or(Error::UserError(Unknown(what, number)))
}

impl Reencode for Numbers {
    type Error = Unknown;

    fn function_index(&mut self, number: u32) -> Reencoded<u32> {
        looked_up(&self.functions, "function", number)
    }

    fn table_index(&mut self, number: u32) -> Reencoded<u32> {
        looked_up(&self.tables, "table", number)
    }

    fn memory_index(&mut self, number: u32) -> Reencoded<u32> {
        looked_up(&self.memories, "memory", number)
    }

    fn global_index(&mut self, number: u32) -> Reencoded<u32> {
        looked_up(&self.globals, "global", number)
    }

    fn tag_index(&mut self, number: u32) -> Reencoded<u32> {
        looked_up(&self.tags, "tag", number)
    }

    fn type_index(&mut self, number: u32) -> Reencoded<u32> {
        Ok(self.types + number)
    }

    fn element_index(&mut self, number: u32) -> Reencoded<u32> {
        Ok(self.elements + number)
    }

    fn data_index(&mut self, number: u32) -> Reencoded<u32> {
        Ok(self.data + number)
    }

    fn const_expr(&mut self, expression: ConstExpr<'_>) -> Reencoded<wasm_encoder::ConstExpr> {
        Ok(match self.value(&expression)? {
            Some(Value::I32(value)) => wasm_encoder::ConstExpr::i32_const(value),
            Some(Value::I64(value)) => wasm_encoder::ConstExpr::i64_const(value),
            None => utils::const_expr(self, expression)?,
        })
    }
}

/// Joins `members`; `exported` are the exports that are asked for, with the numbers of their members.
///
/// # Errors
/// When that gives no module which the host takes.
pub(super) fn join<'a>(
    members: &[Member<'a>],
    exported: &BTreeSet<(usize, &'a str)>,
) -> anyhow::Result<Joined<'a>> {
    let imports = outside(members);
    let mut numbers = numbered(members, &imports)?;
    let mut module = Module::new();

    let mut types = TypeSection::new();
    each(members, &mut numbers, |core, numbers| match core.types.clone() {
        Some(section) => numbers.parse_type_section(&mut types, section),
        None => Ok(()),
    })?;
    module.section(&types);
    module.section(&import_section(members, &mut numbers, &imports)?);

    macro_rules! joined {
        ($field:ident, $section:ident, $parse:ident) => {{
            let mut joined = $section::new();
            each(members, &mut numbers, |core, numbers| match core.$field.clone() {
                Some(section) => numbers.$parse(&mut joined, section),
                None => Ok(()),
            })?;
            joined
        }};
    }
    module.section(&joined!(functions, FunctionSection, parse_function_section));
    module.section(&joined!(tables, TableSection, parse_table_section));
    module.section(&joined!(memories, MemorySection, parse_memory_section));
    let tags = joined!(tags, TagSection, parse_tag_section);
    if !tags.is_empty() {
        module.section(&tags);
    }
    module.section(&joined!(globals, GlobalSection, parse_global_section));
    let (exports, section) = export_section(members, &mut numbers, exported)?;
    module.section(&section);
    module.section(&joined!(elements, ElementSection, parse_element_section));
    let data = joined!(data, DataSection, parse_data_section);
    if members.iter().any(|member| member.core.counts_data) {
        module.section(&DataCountSection { count: data.len() });
    }
    module.section(&joined!(code, CodeSection, parse_code_section));
    module.section(&data);
    module.section(&name_section(members, &numbers)?);
    Ok(Joined { module: module.finish(), imports, exports })
}

/// Does something for each member with its numbers.
fn each<'a>(
    members: &[Member<'a>],
    numbers: &mut [Numbers],
    mut work: impl FnMut(&Core<'a>, &mut Numbers) -> Reencoded<()>,
) -> anyhow::Result<()> {
    members.iter().zip(numbers).try_for_each(|(member, numbers)| work(&member.core, numbers))?;
    Ok(())
}

/// What members get from outside, each once.
fn outside(members: &[Member<'_>]) -> Vec<usize> {
    let mut items = Vec::new();
    for source in members.iter().flat_map(|member| &member.sources) {
        if let Source::Outside(item) = source
            && !items.contains(item)
        {
            items.push(*item);
        }
    }
    items
}

/// Numbers what members have: functions from outside, and then what each defines.
fn numbered(members: &[Member<'_>], outside: &[usize]) -> anyhow::Result<Vec<Numbers>> {
    let spaces = [Space::Func, Space::Table, Space::Memory, Space::Global, Space::Tag];
    let mut next = [u32::try_from(outside.len())?, 0, 0, 0, 0];
    let (mut types, mut elements, mut data) = (0, 0, 0);
    let mut all: Vec<Numbers> = Vec::new();
    for Member { core, sources } in members {
        let mut numbers = Numbers { types, elements, data, ..Numbers::default() };
        for (import, source) in core.imports.iter().zip(sources) {
            let (number, value) = match *source {
                Source::Outside(item) => {
                    let place = outside.iter().position(|it| *it == item);
                    (u32::try_from(place.unwrap_or_default())?, None)
                }
                Source::Member(member, name) => {
                    let exported = members.get(member).and_then(|it| it.core.exports.get(name));
                    let ((of, export), from) = exported
                        .zip(all.get_mut(member))
                        .context("a member is linked with what comes later")?;
                    ensure!(
                        *of == space(import),
                        "an import is linked with another kind of export"
                    );
                    let value = from.values.get(*export as usize).copied().flatten();
                    (looked_up(from.of(*of), "export", *export)?, value)
                }
            };
            numbers.of(space(import)).push(number);
            if space(import) == Space::Global {
                numbers.values.push(value);
            }
        }
        for (space, next) in spaces.into_iter().zip(&mut next) {
            for _ in 0..core.defined(space) {
                numbers.of(space).push(*next);
                *next += 1;
            }
        }
        for global in core.globals.iter().flat_map(|globals| globals.clone()) {
            let global = global?;
            let value = numbers.value(&global.init_expr)?.filter(|_| !global.ty.mutable);
            numbers.values.push(value);
        }
        types += core.types()?;
        elements += core.elements.as_ref().map_or(0, |section| section.count());
        data += core.data.as_ref().map_or(0, |section| section.count());
        all.push(numbers);
    }
    let [_, tables, memories, ..] = next;
    ensure!(memories <= MEMORIES_MAX, "its core modules have {memories} memories");
    ensure!(tables <= TABLES_MAX, "its core modules have {tables} tables");
    Ok(all)
}

fn import_section(
    members: &[Member<'_>],
    numbers: &mut [Numbers],
    outside: &[usize],
) -> anyhow::Result<ImportSection> {
    let mut types = BTreeMap::new();
    for (member, numbers) in members.iter().zip(numbers) {
        for (import, source) in member.core.imports.iter().zip(&member.sources) {
            if let Source::Outside(item) = source {
                types.entry(*item).or_insert(numbers.entity_type(import.ty)?);
            }
        }
    }
    let mut section = ImportSection::new();
    for (number, item) in outside.iter().enumerate() {
        let Some(ty) = types.get(item) else { bail!("an import has no type") };
        section.import(OUTSIDE, &number.to_string(), *ty);
    }
    Ok(section)
}

fn export_section<'a>(
    members: &[Member<'a>],
    numbers: &mut [Numbers],
    exported: &BTreeSet<(usize, &'a str)>,
) -> anyhow::Result<(Exports<'a>, ExportSection)> {
    let (mut names, mut taken) = (Exports::new(), BTreeSet::new());
    let mut section = ExportSection::new();
    for &(member, name) in exported {
        let export = members.get(member).and_then(|it| it.core.exports.get(name));
        let ((of, number), numbers) =
            export.zip(numbers.get_mut(member)).with_context(|| format!("it has no `{name}`"))?;
        let kind = match of {
            Space::Func => ExportKind::Func,
            Space::Table => ExportKind::Table,
            Space::Memory => ExportKind::Memory,
            Space::Global => ExportKind::Global,
            Space::Tag | Space::Module | Space::Instance => ExportKind::Tag,
        };
        let mut unique = name.to_owned();
        while !taken.insert(unique.clone()) {
            unique.push('\'');
        }
        section.export(&unique, kind, looked_up(numbers.of(*of), "export", *number)?);
        names.insert((member, name), unique);
    }
    Ok((names, section))
}

/// The names of functions, for whoever reads where a call ended.
fn name_section(members: &[Member<'_>], numbers: &[Numbers]) -> anyhow::Result<NameSection> {
    let mut functions = BTreeMap::new();
    for (member, numbers) in members.iter().zip(numbers) {
        let imported = member.core.imported(Space::Func).count();
        for subsection in member.core.names.iter().flat_map(|names| names.clone()) {
            let Name::Function(map) = subsection? else { continue };
            for naming in map {
                let naming = naming?;
                let number = looked_up(&numbers.functions, "function", naming.index)?;
                match (naming.index as usize) < imported {
                    // Whoever defines it knows better.
                    true => functions.entry(number).or_insert(naming.name),
                    false => functions.entry(number).insert_entry(naming.name).into_mut(),
                };
            }
        }
    }
    let mut map = NameMap::new();
    for (number, name) in functions {
        map.append(number, name);
    }
    let mut section = NameSection::new();
    section.functions(&map);
    Ok(section)
}
