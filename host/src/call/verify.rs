//! From what a guest said to what may leave: the check against the tool's contract.
//!
//! Only this module makes an [`Output`].

use serde_json::{Map, Value};

use super::{Failure, content};
use crate::catalog::Entry;
use crate::component::{Content, Contract, Full, Outcome, Said, Typed};
use crate::config::Rules;
use crate::present::Block;
use crate::schema::{Output as Schema, RESULT, Unverified, Verified, strict_json};

/// A result that keeps its tool's contract.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) parts: Parts,
    _made_here: (),
}

/// What a result consists of.
#[derive(Debug)]
pub(crate) struct Parts {
    /// There where the contract is typed.
    pub(crate) value: Option<Verified>,
    /// A narrower schema that the value answers to as well.
    pub(crate) exact: Option<Value>,
    /// Content that the author wrote; none: the content is rendered from the value.
    pub(crate) content: Option<Vec<Block>>,
    /// The author's, under plain names.
    pub(crate) meta: Map<String, Value>,
    pub(crate) is_error: bool,
}

/// Checks `outcome` against the contract of `entry`'s tool.
pub(super) fn outcome(entry: &Entry, rules: &Rules, outcome: Outcome) -> Result<Output, Failure> {
    let check = Check { entry, rules };
    let parts = match (outcome, &entry.tool().contract) {
        (Outcome::Value(typed), Contract::Typed(schema)) => {
            let (value, exact) = check.value(schema, &typed)?;
            let meta = Map::new();
            Parts { value: Some(value), exact, content: None, meta, is_error: false }
        }
        (Outcome::Content(blocks), Contract::ContentOnly) => {
            let content = Some(check.content(blocks)?);
            Parts { value: None, exact: None, content, meta: Map::new(), is_error: false }
        }
        (Outcome::Full(full), Contract::Typed(schema)) => check.typed_full(schema, full)?,
        (Outcome::Full(full), Contract::ContentOnly) => check.content_full(full)?,
        (Outcome::Value(_), Contract::ContentOnly) => {
            return Err(broken("a typed value from a tool that declares content only"));
        }
        (Outcome::Content(_), Contract::Typed(_)) => {
            return Err(broken("content from a tool that declares a typed value"));
        }
        (Outcome::TooLarge, _) => {
            let bytes_max = entry.component().limits.result_bytes_max;
            return Err(Failure::ResultTooLarge { bytes_max });
        }
        (Outcome::Unpublishable(what), Contract::Typed(schema)) if schema.wraps() => {
            return Err(Failure::Unpublishable(what.under(RESULT).to_string()));
        }
        (Outcome::Unpublishable(what), _) => {
            return Err(Failure::Unpublishable(what.to_string()));
        }
        (Outcome::InputRequired(_), _) => {
            return Err(Failure::NotYet("asks where nothing can be asked"));
        }
        (Outcome::Extended, _) => {
            return Err(Failure::NotYet("answers in words of a later portcullis:guest"));
        }
    };
    Ok(Output { parts, _made_here: () })
}

struct Check<'a> {
    entry: &'a Entry,
    rules: &'a Rules,
}

impl Check<'_> {
    /// The verified value, and its exact schema where it has one.
    fn value(&self, schema: &Schema, typed: &Typed) -> Result<(Verified, Option<Value>), Failure> {
        let bytes_max = self.entry.component().limits.result_bytes_max;
        if typed.json.len() > bytes_max {
            return Err(Failure::ResultTooLarge { bytes_max });
        }
        match &typed.exact {
            None => Ok((schema.verify(&typed.json).map_err(Failure::Output)?, None)),
            Some(exact) => schema
                .verify_exact(&typed.json, exact, &self.rules.bounds)
                .map(|(value, exact)| (value, Some(exact)))
                .map_err(Failure::Output),
        }
    }

    fn content(&self, blocks: Vec<Said<Content>>) -> Result<Vec<Block>, Failure> {
        content::check(blocks, content::Rules::of(self.entry.component(), self.rules))
    }

    /// Rule C2: data only under the declared schema, and checked when `is_error` too.
    fn typed_full(&self, schema: &Schema, full: Full) -> Result<Parts, Failure> {
        let Some(typed) = &full.value else {
            return Err(broken("a full result without the value that its schema declares"));
        };
        let own = !full.content.is_empty();
        if own && !self.entry.tool().own_content {
            return Err(broken(
                "content of its own, which its descriptor does not announce (own-content)",
            ));
        }
        let (value, exact) = self.value(schema, typed)?;
        Ok(Parts {
            value: Some(value),
            exact,
            content: if own { Some(self.content(full.content)?) } else { None },
            meta: meta(full.meta)?,
            is_error: full.is_error,
        })
    }

    fn content_full(&self, full: Full) -> Result<Parts, Failure> {
        if full.value.is_some() {
            return Err(broken("a typed value from a tool that declares content only"));
        }
        Ok(Parts {
            value: None,
            exact: None,
            content: Some(self.content(full.content)?),
            meta: meta(full.meta)?,
            is_error: full.is_error,
        })
    }
}

fn broken(what: &str) -> Failure {
    Failure::Contract(what.to_owned())
}

/// Entries of meta that one result may have.
const META_ENTRIES_MAX: usize = 64;
/// Bytes of a key of meta.
const META_KEY_BYTES_MAX: usize = 64;

fn meta(entries: Vec<(String, String)>) -> Result<Map<String, Value>, Failure> {
    if entries.len() > META_ENTRIES_MAX {
        return Err(broken("more than 64 entries of meta"));
    }
    let mut meta = Map::new();
    for (key, text) in entries {
        if !is_meta_name(&key) {
            return Err(broken("a meta key that is no plain name"));
        }
        let value =
            strict_json(&text).map_err(|fault| Failure::Output(Unverified::NotJson(fault)))?;
        if meta.insert(key, value).is_some() {
            return Err(broken("two meta entries of one key"));
        }
    }
    Ok(meta)
}

/// The name part of a `_meta` key (MCP 2025-06-18): it begins and ends with a letter or digit.
fn is_meta_name(key: &str) -> bool {
    let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let edge = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    key.len() <= META_KEY_BYTES_MAX
        && key.chars().all(legal)
        && edge(key.chars().next())
        && edge(key.chars().last())
}
