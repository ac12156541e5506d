//! Questions to the user, or to their model, in the middle of a call.

use std::fmt::Display;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::call::{Call, ClientAbilities};
use crate::content::Content;
use crate::error::{Error, Kind, Result};
use crate::prompt::Message;
use crate::schema;

/// A question to whoever uses the client, or to their model.
///
/// [`Call::ask`] asks it. A client cannot always be asked: [`Call::client`] says what it can do, and
/// asking what it cannot is an error that says so.
#[derive(Clone, Debug)]
pub struct Question(pub(crate) Asked);

/// What is asked.
#[derive(Clone, Debug)]
pub(crate) enum Asked {
    Form { message: String, schema: Value },
    Url { message: String, url: String },
    Sampling(Sampling),
    Roots,
}

/// What a client's language model is asked.
#[derive(Clone, Debug)]
pub struct Sampling {
    pub(crate) messages: Vec<Message>,
    pub(crate) system_prompt: Option<String>,
    pub(crate) tokens_max: u32,
    pub(crate) temperature: Option<f64>,
    pub(crate) stop_sequences: Vec<String>,
    pub(crate) model_hints: Vec<String>,
}

impl Question {
    /// A form with the fields of `T`, each of a plain type: text, number, boolean, or an enum of
    /// names. `message` says what is asked, and why.
    ///
    /// A form must not ask for secrets; see [`Question::url`].
    pub fn form<T: JsonSchema>(message: impl Into<String>) -> Self {
        Self::form_of(message, schema::form::<T>())
    }

    /// A form with a JSON Schema: an object of plain properties.
    pub fn form_of(message: impl Into<String>, schema: impl Into<Value>) -> Self {
        Self(Asked::Form { message: message.into(), schema: schema.into() })
    }

    /// A page that the user is asked to open, for what does not belong in a form. An https URL.
    pub fn url(message: impl Into<String>, url: impl Into<String>) -> Self {
        Self(Asked::Url { message: message.into(), url: url.into() })
    }

    /// The directories that the user works in.
    #[must_use]
    pub fn roots() -> Self {
        Self(Asked::Roots)
    }

    fn ability(&self) -> ClientAbilities {
        let none = ClientAbilities::NONE;
        match &self.0 {
            Asked::Form { .. } => ClientAbilities { elicit_form: true, ..none },
            Asked::Url { .. } => ClientAbilities { elicit_url: true, ..none },
            Asked::Sampling(_) => ClientAbilities { sampling: true, ..none },
            Asked::Roots => ClientAbilities { roots: true, ..none },
        }
    }
}

impl Sampling {
    /// One message of the user, of which at most `tokens_max` tokens may come.
    pub fn new(text: impl Into<Content>, tokens_max: u32) -> Self {
        Self {
            messages: vec![Message::user(text)],
            system_prompt: None,
            tokens_max,
            temperature: None,
            stop_sequences: Vec::new(),
            model_hints: Vec::new(),
        }
    }

    /// Adds a message.
    #[must_use]
    pub fn message(mut self, message: Message) -> Self {
        self.messages.push(message);
        self
    }

    /// What the model is told before.
    #[must_use]
    pub fn system_prompt(mut self, text: impl Into<String>) -> Self {
        self.system_prompt = Some(text.into());
        self
    }

    /// From 0 to 1.
    #[must_use]
    pub fn temperature(mut self, degree: f64) -> Self {
        self.temperature = Some(degree);
        self
    }

    /// Where the model stops.
    #[must_use]
    pub fn stop_sequence(mut self, text: impl Into<String>) -> Self {
        self.stop_sequences.push(text.into());
        self
    }

    /// A model, or part of its name, that would be right; the best first.
    #[must_use]
    pub fn model_hint(mut self, name: impl Into<String>) -> Self {
        self.model_hints.push(name.into());
        self
    }
}

impl From<Sampling> for Question {
    fn from(sampling: Sampling) -> Self {
        Self(Asked::Sampling(sampling))
    }
}

/// What came back of a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Reply {
    /// The user did what was asked; of a form, what was filled in.
    Accepted(Option<Value>),
    /// The user said no.
    Declined,
    /// The user said nothing.
    Cancelled,
    /// What the model said.
    Sampled {
        /// Its words, those of all blocks of text.
        text: String,
        /// Which model it was.
        model: String,
        /// Why it stopped.
        stop_reason: Option<String>,
    },
    /// The directories that the user works in.
    Roots(Vec<Root>),
}

