//! The exact range of each integer type, in place of formats that JSON Schema does not know.

use serde_json::{Map, Number, Value};

/// Replaces an integer's format by its type's range, unless the schema is narrower already.
pub(super) fn exact_range(object: &mut Map<String, Value>) {
    let Some((minimum, maximum)) = object.get("format").and_then(Value::as_str).and_then(range)
    else {
        return;
    };
    object.shift_remove("format");
    bound(object, "minimum", "exclusiveMinimum", minimum);
    bound(object, "maximum", "exclusiveMaximum", maximum);
}

fn bound(object: &mut Map<String, Value>, inclusive: &str, exclusive: &str, of_type: Number) {
    if !object.contains_key(exclusive) {
        object.entry(inclusive).or_insert_with(|| Value::Number(of_type));
    }
}

fn range(format: &str) -> Option<(Number, Number)> {
    let range = match format {
        "int8" => (i8::MIN.into(), i8::MAX.into()),
        "int16" => (i16::MIN.into(), i16::MAX.into()),
        "int32" => (i32::MIN.into(), i32::MAX.into()),
        "int64" => (i64::MIN.into(), i64::MAX.into()),
        "int" => (isize::MIN.into(), isize::MAX.into()),
        "uint8" => (u8::MIN.into(), u8::MAX.into()),
        "uint16" => (u16::MIN.into(), u16::MAX.into()),
        "uint32" => (u32::MIN.into(), u32::MAX.into()),
        "uint64" => (u64::MIN.into(), u64::MAX.into()),
        "uint" => (usize::MIN.into(), usize::MAX.into()),
        _ => return None,
    };
    Some(range)
}
