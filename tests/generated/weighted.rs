//! Components that take long to compile, or much memory.

use wasm_encoder::{
    BlockType, CodeSection, DataSection, Encode as _, Function, FunctionSection, Instruction,
    Module, TypeSection, ValType,
};

/// `component` with a module more in it, which is never used and takes long to compile.
pub(crate) fn weighted(component: &[u8], functions: u32, steps: u32) -> Vec<u8> {
    let mut types = TypeSection::new();
    types.ty().function([ValType::I64], [ValType::I64]);
    let (mut declared, mut code) = (FunctionSection::new(), CodeSection::new());
    for _ in 0..functions {
        declared.function(0);
        code.function(&long(steps / functions));
    }
    let mut module = Module::new();
    module.section(&types).section(&declared).section(&code);
    with_module(component, module)
}

/// `component` with a module more in it, which is never used and has so many bytes of data.
pub(crate) fn with_data(component: &[u8], bytes: usize) -> Vec<u8> {
    let mut data = DataSection::new();
    data.passive(std::iter::repeat_n(b'd', bytes));
    let mut module = Module::new();
    module.section(&data);
    with_module(component, module)
}

fn with_module(component: &[u8], module: Module) -> Vec<u8> {
    // The section of a component that holds a module, which needs no more than its length.
    let mut component = [component, &[1]].concat();
    module.finish().as_slice().encode(&mut component);
    component
}

/// A function whose every step may branch, with values that live to its end.
fn long(steps: u32) -> Function {
    const LOCALS: u32 = 64;
    let mut function = Function::new([(LOCALS, ValType::I64)]);
    for step in 0..steps {
        function
            .instruction(&Instruction::Block(BlockType::Empty))
            .instruction(&Instruction::LocalGet(step % LOCALS))
            .instruction(&Instruction::LocalGet((step * 7 + 1) % LOCALS))
            .instruction(&Instruction::I64Mul)
            .instruction(&Instruction::LocalTee((step * 3 + 2) % LOCALS))
            .instruction(&Instruction::I64Eqz)
            .instruction(&Instruction::BrIf(0))
            .instruction(&Instruction::LocalGet((step * 5 + 3) % LOCALS))
            .instruction(&Instruction::LocalSet(step % LOCALS))
            .instruction(&Instruction::End);
    }
    function.instruction(&Instruction::LocalGet(0)).instruction(&Instruction::End);
    function
}
