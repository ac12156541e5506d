//! Core modules whose functions give what they are told to give.

use wasm_encoder::{
    BlockType, CodeSection, ConstExpr, DataSection, ExportKind, ExportSection, Function,
    FunctionSection, GlobalSection, GlobalType, Instruction, MemArg, MemorySection, MemoryType,
    Module, TypeSection, ValType,
};

use super::image::{Image, START};
use super::layout::{
    FLAT_PARAMETERS_MAX, FLAT_RESULTS_MAX, Layout, aligned, cases, flat, offsets, tag_bytes,
};
use super::types::Ty;
use super::value::Value;

/// What a function does.
#[derive(Clone, Debug)]
pub(crate) enum Gives {
    /// It gives this value.
    Value(Value),
    /// It gives back the parameter of this index.
    Parameter(usize),
    /// It has no result, and returns.
    Nothing,
    /// It stops.
    Trap,
}

/// A function of the component, by its name in the module.
pub(super) struct Body {
    pub(super) export: String,
    pub(super) parameters: Vec<Ty>,
    pub(super) result: Option<Ty>,
    pub(super) gives: Gives,
}

const PAGE_BYTES: u32 = 1 << 16;
/// Functions before those of the component.
const REALLOC: u32 = 0;

/// The module of these functions, with `memory` and `cabi_realloc`.
pub(super) fn module(functions: &[Body]) -> Vec<u8> {
    let mut image = Image::default();
    let mut types = TypeSection::new();
    let mut declared = FunctionSection::new();
    let mut exports = ExportSection::new();
    let mut code = CodeSection::new();

    types.ty().function([ValType::I32; 4], [ValType::I32]);
    declared.function(0);
    code.function(&realloc());
    exports.export("memory", ExportKind::Memory, 0);
    exports.export("cabi_realloc", ExportKind::Func, REALLOC);
    for (index, function) in (REALLOC + 1..).zip(functions) {
        let parameters: Vec<ValType> = function.parameters.iter().flat_map(flat).collect();
        let in_memory = parameters.len() > FLAT_PARAMETERS_MAX;
        let parameters = if in_memory { vec![ValType::I32] } else { parameters };
        let result = function.result.as_ref().map(flat).unwrap_or_default();
        let result = if result.len() > FLAT_RESULTS_MAX { vec![ValType::I32] } else { result };
        types.ty().function(parameters, result);
        declared.function(index);
        exports.export(&function.export, ExportKind::Func, index);
        code.function(&body(function, in_memory, &mut image));
    }

    let image = image.into_bytes();
    let end = START + u32::try_from(image.len()).expect("an image is small");
    let mut memories = MemorySection::new();
    memories.memory(MemoryType {
        minimum: u64::from(end.div_ceil(PAGE_BYTES)),
        maximum: None,
        memory64: false,
        shared: false,
        page_size_log2: None,
    });
    let mut globals = GlobalSection::new();
    let free = GlobalType { val_type: ValType::I32, mutable: true, shared: false };
    globals.global(free, &ConstExpr::i32_const(signed(aligned(end, 8))));
    let mut data = DataSection::new();
    data.active(0, &ConstExpr::i32_const(signed(START)), image);

    let mut module = Module::new();
    module
        .section(&types)
        .section(&declared)
        .section(&memories)
        .section(&globals)
        .section(&exports)
        .section(&code)
        .section(&data);
    module.finish()
}

/// An address or an offset, as a constant has it.
fn signed(address: u32) -> i32 {
    i32::try_from(address).expect("a module is small")
}

fn body(function: &Body, in_memory: bool, image: &mut Image) -> Function {
    let mut code = Function::new([]);
    match (&function.gives, &function.result) {
        (Gives::Nothing, None) => {}
        (Gives::Trap, _) => {
            code.instruction(&Instruction::Unreachable);
        }
        (Gives::Value(value), Some(ty)) => {
            code.instruction(&Instruction::I32Const(signed(image.put(ty, value))));
            give(&mut code, ty, 0);
        }
        (Gives::Parameter(index), Some(ty)) => {
            assert!(in_memory, "{}: a parameter is given back from memory", function.export);
            assert_eq!(&function.parameters[*index], ty);
            code.instruction(&Instruction::LocalGet(0));
            give(&mut code, ty, offsets(&function.parameters)[*index]);
        }
        (gives, result) => panic!("{}: {gives:?} is not {result:?}", function.export),
    }
    code.instruction(&Instruction::End);
    code
}

