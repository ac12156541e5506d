//! Content blocks: what people and models read.

use crate::bindings::portcullis::guest::types as wit;

/// One block of content.
///
/// A tool that returns `Content` or `Vec<Content>` is content-only: it publishes no output
/// schema, and the blocks reach the client as they are.
///
/// ```
/// use portcullis_guest::{Content, Link, tool};
///
/// /// The radar picture, and where to find the next one.
/// #[tool]
/// fn radar() -> Vec<Content> {
///     vec![
///         Content::image(b"\x89PNG\r\n\x1a\n".to_vec(), "image/png").for_user(),
///         Link::new("https://weather.example/radar", "radar").into(),
///     ]
/// }
/// # fn main() {}
/// ```
#[derive(Clone, Debug)]
pub struct Content {
    pub(crate) block: wit::Content,
}

impl Content {
    /// Text.
    pub fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        Self::from_wit(wit::Content::Text(wit::TextBlock { text, annotations: None }))
    }

    /// An image: its raw bytes, and a MIME type that agrees with them.
    pub fn image(data: impl Into<Vec<u8>>, mime_type: impl Into<String>) -> Self {
        Self::from_wit(wit::Content::Image(media(data.into(), mime_type.into())))
    }

    /// A sound: its raw bytes, and a MIME type that agrees with them.
    pub fn audio(data: impl Into<Vec<u8>>, mime_type: impl Into<String>) -> Self {
        Self::from_wit(wit::Content::Audio(media(data.into(), mime_type.into())))
    }

    /// Meant for the user.
    #[must_use]
    pub fn for_user(self) -> Self {
        self.annotate(|it| it.audience = it.audience | wit::Audience::USER)
    }

    /// Meant for the model.
    #[must_use]
    pub fn for_assistant(self) -> Self {
        self.annotate(|it| it.audience = it.audience | wit::Audience::ASSISTANT)
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

    fn annotate(mut self, change: impl FnOnce(&mut wit::Annotations)) -> Self {
        let annotations = match &mut self.block {
            wit::Content::Text(block) => &mut block.annotations,
            wit::Content::Image(block) | wit::Content::Audio(block) => &mut block.annotations,
            wit::Content::Link(block) => &mut block.annotations,
            wit::Content::Embedded(block) => &mut block.annotations,
        };
        change(annotations.get_or_insert(wit::Annotations {
            audience: wit::Audience::empty(),
            priority: None,
            last_modified: None,
        }));
        self
    }

    fn from_wit(block: wit::Content) -> Self {
        Self { block }
    }
}

fn media(data: Vec<u8>, mime_type: String) -> wit::Media {
    wit::Media { data, mime_type, annotations: None }
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

/// A link to a resource that the client may read; becomes a [`Content`] block.
#[derive(Clone, Debug)]
pub struct Link(wit::ResourceLink);

impl Link {
    /// An absolute URI, and a name for what it leads to.
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self(wit::ResourceLink {
            uri: uri.into(),
            name: name.into(),
            title: None,
            description: None,
            mime_type: None,
            size: None,
            annotations: None,
        })
    }

    /// A name for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.0.title = Some(title.into());
        self
    }

    /// What the link leads to.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.0.description = Some(description.into());
        self
    }

    /// The MIME type of what the link leads to.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.0.mime_type = Some(mime_type.into());
        self
    }

    /// The size in bytes of what the link leads to.
    #[must_use]
    pub fn size(mut self, size_bytes: u64) -> Self {
        self.0.size = Some(size_bytes);
        self
    }
}

impl From<Link> for Content {
    fn from(link: Link) -> Self {
        Self::from_wit(wit::Content::Link(link.0))
    }
}

/// A resource with its body; becomes a [`Content`] block.
#[derive(Clone, Debug)]
pub struct Embedded(wit::ResourceContents);

impl Embedded {
    /// A resource whose body is text.
    pub fn text(uri: impl Into<String>, text: impl Into<String>) -> Self {
        Self::new(uri.into(), wit::ResourceBody::Text(text.into()))
    }

    /// A resource whose body is raw bytes.
    pub fn bytes(uri: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self::new(uri.into(), wit::ResourceBody::Bytes(bytes.into()))
    }

    /// The body's MIME type.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.0.mime_type = Some(mime_type.into());
        self
    }

    fn new(uri: String, body: wit::ResourceBody) -> Self {
        Self(wit::ResourceContents { uri, mime_type: None, body })
    }
}

impl From<Embedded> for Content {
    fn from(resource: Embedded) -> Self {
        Self::from_wit(wit::Content::Embedded(wit::EmbeddedResource {
            contents: resource.0,
            annotations: None,
        }))
    }
}
