//! New projects: the files that one begins with.

use std::path::{Path, PathBuf};

use super::python;

/// A language that projects can be begun in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    Rust,
    TypeScript,
    Python,
    C,
    Cpp,
    Zig,
    Go,
}

impl Language {
    pub(crate) const ALL: [Self; 7] =
        [Self::Rust, Self::TypeScript, Self::Python, Self::C, Self::Cpp, Self::Zig, Self::Go];

    /// Its name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Rust => "rust",
            Self::TypeScript => "typescript",
            Self::Python => "python",
            Self::C => "c",
            Self::Cpp => "cpp",
            Self::Zig => "zig",
            Self::Go => "go",
        }
    }

    /// The files of a project `name`, by their paths in it. `sdk` is the directory of this project's
    /// SDKs, where there is one.
    pub(crate) fn files(self, name: &str, sdk: Option<&Path>) -> Vec<(String, String)> {
        let calls = ("calls.json", include_str!("template/calls.json").to_owned());
        let named = |text: &str| text.replace("{name}", name);
        let readme = ("README.md", named(include_str!("template/README.md")));
        let files = match self {
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
            Self::Python => vec![
                (
                    "pyproject.toml",
                    named(include_str!("template/python/pyproject.toml"))
                        .replace("{sdk}", &python_sdk(sdk)),
                ),
                ("{module}.py", include_str!("template/python/tools.py").to_owned()),
                readme,
                (".gitignore", include_str!("template/python/gitignore").to_owned()),
                calls,
            ],
            Self::C | Self::Cpp | Self::Zig | Self::Go => {
                let overlay = ("overlay.toml", named(include_str!("template/native/overlay.toml")));
                let own = self.plain().iter().map(|&(path, text)| (path, text.to_owned()));
                own.chain([overlay, readme, calls]).collect()
            }
        };
        let module = python::module(name);
        files.into_iter().map(|(path, text)| (path.replace("{module}", &module), text)).collect()
    }
}

impl Language {
    /// The files of a project of plain functions that do not depend on its name.
    fn plain(self) -> &'static [(&'static str, &'static str)] {
        const WIT: (&str, &str) = ("wit/words.wit", include_str!("template/native/words.wit"));
        const IGNORED: (&str, &str) = (".gitignore", include_str!("template/native/gitignore"));
        match self {
            Self::Rust | Self::TypeScript | Self::Python => &[],
            Self::C => &[
                ("src/words.c", include_str!("template/c/words.c")),
                ("compile_flags.txt", include_str!("template/c/compile_flags.txt")),
                WIT,
                IGNORED,
            ],
            Self::Cpp => &[
                ("src/words.cpp", include_str!("template/cpp/words.cpp")),
                ("compile_flags.txt", include_str!("template/cpp/compile_flags.txt")),
                WIT,
                IGNORED,
            ],
            Self::Zig => &[("src/root.zig", include_str!("template/zig/root.zig")), WIT, IGNORED],
            Self::Go => &[
                ("go.mod", include_str!("template/go/go.mod")),
                ("export_example_words_tools/words.go", include_str!("template/go/words.go")),
                WIT,
                (".gitignore", include_str!("template/go/gitignore")),
            ],
        }
    }
}

/// Where pip finds the SDK, as a dependency in a TOML text. `portcullis build` has it anyway.
fn python_sdk(sdk: Option<&Path>) -> String {
    let place = match sdk {
        Some(sdk) => {
            let path = sdk.join("python").display().to_string();
            let is_plain = |c: char| c.is_alphanumeric() || "/._-~".contains(c);
            let byte = |byte: u8| format!("%{byte:02X}");
            let escaped: String = path
                .chars()
                .map(|c| match is_plain(c) {
                    true => c.to_string(),
                    false => c.to_string().bytes().map(byte).collect(),
                })
                .collect();
            format!("portcullis @ file://{escaped}")
        }
        None => format!("portcullis=={}", env!("CARGO_PKG_VERSION")),
    };
    toml::Value::String(place).to_string()
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
            let files = Language::Python.files("my-tool", sdk);
            assert_eq!(files[1].0, "my_tool.py");
            let manifest: toml::Table = files[0].1.parse().unwrap();
            assert_eq!(manifest["project"]["name"].as_str(), Some("my-tool"));
            // RFC 3986, 2.1.
            let place = match sdk {
                Some(_) => "portcullis @ file:///a%20%22b%22/c/python",
                None => "portcullis==0.1.0",
            };
            let dependencies = manifest["project"]["dependencies"].as_array().unwrap();
            assert_eq!(dependencies[0].as_str(), Some(place));
        }
        for language in Language::ALL {
            let files = language.files("my-tool", None);
            assert!(files.iter().all(|(_, text)| !text.contains("{name}")));
        }
    }
}
