//! Calls that go in rounds: what a guest asks, and the answers with which the same call is made
//! again.
//!
//! A client of 2026-07-28 gets the questions as the result, with the state sealed, and calls again
//! itself. One of the earlier era is asked, and the host calls again.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rmcp::model::{ErrorData, InputRequiredResult, InputResponses};
use rmcp::service::{Peer, RoleServer};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::era::Beside;
use super::sealed::{self, Bound};
use super::words;
use crate::call::{Caller, Came, Question, Questions};
use crate::component::{Reply, UserReply};
use crate::present::clean;
use crate::schema::Form;

/// Rounds of one call.
const ROUNDS_MAX: u32 = 10;
/// For how long a client may take for all answers to a request, a person before it included.
const ANSWER_MAX: Duration = Duration::from_secs(3600);

/// What a request that goes in rounds came to.
pub(super) enum Rounds<T> {
    Given(T),
    /// The client is to answer, and to ask again.
    Ask(InputRequiredResult),
    /// It cannot go on; why, for whoever asked.
    Stuck(String),
}

/// What a client of 2026-07-28 sends with a request that it makes again.
pub(super) struct Resumed {
    pub(super) responses: Option<InputResponses>,
    pub(super) state: Option<String>,
}

/// What is sealed into the state.
#[derive(Serialize, Deserialize)]
struct Sealed {
    /// How many rounds there were.
    round: u32,
    /// What was asked, by its key.
    asked: BTreeMap<String, AskedFor>,
    /// The guest's own, in base64.
    state: Option<String>,
    /// Which version of which component asked.
    asker: String,
}

/// What answers a question.
#[derive(Serialize, Deserialize)]
enum AskedFor {
    /// With the schema, as text.
    Form(String),
    Url,
    Sampling,
    Roots,
}

impl AskedFor {
    fn of(question: &Question) -> Self {
        match question {
            Question::Form { form, .. } => {
                Self::Form(serde_json::to_string(form.as_map()).unwrap_or_default())
            }
            Question::Url { .. } => Self::Url,
            Question::Sampling(_) => Self::Sampling,
            Question::Roots => Self::Roots,
        }
    }

    /// What `value` answers.
    fn read(&self, value: Value) -> Result<Reply, String> {
        let reply = match self {
            Self::Form(schema) => {
                let reply = words::user_reply(value)?;
                if let UserReply::Accepted(content) = &reply {
                    let content = content.as_deref().unwrap_or("{}");
                    let content = serde_json::from_str(content).unwrap_or_default();
                    Form::load(schema)?.check(&content)?;
                }
                Reply::Form(reply)
            }
            Self::Url => Reply::Url(words::user_reply(value)?),
            Self::Sampling => Reply::Sampling(words::sampling_reply(value)?),
            Self::Roots => Reply::Roots(words::roots(value)?),
        };
        Ok(reply)
    }
}

/// Makes rounds of a request until `run` gives something, or until the client has to answer. `peer` is asked
/// what the guest asks; none: the client answers by asking again.
///
/// # Errors
/// Those of `run`, and a state or answers that are none of this request (-32602).
pub(super) async fn rounds<T, F>(
    peer: Option<&Peer<RoleServer>>,
    beside: &Beside,
    bound: &Bound<'_>,
    resumed: Resumed,
    mut run: impl FnMut(Caller) -> F,
) -> Result<Rounds<T>, ErrorData>
where
    F: Future<Output = Result<Came<T>, ErrorData>>,
{
    let until = Instant::now() + ANSWER_MAX;
    let mut caller = beside.caller();
    let mut round = 0;
    let mut unasked = None;
    match resumed {
        Resumed { state: Some(state), responses } if peer.is_none() => {
            round = resume(&mut caller, &state, responses, bound)?;
        }
        // Answers to no question that was asked yet: to those that come now, if they are any.
        Resumed { state: None, responses } if peer.is_none() => unasked = responses,
        Resumed { .. } => {}
    }
    loop {
        let questions = match run(caller).await? {
            Came::Given(given) => return Ok(Rounds::Given(given)),
            Came::Asks(questions) => questions,
        };
        round += 1;
        if round > ROUNDS_MAX {
            return Ok(Rounds::Stuck(format!("it asks more than {ROUNDS_MAX} times")));
        }
        caller = beside.caller();
        let Some(peer) = peer else {
            if let Some(early) = unasked.take() {
                let asked = questions.asked.iter().map(|(key, it)| (key.clone(), AskedFor::of(it)));
                caller.answers = answers(early, &asked.collect())?;
            }
            if caller.answers.is_empty() {
                return native(questions, bound, round).map(Rounds::Ask);
            }
            caller.state = questions.state;
            caller.asker = Some(questions.asker);
            continue;
        };
        match ask(peer, &questions, until).await {
            Ok(answers) => caller.answers = answers,
            Err(why) => return Ok(Rounds::Stuck(why)),
        }
        caller.state = questions.state;
        caller.asker = Some(questions.asker);
    }
}

