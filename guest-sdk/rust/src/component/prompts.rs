//! The export of prompts, which a component has that asks for it with the feature `prompts`.

mod bindings {
    #![allow(missing_docs, unsafe_op_in_unsafe_fn, reason = "generated code")]

    use super::Provider;

    wit_bindgen::generate!({
        inline: r#"
            package portcullis:rust-sdk-prompts;

            world sdk {
                include portcullis:guest/prompt-provider@0.1.0;
            }
        "#,
        path: "../../wit",
        world: "portcullis:rust-sdk-prompts/sdk",
        with: { "portcullis:guest/types@0.1.0": crate::component::bindings::portcullis::guest::types },
    });

    export!(Provider);
}

use bindings::exports::portcullis::guest::prompts as wit;
use bindings::exports::portcullis::guest::prompts::Guest;

use super::{incoming, outgoing};
use crate::{describe, docs, prompt};

/// The prompts of the crate that this one is linked into.
struct Provider;

impl Guest for Provider {
    fn describe() -> Result<Vec<wit::Prompt>, String> {
        let parameter = |it: &prompt::Parameter| wit::PromptParameter {
            name: it.name.to_owned(),
            title: it.title.map(str::to_owned),
            description: docs::text(it.docs),
            required: it.required,
        };
        let prompt = |it: &prompt::Prompt| wit::Prompt {
            name: it.name.to_owned(),
            title: it.title.map(str::to_owned),
            description: docs::text(it.docs),
            parameters: it.parameters.iter().map(parameter).collect(),
            extensions: Vec::new(),
        };
        Ok(describe::prompts()?.into_iter().map(prompt).collect())
    }

    fn get(
        name: String,
        arguments: Vec<wit::PromptArgument>,
        request: wit::Request,
    ) -> Result<wit::PromptOutcome, wit::Failure> {
        let arguments: Vec<_> = arguments.into_iter().map(|it| (it.name, it.value)).collect();
        match prompt::get(&name, &arguments, incoming::call(request)) {
            Ok(messages) => Ok(wit::PromptOutcome::Messages(wit::PromptMessages {
                description: None,
                messages: messages.into_iter().map(outgoing::message).collect(),
            })),
            Err(error) => outgoing::asks_or_fails(error).map(wit::PromptOutcome::InputRequired),
        }
    }
}
