//! The same tools without a sandbox: a server of rmcp into which they are compiled, as people write one.

use std::process::ExitCode;
use std::sync::Arc;

use base64::Engine as _;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ErrorData, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ServerHandler, ServiceExt as _};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::over_http::LISTENING;

/// The argument with which the benchmarks start themselves as a server, before the transport's name.
pub(crate) const COMMAND: &str = "native-server";

/// How a server speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transport {
    /// What rmcp's documentation shows.
    Stock,
    /// What the host uses.
    Pipes,
    /// rmcp's service over HTTP, on hyper.
    Http,
}

impl Transport {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Stock => "stock",
            Self::Pipes => "pipes",
            Self::Http => "http",
        }
    }
}

/// Serves until the client is gone, or over HTTP until it is killed.
pub(crate) fn serve(transport: &str) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let served = runtime.expect("a runtime can be made").block_on(async {
        let tools = Native::new();
        if transport == Transport::Http.name() {
            serve_http(tools).await;
        }
        let running = if transport == Transport::Pipes.name() {
            tools.serve(rmcp::transport::stdio_pipes()).await
        } else {
            tools.serve(rmcp::transport::stdio()).await
        };
        running.expect("a client shakes hands").waiting().await
    });
    if served.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Serves without sessions and with JSON where rmcp can, which is what the host does with the same requests;
/// all else is as rmcp has it.
async fn serve_http(tools: Native) -> ! {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true);
    let each = move || Ok(tools.clone());
    let service =
        StreamableHttpService::new(each, Arc::new(LocalSessionManager::default()), config);
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    eprintln!("{LISTENING}{}/mcp", listener.local_addr().expect("it listens"));
    loop {
        let (stream, _) = listener.accept().await.expect("a client connects");
        stream.set_nodelay(true).expect("it is connected");
        let service = service.clone();
        tokio::spawn(async move {
            let answer = service_fn(|request| {
                let service = service.clone();
                async move { Ok::<_, std::convert::Infallible>(service.handle(request).await) }
            });
            // A client that goes away is none of its business.
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), answer).await;
        });
    }
}

#[derive(Clone)]
struct Native {
    tools: Arc<[Tool]>,
}

impl Native {
    fn new() -> Self {
        let object = |value: Value| match value {
            Value::Object(object) => Arc::new(object),
            _ => unreachable!("schemas are objects"),
        };
        let reading = json!({
            "type": "object",
            "properties": {
                "station": { "type": "string" }, "celsius": { "type": "number" },
                "humidity": { "type": "integer" }, "is_fresh": { "type": "boolean" },
            },
            "required": ["station", "celsius", "humidity", "is_fresh"],
        });
        let result = |schema: Value| json!({ "type": "object", "properties": { "result": schema }, "required": ["result"] });
        let tool = |name: &'static str, parameters: &[&str], output: Value| {
            let properties: serde_json::Map<_, _> = parameters
                .iter()
                .map(|name| ((*name).to_owned(), json!({ "type": "integer" })))
                .collect();
            let input =
                json!({ "type": "object", "properties": properties, "required": parameters });
            Tool::new(name, name, object(input)).with_raw_output_schema(object(output))
        };
        let text = || result(json!({ "type": "string" }));
        Self {
            tools: [
                tool("add", &["a", "b"], result(json!({ "type": "integer" }))),
                tool("record", &["number"], reading.clone()),
                tool("records", &["count"], result(json!({ "type": "array", "items": reading }))),
                tool("text", &["count"], text()),
                tool("bytes", &["count"], text()),
            ]
            .into(),
        }
    }
}

fn reading(number: i64) -> Value {
    json!({
        "station": format!("station-{number}"),
        "celsius": (number % 40) as f64 + 0.5,
        "humidity": number % 100,
        "is_fresh": number % 2 == 0,
    })
}

impl ServerHandler for Native {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.to_vec()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let number = |name: &str| {
            let wrong = || ErrorData::invalid_params(format!("{name} is no integer"), None);
            arguments.get(name).and_then(Value::as_i64).ok_or_else(wrong)
        };
        let count = || number("count").map(|count| usize::try_from(count).unwrap_or(0));
        let value = match &*request.name {
            "add" => json!({ "result": number("a")? + number("b")? }),
            "record" => reading(number("number")?),
            "records" => {
                let readings: Vec<Value> = (0..number("count")?).map(reading).collect();
                json!({ "result": readings })
            }
            "text" => json!({ "result": "x".repeat(count()?) }),
            "bytes" => {
                let text = base64::engine::general_purpose::STANDARD.encode(vec![7; count()?]);
                json!({ "result": text })
            }
            _ => return Err(ErrorData::invalid_params("there is no such tool", None)),
        };
        Ok(CallToolResult::structured(value).into())
    }
}
