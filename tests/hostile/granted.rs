//! The component that reaches for what the host has, under the grants that a test gives it.

use std::sync::Arc;

use portcullis::Host;
use portcullis::call::{Asked, Audit};
use portcullis::config::Config;
use portcullis::sandbox::{Compiler, Resolver};
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::harness::reaching;

/// A host in this process, and the directory that its grants are relative to.
pub(super) struct Granted {
    pub(super) runtime: Runtime,
    pub(super) host: Host,
    pub(super) directory: TempDir,
}

impl Granted {
    /// With these lines under `[components.reaching.grants]`, in a directory with `prepared` files.
    pub(super) fn with(grants: &str, prepared: &[(&str, &str)]) -> Self {
        Self::of(&format!("[components.reaching.grants]\n{grants}\n"), prepared, None)
    }

    /// With a config, a file `audit` for receipts, and names that a resolver knows.
    pub(super) fn of(
        config: &str,
        prepared: &[(&str, &str)],
        resolver: Option<Arc<dyn Resolver>>,
    ) -> Self {
        let directory = TempDir::new().expect("the temporary directory can be written");
        for (name, text) in prepared {
            let file = directory.path().join(name);
            let parent = file.parent().expect("it is in the directory");
            std::fs::create_dir_all(parent).expect("the temporary directory can be written");
            std::fs::write(file, text).expect("the temporary directory can be written");
        }
        let file = directory.path().join("portcullis.toml");
        std::fs::write(&file, config).expect("the temporary directory can be written");
        let config =
            Config::read(&file, &[reaching().to_owned()]).unwrap_or_else(|error| panic!("{error}"));
        let runtime = Runtime::new().expect("the runtime starts");
        let host = runtime
            .block_on(Host::load(&config, Compiler::in_this_process(), |_| ()))
            .unwrap_or_else(|error| panic!("{error}"));
        let audit = Audit::to(&directory.path().join("audit")).expect("it can be written");
        let host = host.with_audit(Some(audit)).expect("there is a thread");
        let host = match resolver {
            Some(resolver) => host.with_resolver(resolver),
            None => host,
        };
        Self { runtime, host, directory }
    }

    /// The whole result of a call.
    pub(super) fn result(&self, tool: &str, arguments: Value) -> Value {
        let Value::Object(arguments) = arguments else { panic!("no object: {arguments}") };
        let called = self.host.call(Asked::new(tool.to_owned(), arguments));
        let reply = self.runtime.block_on(called).unwrap_or_else(|unknown| panic!("{unknown}"));
        portcullis::mcp::result_json(&reply)
    }

    /// The value that a call gives.
    pub(super) fn value(&self, tool: &str, arguments: Value) -> Value {
        let result = self.result(tool, arguments);
        assert_eq!(result["isError"], false, "{result}");
        result["structuredContent"]["result"].clone()
    }

    /// The text of a call that fails, after the name of its tool.
    pub(super) fn error(&self, tool: &str, arguments: Value) -> String {
        let result = self.result(tool, arguments);
        assert_eq!(result["isError"], true, "{result}");
        let text = result["content"][0]["text"].as_str().expect("it is text");
        let before = format!("Error executing tool {tool}: ");
        text.strip_prefix(&before).unwrap_or_else(|| panic!("{text}")).to_owned()
    }

    /// The receipts of all calls so far; the host ends with this.
    pub(super) fn receipts(self) -> Vec<Map<String, Value>> {
        let Self { runtime, host, directory } = self;
        drop(host);
        drop(runtime);
        let text = std::fs::read_to_string(directory.path().join("audit")).expect("it is there");
        text.lines().map(|line| serde_json::from_str(line).expect("a line is an object")).collect()
    }
}

/// The path of a file as an argument.
pub(super) fn at(path: &str) -> Value {
    json!({ "path": path })
}
