//! `portcullis.toml` as it is written, and its way to what is meant.
//!
//! Every key is known or an error that names the nearest known one, with line and column.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde::Deserialize;
use toml::Spanned;

use super::source::Source;
use super::{ComponentConfig, Config, ConfigError, Limits, is_id_char};
use crate::files;
use crate::schema::{Refs, Style};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawConfig {
    #[serde(default)]
    limits: RawLimits,
    #[serde(default)]
    schema: RawSchema,
    #[serde(default)]
    content: RawContent,
    #[serde(default)]
    components: IndexMap<Spanned<String>, RawComponent>,
    component_bytes_max: Option<Spanned<u64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawComponent {
    path: PathBuf,
    prefix: Option<Spanned<String>>,
    #[serde(default)]
    limits: RawLimits,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSchema {
    refs: Option<RawRefs>,
    titles: Option<bool>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawContent {
    link_schemes: Option<Vec<Spanned<String>>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum RawRefs {
    Defs,
    Inline,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLimits {
    call_deadline_ms: Option<Spanned<u64>>,
    memory_bytes_max: Option<Spanned<u64>>,
    result_bytes_max: Option<Spanned<u64>>,
    argument_bytes_max: Option<Spanned<u64>>,
    log_bytes_max: Option<Spanned<u64>>,
}

/// Reads the file and says what it means.
pub(super) fn read(file: &Path) -> Result<Config, ConfigError> {
    let text = files::read_config(file)
        .map_err(|error| ConfigError::NoConfig { path: file.to_owned(), error })?;
    let source = Source::new(file, &text);
    let raw: RawConfig = source.parse()?;
    let mut config = Config { style: style(&raw.schema), ..Config::default() };
    if let Some(bytes) = raw.component_bytes_max {
        config.component_bytes_max =
            source.within("component_bytes_max", &bytes, 1 << 10, 4 << 30)?;
    }
    if let Some(schemes) = raw.content.link_schemes {
        config.rules.link_schemes =
            schemes.iter().map(|scheme| source.scheme(scheme)).collect::<Result<_, _>>()?;
    }
    config.limits = source.limits(raw.limits, &Limits::default())?;
    let directory = file.parent().unwrap_or(Path::new(""));
    for (id, component) in raw.components {
        source.check_id("a component's id", &id)?;
        if let Some(prefix) = &component.prefix {
            source.check_id("a prefix", prefix)?;
        }
        config.components.push(ComponentConfig {
            id: id.into_inner(),
            path: directory.join(component.path),
            prefix: component.prefix.map(Spanned::into_inner),
            limits: source.limits(component.limits, &config.limits)?,
            found: false,
        });
    }
    Ok(config)
}

fn style(raw: &RawSchema) -> Style {
    let meant = Style::default();
    Style {
        refs: match raw.refs {
            Some(RawRefs::Defs) => Refs::Defs,
            Some(RawRefs::Inline) => Refs::Inline,
            None => meant.refs,
        },
        titles: raw.titles.unwrap_or(meant.titles),
    }
}

impl Source<'_> {
    /// The limits that are written, and `base` for those that are not.
    fn limits(&self, raw: RawLimits, base: &Limits) -> Result<Limits, ConfigError> {
        let size = |key: &str, value: Option<Spanned<u64>>, base: usize, least: u64, most: u64| {
            let Some(value) = value else { return Ok(base) };
            let value = self.within(key, &value, least, most)?;
            Ok(usize::try_from(value).unwrap_or(usize::MAX))
        };
        Ok(Limits {
            call_deadline_ms: match raw.call_deadline_ms {
                Some(value) => self.within("call_deadline_ms", &value, 1, 3_600_000)?,
                None => base.call_deadline_ms,
            },
            memory_bytes_max: size(
                "memory_bytes_max",
                raw.memory_bytes_max,
                base.memory_bytes_max,
                64 << 10,
                4 << 30,
            )?,
            result_bytes_max: size(
                "result_bytes_max",
                raw.result_bytes_max,
                base.result_bytes_max,
                1 << 10,
                256 << 20,
            )?,
            argument_bytes_max: size(
                "argument_bytes_max",
                raw.argument_bytes_max,
                base.argument_bytes_max,
                1 << 10,
                64 << 20,
            )?,
            log_bytes_max: size(
                "log_bytes_max",
                raw.log_bytes_max,
                base.log_bytes_max,
                0,
                16 << 20,
            )?,
        })
    }

    fn within(
        &self,
        key: &str,
        value: &Spanned<u64>,
        least: u64,
        most: u64,
    ) -> Result<u64, ConfigError> {
        let number = *value.get_ref();
        if (least..=most).contains(&number) {
            return Ok(number);
        }
        Err(self
            .error(value.span().start, format!("`{key}` is {number}; it can be {least} to {most}")))
    }

    /// A URI's scheme (RFC 3986, 3.1), in lower case.
    fn scheme(&self, scheme: &Spanned<String>) -> Result<String, ConfigError> {
        let text = scheme.get_ref().to_ascii_lowercase();
        let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
        if text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(legal) {
            return Ok(text);
        }
        Err(self
            .error(scheme.span().start, format!("{text:?} is no URI scheme, such as \"https\"")))
    }

    fn check_id(&self, what: &str, id: &Spanned<String>) -> Result<(), ConfigError> {
        let text = id.get_ref();
        if (1..=64).contains(&text.len()) && text.chars().all(is_id_char) {
            return Ok(());
        }
        Err(self
            .error(id.span().start, format!("{what} has 1 to 64 of A-Z a-z 0-9 _ -, not {text:?}")))
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests write files")]
mod tests {
    use super::*;

    fn config(text: &str) -> Result<Config, String> {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("portcullis.toml");
        std::fs::write(&file, text).unwrap();
        let shown = directory.path().to_string_lossy().into_owned() + "/";
        read(&file).map_err(|error| error.to_string().replace(&shown, ""))
    }

    #[test]
    fn limits_of_a_component_come_before_those_of_the_host() {
        let config = config(
            "limits.call_deadline_ms = 5000\nlimits.log_bytes_max = 0\n\
             [components.weather]\npath = \"w x.wasm\"\nprefix = \"wx\"\n\
             limits = { call_deadline_ms = 100 }\n[components.b]\npath = \"b.wasm\"\n",
        )
        .unwrap();
        let ids: Vec<&str> = config.components.iter().map(|c| c.id.as_str()).collect();
        assert_eq!(ids, ["weather", "b"]);
        let weather = &config.components[0];
        assert_eq!(weather.limits.call_deadline_ms, 100);
        assert_eq!(weather.limits.log_bytes_max, 0);
        assert_eq!(config.components[1].limits.call_deadline_ms, 5000);
        assert_eq!(weather.published("get"), "wx_get");
        assert!(weather.path.ends_with("w x.wasm"));
    }

    #[test]
    fn a_misspelt_key_is_an_error_that_names_the_nearest_one() {
        let error = config("[limits]\nmemory_byte_max = 1\n").unwrap_err();
        assert_eq!(
            error,
            "portcullis.toml:2:1: unknown field `memory_byte_max`, expected one of \
             `call_deadline_ms`, `memory_bytes_max`, `result_bytes_max`, `argument_bytes_max`, \
             `log_bytes_max`; did you mean `memory_bytes_max`?"
        );
    }

    #[test]
    fn a_value_out_of_its_range_is_an_error_with_its_place() {
        let error = config("[limits]\n\ncall_deadline_ms = 0\n").unwrap_err();
        assert_eq!(error, "portcullis.toml:3:20: `call_deadline_ms` is 0; it can be 1 to 3600000");
    }

    #[test]
    fn ids_and_prefixes_keep_to_what_clients_take() {
        let error = config("[components.\"a b\"]\npath = \"a.wasm\"\n").unwrap_err();
        assert!(error.starts_with("portcullis.toml:1:13: a component's id has"), "{error}");
        let error = config("[components.a]\npath = \"a\"\nprefix = \"x.\"\n").unwrap_err();
        assert!(error.starts_with("portcullis.toml:3:10: a prefix has"), "{error}");
    }
}
