//! JSON text whose root may be one long string.
//!
//! serde_json looks at each byte of a string. One that is the whole result may have a million, and mostly none
//! that JSON escapes: it is looked at eight bytes at a time, and copied once.

use std::cell::{Cell, RefCell};
use std::fmt::{self, Display, Write as _};
use std::io;

use serde::ser::Serialize;
use serde_json::ser::{Compound, Formatter, Serializer};

/// The text of `value`, and whether a null is in it.
///
/// # Errors
/// Those of the value's own `Serialize`.
pub(crate) fn write<T: Serialize + ?Sized>(value: &T) -> serde_json::Result<(Vec<u8>, bool)> {
    let (text, has_null) = (RefCell::default(), Cell::new(false));
    let mut rest = Serializer::with_formatter(Out(&text), Nulls(&has_null));
    value.serialize(Root { text: &text, rest: &mut rest })?;
    Ok((text.into_inner(), has_null.get()))
}

/// Where the text goes.
struct Out<'a>(&'a RefCell<Vec<u8>>);

/// Compact JSON that notes whether a null was written.
struct Nulls<'a>(&'a Cell<bool>);

/// Writes a string itself, and leaves all else to serde_json.
struct Root<'a> {
    text: &'a RefCell<Vec<u8>>,
    rest: &'a mut Serializer<Out<'a>, Nulls<'a>>,
}

impl io::Write for Out<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Formatter for Nulls<'_> {
    fn write_null<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.set(true);
        writer.write_all(b"null")
    }
}

/// Whether JSON has nothing in `text` to escape: no byte below 0x20, no quote, no backslash.
fn is_as_in_json(text: &str) -> bool {
    const ONES: u64 = u64::MAX / 255;
    const HIGH: u64 = ONES << 7;
    let is_any = |eight: u64, byte: u8| {
        let differs = eight ^ (ONES * u64::from(byte));
        differs.wrapping_sub(ONES) & !differs & HIGH != 0
    };
    let is_any_below = |eight: u64| eight.wrapping_sub(ONES * 0x20) & !eight & HIGH != 0;
    let (eights, rest) = text.as_bytes().as_chunks::<8>();
    eights.iter().all(|eight| {
        let eight = u64::from_le_bytes(*eight);
        !(is_any_below(eight) || is_any(eight, b'"') || is_any(eight, b'\\'))
    }) && rest.iter().all(|byte| *byte >= 0x20 && *byte != b'"' && *byte != b'\\')
}

/// A string that is shown piece by piece, as long as its pieces are as in JSON.
struct Pieces<'a>(&'a mut Vec<u8>);

impl fmt::Write for Pieces<'_> {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        if !is_as_in_json(piece) {
            return Err(fmt::Error);
        }
        self.0.extend_from_slice(piece.as_bytes());
        Ok(())
    }
}

macro_rules! left_to_serde_json {
    ($($method:ident($($name:ident: $ty:ty),*) -> $of:ty;)*) => {
        $(fn $method(self $(, $name: $ty)*) -> serde_json::Result<$of> {
            self.rest.$method($($name),*)
        })*
    };
}

type Many<'a> = Compound<'a, Out<'a>, Nulls<'a>>;

impl<'a> serde::Serializer for Root<'a> {
    type Ok = ();
    type Error = serde_json::Error;
    type SerializeSeq = Many<'a>;
    type SerializeTuple = Many<'a>;
    type SerializeTupleStruct = Many<'a>;
    type SerializeTupleVariant = Many<'a>;
    type SerializeMap = Many<'a>;
    type SerializeStruct = Many<'a>;
    type SerializeStructVariant = Many<'a>;

    fn serialize_str(self, text: &str) -> serde_json::Result<()> {
        if !is_as_in_json(text) {
            return self.rest.serialize_str(text);
        }
        let mut out = self.text.borrow_mut();
        out.reserve_exact(text.len() + 2);
        out.push(b'"');
        out.extend_from_slice(text.as_bytes());
        out.push(b'"');
        Ok(())
    }

