//! The adapter for components that export `portcullis:guest/tools@0.1.0`.
//!
//! It translates between WIT and the host's own words (`said`) and decides nothing.

mod said;

use wasmtime::component::{ComponentExportIndex, InstancePre, TypedFunc};

use super::descriptor::Descriptor;
use super::outcome::{Answer, ContentsSaid, Given, GuestFailure, Outcome, PromptSaid, Suggested};
use super::surface::{Prompt, SurfaceSaid};
use super::words::{Facts, request};
use crate::grants::Requires;
use crate::sandbox::bindings::exports::portcullis::guest::{
    completion, prompts, resources, tools as wit,
};
use crate::sandbox::{Enclosure, Guest, Ran};

/// A linked component and where its exports are.
pub(crate) struct Provider {
    pre: InstancePre<Guest>,
    tools: wit::GuestIndices,
    /// The function that calls a tool, which is looked up alone: most of what is asked is calls.
    call: ComponentExportIndex,
    resources: Option<resources::GuestIndices>,
    prompts: Option<prompts::GuestIndices>,
    completion: Option<completion::GuestIndices>,
}

/// `call`, as the interface has it.
type Call<'a> =
    TypedFunc<(&'a str, &'a str, &'a wit::Request), (Result<wit::Outcome, wit::Failure>,)>;

/// What a component says of itself.
pub(crate) struct Description {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) tools: Vec<Descriptor>,
    /// What it requires beyond running.
    pub(crate) requires: Requires,
    /// What it has beside tools.
    pub(crate) surface: SurfaceSaid,
}

/// What a prompt's argument, or a template's variable, is looked up by.
#[derive(Debug)]
pub(crate) enum Subject {
    /// The component's name for the prompt.
    Prompt(String),
    /// The template.
    Template(String),
}

impl Provider {
    /// The interface that makes a component a provider.
    pub(crate) const INTERFACE: &str = "portcullis:guest/tools";
    /// The same, as what is served exports it.
    const EXPORT: &str = "portcullis:guest/tools@0.1.0";

    /// Finds the exports; `has` tells which interfaces there are beside the one of tools.
    ///
    /// # Errors
    /// When an interface lacks a function.
    pub(crate) fn new(
        pre: InstancePre<Guest>,
        has: impl Fn(&str) -> bool,
    ) -> wasmtime::Result<Self> {
        let found = |interface: &str| has(interface).then_some(());
        let resources = found("resources").map(|()| resources::GuestIndices::new(&pre));
        let prompts = found("prompts").map(|()| prompts::GuestIndices::new(&pre));
        let completion = found("completion").map(|()| completion::GuestIndices::new(&pre));
        let tools = wit::GuestIndices::new(&pre)?;
        let component = pre.component();
        let call = component
            .get_export_index(None, Self::EXPORT)
            .and_then(|interface| component.get_export_index(Some(&interface), "call"))
            .ok_or_else(|| wasmtime::Error::msg("it does not export `call`"))?;
        Ok(Self {
            tools,
            call,
            resources: resources.transpose()?,
            prompts: prompts.transpose()?,
            completion: completion.transpose()?,
            pre,
        })
    }

    pub(crate) fn pre(&self) -> &InstancePre<Guest> {
        &self.pre
    }

    /// Loads every interface on a fresh instance, which finds a record that is not ours, and lets
    /// the component describe itself.
    pub(crate) async fn describe(
        &self,
        mut enclosure: Enclosure,
    ) -> Ran<Result<Result<Description, String>, OtherInterface>> {
        let (store, deadline) = enclosure.open();
        let ended = deadline
            .bind(async {
                let instance = self.pre.instantiate_async(&mut *store).await?;
                let other = |error: wasmtime::Error| Ok(Err(OtherInterface(format!("{error:#}"))));
                let tools = match self.tools.load(&mut *store, &instance) {
                    Ok(guest) => guest,
                    Err(error) => return other(error),
                };
                let mut load = |error: &mut Option<wasmtime::Error>| {
                    let mut keep = |found: wasmtime::Error| *error = Some(found);
                    let resources = self.resources.as_ref().and_then(|indices| {
                        indices.load(&mut *store, &instance).map_err(&mut keep).ok()
                    });
                    let prompts = self.prompts.as_ref().and_then(|indices| {
                        indices.load(&mut *store, &instance).map_err(&mut keep).ok()
                    });
                    if let Some(indices) = &self.completion {
                        let _ = indices.load(&mut *store, &instance).map_err(&mut keep);
                    }
                    (resources, prompts)
                };
                let mut fault = None;
                let (resources, prompts) = load(&mut fault);
                if let Some(error) = fault {
                    return other(error);
                }
                let mut description = match tools.call_describe(&mut *store).await? {
                    Ok(component) => Description::from(component),
                    Err(reason) => return Ok(Ok(Err(reason))),
                };
                if let Some(guest) = resources {
                    match guest.call_describe(&mut *store).await? {
                        Ok(catalog) => description.surface.add(catalog),
                        Err(reason) => return Ok(Ok(Err(format!("resources: {reason}")))),
                    }
                }
                if let Some(guest) = prompts {
                    match guest.call_describe(&mut *store).await? {
                        Ok(all) => {
                            description.surface.prompts =
                                all.into_iter().map(Prompt::from).collect();
                        }
                        Err(reason) => return Ok(Ok(Err(format!("prompts: {reason}")))),
                    }
                }
                description.surface.completes = self.completion.is_some();
                Ok(Ok(Ok(description)))
            })
            .await;
        enclosure.close(ended)
    }

