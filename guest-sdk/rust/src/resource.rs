//! Resources within content: by link, or with their body.

use crate::content::{Body, Content};

/// A link to a resource that the client may read; becomes a [`Content`] block.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    pub(crate) uri: String,
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) mime_type: Option<String>,
    pub(crate) size: Option<u64>,
}

/// A resource with its body; becomes a [`Content`] block.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedded {
    pub(crate) uri: String,
    pub(crate) mime_type: Option<String>,
    pub(crate) body: ResourceBody,
}

/// The body of a resource.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ResourceBody {
    Text(String),
    Bytes(Vec<u8>),
}

impl Link {
    /// An absolute URI, and a name for what it leads to.
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            uri: uri.into(),
            name: name.into(),
            title: None,
            description: None,
            mime_type: None,
            size: None,
        }
    }

    /// A name for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// What the link leads to.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// The MIME type of what the link leads to.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// The size in bytes of what the link leads to.
    #[must_use]
    pub fn size(mut self, size_bytes: u64) -> Self {
        self.size = Some(size_bytes);
        self
    }
}

impl Embedded {
    /// A resource whose body is text.
    pub fn text(uri: impl Into<String>, text: impl Into<String>) -> Self {
        Self::new(uri.into(), ResourceBody::Text(text.into()))
    }

    /// A resource whose body is raw bytes.
    pub fn bytes(uri: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self::new(uri.into(), ResourceBody::Bytes(bytes.into()))
    }

    /// The body's MIME type.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    fn new(uri: String, body: ResourceBody) -> Self {
        Self { uri, mime_type: None, body }
    }
}

impl From<Link> for Content {
    fn from(link: Link) -> Self {
        Self::new(Body::Link(link))
    }
}

impl From<Embedded> for Content {
    fn from(resource: Embedded) -> Self {
        Self::new(Body::Embedded(resource))
    }
}
