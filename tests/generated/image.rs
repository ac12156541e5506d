//! Values in memory, as the canonical ABI has them.

use super::layout::{Layout, aligned, cases, offsets, payload_offset, tag_bytes};
use super::types::Ty;
use super::value::Value;

/// Where an image begins. Nothing is at address 0.
pub(super) const START: u32 = 64;

/// The first bytes of a memory.
#[derive(Default)]
pub(super) struct Image {
    bytes: Vec<u8>,
}

impl Image {
    /// Puts a value into memory, and returns its address.
    pub(super) fn put(&mut self, ty: &Ty, value: &Value) -> u32 {
        let at = self.room(Layout::of(ty));
        self.store(ty, value, at);
        at
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    fn room(&mut self, layout: Layout) -> u32 {
        let end = START + u32::try_from(self.bytes.len()).expect("an image is small");
        let at = aligned(end, layout.align);
        let length = (at - START + layout.size) as usize;
        self.bytes.resize(length, 0);
        at
    }

    fn write(&mut self, at: u32, bytes: &[u8]) {
        let at = (at - START) as usize;
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
    }

    fn store(&mut self, ty: &Ty, value: &Value, at: u32) {
        match (ty, value) {
            (Ty::Bool, Value::Bool(value)) => self.write(at, &[u8::from(*value)]),
            (Ty::Char, Value::Char(c)) => self.write(at, &u32::from(*c).to_le_bytes()),
            (Ty::Integer(integer), Value::Integer(n)) => {
                self.write(at, &n.to_le_bytes()[..integer.bytes as usize]);
            }
            (Ty::F32, Value::F32(float)) => self.write(at, &float.to_le_bytes()),
            (Ty::F64, Value::F64(float)) => self.write(at, &float.to_le_bytes()),
            (Ty::String, Value::String(text)) => {
                let to = self.room(Layout { size: length(text.len()), align: 1 });
                self.write(to, text.as_bytes());
                self.pointer(at, to, text.len());
            }
            (Ty::List(element), Value::List(values)) => self.list(element, values, at),
            (Ty::List(element), Value::Same(value, count)) => {
                self.same(element, value, *count, at);
            }
            (Ty::Map(key, of), Value::Map(entries)) => {
                let pair = Ty::Tuple(vec![(**key).clone(), (**of).clone()]);
                let pairs: Vec<Value> = entries
                    .iter()
                    .map(|(key, value)| Value::Fields(vec![key.clone(), value.clone()]))
                    .collect();
                self.list(&pair, &pairs, at);
            }
            (Ty::Tuple(types), Value::Fields(values)) => {
                self.fields(&types.iter().collect::<Vec<_>>(), values, at);
            }
            (Ty::Record(_, fields), Value::Fields(values)) => {
                self.fields(&fields.iter().map(|(_, ty)| ty).collect::<Vec<_>>(), values, at);
            }
            (Ty::Option(_), Value::Option(None)) => self.case(ty, 0, None, at),
            (Ty::Option(_), Value::Option(Some(some))) => self.case(ty, 1, Some(some), at),
            (Ty::Variant(..) | Ty::Enum(..) | Ty::Result(..), Value::Case(index, payload)) => {
                self.case(ty, *index, payload.as_deref(), at);
            }
            (Ty::Flags(..), Value::Flags(set)) => {
                let bits = set.iter().rev().fold(0_u32, |bits, set| bits << 1 | u32::from(*set));
                self.write(at, &bits.to_le_bytes()[..Layout::of(ty).size as usize]);
            }
            _ => panic!("{value:?} is no {ty:?}"),
        }
    }

    fn pointer(&mut self, at: u32, to: u32, count: usize) {
        self.write(at, &to.to_le_bytes());
        self.write(at + 4, &length(count).to_le_bytes());
    }

    fn list(&mut self, element: &Ty, values: &[Value], at: u32) {
        let Layout { size, align } = Layout::of(element);
        let to = self.room(Layout { size: size * length(values.len()), align });
        for (index, value) in values.iter().enumerate() {
            self.store(element, value, to + size * length(index));
        }
        self.pointer(at, to, values.len());
    }

    fn same(&mut self, element: &Ty, value: &Value, count: usize, at: u32) {
        let Layout { size, align } = Layout::of(element);
        let to = self.room(Layout { size: size * length(count), align });
        self.store(element, value, to);
        let first = (to - START) as usize;
        let stored = self.bytes[first..first + size as usize].to_vec();
        for index in 1..count {
            self.write(to + size * length(index), &stored);
        }
        self.pointer(at, to, count);
    }

    fn fields(&mut self, types: &[&Ty], values: &[Value], at: u32) {
        assert_eq!(types.len(), values.len());
        let offsets = offsets(types.iter().copied());
        for ((ty, value), offset) in types.iter().zip(values).zip(offsets) {
            self.store(ty, value, at + offset);
        }
    }

    fn case(&mut self, ty: &Ty, index: usize, payload: Option<&Value>, at: u32) {
        let cases = cases(ty);
        let tag = tag_bytes(cases.len()) as usize;
        self.write(at, &length(index).to_le_bytes()[..tag]);
        match (cases[index], payload) {
            (None, None) => {}
            (Some(ty), Some(payload)) => self.store(ty, payload, at + payload_offset(&cases)),
            (ty, payload) => panic!("{payload:?} is no {ty:?}"),
        }
    }
}

fn length(count: usize) -> u32 {
    u32::try_from(count).expect("an image is small")
}
