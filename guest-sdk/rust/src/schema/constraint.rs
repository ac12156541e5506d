//! What an author asks of an argument beyond its type.

use schemars::Schema;
use serde_json::{Map, Number, Value};

/// A constraint on a parameter.
pub struct Constraint {
    keywords: Vec<(Keyword, Value)>,
}

#[derive(Clone, Copy, PartialEq)]
enum Keyword {
    Minimum,
    Maximum,
    ExclusiveMaximum,
    LengthMin,
    LengthMax,
    Pattern,
}

/// A number that can bound a range.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot bound a range",
    label = "the ends of a range are numbers, as in `#[range(1..=14)]`"
)]
pub trait Bound {
    /// As JSON; none: it is not finite.
    fn number(self) -> Option<Number>;
}

macro_rules! integer_bound {
    ($($integer:ty)*) => {
        $(impl Bound for $integer {
            fn number(self) -> Option<Number> {
                Some(self.into())
            }
        })*
    };
}

integer_bound! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize }

impl Bound for f32 {
    fn number(self) -> Option<Number> {
        f64::from(self).number()
    }
}

impl Bound for f64 {
    fn number(self) -> Option<Number> {
        Number::from_f64(self)
    }
}

impl Constraint {
    /// Numbers not below this one.
    pub fn at_least(bound: impl Bound) -> Self {
        Self::number(Keyword::Minimum, bound)
    }

    /// Numbers not above this one.
    pub fn at_most(bound: impl Bound) -> Self {
        Self::number(Keyword::Maximum, bound)
    }

    /// Numbers below this one.
    pub fn below(bound: impl Bound) -> Self {
        Self::number(Keyword::ExclusiveMaximum, bound)
    }

    /// Strings of so many characters, lists of so many elements, maps of so many entries.
    #[must_use]
    pub fn length(min: Option<usize>, max: Option<usize>) -> Self {
        let min = min.map(|it| (Keyword::LengthMin, it.into()));
        let max = max.map(|it| (Keyword::LengthMax, it.into()));
        Self { keywords: min.into_iter().chain(max).collect() }
    }

    /// Strings in which this regular expression is found.
    #[must_use]
    pub fn pattern(pattern: &str) -> Self {
        Self { keywords: vec![(Keyword::Pattern, pattern.into())] }
    }

    // An infinite bound bounds nothing.
    fn number(keyword: Keyword, bound: impl Bound) -> Self {
        let number = bound.number().map(|it| (keyword, Value::Number(it)));
        Self { keywords: number.into_iter().collect() }
    }
}

/// Writes a constraint into the schema of a parameter's type.
pub(super) fn apply(
    constraint: &Constraint,
    schema: &mut Schema,
    definitions: &Map<String, Value>,
) -> Result<(), String> {
    let target = unless_null(schema.ensure_object());
    let types = types(target, definitions);
    for (keyword, value) in &constraint.keywords {
        let Some(name) = types.iter().find_map(|it| keyword.name(it)) else {
            return Err(keyword.misfit().to_owned());
        };
        if *keyword == Keyword::ExclusiveMaximum {
            target.shift_remove("maximum");
        }
        target.insert(name.to_owned(), value.clone());
    }
    Ok(())
}

/// The schema itself, or the arm of an option that is not null.
pub(super) fn unless_null(object: &mut Map<String, Value>) -> &mut Map<String, Value> {
    let is_option = matches!(
        object.get("anyOf"),
        Some(Value::Array(arms)) if arms.len() == 2 && arms[1].get("type") == Some(&"null".into())
    );
    if !is_option {
        return object;
    }
    object
        .get_mut("anyOf")
        .and_then(|arms| arms.get_mut(0))
        .and_then(Value::as_object_mut)
        .expect("an option's first arm is a schema object")
}

/// The definition that a schema refers to.
pub(super) fn definition<'a>(
    object: &Map<String, Value>,
    definitions: &'a Map<String, Value>,
) -> Option<&'a Value> {
    let name = object.get("$ref")?.as_str()?.strip_prefix("#/$defs/")?;
    definitions.get(name)
}

fn types(object: &Map<String, Value>, definitions: &Map<String, Value>) -> Vec<String> {
    let definition = definition(object, definitions).and_then(Value::as_object);
    match definition.unwrap_or(object).get("type") {
        Some(Value::String(one)) => vec![one.clone()],
        Some(Value::Array(several)) => {
            several.iter().filter_map(|it| it.as_str().map(str::to_owned)).collect()
        }
        _ => Vec::new(),
    }
}

impl Keyword {
    /// How JSON Schema says it of this type.
    fn name(self, of_type: &str) -> Option<&'static str> {
        match (self, of_type) {
            (Self::Minimum, "integer" | "number") => Some("minimum"),
            (Self::Maximum, "integer" | "number") => Some("maximum"),
            (Self::ExclusiveMaximum, "integer" | "number") => Some("exclusiveMaximum"),
            (Self::LengthMin, "string") => Some("minLength"),
            (Self::LengthMax, "string") => Some("maxLength"),
            (Self::LengthMin, "array") => Some("minItems"),
            (Self::LengthMax, "array") => Some("maxItems"),
            (Self::LengthMin, "object") => Some("minProperties"),
            (Self::LengthMax, "object") => Some("maxProperties"),
            (Self::Pattern, "string") => Some("pattern"),
            _ => None,
        }
    }

    fn misfit(self) -> &'static str {
        match self {
            Self::Minimum | Self::Maximum | Self::ExclusiveMaximum => {
                "`#[range(…)]` is for numbers, and the type is none"
            }
            Self::LengthMin | Self::LengthMax => {
                "`#[length(…)]` is for strings, lists and maps, and the type is none"
            }
            Self::Pattern => "`#[pattern(…)]` is for strings, and the type is none",
        }
    }
}
