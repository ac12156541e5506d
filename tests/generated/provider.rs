//! Components that speak `portcullis:guest/tools`, made from what they are to say.

use wit_parser::Resolve;

use super::module::Gives;
use super::package::Package;
use super::wave;
use crate::harness::checkout;

/// What a provider says of a tool; schemas are JSON text.
pub(crate) struct Described<'a> {
    pub(crate) name: &'a str,
    pub(crate) description: &'a str,
    pub(crate) input: &'a str,
    /// None: content only.
    pub(crate) output: Option<&'a str>,
}

/// Takes nothing.
const NO_ARGUMENTS: &str = r#"{"type":"object","properties":{}}"#;

impl<'a> Described<'a> {
    /// A tool that takes nothing and gives values of a schema.
    pub(crate) fn new(name: &'a str, output: &'a str) -> Self {
        Self { name, description: "A tool.", input: NO_ARGUMENTS, output: Some(output) }
    }

    fn wave(&self) -> String {
        let output = match self.output {
            Some(schema) => format!("typed({})", wave::quoted(schema)),
            None => "content-only".to_owned(),
        };
        format!(
            "{{name: {}, title: none, description: some({}), input-schema: {}, output: {output}, \
             hints: {{read-only: none, destructive: none, idempotent: none, open-world: none}}, \
             own-content: false, extensions: []}}",
            wave::quoted(self.name),
            wave::quoted(self.description),
            wave::quoted(self.input),
        )
    }
}

/// The outcome of a value that answers to the declared schema, given as JSON text.
pub(crate) fn declared(json: &str) -> String {
    format!("ok(value({{json: {}, schema: declared}}))", wave::quoted(json))
}

/// A provider of these tools, each call of which ends in `outcome`, in WAVE.
pub(crate) fn provider(tools: &[Described<'_>], outcome: &str) -> Vec<u8> {
    let mut resolve = Resolve { all_features: true, ..Resolve::default() };
    let (package, _) =
        resolve.push_path(checkout().join("wit")).unwrap_or_else(|error| panic!("{error:?}"));
    let package = Package::of(resolve, package, "tool-provider");
    let tools: Vec<String> = tools.iter().map(Described::wave).collect();
    let component = format!(
        "ok({{name: \"generated\", version: \"0.1.0\", requires: {{http: [], directories: [], \
         environment: [], secrets: [], client: {{}}}}, tools: [{}], extensions: []}})",
        tools.join(", ")
    );
    package.component(|function| {
        let ty = package.result(function).expect("both functions have results");
        let text = if function.name == "describe" { &component } else { outcome };
        Gives::Value(wave::parse(&ty, text))
    })
}
