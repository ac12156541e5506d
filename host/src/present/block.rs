//! Blocks of content that may leave.
//!
//! A block is made by `call::content` from what a guest said, or by this room from a verified
//! value; bytes in it are base64 already.

use std::borrow::Cow;

use super::clean;

/// A block of content.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// What it says.
    pub body: Body,
    /// Hints about it.
    pub annotations: Option<Annotations>,
}

/// What a block says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// Text in which nothing is hidden.
    Text(String),
    /// An image.
    Image(Media),
    /// A sound.
    Audio(Media),
    /// A link to a resource.
    Link(Link),
    /// A resource in full.
    Embedded(Resource),
}

/// An image or a sound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Media {
    /// The bytes in base64.
    pub data: String,
    /// The MIME type that the bytes agree with.
    pub mime_type: String,
}

/// A link to a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Absolute, of an allowed scheme.
    pub uri: String,
    /// A name.
    pub name: String,
    /// A name for people.
    pub title: Option<String>,
    /// What it is.
    pub description: Option<String>,
    /// Its MIME type.
    pub mime_type: Option<String>,
    /// Its size in bytes.
    pub size: Option<u64>,
}

/// A resource's contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// Absolute, of an allowed scheme.
    pub uri: String,
    /// Its MIME type.
    pub mime_type: Option<String>,
    /// What is in it.
    pub contents: Contents,
}

/// What is in a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contents {
    /// Text in which nothing is hidden.
    Text(String),
    /// Bytes in base64.
    Blob(String),
}

/// Hints about a block (MCP 2025-06-18, annotations).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Annotations {
    /// It is for the user.
    pub user: bool,
    /// It is for the model.
    pub assistant: bool,
    /// 0 (of no importance) to 1 (required).
    pub priority: Option<f64>,
    /// RFC 3339.
    pub last_modified: Option<String>,
}

impl Block {
    /// Text, with characters that a reader could not see shown escaped.
    #[must_use]
    pub fn text<'a>(text: impl Into<Cow<'a, str>>) -> Self {
        Self::of(Body::Text(clean::text(text)))
    }

    /// A block without annotations.
    #[must_use]
    pub fn of(body: Body) -> Self {
        Self { body, annotations: None }
    }

    /// Bytes that the block takes in a result.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match &self.body {
            Body::Text(text) => text.len(),
            Body::Image(media) | Body::Audio(media) => media.data.len(),
            Body::Link(link) => link.uri.len() + link.description.as_ref().map_or(0, String::len),
            Body::Embedded(resource) => resource.bytes(),
        }
    }
}

impl Resource {
    /// Bytes that the contents take in a result.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match &self.contents {
            Contents::Text(text) => text.len(),
            Contents::Blob(blob) => blob.len(),
        }
    }
}
