//! What the WIT package says, in Rust.
#![allow(missing_docs, unsafe_op_in_unsafe_fn, reason = "generated code")]

use super::Provider;

// These worlds stand in one: an import that no tool calls does not reach the component. Exports
// have no such escape, so whatever else a component can export is in a world of its own, behind a
// feature.
wit_bindgen::generate!({
    inline: r#"
        package portcullis:rust-sdk;

        world sdk {
            include portcullis:guest/tool-provider@0.1.0;
            include portcullis:guest/progress-reporter@0.1.0;
            include portcullis:guest/log-writer@0.1.0;
            include portcullis:guest/change-announcer@0.1.0;
        }
    "#,
    path: "../../wit",
    world: "portcullis:rust-sdk/sdk",
    generate_all,
});

export!(Provider);
