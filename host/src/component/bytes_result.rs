//! Functions whose result is bytes alone, called without a detour.
//!
//! As dynamic values, bytes take forty times their size and two hundred times as long. Wasmtime
//! calls with static types only where the types of all parameters are known when the host is
//! compiled: here those of up to two parameters that are no compound. A function with others takes
//! the dynamic way.

use wasmtime::Store;
use wasmtime::component::{
    ComponentExportIndex, ComponentNamedList, ComponentType, Instance, Lower,
};

use crate::sandbox::Guest;
use crate::schema::wit::{Function, Integer, Type, Value};

/// A function whose result is bytes, and whose parameters have static types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BytesResult(());

/// Parameters that there are static types for.
const PARAMETERS_MAX: usize = 2;

/// A function in an instance.
type Place<'a> = (&'a Instance, ComponentExportIndex);

impl BytesResult {
    /// The way to call `function`, whose result is bytes; none where there is only the dynamic one.
    pub(super) fn of(function: &Function) -> Option<Self> {
        let parameters = &function.parameters;
        let all = parameters.iter().all(|parameter| is_static(parameter.ty.plain()));
        (parameters.len() <= PARAMETERS_MAX && all).then_some(Self(()))
    }

    /// Calls the function and returns its bytes.
    pub(super) async fn call(
        self,
        store: &mut Store<Guest>,
        place: Place<'_>,
        arguments: Vec<Value>,
    ) -> wasmtime::Result<Vec<u8>> {
        let mut arguments = arguments.into_iter();
        let (first, second) = (arguments.next(), arguments.next());
        match first {
            None => run(store, place, ()).await,
            Some(Value::Bool(first)) => with_first(store, place, first, second).await,
            Some(Value::S32(first)) => with_first(store, place, first, second).await,
            Some(Value::S64(first)) => with_first(store, place, first, second).await,
            Some(Value::U32(first)) => with_first(store, place, first, second).await,
            Some(Value::U64(first)) => with_first(store, place, first, second).await,
            Some(Value::F64(first)) => with_first(store, place, first, second).await,
            Some(Value::String(first)) => with_first(store, place, first, second).await,
            Some(Value::Bytes(first)) => with_first(store, place, first, second).await,
            Some(_) => Err(not_static()),
        }
    }
}

/// Whether values of `ty` are passed as one of the types in [`BytesResult::call`].
fn is_static(ty: &Type) -> bool {
    match ty {
        Type::Bool | Type::F64 | Type::String | Type::Bytes => true,
        Type::Integer(integer, _) => match integer {
            Integer::S32 | Integer::S64 | Integer::U32 | Integer::U64 => true,
            Integer::S8 | Integer::S16 | Integer::U8 | Integer::U16 => false,
        },
        Type::Char
        | Type::F32
        | Type::List(_)
        | Type::FixedList(..)
        | Type::Pairs(_)
        | Type::Map(_)
        | Type::Tuple(_)
        | Type::Option(_)
        | Type::Result(_)
        | Type::Named(_)
        | Type::Alias(_) => false,
    }
}

async fn with_first<A>(
    store: &mut Store<Guest>,
    place: Place<'_>,
    first: A,
    second: Option<Value>,
) -> wasmtime::Result<Vec<u8>>
where
    A: ComponentType + Lower + Send + Sync + 'static,
{
    match second {
        None => run(store, place, (first,)).await,
        Some(Value::Bool(second)) => run(store, place, (first, second)).await,
        Some(Value::S32(second)) => run(store, place, (first, second)).await,
        Some(Value::S64(second)) => run(store, place, (first, second)).await,
        Some(Value::U32(second)) => run(store, place, (first, second)).await,
        Some(Value::U64(second)) => run(store, place, (first, second)).await,
        Some(Value::F64(second)) => run(store, place, (first, second)).await,
        Some(Value::String(second)) => run(store, place, (first, second)).await,
        Some(Value::Bytes(second)) => run(store, place, (first, second)).await,
        Some(_) => Err(not_static()),
    }
}

async fn run<P>(
    store: &mut Store<Guest>,
    (instance, index): Place<'_>,
    arguments: P,
) -> wasmtime::Result<Vec<u8>>
where
    P: ComponentNamedList + Lower + Send + Sync + 'static,
{
    let function = instance.get_typed_func::<P, (Vec<u8>,)>(&mut *store, index)?;
    let (bytes,) = function.call_async(store, arguments).await?;
    Ok(bytes)
}

fn not_static() -> wasmtime::Error {
    wasmtime::Error::msg("the arguments are not of the parameters' types")
}
