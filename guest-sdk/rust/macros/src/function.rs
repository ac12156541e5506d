//! The annotated function: what it is, and what it must not be.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse_quote;
use syn::spanned::Spanned;
use syn::{
    Attribute, Error, Expr, FnArg, ItemFn, LitStr, Pat, Result, ReturnType, Signature, Type,
};

use crate::docs;
use crate::parameter::Parameter;

/// A function that is a tool.
pub(crate) struct Function {
    pub(crate) ident: Ident,
    pub(crate) docs: Vec<Expr>,
    pub(crate) conditions: Vec<Attribute>,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) returns: Type,
}

impl Function {
    /// Reads a function, and takes off it what the compiler would not understand.
    pub(crate) fn take(item: &mut ItemFn) -> Result<Self> {
        let mut errors = Errors::default();
        errors.keep(plain(&item.sig));
        let mut parameters = Vec::new();
        for argument in &mut item.sig.inputs {
            parameters.extend(errors.keep(Parameter::take(argument)));
        }
        errors.keep(distinct(&parameters));
        let returns = errors.keep(returns(&item.sig));
        errors.settle()?;
        Ok(Self {
            ident: item.sig.ident.clone(),
            docs: docs::lines(&item.attrs),
            conditions: conditions(&item.attrs),
            parameters,
            returns: returns.unwrap_or_else(|| parse_quote!(())),
        })
    }

    /// The function's own name, without `r#`.
    pub(crate) fn name(&self) -> LitStr {
        LitStr::new(&self.ident.unraw().to_string(), self.ident.span())
    }
}

/// The function as the compiler sees it: with the lints off that only its shape as a tool trips.
pub(crate) fn callable(item: &ItemFn) -> TokenStream {
    let lints = snake_case_lint(&item.sig);
    quote! {
        #[allow(
            clippy::needless_pass_by_value,
            clippy::unnecessary_wraps,
            clippy::must_use_candidate,
            #lints
        )]
        #item
    }
}

// Only where the author's names need it: the lint is of use inside the function.
fn snake_case_lint(signature: &Signature) -> Option<TokenStream> {
    let is_snake = |ident: &Ident| !ident.unraw().to_string().contains(char::is_uppercase);
    let all_snake = is_snake(&signature.ident)
        && signature.inputs.iter().all(|argument| match argument {
            FnArg::Typed(argument) => match &*argument.pat {
                Pat::Ident(pattern) => is_snake(&pattern.ident),
                _ => true,
            },
            FnArg::Receiver(_) => true,
        });
    (!all_snake).then(|| quote!(non_snake_case,))
}

fn plain(signature: &Signature) -> Result<()> {
    let wrong = |span: &dyn ToTokens, message: &str| Err(Error::new_spanned(span, message));
    if let Some(token) = &signature.asyncness {
        return wrong(
            token,
            "a tool is not async: each call has an instance to itself and may block",
        );
    }
    if let Some(token) = &signature.unsafety {
        return wrong(token, "a tool is not unsafe: whoever calls it cannot keep a promise");
    }
    if let Some(token) = &signature.abi {
        return wrong(token, "a tool is a plain Rust function: leave `extern` out");
    }
    if !signature.generics.params.is_empty() {
        let message = "a tool is not generic: its schema needs one type for each parameter";
        return wrong(&signature.generics, message);
    }
    if let Some(variadic) = &signature.variadic {
        return wrong(variadic, "a tool has a fixed number of parameters");
    }
    Ok(())
}

fn returns(signature: &Signature) -> Result<Type> {
    match &signature.output {
        ReturnType::Default => Ok(Type::Verbatim(quote!(()))),
        ReturnType::Type(_, ty) => match &**ty {
            Type::ImplTrait(it) => Err(Error::new(
                it.span(),
                "a tool's return type is its output schema: name the type",
            )),
            Type::Never(it) => Err(Error::new(it.span(), "a tool returns")),
            named => Ok(named.clone()),
        },
    }
}

fn distinct(parameters: &[Parameter]) -> Result<()> {
    for (index, parameter) in parameters.iter().enumerate() {
        if parameters[..index].iter().any(|it| it.name.value() == parameter.name.value()) {
            let message = format!("two parameters are published as `{}`", parameter.name.value());
            return Err(Error::new(parameter.name.span(), message));
        }
    }
    Ok(())
}

/// Where the function is left out, its registration is too.
fn conditions(attributes: &[Attribute]) -> Vec<Attribute> {
    attributes.iter().filter(|it| it.path().is_ident("cfg")).cloned().collect()
}

/// All that is wrong, to be told at once.
#[derive(Default)]
struct Errors(Option<Error>);

impl Errors {
    fn keep<T>(&mut self, result: Result<T>) -> Option<T> {
        match (result, &mut self.0) {
            (Ok(value), _) => Some(value),
            (Err(error), Some(errors)) => {
                errors.combine(error);
                None
            }
            (Err(error), none) => {
                *none = Some(error);
                None
            }
        }
    }

    fn settle(self) -> Result<()> {
        self.0.map_or(Ok(()), Err)
    }
}
