//! What the component says about itself.

use crate::bindings::exports::portcullis::guest::tools as wit;
use crate::bindings::portcullis::guest::types::ClientAbilities;
use crate::docs;
use crate::output::Contract;
use crate::registry::{self, Package, Tool};
use crate::schema::inputs::Inputs;

/// The component's description, or what is wrong with it.
pub(crate) fn component() -> Result<wit::Component, String> {
    let tools = registry::tools();
    let package = package(&tools)?;
    distinct(&tools)?;
    let descriptors = tools.iter().map(|tool| descriptor(tool));
    Ok(wit::Component {
        name: package.name.to_owned(),
        version: package.version.to_owned(),
        requires: wit::Requirements {
            http: Vec::new(),
            directories: Vec::new(),
            environment: Vec::new(),
            secrets: Vec::new(),
            client: ClientAbilities::empty(),
        },
        tools: descriptors.collect::<Result<_, _>>()?,
        extensions: Vec::new(),
    })
}

fn package(tools: &[&Tool]) -> Result<Package, String> {
    let Some(first) = tools.first() else {
        return Err("there is no tool: write `#[tool]` on a function".to_owned());
    };
    match tools.iter().find(|tool| tool.package != first.package) {
        Some(other) => Err(format!(
            "tool `{}` is of crate {} and tool `{}` of crate {}: a component is one crate",
            first.name, first.package.name, other.name, other.package.name,
        )),
        None => Ok(first.package),
    }
}

fn distinct(tools: &[&Tool]) -> Result<(), String> {
    for (index, tool) in tools.iter().enumerate() {
        let same = |it: &&&Tool| it.name.eq_ignore_ascii_case(tool.name);
        if let Some(earlier) = tools[..index].iter().find(same) {
            return Err(format!(
                "two tools are named `{}`, in {} (line {}) and in {} (line {}): \
                 write `#[tool(name = \"…\")]` on one of them",
                tool.name,
                earlier.place.module,
                earlier.place.line,
                tool.place.module,
                tool.place.line,
            ));
        }
    }
    Ok(())
}

fn descriptor(tool: &Tool) -> Result<wit::Descriptor, String> {
    let mut inputs = Inputs::new();
    (tool.parameters)(&mut inputs).map_err(|error| format!("tool `{}`: {error}", tool.name))?;
    let output = match (tool.contract)() {
        Contract::Typed(schema) => wit::OutputContract::Typed(schema.to_string()),
        Contract::ContentOnly => wit::OutputContract::ContentOnly,
    };
    Ok(wit::Descriptor {
        name: tool.name.to_owned(),
        title: tool.title.map(str::to_owned),
        description: docs::text(tool.docs),
        input_schema: inputs.finish().to_string(),
        output,
        hints: wit::Hints {
            read_only: tool.hints.read_only,
            destructive: tool.hints.destructive,
            idempotent: tool.hints.idempotent,
            open_world: tool.hints.open_world,
        },
        own_content: tool.own_content,
        extensions: Vec::new(),
    })
}
