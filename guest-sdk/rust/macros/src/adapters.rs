//! The functions that stand between the host and the author's function.
//!
//! Their names begin with underscores, since the author's own names are in scope as well.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

use crate::expand::option;
use crate::function::Function;
use crate::options::Options;
use crate::parameter::{Default, Parameter};

/// A function for each default, which is worked out once for the schema and once for each call.
pub(crate) fn defaults(function: &Function) -> TokenStream {
    let each = function.parameters.iter().enumerate().map(|(index, parameter)| {
        let Parameter { ty, default, .. } = parameter;
        let name = default_name(index);
        match default {
            None => TokenStream::new(),
            Some(Default::OfType) => quote_spanned! {ty.span()=>
                fn #name() -> #ty {
                    <#ty as ::core::default::Default>::default()
                }
            },
            Some(Default::Text(text)) => quote! {
                fn #name() -> ::core::result::Result<#ty, ::std::string::String> {
                    __sdk::from_text(#text)
                }
            },
            Some(Default::Value(value)) => quote! {
                fn #name() -> #ty {
                    #value
                }
            },
        }
    });
    quote!(#(#each)*)
}

/// Adds the parameters to an input schema.
pub(crate) fn parameters(function: &Function) -> TokenStream {
    let each = function.parameters.iter().enumerate().map(|(index, parameter)| {
        let Parameter { name, ty, docs, constraints, .. } = parameter;
        let title = option(parameter.title.as_ref());
        let header = option(parameter.header.as_ref());
        let spec = quote! {
            __sdk::Spec {
                name: #name,
                title: #title,
                header: #header,
                docs: &[#(#docs),*],
                constraints: &[#(#constraints),*],
            }
        };
        let handle = handle(parameter);
        match default_value(index, parameter) {
            Some(default) => quote_spanned! {ty.span()=>
                #handle.publish_with_default(__inputs, #spec, #default)?;
            },
            None => quote_spanned!(ty.span()=> #handle.publish(__inputs, #spec)?;),
        }
    });
    quote! {
        fn __parameters(
            __inputs: &mut __sdk::Inputs,
        ) -> ::core::result::Result<(), ::std::string::String> {
            #(#each)*
            ::core::result::Result::Ok(())
        }
    }
}

/// Says what the tool promises.
pub(crate) fn contract(function: &Function, options: &Options) -> TokenStream {
    let returns = &function.returns;
    let returned = quote_spanned!(returns.span()=> &__sdk::Of::<#returns>::new());
    let handle = returns_handle(function, options, &returned);
    quote! {
        fn __contract() -> __sdk::Contract {
            #handle.contract()
        }
    }
}

/// Takes the arguments, calls the function, and makes an outcome of what it returns.
pub(crate) fn run(function: &Function, options: &Options) -> TokenStream {
    let Function { ident, returns, .. } = function;
    let takes = function.parameters.iter().enumerate().map(|(index, parameter)| {
        let Parameter { name, ty, .. } = parameter;
        let handle = handle(parameter);
        match default_value(index, parameter) {
            Some(default) => quote_spanned! {ty.span()=>
                #handle.take_or(__arguments, __call, #name, || #default)?
            },
            None => quote_spanned!(ty.span()=> #handle.take(__arguments, __call, #name)?),
        }
    });
    let call = quote!(#ident(#(#takes),*));
    let settled = quote_spanned!(returns.span()=> __returned.settle(#call)?);
    let handle = returns_handle(function, options, &quote!(__returned));
    let own_content = options.own_content;
    quote! {
        fn __run(
            __arguments: &mut __sdk::Arguments,
            __call: &__sdk::Call,
        ) -> ::core::result::Result<__sdk::Outcome, __sdk::Error> {
            let __returned = &__sdk::Of::<#returns>::new();
            let __value = #settled;
            #handle.outcome(__value, #own_content)
        }
    }
}

fn handle(parameter: &Parameter) -> TokenStream {
    let ty = &parameter.ty;
    quote_spanned!(ty.span()=> __sdk::parameter::<#ty>())
}

fn returns_handle(function: &Function, options: &Options, returned: &TokenStream) -> TokenStream {
    let span = function.returns.span();
    if options.content_only {
        quote_spanned!(span=> (&(#returned).value()).returns_content())
    } else if options.own_content {
        quote_spanned!(span=> (&(#returned).value()).returns_own_content())
    } else {
        quote_spanned!(span=> (&(#returned).value()).returns())
    }
}

fn default_value(index: usize, parameter: &Parameter) -> Option<TokenStream> {
    let name = default_name(index);
    match parameter.default {
        None => None,
        Some(Default::Text(_)) => Some(quote!(#name())),
        Some(Default::OfType | Default::Value(_)) => {
            Some(quote!(::core::result::Result::Ok(#name())))
        }
    }
}

fn default_name(index: usize) -> Ident {
    format_ident!("__default_{index}")
}
