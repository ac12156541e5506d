//! The search for numbers that JSON has no word for.
//!
//! serde_json writes NaN and infinities as null, which reads like a value that was left out. So
//! the value is walked once more wherever a null was written.

use std::fmt::{self, Display};

use serde::ser::{self, Serialize, Serializer};

/// Fails with the path of the first number that is not finite.
pub(crate) fn check<T: Serialize + ?Sized>(value: &T) -> Result<(), String> {
    let mut walk = Walk::default();
    match value.serialize(&mut walk) {
        Err(Stop::At(found)) => Err(found),
        // Any other failure is serde_json's to tell.
        Ok(()) | Err(Stop::Other) => Ok(()),
    }
}

#[derive(Default)]
struct Walk {
    path: Vec<String>,
}

#[derive(Debug)]
enum Stop {
    At(String),
    Other,
}

impl Walk {
    fn number(&self, number: f64) -> Result<(), Stop> {
        if number.is_finite() {
            return Ok(());
        }
        let found = if number.is_nan() { "NaN" } else { "infinite" };
        let place = match self.path.join(".") {
            path if path.is_empty() => "the value".to_owned(),
            path => format!("`{path}`"),
        };
        Err(Stop::At(format!("{place} is {found}, which JSON has no number for")))
    }

    fn enter<T: Serialize + ?Sized>(&mut self, step: String, value: &T) -> Result<(), Stop> {
        self.path.push(step);
        value.serialize(&mut *self)?;
        self.path.pop();
        Ok(())
    }
}

impl Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not finite")
    }
}

impl std::error::Error for Stop {}

impl ser::Error for Stop {
    fn custom<T: Display>(_: T) -> Self {
        Self::Other
    }
}

macro_rules! nothing_to_find {
    ($($method:ident($($ty:ty),*);)*) => {
        $(fn $method(self $(, _: $ty)*) -> Result<(), Stop> {
            Ok(())
        })*
    };
}

impl<'a> Serializer for &'a mut Walk {
    type Ok = ();
    type Error = Stop;
    type SerializeSeq = Elements<'a>;
    type SerializeTuple = Elements<'a>;
    type SerializeTupleStruct = Elements<'a>;
    type SerializeTupleVariant = Elements<'a>;
    type SerializeMap = Entries<'a>;
    type SerializeStruct = Entries<'a>;
    type SerializeStructVariant = Entries<'a>;

    nothing_to_find! {
        serialize_bool(bool);
        serialize_i8(i8);
        serialize_i16(i16);
        serialize_i32(i32);
        serialize_i64(i64);
        serialize_i128(i128);
        serialize_u8(u8);
        serialize_u16(u16);
        serialize_u32(u32);
        serialize_u64(u64);
        serialize_u128(u128);
        serialize_char(char);
        serialize_str(&str);
        serialize_bytes(&[u8]);
        serialize_none();
        serialize_unit();
        serialize_unit_struct(&'static str);
        serialize_unit_variant(&'static str, u32, &'static str);
    }

    fn serialize_f32(self, number: f32) -> Result<(), Stop> {
        self.number(number.into())
    }

    fn serialize_f64(self, number: f64) -> Result<(), Stop> {
        self.number(number)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Stop> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Stop> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Stop> {
        self.enter(variant.to_owned(), value)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Elements<'a>, Stop> {
        Ok(Elements::new(self, None))
    }

    fn serialize_tuple(self, _: usize) -> Result<Elements<'a>, Stop> {
        Ok(Elements::new(self, None))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Elements<'a>, Stop> {
        Ok(Elements::new(self, None))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Elements<'a>, Stop> {
        Ok(Elements::new(self, Some(variant)))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Entries<'a>, Stop> {
        Ok(Entries::new(self, None))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Entries<'a>, Stop> {
        Ok(Entries::new(self, None))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Entries<'a>, Stop> {
        Ok(Entries::new(self, Some(variant)))
    }
}

/// Within a list.
struct Elements<'a> {
    walk: &'a mut Walk,
    next: usize,
    depth: usize,
}

impl<'a> Elements<'a> {
    fn new(walk: &'a mut Walk, variant: Option<&str>) -> Self {
        let depth = walk.path.len();
        walk.path.extend(variant.map(str::to_owned));
        Self { walk, next: 0, depth }
    }

    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Stop> {
        let index = self.next.to_string();
        self.next += 1;
        self.walk.enter(index, value)
    }

    fn leave(self) {
        self.walk.path.truncate(self.depth);
    }
}

/// Within an object.
struct Entries<'a> {
    walk: &'a mut Walk,
    key: String,
    depth: usize,
}

impl<'a> Entries<'a> {
    fn new(walk: &'a mut Walk, variant: Option<&str>) -> Self {
        let depth = walk.path.len();
        walk.path.extend(variant.map(str::to_owned));
        Self { walk, key: String::new(), depth }
    }

    fn leave(self) {
        self.walk.path.truncate(self.depth);
    }
}

macro_rules! elements {
    ($($form:ident::$method:ident)*) => {
        $(impl ser::$form for Elements<'_> {
            type Ok = ();
            type Error = Stop;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Stop> {
                self.element(value)
            }

            fn end(self) -> Result<(), Stop> {
                self.leave();
                Ok(())
            }
        })*
    };
}

elements! {
    SerializeSeq::serialize_element
    SerializeTuple::serialize_element
    SerializeTupleStruct::serialize_field
    SerializeTupleVariant::serialize_field
}

macro_rules! fields {
    ($($form:ident)*) => {
        $(impl ser::$form for Entries<'_> {
            type Ok = ();
            type Error = Stop;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), Stop> {
                self.walk.enter(name.to_owned(), value)
            }

            fn end(self) -> Result<(), Stop> {
                self.leave();
                Ok(())
            }
        })*
    };
}

fields! { SerializeStruct SerializeStructVariant }

impl ser::SerializeMap for Entries<'_> {
    type Ok = ();
    type Error = Stop;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Stop> {
        self.key = match serde_json::to_value(key) {
            Ok(serde_json::Value::String(key)) => key,
            Ok(other) => other.to_string(),
            Err(_) => return Err(Stop::Other),
        };
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Stop> {
        let key = std::mem::take(&mut self.key);
        self.walk.enter(key, value)
    }

    fn end(self) -> Result<(), Stop> {
        self.leave();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::check;

    #[derive(serde::Serialize)]
    enum Shape {
        Circle { radius: f32 },
        Line(f64, f64),
    }

    #[test]
    fn the_path_of_a_number_that_is_not_finite_is_told() {
        let told = |value: Result<(), String>| value.unwrap_err();
        assert_eq!(told(check(&f64::NAN)), "the value is NaN, which JSON has no number for");
        let map = BTreeMap::from([("London", vec![Some(1.0), None, Some(f64::INFINITY)])]);
        assert_eq!(told(check(&map)), "`London.2` is infinite, which JSON has no number for");
        let shapes = [Shape::Line(0.0, 1.0), Shape::Circle { radius: f32::NAN }];
        assert_eq!(told(check(&shapes)), "`1.Circle.radius` is NaN, which JSON has no number for");
    }

    #[test]
    fn other_values_pass() {
        assert_eq!(check(&(1.5, None::<f64>, "NaN", Shape::Line(0.0, 1.0))), Ok(()));
    }
}