    /// Calls a tool on a fresh instance.
    pub(crate) async fn call(
        &self,
        mut enclosure: Enclosure,
        tool: &str,
        arguments: &str,
        facts: Facts,
    ) -> Answer {
        let request = request(facts, &enclosure);
        let (store, deadline) = enclosure.open();
        let ended = deadline
            .bind(async {
                let instance = self.pre.instantiate_async(&mut *store).await?;
                let call: Call = instance.get_typed_func(&mut *store, self.call)?;
                let (said,) = call.call_async(store, (tool, arguments, &request)).await?;
                Ok(said.map(Outcome::from).map_err(GuestFailure::from))
            })
            .await;
        enclosure.close(ended)
    }
}

impl Provider {
    /// Reads a resource on a fresh instance.
    pub(crate) async fn read(
        &self,
        mut enclosure: Enclosure,
        uri: &str,
        facts: Facts,
    ) -> Ran<Result<Given<Vec<ContentsSaid>>, GuestFailure>> {
        let request = request(facts, &enclosure);
        let (store, deadline) = enclosure.open();
        let ended = deadline
            .bind(async {
                let Some(resources) = &self.resources else { return Ok(Err(absent())) };
                let instance = self.pre.instantiate_async(&mut *store).await?;
                let guest = resources.load(&mut *store, &instance)?;
                let said = guest.call_read(store, uri, &request).await?;
                Ok(said.map(Given::from).map_err(GuestFailure::from))
            })
            .await;
        enclosure.close(ended)
    }

    /// Gets a prompt on a fresh instance.
    pub(crate) async fn prompt(
        &self,
        mut enclosure: Enclosure,
        name: &str,
        arguments: Vec<(String, String)>,
        facts: Facts,
    ) -> Ran<Result<Given<PromptSaid>, GuestFailure>> {
        let request = request(facts, &enclosure);
        let argument = |(name, value)| prompts::PromptArgument { name, value };
        let arguments: Vec<_> = arguments.into_iter().map(argument).collect();
        let (store, deadline) = enclosure.open();
        let ended = deadline
            .bind(async {
                let Some(prompts) = &self.prompts else { return Ok(Err(absent())) };
                let instance = self.pre.instantiate_async(&mut *store).await?;
                let guest = prompts.load(&mut *store, &instance)?;
                let said = guest.call_get(store, name, &arguments, &request).await?;
                Ok(said.map(Given::from).map_err(GuestFailure::from))
            })
            .await;
        enclosure.close(ended)
    }

    /// Asks for what may come after `typed`, on a fresh instance.
    pub(crate) async fn complete(
        &self,
        mut enclosure: Enclosure,
        subject: &Subject,
        (name, typed): (&str, &str),
        settled: Vec<(String, String)>,
        facts: Facts,
    ) -> Ran<Result<Suggested, GuestFailure>> {
        let request = request(facts, &enclosure);
        let subject = match subject {
            Subject::Prompt(name) => completion::Subject::Prompt(name.clone()),
            Subject::Template(template) => completion::Subject::ResourceTemplate(template.clone()),
        };
        let argument = |(name, value)| completion::SettledArgument { name, value };
        let settled: Vec<_> = settled.into_iter().map(argument).collect();
        let (store, deadline) = enclosure.open();
        let ended = deadline
            .bind(async {
                let Some(completion) = &self.completion else { return Ok(Err(absent())) };
                let instance = self.pre.instantiate_async(&mut *store).await?;
                let guest = completion.load(&mut *store, &instance)?;
                let said =
                    guest.call_complete(store, &subject, name, typed, &settled, &request).await?;
                Ok(said.map(Suggested::from).map_err(GuestFailure::from))
            })
            .await;
        enclosure.close(ended)
    }
}

/// The catalog names nothing of an interface that is not there.
fn absent() -> GuestFailure {
    GuestFailure::NotFound("the component does not export this interface".to_owned())
}

/// The interface is there, but not as version 0.1.0 has it.
#[derive(Debug)]
pub(crate) struct OtherInterface(pub(crate) String);
