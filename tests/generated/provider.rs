//! Components that speak `portcullis:guest/tools`, made from what they are to say.

use wit_parser::Resolve;

use super::module::Gives;
use super::package::Package;
use super::types::Ty;
use super::value::Value;
use super::wave;
use crate::harness::checkout;

/// What a provider says of a tool; schemas are JSON text.
pub(crate) struct Described<'a> {
    pub(crate) name: &'a str,
    pub(crate) title: Option<&'a str>,
    pub(crate) description: &'a str,
    pub(crate) input: &'a str,
    /// None: content only.
    pub(crate) output: Option<&'a str>,
    /// Whether it claims to change nothing.
    pub(crate) read_only: bool,
    /// Whether it writes content of its own.
    pub(crate) own_content: bool,
}

/// Takes nothing.
const NO_ARGUMENTS: &str = r#"{"type":"object","properties":{}}"#;

impl<'a> Described<'a> {
    /// A tool that takes nothing and gives values of a schema.
    pub(crate) fn new(name: &'a str, output: &'a str) -> Self {
        Self {
            name,
            title: None,
            description: "A tool.",
            input: NO_ARGUMENTS,
            output: Some(output),
            read_only: false,
            own_content: false,
        }
    }

    fn wave(&self) -> String {
        let output = match self.output {
            Some(schema) => format!("typed({})", wave::quoted(schema)),
            None => "content-only".to_owned(),
        };
        let title = self.title.map(|title| format!("some({})", wave::quoted(title)));
        let read_only = if self.read_only { "some(true)" } else { "none" };
        format!(
            "{{name: {}, title: {}, description: some({}), input-schema: {}, output: {output}, \
             hints: {{read-only: {read_only}, destructive: none, idempotent: none, open-world: none}}, \
             own-content: {}, extensions: []}}",
            wave::quoted(self.name),
            title.as_deref().unwrap_or("none"),
            wave::quoted(self.description),
            wave::quoted(self.input),
            self.own_content,
        )
    }
}

/// The outcome of a value that answers to the declared schema, given as JSON text.
pub(crate) fn declared(json: &str) -> String {
    format!("ok(value({{json: {}, schema: declared}}))", wave::quoted(json))
}

/// A provider of these tools, each call of which ends in `outcome`, in WAVE.
pub(crate) fn provider(tools: &[Described<'_>], outcome: &str) -> Vec<u8> {
    provider_requiring("[]", tools, |ty| wave::parse(ty, outcome))
}

/// A provider that requires these directories, in WAVE, and gives this value for every outcome.
pub(crate) fn provider_requiring(
    directories: &str,
    tools: &[Described<'_>],
    outcome: impl Fn(&Ty) -> Value,
) -> Vec<u8> {
    let mut resolve = Resolve::default();
    let (package, _) =
        resolve.push_path(checkout().join("wit")).unwrap_or_else(|error| panic!("{error:?}"));
    let package = Package::of(resolve, package, "tool-provider");
    let tools: Vec<String> = tools.iter().map(Described::wave).collect();
    let component = format!(
        "ok({{name: \"generated\", version: \"0.1.0\", requires: {{http: [], directories: \
         {directories}, environment: [], secrets: [], client: {{}}}}, tools: [{}], extensions: []}})",
        tools.join(", ")
    );
    package.component(|function| {
        let ty = package.result(function).expect("both functions have results");
        Gives::Value(match function.name.as_str() {
            "describe" => wave::parse(&ty, &component),
            _ => outcome(&ty),
        })
    })
}
