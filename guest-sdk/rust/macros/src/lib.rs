//! The `#[tool]` macro of `portcullis-guest`, which documents and re-exports it.
#![deny(missing_docs)]

mod adapters;
mod constraint;
mod docs;
mod expand;
mod function;
mod literal;
mod options;
mod parameter;
mod primitive;

use proc_macro::TokenStream;

/// Makes a tool of a function.
///
/// The function itself stays as it is, to be called and tested as any other. Its doc comment is
/// the tool's description, its parameters are the input schema, and its return type is the
/// output schema. It stands in a module, by itself: not in an `impl` or a `trait`.
///
/// # Options
/// `#[tool(name = "…", title = "…", read_only, …)]`:
///
/// | option | says |
/// |---|---|
/// | `name = "…"` | the published name; otherwise it is the function's |
/// | `title = "…"` | a name for people |
/// | `read_only` | the tool changes nothing |
/// | `destructive` | it may destroy or overwrite something |
/// | `idempotent` | the same call again changes nothing more |
/// | `open_world` | it deals with things outside of a closed world, such as the web |
/// | `content_only` | it has no output schema: what it returns is for reading alone |
/// | `own_content` | it returns a `Full` with content of its own beside the typed value |
///
/// The four hints can be denied too (`destructive = false`); what is not said is not published.
///
/// # Parameters
/// A parameter's doc comment is its description. These attributes say more:
///
/// | attribute | says |
/// |---|---|
/// | `#[default(expression)]` | the argument may be left out; the default is published |
/// | `#[default]` | the same, with the type's own default |
/// | `#[range(1..=14)]` | the least and the greatest number; either end may be open |
/// | `#[length(1..=80)]` | how long a string, a list or a map is; `#[length(5)]` is exact |
/// | `#[pattern("^[a-z]+$")]` | a regular expression that is found in the string |
/// | `#[title("…")]` | a name for people |
/// | `#[rename("…")]` | the published name, where Rust cannot spell it |
///
/// A parameter of type `Option` may be left out. One that is named as a keyword (`r#type`) is
/// published without `r#`, one with an underscore in front (`_city`) without that. A parameter of
/// type `&Call` gets the facts of the call and is not published.
#[proc_macro_attribute]
pub fn tool(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::tool(options.into(), item.into()).into()
}
