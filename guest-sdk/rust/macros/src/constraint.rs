//! `#[range(…)]`, `#[length(…)]` and `#[pattern(…)]`, as the expressions that make a
//! `Constraint`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Error, Expr, ExprLit, ExprRange, ExprUnary, Lit, LitInt, LitStr};
use syn::{RangeLimits, Result, UnOp};

use crate::literal::Range;

/// The bounds of a range.
pub(crate) fn range(attribute: &Attribute) -> Result<Vec<TokenStream>> {
    const FORM: &str =
        "write the range as `#[range(1..=14)]`, `#[range(0.0..)]` or `#[range(..100)]`";
    let Expr::Range(range) = argument(attribute, FORM)? else {
        return Err(Error::new_spanned(attribute, FORM));
    };
    let lower = range.start.as_deref().map(|it| {
        let bound = number(it);
        quote_spanned!(it.span()=> __sdk::Constraint::at_least(#bound))
    });
    let upper = range.end.as_deref().map(|it| {
        let bound = number(it);
        match range.limits {
            RangeLimits::Closed(_) => {
                quote_spanned!(it.span()=> __sdk::Constraint::at_most(#bound))
            }
            RangeLimits::HalfOpen(_) => {
                quote_spanned!(it.span()=> __sdk::Constraint::below(#bound))
            }
        }
    });
    if lower.is_none() && upper.is_none() {
        return Err(Error::new(range.span(), "a range without ends bounds nothing"));
    }
    not_empty(attribute)?;
    Ok(lower.into_iter().chain(upper).collect())
}

/// The bounds of a length.
pub(crate) fn length(attribute: &Attribute) -> Result<TokenStream> {
    const FORM: &str =
        "write the length as `#[length(1..=80)]`, `#[length(1..)]` or `#[length(5)]`";
    let (min, max) = match argument(attribute, FORM)? {
        Expr::Range(ExprRange { start: None, end: None, .. }) => {
            return Err(Error::new_spanned(attribute, "a range without ends bounds nothing"));
        }
        Expr::Range(range) => {
            let max = range.end.map(|it| match range.limits {
                RangeLimits::Closed(_) => it.into_token_stream(),
                RangeLimits::HalfOpen(_) => quote!((#it) - 1),
            });
            (range.start.map(ToTokens::into_token_stream), max)
        }
        Expr::Lit(ExprLit { lit: Lit::Str(_), .. }) => {
            return Err(Error::new_spanned(attribute, FORM));
        }
        exact => {
            let exact = exact.into_token_stream();
            (Some(exact.clone()), Some(exact))
        }
    };
    not_empty(attribute)?;
    let (min, max) = (option(min), option(max));
    Ok(quote_spanned!(attribute.span()=> __sdk::Constraint::length(#min, #max)))
}

/// A regular expression.
pub(crate) fn pattern(attribute: &Attribute) -> Result<TokenStream> {
    let pattern: LitStr = literal(attribute, "write the pattern as `#[pattern(\"^[a-z]+$\")]`")?;
    Ok(quote_spanned!(pattern.span()=> __sdk::Constraint::pattern(#pattern)))
}

/// The one literal that stands in an attribute's brackets.
pub(crate) fn literal(attribute: &Attribute, form: &str) -> Result<LitStr> {
    attribute.parse_args().map_err(|error| {
        let span = attribute.meta.require_list().map_or(attribute.span(), |_| error.span());
        Error::new(span, form)
    })
}

fn argument(attribute: &Attribute, form: &str) -> Result<Expr> {
    attribute.parse_args().map_err(|_| Error::new_spanned(attribute, form))
}

fn not_empty(attribute: &Attribute) -> Result<()> {
    if Range::of(attribute).is_some_and(|range| range.is_empty()) {
        let message = "nothing is within this range: write it as `least..=greatest`";
        return Err(Error::new_spanned(attribute, message));
    }
    Ok(())
}

fn option(tokens: Option<TokenStream>) -> TokenStream {
    match tokens {
        Some(tokens) => quote!(::core::option::Option::Some(#tokens)),
        None => quote!(::core::option::Option::None),
    }
}

// The parameter's type is not known here, and an integer without a type would be an i32.
fn number(bound: &Expr) -> TokenStream {
    match bound {
        Expr::Lit(ExprLit { lit: Lit::Int(literal), .. }) if literal.suffix().is_empty() => {
            let suffix = if literal.base10_parse::<i64>().is_ok() { "i64" } else { "u64" };
            LitInt::new(&format!("{literal}{suffix}"), literal.span()).into_token_stream()
        }
        Expr::Unary(ExprUnary { op: UnOp::Neg(minus), expr, .. }) => match &**expr {
            Expr::Lit(ExprLit { lit: Lit::Int(literal), .. }) if literal.suffix().is_empty() => {
                let literal = LitInt::new(&format!("{literal}i64"), literal.span());
                quote!(#minus #literal)
            }
            other => quote!(#minus #other),
        },
        other => other.into_token_stream(),
    }
}
