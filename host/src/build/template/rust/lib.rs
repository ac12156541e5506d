//! Tools about words. Every function with `#[tool]` is one: its parameters are its arguments, its
//! result is what it promises, and its comments are what a model reads of it.

use portcullis_guest::tool;

/// What a text is made of.
#[derive(serde::Serialize, schemars::JsonSchema)]
struct Counts {
    /// Words, as spaces part them.
    words: usize,
    /// Letters, digits and signs, spaces aside.
    characters: usize,
}

/// Counts the words and characters of a text.
#[tool(read_only)]
fn count(
    /// The text.
    text: String,
) -> Counts {
    Counts {
        words: text.split_whitespace().count(),
        characters: text.chars().filter(|c| !c.is_whitespace()).count(),
    }
}

/// Repeats a text.
#[tool(read_only)]
fn repeat(
    /// The text.
    text: String,
    /// How often.
    #[default(2)]
    #[range(1..=100)]
    times: u32,
) -> Result<String, String> {
    if text.is_empty() {
        return Err("there is nothing to repeat; give a text".to_owned());
    }
    Ok(vec![text; times as usize].join(" "))
}
