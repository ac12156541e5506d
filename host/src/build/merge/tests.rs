//! A component whose core modules are linked as wit-component's `Linker` does it: one has the memory and the
//! table, others fill both where its globals say, and a function that is lowered with the memory is called
//! through a table that is filled last.

use std::borrow::Cow;
use std::sync::{Arc, Mutex};

use wasm_encoder::{
    CanonicalOption, CodeSection, ComponentBuilder, ComponentExportKind, ComponentTypeRef,
    ComponentValType, ConstExpr, DataCountSection, DataSection, ElementSection, Elements,
    EntityType, ExportSection, Function, FunctionSection, GlobalSection, GlobalType, ImportSection,
    InstructionSink, MemArg, MemorySection, MemoryType, Module, NameMap, NameSection,
    PrimitiveValType, RefType, StartSection, TableSection, TableType, TypeSection, ValType,
};
use wasmparser::{ComponentName, KnownCustom, Name, Parser, Payload};
use wasmtime::component::Linker;
use wasmtime::{Engine, Store};

use super::*;

/// The types of functions in each module.
const CHANGE: u32 = 0;
const SAY: u32 = 1;
const DO: u32 = 2;
const GET: u32 = 3;

const MEMORY: MemoryType =
    MemoryType { minimum: 1, maximum: None, memory64: false, shared: false, page_size_log2: None };
const CONSTANT: GlobalType = GlobalType { val_type: ValType::I32, mutable: false, shared: false };
const VARIABLE: GlobalType = GlobalType { mutable: true, ..CONSTANT };

const fn table(minimum: u64) -> TableType {
    let element_type = RefType::FUNCREF;
    TableType { element_type, table64: false, minimum, maximum: None, shared: false }
}

/// The sections of a module that is being made.
#[derive(Default)]
struct Parts {
    imports: ImportSection,
    functions: FunctionSection,
    tables: TableSection,
    memories: MemorySection,
    globals: GlobalSection,
    exports: ExportSection,
    start: Option<u32>,
    elements: ElementSection,
    code: CodeSection,
    data: DataSection,
    names: NameMap,
}

impl Parts {
    fn import(&mut self, module: &str, name: &str, ty: impl Into<EntityType>) {
        self.imports.import(module, name, ty);
    }

    fn export(&mut self, name: &str, kind: ExportKind, number: u32) {
        self.exports.export(name, kind, number);
    }

