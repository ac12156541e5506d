//! The check of content that a guest wrote itself: MIME types, bytes, URIs, annotations.
//!
//! Nothing is repaired: a block that does not keep the rules fails the call.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use super::Failure;
use crate::component::{Component, Content, ContentsSaid, Said};
use crate::config;
use crate::present::marks::{self, annotations, mime_type};
use crate::present::{Block, Body, Contents, Link, Media, Resource, clean};

/// Blocks that one result may have.
const BLOCKS_MAX: usize = 1000;
/// Bytes of a name, a title or a description of a link.
const LABEL_BYTES_MAX: usize = 1024;

/// What content may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules<'a> {
    /// Bytes of all blocks together, as they leave.
    pub(super) bytes_max: usize,
    /// Schemes that a URI may have, in lower case.
    pub(super) link_schemes: &'a [String],
    /// Schemes of the component's own resources.
    pub(super) own_schemes: &'a [String],
}

impl<'a> Rules<'a> {
    /// Those for what `component` says.
    pub(super) fn of(component: &'a Component, rules: &'a config::Rules) -> Self {
        Self {
            bytes_max: component.limits.result_bytes_max,
            link_schemes: &rules.link_schemes,
            own_schemes: &component.surface.schemes,
        }
    }
}

/// Checks `blocks`, in order.
pub(super) fn check(blocks: Vec<Said<Content>>, rules: Rules<'_>) -> Result<Vec<Block>, Failure> {
    if blocks.len() > BLOCKS_MAX {
        return Err(broken(format!("{} blocks of content, more than {BLOCKS_MAX}", blocks.len())));
    }
    let mut bytes = 0_usize;
    let mut checked = Vec::with_capacity(blocks.len());
    for (index, said) in blocks.into_iter().enumerate() {
        let block =
            block(said, rules).map_err(|what| broken(format!("content.{index}: {what}")))?;
        bytes = bytes.saturating_add(block.bytes());
        if bytes > rules.bytes_max {
            return Err(Failure::ResultTooLarge { bytes_max: rules.bytes_max });
        }
        checked.push(block);
    }
    Ok(checked)
}

fn broken(what: String) -> Failure {
    Failure::Contract(what)
}

/// Checks one block.
pub(super) fn block(said: Said<Content>, rules: Rules<'_>) -> Result<Block, String> {
    let annotations = said.notes.map(annotations).transpose()?;
    let body = match said.what {
        Content::Text(text) => Body::Text(clean::text(text)),
        Content::Image { bytes, mime_type } => Body::Image(media(&bytes, &mime_type, "image")?),
        Content::Audio { bytes, mime_type } => Body::Audio(media(&bytes, &mime_type, "audio")?),
        Content::Link(link) => Body::Link(Link {
            uri: uri(&link.uri, rules)?,
            name: label("name", &link.name)?,
            title: link.title.map(|title| label("title", &title)).transpose()?,
            description: link.description.map(|text| label("description", &text)).transpose()?,
            mime_type: link.mime_type.map(|mime| mime_type(&mime)).transpose()?,
            size: link.size,
        }),
        Content::Embedded(contents) => {
            let at = uri(&contents.uri, rules)?;
            Body::Embedded(resource(at, contents)?)
        }
    };
    Ok(Block { body, annotations })
}

/// The contents of a resource at `uri`, which was looked at already.
pub(super) fn resource(uri: String, contents: ContentsSaid) -> Result<Resource, String> {
    let mime_type = contents.mime_type.as_deref().map(mime_type).transpose()?;
    let contents = match contents.body {
        crate::component::Body::Text(text) => Contents::Text(clean::text(text)),
        crate::component::Body::Bytes(bytes) => {
            if let Some(mime_type) = &mime_type {
                agree_if_media(&bytes, mime_type)?;
            }
            Contents::Blob(BASE64_STANDARD.encode(bytes))
        }
    };
    Ok(Resource { uri, mime_type, contents })
}

fn media(bytes: &[u8], mime: &str, kind: &str) -> Result<Media, String> {
    let mime_type = mime_type(mime)?;
    if !mime_type.starts_with(&format!("{kind}/")) {
        return Err(format!("a block of kind {kind} has the MIME type {mime_type}"));
    }
    agree(bytes, &mime_type)?;
    Ok(Media { data: BASE64_STANDARD.encode(bytes), mime_type })
}

/// What bytes say of themselves must be what the MIME type says of them.
fn agree(bytes: &[u8], mime_type: &str) -> Result<(), String> {
    match infer::get(bytes) {
        Some(found) if alias(found.mime_type()) == alias(essence(mime_type)) => Ok(()),
        Some(found) => Err(format!("the bytes are {}, not {mime_type}", found.mime_type())),
        None => Err(format!(
            "the bytes do not look like {mime_type}; what the host cannot recognise can be sent as \
             an embedded resource"
        )),
    }
}

