//! The component's export.

use crate::arguments::Arguments;
use crate::bindings::exports::portcullis::guest::tools::{
    Component, Failure, Guest, Outcome, Request,
};
use crate::call::Call;
use crate::describe;
use crate::error::Error;
use crate::registry;

/// The tools of the crate that this one is linked into.
pub(crate) struct Provider;

impl Guest for Provider {
    fn describe() -> Result<Component, String> {
        describe::component()
    }

    fn call(name: String, arguments: String, request: Request) -> Result<Outcome, Failure> {
        run(&name, &arguments, Call::new(request)).map_err(Error::into_failure)
    }
}

/// Runs a tool.
pub(crate) fn run(name: &str, arguments: &str, call: Call) -> Result<Outcome, Error> {
    let Some(tool) = registry::find(name) else {
        return Err(Error::not_found(format_args!("there is no tool `{name}`")));
    };
    let mut arguments = Arguments::parse(arguments)?;
    let outcome = call.during(|call| (tool.run)(&mut arguments, call))?;
    Ok(outcome.0)
}
