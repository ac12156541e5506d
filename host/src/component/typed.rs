//! The adapter for plain typed exports: each exported function is a tool.
//!
//! Types, schemas and JSON are `schema::wit`'s; this module moves values between its form and
//! wasmtime's, and decides nothing.

use std::collections::HashMap;

use wasmtime::component::{Component, ComponentExportIndex, InstancePre, Val};

use super::bytes_result::BytesResult;
use super::outcome::{Answer, Content, GuestFailure, Outcome, Said, Typed};
use super::{LoadError, lifted};
use crate::config::Limits;
use crate::present::text;
use crate::sandbox::{Enclosure, Guest};
use crate::schema::wit::{self, Export, Function, Returned, Value};
use crate::schema::{Arguments, Mismatch};

/// A linked component and where its functions are.
pub(crate) struct TypedExports {
    pre: InstancePre<Guest>,
    tools: HashMap<String, TypedTool>,
    result_bytes_max: usize,
}

/// A function that is a tool.
struct TypedTool {
    function: Function,
    index: ComponentExportIndex,
    /// How it is called when its result is bytes alone.
    bytes: Option<BytesResult>,
    content_only: bool,
    /// For reading its result.
    fuel: usize,
}

impl TypedExports {
    /// Finds `functions` in `component`; the flag says which give content only.
    ///
    /// # Errors
    /// When an export is not where its type says it is.
    pub(crate) fn new(
        pre: InstancePre<Guest>,
        functions: Vec<(Function, bool)>,
        limits: &Limits,
    ) -> Result<Self, LoadError> {
        let component = pre.component();
        let mut tools = HashMap::with_capacity(functions.len());
        for (function, content_only) in functions {
            let index = find(component, &function)
                .ok_or_else(|| LoadError::Link(format!("it does not export {function}")))?;
            let bytes = if function.returns_bytes() { BytesResult::of(&function) } else { None };
            let name = function.tool_name.clone();
            let fuel = lifted::fuel(&function, limits.result_bytes_max);
            tools.insert(name, TypedTool { function, index, bytes, content_only, fuel });
        }
        Ok(Self { pre, tools, result_bytes_max: limits.result_bytes_max })
    }

    pub(crate) fn pre(&self) -> &InstancePre<Guest> {
        &self.pre
    }

    /// What the host may take from a tool in one go, in wasmtime's fuel.
    pub(crate) fn fuel(&self, tool: &str) -> usize {
        self.tools.get(tool).map_or(self.result_bytes_max, |tool| tool.fuel)
    }

    /// The values of a tool's parameters.
    ///
    /// # Errors
    /// A mismatch that the schema could not see.
    pub(crate) fn prepare(
        &self,
        tool: &str,
        arguments: &Arguments,
    ) -> Result<Vec<Value>, Mismatch> {
        match self.tools.get(tool) {
            Some(found) => {
                let title = format!("{tool}Arguments");
                wit::decode_arguments(&found.function, arguments.as_map(), &title)
            }
            None => Ok(Vec::new()),
        }
    }

    /// Calls a tool on a fresh instance.
    pub(crate) async fn call(
        &self,
        mut enclosure: Enclosure,
        tool: &str,
        arguments: Vec<Value>,
    ) -> Answer {
        let (store, deadline) = enclosure.open();
        let ended = deadline
            .bind(async {
                let Some(tool) = self.tools.get(tool) else {
                    return Ok(Err(GuestFailure::NotFound(format!("no function {tool}"))));
                };
                let instance = self.pre.instantiate_async(&mut *store).await?;
                if let Some(bytes) = &tool.bytes {
                    let value = bytes.call(store, (&instance, tool.index), arguments).await?;
                    return Ok(tool.answer(Some(Value::Bytes(value)), self.result_bytes_max));
                }
                let Some(func) = instance.get_func(&mut *store, tool.index) else {
                    return Err(wasmtime::Error::msg("the export is no function"));
                };
                let arguments: Vec<Val> = arguments.into_iter().map(lower).collect();
                let mut results = match &tool.function.returns {
                    wit::Returns::Value(None) => Vec::new(),
                    wit::Returns::Value(Some(_)) | wit::Returns::Fallible { .. } => {
                        vec![Val::Bool(false)]
                    }
                };
                func.call_async(&mut *store, &arguments, &mut results).await?;
                let result = results.pop().map(lift).transpose()?;
                Ok(tool.answer(result, self.result_bytes_max))
            })
            .await;
        enclosure.close(ended)
    }
}

impl TypedTool {
    /// What the function's result says; content has at most `bytes_max` bytes.
    fn answer(&self, result: Option<Value>, bytes_max: usize) -> Result<Outcome, GuestFailure> {
        // A string that is content is up to six times as long in JSON, and quoted.
        let json_bytes_max = match self.content_only {
            true => bytes_max.saturating_mul(6).saturating_add(2),
            false => bytes_max,
        };
        match wit::encode_returned(&self.function, result.as_ref(), json_bytes_max) {
            Ok(Returned::Value(json)) if self.content_only => {
                let texts = match serde_json::from_str(&json) {
                    Ok(value) => text::of_value(&value, bytes_max),
                    Err(_not_json) => Some(vec![json]),
                };
                let said = |text| Said { what: Content::Text(text), notes: None };
                Ok(match texts {
                    Some(texts) => Outcome::Content(texts.into_iter().map(said).collect()),
                    None => Outcome::TooLarge,
                })
            }
            Ok(Returned::Value(json)) => Ok(Outcome::Value(Typed { json, exact: None })),
            Ok(Returned::Error(text)) if text.is_empty() => {
                Err(GuestFailure::Tool("the tool failed and does not say why".to_owned()))
            }
            Ok(Returned::Error(text)) => Err(GuestFailure::Tool(text)),
            Ok(Returned::TooLarge) => Ok(Outcome::TooLarge),
            Err(unpublishable) => Ok(Outcome::Unpublishable(unpublishable)),
        }
    }
}

