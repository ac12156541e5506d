//! From the annotated function to what the compiler sees.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Error, ItemFn, LitStr};

use crate::function::{self, Function};
use crate::options::Options;
use crate::parameter::{Default, Parameter};

/// The function and its registration; where something is wrong, the function and what it is.
pub(crate) fn tool(options: TokenStream, item: TokenStream) -> TokenStream {
    let mut function: ItemFn = match syn::parse2(item.clone()) {
        Ok(function) => function,
        Err(_) => {
            let message = "`#[tool]` stands on a function with a body";
            let error = Error::new(Span::call_site(), message).into_compile_error();
            return quote!(#error #item);
        }
    };
    let read = Function::take(&mut function);
    let registration = match (read, Options::parse(options)) {
        (Ok(function), Ok(options)) => registration(&function, &options),
        (Err(mut error), Err(other)) => {
            error.combine(other);
            error.into_compile_error()
        }
        (Err(error), Ok(_)) | (Ok(_), Err(error)) => error.into_compile_error(),
    };
    let callable = function::callable(&function);
    quote!(#callable #registration)
}

fn registration(function: &Function, options: &Options) -> TokenStream {
    let Function { docs, conditions, .. } = function;
    let name = options.name.clone();
    let name = name.unwrap_or_else(|| LitStr::new(&function.name(), function.ident.span()));
    let title = option(options.title.as_ref());
    let (read_only, destructive) = (option(options.read_only), option(options.destructive));
    let (idempotent, open_world) = (option(options.idempotent), option(options.open_world));
    let own_content = options.own_content;
    let defaults = function.parameters.iter().enumerate().map(default_function);
    let parameters = parameters(function);
    let contract = contract(function, options);
    let run = run(function, options);
    let marker = marker(&name);
    quote! {
        #(#conditions)*
        #marker
        #(#conditions)*
        #[doc(hidden)]
        #[allow(unused_qualifications)]
        const _: () = {
            use ::portcullis_guest::__private as __sdk;
            #[allow(unused_imports)]
            use __sdk::{
                Blocks as _, Fallible as _, Infallible as _, Output as _, Value as _,
            };

            #(#defaults)*
            #parameters
            #contract
            #run

            __sdk::inventory::submit! {
                __sdk::Tool {
                    name: #name,
                    title: #title,
                    docs: &[#(#docs),*],
                    hints: __sdk::Hints {
                        read_only: #read_only,
                        destructive: #destructive,
                        idempotent: #idempotent,
                        open_world: #open_world,
                    },
                    own_content: #own_content,
                    package: __sdk::Package {
                        name: ::core::env!("CARGO_PKG_NAME"),
                        version: ::core::env!("CARGO_PKG_VERSION"),
                    },
                    place: __sdk::Place {
                        module: ::core::module_path!(),
                        line: ::core::line!(),
                        column: ::core::column!(),
                    },
                    parameters: __parameters,
                    contract: __contract,
                    run: __run,
                }
            }
        };
    }
}

/// An item that two tools of one name in one module would both define.
fn marker(name: &LitStr) -> TokenStream {
    let encoded: String = name.value().to_ascii_lowercase().replace('-', "ᐨ");
    let ident = format_ident!("the_tool_named_{}", encoded, span = name.span());
    quote! {
        #[doc(hidden)]
        #[allow(dead_code, non_camel_case_types)]
        enum #ident {}
    }
}

fn parameters(function: &Function) -> TokenStream {
    let each = function.parameters.iter().enumerate().map(|(index, parameter)| {
        let Parameter { name, ty, docs, constraints, .. } = parameter;
        let title = option(parameter.title.as_ref());
        let spec = quote! {
            __sdk::Spec {
                name: #name,
                title: #title,
                docs: &[#(#docs),*],
                constraints: &[#(#constraints),*],
            }
        };
        if parameter.default.is_some() {
            let default = default_name(index);
            quote_spanned!(ty.span()=>
                __sdk::publish_with_default::<#ty>(__inputs, #spec, #default())?;
            )
        } else {
            quote_spanned!(ty.span()=> __sdk::publish::<#ty>(__inputs, #spec)?;)
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

fn default_function((index, parameter): (usize, &Parameter)) -> TokenStream {
    let ty = &parameter.ty;
    let value = match &parameter.default {
        None => return TokenStream::new(),
        Some(Default::OfType) => quote_spanned! {ty.span()=>
            ::core::result::Result::Ok(<#ty as ::core::default::Default>::default())
        },
        Some(Default::Text(text)) => quote_spanned! {ty.span()=> __sdk::from_text::<#ty>(#text) },
        Some(Default::Value(value)) => quote!(::core::result::Result::Ok(#value)),
    };
    let name = default_name(index);
    quote! {
        fn #name() -> ::core::result::Result<#ty, ::std::string::String> {
            #value
        }
    }
}

fn default_name(index: usize) -> proc_macro2::Ident {
    format_ident!("__default_{index}")
}

fn contract(function: &Function, options: &Options) -> TokenStream {
    let returns = &function.returns;
    let contract = if options.content_only {
        quote!(__sdk::Contract::ContentOnly)
    } else {
        quote_spanned!(returns.span()=> (&(&__sdk::Of::<#returns>::new()).value()).contract())
    };
    quote! {
        fn __contract() -> __sdk::Contract {
            #contract
        }
    }
}

fn run(function: &Function, options: &Options) -> TokenStream {
    let Function { ident, returns, .. } = function;
    let takes = function.parameters.iter().enumerate().map(|(index, parameter)| {
        let Parameter { name, ty, .. } = parameter;
        if parameter.default.is_some() {
            let default = default_name(index);
            quote_spanned!(ty.span()=> __sdk::take_or::<#ty>(__arguments, __call, #name, #default)?)
        } else {
            quote_spanned!(ty.span()=> __sdk::take::<#ty>(__arguments, __call, #name)?)
        }
    });
    let own_content = options.own_content;
    let outcome = if options.content_only {
        quote_spanned!(returns.span()=> (&__returned.value()).written(__value))
    } else {
        quote_spanned!(returns.span()=> (&__returned.value()).outcome(__value, #own_content))
    };
    quote! {
        fn __run(
            __arguments: &mut __sdk::Arguments,
            __call: &__sdk::Call,
        ) -> ::core::result::Result<__sdk::Outcome, __sdk::Error> {
            let __returned = &__sdk::Of::<#returns>::new();
            let __value = __returned.settle(#ident(#(#takes),*))?;
            #outcome
        }
    }
}

fn option<T: quote::ToTokens>(value: Option<T>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}