    fn function(&mut self, ty: u32, write: impl FnOnce(&mut InstructionSink<'_>)) {
        self.functions.function(ty);
        let mut function = Function::new([]);
        write(&mut function.instructions());
        function.instructions().end();
        self.code.function(&function);
    }

    fn fill(&mut self, offset: &ConstExpr, functions: &[u32]) {
        self.elements.active(None, offset, Elements::Functions(Cow::Borrowed(functions)));
    }

    fn finish(self) -> Module {
        let mut types = TypeSection::new();
        types.ty().function([ValType::I32], [ValType::I32]);
        types.ty().function([ValType::I32, ValType::I32], []);
        types.ty().function([], []);
        types.ty().function([], [ValType::I32]);
        let mut names = NameSection::new();
        names.functions(&self.names);
        let mut module = Module::new();
        module.section(&types).section(&self.imports).section(&self.functions);
        module.section(&self.tables).section(&self.memories).section(&self.globals);
        module.section(&self.exports);
        if let Some(function_index) = self.start {
            module.section(&StartSection { function_index });
        }
        module.section(&self.elements);
        module.section(&DataCountSection { count: self.data.len() });
        module.section(&self.code).section(&self.data).section(&names);
        module
    }
}

/// Has memory, table, and the places of the others in them.
fn base() -> Module {
    let mut base = Parts::default();
    base.memories.memory(MEMORY);
    base.tables.table(table(8));
    for (ty, value) in [(CONSTANT, 3), (CONSTANT, 64), (VARIABLE, 100)] {
        base.globals.global(ty, &ConstExpr::i32_const(value));
    }
    base.export("memory", ExportKind::Memory, 0);
    base.export("table", ExportKind::Table, 0);
    for (name, number) in [("slot", 0), ("place", 1), ("count", 2)] {
        base.export(name, ExportKind::Global, number);
    }
    base.data.active(0, &ConstExpr::i32_const(16), *b"hey");
    base.finish()
}

/// Calls what is lowered later.
fn shim() -> Module {
    let mut shim = Parts::default();
    shim.tables.table(table(1));
    shim.function(SAY, |code| {
        code.local_get(0).local_get(1).i32_const(0).call_indirect(0, SAY);
    });
    shim.export("$imports", ExportKind::Table, 0);
    shim.export("0", ExportKind::Func, 0);
    shim.finish()
}

/// Fills slots 3 and 4, byte 68, and bytes 128 to 130 when `fill` is called, which can be once.
fn left() -> Module {
    let mut left = Parts::default();
    left.import("env", "memory", MEMORY);
    left.import("env", "double", EntityType::Function(CHANGE));
    left.import("env", "table", table(0));
    left.import("env", "slot", CONSTANT);
    left.import("env", "place", CONSTANT);
    left.import("env", "count", VARIABLE);
    // Global 3: slot 5.
    left.globals.global(CONSTANT, &ConstExpr::global_get(0).with_i32_const(2).with_i32_add());
    left.function(CHANGE, |code| {
        code.local_get(0).i32_const(3).i32_mul();
    });
    left.function(CHANGE, |code| {
        code.local_get(0).call(0);
    });
    left.function(DO, |code| {
        code.i32_const(128).i32_const(0).i32_const(3).memory_init(0, 1).data_drop(1);
    });
    left.function(GET, |code| {
        code.global_get(2).i32_const(1).i32_add().global_set(2).global_get(2);
    });
    left.export("next", ExportKind::Global, 3);
    for (name, number) in [("thrice", 1), ("fill", 3), ("counted", 4)] {
        left.export(name, ExportKind::Func, number);
        left.names.append(number, name);
    }
    left.fill(&ConstExpr::global_get(0), &[1, 2]);
    left.data.active(0, &ConstExpr::global_get(1).with_i32_const(4).with_i32_add(), [7]);
    left.data.passive([11, 22, 33]);
    left.finish()
}

/// Fills slot 5, and slot 7 when it runs, and has what is exported. `starts`: it runs something when it is instantiated.
fn right(starts: bool) -> Module {
    let mut right = Parts::default();
    right.import("left", "next", CONSTANT);
    right.import("left", "fill", EntityType::Function(DO));
    right.import("left", "counted", EntityType::Function(GET));
    right.import("host", "say", EntityType::Function(SAY));
    right.import("env", "table", table(0));
    right.import("env", "memory", MEMORY);
    right.function(CHANGE, |code| {
        code.local_get(0).i32_const(1000).i32_add();
    });
    right.function(CHANGE, |code| {
        code.call(0).i32_const(16).i32_const(3).call(2);
        code.i32_const(7).i32_const(0).i32_const(1).table_init(0, 1);
        for slot in 3..=7 {
            code.local_get(0).i32_const(slot).call_indirect(0, CHANGE);
        }
        code.i32_add().i32_add().i32_add().i32_add();
        for place in [16, 68, 129] {
            let plain = MemArg { offset: 0, align: 0, memory_index: 0 };
            code.i32_const(place).i32_load8_u(plain).i32_add();
        }
        code.call(1).i32_add();
    });
    right.export("run", ExportKind::Func, 4);
    right.fill(&ConstExpr::global_get(0), &[3]);
    right.elements.passive(Elements::Functions(Cow::Borrowed(&[3])));
    right.start = starts.then_some(0);
    right.finish()
}

/// Fills a table that it imports.
fn filling(module: &str, table_name: &str, slot: i32, name: &str, ty: u32) -> Module {
    let mut filling = Parts::default();
    filling.import("tables", table_name, table(0));
    filling.import(module, name, EntityType::Function(ty));
    filling.fill(&ConstExpr::i32_const(slot), &[0]);
    filling.finish()
}

/// How a component differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum But {
    No,
    /// A module has a start function.
    Starts,
    /// A module has two instances.
    Twice,
    /// A module that comes after `say` is lowered changes what an earlier one filled.
    Refills,
    /// A core module is passed on to a component in it.
    Passes,
}

