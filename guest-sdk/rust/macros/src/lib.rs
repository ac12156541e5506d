//! The macros of `portcullis-guest`, which documents and re-exports them.
#![deny(missing_docs)]

mod adapters;
mod beside;
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
/// | `extend = "…"` | keywords of the input schema beside those that follow from the parameters, as a JSON object: `r#"{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}"#` |
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
/// | `#[header("Region")]` | over HTTP, clients send the argument as `Mcp-Param-Region` as well, for proxies; of a string, an integer or a boolean, or an option of one |
///
/// A parameter of type `Option` may be left out. One that is named as a keyword (`r#type`) is
/// published without `r#`, one with an underscore in front (`_city`) without that. A parameter of
/// type `&Call` gets the facts of the call and is not published.
#[proc_macro_attribute]
pub fn tool(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::tool(options.into(), item.into()).into()
}

/// Makes a resource of a function, or a family of resources.
///
/// Its doc comment is the description. With the feature `resources`.
///
/// ```ignore
/// /// What was written today.
/// #[resource(uri = "notes://today", mime_type = "text/plain")]
/// fn today() -> String {
///     "Nothing yet.".to_owned()
/// }
///
/// /// What was written on some day.
/// #[resource(uri = "notes://{year}/{day}", mime_type = "text/plain")]
/// fn on(year: u16, day: u16) -> Result<String> {
///     Err(Error::not_found(format!("nothing was written on day {day} of {year}")))
/// }
/// ```
///
/// # Options
/// `uri` is an absolute URI, or a template of URIs (RFC 6570, level 1), each variable of which is a
/// parameter of any type that is read from text. `name` is otherwise the function's; `title` is a
/// name for people; `mime_type` that of what the function returns: a `String`, a `Vec<u8>`, or one or
/// several `Embedded`, which say it themselves.
#[proc_macro_attribute]
pub fn resource(options: TokenStream, item: TokenStream) -> TokenStream {
    beside::resource(options.into(), item.into()).into()
}

/// Makes a prompt of a function: messages that a user picks to start from.
///
/// Its doc comment is the description; each parameter, with its own, an argument of the prompt, of
/// any type that is read from text. An `Option` may be left out. With the feature `prompts`.
///
/// ```ignore
/// /// Asks for a review.
/// #[prompt(title = "Review")]
/// fn review(
///     /// What to review.
///     code: String,
///     language: Option<String>,
/// ) -> String {
///     format!("Review this {} code:\n{code}", language.unwrap_or_default())
/// }
/// ```
///
/// It returns a `String`, a `Message`, or a `Vec<Message>`.
#[proc_macro_attribute]
pub fn prompt(options: TokenStream, item: TokenStream) -> TokenStream {
    beside::prompt(options.into(), item.into()).into()
}

/// Suggests values for an argument of a prompt, or for a variable of a template, while a user types.
/// With the feature `completion`.
///
/// ```ignore
/// #[complete(prompt = "review", argument = "language")]
/// fn languages(typed: String) -> Vec<&'static str> {
///     ["python", "rust"].into_iter().filter(|it| it.starts_with(&typed)).collect()
/// }
/// ```
///
/// A parameter of type `&Typing` knows the other arguments as well. Of more than 100 values, the
/// first 100 are given.
#[proc_macro_attribute]
pub fn complete(options: TokenStream, item: TokenStream) -> TokenStream {
    beside::complete(options.into(), item.into()).into()
}

/// Stands for `resource` where its feature is missing.
#[doc(hidden)]
#[proc_macro_attribute]
pub fn resource_without_feature(_: TokenStream, item: TokenStream) -> TokenStream {
    beside::without_feature("resource", "resources", &item.into()).into()
}

/// Stands for `prompt` where its feature is missing.
#[doc(hidden)]
#[proc_macro_attribute]
pub fn prompt_without_feature(_: TokenStream, item: TokenStream) -> TokenStream {
    beside::without_feature("prompt", "prompts", &item.into()).into()
}

/// Stands for `complete` where its feature is missing.
#[doc(hidden)]
#[proc_macro_attribute]
pub fn complete_without_feature(_: TokenStream, item: TokenStream) -> TokenStream {
    beside::without_feature("complete", "completion", &item.into()).into()
}
