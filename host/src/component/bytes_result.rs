//! Functions whose result is bytes alone, called without a detour.
//!
//! As dynamic values, bytes take forty times their size and two hundred times as long. What can
//! be called with static types depends on the parameters: these are the usual ones, and a
//! function with others takes the dynamic way.

use wasmtime::Store;
use wasmtime::component::{ComponentExportIndex, ComponentNamedList, Instance, Lower};

use crate::sandbox::Guest;
use crate::schema::wit::{Function, Integer, Type, Value};

/// The parameters that a function of bytes takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BytesResult {
    None,
    String,
    Bytes,
    U32,
    U64,
    StringString,
    StringU32,
    BytesString,
    U32U32,
}

impl BytesResult {
    /// The way to call `function`, whose result is bytes; none where there is only the dynamic one.
    pub(super) fn of(function: &Function) -> Option<Self> {
        #[derive(Clone, Copy, PartialEq, Eq)]
        enum Kind {
            String,
            Bytes,
            U32,
            U64,
        }
        let kinds: Option<Vec<Kind>> = function
            .parameters
            .iter()
            .map(|parameter| match parameter.ty.plain() {
                Type::String => Some(Kind::String),
                Type::Bytes => Some(Kind::Bytes),
                Type::Integer(Integer::U32, _) => Some(Kind::U32),
                Type::Integer(Integer::U64, _) => Some(Kind::U64),
                _ => None,
            })
            .collect();
        match kinds?.as_slice() {
            [] => Some(Self::None),
            [Kind::String] => Some(Self::String),
            [Kind::Bytes] => Some(Self::Bytes),
            [Kind::U32] => Some(Self::U32),
            [Kind::U64] => Some(Self::U64),
            [Kind::String, Kind::String] => Some(Self::StringString),
            [Kind::String, Kind::U32] => Some(Self::StringU32),
            [Kind::Bytes, Kind::String] => Some(Self::BytesString),
            [Kind::U32, Kind::U32] => Some(Self::U32U32),
            _ => None,
        }
    }
}

impl BytesResult {
    /// Calls the function and returns its bytes.
    pub(super) async fn call(
        self,
        store: &mut Store<Guest>,
        instance: &Instance,
        index: ComponentExportIndex,
        arguments: Vec<Value>,
    ) -> wasmtime::Result<Vec<u8>> {
        let mut arguments = arguments.into_iter();
        let (first, second) = (arguments.next(), arguments.next());
        let at = (instance, index);
        match (self, first, second) {
            (Self::None, None, None) => run(store, at, ()).await,
            (Self::String, Some(Value::String(a)), None) => run(store, at, (a,)).await,
            (Self::Bytes, Some(Value::Bytes(a)), None) => run(store, at, (a,)).await,
            (Self::U32, Some(Value::U32(a)), None) => run(store, at, (a,)).await,
            (Self::U64, Some(Value::U64(a)), None) => run(store, at, (a,)).await,
            (Self::StringString, Some(Value::String(a)), Some(Value::String(b))) => {
                run(store, at, (a, b)).await
            }
            (Self::StringU32, Some(Value::String(a)), Some(Value::U32(b))) => {
                run(store, at, (a, b)).await
            }
            (Self::BytesString, Some(Value::Bytes(a)), Some(Value::String(b))) => {
                run(store, at, (a, b)).await
            }
            (Self::U32U32, Some(Value::U32(a)), Some(Value::U32(b))) => {
                run(store, at, (a, b)).await
            }
            (_, _, _) => {
                Err(wasmtime::Error::msg("the arguments are not of the parameters' types"))
            }
        }
    }
}

async fn run<P>(
    store: &mut Store<Guest>,
    (instance, index): (&Instance, ComponentExportIndex),
    arguments: P,
) -> wasmtime::Result<Vec<u8>>
where
    P: ComponentNamedList + Lower + Send + Sync + 'static,
{
    let function = instance.get_typed_func::<P, (Vec<u8>,)>(&mut *store, index)?;
    let (bytes,) = function.call_async(store, arguments).await?;
    Ok(bytes)
}
