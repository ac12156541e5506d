//! How much of the host's memory a value takes while it is read from a guest.
//!
//! Wasmtime counts what it reads as fuel: 40 bytes for each value that another one holds, and the
//! bytes of strings and names. What it allocates is more, and how much more depends on the type:
//! a set of flags with short names takes 25 times its fuel. A guest can give one piece of its memory
//! a thousand times over, so this is what bounds a result (threat 21).

use crate::schema::wit::{Case, Definition, Function, Returns, Type};

/// Bytes of the host that a result may take for each byte that it may have in JSON.
const BYTES_FOR_EACH: usize = 14;
/// Bytes of a value within another one, and the fuel for it.
const VALUE: i64 = 40;
/// Bytes of a string within another value.
const STRING: i64 = 24;
/// More than any value may take: there are values for which a rate is too low.
const FAR: i64 = 1 << 40;

/// The fuel for a call of this function, whose result may have so many bytes in JSON.
pub(super) fn fuel(function: &Function, result_bytes_max: usize) -> usize {
    result_bytes_max.saturating_mul(BYTES_FOR_EACH) / rate(&function.returns)
}

/// How many bytes a unit of fuel stands for, so that no result takes more than its fuel, however
/// often a list repeats what is in it.
fn rate(returns: &Returns) -> usize {
    /// No type needs more: for one flag of one letter, 80 bytes.
    const RATE_MAX: u8 = 80;
    let types: Vec<&Type> = match returns {
        Returns::Value(ty) => ty.iter().collect(),
        Returns::Fallible { ok, err } => ok.iter().chain(err).collect(),
    };
    let covers =
        |rate: &u8| types.iter().all(|ty| Rate(i64::from(*rate)).beside(ty, Times::One) <= 0);
    usize::from((1..RATE_MAX).find(covers).unwrap_or(RATE_MAX))
}

/// Bytes for each unit of fuel.
#[derive(Clone, Copy)]
struct Rate(i64);

/// How often a type is in a result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Times {
    /// So that all that counts is what has no end: lists and strings.
    One,
    /// As often as some list says.
    Many,
}

impl Rate {
    /// By how many bytes a value of `ty` takes more than its fuel, at worst, beside what its place in
    /// another value takes; less than 0 if it always takes less.
    fn beside(self, ty: &Type, times: Times) -> i64 {
        // What it takes whatever is in it, against its fuel.
        let own = |bytes: i64, fuel: i64| match times {
            Times::One => 0,
            Times::Many => bytes - self.0 * fuel,
        };
        let all = |types: &mut dyn Iterator<Item = &Type>| -> i64 {
            types.map(|ty| self.beside(ty, times)).sum()
        };
        let named = |name: &str| own(chunk(bytes(name)), bytes(name));
        let boxed = |ty: Option<&Type>| {
            ty.map_or(0, |ty| own(chunk(VALUE), VALUE) + self.beside(ty, times))
        };
        match ty {
            Type::Bool | Type::Char | Type::Integer(..) | Type::F32 | Type::F64 => 0,
            // Latin-1 is twice as long in UTF-8.
            Type::String if self.0 < 2 => FAR,
            Type::String => own(chunk(1), 1).max(0),
            Type::Bytes => self.list(0, times),
            Type::List(element) => self.list(self.beside(element, Times::Many), times),
            Type::Pairs(entry) => {
                let pair = vector(2, VALUE) - self.0 * 2 * VALUE;
                self.list(pair + self.entry(&entry.key, &entry.value), times)
            }
            Type::Map(entry) => self.list((self.entry(&entry.key, &entry.value) + 1) / 2, times),
            Type::FixedList(element, length) => {
                let length = i64::from(*length);
                let elements = length * self.beside(element, Times::Many);
                elements.max(0) + own(vector(length, VALUE), length * VALUE)
            }
            Type::Tuple(types) => {
                let length = count(types);
                own(vector(length, VALUE), length * VALUE) + all(&mut types.iter())
            }
            Type::Option(ty) => boxed(Some(ty)).max(0),
            Type::Result(either) => boxed(either.ok.as_ref()).max(boxed(either.err.as_ref())),
            Type::Named(ty) => match &ty.definition {
                Definition::Record(fields) => {
                    let length = count(fields);
                    let names: i64 = fields.iter().map(|field| named(&field.wit_name)).sum();
                    own(vector(length, STRING + VALUE), length * VALUE)
                        + names
                        + all(&mut fields.iter().map(|field| &field.ty))
                }
                Definition::Variant(cases) => {
                    let case = |case: &Case| named(&case.name) + boxed(case.payload.as_ref());
                    cases.iter().map(case).max().unwrap_or(0)
                }
                Definition::Enum(labels) => {
                    labels.iter().map(|label| named(&label.name)).max().unwrap_or(0)
                }
                Definition::Flags(labels) => {
                    let names: i64 = labels.iter().map(|label| named(&label.name).max(0)).sum();
                    own(vector(count(labels), STRING), 0) + names
                }
            },
            Type::Alias(alias) => self.beside(&alias.ty, times),
        }
    }

    fn entry(self, key: &Type, value: &Type) -> i64 {
        self.beside(key, Times::Many) + self.beside(value, Times::Many)
    }

    /// The same of a list whose elements take so much more than their fuel beside their place in it.
    fn list(self, element: i64, times: Times) -> i64 {
        // Where it is long, its room is what is in it: what is beyond was never touched.
        if element + VALUE > self.0 * VALUE {
            return FAR;
        }
        // Room doubles as it grows, so that the worst lengths are one above a power of two.
        let of = |length: i64| vector(length, VALUE) + length * (element - self.0 * VALUE);
        match times {
            Times::One => 0,
            Times::Many => [0, 1, 5, 9, 17, 33, 65].into_iter().map(of).max().unwrap_or(0),
        }
    }
}

/// Bytes of a vector that grew to this length.
fn vector(length: i64, element: i64) -> i64 {
    let room = u64::try_from(length).unwrap_or(0).max(4).next_power_of_two();
    if length == 0 { 0 } else { chunk(i64::try_from(room).unwrap_or(FAR).saturating_mul(element)) }
}

/// Bytes that the C library's allocator takes for so many.
fn chunk(bytes: i64) -> i64 {
    if bytes == 0 { 0 } else { (bytes.saturating_add(8 + 15) / 16 * 16).max(32) }
}

fn count<T>(all: &[T]) -> i64 {
    i64::try_from(all.len()).unwrap_or(FAR)
}

fn bytes(name: &str) -> i64 {
    count(name.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::wit::testing::function;

    /// By hand, for 64-bit machines and glibc.
    #[test]
    fn a_rate_is_what_a_type_takes_at_worst() {
        for (ty, expected) in [
            ("u64", 1),
            ("list<u64>", 1),
            ("list<u8>", 1),
            ("string", 2),
            // 40 and 32 bytes for 40 and 1 of fuel.
            ("list<string>", 2),
            // A list of one: 40 and 4 * 40 + 16 bytes for 80 of fuel.
            ("list<list<u64>>", 3),
            // 40 and 48 bytes for 80 of fuel.
            ("list<option<u64>>", 2),
            ("option<list<u64>>", 1),
        ] {
            let function = function(&format!("f: func() -> {ty};"));
            assert_eq!(rate(&function.returns), expected, "{ty}");
        }
    }
}
