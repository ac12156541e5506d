//! What a component has beside tools: resources, templates of them, and prompts.
//!
//! What is here keeps the rules for names and texts; what does not was left out, with a reason.

use serde_json::{Map, Value, json};

use super::descriptor::{check_name, check_text, shown_name};
use super::load::fold;
use super::outcome::Notes;
use super::uri_template::UriTemplate;
use super::{Refusal, descriptor};
use crate::config::ComponentConfig;
use crate::present::{Annotations, clean, marks};
use crate::schema::Bounds;

/// Resources, templates and prompts that one component may have, of each.
const EACH_MAX: usize = 1000;
/// Parameters of a prompt.
const PARAMETERS_MAX: usize = 100;
/// Schemes of what runs where it is opened.
const ACTIVE_SCHEMES: [&str; 4] = ["javascript", "vbscript", "data", "blob"];

/// What a component has beside tools.
#[derive(Debug, Default)]
pub(crate) struct Surface {
    pub(crate) resources: Vec<Resource>,
    pub(crate) templates: Vec<Template>,
    pub(crate) prompts: Vec<Prompt>,
    /// The schemes of its resources and templates.
    pub(crate) schemes: Vec<String>,
    /// Whether it suggests values.
    pub(crate) completes: bool,
}

/// A resource, or what is common to those of a template.
#[derive(Clone, Debug)]
pub(crate) struct Resource {
    /// Its URI, or the template.
    pub(crate) uri: String,
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) mime_type: Option<String>,
    /// In bytes; a template has none.
    pub(crate) size: Option<u64>,
    pub(crate) annotations: Option<Annotations>,
}

/// A family of resources.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    pub(crate) words: Resource,
    pub(crate) pattern: UriTemplate,
}

/// A prompt.
#[derive(Clone, Debug)]
pub(crate) struct Prompt {
    /// The component's name for it.
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) parameters: Vec<Parameter>,
}

/// A parameter of a prompt.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) required: bool,
}

/// What a component says that it has, not yet checked.
#[derive(Debug, Default)]
pub(crate) struct SurfaceSaid {
    pub(crate) resources: Vec<ResourceSaid>,
    /// The URI is a template.
    pub(crate) templates: Vec<ResourceSaid>,
    pub(crate) prompts: Vec<Prompt>,
    pub(crate) completes: bool,
}

/// As [`Resource`].
#[derive(Debug)]
pub(crate) struct ResourceSaid {
    pub(crate) uri: String,
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) mime_type: Option<String>,
    pub(crate) size: Option<u64>,
    pub(crate) notes: Option<Notes>,
}

/// All that a component says of itself, as a lock keeps it: of each that has a name of its own.
#[derive(Debug, Default, PartialEq)]
pub struct Definitions {
    /// Its tools, whether they are served or not.
    pub tools: Vec<Value>,
    /// Its resources.
    pub resources: Vec<Value>,
    /// Its templates.
    pub templates: Vec<Value>,
    /// Its prompts.
    pub prompts: Vec<Value>,
}

