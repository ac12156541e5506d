//! Numbers and ranges that are written out.

use syn::{Attribute, Expr, ExprLit, ExprParen, ExprUnary, Lit, RangeLimits, UnOp};

/// A number that is written out.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Number {
    Integer(i128),
    Float(f64),
}

impl Number {
    pub(crate) fn of(expression: &Expr) -> Option<Self> {
        match expression {
            Expr::Lit(ExprLit { lit: Lit::Int(it), .. }) => {
                it.base10_parse().ok().map(Self::Integer)
            }
            Expr::Lit(ExprLit { lit: Lit::Float(it), .. }) => {
                it.base10_parse().ok().map(Self::Float)
            }
            Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => match Self::of(expr)? {
                Self::Integer(it) => it.checked_neg().map(Self::Integer),
                Self::Float(it) => Some(Self::Float(-it)),
            },
            Expr::Paren(ExprParen { expr, .. }) => Self::of(expr),
            _ => None,
        }
    }

    fn float(self) -> f64 {
        match self {
            Self::Integer(it) => it as f64,
            Self::Float(it) => it,
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        match (self, other) {
            (Self::Integer(this), Self::Integer(other)) => Some(this.cmp(other)),
            _ => self.float().partial_cmp(&other.float()),
        }
    }
}

/// A range, as far as its ends are written out.
pub(crate) struct Range {
    pub(crate) lower: Option<Number>,
    pub(crate) upper: Option<Number>,
    pub(crate) closed: bool,
}

impl Range {
    /// The range that stands in an attribute's brackets.
    pub(crate) fn of(attribute: &Attribute) -> Option<Self> {
        let expression: Expr = attribute.parse_args().ok()?;
        let Expr::Range(range) = expression else {
            let exact = Number::of(&expression);
            return Some(Self { lower: exact, upper: exact, closed: true });
        };
        Some(Self {
            lower: range.start.as_deref().and_then(Number::of),
            upper: range.end.as_deref().and_then(Number::of),
            closed: matches!(range.limits, RangeLimits::Closed(_)),
        })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.lower.is_some_and(|lower| !self.below_its_end(lower))
    }

    pub(crate) fn contains(&self, number: Number) -> bool {
        self.lower.is_none_or(|lower| lower <= number) && self.below_its_end(number)
    }

    fn below_its_end(&self, number: Number) -> bool {
        self.upper.is_none_or(|upper| number < upper || (self.closed && number == upper))
    }
}
