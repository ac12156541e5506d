//! What stands in the brackets of `#[tool(…)]`.

use proc_macro2::{Ident, Span, TokenStream};
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Error, LitBool, LitStr, Result, Token};

const KNOWN: &str = "name = \"…\", title = \"…\", read_only, destructive, idempotent, open_world, \
                     content_only, own_content, extend = \"…\"";

/// The options of a tool.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) name: Option<LitStr>,
    pub(crate) title: Option<LitStr>,
    pub(crate) read_only: Option<bool>,
    pub(crate) destructive: Option<bool>,
    pub(crate) idempotent: Option<bool>,
    pub(crate) open_world: Option<bool>,
    pub(crate) content_only: bool,
    pub(crate) own_content: bool,
    pub(crate) extend: Option<LitStr>,
}

/// One of them.
struct Entry {
    key: Ident,
    value: Value,
}

enum Value {
    Text(LitStr),
    Flag(bool),
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let key: Ident = input.call(syn::ext::IdentExt::parse_any)?;
        if !input.peek(Token![=]) {
            return Ok(Self { key, value: Value::Flag(true) });
        }
        input.parse::<Token![=]>()?;
        let value = if input.peek(LitStr) {
            Value::Text(input.parse()?)
        } else if input.peek(LitBool) {
            Value::Flag(input.parse::<LitBool>()?.value)
        } else {
            return Err(input.error("expected a string literal, `true` or `false`"));
        };
        Ok(Self { key, value })
    }
}

impl Options {
    pub(crate) fn parse(tokens: TokenStream) -> Result<Self> {
        let entries = Punctuated::<Entry, Token![,]>::parse_terminated.parse2(tokens)?;
        let mut options = Self::default();
        let mut seen: Vec<Ident> = Vec::new();
        for entry in entries {
            if seen.contains(&entry.key) {
                let message = format!("`{}` is said twice", entry.key);
                return Err(Error::new(entry.key.span(), message));
            }
            seen.push(entry.key.clone());
            options.set(entry)?;
        }
        options.agree(&seen)?;
        Ok(options)
    }

    /// Finds options that cannot both be meant.
    fn agree(&self, said: &[Ident]) -> Result<()> {
        let last = || said.last().map_or_else(Span::call_site, Ident::span);
        if self.content_only && self.own_content {
            let message =
                "a content-only tool has nothing but its own content: leave `own_content` out";
            return Err(Error::new(last(), message));
        }
        if self.read_only == Some(true) && self.destructive == Some(true) {
            return Err(Error::new(last(), "a tool that changes nothing destroys nothing"));
        }
        Ok(())
    }

    fn set(&mut self, Entry { key, value }: Entry) -> Result<()> {
        match key.to_string().as_str() {
            "name" => self.name = Some(text(&key, value)?),
            "title" => self.title = Some(text(&key, value)?),
            "read_only" => self.read_only = Some(flag(&key, &value)?),
            "destructive" => self.destructive = Some(flag(&key, &value)?),
            "idempotent" => self.idempotent = Some(flag(&key, &value)?),
            "open_world" => self.open_world = Some(flag(&key, &value)?),
            "content_only" => self.content_only = flag(&key, &value)?,
            "extend" => self.extend = Some(text(&key, value)?),
            "own_content" => self.own_content = flag(&key, &value)?,
            unknown => {
                let message =
                    format!("`{unknown}` is no option of `#[tool]`; the options are: {KNOWN}");
                return Err(Error::new(key.span(), message));
            }
        }
        Ok(())
    }
}

fn text(key: &Ident, value: Value) -> Result<LitStr> {
    match value {
        Value::Text(text) => Ok(text),
        Value::Flag(_) => {
            Err(Error::new(key.span(), format!("`{key}` takes a string: write `{key} = \"…\"`")))
        }
    }
}

fn flag(key: &Ident, value: &Value) -> Result<bool> {
    match value {
        Value::Flag(flag) => Ok(*flag),
        Value::Text(_) => Err(Error::new(
            key.span(),
            format!("`{key}` is true or false: write `{key}` or `{key} = false`"),
        )),
    }
}

/// The name, if it is one that the host takes.
pub(crate) fn tool_name(name: LitStr) -> Result<LitStr> {
    let text = name.value();
    let allowed = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == '-';
    if text.is_empty() || text.len() > 64 || !text.chars().all(allowed) {
        let message = "a tool's name has 1 to 64 characters of `A-Z a-z 0-9 _ -`: \
                       give it one with `#[tool(name = \"…\")]`";
        return Err(Error::new(name.span(), message));
    }
    Ok(name)
}
