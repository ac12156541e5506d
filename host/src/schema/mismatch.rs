//! How a value does not fit its schema, in words for the model.
//!
//! No text holds a piece of the value but property names, and those bounded and clean.

use std::fmt;
use std::rc::Rc;

use crate::present::clean;

/// Bytes of the text of a mismatch.
const TEXT_BYTES_MAX: usize = 2048;
/// Bytes of a location.
const LOCATION_BYTES_MAX: usize = 512;
/// Bytes of a step of a location, and of a name.
const STEP_BYTES_MAX: usize = 64;
/// Errors that are kept.
const ERRORS_MAX: usize = 256;
/// Bytes of a message.
const MESSAGE_BYTES_MAX: usize = 512;

/// One thing that is wrong with a value or within it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    /// From the outside in.
    path: Option<Rc<Step>>,
    message: Rc<str>,
}

#[derive(Debug, PartialEq, Eq)]
struct Step {
    name: String,
    rest: Option<Rc<Step>>,
}

impl Problem {
    /// A problem of the value itself.
    pub(super) fn new(message: impl AsRef<str>) -> Self {
        Self { path: None, message: line(message.as_ref(), MESSAGE_BYTES_MAX).into() }
    }

    /// The same problem seen from outside: `step` leads to the value that has it.
    #[must_use]
    pub(super) fn under(self, step: impl fmt::Display) -> Self {
        let step = Step { name: line(&step.to_string(), STEP_BYTES_MAX), rest: self.path };
        Self { path: Some(Rc::new(step)), message: self.message }
    }

    /// Whether both are of the same value.
    pub(super) fn is_where(&self, other: &Self) -> bool {
        self.path == other.path
    }

    /// Dotted, as in `result.1.humidity` (rule V2); empty for the whole value.
    fn location(&self) -> String {
        let mut location = String::new();
        let mut next = self.path.as_deref();
        while let Some(step) = next {
            if !location.is_empty() {
                location.push('.');
            }
            location.push_str(&step.name);
            next = step.rest.as_deref();
        }
        clean::bounded(&location, LOCATION_BYTES_MAX)
    }
}

/// One line of `text`, clean and of at most `bytes_max` bytes.
fn line(text: &str, bytes_max: usize) -> String {
    // No character is cut to less than a byte.
    let start: String = text.chars().take(bytes_max + 1).collect();
    clean::bounded(&start.replace(['\n', '\t'], " "), bytes_max)
}

/// How a value does not fit its schema: one or more errors, in the order of declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    name: String,
    /// Where and what.
    errors: Vec<(String, String)>,
    /// Whether there may be more than were looked for.
    more: bool,
}

impl Mismatch {
    pub(super) fn new(name: &str, problems: &[Problem], more: bool) -> Self {
        let errors = problems
            .iter()
            .take(ERRORS_MAX)
            .map(|problem| (problem.location(), problem.message.as_ref().to_owned()))
            .collect();
        Self {
            name: line(name, 2 * STEP_BYTES_MAX),
            errors,
            more: more || problems.len() > ERRORS_MAX,
        }
    }

    /// The errors: where, dotted and empty for the whole value, and what. At most 256.
    pub fn errors(&self) -> impl Iterator<Item = (&str, &str)> {
        self.errors.iter().map(|(location, message)| (location.as_str(), message.as_str()))
    }
}

/// As in rules V1 and V2, at most 2 KiB:
///
/// ```text
/// 1 validation error for WeatherData
/// humidity
///   Field required
/// ```
impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let count = self.errors.len();
        let least = if self.more { "at least " } else { "" };
        let plural = if count == 1 { "" } else { "s" };
        let mut text = format!("{least}{count} validation error{plural} for {}", self.name);
        for (index, (location, message)) in self.errors.iter().enumerate() {
            let line_break = if location.is_empty() { "" } else { "\n" };
            let entry = format!("{line_break}{location}\n  {message}");
            let rest = format!("\n... and {} more", count - index);
            if text.len() + entry.len() + rest.len() > TEXT_BYTES_MAX {
                text.push_str(&rest);
                break;
            }
            text.push_str(&entry);
        }
        f.write_str(&text)
    }
}

impl std::error::Error for Mismatch {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_names_every_error_and_where_it_is() {
        let problems = [
            Problem::new("Field required").under("humidity"),
            Problem::new("Input should be a valid integer").under(1).under("home"),
        ];
        assert_eq!(
            Mismatch::new("WeatherData", &problems, false).to_string(),
            "2 validation errors for WeatherData\n\
             humidity\n  Field required\n\
             home.1\n  Input should be a valid integer"
        );
        let problems = [Problem::new("Input should be a valid list")];
        assert_eq!(
            Mismatch::new("X", &problems, false).to_string(),
            "1 validation error for X\n  Input should be a valid list"
        );
    }

    #[test]
    fn a_text_is_bounded_and_clean() {
        let key = "\u{202e}\n".repeat(10_000);
        let long = "\u{1b}".repeat(100_000);
        let problems = vec![Problem::new(&long).under(&key).under(&key); 100];
        let text = Mismatch::new(&long, &problems, true).to_string();
        assert!(text.len() <= TEXT_BYTES_MAX, "{}", text.len());
        assert!(clean::is_clean(&text));
        assert!(text.starts_with("at least 100 validation errors for "));
        assert!(text.contains("\n... and "), "{text}");
    }
}
