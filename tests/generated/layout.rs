//! The canonical ABI's layout: where values are in memory, and what they are as core values.
//!
//! Written after the specification (CanonicalABI.md: alignment, size, flattening), so that the
//! host's own lifting and lowering has something to disagree with.

use wasm_encoder::ValType;

use super::types::Ty;

/// Core values that a function's parameters may have before they go through memory.
pub(super) const FLAT_PARAMETERS_MAX: usize = 16;
/// The same for its result.
pub(super) const FLAT_RESULTS_MAX: usize = 1;

/// Size and alignment in bytes.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    pub(super) size: u32,
    pub(super) align: u32,
}

impl Layout {
    const fn scalar(bytes: u32) -> Self {
        Self { size: bytes, align: bytes }
    }

    pub(super) fn of(ty: &Ty) -> Self {
        match ty {
            Ty::Bool => Self::scalar(1),
            Ty::Integer(integer) => Self::scalar(integer.bytes),
            Ty::Char | Ty::F32 => Self::scalar(4),
            Ty::F64 => Self::scalar(8),
            Ty::String | Ty::List(_) | Ty::Map(..) => Self { size: 8, align: 4 },
            Ty::Tuple(types) => Self::in_a_row(types),
            Ty::Record(_, fields) => Self::in_a_row(fields.iter().map(|(_, ty)| ty)),
            Ty::Variant(..) | Ty::Enum(..) | Ty::Option(_) | Ty::Result(..) => {
                let cases = cases(ty);
                let tag = tag_bytes(cases.len());
                let payloads = cases.iter().flatten().map(|payload| Self::of(payload));
                let (size, align) = payloads.fold((0, tag), |(size, align), payload| {
                    (payload.size.max(size), payload.align.max(align))
                });
                Self { size: aligned(payload_offset(&cases) + size, align), align }
            }
            Ty::Flags(_, flags) => Self::scalar(match flags.len() {
                0..=8 => 1,
                9..=16 => 2,
                _ => 4,
            }),
        }
    }

    fn in_a_row<'t>(types: impl IntoIterator<Item = &'t Ty>) -> Self {
        let (mut end, mut align) = (0, 1);
        for ty in types {
            let layout = Self::of(ty);
            end = aligned(end, layout.align) + layout.size;
            align = align.max(layout.align);
        }
        Self { size: aligned(end, align), align }
    }
}

/// The offsets of fields.
pub(super) fn offsets<'t>(types: impl IntoIterator<Item = &'t Ty>) -> Vec<u32> {
    let mut end = 0;
    types
        .into_iter()
        .map(|ty| {
            let layout = Layout::of(ty);
            let at = aligned(end, layout.align);
            end = at + layout.size;
            at
        })
        .collect()
}

/// The payloads of the cases of a type that has some.
pub(super) fn cases(ty: &Ty) -> Vec<Option<&Ty>> {
    match ty {
        Ty::Variant(_, cases) => cases.iter().map(|(_, payload)| payload.as_ref()).collect(),
        Ty::Enum(_, names) => names.iter().map(|_| None).collect(),
        Ty::Option(some) => vec![None, Some(some)],
        Ty::Result(ok, err) => vec![ok.as_deref(), err.as_deref()],
        _ => panic!("no cases: {ty:?}"),
    }
}

pub(super) fn tag_bytes(cases: usize) -> u32 {
    match cases {
        0..=256 => 1,
        257..=65_536 => 2,
        _ => 4,
    }
}

pub(super) fn payload_offset(cases: &[Option<&Ty>]) -> u32 {
    let aligns = cases.iter().flatten().map(|payload| Layout::of(payload).align);
    aligned(tag_bytes(cases.len()), aligns.max().unwrap_or(1))
}

pub(super) fn aligned(at: u32, align: u32) -> u32 {
    at.next_multiple_of(align)
}

/// The core values that a value becomes where it is not in memory.
pub(super) fn flat(ty: &Ty) -> Vec<ValType> {
    match ty {
        Ty::Integer(integer) if integer.bytes == 8 => vec![ValType::I64],
        Ty::Bool | Ty::Integer(_) | Ty::Char | Ty::Flags(..) => vec![ValType::I32],
        Ty::F32 => vec![ValType::F32],
        Ty::F64 => vec![ValType::F64],
        Ty::String | Ty::List(_) | Ty::Map(..) => vec![ValType::I32, ValType::I32],
        Ty::Tuple(types) => types.iter().flat_map(flat).collect(),
        Ty::Record(_, fields) => fields.iter().flat_map(|(_, ty)| flat(ty)).collect(),
        Ty::Variant(..) | Ty::Enum(..) | Ty::Option(_) | Ty::Result(..) => {
            let mut joined: Vec<ValType> = Vec::new();
            for payload in cases(ty).into_iter().flatten() {
                for (index, core) in flat(payload).into_iter().enumerate() {
                    match joined.get_mut(index) {
                        Some(other) => *other = join(*other, core),
                        None => joined.push(core),
                    }
                }
            }
            [ValType::I32].into_iter().chain(joined).collect()
        }
    }
}

fn join(one: ValType, other: ValType) -> ValType {
    match (one, other) {
        (one, other) if one == other => one,
        (ValType::I32, ValType::F32) | (ValType::F32, ValType::I32) => ValType::I32,
        _ => ValType::I64,
    }
}
