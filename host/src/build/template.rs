//! New projects: the files that one begins with.

use std::path::{Path, PathBuf};

/// A language that projects can be begun in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    Rust,
}

impl Language {
    pub(crate) const ALL: [Self; 1] = [Self::Rust];

    /// Its name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Rust => "rust",
        }
    }

    /// The files of a project `name`, by their paths in it. `sdk` is the directory of this project's
    /// SDKs, where there is one.
    pub(crate) fn files(self, name: &str, sdk: Option<&Path>) -> Vec<(&'static str, String)> {
        let calls = ("calls.json", include_str!("template/calls.json").to_owned());
        let named = |text: &str| text.replace("{name}", name);
        match self {
            Self::Rust => vec![
                (
                    "Cargo.toml",
                    named(include_str!("template/rust/Cargo.toml"))
                        .replace("{sdk}", &rust_sdk(sdk)),
                ),
                ("src/lib.rs", include_str!("template/rust/lib.rs").to_owned()),
                ("README.md", named(include_str!("template/rust/README.md"))),
                (".gitignore", include_str!("template/rust/gitignore").to_owned()),
                calls,
            ],
        }
    }
}

/// Where cargo finds the SDK: in a checkout, or in the registry.
fn rust_sdk(sdk: Option<&Path>) -> String {
    match sdk {
        Some(sdk) => {
            let path = sdk.join("rust").display().to_string();
            format!("{{ path = {} }}", toml::Value::String(path))
        }
        None => format!("\"{}\"", env!("CARGO_PKG_VERSION")),
    }
}

/// Where the SDKs are if this program was built in a checkout that is still there.
pub(crate) fn sdks() -> Option<PathBuf> {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
    let sdks = checkout.join("guest-sdk");
    sdks.join("rust/Cargo.toml").is_file().then_some(sdks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifests_are_toml_with_the_names_that_were_given() {
        for sdk in [None, Some(Path::new("/a \"b\"/c"))] {
            let files = Language::Rust.files("my-tool", sdk);
            let manifest: toml::Table = files[0].1.parse().unwrap();
            assert_eq!(manifest["package"]["name"].as_str(), Some("my-tool"));
            let dependency = &manifest["dependencies"]["portcullis-guest"];
            match sdk {
                Some(_) => assert_eq!(dependency["path"].as_str(), Some("/a \"b\"/c/rust")),
                None => assert_eq!(dependency.as_str(), Some("0.1.0")),
            }
            assert!(files.iter().all(|(_, text)| !text.contains("{name}")));
        }
    }
}