/// Gives the value that is `offset` bytes after the address on the stack: as the one core value
/// that it is, or as its address.
fn give(code: &mut Function, ty: &Ty, offset: u32) {
    if flat(ty).len() <= FLAT_RESULTS_MAX {
        code.instruction(&load(ty, offset));
    } else {
        code.instruction(&Instruction::I32Const(signed(offset)));
        code.instruction(&Instruction::I32Add);
    }
}

/// Loads the one core value that a value of the type is.
fn load(ty: &Ty, offset: u32) -> Instruction<'static> {
    let at = |align| MemArg { offset: u64::from(offset), align, memory_index: 0 };
    match ty {
        Ty::Integer(integer) => match (integer.is_signed, integer.bytes) {
            (true, 1) => Instruction::I32Load8S(at(0)),
            (false, 1) => Instruction::I32Load8U(at(0)),
            (true, 2) => Instruction::I32Load16S(at(1)),
            (false, 2) => Instruction::I32Load16U(at(1)),
            (_, 4) => Instruction::I32Load(at(2)),
            _ => Instruction::I64Load(at(3)),
        },
        Ty::F32 => Instruction::F32Load(at(2)),
        Ty::F64 => Instruction::F64Load(at(3)),
        Ty::Bool => Instruction::I32Load8U(at(0)),
        Ty::Char => Instruction::I32Load(at(2)),
        Ty::Flags(..) => unsigned(Layout::of(ty).size, offset),
        Ty::Variant(..) | Ty::Enum(..) | Ty::Result(..) => {
            unsigned(tag_bytes(cases(ty).len()), offset)
        }
        Ty::Tuple(types) => load(&types[0], offset),
        Ty::Record(_, fields) => load(&fields[0].1, offset),
        Ty::String | Ty::List(_) | Ty::Map(..) | Ty::Option(_) => panic!("{ty:?} is two values"),
    }
}

fn unsigned(bytes: u32, offset: u32) -> Instruction<'static> {
    let at = |align| MemArg { offset: u64::from(offset), align, memory_index: 0 };
    match bytes {
        1 => Instruction::I32Load8U(at(0)),
        2 => Instruction::I32Load16U(at(1)),
        _ => Instruction::I32Load(at(2)),
    }
}

/// `(old, old size, align, new size) -> address`, from memory that is never given back.
fn realloc() -> Function {
    const OLD: u32 = 0;
    const OLD_SIZE: u32 = 1;
    const ALIGN: u32 = 2;
    const NEW_SIZE: u32 = 3;
    const NEW: u32 = 4;
    const PAGES: u32 = 5;
    let mut code = Function::new([(2, ValType::I32)]);
    for instruction in [
        // new = (free + align - 1) & -align
        Instruction::GlobalGet(0),
        Instruction::LocalGet(ALIGN),
        Instruction::I32Add,
        Instruction::I32Const(1),
        Instruction::I32Sub,
        Instruction::I32Const(0),
        Instruction::LocalGet(ALIGN),
        Instruction::I32Sub,
        Instruction::I32And,
        Instruction::LocalTee(NEW),
        // free = new + new size
        Instruction::LocalGet(NEW_SIZE),
        Instruction::I32Add,
        Instruction::GlobalSet(0),
        // pages = how many there must be, less how many there are
        Instruction::GlobalGet(0),
        Instruction::I32Const(16),
        Instruction::I32ShrU,
        Instruction::I32Const(1),
        Instruction::I32Add,
        Instruction::MemorySize(0),
        Instruction::I32Sub,
        Instruction::LocalTee(PAGES),
        Instruction::I32Const(0),
        Instruction::I32GtS,
        Instruction::If(BlockType::Empty),
        Instruction::LocalGet(PAGES),
        Instruction::MemoryGrow(0),
        Instruction::I32Const(-1),
        Instruction::I32Eq,
        Instruction::If(BlockType::Empty),
        Instruction::Unreachable,
        Instruction::End,
        Instruction::End,
        Instruction::LocalGet(NEW),
        Instruction::LocalGet(OLD),
        Instruction::LocalGet(OLD_SIZE),
        Instruction::MemoryCopy { src_mem: 0, dst_mem: 0 },
        Instruction::LocalGet(NEW),
        Instruction::End,
    ] {
        code.instruction(&instruction);
    }
    code
}
