//! `#[resource]`, `#[prompt]` and `#[complete]`: what a component has beside tools.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Error, ItemFn, LitStr, MetaNameValue, Result, Token, Type};

use crate::expand::option;
use crate::function::{self, Function};
use crate::options;
use crate::parameter::Parameter;

/// A resource, or a family of them.
pub(crate) fn resource(options: TokenStream, item: TokenStream) -> TokenStream {
    expand(options, item, "resource", &["uri", "name", "title", "mime_type"], |function, said| {
        let uri = said.needed("uri", "#[resource(uri = \"notes://today\")]")?;
        let variables = variables(&uri)?;
        let name = said.get("name").unwrap_or_else(|| function.name());
        let (title, mime_type) = (option(said.get("title")), option(said.get("mime_type")));
        let docs = &function.docs;
        let mut takes = Vec::new();
        let mut taken = Vec::new();
        for parameter in &function.parameters {
            let (it, ty) = (&parameter.name, &parameter.ty);
            if is_call(ty) {
                takes.push(quote!(__call));
                continue;
            }
            undecorated(parameter, "resource")?;
            if !variables.contains(&it.value()) {
                let message = format!(
                    "`{}` is no variable of the URI: write `{{{}}}` in it",
                    it.value(),
                    it.value()
                );
                return Err(Error::new(it.span(), message));
            }
            taken.push(it.value());
            takes.push(quote_spanned!(ty.span()=> __sdk::required::<#ty>(__values, #it)?));
        }
        if let Some(lost) = variables.iter().find(|it| !taken.contains(it)) {
            let message = format!("the variable `{{{lost}}}` needs a parameter `{lost}`");
            return Err(Error::new(uri.span(), message));
        }
        let is_template = !variables.is_empty();
        let call = called(function, &takes);
        let place = place();
        Ok(quote! {
            fn __read(
                __uri: &::core::primitive::str,
                __values: &[(::std::string::String, ::std::string::String)],
                __call: &__sdk::Call,
            ) -> ::core::result::Result<::std::vec::Vec<__sdk::Embedded>, __sdk::Error> {
                let _ = (__values, __call);
                let __value = #call;
                ::core::result::Result::Ok(
                    __sdk::Contents::into_contents(__value, __uri, #mime_type)
                )
            }
            __sdk::inventory::submit! {
                __sdk::Resource {
                    uri: #uri,
                    is_template: #is_template,
                    name: #name,
                    title: #title,
                    docs: &[#(#docs),*],
                    mime_type: #mime_type,
                    #place
                    read: __read,
                }
            }
        })
    })
}

/// A prompt.
pub(crate) fn prompt(options: TokenStream, item: TokenStream) -> TokenStream {
    expand(options, item, "prompt", &["name", "title"], |function, said| {
        let name = options::tool_name(said.get("name").unwrap_or_else(|| function.name()))?;
        let title = option(said.get("title"));
        let docs = &function.docs;
        let mut takes = Vec::new();
        let mut parameters = Vec::new();
        for parameter in &function.parameters {
            let (it, ty) = (&parameter.name, &parameter.ty);
            if is_call(ty) {
                takes.push(quote!(__call));
                continue;
            }
            undecorated(parameter, "prompt")?;
            let (title, docs) = (option(parameter.title.as_ref()), &parameter.docs);
            let inner = inner_of_option(ty);
            let required = inner.is_none();
            parameters.push(quote! {
                __sdk::PromptParameter {
                    name: #it,
                    title: #title,
                    docs: &[#(#docs),*],
                    required: #required,
                }
            });
            takes.push(match inner {
                Some(inner) => {
                    quote_spanned!(ty.span()=> __sdk::optional::<#inner>(__arguments, #it)?)
                }
                None => quote_spanned!(ty.span()=> __sdk::required::<#ty>(__arguments, #it)?),
            });
        }
        let call = called(function, &takes);
        let place = place();
        Ok(quote! {
            fn __get(
                __arguments: &[(::std::string::String, ::std::string::String)],
                __call: &__sdk::Call,
            ) -> ::core::result::Result<::std::vec::Vec<__sdk::Message>, __sdk::Error> {
                let _ = (__arguments, __call);
                let __value = #call;
                ::core::result::Result::Ok(__sdk::Messages::into_messages(__value))
            }
            __sdk::inventory::submit! {
                __sdk::Prompt {
                    name: #name,
                    title: #title,
                    docs: &[#(#docs),*],
                    parameters: &[#(#parameters),*],
                    #place
                    get: __get,
                }
            }
        })
    })
}

/// Suggestions for one argument.
pub(crate) fn complete(options: TokenStream, item: TokenStream) -> TokenStream {
    expand(options, item, "complete", &["prompt", "template", "argument"], |function, said| {
        let form = "#[complete(prompt = \"greet\", argument = \"language\")]";
        let argument = said.needed("argument", form)?;
        let subject = match (said.get("prompt"), said.get("template")) {
            (Some(prompt), None) => quote!(__sdk::Subject::Prompt(#prompt)),
            (None, Some(template)) => quote!(__sdk::Subject::Template(#template)),
            (Some(_), Some(_)) | (None, None) => {
                let message = format!("name either a prompt or a template: {form}");
                return Err(Error::new(argument.span(), message));
            }
        };
        let mut takes = Vec::new();
        for parameter in &function.parameters {
            undecorated(parameter, "completion")?;
            takes.push(match &parameter.ty {
                ty if is_call(ty) => quote!(__call),
                Type::Reference(_) => quote!(__typing),
                ty => quote_spanned! {ty.span()=>
                    <#ty as ::core::convert::From<&::core::primitive::str>>::from(__typing.text())
                },
            });
        }
        let call = called(function, &takes);
        let place = place();
        Ok(quote! {
            fn __complete(
                __typing: &__sdk::Typing,
                __call: &__sdk::Call,
            ) -> ::core::result::Result<__sdk::Suggestions, __sdk::Error> {
                let _ = (__typing, __call);
                let __value = #call;
                ::core::result::Result::Ok(__sdk::Suggestions::from(__value))
            }
            __sdk::inventory::submit! {
                __sdk::Completion {
                    subject: #subject,
                    argument: #argument,
                    #place
                    complete: __complete,
                }
            }
        })
    })
}

/// What stands where a feature is missing.
pub(crate) fn without_feature(attribute: &str, feature: &str, item: &TokenStream) -> TokenStream {
    let message = format!(
        "`#[{attribute}]` takes the feature `{feature}`: write \
         `portcullis-guest = {{ version = \"…\", features = [\"{feature}\"] }}` in Cargo.toml"
    );
    let error = Error::new(Span::call_site(), message).into_compile_error();
    quote!(#error #item)
}

fn expand(
    options: TokenStream,
    item: TokenStream,
    attribute: &str,
    known: &[&str],
    registration: impl FnOnce(&Function, &Said) -> Result<TokenStream>,
) -> TokenStream {
    let mut function: ItemFn = match syn::parse2(item.clone()) {
        Ok(function) => function,
        Err(_) => {
            let message = format!("`#[{attribute}]` stands on a function with a body");
            let error = Error::new(Span::call_site(), message).into_compile_error();
            return quote!(#error #item);
        }
    };
    let read = Function::take(&mut function);
    let registration = read.and_then(|function| {
        let registration = registration(&function, &Said::parse(options, attribute, known)?)?;
        let conditions = &function.conditions;
        Ok(quote! {
            #(#conditions)*
            #[doc(hidden)]
            #[allow(unused_qualifications)]
            const _: () = {
                use ::portcullis_guest::__private as __sdk;
                #[allow(unused_imports)]
                use __sdk::{Fallible as _, Infallible as _};
                #registration
            };
        })
    });
    let registration = registration.unwrap_or_else(Error::into_compile_error);
    let callable = function::callable(&function);
    quote!(#callable #registration)
}

/// What stands in the brackets: texts under names.
struct Said(Vec<(String, LitStr)>);

impl Said {
    fn parse(tokens: TokenStream, attribute: &str, known: &[&str]) -> Result<Self> {
        let pairs = Punctuated::<MetaNameValue, Token![,]>::parse_terminated.parse2(tokens)?;
        let mut said: Vec<(String, LitStr)> = Vec::new();
        for pair in pairs {
            let key = pair.path.get_ident().map(ToString::to_string).unwrap_or_default();
            if !known.contains(&key.as_str()) || said.iter().any(|(it, _)| *it == key) {
                let message = format!("`#[{attribute}]` takes each once: {}", known.join(", "));
                return Err(Error::new_spanned(&pair.path, message));
            }
            let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = pair.value else {
                let message = format!("write `{key} = \"…\"`");
                return Err(Error::new_spanned(&pair.value, message));
            };
            said.push((key, text));
        }
        Ok(Self(said))
    }

    fn get(&self, key: &str) -> Option<LitStr> {
        self.0.iter().find(|(it, _)| it == key).map(|(_, text)| text.clone())
    }

    fn needed(&self, key: &str, form: &str) -> Result<LitStr> {
        let message = format!("`{key}` is missing: write {form}");
        self.get(key).ok_or_else(|| Error::new(Span::call_site(), message))
    }
}

/// The value of the call, or the function's own error.
fn called(function: &Function, takes: &[TokenStream]) -> TokenStream {
    let Function { ident, returns, .. } = function;
    let call = quote!(#ident(#(#takes),*));
    quote_spanned! {returns.span()=> {
        let __returned = &__sdk::Of::<#returns>::new();
        __returned.settle(#call)?
    }}
}

fn place() -> TokenStream {
    quote! {
        package: __sdk::Package {
            name: ::core::env!("CARGO_PKG_NAME"),
            version: ::core::env!("CARGO_PKG_VERSION"),
        },
        place: __sdk::Place {
            module: ::core::module_path!(),
            line: ::core::line!(),
            column: ::core::column!(),
        },
    }
}

/// The names of the variables of a template.
fn variables(uri: &LitStr) -> Result<Vec<String>> {
    let text = uri.value();
    let mut variables = Vec::new();
    let mut rest = text.as_str();
    while let Some((_, after)) = rest.split_once('{') {
        let Some((name, after)) = after.split_once('}') else {
            return Err(Error::new(uri.span(), "a `{` of the URI has no `}`"));
        };
        let legal = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if name.is_empty() || !name.chars().all(legal) {
            let message = "a variable is a plain name, such as `{id}` (RFC 6570, level 1)";
            return Err(Error::new(uri.span(), message));
        }
        variables.push(name.to_owned());
        rest = after;
    }
    Ok(variables)
}

/// Only tools have schemas.
fn undecorated(parameter: &Parameter, what: &str) -> Result<()> {
    if parameter.default.is_some() || !parameter.constraints.is_empty() {
        let message = format!("a parameter of a {what} is a text: it has no default and no bounds");
        return Err(Error::new(parameter.name.span(), message));
    }
    Ok(())
}

fn is_call(ty: &Type) -> bool {
    let Type::Reference(reference) = ty else { return false };
    last_segment(&reference.elem).is_some_and(|it| it.ident == "Call")
}

fn inner_of_option(ty: &Type) -> Option<&Type> {
    let segment = last_segment(ty).filter(|it| it.ident == "Option")?;
    let syn::PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

fn last_segment(ty: &Type) -> Option<&syn::PathSegment> {
    match ty {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    }
}
