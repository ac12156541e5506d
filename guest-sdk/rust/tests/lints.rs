//! An author's crate stays free of warnings, however strict it is.
#![forbid(unsafe_code)]
#![deny(
    missing_docs,
    unreachable_pub,
    unused,
    nonstandard_style,
    rust_2018_idioms,
    unused_qualifications,
    missing_debug_implementations,
    let_underscore_drop,
    clippy::all,
    clippy::pedantic,
    clippy::nursery
)]

/// Tools in a module of their own.
pub mod tools {
    use portcullis_guest::{Call, Full, tool};

    /// How many there are.
    #[tool(name = "how-many", open_world, idempotent)]
    pub fn how_many(
        /// What to count.
        #[length(1..)]
        city: String,
        #[default(1)] days: u8,
        call: &Call,
    ) -> Full<u8> {
        let _ = (city.len(), call.id());
        Full::new(days)
    }

    /// What comes back.
    #[tool(content_only)]
    pub(crate) fn echo(r#type: String) -> Result<String, String> {
        Ok(r#type.to_uppercase())
    }

    /// Names in another language's case.
    #[tool]
    pub fn inCamelCase(cityName: Option<String>) -> bool {
        cityName.is_some()
    }
}

#[test]
fn tools_are_callable_as_functions() {
    assert_eq!(tools::echo("a".to_owned()).unwrap(), "A");
    assert!(!tools::inCamelCase(None));
}