/// The questions as a result, whose state says what was asked.
fn native(
    questions: Questions,
    bound: &Bound<'_>,
    round: u32,
) -> Result<InputRequiredResult, ErrorData> {
    let asked = questions.asked.iter();
    let sealed = Sealed {
        round,
        asked: asked.map(|(key, it)| (key.clone(), AskedFor::of(it))).collect(),
        state: questions.state.map(|state| BASE64_STANDARD.encode(state)),
        asker: questions.asker,
    };
    let state = sealed::seal(&sealed, bound, ANSWER_MAX)?;
    let requests = questions.asked.into_iter().map(|(key, question)| {
        let request = words::input_request(&key, &question).map_err(|error| {
            ErrorData::internal_error(format!("`{key}` cannot be asked: {error}"), None)
        })?;
        Ok((key, request))
    });
    let requests = requests.collect::<Result<BTreeMap<_, _>, ErrorData>>()?;
    Ok(InputRequiredResult::new(Some(requests), Some(state)))
}

/// Gives `caller` the answers and the state of the earlier round. The number of rounds so far.
fn resume(
    caller: &mut Caller,
    state: &str,
    responses: Option<InputResponses>,
    bound: &Bound<'_>,
) -> Result<u32, ErrorData> {
    let sealed = sealed::open::<Sealed>(state, bound).ok_or_else(|| {
        let text = "requestState is not what was given for this request; begin it anew";
        ErrorData::invalid_params(text, None)
    })?;
    caller.answers = answers(responses.unwrap_or_default(), &sealed.asked)?;
    caller.state = sealed.state.and_then(|state| BASE64_STANDARD.decode(state).ok());
    caller.asker = Some(sealed.asker);
    Ok(sealed.round)
}

/// Those of `responses` that answer what was asked; what was not asked for is nobody's answer.
fn answers(
    responses: InputResponses,
    asked: &BTreeMap<String, AskedFor>,
) -> Result<Vec<(String, Reply)>, ErrorData> {
    let mut answers = Vec::new();
    for (key, value) in responses {
        let Some(asked) = asked.get(&key) else { continue };
        let reply = asked.read(value).map_err(|what| {
            let (key, what) = (clean::bounded(&key, 80), clean::bounded(&what, 500));
            ErrorData::invalid_params(format!("inputResponses.{key}: {what}"), None)
        })?;
        answers.push((key, reply));
    }
    Ok(answers)
}

/// Asks the client, one question after the other, which has `until` then to answer them all.
async fn ask(
    peer: &Peer<RoleServer>,
    questions: &Questions,
    until: Instant,
) -> Result<Vec<(String, Reply)>, String> {
    let mut answers = Vec::with_capacity(questions.asked.len());
    for (key, question) in &questions.asked {
        let answer = words::ask(peer, key, question, until).await;
        let reply = answer.and_then(|value| AskedFor::of(question).read(value));
        let reply = reply.map_err(|what| {
            format!("the client's answer to `{key}` is none: {}", clean::bounded(&what, 500))
        })?;
        answers.push((key.clone(), reply));
    }
    Ok(answers)
}
