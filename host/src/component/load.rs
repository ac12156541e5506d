//! Loading: header, digest, compile, link, describe, check.
//!
//! Guest code runs here once, to describe itself, with nothing granted and under the limits.

use std::collections::HashMap;
use std::sync::Arc;

use wasmtime::component::InstancePre;

use super::descriptor::{Descriptor, shown_name};
use super::provider::Description;
use super::surface::SurfaceSaid;
use super::{Adapter, Component, LoadError, Provider, Refusal, Tool, TypedExports, bytes, digest};
use crate::config::{ComponentConfig, Config, Limits};
use crate::grants::{Effective, Lack, Requires};
use crate::pack::{BadSection, Said, ToolSaid};
use crate::present::clean;
use crate::sandbox::{Ending, Guest, Imports, NotCompiled, Purpose, Sandbox, Tally, Terms};
use crate::schema::wit::{self, Function};

/// With whom a component that describes itself shares room. No component has this id.
const LOADING: &str = "(loading)";
/// Lines that a guest prints while it describes itself which the log keeps.
const LINES_MAX: usize = 100;
/// Bytes of a guest's text in an error of loading.
const SAID_BYTES_MAX: usize = 300;
/// Tools that one component may have.
const TOOLS_MAX: usize = 1000;

/// Turns `bytes` into a component that can be called.
///
/// # Errors
/// A [`LoadError`]; a fault of one tool is none, but a [`Refusal`] within the component.
pub(crate) async fn load(
    sandbox: &Sandbox,
    bytes: &[u8],
    named: &ComponentConfig,
    config: &Config,
) -> Result<Component, LoadError> {
    bytes::check_header(bytes)?;
    let digest = digest(bytes);
    let compiled = sandbox.compile(bytes, &digest).await?;
    let ty = compiled.component_type();
    let exports: Vec<String> =
        ty.exports(sandbox.engine()).map(|(name, _)| name.to_owned()).collect();
    let imports = Imports::of(&ty, sandbox.engine());
    let pre = sandbox
        .link(&compiled, &imports)
        .map_err(|error| LoadError::Link(said(&format!("{error:#}"))))?;
    let described = if exports.iter().any(|name| is_interface(name, Provider::INTERFACE)) {
        provider(sandbox, pre, &exports, named).await?
    } else {
        typed(pre, bytes, &exports, named)?
    };
    let (effective, mut lacks) =
        Effective::of(described.requires.as_ref(), &named.grants, imports.http).map_err(
            |(host, error)| {
                LoadError::Describe(format!("it requires http {:?}: {error}", said(&host)))
            },
        )?;
    lacks.extend(imports.unknown().map(|name| Lack::Import(said(name))));
    report(named, &effective, &lacks);
    let words = described.surface.definitions(definitions(&described.tools));
    let (mut tools, mut refused) = compile(described.tools, named, config)?;
    for tool in &mut tools {
        tool.hints = tool.hints.under(&effective);
    }
    refused.extend(described.refused);
    let (surface, left_out) =
        described.surface.check(named, &config.rules.bounds).map_err(LoadError::Describe)?;
    refused.extend(left_out);
    Ok(Component {
        id: named.id.as_str().into(),
        digest,
        name: clean::bounded(&described.name, 100),
        version: clean::bounded(&described.version, 100),
        imports: imports.names.iter().map(|name| said(name)).collect(),
        limits: named.limits.clone(),
        definitions: words,
        tools,
        refused,
        needs: described.requires.map(|requires| requires.client).unwrap_or_default(),
        surface,
        effective: Arc::new(effective),
        lacks,
        made: crate::loading::made(named, config),
        calls: Arc::default(),
        adapter: described.adapter,
    })
}

impl From<NotCompiled> for LoadError {
    fn from(fault: NotCompiled) -> Self {
        match fault {
            NotCompiled::Refused(why) => Self::Compile(said(&why)),
            NotCompiled::Deadline { deadline } => {
                Self::CompileDeadline { deadline_ms: deadline.as_millis() }
            }
            NotCompiled::Memory { bytes_max } => Self::CompileMemory { bytes_max },
            NotCompiled::Stopped(why) => Self::CompilerStopped(said(&why)),
            NotCompiled::NoChild(error) => Self::NoCompiler(error),
        }
    }
}

