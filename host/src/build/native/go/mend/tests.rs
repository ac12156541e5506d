//! A small module in place of Go's. That mended modules of Go run is seen by building `guests/go`.

use wasm_encoder::{
    ConstExpr, EntityType, Function, GlobalType, ImportSection, MemorySection, MemoryType,
    TypeSection, ValType,
};
use wasmparser::{Operator, Validator};

use super::{
    CodeSection, ExportKind, ExportSection, FunctionSection, GlobalSection, Module, PREVIEW1,
    Parser, Payload, Read, mend,
};

/// Imports, of which the first four are redirected.
const IMPORTS: [&str; 5] =
    ["clock_time_get", "poll_oneoff", "sched_yield", "random_get", "fd_write"];
/// `cabi_realloc`, which calls them all.
const REALLOC: u32 = 5;
/// The first of the functions that are added: one for each of the four, and one to guard.
const ADDED: u32 = 6;
const GUARD: u32 = ADDED + 4;

/// A module with those imports, a memory, a global and `cabi_realloc`; `random` is what
/// `random_get` takes.
fn core(random: &[ValType]) -> Vec<u8> {
    let mut types = TypeSection::new();
    let mut imports = ImportSection::new();
    let mut realloc = Function::new([]);
    for (number, name) in (0..).zip(IMPORTS) {
        let parameters: &[ValType] = match name {
            "clock_time_get" => &[ValType::I32, ValType::I64, ValType::I32],
            "sched_yield" => &[],
            "random_get" => random,
            _ => &[ValType::I32; 4],
        };
        types.ty().function(parameters.to_vec(), [ValType::I32]);
        imports.import(PREVIEW1, name, EntityType::Function(number));
        let mut code = realloc.instructions();
        for &parameter in parameters {
            if parameter == ValType::I64 {
                code.i64_const(0)
            } else {
                code.i32_const(0)
            };
        }
        code.call(number).drop();
    }
    types.ty().function([ValType::I32; 4], [ValType::I32]);
    realloc.instructions().i32_const(8).end();
    let mut functions = FunctionSection::new();
    functions.function(REALLOC);
    let mut memories = MemorySection::new();
    memories.memory(MemoryType {
        minimum: 1,
        maximum: None,
        memory64: false,
        shared: false,
        page_size_log2: None,
    });
    let mut globals = GlobalSection::new();
    let ty = GlobalType { val_type: ValType::I32, mutable: true, shared: false };
    globals.global(ty, &ConstExpr::i32_const(0));
    let mut exports = ExportSection::new();
    exports.export("memory", ExportKind::Memory, 0);
    exports.export("cabi_realloc", ExportKind::Func, REALLOC);
    let mut code = CodeSection::new();
    code.function(&realloc);
    let mut module = Module::new();
    module.section(&types).section(&imports).section(&functions).section(&memories);
    module.section(&globals).section(&exports).section(&code);
    module.finish()
}

/// What each function that is no import calls.
fn calls(core: &[u8]) -> Vec<Vec<u32>> {
    let mut calls = Vec::new();
    for payload in Parser::new(0).parse_all(core) {
        if let Payload::CodeSectionEntry(body) = payload.unwrap() {
            let operators = body.get_operators_reader().unwrap().into_iter();
            let called = operators.filter_map(|operator| match operator.unwrap() {
                Operator::Call { function_index } => Some(function_index),
                _ => None,
            });
            calls.push(called.collect());
        }
    }
    calls
}

#[test]
fn what_cabi_realloc_calls_is_redirected() {
    let random = [ValType::I32, ValType::I32];
    assert_eq!(calls(&core(&random)), [[0, 1, 2, 3, 4]]);
    let mended = mend(&core(&random)).unwrap();
    Validator::new().validate_all(&mended).unwrap();
    let [clock, poll, yields, random] = [0, 1, 2, 3].map(|it| ADDED + it);
    let expected =
        [vec![clock, poll, yields, random, 4], vec![0], vec![1], vec![2], vec![3], vec![REALLOC]];
    assert_eq!(calls(&mended), expected);
    assert_eq!(Read::new(&mended).unwrap().guarded, [("cabi_realloc", GUARD)]);
}

#[test]
fn an_import_of_another_type_is_named() {
    let error = mend(&core(&[ValType::I32])).unwrap_err();
    let expected = "its import `random_get` has another type than WASI preview 1 says";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_module_without_globals_is_not_go_s() {
    let error = mend(&Module::new().finish()).unwrap_err();
    assert_eq!(error.to_string(), "it has no globals, as every module of Go's has");
}
