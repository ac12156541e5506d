//! The `package-docs` sections of a component.
//!
//! They are found without a look at anything else; bytes that are no component have none.

use std::ops::Range;

/// The name of the sections.
const NAME: &[u8] = b"package-docs";
/// Components and modules within each other.
const NESTING_MAX: usize = 100;
/// Of every module and component: magic and version.
const HEADER_BYTES: usize = 8;

/// The docs of a component, and the component without any.
pub(super) struct Split<'a> {
    /// What the component's own sections hold, in order.
    pub(super) docs: Vec<&'a [u8]>,
    /// Where the name of every section is, those of nested components among them.
    names: Vec<Range<usize>>,
    component: &'a [u8],
}

impl<'a> Split<'a> {
    pub(super) fn of(component: &'a [u8]) -> Self {
        let mut split = Self { docs: Vec::new(), names: Vec::new(), component };
        split.visit(0..component.len(), 0);
        split
    }

    /// The component with its sections under a name that nobody reads: a reader of types would
    /// refuse the whole of it for docs of something else. Nothing if there are none.
    pub(super) fn without_docs(&self) -> Option<Vec<u8>> {
        if self.names.is_empty() {
            return None;
        }
        let mut component = self.component.to_vec();
        for name in &self.names {
            component[name.clone()].fill(b'-');
        }
        Some(component)
    }

    fn visit(&mut self, binary: Range<usize>, nesting: usize) {
        let is_component = self.component.get(binary.start + 6) == Some(&1);
        let mut at = binary.start + HEADER_BYTES;
        while at < binary.end {
            let Some(section) = self.section(at, binary.end) else { return };
            at = section.content.end;
            match section.id {
                0 => self.custom(section.content, nesting),
                1 | 4 if is_component && nesting < NESTING_MAX => {
                    self.visit(section.content, nesting + 1);
                }
                _other => {}
            }
        }
    }

    fn section(&self, at: usize, end: usize) -> Option<Section> {
        let id = *self.component.get(at)?;
        let (bytes, start) = self.number(at + 1)?;
        let content = start..start.checked_add(bytes)?;
        (content.end <= end).then_some(Section { id, content })
    }

    fn custom(&mut self, content: Range<usize>, nesting: usize) {
        let Some((bytes, start)) = self.number(content.start) else { return };
        let Some(end) = start.checked_add(bytes).filter(|end| *end <= content.end) else { return };
        if self.component.get(start..end) != Some(NAME) {
            return;
        }
        self.names.push(start..end);
        if nesting == 0 {
            self.docs.push(&self.component[end..content.end]);
        }
    }

    /// An unsigned LEB128 number of at most 32 bits, and where it ends.
    fn number(&self, at: usize) -> Option<(usize, usize)> {
        let mut number = 0_u64;
        for (index, byte) in self.component.get(at..)?.iter().take(5).enumerate() {
            number |= u64::from(byte & 0x7f) << (7 * index);
            if byte & 0x80 == 0 {
                let number = u32::try_from(number).ok()?;
                return Some((usize::try_from(number).ok()?, at + index + 1));
            }
        }
        None
    }
}

struct Section {
    id: u8,
    content: Range<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMPONENT: &[u8] = b"\0asm\x0d\0\x01\0";
    const MODULE: &[u8] = b"\0asm\x01\0\0\0";

    fn section(id: u8, content: &[u8]) -> Vec<u8> {
        let length = u8::try_from(content.len()).unwrap();
        // Two bytes, as some writers have it.
        [&[id, length & 0x7f | 0x80, length >> 7], content].concat()
    }

    fn docs(text: &str) -> Vec<u8> {
        section(0, &[b"\x0cpackage-docs", text.as_bytes()].concat())
    }

    #[test]
    fn docs_of_the_component_are_read_and_nested_ones_only_taken_out() {
        let module = [MODULE, &docs("module")].concat();
        let nested = [COMPONENT, &section(1, &module), &docs("nested")].concat();
        let component =
            [COMPONENT, &docs("a"), &section(4, &nested), &section(7, b"types"), &docs("b")]
                .concat();
        let split = Split::of(&component);
        assert_eq!(split.docs, [b"a", b"b"]);
        let without = split.without_docs().unwrap();
        assert_eq!(without.len(), component.len());
        assert!(Split::of(&without).names.is_empty());
        assert_eq!(without.windows(12).filter(|name| name == b"------------").count(), 4);
    }

    #[test]
    fn other_bytes_have_no_docs() {
        let cut = [COMPONENT, &docs("some text")].concat();
        for length in 0..cut.len() {
            assert!(Split::of(&cut[..length]).without_docs().is_none(), "{length}");
        }
        for bytes in [&b"\xff".repeat(40)[..], &[COMPONENT, b"\0\xff\xff\xff\xff\x0f"].concat()] {
            assert!(Split::of(bytes).without_docs().is_none());
        }
    }
}