/// What both ways of being a tool come to.
struct Described {
    name: String,
    version: String,
    /// None: it does not say what it requires.
    requires: Option<Requires>,
    tools: Vec<Descriptor>,
    refused: Vec<Refusal>,
    surface: SurfaceSaid,
    adapter: Adapter,
}

async fn provider(
    sandbox: &Sandbox,
    pre: InstancePre<Guest>,
    exports: &[String],
    named: &ComponentConfig,
) -> Result<Described, LoadError> {
    let has = |interface: &str| {
        let interface = format!("portcullis:guest/{interface}");
        exports.iter().any(|name| is_interface(name, &interface))
    };
    let provider = Provider::new(pre, has)
        .map_err(|error| LoadError::OtherInterface(said(&format!("{error:#}"))))?;
    let description = describe(sandbox, &provider, &named.id, &named.limits).await?;
    Ok(Described {
        name: description.name,
        version: description.version,
        requires: Some(description.requires),
        tools: description.tools,
        refused: Vec::new(),
        surface: description.surface,
        adapter: Adapter::Provider(provider),
    })
}

fn typed(
    pre: InstancePre<Guest>,
    bytes: &[u8],
    exports: &[String],
    named: &ComponentConfig,
) -> Result<Described, LoadError> {
    let mut read = wit::read(bytes).map_err(|refused| LoadError::Types(refused.to_string()))?;
    if read.functions.is_empty() && read.refused.is_empty() {
        return Err(LoadError::NoTools(list(exports)));
    }
    if let Some(fault) = &read.docs_fault {
        tracing::warn!("component `{}`: {fault}; its tools go without", named.id);
    }
    let said = Said::read(bytes)?.unwrap_or_default();
    said.apply(&mut read).map_err(|unfit| BadSection::unfit(&unfit))?;
    read.refuse_same_names();
    let (functions, tools) = read
        .functions
        .into_iter()
        .map(|function| {
            let said = said.tool(&function);
            let descriptor = typed_descriptor(&function, &said);
            ((function, said.content_only), descriptor)
        })
        .unzip();
    let refused = read
        .refused
        .into_iter()
        .map(|function| Refusal {
            tool: shown_name(&function.wit_name),
            reason: function.reason.to_string(),
        })
        .collect();
    Ok(Described {
        name: said.component.name,
        version: said.component.version,
        requires: (said.requires.count() > 0).then_some(said.requires),
        tools,
        refused,
        surface: SurfaceSaid::default(),
        adapter: Adapter::Typed(TypedExports::new(pre, functions, &named.limits)?),
    })
}

/// What a function and its component's descriptor say of a tool.
pub(crate) fn typed_descriptor(function: &Function, said: &ToolSaid) -> Descriptor {
    let output = (!said.content_only).then(|| wit::output_schema(function).to_string());
    Descriptor {
        name: function.tool_name.clone(),
        title: said.title.clone(),
        description: function.docs.clone(),
        input: wit::input_schema(function).to_string(),
        output,
        hints: said.hints,
        own_content: false,
    }
}

/// Whether an export is the interface, in a version that may be compatible.
fn is_interface(export: &str, interface: &str) -> bool {
    export.split_once('@').is_some_and(|(name, _)| name == interface)
}

async fn describe(
    sandbox: &Sandbox,
    provider: &Provider,
    id: &str,
    limits: &Limits,
) -> Result<Description, LoadError> {
    /// A component that loops here must not hold up the start of the others for long.
    const DESCRIBE_DEADLINE_MS_MAX: u64 = 5_000;
    let mut limits = limits.clone();
    limits.call_deadline_ms = limits.call_deadline_ms.min(DESCRIBE_DEADLINE_MS_MAX);
    let enclosure = sandbox
        .enclose(
            provider.pre(),
            Terms {
                // Not in the line of its own calls, which may all be taken.
                component: &LOADING.into(),
                limits: &limits,
                effective: &Arc::default(),
                hostcall_fuel: limits.result_bytes_max,
                purpose: Purpose::Describe,
                progress: None,
                log: None,
                tally: &Tally::default(),
            },
        )
        .await
        .map_err(|_| LoadError::NoRoom)?;
    let ran = provider.describe(enclosure).await;
    for line in ran.printed.0.lines().filter(|line| !line.trim().is_empty()).take(LINES_MAX) {
        tracing::info!(component = id, "printed while it described itself: {}", said(line));
    }
    let why = match ran.ending {
        Ending::Returned(Ok(Ok(description))) => return Ok(description),
        Ending::Returned(Ok(Err(reason))) => format!("it says: {}", said(&reason)),
        Ending::Returned(Err(other)) => return Err(LoadError::OtherInterface(said(&other.0))),
        Ending::Deadline => format!("it took longer than {} ms", limits.call_deadline_ms),
        Ending::Memory => {
            format!("it needs more than {} bytes of memory", limits.memory_bytes_max)
        }
        Ending::HostMemory => "all calls together may have no more memory".to_owned(),
        Ending::TooLarge => {
            format!("its description has more than {} bytes", limits.result_bytes_max)
        }
        Ending::Exited(code) => format!("it exited with status {code}"),
        Ending::Trapped(trap) => {
            let (printed, _) = ran.printed;
            format!("it stopped: {} {}", said(&trap), said(printed.trim()))
        }
    };
    Err(LoadError::Describe(why))
}