/// It exports `run` of a number.
fn component(but: But) -> Vec<u8> {
    use ExportKind::{Func, Global, Memory, Table};
    let string = ComponentValType::Primitive(PrimitiveValType::String);
    let number = ComponentValType::Primitive(PrimitiveValType::U32);
    let instance = ModuleArg::Instance;
    let mut it = ComponentBuilder::default();
    let (change, mut ty) = it.type_function(None);
    ty.params([("x", number)]).result(Some(number));
    let (say, mut ty) = it.type_function(None);
    ty.params([("text", string)]).result(None);
    let double = it.import("double", ComponentTypeRef::Func(change));
    let say = it.import("say", ComponentTypeRef::Func(say));

    let (refilled, slot) = if but == But::Refills { ("$imports", 0) } else { ("table", 6) };
    let last = match but {
        But::Refills => filling("left", refilled, slot, "fill", DO),
        _ => filling("left", refilled, slot, "thrice", CHANGE),
    };
    let modules = [base(), shim(), left(), right(but == But::Starts)];
    let [base, shim, left, right] = modules.map(|module| it.core_module(None, &module));
    let fixup = filling("", "$imports", 0, "0", SAY);
    let [fixup, last] = [fixup, last].map(|module| it.core_module(None, &module));

    let shim = it.core_instantiate(Some("shim"), shim, []);
    let base = it.core_instantiate(Some("base"), base, []);
    let memory = it.core_alias_export(Some("memory"), base, "memory", Memory);
    let tables = it.core_alias_export(None, base, "table", Table);
    let [slot, place, count] =
        ["slot", "place", "count"].map(|name| it.core_alias_export(None, base, name, Global));
    let double = it.lower_func(Some("double"), double, []);
    let env = it.core_instantiate_exports(
        None,
        [
            ("memory", Memory, memory),
            ("table", Table, tables),
            ("slot", Global, slot),
            ("place", Global, place),
            ("count", Global, count),
            ("double", Func, double),
        ],
    );
    let module = left;
    let left = it.core_instantiate(None, module, [("env", instance(env))]);
    if but == But::Twice {
        it.core_instantiate(None, module, [("env", instance(env))]);
    }
    let late = it.core_alias_export(Some("late"), shim, "0", Func);
    let host = it.core_instantiate_exports(None, [("say", Func, late)]);
    let right = it.core_instantiate(
        None,
        right,
        [("env", instance(env)), ("left", instance(left)), ("host", instance(host))],
    );
    let imports = it.core_alias_export(None, shim, "$imports", Table);
    let options = [CanonicalOption::Memory(memory), CanonicalOption::UTF8];
    let say = it.lower_func(Some("say"), say, options);
    let given = [("$imports", Table, imports), ("0", Func, say)];
    let given = it.core_instantiate_exports(None, given);
    let fixup_args = [("", instance(given)), ("tables", instance(given))];
    it.core_instantiate(Some("fixup"), fixup, fixup_args);
    let filled = if but == But::Refills { shim } else { base };
    it.core_instantiate(None, last, [("tables", instance(filled)), ("left", instance(left))]);
    let run = it.core_alias_export(Some("run"), right, "run", Func);
    let run = it.lift_func(None, run, change, []);
    it.export("run", ComponentExportKind::Func, run, None);
    if but == But::Passes {
        it.export("module", ComponentExportKind::Module, 0, None);
    }
    it.append_names();
    it.finish()
}

/// What two calls of `run` with `x` return in one instance, and what they say.
fn run(component: &[u8], x: u32) -> ([Option<u32>; 2], Vec<String>) {
    let engine = Engine::default();
    let component = wasmtime::component::Component::new(&engine, component).unwrap();
    let said = Arc::new(Mutex::new(Vec::new()));
    let mut linker = Linker::new(&engine);
    linker.root().func_wrap("double", |_, (x,): (u32,)| Ok((2 * x,))).unwrap();
    let saying = Arc::clone(&said);
    let say = move |_: wasmtime::StoreContextMut<'_, ()>, (text,): (String,)| {
        saying.lock().unwrap().push(text);
        Ok(())
    };
    linker.root().func_wrap("say", say).unwrap();
    let mut store = Store::new(&engine, ());
    let instance = linker.instantiate(&mut store, &component).unwrap();
    let run = instance.get_typed_func::<(u32,), (u32,)>(&mut store, "run").unwrap();
    let results = [(); 2].map(|()| run.call(&mut store, (x,)).ok().map(|(result,)| result));
    let said = said.lock().unwrap().clone();
    (results, said)
}

