//! From a component's bytes to described tools.
//!
//! A [`Component`] exists only after its description was checked and every schema of its
//! tools compiled; what was refused on the way is in it as [`Refusal`]s, with reasons.

mod adapter;
mod asks;
mod bytes;
mod bytes_result;
mod descriptor;
mod fault;
mod lifted;
mod load;
mod outcome;
mod provider;
mod surface;
mod typed;
mod uri_template;
mod words;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::config::{ComponentConfig, Limits};
use crate::grants::{Ability, Effective, Lack};
pub use crate::pack::BadSection;
use crate::schema::{Bounds, Input, Output, Style};

pub(crate) use adapter::Adapter;
pub use asks::Role;
pub(crate) use asks::{
    Asks, Heard, Message, Question, Reply, Root, Sampling, SamplingReply, UserReply,
};
pub use bytes::hex;
pub(crate) use bytes::{check_header, digest};
pub use descriptor::Hints;
pub use fault::LoadError;
pub(crate) use load::{fold, load, says_the_same, typed_descriptor};
#[cfg(test)]
pub(crate) use outcome::LinkSaid;
pub(crate) use outcome::{
    Body, Content, ContentsSaid, Full, Given, GuestFailure, Notes, Outcome, PromptSaid, Said,
    Suggested, Typed, Weighed,
};
pub(crate) use provider::{Provider, Subject};
pub use surface::Definitions;
pub(crate) use surface::{Prompt, Resource, Surface, Template};
pub(crate) use typed::TypedExports;
pub(crate) use words::Facts;

/// A loaded component.
pub struct Component {
    /// The operator's name for it: the key in the config, or the file's stem.
    pub id: Arc<str>,
    /// SHA-256 of its bytes, in lower-case hex.
    pub digest: String,
    /// The author's name for it, cleaned.
    pub name: String,
    /// The author's version of it, cleaned.
    pub version: String,
    /// The names of all that it imports, cleaned and sorted.
    pub imports: Vec<String>,
    /// The limits of each of its calls.
    pub limits: Limits,
    /// All that it says of itself, as a lock keeps it.
    pub definitions: Definitions,
    /// In the author's order.
    pub tools: Vec<Tool>,
    /// The tools that are left out, and why.
    pub refused: Vec<Refusal>,
    /// What no call of it can do without.
    pub(crate) needs: Vec<Ability>,
    /// What it has beside tools.
    pub(crate) surface: Surface,
    /// What its calls may reach.
    pub(crate) effective: Arc<Effective>,
    /// What it needs and was not granted; as long as there is something, its calls fail.
    pub(crate) lacks: Vec<Lack>,
    /// What it was made under.
    pub(crate) made: Made,
    /// The calls of it, and of what was there before it under its id.
    pub(crate) calls: Arc<Calls>,
    pub(crate) adapter: Adapter,
}

/// How many calls there were, and are.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    /// Those that have begun.
    pub(crate) begun: AtomicU64,
    /// Those of them that have ended.
    pub(crate) ended: AtomicU64,
}

impl Calls {
    /// Those that go on, and all that have begun.
    pub(crate) fn seen(&self) -> (u64, u64) {
        // In this order, so that no call has ended that has not begun.
        let ended = self.ended.load(Ordering::Acquire);
        let begun = self.begun.load(Ordering::Acquire);
        (begun.saturating_sub(ended), begun)
    }
}

/// What a component is made under, beside its bytes: where it is equal, so is the component.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Made {
    pub(crate) config: ComponentConfig,
    pub(crate) style: Style,
    pub(crate) bounds: Bounds,
}

impl Component {
    /// The file that it was made of.
    pub(crate) fn file(&self) -> &Path {
        &self.made.config.path
    }

    /// What it needs and was not granted, each with what to do about it.
    pub fn lacks(&self) -> impl Iterator<Item = String> {
        self.lacks.iter().map(|lack| lack.sentence(&self.id))
    }
}

impl std::fmt::Debug for Component {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Component").field("id", &self.id).field("digest", &self.digest).finish()
    }
}

/// A tool whose schemas are compiled.
#[derive(Debug)]
pub struct Tool {
    /// The component's name for it.
    pub name: String,
    /// A name for people.
    pub title: Option<String>,
    /// For the model.
    pub description: Option<String>,
    /// What arguments it takes.
    pub input: Input,
    /// What it promises about results.
    pub contract: Contract,
    /// How it says that it behaves.
    pub hints: Hints,
    /// Whether it writes content of its own beside a typed value.
    pub own_content: bool,
}

/// What a tool promises about its results.
#[derive(Debug)]
pub enum Contract {
    /// Every value answers to this schema.
    Typed(Box<Output>),
    /// Content blocks alone.
    ContentOnly,
}

/// A tool that was left out.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The tool's name, cleaned and bounded.
    pub tool: String,
    /// Why, and what to do.
    pub reason: String,
}

/// A component as it is passed around: running calls keep the one that they started with.
pub type Loaded = Arc<Component>;
