//! Typed exports: what a component's functions take and give, as schemas and as JSON.
//!
//! Everything here is pure. Schemas, arguments and results all go by one [`Type`], so what is
//! published and what is written cannot disagree.

mod annotate;
mod cases;
mod convert;
mod decode;
mod definitions;
mod docs;
mod encode;
mod function;
mod keys;
mod members;
mod names;
mod notes;
mod overlaid;
mod overlay;
mod parts;
mod publish;
mod read;
mod refused;
mod scalars;
mod sections;
mod size;
mod types;
mod value;
mod write;
mod writer;

#[cfg(test)]
mod laws;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

pub use decode::{decode, decode_arguments};
pub use encode::{Returned, Unpublishable, encode, encode_returned};
pub use function::{Export, Function, Returns};
pub use notes::{Constraints, Notes};
pub use overlay::{Annotation, FunctionOverlay, Overlay, OverlayFault, TypeOverlay};
pub use publish::{input_schema, output_schema};
pub use read::{LeftOut, Read, RefusedFunction, read, read_world};
pub use refused::Refused;
pub use types::{
    Alias, Case, Definition, Either, Entry, Field, Integer, Label, Named, Type, Written,
};
pub use value::Value;

/// Levels of types within types, aliases aside.
pub const TYPE_DEPTH_MAX: usize = 32;
/// Cases of a variant, an enum or flags.
pub const CASES_MAX: usize = 256;
/// Fields of a record, elements of a tuple, parameters of a function.
pub const FIELDS_MAX: usize = 256;
/// Functions of a component that are tools.
pub const FUNCTIONS_MAX: usize = 1000;
/// Schemas that a function's arguments, or its result, may need.
pub const SCHEMAS_MAX: usize = 4096;
/// Bytes of a name in WIT.
pub const NAME_BYTES_MAX: usize = 256;
/// Bytes of the docs of one item; what is longer is cut.
pub const DOCS_BYTES_MAX: usize = 4 << 10;
/// Bytes of a `package-docs` section.
pub const DOCS_SECTION_BYTES_MAX: usize = 1 << 20;
