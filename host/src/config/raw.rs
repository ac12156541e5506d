//! `portcullis.toml` as it is written, and its way to what is meant.
//!
//! Every key is known or an error that names the nearest known one, with line and column.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde::Deserialize;
use toml::Spanned;

use super::grants::RawGrants;
use super::http::RawHttp;
use super::limits::{RawBounds, RawHostLimits, RawLimits};
use super::source::Source;
use super::{ComponentConfig, Config, ConfigError, HostLimits, Limits, is_id_char};
use crate::files;
use crate::grants::Access;
use crate::schema::{Bounds, Refs, Style};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawConfig {
    #[serde(default)]
    host: RawHostLimits,
    #[serde(default)]
    limits: RawLimits,
    #[serde(default)]
    lock: RawLock,
    #[serde(default)]
    schema: RawSchema,
    #[serde(default)]
    content: RawContent,
    #[serde(default)]
    http: RawHttp,
    #[serde(default)]
    components: IndexMap<Spanned<String>, RawComponent>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLock {
    mode: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawComponent {
    path: Option<PathBuf>,
    prefix: Option<Spanned<String>>,
    #[serde(default)]
    limits: RawLimits,
    #[serde(default)]
    grants: RawGrants,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSchema {
    refs: Option<RawRefs>,
    titles: Option<bool>,
    #[serde(default)]
    limits: RawBounds,
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

/// Reads the file and says what it means. Each component without a path of its own is looked for
/// among `paths`.
pub(super) fn read(file: &Path, paths: &[PathBuf]) -> Result<Config, ConfigError> {
    parse(file, &text(file)?, paths)
}

/// The same, with `component` among what it names or beside it, whose file need not be there.
pub(super) fn read_for(file: &Path, component: &Path) -> Result<Config, ConfigError> {
    meant(file, &text(file)?, |config| config.with_component(component))
}

fn text(file: &Path) -> Result<String, ConfigError> {
    files::read_config(file).map_err(|error| ConfigError::NoConfig { path: file.to_owned(), error })
}

/// Reads `text`, which is that of `file`.
pub(crate) fn parse(file: &Path, text: &str, paths: &[PathBuf]) -> Result<Config, ConfigError> {
    meant(file, text, |config| config.with_paths(paths))
}

/// What `text` means, with those components that `add` adds to those that have a path in it.
fn meant(
    file: &Path,
    text: &str,
    add: impl FnOnce(Config) -> Result<Config, ConfigError>,
) -> Result<Config, ConfigError> {
    let source = Source::new(file, text);
    let raw: RawConfig = source.parse()?;
    let mut config = Config { style: style(&raw.schema), ..Config::default() };
    if let Some(mode) = raw.lock.mode {
        let meant = mode.get_ref().parse();
        let error = |fault| source.error(mode.span().start, fault);
        config.lock_mode = Some(meant.map_err(error)?);
    }
    config.host = raw.host.over(&HostLimits::default(), &source)?;
    config.rules.bounds = raw.schema.limits.over(&Bounds::default(), &source)?;
    if let Some(schemes) = raw.content.link_schemes {
        config.rules.link_schemes =
            schemes.iter().map(|scheme| source.scheme(scheme)).collect::<Result<_, _>>()?;
    }
    config.limits = raw.limits.over(&Limits::default(), &source)?;
    let directory = file.parent().unwrap_or(Path::new(""));
    config.http = raw.http.meant(directory, &source)?;
    let mut of_paths = Vec::new();
    let mut writable_dirs = Vec::new();
    for (id, component) in raw.components {
        source.check_id("a component's id", &id)?;
        if let Some(prefix) = &component.prefix {
            source.check_id("a prefix", prefix)?;
        }
        let offset = id.span().start;
        let dir_offsets = component.grants.dir_offsets();
        let meant = ComponentConfig {
            id: id.into_inner(),
            path: directory.join(component.path.clone().unwrap_or_default()),
            prefix: component.prefix.map(Spanned::into_inner),
            limits: component.limits.over(&config.limits, &source)?,
            grants: component.grants.meant(directory, &source)?,
            found: false,
        };
        let writable = meant.grants.dirs.iter().zip(dir_offsets);
        writable_dirs.extend(
            writable
                .filter(|(dir, _)| dir.access == Access::ReadWrite)
                .map(|(dir, offset)| (dir.host.clone(), offset)),
        );
        match component.path {
            Some(_) => config.components.push(meant),
            None => of_paths.push((offset, meant)),
        }
    }
    apart(&writable_dirs, &source)?;
    let mut config = add(config)?;
    let trusted = config.components.iter().map(|component| component.path.as_path());
    apart_from(&writable_dirs, trusted.chain([file]), &source)?;
    for (offset, meant) in of_paths {
        config.settle(meant).map_err(|message| source.error(offset, message))?;
    }
    Ok(config)
}

/// Directories that are written to are the same or apart: one within another would be counted
/// by two quotas, and by neither while files move between them.
fn apart(dirs: &[(PathBuf, usize)], source: &Source<'_>) -> Result<(), ConfigError> {
    for (index, (inner, offset)) in dirs.iter().enumerate() {
        let others = dirs[..index].iter().chain(&dirs[index + 1..]);
        for (outer, _) in others {
            if inner != outer && inner.starts_with(outer) {
                let (inner, outer) = (inner.display(), outer.display());
                let message = format!(
                    "`{inner}` is within `{outer}`, and both are written to; grant directories \
                     that are apart, or the same one"
                );
                return Err(source.error(*offset, message));
            }
        }
    }
    Ok(())
}

/// A component that could write to a config or to a component could grant itself everything.
fn apart_from<'a>(
    dirs: &[(PathBuf, usize)],
    trusted: impl Iterator<Item = &'a Path>,
    source: &Source<'_>,
) -> Result<(), ConfigError> {
    for path in trusted {
        for (dir, offset) in dirs {
            if let Some(path) = files::places(path).iter().find(|place| place.starts_with(dir)) {
                let (dir, path) = (dir.display(), path.display());
                let message = format!(
                    "`{dir}` is written to by a component and has `{path}` in it, which says what \
                     components may do; grant a directory of its own"
                );
                return Err(source.error(*offset, message));
            }
        }
    }
    Ok(())
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

    pub(super) fn check_id(&self, what: &str, id: &Spanned<String>) -> Result<(), ConfigError> {
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
        read(&file, &[]).map_err(|error| error.to_string().replace(&shown, ""))
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
             `call_deadline_ms`, `memory_bytes_max`, `table_elements_max`, `instances_max`, \
             `handles_max`, `result_bytes_max`, `argument_bytes_max`, `log_bytes_max`, \
             `progress_notes_per_second_max`, `http_requests_max`, `http_bytes_max`, \
             `calls_per_second_max`; did you mean `memory_bytes_max`?"
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
