//! Why a component does not load, and what to do about it.
//!
//! Each text is one line; what a guest said in it is cleaned and bounded.

use crate::pack::BadSection;

/// Why a component does not load. The text goes on from "cannot load `PATH`: ".
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file cannot be read.
    #[error("{0}; name a component (.wasm) that can be read")]
    Unreadable(std::io::Error),
    /// It is larger than the operator allows.
    #[error(
        "it has more than `component_bytes_max` = {bytes_max} bytes; raise the limit if you \
         trust it"
    )]
    TooLarge {
        /// The limit.
        bytes_max: u64,
    },
    /// It is not WebAssembly in binary form.
    #[error("it is not a WebAssembly binary; name a component (.wasm) or a directory of them")]
    NotWasm,
    /// It is a module and no component.
    #[error(
        "it is a core WebAssembly module, not a component; build it for wasm32-wasip2, or make \
         a component of it with `wasm-tools component new`"
    )]
    CoreModule,
    /// It does not compile.
    #[error("it does not compile: {0}; build it again")]
    Compile(String),
    /// Compiling it takes longer than the operator allows.
    #[error(
        "it could not be compiled within `compile_deadline_ms` = {deadline_ms} ms; raise the limit \
         if you trust it"
    )]
    CompileDeadline {
        /// The limit.
        deadline_ms: u128,
    },
    /// Compiling it takes more memory than the operator allows.
    #[error(
        "it could not be compiled within `compile_memory_bytes_max` = {bytes_max} bytes; raise the \
         limit if you trust it"
    )]
    CompileMemory {
        /// The limit.
        bytes_max: u64,
    },
    /// The compiler has a fault that it meets.
    #[error("the compiler stopped at it: {0}; this is a fault of the host's compiler, report it")]
    CompilerStopped(String),
    /// The process that compiles does not run.
    #[error("the process that compiles it does not run: {0}; let this program start processes")]
    NoCompiler(std::io::Error),
    /// It imports something that the host does not have.
    #[error("it cannot be linked: {0}; the host offers WASI 0.2 and portcullis:guest@0.1.0")]
    Link(String),
    /// Its exported functions cannot be read as tools.
    #[error("{0}")]
    Types(String),
    /// What `portcullis pack` put into it is no good.
    #[error(transparent)]
    Descriptor(#[from] BadSection),
    /// It exports no tools.
    #[error(
        "it exports no tools; a component of tools exports functions, or the interface \
         `portcullis:guest/tools@0.1.0` (it exports {0})"
    )]
    NoTools(String),
    /// It exports our interface in a form that is not ours.
    #[error("its `portcullis:guest` is not of version 0.1.0 as published: {0}; rebuild it")]
    OtherInterface(String),
    /// Others run, and it could not describe itself.
    #[error("too many others run; try again")]
    NoRoom,
    /// It could not describe itself.
    #[error("it did not describe itself: {0}")]
    Describe(String),
}

impl LoadError {
    /// Whether the same bytes may load at another moment.
    pub(crate) fn is_of_the_moment(&self) -> bool {
        matches!(self, Self::Unreadable(_) | Self::NoCompiler(_) | Self::NoRoom)
    }
}
