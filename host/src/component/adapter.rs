//! The two ways to be a tool, as the pipeline sees them: one.
//!
//! An adapter translates; the stages before and after it are the same for both.

use wasmtime::component::InstancePre;

use super::outcome::Answer;
use super::{Facts, Provider, TypedExports};
use crate::config::Limits;
use crate::sandbox::{Enclosure, Guest};
use crate::schema::wit::Value;
use crate::schema::{Arguments, Mismatch};

/// How a component is called.
pub(crate) enum Adapter {
    /// Through `portcullis:guest/tools`.
    Provider(Provider),
    /// Function by function.
    Typed(TypedExports),
}

/// A call that is ready for its store.
pub(crate) enum Prepared<'a> {
    Provider(&'a Provider, String),
    Typed(&'a TypedExports, Vec<Value>),
}

impl Adapter {
    pub(crate) fn pre(&self) -> &InstancePre<Guest> {
        match self {
            Self::Provider(provider) => provider.pre(),
            Self::Typed(exports) => exports.pre(),
        }
    }

    /// What the host may take from the guest in one go, in wasmtime's fuel.
    pub(crate) fn fuel(&self, tool: &str, limits: &Limits) -> usize {
        match self {
            Self::Provider(_) => limits.result_bytes_max,
            Self::Typed(exports) => exports.fuel(tool),
        }
    }

    /// Puts arguments into the form that the component takes.
    ///
    /// # Errors
    /// A mismatch that the schema could not see.
    pub(crate) fn prepare(
        &self,
        tool: &str,
        arguments: &Arguments,
    ) -> Result<Prepared<'_>, Mismatch> {
        match self {
            Self::Provider(provider) => Ok(Prepared::Provider(provider, arguments.to_json())),
            Self::Typed(exports) => Ok(Prepared::Typed(exports, exports.prepare(tool, arguments)?)),
        }
    }
}

impl Prepared<'_> {
    /// Calls the tool on a fresh instance.
    pub(crate) async fn call(self, enclosure: Enclosure, tool: &str, facts: Facts) -> Answer {
        match self {
            Self::Provider(provider, json) => provider.call(enclosure, tool, &json, facts).await,
            Self::Typed(exports, values) => exports.call(enclosure, tool, values).await,
        }
    }
}
