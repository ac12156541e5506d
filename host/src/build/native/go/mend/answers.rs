//! The code of the functions that are added to a module of Go's: what is answered within it.

use wasm_encoder::{
    BlockType, ConstExpr, Function, GlobalSection, GlobalType, InstructionSink, MemArg, ValType,
};

use super::Kind;

/// `errno` of a call that went well.
const SUCCESS: i32 = 0;
/// `errno` of a call that is not there.
const ENOSYS: i32 = 52;
const ERRNO: BlockType = BlockType::Result(ValType::I32);

/// The globals that the added functions share.
#[derive(Clone, Copy)]
pub(super) struct State {
    /// The number of the first.
    pub(super) first: u32,
}

impl State {
    /// 1 while no call may leave.
    fn kept_in(self) -> u32 {
        self.first
    }

    /// 1 once Go has asked for its seed.
    fn seeded(self) -> u32 {
        self.first + 1
    }

    /// The time of day, as it was last read.
    fn day(self) -> u32 {
        self.first + 2
    }

    /// What a monotonic clock said last.
    fn monotonic(self) -> u32 {
        self.first + 3
    }

    /// Adds them, in the order of their numbers.
    pub(super) fn declare(self, globals: &mut GlobalSection) {
        let ty = |val_type| GlobalType { val_type, mutable: true, shared: false };
        for _ in [self.kept_in(), self.seeded()] {
            globals.global(ty(ValType::I32), &ConstExpr::i32_const(0));
        }
        for _ in [self.day(), self.monotonic()] {
            globals.global(ty(ValType::I64), &ConstExpr::i64_const(0));
        }
    }
}

/// A function that stands before another one of the same type.
#[derive(Debug)]
pub(super) struct Wrapper {
    pub(super) kind: Kind,
    /// The number of the function that it stands before.
    pub(super) inner: u32,
    /// The number of their type.
    pub(super) ty: u32,
    /// How many parameters they have.
    pub(super) parameters: u32,
}

impl Wrapper {
    pub(super) fn code(&self, state: State) -> Function {
        let mut function = Function::new([(1, ValType::I32)]);
        let mut code = function.instructions();
        match self.kind {
            Kind::Guarded => self.guarded(&mut code, state),
            Kind::Clock => self.clock(&mut code, state),
            Kind::Poll => self.poll(&mut code, state),
            Kind::Yield => self.yields(&mut code, state),
            Kind::Random => self.random(&mut code, state),
        }
        code.end();
        function
    }

    /// Calls the function that it stands before, with its own arguments.
    fn call(&self, code: &mut InstructionSink<'_>) {
        for parameter in 0..self.parameters {
            code.local_get(parameter);
        }
        code.call(self.inner);
    }

    fn guarded(&self, code: &mut InstructionSink<'_>, state: State) {
        code.i32_const(1).global_set(state.kept_in());
        self.call(code);
        code.i32_const(0).global_set(state.kept_in());
    }

    /// The first answer is that there is none, so Go seeds itself from its clock.
    fn random(&self, code: &mut InstructionSink<'_>, state: State) {
        code.global_get(state.seeded()).if_(ERRNO);
        self.call(code);
        code.else_().i32_const(1).global_set(state.seeded()).i32_const(ENOSYS).end();
    }

    fn yields(&self, code: &mut InstructionSink<'_>, state: State) {
        code.global_get(state.kept_in()).if_(ERRNO).i32_const(SUCCESS).else_();
        self.call(code);
        code.end();
    }

    /// While kept in, nothing has happened: `poll_oneoff(in, out, subscriptions, events)` gives 0 events.
    fn poll(&self, code: &mut InstructionSink<'_>, state: State) {
        let events = 3;
        code.global_get(state.kept_in()).if_(ERRNO);
        code.local_get(events).i32_const(0).i32_store(at(2)).i32_const(SUCCESS).else_();
        self.call(code);
        code.end();
    }

    /// While kept in, `clock_time_get(id, precision, time)` gives what that clock said last.
    /// Monotonic ones are 1 ns ahead, for Go takes 0 for a broken clock.
    fn clock(&self, code: &mut InstructionSink<'_>, state: State) {
        let [id, time, errno] = [0, 2, self.parameters];
        code.global_get(state.kept_in()).if_(ERRNO);
        code.local_get(time);
        code.global_get(state.monotonic()).global_get(state.day()).local_get(id).select();
        code.i64_store(at(3)).i32_const(SUCCESS).else_();
        self.call(code);
        code.local_set(errno).local_get(id).if_(BlockType::Empty);
        code.local_get(time)
            .local_get(time)
            .i64_load(at(3))
            .i64_const(1)
            .i64_add()
            .i64_store(at(3));
        code.local_get(time).i64_load(at(3)).global_set(state.monotonic()).else_();
        code.local_get(time).i64_load(at(3)).global_set(state.day()).end();
        code.local_get(errno).end();
    }
}

/// At the address on the stack, which is a multiple of two to the power of `align`.
fn at(align: u32) -> MemArg {
    MemArg { offset: 0, align, memory_index: 0 }
}
