//! Components served by the real host, in this process.

use std::path::{Path, PathBuf};

use portcullis::Host;
use portcullis::call::Asked;
use portcullis::config::Config;
use portcullis::sandbox::Compiler;
use serde_json::{Map, Value as Json};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::harness::without_call_id;

/// A host with components loaded.
pub(crate) struct Served {
    runtime: Runtime,
    host: Host,
    /// The definitions, as `tools/list` gives them.
    pub(crate) definitions: Vec<Map<String, Json>>,
    /// The tools that were left out, and why.
    pub(crate) refused: Vec<(String, String)>,
}

impl Served {
    /// Serves one component, given as bytes, of the id `generated`.
    pub(crate) fn component(bytes: &[u8]) -> Self {
        Self::configured(bytes, |_| ())
    }

    /// The same with what `configure` says.
    pub(crate) fn configured(bytes: &[u8], configure: impl FnOnce(&mut Config)) -> Self {
        let directory = TempDir::new().expect("the temporary directory can be written");
        let file = directory.path().join("generated.wasm");
        std::fs::write(&file, bytes).expect("the temporary directory can be written");
        Self::file(&file, configure)
    }

    /// Serves the component in a file, under limits that no test of values meets, and with what
    /// `configure` says.
    pub(crate) fn file(file: &Path, configure: impl FnOnce(&mut Config)) -> Self {
        let runtime = Runtime::new().expect("the runtime starts");
        let mut config = Config::from_paths(&[PathBuf::from(file)])
            .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        for component in &mut config.components {
            component.limits.call_deadline_ms = 120_000;
        }
        configure(&mut config);
        let host = runtime
            .block_on(Host::load(&config, Compiler::in_this_process(), |_| ()))
            .unwrap_or_else(|error| {
                panic!("{error}");
            });
        let catalog = host.catalog();
        let Json::Array(definitions) = portcullis::mcp::definitions(&catalog) else {
            panic!("definitions are a list")
        };
        let definitions = definitions
            .into_iter()
            .map(|definition| match definition {
                Json::Object(definition) => definition,
                other => panic!("no definition: {other}"),
            })
            .collect();
        let refused = catalog
            .refused()
            .iter()
            .map(|refused| (refused.tool.clone(), refused.reason.clone()))
            .collect();
        Self { runtime, host, definitions, refused }
    }

    /// The definition of a tool.
    pub(crate) fn definition(&self, tool: &str) -> &Map<String, Json> {
        self.definitions
            .iter()
            .find(|definition| definition["name"] == tool)
            .unwrap_or_else(|| panic!("{tool} is not served; refused: {:?}", self.refused))
    }

    /// The whole result of a call, call ids aside.
    pub(crate) fn call(&self, tool: &str, arguments: &Json) -> Map<String, Json> {
        let Json::Object(arguments) = arguments.clone() else { panic!("no object: {arguments}") };
        let asked = Asked::new(tool.to_owned(), arguments);
        let reply = self.runtime.block_on(self.host.call(asked));
        let reply = reply.unwrap_or_else(|unknown| panic!("{unknown}"));
        let result = without_call_id(&portcullis::mcp::result_json(&reply).to_string());
        serde_json::from_str(&result).expect("only digits were replaced")
    }
}
