//! New projects: the files that one begins with.

use std::path::{Path, PathBuf};

/// A language that projects can be begun in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    Rust,
    TypeScript,
}

impl Language {
    pub(crate) const ALL: [Self; 2] = [Self::Rust, Self::TypeScript];

    /// Its name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Rust => "rust",
            Self::TypeScript => "typescript",
        }
    }

    /// The files of a project `name`, by their paths in it. `sdk` is the directory of this project's
    /// SDKs, where there is one.
    pub(crate) fn files(self, name: &str, sdk: Option<&Path>) -> Vec<(&'static str, String)> {
        let calls = ("calls.json", include_str!("template/calls.json").to_owned());
        let named = |text: &str| text.replace("{name}", name);
        let readme = ("README.md", named(include_str!("template/README.md")));
        match self {
            Self::Rust => vec![
                (
                    "Cargo.toml",
                    named(include_str!("template/rust/Cargo.toml"))
                        .replace("{sdk}", &rust_sdk(sdk)),
                ),
                ("src/lib.rs", include_str!("template/rust/lib.rs").to_owned()),
                readme,
                (".gitignore", include_str!("template/rust/gitignore").to_owned()),
                calls,
            ],
            Self::TypeScript => vec![
                (
                    "package.json",
                    named(include_str!("template/typescript/package.json"))
                        .replace("{sdk}", &javascript_sdk(sdk)),
                ),
                ("tsconfig.json", include_str!("template/typescript/tsconfig.json").to_owned()),
                ("src/index.ts", include_str!("template/typescript/index.ts").to_owned()),
                readme,
                (".gitignore", include_str!("template/typescript/gitignore").to_owned()),
                calls,
            ],
        }
    }
}

/// Where npm finds the SDK, as JSON.
fn javascript_sdk(sdk: Option<&Path>) -> String {
    let place = match sdk {
        Some(sdk) => format!("file:{}", sdk.join("js").display()),
        None => env!("CARGO_PKG_VERSION").to_owned(),
    };
    serde_json::Value::String(place).to_string()
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
    fn manifests_have_the_names_that_were_given() {
        for sdk in [None, Some(Path::new("/a \"b\"/c"))] {
            let files = Language::Rust.files("my-tool", sdk);
            let manifest: toml::Table = files[0].1.parse().unwrap();
            assert_eq!(manifest["package"]["name"].as_str(), Some("my-tool"));
            let dependency = &manifest["dependencies"]["portcullis-guest"];
            match sdk {
                Some(_) => assert_eq!(dependency["path"].as_str(), Some("/a \"b\"/c/rust")),
                None => assert_eq!(dependency.as_str(), Some("0.1.0")),
            }
            let files = Language::TypeScript.files("my-tool", sdk);
            let manifest: serde_json::Value = serde_json::from_str(&files[0].1).unwrap();
            assert_eq!(manifest["name"], "my-tool");
            let place = if sdk.is_some() { "file:/a \"b\"/c/js" } else { "0.1.0" };
            assert_eq!(manifest["devDependencies"]["@portcullis/guest"], place);
        }
        for language in Language::ALL {
            let files = language.files("my-tool", None);
            assert!(files.iter().all(|(_, text)| !text.contains("{name}")));
        }
    }
}
