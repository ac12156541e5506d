//! Parameters: how a type becomes a property of the input schema, and an argument a value.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::arguments::{self, Arguments};
use crate::call::Call;
use crate::error::Error;
use crate::finite;
use crate::schema::constraint::Constraint;
use crate::schema::inputs::{Inputs, Property};

/// What the author wrote about a parameter beside its type.
#[derive(Clone, Copy)]
pub struct Spec<'a> {
    /// The published name.
    pub name: &'static str,
    /// A name for people.
    pub title: Option<&'static str>,
    /// The HTTP header that clients send the argument in as well, after `Mcp-Param-`.
    pub header: Option<&'static str>,
    /// The lines of the doc comment.
    pub docs: &'static [&'static str],
    /// Ranges, lengths, patterns.
    pub constraints: &'a [Constraint],
}

/// A type that a parameter of a tool can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter of a tool",
    label = "an argument cannot be read into this type",
    note = "arguments come as JSON and are owned: add `#[derive(serde::Deserialize, schemars::JsonSchema)]` to every type of your own in `{Self}`"
)]
pub trait Parameter<'call>: Sized {
    /// Adds the parameter to the input schema.
    ///
    /// # Errors
    /// When what the author wrote does not fit the type.
    fn publish(inputs: &mut Inputs, spec: Spec<'_>, default: Option<Value>) -> Result<(), String>;

    /// Takes the parameter's argument; none: it is not there, and the type needs one.
    ///
    /// # Errors
    /// When the argument is no value of the type.
    fn take(
        arguments: &mut Arguments,
        call: &'call Call,
        name: &str,
    ) -> Result<Option<Self>, Error>;
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> Parameter<'_> for T {
    fn publish(inputs: &mut Inputs, spec: Spec<'_>, default: Option<Value>) -> Result<(), String> {
        let property = Property {
            schema: inputs.subschema::<T>(),
            required: default.is_none() && arguments::absent::<T>().is_none(),
            default,
        };
        inputs.add(spec, property)
    }

    fn take(arguments: &mut Arguments, _: &Call, name: &str) -> Result<Option<T>, Error> {
        match arguments.take(name)? {
            Some(value) => Ok(Some(value)),
            None => Ok(arguments::absent()),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<'call> Parameter<'call> for &'call Call {
    fn publish(_: &mut Inputs, spec: Spec<'_>, default: Option<Value>) -> Result<(), String> {
        only_facts(spec, default.as_ref())
    }

    fn take(_: &mut Arguments, call: &'call Call, _: &str) -> Result<Option<Self>, Error> {
        Ok(Some(call))
    }
}

#[diagnostic::do_not_recommend]
impl Parameter<'_> for Call {
    fn publish(_: &mut Inputs, spec: Spec<'_>, default: Option<Value>) -> Result<(), String> {
        only_facts(spec, default.as_ref())
    }

    fn take(_: &mut Arguments, call: &Call, _: &str) -> Result<Option<Self>, Error> {
        Ok(Some(call.clone()))
    }
}

fn only_facts(spec: Spec<'_>, default: Option<&Value>) -> Result<(), String> {
    if default.is_some() || !spec.constraints.is_empty() || spec.header.is_some() {
        let none = "the facts of the call have no default, no constraints and no header";
        return Err(none.to_owned());
    }
    Ok(())
}

/// What becomes of a parameter: the one place that asks its type for all that it needs, so that a
/// type which lacks it is told once.
pub struct Handle<'call, T> {
    publish: fn(&mut Inputs, Spec<'_>, Option<Value>) -> Result<(), String>,
    take: fn(&mut Arguments, &'call Call, &str) -> Result<Option<T>, Error>,
}

/// What becomes of a parameter of this type.
#[must_use]
pub fn parameter<'call, T: Parameter<'call>>() -> Handle<'call, T> {
    Handle { publish: T::publish, take: T::take }
}

impl<'call, T> Handle<'call, T> {
    /// Adds a parameter that has no default.
    ///
    /// # Errors
    /// When what the author wrote does not fit the type.
    pub fn publish(&self, inputs: &mut Inputs, spec: Spec<'_>) -> Result<(), String> {
        (self.publish)(inputs, spec, None)
    }

    /// Adds a parameter with its default.
    ///
    /// # Errors
    /// When what the author wrote does not fit the type.
    pub fn publish_with_default(
        &self,
        inputs: &mut Inputs,
        spec: Spec<'_>,
        default: Result<T, String>,
    ) -> Result<(), String>
    where
        T: Published,
    {
        let value = default.and_then(|it| it.published());
        let value = value.map_err(|error| format!("the default of `{}`: {error}", spec.name))?;
        (self.publish)(inputs, spec, Some(value))
    }

    /// Takes the argument of a parameter that has no default.
    ///
    /// # Errors
    /// When there is none, or it is no value of the type.
    pub fn take(
        &self,
        arguments: &mut Arguments,
        call: &'call Call,
        name: &str,
    ) -> Result<T, Error> {
        (self.take)(arguments, call, name)?
            .ok_or_else(|| Error::invalid_arguments(format_args!("argument `{name}` is missing")))
    }

    /// Takes the argument of a parameter that has a default.
    ///
    /// # Errors
    /// When it is no value of the type.
    pub fn take_or(
        &self,
        arguments: &mut Arguments,
        call: &'call Call,
        name: &str,
        default: impl FnOnce() -> Result<T, String>,
    ) -> Result<T, Error> {
        if arguments.has(name) {
            return self.take(arguments, call, name);
        }
        default().map_err(|error| Error::internal(format_args!("the default of `{name}`: {error}")))
    }
}

/// A default written as a string literal: read as an argument would be, so that it does for
/// strings, options of strings and enums alike.
///
/// # Errors
/// When the text is no value of the type.
pub fn from_text<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    T::deserialize(Value::from(text)).map_err(|error| error.to_string())
}

/// A default that the schema can show.
#[diagnostic::on_unimplemented(
    message = "a default of type `{Self}` cannot be published",
    label = "the type of this parameter cannot be written as JSON",
    note = "the schema shows the default: add `#[derive(serde::Serialize)]` to `{Self}`"
)]
pub trait Published {
    /// The default as JSON.
    ///
    /// # Errors
    /// When it cannot be written.
    fn published(&self) -> Result<Value, String>;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize> Published for T {
    fn published(&self) -> Result<Value, String> {
        finite::check(self)?;
        serde_json::to_value(self).map_err(|error| error.to_string())
    }
}
