use portcullis_guest::{Call, Question, Result, tool};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Order {
    /// How many of them.
    count: u32,
}

/// Orders something, as often as the user says.
#[tool]
fn order(what: String, call: &Call) -> Result<String> {
    let question = Question::form::<Order>(format!("How many {what} are ordered?"));
    let order: Order = call.ask("order", question)?.accepted()?;
    Ok(format!("{} {what} ordered", order.count))
}
