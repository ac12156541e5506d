//! The limits of a call, with their defaults and bounds.
//!
//! Every limit has its unit last in its name and none can be switched off.

/// The most bytes that a component's file may have, unless the operator says otherwise.
pub(super) const COMPONENT_BYTES_MAX: u64 = 64 << 20;

/// What one call may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Milliseconds from the start of a call to its end, waiting and instantiation included.
    /// Default 30,000; 1 to 3,600,000.
    pub call_deadline_ms: u64,
    /// Bytes of all linear memories of a guest together. Default 128 MiB; 64 KiB to 4 GiB.
    pub memory_bytes_max: usize,
    /// Bytes of a result. Default 4 MiB; 1 KiB to 256 MiB.
    pub result_bytes_max: usize,
    /// Bytes of the arguments as JSON text. Default 1 MiB; 1 KiB to 64 MiB.
    pub argument_bytes_max: usize,
    /// Bytes of what a guest prints, and of what it logs, that are kept. Default 64 KiB;
    /// 0 to 16 MiB.
    pub log_bytes_max: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            call_deadline_ms: 30_000,
            memory_bytes_max: 128 << 20,
            result_bytes_max: 4 << 20,
            argument_bytes_max: 1 << 20,
            log_bytes_max: 64 << 10,
        }
    }
}