fn find(component: &Component, function: &Function) -> Option<ComponentExportIndex> {
    let instance = match &function.export {
        Export::World => None,
        Export::Instance(name) => Some(component.get_export_index(None, name)?),
    };
    component.get_export_index(instance.as_ref(), &function.wit_name)
}

/// From the model's form to wasmtime's.
pub(super) fn lower(value: Value) -> Val {
    let boxed = |value: Option<Box<Value>>| value.map(|value| Box::new(lower(*value)));
    match value {
        Value::Bool(value) => Val::Bool(value),
        Value::S8(value) => Val::S8(value),
        Value::S16(value) => Val::S16(value),
        Value::S32(value) => Val::S32(value),
        Value::S64(value) => Val::S64(value),
        Value::U8(value) => Val::U8(value),
        Value::U16(value) => Val::U16(value),
        Value::U32(value) => Val::U32(value),
        Value::U64(value) => Val::U64(value),
        Value::F32(value) => Val::Float32(value),
        Value::F64(value) => Val::Float64(value),
        Value::Char(value) => Val::Char(value),
        Value::String(value) => Val::String(value),
        Value::Bytes(bytes) => Val::List(bytes.into_iter().map(Val::U8).collect()),
        Value::List(values) => Val::List(values.into_iter().map(lower).collect()),
        Value::FixedList(values) => Val::FixedLengthList(values.into_iter().map(lower).collect()),
        Value::Map(entries) => {
            Val::Map(entries.into_iter().map(|(key, value)| (lower(key), lower(value))).collect())
        }
        Value::Tuple(values) => Val::Tuple(values.into_iter().map(lower).collect()),
        Value::Record(fields) => {
            Val::Record(fields.into_iter().map(|(name, value)| (name, lower(value))).collect())
        }
        Value::Variant(case, payload) => Val::Variant(case, boxed(payload)),
        Value::Enum(case) => Val::Enum(case),
        Value::Flags(names) => Val::Flags(names),
        Value::Option(value) => Val::Option(boxed(value)),
        Value::Result(Ok(value)) => Val::Result(Ok(boxed(value))),
        Value::Result(Err(value)) => Val::Result(Err(boxed(value))),
    }
}

/// From wasmtime's form to the model's. Handles are refused when a component is loaded, so
/// none can be here.
fn lift(value: Val) -> wasmtime::Result<Value> {
    Ok(match value {
        Val::Bool(value) => Value::Bool(value),
        Val::S8(value) => Value::S8(value),
        Val::S16(value) => Value::S16(value),
        Val::S32(value) => Value::S32(value),
        Val::S64(value) => Value::S64(value),
        Val::U8(value) => Value::U8(value),
        Val::U16(value) => Value::U16(value),
        Val::U32(value) => Value::U32(value),
        Val::U64(value) => Value::U64(value),
        Val::Float32(value) => Value::F32(value),
        Val::Float64(value) => Value::F64(value),
        Val::Char(value) => Value::Char(value),
        Val::String(value) => Value::String(value),
        Val::List(values) => Value::List(lift_all(values)?),
        Val::FixedLengthList(values) => Value::FixedList(lift_all(values)?),
        Val::Map(entries) => Value::Map(
            entries
                .into_iter()
                .map(|(key, value)| Ok((lift(key)?, lift(value)?)))
                .collect::<wasmtime::Result<_>>()?,
        ),
        Val::Tuple(values) => Value::Tuple(lift_all(values)?),
        Val::Record(fields) => Value::Record(
            fields
                .into_iter()
                .map(|(name, value)| Ok((name, lift(value)?)))
                .collect::<wasmtime::Result<_>>()?,
        ),
        Val::Variant(case, payload) => Value::Variant(case, lift_boxed(payload)?),
        Val::Enum(case) => Value::Enum(case),
        Val::Flags(names) => Value::Flags(names),
        Val::Option(value) => Value::Option(lift_boxed(value)?),
        Val::Result(Ok(value)) => Value::Result(Ok(lift_boxed(value)?)),
        Val::Result(Err(value)) => Value::Result(Err(lift_boxed(value)?)),
        Val::Resource(_) | Val::Future(_) | Val::Stream(_) | Val::ErrorContext(_) => {
            return Err(wasmtime::Error::msg("the result holds a handle"));
        }
    })
}

fn lift_all(values: Vec<Val>) -> wasmtime::Result<Vec<Value>> {
    values.into_iter().map(lift).collect()
}

fn lift_boxed(value: Option<Box<Val>>) -> wasmtime::Result<Option<Box<Value>>> {
    value.map(|value| lift(*value).map(Box::new)).transpose()
}
