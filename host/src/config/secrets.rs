//! Secrets, as they are written: where the text is, and where the host puts it.
//!
//! No text of a secret is in the config, and no error here repeats one.

use std::path::{Path, PathBuf};

use http::header::{CONNECTION, CONTENT_LENGTH, HOST, TRANSFER_ENCODING, UPGRADE};
use http::{HeaderName, HeaderValue};
use serde::Deserialize;
use toml::Spanned;

use super::grants::{check_variable, hosts, variable};
use super::{ConfigError, Source};
use crate::files;
use crate::grants::{HttpHost, Secret, SecretHeader, SecretText};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawSecret {
    env: Option<String>,
    file: Option<PathBuf>,
    header: Option<Spanned<String>>,
    value: Option<Spanned<String>>,
    #[serde(default)]
    hosts: Vec<Spanned<String>>,
}

/// Headers that say where a request goes and where its body ends.
const HOST_WRITES: [HeaderName; 5] = [CONNECTION, CONTENT_LENGTH, HOST, TRANSFER_ENCODING, UPGRADE];
/// What a secret stands for in the value of a header.
const PLACE: &str = "{}";

/// What is meant; `http` is what is granted, and paths are relative to `directory`.
pub(super) fn meant(
    name: Spanned<String>,
    raw: Spanned<RawSecret>,
    http: &[HttpHost],
    directory: &Path,
    source: &Source<'_>,
) -> Result<Secret, ConfigError> {
    check_variable(&name, source)?;
    let offset = raw.span().start;
    let fault = |message: String| source.error(offset, message);
    let raw = raw.into_inner();
    let text = text(raw.env.as_deref(), raw.file.as_deref(), directory).map_err(|error| {
        fault(error.unwrap_or_else(|| {
            "a secret has either `env`, the variable that holds it, or `file`".to_owned()
        }))
    })?;
    let too_short = || fault(format!("secret `{}` has fewer than 8 bytes", name.get_ref()));
    let header = header(&raw, &text, http, source, offset)?;
    let text = SecretText::new(text).ok_or_else(too_short)?;
    Ok(Secret { name: name.into_inner(), text, header })
}

/// The text that a variable or a file holds.
///
/// # Errors
/// When it cannot be read; none: not exactly one of them is named.
pub(super) fn text(
    env: Option<&str>,
    file: Option<&Path>,
    directory: &Path,
) -> Result<String, Option<String>> {
    match (env, file) {
        (Some(env), None) => Ok(variable(env)?),
        (None, Some(file)) => {
            let file = directory.join(file);
            let text = files::read_secret(&file)
                .map_err(|error| format!("cannot read `{}`: {error}", file.display()))?;
            // Editors put a mark before a text and a line end after it.
            Ok(text.trim_start_matches('\u{feff}').trim_end_matches(['\n', '\r']).to_owned())
        }
        (None, None) | (Some(_), Some(_)) => Err(None),
    }
}

fn header(
    raw: &RawSecret,
    text: &str,
    http: &[HttpHost],
    source: &Source<'_>,
    offset: usize,
) -> Result<Option<SecretHeader>, ConfigError> {
    let Some(written) = &raw.header else {
        return match (&raw.value, raw.hosts.first()) {
            (None, None) => Ok(None),
            (Some(_), _) | (_, Some(_)) => Err(source.error(
                offset,
                "`value` and `hosts` go with `header`, the header that the secret is put into"
                    .to_owned(),
            )),
        };
    };
    let name = HeaderName::try_from(written.get_ref().as_str()).map_err(|_| {
        let message = format!("{:?} is no name of a header", written.get_ref());
        source.error(written.span().start, message)
    })?;
    if HOST_WRITES.contains(&name) {
        let message = format!("`{name}` is a header that the host writes itself");
        return Err(source.error(written.span().start, message));
    }
    let template = raw.value.as_ref().map_or(PLACE, |value| value.get_ref());
    if template.matches(PLACE).count() != 1 {
        let at = raw.value.as_ref().map_or(offset, |value| value.span().start);
        let message = "`value` holds `{}` once, where the secret goes, such as \"Bearer {}\"";
        return Err(source.error(at, message.to_owned()));
    }
    let mut value = HeaderValue::try_from(template.replace(PLACE, text)).map_err(|_| {
        source.error(offset, "the secret holds what no header can, such as a line end".to_owned())
    })?;
    value.set_sensitive(true);
    let hosts = hosts(&raw.hosts, source)?;
    if hosts.is_empty() {
        let message =
            "`hosts` says which requests get the header, such as [\"api.example.com:443\"]";
        return Err(source.error(offset, message.to_owned()));
    }
    for (host, written) in hosts.iter().zip(&raw.hosts) {
        if !http.iter().any(|granted| granted.covers(host)) {
            let message = format!("`{host}` is not granted; add it to `http` of this component");
            return Err(source.error(written.span().start, message));
        }
    }
    Ok(Some(SecretHeader { hosts, name, value }))
}
