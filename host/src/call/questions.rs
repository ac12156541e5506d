//! The check of what a guest asks of a client: forms, URLs, sampling, roots.
//!
//! Only this module makes [`Questions`]; what does not keep the rules fails the call.

use url::Url;

use super::{Caller, Failure, content};
use crate::component::{
    Asks, Component, Message, Question as Said, Role, Sampling as SamplingSaid,
};
use crate::config;
use crate::grants::{Ability, Secret};
use crate::present::{Block, Body, clean, marks};
use crate::schema::Form;

/// Questions that a client may be asked.
#[derive(Debug)]
pub(crate) struct Questions {
    /// Which version of which component asks; its answers are for no other.
    pub(crate) asker: String,
    /// At least one, each under a key of its own.
    pub(crate) asked: Vec<(String, Question)>,
    /// The guest's own, to come back unchanged.
    pub(crate) state: Option<Vec<u8>>,
    _made_here: (),
}

/// A question.
#[derive(Debug)]
pub(crate) enum Question {
    Form { message: String, form: Form },
    Url { message: String, url: String },
    Sampling(Sampling),
    Roots,
}

/// What a client's model is asked.
#[derive(Debug)]
pub(crate) struct Sampling {
    /// Texts, images and sounds.
    pub(crate) messages: Vec<(Role, Block)>,
    pub(crate) system_prompt: Option<String>,
    pub(crate) tokens_max: u32,
    pub(crate) temperature: Option<f64>,
    pub(crate) stop_sequences: Vec<String>,
    pub(crate) model_hints: Vec<String>,
}

/// Questions of one round.
const QUESTIONS_MAX: usize = 32;
/// Bytes of a guest's state.
const STATE_BYTES_MAX: usize = 64 << 10;
/// Bytes of a message to a user.
const MESSAGE_BYTES_MAX: usize = 4096;
/// Messages of one conversation.
const MESSAGES_MAX: usize = 100;
/// Stop sequences, and hints of models.
const WORDS_MAX: usize = 16;
/// Bytes of one of those.
const WORD_BYTES_MAX: usize = 256;

/// This version of `component`, as one that asks.
pub(super) fn asker(component: &Component) -> String {
    format!("{} {}", component.id, component.digest)
}

/// Checks what `component` asks of `caller`.
pub(super) fn check(
    asks: Asks,
    caller: &Caller,
    component: &Component,
    rules: &config::Rules,
) -> Result<Questions, Failure> {
    let rules = content::Rules::of(component, rules);
    let lacking = caller.lacks(asks.questions.iter().map(|(_, said)| ability(said)));
    if !lacking.is_empty() {
        return Err(Failure::Unable { abilities: lacking });
    }
    let broken = |what: String| Failure::Contract(format!("what it asks: {what}"));
    if asks.questions.is_empty() || asks.questions.len() > QUESTIONS_MAX {
        let count = asks.questions.len();
        return Err(broken(format!("{count} questions, not 1 to {QUESTIONS_MAX}")));
    }
    if asks.state.as_ref().is_some_and(|state| state.len() > STATE_BYTES_MAX) {
        return Err(broken(format!("a state of more than {STATE_BYTES_MAX} bytes")));
    }
    let mut asked: Vec<(String, Question)> = Vec::with_capacity(asks.questions.len());
    for (key, said) in asks.questions {
        if !is_key(&key) {
            let shown = clean::bounded(&key, 80);
            return Err(broken(format!("the key `{shown}` has not 1 to 64 of A-Z a-z 0-9 _ - .")));
        }
        if asked.iter().any(|(known, _)| *known == key) {
            return Err(broken(format!("two questions under the key `{key}`")));
        }
        let question = question(said, &component.id, rules)
            .map_err(|what| broken(format!("`{key}`: {what}")))?;
        asked.push((key, question));
    }
    let asker = asker(component);
    let questions = Questions { asker, asked, state: asks.state, _made_here: () };
    match component.effective.secrets.iter().find(|secret| holds(&questions, secret)) {
        Some(secret) => Err(Failure::Secret { name: secret.name.clone() }),
        None => Ok(questions),
    }
}

fn ability(said: &Said) -> Ability {
    match said {
        Said::Form { .. } => Ability::ElicitForm,
        Said::Url { .. } => Ability::ElicitUrl,
        Said::Sampling(_) => Ability::Sampling,
        Said::Roots => Ability::Roots,
    }
}

fn is_key(key: &str) -> bool {
    let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    (1..=64).contains(&key.len()) && key.chars().all(legal)
}

