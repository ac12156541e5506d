//! Random values, with the edges of each type among them.

use super::random::Random;
use crate::generated::{Ty, Value};

/// Characters that are easily lost or taken for something else.
const CHARACTERS: [char; 20] = [
    'a',
    'Z',
    '0',
    ' ',
    '"',
    '\\',
    '/',
    '\n',
    '\t',
    '\0',
    '\u{1b}',
    '\u{7f}',
    '\u{85}',
    'ü',
    '\u{2028}',
    '\u{202e}',
    '\u{200d}',
    '東',
    '\u{feff}',
    '\u{1f327}',
];
/// Texts that look like something else.
const TEXTS: [&str; 8] =
    ["", "null", "1", "true", "[1]", "{\"type\":\"text\"}", "\\u{202e}", "{\"some\":null}"];
const DOUBLES: [f64; 12] = [
    0.0,
    -0.0,
    1.0,
    -1.5,
    0.1,
    1e16,
    1e-7,
    1e300,
    5e-324,
    f64::MAX,
    f64::MIN,
    9_007_199_254_740_993.0,
];
const SINGLES: [f32; 9] =
    [0.0, -0.0, 1.0, -1.5, 0.1, 16_777_216.0, 1e-45, f32::MAX, f32::MIN_POSITIVE];

/// Any value of a type.
pub(super) fn any(random: &mut Random, ty: &Ty) -> Value {
    let boxed = |random: &mut Random, ty: &Ty| Box::new(any(random, ty));
    match ty {
        Ty::Bool => Value::Bool(random.once_in(2)),
        Ty::Char => Value::Char(*random.pick(&CHARACTERS)),
        Ty::String => Value::String(text(random)),
        Ty::Integer(integer) => {
            let (least, greatest) = integer.range();
            let near = [least, greatest, 0, 1, least + 1, greatest - 1];
            let within = least + i128::from(random.next()) % (greatest - least + 1);
            Value::Integer(if random.once_in(2) { *random.pick(&near) } else { within })
        }
        Ty::F32 => loop {
            let any = f32::from_bits((random.next() >> 32) as u32);
            let float = if random.once_in(2) { *random.pick(&SINGLES) } else { any };
            if float.is_finite() {
                break Value::F32(float);
            }
        },
        Ty::F64 => loop {
            let any = f64::from_bits(random.next());
            let float = if random.once_in(2) { *random.pick(&DOUBLES) } else { any };
            if float.is_finite() {
                break Value::F64(float);
            }
        },
        Ty::List(element) => {
            Value::List((0..random.below(4)).map(|_| any(random, element)).collect())
        }
        Ty::Map(key, of) => {
            let mut entries: Vec<(Value, Value)> = Vec::new();
            for _ in 0..random.below(4) {
                let key = any(random, key);
                if entries.iter().all(|(known, _)| *known != key) {
                    entries.push((key, any(random, of)));
                }
            }
            Value::Map(entries)
        }
        Ty::Tuple(types) => Value::Fields(types.iter().map(|ty| any(random, ty)).collect()),
        Ty::Record(_, fields) => {
            Value::Fields(fields.iter().map(|(_, ty)| any(random, ty)).collect())
        }
        Ty::Option(some) => Value::Option((!random.once_in(3)).then(|| boxed(random, some))),
        Ty::Result(ok, err) => {
            let index = random.below(2);
            let payload = if index == 0 { ok } else { err };
            Value::Case(index, payload.as_ref().map(|ty| boxed(random, ty)))
        }
        Ty::Variant(_, cases) => {
            let index = random.below(cases.len());
            Value::Case(index, cases[index].1.as_ref().map(|ty| boxed(random, ty)))
        }
        Ty::Enum(_, names) => Value::Case(random.below(names.len()), None),
        Ty::Flags(_, names) => Value::Flags(names.iter().map(|_| random.once_in(2)).collect()),
    }
}

fn text(random: &mut Random) -> String {
    if random.once_in(3) {
        return (*random.pick(&TEXTS)).to_owned();
    }
    (0..random.below(6)).map(|_| *random.pick(&CHARACTERS)).collect()
}
