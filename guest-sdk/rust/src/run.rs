//! One call, from arguments to an outcome.

use crate::arguments::Arguments;
use crate::call::Call;
use crate::error::Error;
use crate::output::Outcome;
use crate::registry;

/// Runs the tool of this name.
pub(crate) fn tool(name: &str, arguments: &str, call: Call) -> Result<Outcome, Error> {
    let Some(tool) = registry::find(name) else {
        return Err(Error::not_found(format_args!("there is no tool `{name}`")));
    };
    let mut arguments = Arguments::parse(arguments)?;
    call.during(|call| (tool.run)(&mut arguments, call))
}