fn question(said: Said, id: &str, rules: content::Rules<'_>) -> Result<Question, String> {
    match said {
        Said::Form { message, schema } => {
            Ok(Question::Form { message: self::message(id, &message)?, form: Form::load(&schema)? })
        }
        Said::Url { message, url } => {
            let parsed = marks::uri(&url)?;
            if parsed.scheme() != "https" || !parsed.username().is_empty() || has_password(&parsed)
            {
                let shown = clean::bounded(&url, 100);
                return Err(format!("`{shown}` is no https URL without a user in it"));
            }
            // What was looked at is what is sent, however it was written.
            Ok(Question::Url { message: self::message(id, &message)?, url: parsed.into() })
        }
        Said::Sampling(said) => sampling(said, rules).map(Question::Sampling),
        Said::Roots => Ok(Question::Roots),
    }
}

fn has_password(url: &Url) -> bool {
    url.password().is_some()
}

/// What a user reads begins with who asks: a client shows the name of this server alone, behind which
/// may be many components.
fn message(id: &str, text: &str) -> Result<String, String> {
    match (1..=MESSAGE_BYTES_MAX).contains(&text.len()) {
        true => Ok(format!("{id}: {}", clean::text(text))),
        false => Err(format!("a message of {} bytes, not 1 to {MESSAGE_BYTES_MAX}", text.len())),
    }
}

fn sampling(said: SamplingSaid, rules: content::Rules<'_>) -> Result<Sampling, String> {
    if said.messages.is_empty() || said.messages.len() > MESSAGES_MAX {
        return Err(format!("{} messages, not 1 to {MESSAGES_MAX}", said.messages.len()));
    }
    if said.tokens_max == 0 {
        return Err("no tokens may be generated".to_owned());
    }
    if said.temperature.is_some_and(|degree| !(0.0..=1.0).contains(&degree)) {
        return Err("a temperature that is not from 0 to 1".to_owned());
    }
    for words in [&said.stop_sequences, &said.model_hints] {
        if words.len() > WORDS_MAX || words.iter().any(|word| word.len() > WORD_BYTES_MAX) {
            return Err(format!(
                "more than {WORDS_MAX} stop sequences or hints, or one of more than \
                 {WORD_BYTES_MAX} bytes"
            ));
        }
    }
    let mut messages = Vec::with_capacity(said.messages.len());
    let mut bytes = said.system_prompt.as_ref().map_or(0, String::len);
    for (index, Message { role, content }) in said.messages.into_iter().enumerate() {
        let block =
            content::block(content, rules).map_err(|what| format!("messages.{index}: {what}"))?;
        match block.body {
            Body::Text(_) | Body::Image(_) | Body::Audio(_) => {}
            Body::Link(_) | Body::Embedded(_) => {
                return Err(format!("messages.{index}: no text, image or sound"));
            }
        }
        bytes += block.bytes();
        messages.push((role, block));
    }
    if bytes > rules.bytes_max {
        return Err(format!("more than {} bytes of messages", rules.bytes_max));
    }
    let cleaned = |words: Vec<String>| words.iter().map(clean::text).collect();
    Ok(Sampling {
        messages,
        system_prompt: said.system_prompt.as_deref().map(clean::text),
        tokens_max: said.tokens_max,
        temperature: said.temperature,
        // Not cleaned: a model may well write a control character.
        stop_sequences: said.stop_sequences,
        model_hints: cleaned(said.model_hints),
    })
}

fn holds(questions: &Questions, secret: &Secret) -> bool {
    let is_in = |text: &str| secret.text.is_in(text.as_bytes());
    let in_state = questions.state.as_ref().is_some_and(|state| secret.text.is_in(state));
    in_state
        || questions.asked.iter().any(|(key, question)| {
            is_in(key)
                || match question {
                    Question::Form { message, form } => {
                        let schema = serde_json::to_string(form.as_map()).unwrap_or_default();
                        is_in(message) || is_in(&schema)
                    }
                    Question::Url { message, url } => is_in(message) || is_in(url),
                    Question::Sampling(sampling) => {
                        let Sampling { messages, system_prompt, stop_sequences, .. } = sampling;
                        messages.iter().any(|(_, block)| super::leak::in_block(block, secret))
                            || system_prompt.as_deref().is_some_and(is_in)
                            || stop_sequences.iter().any(|word| is_in(word))
                            || sampling.model_hints.iter().any(|word| is_in(word))
                    }
                    Question::Roots => false,
                }
        })
}
