//! One parameter of a tool: its type, and what its attributes say.

use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Attribute, Error, Expr, ExprLit, FnArg, Lit, LitStr, Meta, Pat, Result, Type};

use crate::{constraint, docs, primitive};

const KNOWN: &str = "`#[default(…)]`, `#[range(…)]`, `#[length(…)]`, `#[pattern(…)]`, \
                     `#[title(…)]`, `#[rename(…)]`, `#[header(…)]` and doc comments";

/// Attributes that the compiler takes on a parameter; they stay where they are.
const LINTS: [&str; 5] = ["allow", "warn", "deny", "forbid", "expect"];

/// A parameter.
pub(crate) struct Parameter {
    pub(crate) name: LitStr,
    pub(crate) ty: Type,
    pub(crate) docs: Vec<Expr>,
    pub(crate) title: Option<LitStr>,
    pub(crate) header: Option<LitStr>,
    pub(crate) default: Option<Default>,
    pub(crate) constraints: Vec<TokenStream>,
}

/// Where an argument that is left out comes from.
pub(crate) enum Default {
    /// The type.
    OfType,
    /// A string, to be read as the argument would be.
    Text(LitStr),
    /// Anything else.
    Value(Expr),
}

impl Parameter {
    /// Reads a parameter, and takes off it what the compiler would not understand.
    pub(crate) fn take(argument: &mut FnArg) -> Result<Self> {
        let FnArg::Typed(argument) = argument else {
            let message =
                "a tool is a plain function: take what you need as parameters, not `self`";
            return Err(Error::new(argument.span(), message));
        };
        let stays = |attribute: &Attribute| LINTS.iter().any(|it| attribute.path().is_ident(it));
        let (kept, taken): (_, Vec<_>) = argument.attrs.drain(..).partition(stays);
        argument.attrs = kept;
        let Pat::Ident(pattern) = &*argument.pat else {
            let message = "an argument needs a name: write `name: Type` and take it apart inside";
            return Err(Error::new(argument.pat.span(), message));
        };
        owned(&argument.ty)?;
        let mut parameter = Self {
            name: published(&pattern.ident),
            ty: (*argument.ty).clone(),
            docs: docs::lines(&taken),
            title: None,
            header: None,
            default: None,
            constraints: Vec::new(),
        };
        for attribute in &taken {
            parameter.apply(attribute)?;
        }
        primitive::check(&parameter.ty, &taken)?;
        Ok(parameter)
    }

    fn apply(&mut self, attribute: &Attribute) -> Result<()> {
        let path = attribute.path();
        if path.is_ident("doc") {
            return Ok(());
        }
        if path.is_ident("default") {
            self.default = Some(default(attribute)?);
        } else if path.is_ident("range") {
            self.constraints.extend(constraint::range(attribute)?);
        } else if path.is_ident("length") {
            self.constraints.push(constraint::length(attribute)?);
        } else if path.is_ident("pattern") {
            self.constraints.push(constraint::pattern(attribute)?);
        } else if path.is_ident("title") {
            let form = "write the title as `#[title(\"…\")]`";
            self.title = Some(constraint::literal(attribute, form)?);
        } else if path.is_ident("header") {
            let form = "write the header's name as `#[header(\"…\")]`";
            self.header = Some(constraint::literal(attribute, form)?);
        } else if path.is_ident("rename") {
            let form = "write the name as `#[rename(\"…\")]`";
            self.name = constraint::literal(attribute, form)?;
        } else {
            let message = format!("a parameter of a tool takes {KNOWN}");
            return Err(Error::new_spanned(attribute, message));
        }
        Ok(())
    }
}

/// The name under which an argument comes. An underscore in front tells the compiler that the
/// function does not use it, which is nobody else's business.
fn published(ident: &Ident) -> LitStr {
    let name = ident.unraw().to_string();
    let bare = name.strip_prefix('_').filter(|rest| !rest.is_empty());
    LitStr::new(bare.unwrap_or(&name), ident.span())
}

/// The types that every author tries first. The compiler's word on the others is as good.
fn owned(ty: &Type) -> Result<()> {
    let Type::Reference(reference) = ty else {
        return Ok(());
    };
    match &*reference.elem {
        Type::Path(path) if path.path.is_ident("str") => Err(Error::new_spanned(
            ty,
            "arguments are owned by the tool: take a `String` instead of a `&str`",
        )),
        Type::Slice(_) => Err(Error::new_spanned(
            ty,
            "arguments are owned by the tool: take a `Vec` instead of a slice",
        )),
        _ => Ok(()),
    }
}

fn default(attribute: &Attribute) -> Result<Default> {
    if let Meta::Path(_) = attribute.meta {
        return Ok(Default::OfType);
    }
    let value: Expr = attribute.parse_args().map_err(|_| {
        let form = "write the default as `#[default(3)]`, or `#[default]` for the type's own";
        Error::new_spanned(attribute, form)
    })?;
    Ok(match value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Default::Text(text),
        value => Default::Value(value),
    })
}
