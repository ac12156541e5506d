//! What the component says about itself.

use serde_json::Value;

use crate::docs;
use crate::output::Contract;
use crate::prompt::{self, Prompt};
use crate::read::{self, Resource};
use crate::registry::{self, Hints, Package, Place, Tool};
use crate::requires;
use crate::schema::inputs::Inputs;

/// What a component is.
pub(crate) struct Component {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) requires: requires::All,
    pub(crate) tools: Vec<Descriptor>,
}

/// One tool.
pub(crate) struct Descriptor {
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) input_schema: Value,
    pub(crate) contract: Contract,
    pub(crate) hints: Hints,
    pub(crate) own_content: bool,
}

/// The component's description, or what is wrong with it.
pub(crate) fn component() -> Result<Component, String> {
    let tools = registry::tools();
    let package = package(&tools)?;
    distinct(&tools)?;
    let descriptors = tools.iter().map(|tool| descriptor(tool));
    Ok(Component {
        name: package.name.to_owned(),
        version: package.version.to_owned(),
        requires: requires::all(),
        tools: descriptors.collect::<Result<_, _>>()?,
    })
}

fn package(tools: &[&Tool]) -> Result<Package, String> {
    let Some(first) = tools.first() else {
        let others = read::resources().first().map(|it| it.package);
        let others = others.or_else(|| prompt::prompts().first().map(|it| it.package));
        let nothing = "there is no tool: write `#[tool]` on a function";
        return others.ok_or_else(|| nothing.to_owned());
    };
    match tools.iter().find(|tool| tool.package != first.package) {
        Some(other) => Err(format!(
            "tool `{}` is of crate {} and tool `{}` of crate {}: a component is one crate",
            first.name, first.package.name, other.name, other.package.name,
        )),
        None => Ok(first.package),
    }
}

/// The resources.
#[cfg_attr(not(all(target_arch = "wasm32", feature = "resources")), allow(dead_code))]
pub(crate) fn resources() -> Result<Vec<&'static Resource>, String> {
    let resources = read::resources();
    for (index, it) in resources.iter().enumerate() {
        if let Some(earlier) = resources[..index].iter().find(|other| other.uri == it.uri) {
            return Err(twice("resources", it.uri, earlier.place, it.place));
        }
    }
    Ok(resources)
}

/// The prompts.
#[cfg_attr(not(all(target_arch = "wasm32", feature = "prompts")), allow(dead_code))]
pub(crate) fn prompts() -> Result<Vec<&'static Prompt>, String> {
    let prompts = prompt::prompts();
    for (index, it) in prompts.iter().enumerate() {
        let same = |other: &&&Prompt| other.name.eq_ignore_ascii_case(it.name);
        if let Some(earlier) = prompts[..index].iter().find(same) {
            return Err(twice("prompts", it.name, earlier.place, it.place));
        }
    }
    Ok(prompts)
}

fn twice(what: &str, name: &str, one: Place, other: Place) -> String {
    format!(
        "there are two {what} `{name}`, in {} (line {}) and in {} (line {})",
        one.module, one.line, other.module, other.line
    )
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

fn descriptor(tool: &Tool) -> Result<Descriptor, String> {
    let mut inputs = Inputs::new();
    let input_schema = (tool.parameters)(&mut inputs)
        .and_then(|()| inputs.finish(tool.extend))
        .map_err(|error| format!("tool `{}`: {error}", tool.name))?;
    Ok(Descriptor {
        name: tool.name.to_owned(),
        title: tool.title.map(str::to_owned),
        description: docs::text(tool.docs),
        input_schema,
        contract: (tool.contract)(),
        hints: tool.hints,
        own_content: tool.own_content,
    })
}
