//! The export of completion, which a component has that asks for it with the feature `completion`.

mod bindings {
    #![allow(missing_docs, unsafe_op_in_unsafe_fn, reason = "generated code")]

    use super::Provider;

    wit_bindgen::generate!({
        inline: r#"
            package portcullis:rust-sdk-completion;

            world sdk {
                include portcullis:guest/completion-provider@0.1.0;
            }
        "#,
        path: "../../wit",
        world: "portcullis:rust-sdk-completion/sdk",
        with: { "portcullis:guest/types@0.1.0": crate::component::bindings::portcullis::guest::types },
    });

    export!(Provider);
}

use bindings::exports::portcullis::guest::completion as wit;
use bindings::exports::portcullis::guest::completion::Guest;

use super::{incoming, outgoing};
use crate::complete::{self, Subject, Typing};

/// The suggestions of the crate that this one is linked into.
struct Provider;

impl Guest for Provider {
    fn complete(
        subject: wit::Subject,
        name: String,
        typed: String,
        settled: Vec<wit::SettledArgument>,
        request: wit::Request,
    ) -> Result<wit::Suggestions, wit::Failure> {
        let subject = match &subject {
            wit::Subject::Prompt(name) => Subject::Prompt(name),
            wit::Subject::ResourceTemplate(template) => Subject::Template(template),
        };
        let settled = settled.into_iter().map(|it| (it.name, it.value)).collect();
        let typing = Typing { text: typed, settled };
        let suggested = complete::complete(subject, &name, &typing, incoming::call(request));
        let suggested = suggested.map_err(outgoing::failure)?;
        Ok(wit::Suggestions {
            values: suggested.values,
            total: suggested.total,
            more: suggested.more,
            extensions: Vec::new(),
        })
    }
}
