//! The export of resources, which a component has that asks for it with the feature `resources`.

mod bindings {
    #![allow(missing_docs, unsafe_op_in_unsafe_fn, reason = "generated code")]

    use super::Provider;

    wit_bindgen::generate!({
        inline: r#"
            package portcullis:rust-sdk-resources;

            world sdk {
                include portcullis:guest/resource-provider@0.1.0;
            }
        "#,
        path: "../../wit",
        world: "portcullis:rust-sdk-resources/sdk",
        with: { "portcullis:guest/types@0.1.0": crate::component::bindings::portcullis::guest::types },
    });

    export!(Provider);
}

use bindings::exports::portcullis::guest::resources as wit;
use bindings::exports::portcullis::guest::resources::Guest;

use super::{incoming, outgoing};
use crate::{describe, docs, read};

/// The resources of the crate that this one is linked into.
struct Provider;

impl Guest for Provider {
    fn describe() -> Result<wit::ResourceCatalog, String> {
        let (templates, entries): (Vec<_>, Vec<_>) =
            describe::resources()?.into_iter().partition(|it| it.is_template);
        let entry = |it: &read::Resource| wit::ResourceEntry {
            uri: it.uri.to_owned(),
            name: it.name.to_owned(),
            title: it.title.map(str::to_owned),
            description: docs::text(it.docs),
            mime_type: it.mime_type.map(str::to_owned),
            size: None,
            annotations: None,
            extensions: Vec::new(),
        };
        let template = |it: &read::Resource| wit::ResourceTemplate {
            uri_template: it.uri.to_owned(),
            name: it.name.to_owned(),
            title: it.title.map(str::to_owned),
            description: docs::text(it.docs),
            mime_type: it.mime_type.map(str::to_owned),
            annotations: None,
            extensions: Vec::new(),
        };
        Ok(wit::ResourceCatalog {
            entries: entries.into_iter().map(entry).collect(),
            templates: templates.into_iter().map(template).collect(),
        })
    }

    fn read(uri: String, request: wit::Request) -> Result<wit::ReadOutcome, wit::Failure> {
        match read::read(&uri, incoming::call(request)) {
            Ok(contents) => {
                let contents = contents.into_iter().map(outgoing::resource_contents);
                Ok(wit::ReadOutcome::Contents(contents.collect()))
            }
            Err(error) => outgoing::asks_or_fails(error).map(wit::ReadOutcome::InputRequired),
        }
    }
}