    fn collect_str<T: Display + ?Sized>(self, shown: &T) -> serde_json::Result<()> {
        let mut out = self.text.borrow_mut();
        out.push(b'"');
        if write!(Pieces(&mut out), "{shown}").is_ok() {
            out.push(b'"');
            return Ok(());
        }
        out.clear();
        drop(out);
        self.rest.collect_str(shown)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> serde_json::Result<()> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> serde_json::Result<()> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> serde_json::Result<()> {
        self.rest.serialize_newtype_variant(name, index, variant, value)
    }

    left_to_serde_json! {
        serialize_bool(value: bool) -> ();
        serialize_i8(value: i8) -> ();
        serialize_i16(value: i16) -> ();
        serialize_i32(value: i32) -> ();
        serialize_i64(value: i64) -> ();
        serialize_i128(value: i128) -> ();
        serialize_u8(value: u8) -> ();
        serialize_u16(value: u16) -> ();
        serialize_u32(value: u32) -> ();
        serialize_u64(value: u64) -> ();
        serialize_u128(value: u128) -> ();
        serialize_f32(value: f32) -> ();
        serialize_f64(value: f64) -> ();
        serialize_char(value: char) -> ();
        serialize_bytes(value: &[u8]) -> ();
        serialize_none() -> ();
        serialize_unit() -> ();
        serialize_unit_struct(name: &'static str) -> ();
        serialize_unit_variant(name: &'static str, index: u32, variant: &'static str) -> ();
        serialize_seq(length: Option<usize>) -> Many<'a>;
        serialize_tuple(length: usize) -> Many<'a>;
        serialize_tuple_struct(name: &'static str, length: usize) -> Many<'a>;
        serialize_tuple_variant(
            name: &'static str, index: u32, variant: &'static str, length: usize
        ) -> Many<'a>;
        serialize_map(length: Option<usize>) -> Many<'a>;
        serialize_struct(name: &'static str, length: usize) -> Many<'a>;
        serialize_struct_variant(
            name: &'static str, index: u32, variant: &'static str, length: usize
        ) -> Many<'a>;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Serialize;

    use super::*;

    fn is_as_serde_json_has_it(value: &impl Serialize) {
        let (text, has_null) = write(value).unwrap();
        let expected = serde_json::to_string(value).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), expected);
        let value: serde_json::Value = serde_json::from_str(&expected).unwrap();
        fn nulls(value: &serde_json::Value) -> bool {
            match value {
                serde_json::Value::Array(items) => items.iter().any(nulls),
                serde_json::Value::Object(entries) => entries.values().any(nulls),
                value => value.is_null(),
            }
        }
        assert_eq!(has_null, nulls(&value), "{expected}");
    }

    #[test]
    fn strings_are_as_serde_json_writes_them() {
        for special in (0..=0x10f).filter_map(char::from_u32).chain(['€', '😀', '\u{2028}']) {
            for before in 0..10 {
                let text = format!("{}{special}{}", "x".repeat(before), "ü".repeat(9));
                is_as_serde_json_has_it(&text);
                is_as_serde_json_has_it(&Shown(&text));
                is_as_serde_json_has_it(&Some(&text));
            }
        }
        is_as_serde_json_has_it(&"");
        is_as_serde_json_has_it(&special_of_no_text());
    }

    /// What no string is.
    fn special_of_no_text() -> impl Serialize {
        #[derive(Serialize)]
        struct Record {
            text: Option<String>,
            list: (i8, u64, f64, char, bool),
            unit: (),
            map: BTreeMap<u8, Vec<Cases>>,
        }
        #[derive(Serialize)]
        enum Cases {
            Unit,
            New(&'static str),
            Tuple(f32, i128),
            Struct { a: Option<f64> },
        }
        let cases = vec![
            Cases::Unit,
            Cases::New("\"\\\n"),
            Cases::Tuple(1.5, i128::MAX),
            Cases::Struct { a: Some(-0.0) },
        ];
        Record {
            text: None,
            list: (-1, u64::MAX, 1e300, '"', true),
            unit: (),
            map: BTreeMap::from([(1, cases), (2, vec![])]),
        }
    }

    struct Shown<'a>(&'a str);

    impl Serialize for Shown<'_> {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            // In two pieces, so that the second may be one that is escaped.
            let middle = self.0.floor_char_boundary(self.0.len() / 2);
            let (first, second) = self.0.split_at(middle);
            serializer.collect_str(&format_args!("{first}{second}"))
        }
    }

    #[test]
    fn roots_of_each_kind_are_as_serde_json_writes_them() {
        is_as_serde_json_has_it(&1);
        is_as_serde_json_has_it(&f64::NAN);
        is_as_serde_json_has_it(&());
        is_as_serde_json_has_it(&None::<u8>);
        is_as_serde_json_has_it(&Some(1.5));
        is_as_serde_json_has_it(&'"');
        is_as_serde_json_has_it(&vec![Some(1), None]);
        is_as_serde_json_has_it(&(1, "a"));
        is_as_serde_json_has_it(&BTreeMap::from([("a", [1, 2])]));
        is_as_serde_json_has_it(&Result::<u8, &str>::Err("\u{1}"));
    }
}
