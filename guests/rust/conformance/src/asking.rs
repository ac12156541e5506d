//! Tools that ask the user, or their model, before they give anything.

use portcullis_guest::{Call, Error, Question, Reply, Result, Sampling, tool};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize, JsonSchema)]
struct Name {
    name: String,
}

#[derive(Deserialize, JsonSchema)]
struct Color {
    color: String,
}

#[derive(Deserialize, JsonSchema)]
struct Confirmation {
    ok: bool,
}

/// Asks the model.
#[tool(content_only)]
fn test_sampling(prompt: String, call: &Call) -> Result<String> {
    let said = call.ask("prompt", Sampling::new(prompt, 100))?.text()?;
    Ok(format!("LLM response: {said}"))
}

/// Asks the user.
#[tool(content_only)]
fn test_elicitation(message: String, call: &Call) -> Result<String> {
    let schema = json!({
        "type": "object",
        "properties": {
            "username": { "type": "string", "description": "User's response" },
            "email": { "type": "string", "description": "User's email address" },
        },
        "required": ["username", "email"],
    });
    let reply = call.ask("user", Question::form_of(message, schema))?;
    Ok(format!("User response: {}", told(&reply)))
}

/// Asks with what is there already.
#[tool(content_only)]
fn test_elicitation_sep1034_defaults(call: &Call) -> Result<String> {
    let schema = json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "default": "John Doe" },
            "age": { "type": "integer", "default": 30 },
            "score": { "type": "number", "default": 95.5 },
            "status": {
                "type": "string",
                "enum": ["active", "inactive", "pending"],
                "default": "active",
            },
            "verified": { "type": "boolean", "default": true },
        },
    });
    let reply = call.ask("defaults", Question::form_of("Is this right?", schema))?;
    Ok(format!("Elicitation completed: {}", told(&reply)))
}

/// Asks with every kind of choice.
#[tool(content_only)]
fn test_elicitation_sep1330_enums(call: &Call) -> Result<String> {
    let titled = |names: [&str; 3]| -> Value {
        let values = ["value1", "value2", "value3"].into_iter().zip(names);
        values.map(|(value, title)| json!({ "const": value, "title": title })).collect()
    };
    let options = ["First Option", "Second Option", "Third Option"];
    let choices = ["First Choice", "Second Choice", "Third Choice"];
    let schema = json!({
        "type": "object",
        "properties": {
            "untitledSingle": { "type": "string", "enum": ["option1", "option2", "option3"] },
            "titledSingle": { "type": "string", "oneOf": titled(options) },
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"],
            },
            "untitledMulti": {
                "type": "array",
                "items": { "type": "string", "enum": ["option1", "option2", "option3"] },
            },
            "titledMulti": { "type": "array", "items": { "anyOf": titled(choices) } },
        },
    });
    let reply = call.ask("choices", Question::form_of("Which of these?", schema))?;
    Ok(format!("Elicitation completed: {}", told(&reply)))
}

/// Asks for a name.
#[tool(content_only)]
fn test_input_required_result_elicitation(call: &Call) -> Result<String> {
    let name: Name = call.ask("user_name", name())?.accepted()?;
    Ok(format!("Hello, {}!", name.name))
}

/// Asks the model for a capital.
#[tool(content_only)]
fn test_input_required_result_sampling(call: &Call) -> Result<String> {
    let question = Sampling::new("What is the capital of France?", 100);
    call.ask("capital_question", question)?.text()
}

/// Asks for directories.
#[tool(content_only)]
fn test_input_required_result_list_roots(call: &Call) -> Result<String> {
    let roots = call.ask("client_roots", Question::roots())?.roots()?;
    let uris: Vec<String> = roots.into_iter().map(|root| root.uri).collect();
    Ok(format!("Roots: {}", uris.join(", ")))
}

/// Asks, and says that the state came back.
#[tool(content_only)]
fn test_input_required_result_request_state(call: &Call) -> Result<String> {
    let confirmed: Confirmation = call.ask("confirm", confirmation())?.accepted()?;
    Ok(format!("state-ok: {}", confirmed.ok))
}

/// Asks three things at once.
#[tool(content_only)]
fn test_input_required_result_multiple_inputs(call: &Call) -> Result<String> {
    let replies = call.ask_all([
        ("user_name".to_owned(), name()),
        ("greeting".to_owned(), Sampling::new("Generate a greeting", 50).into()),
        ("client_roots".to_owned(), Question::roots()),
    ])?;
    let [user, greeting, roots] =
        <[Reply; 3]>::try_from(replies).map_err(|_| Error::internal("three were asked"))?;
    let (name, roots): (Name, _) = (user.accepted()?, roots.roots()?);
    Ok(format!("{} {} ({} roots)", greeting.text()?, name.name, roots.len()))
}

/// Asks one thing after the other.
#[tool(content_only)]
fn test_input_required_result_multi_round(call: &Call) -> Result<String> {
    let name = Question::form::<Name>("Step 1: What is your name?");
    let name: Name = call.ask("step1", name)?.accepted()?;
    let color = Question::form::<Color>("Step 2: What is your favorite color?");
    let color: Color = call.ask("step2", color)?.accepted()?;
    Ok(format!("{} likes {}", name.name, color.color))
}

/// Asks; a state that is not the host's is refused.
#[tool(content_only)]
fn test_input_required_result_tampered_state(call: &Call) -> Result<String> {
    let confirmed: Confirmation = call.ask("confirm", confirmation())?.accepted()?;
    Ok(format!("Confirmed: {}", confirmed.ok))
}

/// Asks only what the client can do.
#[tool(content_only)]
fn test_input_required_result_capabilities(call: &Call) -> Result<String> {
    let can = call.client();
    let mut questions = Vec::new();
    if can.elicit_form {
        questions.push(("user_name".to_owned(), name()));
    }
    if can.sampling {
        let question = Sampling::new("What is the capital of France?", 100);
        questions.push(("capital_question".to_owned(), question.into()));
    }
    let replies = call.ask_all(questions)?;
    Ok(format!("{} answers", replies.len()))
}

/// Needs a model.
#[tool(content_only)]
fn test_missing_capability(call: &Call) -> Result<String> {
    call.ask("model", Sampling::new("Say anything", 10))?.text()
}

/// Asks while its stream is open.
#[tool(content_only)]
fn test_streaming_elicitation(call: &Call) -> Result<String> {
    let name: Name = call.ask("user_name", name())?.accepted()?;
    Ok(format!("Hello, {}!", name.name))
}

fn name() -> Question {
    Question::form::<Name>("What is your name?")
}

fn confirmation() -> Question {
    Question::form::<Confirmation>("Please confirm")
}

fn told(reply: &Reply) -> String {
    match reply {
        Reply::Accepted(content) => {
            format!("action=accept, content={}", content.clone().unwrap_or_default())
        }
        Reply::Declined => "action=decline, content={}".to_owned(),
        _ => "action=cancel, content={}".to_owned(),
    }
}
