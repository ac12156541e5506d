//! What can be told of a parameter's attributes before the compiler sees them: where literals
//! disagree with each other, or with a type that is written as a primitive.
//!
//! Everything else is for the component's description to tell.

use syn::{Attribute, Error, Expr, ExprLit, Lit, LitStr, Result, Type, TypePath};

use crate::literal::{Number, Range};

/// Fails where a parameter's attributes cannot be meant.
pub(crate) fn check(ty: &Type, attributes: &[Attribute]) -> Result<()> {
    let primitive = Primitive::of(ty);
    let default = attributes.iter().find(|it| it.path().is_ident("default"));
    let default: Option<Expr> = default.and_then(|it| it.parse_args().ok());
    if let (Some(primitive), Some(default)) = (&primitive, &default) {
        primitive.takes_default(default)?;
    }
    for attribute in attributes {
        if let Some(primitive) = &primitive {
            primitive.takes(attribute)?;
        }
        if let Some(default) = &default {
            within(attribute, primitive.as_ref(), default)?;
        }
    }
    Ok(())
}

/// A type that is written as a primitive.
struct Primitive {
    name: String,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Integer { least: i128, greatest: i128 },
    Float,
    Bool,
    Text,
}

impl Kind {
    fn integer(least: impl Into<i128>, greatest: impl Into<i128>) -> Self {
        Self::Integer { least: least.into(), greatest: greatest.into() }
    }
}

impl Primitive {
    fn of(ty: &Type) -> Option<Self> {
        let Type::Path(TypePath { qself: None, path }) = ty else {
            return None;
        };
        let name = path.get_ident()?.to_string();
        let kind = match name.as_str() {
            "i8" => Kind::integer(i8::MIN, i8::MAX),
            "i16" => Kind::integer(i16::MIN, i16::MAX),
            "i32" => Kind::integer(i32::MIN, i32::MAX),
            "i64" => Kind::integer(i64::MIN, i64::MAX),
            "u8" => Kind::integer(u8::MIN, u8::MAX),
            "u16" => Kind::integer(u16::MIN, u16::MAX),
            "u32" => Kind::integer(u32::MIN, u32::MAX),
            "u64" => Kind::integer(u64::MIN, u64::MAX),
            // Their width is the target's, which is not known here; this is the widest.
            "isize" => Kind::integer(i64::MIN, i64::MAX),
            "usize" => Kind::integer(u64::MIN, u64::MAX),
            "f32" | "f64" => Kind::Float,
            "bool" => Kind::Bool,
            "String" => Kind::Text,
            _ => return None,
        };
        Some(Self { name, kind })
    }

    /// The compiler tells of every other literal.
    fn takes_default(&self, default: &Expr) -> Result<()> {
        let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = default else {
            return Ok(());
        };
        let Some(unquoted) = self.unquoted(text) else {
            return Ok(());
        };
        let message = format!(
            "the default of a `{}` is written without quotes: `#[default({unquoted})]`",
            self.name
        );
        Err(Error::new(text.span(), message))
    }

    /// What the author may have meant by the text, or else an example; none: it is text.
    fn unquoted(&self, text: &LitStr) -> Option<String> {
        let text = text.value();
        match self.kind {
            Kind::Integer { .. } => Some(text.parse().unwrap_or(3_i128).to_string()),
            Kind::Float => {
                let number = text.parse().ok().filter(|it: &f64| it.is_finite());
                Some(format!("{:?}", number.unwrap_or(0.5)))
            }
            Kind::Bool => Some(text.parse().unwrap_or(true).to_string()),
            Kind::Text => None,
        }
    }

    fn takes(&self, attribute: &Attribute) -> Result<()> {
        let is = |name| attribute.path().is_ident(name);
        let wrong = |what: &str, instead: &str| {
            let message = format!("{what}, and this is a `{}`: {instead}", self.name);
            Err(Error::new_spanned(attribute, message))
        };
        match self.kind {
            Kind::Text if is("range") => {
                wrong("`#[range(…)]` is for numbers", "bound how long it is with `#[length(…)]`")
            }
            Kind::Bool if is("range") => wrong("`#[range(…)]` is for numbers", "leave it out"),
            Kind::Integer { .. } | Kind::Float if is("length") => wrong(
                "`#[length(…)]` is for strings, lists and maps",
                "bound it with `#[range(…)]`",
            ),
            Kind::Bool if is("length") => {
                wrong("`#[length(…)]` is for strings, lists and maps", "leave it out")
            }
            Kind::Integer { .. } | Kind::Float | Kind::Bool if is("pattern") => {
                wrong("`#[pattern(…)]` is for strings", "leave it out")
            }
            Kind::Integer { least, greatest } if is("range") => {
                self.holds(attribute, least, greatest)
            }
            Kind::Integer { .. } | Kind::Float | Kind::Bool | Kind::Text => Ok(()),
        }
    }

    /// Fails where a range has ends that the type does not hold.
    fn holds(&self, attribute: &Attribute, least: i128, greatest: i128) -> Result<()> {
        let Some(range) = Range::of(attribute) else {
            return Ok(());
        };
        let open_end = i128::from(!range.closed);
        for (end, greatest) in [(range.lower, greatest), (range.upper, greatest + open_end)] {
            let message = match end {
                Some(Number::Integer(end)) if !(least..=greatest).contains(&end) => format!(
                    "a `{}` is never {end}: leave that end of the range open, or move it closer",
                    self.name
                ),
                Some(Number::Float(_)) => {
                    format!("a `{}` is a whole number: write both ends as such", self.name)
                }
                Some(Number::Integer(_)) | None => continue,
            };
            return Err(Error::new_spanned(attribute, message));
        }
        Ok(())
    }
}

/// Fails where a default is not within the parameter's own range or length.
fn within(attribute: &Attribute, primitive: Option<&Primitive>, default: &Expr) -> Result<()> {
    let (name, measure) = match default {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
            let is_text = primitive.is_some_and(|it| it.kind == Kind::Text);
            let characters = text.value().chars().count() as i128;
            ("length", is_text.then_some(Number::Integer(characters)))
        }
        default => ("range", Number::of(default)),
    };
    if let Some(measure) = measure
        && attribute.path().is_ident(name)
        && Range::of(attribute).is_some_and(|range| !range.contains(measure))
    {
        let message = format!("the default is not within `#[{name}(…)]`: change one of the two");
        return Err(Error::new_spanned(default, message));
    }
    Ok(())
}