impl SurfaceSaid {
    /// Checks each part by itself; what is not in order is left out.
    ///
    /// # Errors
    /// When there is more than one component may have.
    pub(crate) fn check(
        self,
        named: &ComponentConfig,
        bounds: &Bounds,
    ) -> Result<(Surface, Vec<Refusal>), String> {
        for (what, count) in [
            ("resources", self.resources.len()),
            ("templates", self.templates.len()),
            ("prompts", self.prompts.len()),
        ] {
            if count > EACH_MAX {
                return Err(format!("it has {count} {what}, more than {EACH_MAX}"));
            }
        }
        let mut surface = Surface { completes: self.completes, ..Surface::default() };
        let mut refused = Vec::new();
        for said in self.resources {
            let (shown, checked) = (shown(&said.uri), resource(said, bounds));
            let is_there = |made: &Resource| surface.resources.iter().any(|it| it.uri == made.uri);
            match checked {
                Ok(made) if is_there(&made) => refused.push(twice("resource", shown)),
                Ok(made) => surface.resources.push(made),
                Err(reason) => refused.push(left_out("resource", shown, reason)),
            }
        }
        for said in self.templates {
            let (shown, checked) = (shown(&said.uri), template(said, bounds));
            let is_there = |made: &Template| {
                surface.templates.iter().any(|it| it.pattern.is_same(&made.pattern))
            };
            match checked {
                Ok(made) if is_there(&made) => refused.push(twice("template", shown)),
                Ok(made) => surface.templates.push(made),
                Err(reason) => refused.push(left_out("template", shown, reason)),
            }
        }
        for prompt in self.prompts {
            let (shown, checked) = (shown_name(&prompt.name), prompt.check(named, bounds));
            let is_there =
                |made: &Prompt| surface.prompts.iter().any(|it| fold(&it.name) == fold(&made.name));
            match checked {
                Ok(made) if is_there(&made) => refused.push(twice("prompt", shown)),
                Ok(made) => surface.prompts.push(made),
                Err(reason) => refused.push(left_out("prompt", shown, reason)),
            }
        }
        let resources = surface.resources.iter().filter_map(|it| it.uri.split(':').next());
        let templates = surface.templates.iter().map(|it| it.pattern.scheme());
        let mut schemes: Vec<String> =
            resources.chain(templates).map(str::to_ascii_lowercase).collect();
        schemes.sort();
        schemes.dedup();
        surface.schemes = schemes;
        Ok((surface, refused))
    }

    /// What it says, as a lock keeps it.
    pub(super) fn definitions(&self, tools: Vec<Value>) -> Definitions {
        Definitions {
            tools,
            resources: alone(self.resources.iter().map(|it| it.definition("uri")), "uri"),
            templates: alone(
                self.templates.iter().map(|it| it.definition("uriTemplate")),
                "uriTemplate",
            ),
            prompts: alone(self.prompts.iter().map(Prompt::definition), "name"),
        }
    }
}

/// The definitions whose value of `key` no other has, and that is short enough to be served.
fn alone(definitions: impl Iterator<Item = Value>, key: &str) -> Vec<Value> {
    let definitions: Vec<Value> = definitions.collect();
    let count = |name: &Value| definitions.iter().filter(|other| other[key] == *name).count();
    let is_short =
        |name: &Value| name.as_str().is_some_and(|name| name.len() <= marks::URI_BYTES_MAX);
    let named = definitions.iter().filter(|it| is_short(&it[key]) && count(&it[key]) == 1);
    named.cloned().collect()
}

fn shown(uri: &str) -> String {
    clean::bounded(&uri.replace(['\n', '\t'], " "), 120)
}

fn left_out(kind: &str, name: String, reason: String) -> Refusal {
    Refusal { tool: format!("{kind} {name}"), reason }
}

fn twice(kind: &str, name: String) -> Refusal {
    left_out(kind, name, "the component has it twice".to_owned())
}

fn resource(said: ResourceSaid, bounds: &Bounds) -> Result<Resource, String> {
    let parsed = marks::uri(&said.uri)?;
    passive(parsed.scheme())?;
    said.words(bounds)
}

fn template(said: ResourceSaid, bounds: &Bounds) -> Result<Template, String> {
    let pattern = UriTemplate::parse(&said.uri)?;
    passive(&pattern.scheme().to_ascii_lowercase())?;
    Ok(Template { words: said.words(bounds)?, pattern })
}

fn passive(scheme: &str) -> Result<(), String> {
    match ACTIVE_SCHEMES.contains(&scheme) {
        true => Err(format!("a resource cannot have the scheme `{scheme}`; use one of its own")),
        false => Ok(()),
    }
}

impl ResourceSaid {
    fn words(self, bounds: &Bounds) -> Result<Resource, String> {
        if self.name.is_empty() {
            return Err("it has no name".to_owned());
        }
        check_text("name", Some(&self.name), bounds)?;
        check_text("title", self.title.as_deref(), bounds)?;
        check_text("description", self.description.as_deref(), bounds)?;
        Ok(Resource {
            uri: self.uri,
            name: self.name,
            title: self.title,
            description: self.description,
            mime_type: self.mime_type.as_deref().map(marks::mime_type).transpose()?,
            size: self.size,
            annotations: self.notes.map(marks::annotations).transpose()?,
        })
    }

