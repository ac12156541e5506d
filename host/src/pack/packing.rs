//! From a component, its .wit source and its overlay file to the component with its descriptor.
//!
//! What is written was read and applied as a host will do it, so what loads now loads there.

use std::path::Path;

use super::applied::{ToolSaid, shown};
use super::{OverlayFile, PackError, Said, Source, Unfit, fits, same, section};
use crate::component::{self, LoadError, Refusal};
use crate::schema::wit::{self, Function, Read};
use crate::schema::{Bounds, Style};

/// What a component exports that describes itself.
const PROVIDER: &str = "portcullis:guest/tools";

/// A component with its descriptor.
#[derive(Debug)]
pub(crate) struct Packed {
    pub(crate) component: Vec<u8>,
    /// Bytes of the descriptor.
    pub(crate) descriptor_bytes: usize,
    /// The functions that are tools and have a description.
    pub(crate) documented: Vec<String>,
    /// Those that have none.
    pub(crate) undocumented: Vec<String>,
    /// Those that are left out.
    pub(crate) left_out: Vec<String>,
    /// Those that cannot be tools, whatever is said of them.
    pub(crate) refused: Vec<Refusal>,
}

/// Puts a descriptor into `component`, in place of an earlier one; `path` is what it is called in
/// errors.
///
/// # Errors
/// [`PackError`] for the first thing that is wrong.
pub(crate) fn pack(
    path: &Path,
    component: &[u8],
    source: &Source,
    overlay: Option<&OverlayFile>,
) -> Result<Packed, PackError> {
    let no_component = |fault| PackError::Component { path: path.to_owned(), fault };
    component::check_header(component).map_err(no_component)?;
    let unreadable = |error| no_component(LoadError::Types(format!("it is damaged: {error}")));
    let mut packed = section::without(component).map_err(unreadable)?;
    let read = wit::read(&packed)
        .map_err(|refused| no_component(LoadError::Types(refused.to_string())))?;
    if read.left_out.iter().any(|export| export.export.starts_with(PROVIDER)) {
        return Err(PackError::Provider { path: path.to_owned() });
    }
    same::check(&source.read, &read)
        .map_err(|what| PackError::OtherWorld { world: source.world.clone(), what })?;
    if read.functions.is_empty() && read.refused.is_empty() {
        let exports: Vec<_> = read.left_out.iter().map(|other| other.export.as_str()).collect();
        let exports = if exports.is_empty() { "nothing".to_owned() } else { exports.join(", ") };
        return Err(no_component(LoadError::NoTools(exports)));
    }
    let none = Said::default();
    let said = overlay.map_or(&none, |overlay| &overlay.said);
    if let (Err(faults), Some(overlay)) = (said.apply(&mut read.clone()), overlay) {
        return Err(first(faults, |fault| overlay.unfit(fault, &read)));
    }
    let merged = said.merged(&source.read, &read);
    let mut served = read.clone();
    merged
        .apply(&mut served)
        .map_err(|faults| first(faults, |fault| PackError::Docs(fault.clone())))?;
    let left_out = left_out(&read, &served);
    served.refuse_same_names();
    let refused = check_tools(&served, &merged, &read, (source, overlay))?;
    let descriptor_bytes =
        merged.append_to(&mut packed).map_err(|bytes| PackError::TooLarge { bytes })?;
    let is_tool = |function: &&Function| {
        !refused.iter().any(|refusal| refusal.tool == shown(&function.to_string()))
    };
    let tools = served.functions.iter().filter(is_tool);
    let (documented, undocumented): (Vec<&Function>, Vec<_>) =
        tools.partition(|function| function.docs.is_some());
    let names = |functions: Vec<&Function>| {
        functions.into_iter().map(|function| shown(&function.to_string())).collect()
    };
    Ok(Packed {
        component: packed,
        descriptor_bytes,
        documented: names(documented),
        undocumented: names(undocumented),
        left_out,
        refused,
    })
}

fn first(faults: Vec<Unfit>, error: impl Fn(&Unfit) -> PackError) -> PackError {
    let unknown = Unfit("it does not fit the component".to_owned());
    error(faults.first().unwrap_or(&unknown))
}

fn left_out(read: &Read, served: &Read) -> Vec<String> {
    let names = |read: &Read| {
        let functions = read.functions.iter().map(ToString::to_string);
        functions.chain(read.refused.iter().map(ToString::to_string)).collect::<Vec<_>>()
    };
    let served = names(served);
    names(read).iter().filter(|name| !served.contains(name)).map(|name| shown(name)).collect()
}

/// The tools that cannot be served; it is an error if that is for what is said of them.
fn check_tools(
    served: &Read,
    said: &Said,
    read: &Read,
    (source, overlay): (&Source, Option<&OverlayFile>),
) -> Result<Vec<Refusal>, PackError> {
    let refusal = |tool: String, reason: String| Refusal { tool: shown(&tool), reason };
    let mut refused: Vec<Refusal> = served
        .refused
        .iter()
        .map(|function| refusal(function.to_string(), function.reason.to_string()))
        .collect();
    for function in &served.functions {
        let Err(reason) = check_tool(function, &said.tool(function)) else { continue };
        let bare = read.functions.iter().find(|bare| bare.to_string() == function.to_string());
        match bare.map(|bare| check_tool(bare, &ToolSaid::default())) {
            Some(Err(reason)) => refused.push(refusal(function.to_string(), reason)),
            Some(Ok(())) | None => {
                let tool = shown(&function.tool_name);
                let is_same = |said: &Said| {
                    let again = reason_of(&function.to_string(), said, source, read);
                    again.as_ref() == Some(&reason)
                };
                let error = overlay.and_then(|overlay| overlay.refused(&tool, &reason, is_same));
                return Err(error.unwrap_or(PackError::Refused { tool, reason }));
            }
        }
    }
    Ok(refused)
}

/// Why the function of this whole name cannot be a tool with the docs in `source` and with `said`.
fn reason_of(whole: &str, said: &Said, source: &Source, read: &Read) -> Option<String> {
    let merged = said.merged(&source.read, read);
    let mut served = read.clone();
    merged.apply(&mut served).ok()?;
    let function = served.functions.iter().find(|function| function.to_string() == whole)?;
    check_tool(function, &merged.tool(function)).err()
}

/// Does what a host does with the tool, and looks at the values that its schemas show.
fn check_tool(function: &Function, said: &ToolSaid) -> Result<(), String> {
    let bounds = Bounds::default();
    let name = function.tool_name.clone();
    let descriptor = component::typed_descriptor(function, said);
    descriptor.compile(&name, Style::default(), &bounds).map_err(|refusal| refusal.reason)?;
    fits::check(&wit::input_schema(function), &bounds)?;
    fits::check(&wit::output_schema(function), &bounds)
}
