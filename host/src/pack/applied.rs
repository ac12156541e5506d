//! What is said of a component, applied to what was read of it.
//!
//! Whatever is said of something that is not there is a fault: nothing is ignored.

use std::collections::HashMap;

use super::said::FunctionSaid;
use super::{SECTION_BYTES_MAX, Said};
use crate::component::Hints;
use crate::present::clean;
use crate::schema::wit::{Function, Notes, OverlayFault, Read};

/// Things that a component may require.
const REQUIREMENTS_MAX: usize = 100;
/// Bytes of a name that an error repeats.
const NAME_SHOWN_BYTES_MAX: usize = 120;

/// Something that is said and does not fit the component. The tool's author must act.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Unfit(pub(super) String);

/// What is said of a tool, its docs and types aside.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ToolSaid {
    pub(crate) title: Option<String>,
    pub(crate) hints: Hints,
    /// It gives content alone, and no schema.
    pub(crate) content_only: bool,
}

impl Said {
    /// Takes the functions that are to be left out from `read`, and says of the others and of
    /// their types what is said.
    ///
    /// # Errors
    /// Every [`Unfit`]; what became of `read` is of no use then.
    pub(crate) fn apply(&self, read: &mut Read) -> Result<(), Vec<Unfit>> {
        let mut unfit = self.check(read);
        let had_some = !is_bare(read);
        read.functions.retain(|function| !self.leaves_out(function, &function.wit_name));
        read.refused.retain(|function| !self.leaves_out(function, &function.wit_name));
        if had_some && is_bare(read) {
            let what = "all are left out, so that there is no tool; leave one in";
            unfit.push(Unfit(format!("functions: {what}")));
        }
        if let Err(faults) = read.overlay(&self.overlay()) {
            unfit.extend(faults.iter().map(|fault| Unfit(fault.to_string())));
        }
        if unfit.is_empty() { Ok(()) } else { Err(unfit) }
    }

    /// What is said of the tool that `function` is.
    pub(crate) fn tool(&self, function: &Function) -> ToolSaid {
        match self.function(function, &function.wit_name) {
            None => ToolSaid::default(),
            Some(said) => ToolSaid {
                title: said.title.clone(),
                hints: Hints::from(&said.hints),
                content_only: said.content_only,
            },
        }
    }

    /// What is said of a function: first by its whole name, then by its name in WIT.
    pub(super) fn function(&self, whole: &impl ToString, wit_name: &str) -> Option<&FunctionSaid> {
        self.functions.get(&whole.to_string()).or_else(|| self.functions.get(wit_name))
    }

    fn leaves_out(&self, whole: &impl ToString, wit_name: &str) -> bool {
        self.function(whole, wit_name).is_some_and(|said| said.leave_out)
    }

    fn check(&self, read: &Read) -> Vec<Unfit> {
        let mut unfit = Vec::new();
        if self.requires.count() > REQUIREMENTS_MAX {
            unfit.push(Unfit(format!("requires: more than {REQUIREMENTS_MAX} things")));
        }
        for (key, text) in [("name", &self.component.name), ("version", &self.component.version)] {
            if !clean::is_clean(text) {
                let text = shown(text);
                let what = "holds control, bidirectional, tag or zero-width characters";
                unfit.push(Unfit(format!("component: its {key} {what}: {text}")));
            }
        }
        unfit.extend(self.spread(read));
        for name in self.functions.keys().filter(|name| self.is_covered(name, read)) {
            let fault = OverlayFault::covered("functions", name, "function");
            unfit.push(Unfit(fault.to_string()));
        }
        for (name, said) in self.functions.iter().filter(|(_, said)| said.content_only) {
            if said.value.annotation().notes != Notes::default() {
                let what = "it gives content alone, whose value has no schema; nothing can be said \
                            of it but `large_integers` and `pairs_as_map`";
                unfit.push(Unfit(format!("the value of function `{}`: {what}", shown(name))));
            }
        }
        for (name, said) in self.functions.iter().filter(|(_, said)| said.leave_out) {
            let alone = FunctionSaid { leave_out: true, ..FunctionSaid::default() };
            let shown = shown(name);
            if *said != alone {
                let what = "it is left out, so that nothing else can be said of it";
                unfit.push(Unfit(format!("function `{shown}`: {what}")));
            }
            if !is_there(name, read) {
                let what = format!("the component has no `{shown}` to leave out");
                unfit.push(Unfit(format!("functions: {what}")));
            }
        }
        unfit
    }
}

impl Said {
    /// What is said by a short name is there once for each function that has it.
    fn spread(&self, read: &Read) -> Option<Unfit> {
        let mut users: HashMap<&str, usize> = HashMap::new();
        for function in &read.functions {
            if !self.functions.contains_key(&function.to_string()) {
                *users.entry(&function.wit_name).or_default() += 1;
            }
        }
        self.functions.iter().find_map(|(name, said)| {
            let users = users.get(name.as_str()).copied().unwrap_or_default();
            let bytes = serde_json::to_string(said).map_or(0, |json| json.len());
            let name = shown(name);
            (users > 1 && users.saturating_mul(bytes) > SECTION_BYTES_MAX).then(|| {
                Unfit(format!("function `{name}`: too much is said of {users} functions at once"))
            })
        })
    }
}

impl Said {
    /// Whether everything that a short name could mean has its whole name here as well.
    fn is_covered(&self, name: &str, read: &Read) -> bool {
        let mut meant = names(read).filter(|(_, wit_name)| *wit_name == name).peekable();
        meant.peek().is_some()
            && meant.all(|(whole, _)| whole != name && self.functions.contains_key(&whole))
    }
}

fn is_there(name: &str, read: &Read) -> bool {
    names(read).any(|(whole, wit_name)| whole == name || wit_name == name)
}

fn is_bare(read: &Read) -> bool {
    read.functions.is_empty() && read.refused.is_empty()
}

/// Of every function: its whole name, and that in WIT.
fn names(read: &Read) -> impl Iterator<Item = (String, &str)> {
    let served = read.functions.iter();
    let served = served.map(|function| (function.to_string(), function.wit_name.as_str()));
    let refused = read.refused.iter();
    let refused = refused.map(|function| (function.to_string(), function.wit_name.as_str()));
    served.chain(refused)
}

/// A name in an error.
pub(super) fn shown(name: &str) -> String {
    clean::bounded(name, NAME_SHOWN_BYTES_MAX)
}
