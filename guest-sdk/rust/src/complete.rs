//! Suggestions while a user types an argument of a prompt or a variable of a template.

use crate::call::Call;
use crate::error::Result;
use crate::registry::{Package, Place};

/// What the user has typed so far, and the arguments that have their values.
#[derive(Clone, Debug, Default)]
pub struct Typing {
    pub(crate) text: String,
    pub(crate) settled: Vec<(String, String)>,
}

impl Typing {
    /// What was typed of this argument.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The value of another argument, where it has one.
    #[must_use]
    pub fn settled(&self, name: &str) -> Option<&str> {
        self.settled.iter().find(|(it, _)| it == name).map(|(_, value)| value.as_str())
    }
}

/// Values that may be meant, the best first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Suggestions {
    pub(crate) values: Vec<String>,
    pub(crate) total: Option<u32>,
    pub(crate) more: bool,
}

impl Suggestions {
    /// As many as a client may get at a time.
    const VALUES_MAX: usize = 100;

    /// These values; of more than 100, the first 100, and that there are more.
    pub fn new(values: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let mut values: Vec<String> = values.into_iter().map(Into::into).collect();
        let (total, more) = (u32::try_from(values.len()).ok(), values.len() > Self::VALUES_MAX);
        values.truncate(Self::VALUES_MAX);
        Self { values, total, more }
    }
}

impl<T: Into<String>> From<Vec<T>> for Suggestions {
    fn from(values: Vec<T>) -> Self {
        Self::new(values)
    }
}

/// What an argument belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject<'a> {
    /// A prompt's name.
    Prompt(&'a str),
    /// A template of URIs.
    Template(&'a str),
}

/// Suggestions for one argument, as the macro writes them down.
pub struct Completion {
    /// What the argument belongs to.
    pub subject: Subject<'static>,
    /// The argument, or the variable.
    pub argument: &'static str,
    /// The crate that it stands in.
    pub package: Package,
    /// Where in the crate it stands.
    pub place: Place,
    /// Suggests.
    pub complete: fn(&Typing, &Call) -> Result<Suggestions>,
}

inventory::collect!(Completion);

/// Suggestions for an argument; none where nobody makes any.
#[cfg_attr(not(all(target_arch = "wasm32", feature = "completion")), allow(dead_code))]
pub(crate) fn complete(
    subject: Subject<'_>,
    argument: &str,
    typing: &Typing,
    call: Call,
) -> Result<Suggestions> {
    let mut all = inventory::iter::<Completion>.into_iter();
    match all.find(|it| it.subject == subject && it.argument == argument) {
        Some(found) => call.during(|call| (found.complete)(typing, call)),
        None => Ok(Suggestions::default()),
    }
}