/// A directory that the user works in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Root {
    /// A `file:` URI.
    pub uri: String,
    /// A name for people.
    pub name: Option<String>,
}

impl Reply {
    /// What was filled in.
    ///
    /// # Errors
    /// When the user did not, or not so.
    pub fn accepted<T: DeserializeOwned>(self) -> Result<T> {
        match self {
            Self::Accepted(content) => {
                let content = content.unwrap_or_default();
                serde_json::from_value(content).map_err(|error| {
                    Error::new(format_args!("what was filled in is not what was asked: {error}"))
                })
            }
            Self::Declined => Err(Error::new("the user declined")),
            Self::Cancelled => Err(Error::new("the user did not answer")),
            Self::Sampled { .. } | Self::Roots(_) => Err(Error::new("this is no form")),
        }
    }

    /// What the model said.
    ///
    /// # Errors
    /// When no model was asked.
    pub fn text(self) -> Result<String> {
        match self {
            Self::Sampled { text, .. } => Ok(text),
            _ => Err(Error::new("no model has answered")),
        }
    }

    /// The directories.
    ///
    /// # Errors
    /// When they were not asked for.
    pub fn roots(self) -> Result<Vec<Root>> {
        match self {
            Self::Roots(roots) => Ok(roots),
            _ => Err(Error::new("no directories were named")),
        }
    }
}

/// Questions, each under its key, with what was answered before them.
#[derive(Debug)]
pub(crate) struct Asks {
    pub(crate) questions: Vec<(String, Question)>,
    /// All earlier answers, as JSON text.
    pub(crate) state: String,
}

impl Call {
    /// Asks the client, and gives its answer. `key` names the question within the tool.
    ///
    /// The first time there is no answer yet: this is then an error that only has to be passed on,
    /// with `?`. The host asks, and **runs the function again from its beginning**, where the same
    /// line gives the answer. So whatever stands before a question runs more than once; let it
    /// change nothing.
    ///
    #[doc = "```"]
    #[doc = include_str!("../tests/examples/ask.rs")]
    #[doc = "```"]
    ///
    /// # Errors
    /// As long as there is no answer, and when the client cannot be asked this.
    pub fn ask(&self, key: impl Display, question: impl Into<Question>) -> Result<Reply> {
        let mut replies = self.ask_all([(key.to_string(), question.into())])?;
        replies.pop().ok_or_else(|| Error::internal("a question without an answer"))
    }

    /// Asks several questions at once, and gives their answers in the same order.
    ///
    /// # Errors
    /// As of [`Call::ask`].
    pub fn ask_all(
        &self,
        questions: impl IntoIterator<Item = (String, Question)>,
    ) -> Result<Vec<Reply>> {
        let known = self.answers();
        let find = |key: &str| known.iter().find(|(it, _)| it == key).map(|(_, reply)| reply);
        let questions: Vec<(String, Question)> = questions.into_iter().collect();
        let (mut replies, mut open) = (Vec::new(), Vec::new());
        for (key, question) in questions {
            match find(&key) {
                Some(reply) => replies.push(reply.clone()),
                None => open.push((key, question)),
            }
        }
        if open.is_empty() {
            return Ok(replies);
        }
        let needed = open
            .iter()
            .map(|(_, it)| it.ability())
            .fold(ClientAbilities::NONE, ClientAbilities::or);
        if needed.beyond(self.client()) != ClientAbilities::NONE {
            let lacking = needed.beyond(self.client());
            return Err(Error::missing_ability(
                lacking,
                "it asks the user or their model something",
            ));
        }
        let state = serde_json::to_string(&known).map_err(Error::internal)?;
        Err(asking(Asks { questions: open, state }))
    }
}

fn asking(asks: Asks) -> Error {
    let keys: Vec<&str> = asks.questions.iter().map(|(key, _)| key.as_str()).collect();
    let message = format!("it asks first: {}", keys.join(", "));
    #[cfg(target_arch = "wasm32")]
    let asks = crate::component::asks(asks);
    Error { kind: Kind::Asks(Box::new(asks)), message }
}
