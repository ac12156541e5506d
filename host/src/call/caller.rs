//! Whoever asks: what its client can do, what it wants to hear meanwhile, and what it answers.

use super::Identity;
use crate::component::{Facts, Reply};
use crate::grants::Ability;
use crate::sandbox::{Lines, Notes};

/// Who asks for something, and what can be said to them meanwhile. The default is one that can do
/// nothing and wants to hear nothing, such as a command line.
#[derive(Debug, Default)]
pub struct Caller {
    /// What its client can do for a guest.
    pub(crate) abilities: Vec<Ability>,
    pub(crate) identity: Identity,
    pub(crate) trace: Option<Trace>,
    pub(crate) progress: Option<Notes>,
    pub(crate) log: Option<Lines>,
    /// What came back of the questions of an earlier round, each under its key.
    pub(crate) answers: Vec<(String, Reply)>,
    /// What the guest gave in the earlier round.
    pub(crate) state: Option<Vec<u8>>,
}

impl Caller {
    /// Those of `abilities` that its client lacks.
    pub(super) fn lacks(&self, abilities: impl Iterator<Item = Ability>) -> Vec<Ability> {
        let mut lacking = Vec::new();
        for ability in abilities {
            if !self.abilities.contains(&ability) && !lacking.contains(&ability) {
                lacking.push(ability);
            }
        }
        lacking
    }

    /// What a guest is told of it.
    pub(super) fn facts(&mut self, call_id: &str) -> Facts {
        Facts {
            call_id: call_id.to_owned(),
            wants_progress: self.progress.is_some(),
            wants_log: self.log.as_ref().map(|lines| lines.least),
            abilities: self.abilities.clone(),
            principal: self.identity.principal.as_deref().map(str::to_owned),
            trace: self.trace.as_ref().map(|trace| (trace.parent.clone(), trace.state.clone())),
            answers: std::mem::take(&mut self.answers),
            state: self.state.take(),
        }
    }
}

/// Where a call stands in a distributed trace (W3C Trace Context).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trace {
    /// `traceparent`, as it came.
    pub(crate) parent: String,
    /// `tracestate`, as it came.
    pub(crate) state: Option<String>,
}

/// Bytes of a `tracestate` (W3C Trace Context, 3.3.1.5: at least 512 are passed on).
const STATE_BYTES_MAX: usize = 512;
/// Members of a `tracestate` (3.3.1.1).
const MEMBERS_MAX: usize = 32;

impl Trace {
    /// Reads both headers. None: `parent` is no `traceparent`, and a state alone says nothing. A
    /// state that is none is left out (3.3.1).
    pub(crate) fn read(parent: &str, state: Option<&str>) -> Option<Self> {
        is_parent(parent).then(|| Self {
            parent: parent.to_owned(),
            state: state.filter(|state| is_state(state)).map(str::to_owned),
        })
    }

    /// The id of the whole trace: 32 hexadecimal digits.
    pub(crate) fn id(&self) -> &str {
        &self.parent[3..35]
    }

    /// The id of the caller's span: 16 hexadecimal digits.
    pub(crate) fn span(&self) -> &str {
        &self.parent[36..52]
    }
}

/// W3C Trace Context, 3.2.2: version, trace-id, parent-id and trace-flags. A later version may have
/// more after them.
fn is_parent(text: &str) -> bool {
    let is_hex = |part: &str| part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let is_id = |part: &str, length: usize| {
        part.len() == length && is_hex(part) && part.bytes().any(|byte| byte != b'0')
    };
    if text.len() > 128 || !text.is_ascii() {
        return false;
    }
    let mut parts = text.splitn(5, '-');
    let [version, trace, span, flags] = [(); 4].map(|()| parts.next().unwrap_or_default());
    version.len() == 2
        && is_hex(version)
        && version != "ff"
        && is_id(trace, 32)
        && is_id(span, 16)
        && flags.len() == 2
        && is_hex(flags)
        && (version != "00" || parts.next().is_none())
}

/// 3.3.1: members `key=value`, separated by commas.
fn is_state(text: &str) -> bool {
    let is_key = |key: &str| {
        let legal = |c: char| {
            c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-' | '*' | '/' | '@')
        };
        let starts = key.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
        starts && key.len() <= 256 && key.chars().all(legal)
    };
    let is_value = |value: &str| {
        let legal = |c: char| matches!(c, ' '..='~') && c != ',' && c != '=';
        !value.is_empty() && value.len() <= 256 && value.chars().all(legal)
    };
    let members: Vec<&str> = text.split(',').map(str::trim).filter(|it| !it.is_empty()).collect();
    let is_member =
        |member: &&str| member.split_once('=').is_some_and(|(k, v)| is_key(k) && is_value(v));
    text.len() <= STATE_BYTES_MAX
        && !members.is_empty()
        && members.len() <= MEMBERS_MAX
        && members.iter().all(is_member)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of W3C Trace Context, 3.2.3.
    const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    #[test]
    fn a_traceparent_is_as_the_standard_has_it() {
        let trace = Trace::read(PARENT, Some("rojo=00f067aa0ba902b7,congo=t61rcWkgMzE")).unwrap();
        assert_eq!(trace.id(), "4bf92f3577b34da6a3ce929d0e0e4736");
        assert_eq!(trace.span(), "00f067aa0ba902b7");
        assert_eq!(trace.state.as_deref(), Some("rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"));
        let later = format!("cc{}-what-the-future-will-be-like", &PARENT[2..]);
        assert!(Trace::read(&later, None).is_some());
        for wrong in [
            "",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
            "00-4bf92f3577b34da6a3ce929d0e0e473-600f067aa0ba902b7-01",
        ] {
            assert_eq!(Trace::read(wrong, None), None, "{wrong}");
        }
    }

    #[test]
    fn a_tracestate_that_is_none_is_left_out() {
        let state = |state| Trace::read(PARENT, Some(state)).unwrap().state;
        let long = format!("a={}", "x".repeat(600));
        for wrong in ["", "a", "A=b", "a=", "a=b=c", "a=\u{7f}", long.as_str()] {
            assert_eq!(state(wrong), None, "{wrong}");
        }
        assert_eq!(state("a=1, tenant@sys=2").as_deref(), Some("a=1, tenant@sys=2"));
    }
}
