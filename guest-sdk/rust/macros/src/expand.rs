//! From the annotated function to what the compiler sees.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{Error, ItemFn, LitStr, Result};

use crate::adapters;
use crate::function::{self, Function};
use crate::options::{self, Options};

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
            Err(error)
        }
        (Err(error), Ok(_)) | (Ok(_), Err(error)) => Err(error),
    };
    let registration = registration.unwrap_or_else(Error::into_compile_error);
    let callable = function::callable(&function);
    quote!(#callable #registration)
}

fn registration(function: &Function, options: &Options) -> Result<TokenStream> {
    let Function { docs, conditions, .. } = function;
    let name = options::tool_name(options.name.clone().unwrap_or_else(|| function.name()))?;
    let title = option(options.title.as_ref());
    let (read_only, destructive) = (option(options.read_only), option(options.destructive));
    let (idempotent, open_world) = (option(options.idempotent), option(options.open_world));
    let own_content = options.own_content;
    let extend = option(options.extend.as_ref());
    let defaults = adapters::defaults(function);
    let parameters = adapters::parameters(function);
    let contract = adapters::contract(function, options);
    let run = adapters::run(function, options);
    let marker = marker(&name);
    Ok(quote! {
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

            #defaults
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
                    extend: #extend,
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
    })
}

/// An item that two tools of one name in one module would both define.
fn marker(name: &LitStr) -> TokenStream {
    let encoded = name.value().to_ascii_lowercase().replace('-', "_dash_");
    let ident = format_ident!("the_tool_named_{}", encoded, span = name.span());
    quote! {
        #[doc(hidden)]
        #[allow(dead_code, non_camel_case_types)]
        enum #ident {}
    }
}

/// What stands for an option in code.
pub(crate) fn option<T: ToTokens>(value: Option<T>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}
