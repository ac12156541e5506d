//! Content blocks: what people and models read.

use crate::resource::{Embedded, Link};

/// One block of content.
///
/// A tool that returns `Content` or `Vec<Content>` is content-only: it publishes no output
/// schema, and the blocks reach the client as they are.
///
#[doc = "```"]
#[doc = include_str!("../tests/examples/content.rs")]
#[doc = "```"]
#[derive(Clone, Debug, PartialEq)]
pub struct Content {
    pub(crate) body: Body,
    pub(crate) annotations: Option<Annotations>,
}

/// What a block holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Body {
    Text(String),
    Image(Media),
    Audio(Media),
    Link(Link),
    Embedded(Embedded),
}

/// An image or a sound.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Media {
    pub(crate) data: Vec<u8>,
    pub(crate) mime_type: String,
}

/// Hints about a block.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Annotations {
    pub(crate) for_user: bool,
    pub(crate) for_assistant: bool,
    pub(crate) priority: Option<f64>,
    pub(crate) last_modified: Option<String>,
}

impl Content {
    /// Text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::new(Body::Text(text.into()))
    }

    /// An image: its raw bytes, and a MIME type that agrees with them.
    pub fn image(data: impl Into<Vec<u8>>, mime_type: impl Into<String>) -> Self {
        Self::new(Body::Image(Media::new(data.into(), mime_type.into())))
    }

    /// A sound: its raw bytes, and a MIME type that agrees with them.
    pub fn audio(data: impl Into<Vec<u8>>, mime_type: impl Into<String>) -> Self {
        Self::new(Body::Audio(Media::new(data.into(), mime_type.into())))
    }

    /// Meant for the user.
    #[must_use]
    pub fn for_user(self) -> Self {
        self.annotate(|it| it.for_user = true)
    }

    /// Meant for the model.
    #[must_use]
    pub fn for_assistant(self) -> Self {
        self.annotate(|it| it.for_assistant = true)
    }

    /// How much the block matters, from 0 (not at all) to 1 (required).
    #[must_use]
    pub fn priority(self, priority: f64) -> Self {
        self.annotate(|it| it.priority = Some(priority))
    }

    /// When the block's matter last changed, as an RFC 3339 date and time.
    #[must_use]
    pub fn last_modified(self, date_time: impl Into<String>) -> Self {
        self.annotate(|it| it.last_modified = Some(date_time.into()))
    }

    fn annotate(mut self, change: impl FnOnce(&mut Annotations)) -> Self {
        change(self.annotations.get_or_insert_default());
        self
    }

    pub(crate) fn new(body: Body) -> Self {
        Self { body, annotations: None }
    }
}

impl Media {
    fn new(data: Vec<u8>, mime_type: String) -> Self {
        Self { data, mime_type }
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}
