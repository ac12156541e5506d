//! A component of every interface, built against the frozen copy of the package alone.

#![cfg(target_family = "wasm")]

wit_bindgen::generate!({
    path: "../wit-0.1.0",
    world: "everything",
});

use exports::portcullis::guest::completion::{
    Guest as Completion, SettledArgument, Subject, Suggestions,
};
use exports::portcullis::guest::prompts::{
    Guest as Prompts, Prompt, PromptArgument, PromptMessages, PromptOutcome, PromptParameter,
};
use exports::portcullis::guest::resources::{
    Guest as Resources, ReadOutcome, ResourceCatalog, ResourceEntry, ResourceTemplate,
};
use exports::portcullis::guest::tools::{
    Component, Descriptor, Guest as Tools, Hints, Outcome, OutputContract, Requirements,
    TypedValue, ValueSchema,
};
use portcullis::guest::types::{
    ClientAbilities, Content, Failure, FailureKind, Form, InputRequired, KeyedQuestion, LogLevel,
    Message, Question, Reply, Request, ResourceBody, ResourceContents, Role, TextBlock, UserReply,
};
use portcullis::guest::{changed, log, progress};

struct Frozen;

export!(Frozen);

/// The tools, and what each promises; none: text.
const TOOLS: [(&str, Option<&str>); 3] = [
    (
        "greet",
        Some(r#"{"type":"object","properties":{"said":{"type":"string"}},"required":["said"]}"#),
    ),
    ("ask", None),
    ("announce", None),
];

impl Tools for Frozen {
    fn describe() -> Result<Component, String> {
        let descriptor = |(name, output): (&str, Option<&str>)| Descriptor {
            name: name.to_owned(),
            title: None,
            description: None,
            input_schema: r#"{"type":"object","additionalProperties":false}"#.to_owned(),
            output: output
                .map_or(OutputContract::ContentOnly, |it| OutputContract::Typed(it.to_owned())),
            hints: Hints {
                read_only: Some(true),
                destructive: None,
                idempotent: None,
                open_world: None,
            },
            own_content: false,
            extensions: Vec::new(),
        };
        Ok(Component {
            name: "frozen".to_owned(),
            version: "0.1.0".to_owned(),
            requires: Requirements {
                http: Vec::new(),
                directories: Vec::new(),
                environment: Vec::new(),
                secrets: Vec::new(),
                client: ClientAbilities::empty(),
            },
            tools: TOOLS.into_iter().map(descriptor).collect(),
            extensions: Vec::new(),
        })
    }

    fn call(name: String, _arguments: String, request: Request) -> Result<Outcome, Failure> {
        match name.as_str() {
            "greet" => {
                progress::report(1.0, Some(1.0), Some("greeting"));
                log::write(LogLevel::Info, Some("frozen"), "a line");
                let json = r#"{"said":"hello"}"#.to_owned();
                Ok(Outcome::Value(TypedValue { json, schema: ValueSchema::Declared }))
            }
            "ask" => Ok(asked(&request)),
            "announce" => {
                changed::tool_list();
                changed::resource_list();
                changed::prompt_list();
                changed::resource_contents("frozen://text");
                Ok(Outcome::Content(vec![text("announced")]))
            }
            _ => Err(not_found()),
        }
    }
}

/// Asks for a name, and says what came back.
fn asked(request: &Request) -> Outcome {
    let Some(answer) = request.answers.first() else {
        let schema = r#"{"type":"object","properties":{"name":{"type":"string"}}}"#.to_owned();
        let form = Form { message: "Your name?".to_owned(), schema };
        let question = KeyedQuestion { key: "name".to_owned(), question: Question::Form(form) };
        let state = Some(b"state".to_vec());
        return Outcome::InputRequired(InputRequired { questions: vec![question], state });
    };
    let Reply::Form(UserReply::Accepted(Some(json))) = &answer.reply else {
        return Outcome::Content(vec![text("nothing")]);
    };
    let state = String::from_utf8_lossy(request.state.as_deref().unwrap_or_default()).into_owned();
    Outcome::Content(vec![text(&format!("{state} {json}"))])
}

impl Resources for Frozen {
    fn describe() -> Result<ResourceCatalog, String> {
        Ok(ResourceCatalog {
            entries: vec![ResourceEntry {
                uri: "frozen://text".to_owned(),
                name: "text".to_owned(),
                title: None,
                description: None,
                mime_type: Some("text/plain".to_owned()),
                size: None,
                annotations: None,
                extensions: Vec::new(),
            }],
            templates: vec![ResourceTemplate {
                uri_template: "frozen://of/{name}".to_owned(),
                name: "of".to_owned(),
                title: None,
                description: None,
                mime_type: None,
                annotations: None,
                extensions: Vec::new(),
            }],
        })
    }

    fn read(uri: String, _request: Request) -> Result<ReadOutcome, Failure> {
        let body = ResourceBody::Text(format!("what is at {uri}"));
        let mime_type = Some("text/plain".to_owned());
        Ok(ReadOutcome::Contents(vec![ResourceContents { uri, mime_type, body }]))
    }
}

impl Prompts for Frozen {
    fn describe() -> Result<Vec<Prompt>, String> {
        let parameter = PromptParameter {
            name: "topic".to_owned(),
            title: None,
            description: None,
            required: true,
        };
        Ok(vec![Prompt {
            name: "about".to_owned(),
            title: None,
            description: None,
            parameters: vec![parameter],
            extensions: Vec::new(),
        }])
    }

    fn get(
        _name: String,
        arguments: Vec<PromptArgument>,
        _request: Request,
    ) -> Result<PromptOutcome, Failure> {
        let topic = arguments.into_iter().next().ok_or_else(not_found)?.value;
        let message = Message { role: Role::User, content: text(&format!("Tell of {topic}.")) };
        Ok(PromptOutcome::Messages(PromptMessages { description: None, messages: vec![message] }))
    }
}

impl Completion for Frozen {
    fn complete(
        _subject: Subject,
        _name: String,
        typed: String,
        _settled: Vec<SettledArgument>,
        _request: Request,
    ) -> Result<Suggestions, Failure> {
        let values = vec![format!("{typed}-one"), format!("{typed}-two")];
        Ok(Suggestions { values, total: Some(2), more: false, extensions: Vec::new() })
    }
}

fn text(text: &str) -> Content {
    Content::Text(TextBlock { text: text.to_owned(), annotations: None })
}

fn not_found() -> Failure {
    Failure { kind: FailureKind::NotFound, message: "there is nothing of that name".to_owned() }
}