#[test]
fn a_merged_component_does_the_same_with_one_module_in_place_of_five() {
    let linked = component(But::No);
    Validator::new().validate_all(&linked).unwrap();
    let merged = merge(&linked).unwrap();
    for component in [&linked, &merged] {
        // Slots 3 to 7 give 3x + 2x + (x + 1000) + 3x + (x + 1000), the bytes are `h`, 7 and 22, and the
        // count becomes 101.
        let expected = 10 * 5 + 2000 + u32::from(b'h') + 7 + 22 + 101;
        // A passive segment that is dropped cannot be read again (WebAssembly, memory.init).
        assert_eq!(run(component, 5), ([Some(expected), None], vec!["hey".to_owned()]));
    }
    let modules = |component: &[u8]| {
        let payloads = Parser::new(0).parse_all(component).map(Result::unwrap);
        payloads.filter(|payload| matches!(payload, Payload::ModuleSection { .. })).count()
    };
    // What fills the shim's table stays.
    assert_eq!((modules(&linked), modules(&merged)), (6, 2));
}

#[test]
fn tables_are_filled_at_constant_offsets_and_names_go_with_their_numbers() {
    let merged = merge(&component(But::No)).unwrap();
    let (mut offsets, mut functions, mut core) = (Vec::new(), Vec::new(), Vec::new());
    for payload in Parser::new(0).parse_all(&merged) {
        match payload.unwrap() {
            Payload::ElementSection(elements) => {
                for element in elements {
                    let kind = element.unwrap().kind;
                    let wasmparser::ElementKind::Active { offset_expr, .. } = kind else {
                        continue;
                    };
                    let mut operators = offset_expr.get_operators_reader();
                    let wasmparser::Operator::I32Const { value } = operators.read().unwrap() else {
                        panic!("every offset is known");
                    };
                    assert!(operators.is_end_then_eof());
                    offsets.push(value);
                }
            }
            Payload::CustomSection(custom) => match custom.as_known() {
                KnownCustom::Name(names) => {
                    for name in names {
                        let Name::Function(map) = name.unwrap() else { continue };
                        functions.extend(map.into_iter().map(|it| it.unwrap().name.to_owned()));
                    }
                }
                KnownCustom::ComponentName(names) => {
                    for name in names {
                        let ComponentName::CoreFuncs(map) = name.unwrap() else { continue };
                        let named = |it: wasmparser::Naming<'_>| (it.index, it.name.to_owned());
                        core.extend(map.into_iter().map(|it| named(it.unwrap())));
                    }
                }
                _ => {}
            },
            _ => {}
        }
    }
    // That of the fixup module, which stays where it was, and those of `left`, `right` and the last one.
    assert_eq!(offsets, [0, 3, 5, 6]);
    assert_eq!(functions, ["thrice", "fill", "counted"]);
    // What the shim exports is no function of the component any more.
    assert_eq!(core, [(0, "double".to_owned()), (1, "say".to_owned()), (2, "run".to_owned())]);
}

#[test]
fn what_has_another_form_stays_as_it_is() {
    for (but, why) in [
        (But::Starts, "has a start function"),
        (But::Twice, "is instantiated twice"),
        (But::Refills, "is filled before"),
        (But::Passes, "does more with its core modules"),
    ] {
        let component = component(but);
        Validator::new().validate_all(&component).unwrap();
        let said = merge(&component).unwrap_err().to_string();
        assert!(said.contains(why), "{but:?}: {said}");
        assert_eq!(merged(component.clone()), component, "{but:?}");
    }
    let mut cut = component(But::No);
    cut.truncate(cut.len() / 2);
    let plain =
        crate::schema::wit::testing::component("package a:b; world w { export f: func(); }");
    for component in [Vec::new(), base().finish(), cut, plain] {
        assert!(matches!(merge(&component), Err(Unmerged::OtherForm(_))));
        assert_eq!(merged(component.clone()), component);
    }
}