    fn definition(&self, key: &str) -> Value {
        let notes = self.notes.as_ref().map(|notes| {
            let mut audience = Vec::new();
            audience.extend(notes.user.then_some("user"));
            audience.extend(notes.assistant.then_some("assistant"));
            json!({
                "audience": audience,
                "priority": notes.priority,
                "lastModified": notes.last_modified,
            })
        });
        let fields = [
            (key, Some(self.uri.clone().into())),
            ("name", Some(self.name.clone().into())),
            ("title", self.title.clone().map(Value::String)),
            ("description", self.description.clone().map(Value::String)),
            ("mimeType", self.mime_type.clone().map(Value::String)),
            ("size", self.size.map(Value::from)),
            ("annotations", notes),
        ];
        object(fields)
    }
}

impl Prompt {
    fn check(self, named: &ComponentConfig, bounds: &Bounds) -> Result<Self, String> {
        check_name("prompt", &named.published(&self.name))?;
        check_text("title", self.title.as_deref(), bounds)?;
        check_text("description", self.description.as_deref(), bounds)?;
        if self.parameters.len() > PARAMETERS_MAX {
            let count = self.parameters.len();
            return Err(format!("it has {count} parameters, more than {PARAMETERS_MAX}"));
        }
        for (index, parameter) in self.parameters.iter().enumerate() {
            let name = descriptor::shown_name(&parameter.name);
            if parameter.name.is_empty() || parameter.name.len() > descriptor::NAME_CHARS_MAX {
                return Err(format!("its parameter `{name}` has not 1 to 64 bytes of name"));
            }
            if self.parameters[..index].iter().any(|it| it.name == parameter.name) {
                return Err(format!("it has the parameter `{name}` twice"));
            }
            let of = |what: &str| format!("parameter `{name}`'s {what}");
            check_text(&of("name"), Some(&parameter.name), bounds)?;
            check_text(&of("title"), parameter.title.as_deref(), bounds)?;
            check_text(&of("description"), parameter.description.as_deref(), bounds)?;
        }
        Ok(self)
    }

    /// Arguments, each under the name of a parameter, with every one that is required.
    ///
    /// # Errors
    /// What is wrong with them.
    pub(crate) fn arguments(
        &self,
        given: Map<String, Value>,
    ) -> Result<Vec<(String, String)>, String> {
        let known = || {
            let names: Vec<&str> = self.parameters.iter().map(|it| it.name.as_str()).collect();
            match names.is_empty() {
                true => "it takes none".to_owned(),
                false => format!("it takes {}", clean::bounded(&names.join(", "), 300)),
            }
        };
        let mut arguments = Vec::with_capacity(given.len());
        for (name, value) in given {
            let shown = clean::bounded(&name, 80);
            if !self.parameters.iter().any(|it| it.name == name) {
                return Err(format!("unknown argument `{shown}`; {}", known()));
            }
            let Value::String(value) = value else {
                return Err(format!("the argument `{shown}` is no string"));
            };
            arguments.push((name, value));
        }
        let is_given = |it: &&Parameter| arguments.iter().any(|(name, _)| *name == it.name);
        match self.parameters.iter().filter(|it| it.required).find(|it| !is_given(it)) {
            Some(missing) => Err(format!("the argument `{}` is missing", missing.name)),
            None => Ok(arguments),
        }
    }

    fn definition(&self) -> Value {
        let parameter = |it: &Parameter| {
            object([
                ("name", Some(it.name.clone().into())),
                ("title", it.title.clone().map(Value::String)),
                ("description", it.description.clone().map(Value::String)),
                ("required", Some(it.required.into())),
            ])
        };
        object([
            ("name", Some(self.name.clone().into())),
            ("title", self.title.clone().map(Value::String)),
            ("description", self.description.clone().map(Value::String)),
            ("arguments", Some(self.parameters.iter().map(parameter).collect())),
        ])
    }
}

fn object<const N: usize>(fields: [(&str, Option<Value>); N]) -> Value {
    let said = fields.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
    Value::Object(said.collect::<Map<_, _>>())
}