fn agree_if_media(bytes: &[u8], mime_type: &str) -> Result<(), String> {
    match essence(mime_type) {
        // Text that draws: nothing in its bytes tells it apart from other XML.
        "image/svg+xml" => Ok(()),
        media if media.starts_with("image/") || media.starts_with("audio/") => {
            agree(bytes, mime_type)
        }
        _ => Ok(()),
    }
}

/// A MIME type without its parameters.
fn essence(mime_type: &str) -> &str {
    mime_type.split(';').next().unwrap_or_default().trim()
}

/// One name for what has several.
fn alias(mime_type: &str) -> &str {
    match mime_type {
        "image/jpg" => "image/jpeg",
        "audio/wav" | "audio/wave" | "audio/vnd.wave" => "audio/x-wav",
        "audio/mp3" => "audio/mpeg",
        "audio/x-flac" => "audio/flac",
        "audio/mp4" | "audio/x-m4a" => "audio/m4a",
        "image/x-icon" => "image/vnd.microsoft.icon",
        other => other,
    }
}

fn uri(text: &str, rules: Rules<'_>) -> Result<String, String> {
    let parsed = marks::uri(text)?;
    let allowed = rules.link_schemes.iter().chain(rules.own_schemes);
    if !allowed.into_iter().any(|scheme| scheme == parsed.scheme()) {
        return Err(format!(
            "`{}` has a scheme that is not allowed; the operator can add \"{}\" to \
             `content.link_schemes`",
            clean::bounded(text, 100),
            parsed.scheme()
        ));
    }
    Ok(text.to_owned())
}

fn label(what: &str, text: &str) -> Result<String, String> {
    if text.len() > LABEL_BYTES_MAX {
        return Err(format!("a {what} of {} bytes, more than {LABEL_BYTES_MAX}", text.len()));
    }
    Ok(clean::text(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::component::LinkSaid;

    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0";
    const WAV: &[u8] = b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0";
    const SVG: &[u8] = b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>";

    fn checked(what: Content) -> Result<Block, String> {
        let schemes = ["https".to_owned()];
        let rules = Rules { bytes_max: 1000, link_schemes: &schemes, own_schemes: &[] };
        match check(vec![Said { what, notes: None }], rules) {
            Ok(mut blocks) => Ok(blocks.remove(0)),
            Err(failure) => Err(failure.for_model("c1")),
        }
    }

    fn image(bytes: &[u8], mime_type: &str) -> Content {
        Content::Image { bytes: bytes.to_vec(), mime_type: mime_type.to_owned() }
    }

    fn link(uri: &str) -> Content {
        Content::Link(LinkSaid {
            uri: uri.to_owned(),
            name: "x".to_owned(),
            title: None,
            description: None,
            mime_type: None,
            size: None,
        })
    }

    #[test]
    fn an_image_is_what_it_says_it_is() {
        let block = checked(image(PNG, "image/png")).unwrap();
        let Body::Image(media) = block.body else { panic!("{block:?}") };
        assert_eq!(BASE64_STANDARD.decode(media.data).unwrap(), PNG);
        for (bytes, mime) in [
            (SVG, "image/png"),
            (PNG, "image/jpeg"),
            (PNG, "audio/x-wav"),
            (PNG, "png"),
            (PNG, "image/"),
            (b"".as_slice(), "image/png"),
            (SVG, "image/svg+xml"),
        ] {
            assert!(checked(image(bytes, mime)).is_err(), "{mime}");
        }
    }

    #[test]
    fn a_sound_may_have_any_of_its_usual_names() {
        for mime in ["audio/wav", "audio/x-wav", "audio/vnd.wave"] {
            let sound = Content::Audio { bytes: WAV.to_vec(), mime_type: mime.to_owned() };
            assert!(checked(sound).is_ok(), "{mime}");
        }
    }

    #[test]
    fn links_have_an_allowed_scheme() {
        assert!(checked(link("https://example.com/a?b#c")).is_ok());
        for uri in [
            "file:///etc/passwd",
            "data:text/html,x",
            "javascript:alert(1)",
            "JAVASCRIPT:alert(1)",
            "//example.com",
            "/etc/passwd",
            "https://a b/",
            "https://a/\u{202e}",
            "",
        ] {
            assert!(checked(link(uri)).is_err(), "{uri}");
        }
        let refused = checked(link("file:///etc/passwd")).unwrap_err();
        assert!(refused.contains("add \"file\" to `content.link_schemes`"), "{refused}");
    }

    #[test]
    fn content_is_capped_as_it_leaves() {
        let text = |bytes: usize| Content::Text("x".repeat(bytes));
        assert!(checked(text(1000)).is_ok());
        assert!(checked(text(1001)).is_err());
        let mut large = PNG.to_vec();
        large.resize(800, 0);
        assert!(checked(image(&large, "image/png")).is_err(), "800 bytes are 1068 in base64");
    }

    #[test]
    fn text_shows_what_it_would_hide() {
        let block = checked(Content::Text("a\u{1b}[2Jb".to_owned())).unwrap();
        assert_eq!(block, Block::text("a\u{1b}[2Jb"));
        let Body::Text(text) = block.body else { panic!() };
        assert!(!text.contains('\u{1b}'), "{text}");
    }
}