/// Says in the log what a component needs and does not get, and what it is granted in vain.
fn report(named: &ComponentConfig, effective: &Effective, lacks: &[Lack]) {
    let id = &named.id;
    for lack in lacks {
        tracing::warn!("component `{id}` needs {}; its calls fail", lack.sentence(id));
    }
    for granted in named.grants.beyond(effective) {
        tracing::warn!("component `{id}` is granted {granted}, which it does not require");
    }
}

/// Lets `component` describe itself again. Whether it says what it said when it was loaded, which
/// is what its lock was asked about.
///
/// # Errors
/// When it does not describe itself.
pub(crate) async fn says_the_same(
    sandbox: &Sandbox,
    component: &Component,
) -> Result<bool, LoadError> {
    let Adapter::Provider(provider) = &component.adapter else { return Ok(true) };
    let again = describe(sandbox, provider, &component.id, &component.limits).await?;
    Ok(again.surface.definitions(definitions(&again.tools)) == component.definitions)
}

/// What the component says of its tools, as a lock keeps it: of each that has a name of its own.
/// Whether it is served is the config's affair as well.
fn definitions(descriptors: &[Descriptor]) -> Vec<serde_json::Value> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for descriptor in descriptors {
        *counts.entry(&descriptor.name).or_default() += 1;
    }
    let is_alone = |name: &str| counts.get(name) == Some(&1);
    let named = descriptors.iter().filter(|tool| tool.has_legal_name() && is_alone(&tool.name));
    named.map(Descriptor::definition).collect()
}

/// Compiles each tool; those of one name, and those that are not in order, are left out.
fn compile(
    descriptors: Vec<Descriptor>,
    named: &ComponentConfig,
    config: &Config,
) -> Result<(Vec<Tool>, Vec<Refusal>), LoadError> {
    if descriptors.len() > TOOLS_MAX {
        let count = descriptors.len();
        return Err(LoadError::Describe(format!("it has {count} tools, more than {TOOLS_MAX}")));
    }
    let mut spellings: HashMap<String, Vec<String>> = HashMap::new();
    for descriptor in &descriptors {
        spellings.entry(fold(&descriptor.name)).or_default().push(descriptor.name.clone());
    }
    let mut tools = Vec::new();
    let mut refused = Vec::new();
    for descriptor in descriptors {
        let same = &spellings[&fold(&descriptor.name)];
        let compiled = if same.len() > 1 {
            let reason =
                format!("{} tools of the component have this name: {}", same.len(), list(same));
            Err(Refusal { tool: shown_name(&descriptor.name), reason })
        } else {
            let published = named.published(&descriptor.name);
            descriptor.compile(&published, config.style, &config.rules.bounds)
        };
        match compiled {
            Ok(tool) => tools.push(tool),
            Err(refusal) => refused.push(refusal),
        }
    }
    Ok((tools, refused))
}

/// Names that a reader takes for one: case and separators aside.
pub(crate) fn fold(name: &str) -> String {
    name.to_ascii_lowercase().replace('-', "_")
}

/// A guest's words, on one line, for an error.
fn said(text: &str) -> String {
    clean::bounded(&text.replace('\n', " "), SAID_BYTES_MAX)
}

fn list(names: &[String]) -> String {
    if names.is_empty() {
        return "nothing".to_owned();
    }
    said(&names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "))
}
