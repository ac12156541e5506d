//! Random WIT types, and their WIT text.

use super::random::Random;
use crate::generated::{Integer, Ty};

/// Levels of types within types.
const DEPTH_MAX: usize = 4;

/// Names of fields, cases and flags: words of WIT, of JSON Schema, of Python and of MCP, capitals,
/// digits.
const NAMES: [&str; 12] = [
    "type",
    "result",
    "wind-speed",
    "URL-of-it",
    "x",
    "n2-o",
    "none",
    "some",
    "ok",
    "content",
    "ref",
    "is-error",
];

/// The random types of one interface: named ones are defined on the way.
pub(super) struct Types<'r> {
    random: &'r mut Random,
    definitions: Vec<String>,
}

/// A type, the definitions that it needs, and itself as WIT text.
pub(super) struct Written {
    pub(super) ty: Ty,
    pub(super) definitions: String,
    pub(super) text: String,
}

impl<'r> Types<'r> {
    /// A type of at most [`DEPTH_MAX`] levels. It is no `result`, which at the top is no value.
    pub(super) fn any(random: &'r mut Random) -> Written {
        let mut types = Self { random, definitions: Vec::new() };
        let ty = loop {
            let depth = 1 + types.random.below(DEPTH_MAX);
            let ty = types.ty(depth);
            if !matches!(ty, Ty::Result(..)) {
                break ty;
            }
            types.definitions.clear();
        };
        let text = text(&ty);
        Written { ty, definitions: types.definitions.join("\n"), text }
    }

    fn ty(&mut self, depth: usize) -> Ty {
        if depth == 1 {
            return self.leaf();
        }
        let depth = depth - 1;
        match self.random.below(8) {
            0 => Ty::List(Box::new(self.ty(depth))),
            1 => Ty::Map(Box::new(self.key()), Box::new(self.ty(depth))),
            2 => Ty::Tuple((0..=self.random.below(3)).map(|_| self.ty(depth)).collect()),
            3 => Ty::Option(Box::new(self.ty(depth))),
            4 => {
                let mut half = || (!self.random.once_in(3)).then(|| Box::new(self.ty(depth)));
                let (ok, err) = (half(), half());
                Ty::Result(ok, err)
            }
            5 | 6 => {
                let names = self.names();
                let fields = names.into_iter().map(|name| (name, self.ty(depth))).collect();
                self.define("record", |name| Ty::Record(name, fields))
            }
            _ => {
                let payload = |types: &mut Self| match types.random.once_in(3) {
                    true => None,
                    false => Some(types.ty(depth)),
                };
                let names = self.names();
                let cases = names.into_iter().map(|name| (name, payload(self))).collect();
                self.define("variant", |name| Ty::Variant(name, cases))
            }
        }
    }

    fn leaf(&mut self) -> Ty {
        match self.random.below(16) {
            0 => Ty::Bool,
            1 => Ty::Char,
            2 | 3 => Ty::String,
            4 => Ty::F32,
            5 => Ty::F64,
            6 => Ty::List(Box::new(Ty::Integer(Integer { is_signed: false, bytes: 1 }))),
            7 => {
                let names = self.names();
                self.define("enum", |name| Ty::Enum(name, names))
            }
            8 => {
                // Flags of one, two and four bytes.
                let count = *self.random.pick(&[1, 3, 8, 9, 16, 17, 32]);
                let flags = (0..count).map(|index| format!("flag-{index}")).collect();
                self.define("flags", |name| Ty::Flags(name, flags))
            }
            _ => self.integer(),
        }
    }

    fn integer(&mut self) -> Ty {
        let is_signed = self.random.once_in(2);
        Ty::Integer(Integer { is_signed, bytes: *self.random.pick(&[1, 2, 4, 8]) })
    }

    /// What WIT allows for the keys of a map.
    fn key(&mut self) -> Ty {
        match self.random.below(4) {
            0 | 1 => Ty::String,
            2 => self.integer(),
            _ => self.random.pick(&[Ty::Bool, Ty::Char]).clone(),
        }
    }

    fn names(&mut self) -> Vec<String> {
        let count = 1 + self.random.below(4);
        let first = self.random.below(NAMES.len());
        (first..first + count).map(|index| NAMES[index % NAMES.len()].to_owned()).collect()
    }

    fn define(&mut self, kind: &str, ty: impl FnOnce(String) -> Ty) -> Ty {
        let name = format!("{kind}-t{}", self.definitions.len());
        let ty = ty(name.clone());
        let items: Vec<String> = match &ty {
            Ty::Record(_, fields) => {
                fields.iter().map(|(name, ty)| format!("%{name}: {}", text(ty))).collect()
            }
            Ty::Variant(_, cases) => cases
                .iter()
                .map(|(name, payload)| match payload {
                    Some(ty) => format!("%{name}({})", text(ty)),
                    None => format!("%{name}"),
                })
                .collect(),
            Ty::Enum(_, names) | Ty::Flags(_, names) => {
                names.iter().map(|name| format!("%{name}")).collect()
            }
            _ => panic!("it has no definition: {ty:?}"),
        };
        self.definitions.push(format!("{kind} {name} {{ {} }}", items.join(", ")));
        ty
    }
}

/// A type as it is written where it is used.
pub(super) fn text(ty: &Ty) -> String {
    match ty {
        Ty::Bool => "bool".to_owned(),
        Ty::Char => "char".to_owned(),
        Ty::String => "string".to_owned(),
        Ty::Integer(Integer { is_signed, bytes }) => {
            format!("{}{}", if *is_signed { 's' } else { 'u' }, 8 * bytes)
        }
        Ty::F32 => "f32".to_owned(),
        Ty::F64 => "f64".to_owned(),
        Ty::List(element) => format!("list<{}>", text(element)),
        Ty::Map(key, value) => format!("map<{}, {}>", text(key), text(value)),
        Ty::Tuple(types) => {
            format!("tuple<{}>", types.iter().map(text).collect::<Vec<_>>().join(", "))
        }
        Ty::Option(some) => format!("option<{}>", text(some)),
        Ty::Result(None, None) => "result".to_owned(),
        Ty::Result(Some(ok), None) => format!("result<{}>", text(ok)),
        Ty::Result(ok, Some(err)) => {
            let ok = ok.as_ref().map_or_else(|| "_".to_owned(), |ok| text(ok));
            format!("result<{ok}, {}>", text(err))
        }
        Ty::Record(name, _) | Ty::Variant(name, _) | Ty::Enum(name, _) | Ty::Flags(name, _) => {
            name.clone()
        }
    }
}
