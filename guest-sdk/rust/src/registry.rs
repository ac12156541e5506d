//! All tools of the component.
//!
//! Each `#[tool]` leaves one entry here, which a constructor links in before anything runs.

use crate::arguments::Arguments;
use crate::call::Call;
use crate::error::Error;
use crate::output::{Contract, Outcome};
use crate::schema::inputs::Inputs;

/// One tool, as the macro writes it down.
pub struct Tool {
    /// The published name.
    pub name: &'static str,
    /// A name for people.
    pub title: Option<&'static str>,
    /// The lines of the doc comment.
    pub docs: &'static [&'static str],
    /// How it behaves.
    pub hints: Hints,
    /// Whether it writes content beside a typed value.
    pub own_content: bool,
    /// Keywords of the input schema beside those that follow from the parameters: a JSON object.
    pub extend: Option<&'static str>,
    /// The crate that it stands in.
    pub package: Package,
    /// Where in the crate it stands.
    pub place: Place,
    /// Adds its parameters to an input schema.
    pub parameters: fn(&mut Inputs) -> Result<(), String>,
    /// What it promises.
    pub contract: fn() -> Contract,
    /// Runs it.
    pub run: fn(&mut Arguments, &Call) -> Result<Outcome, Error>,
}

/// What an author says about a tool's behaviour; none: no statement.
#[derive(Clone, Copy)]
pub struct Hints {
    /// Changes nothing.
    pub read_only: Option<bool>,
    /// May destroy or overwrite something.
    pub destructive: Option<bool>,
    /// The same call again changes nothing more.
    pub idempotent: Option<bool>,
    /// Deals with things outside of a closed world.
    pub open_world: Option<bool>,
}

/// The author's crate.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Package {
    /// Its name.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
}

/// Where a tool is written. The module comes first: file names are spelled differently from one
/// machine to the next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The module's path.
    pub module: &'static str,
    /// The line in its file.
    pub line: u32,
    /// The column in the line.
    pub column: u32,
}

inventory::collect!(Tool);

/// The tools: module by module, each in source order.
pub(crate) fn tools() -> Vec<&'static Tool> {
    let mut tools: Vec<&Tool> = Vec::new();
    for tool in inventory::iter::<Tool> {
        let place = tools.partition_point(|it| (it.place, it.name) < (tool.place, tool.name));
        tools.insert(place, tool);
    }
    tools
}

/// The tool of this name.
pub(crate) fn find(name: &str) -> Option<&'static Tool> {
    inventory::iter::<Tool>.into_iter().find(|tool| tool.name == name)
}
