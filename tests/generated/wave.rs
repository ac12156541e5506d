//! Values from WAVE text.

use wasm_wave::ast::Node;
use wasm_wave::untyped::UntypedValue;

use super::types::Ty;
use super::value::Value;

/// The value of a type that `text` says. A map is a list of pairs in WAVE.
pub(crate) fn parse(ty: &Ty, text: &str) -> Value {
    let untyped = UntypedValue::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    Reader { text }.read(ty, untyped.node())
}

/// A string as WAVE writes it.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = "\"".to_owned();
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            ' '..='~' => quoted.push(c),
            _ => quoted.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
        }
    }
    quoted + "\""
}

struct Reader<'t> {
    text: &'t str,
}

impl Reader<'_> {
    fn read(&self, ty: &Ty, node: &Node) -> Value {
        self.try_read(ty, node).unwrap_or_else(|error| panic!("{}: {error}", self.text))
    }

    fn try_read(&self, ty: &Ty, node: &Node) -> Result<Value, wasm_wave::parser::ParserError> {
        Ok(match ty {
            Ty::Bool => Value::Bool(node.as_bool()?),
            Ty::Char => Value::Char(node.as_char(self.text)?),
            Ty::String => Value::String(node.as_str(self.text)?.into_owned()),
            Ty::Integer(_) => Value::Integer(node.as_number(self.text)?),
            Ty::F32 => Value::F32(node.as_number(self.text)?),
            Ty::F64 => Value::F64(node.as_number(self.text)?),
            Ty::List(element) => {
                Value::List(node.as_list()?.map(|node| self.read(element, node)).collect())
            }
            Ty::Map(key, of) => Value::Map(
                node.as_list()?
                    .map(|pair| {
                        let mut pair = pair.as_tuple().expect("an entry of a map is a pair");
                        let (Some(first), Some(second)) = (pair.next(), pair.next()) else {
                            panic!("{}: no pair", self.text)
                        };
                        (self.read(key, first), self.read(of, second))
                    })
                    .collect(),
            ),
            Ty::Tuple(types) => {
                let nodes = node.as_tuple()?;
                assert_eq!(nodes.len(), types.len(), "{}", self.text);
                Value::Fields(types.iter().zip(nodes).map(|(ty, n)| self.read(ty, n)).collect())
            }
            Ty::Record(_, fields) => self.record(fields, node)?,
            Ty::Option(some) => {
                Value::Option(node.as_option()?.map(|node| Box::new(self.read(some, node))))
            }
            Ty::Result(ok, err) => {
                let (index, ty, node) = match node.as_result()? {
                    Ok(node) => (0, ok, node),
                    Err(node) => (1, err, node),
                };
                self.case(index, ty.as_deref(), node)
            }
            Ty::Variant(_, cases) => {
                // To WAVE, `ok(…)` and `err(…)` are of a result before they are of a variant.
                let (name, node) = match node.as_result() {
                    Ok(Ok(node)) => ("ok", node),
                    Ok(Err(node)) => ("err", node),
                    Err(_) => node.as_variant(self.text)?,
                };
                let index = self.position(cases.iter().map(|(name, _)| name), name);
                self.case(index, cases[index].1.as_ref(), node)
            }
            Ty::Enum(_, names) => {
                Value::Case(self.position(names.iter(), node.as_enum(self.text)?), None)
            }
            Ty::Flags(_, names) => {
                let set: Vec<&str> = node.as_flags(self.text)?.collect();
                assert!(set.iter().all(|name| names.iter().any(|n| n == name)), "{}", self.text);
                Value::Flags(names.iter().map(|name| set.contains(&name.as_str())).collect())
            }
        })
    }

    fn record(
        &self,
        fields: &[(String, Ty)],
        node: &Node,
    ) -> Result<Value, wasm_wave::parser::ParserError> {
        let found: Vec<(&str, &Node)> = node.as_record(self.text)?.collect();
        assert!(
            found.iter().all(|(name, _)| fields.iter().any(|(known, _)| known == name)),
            "{}: an unknown field",
            self.text
        );
        let value = |(name, ty): &(String, Ty)| {
            match found.iter().find(|(known, _)| known == name) {
                Some((_, node)) => self.read(ty, node),
                // As in WAVE: an option may be left out.
                None if matches!(ty, Ty::Option(_)) => Value::Option(None),
                None => panic!("{}: no field {name}", self.text),
            }
        };
        Ok(Value::Fields(fields.iter().map(value).collect()))
    }

    fn case(&self, index: usize, ty: Option<&Ty>, node: Option<&Node>) -> Value {
        match (ty, node) {
            (Some(ty), Some(node)) => Value::Case(index, Some(Box::new(self.read(ty, node)))),
            (None, None) => Value::Case(index, None),
            _ => panic!("{}: a payload too many or too few", self.text),
        }
    }

    fn position<'n>(&self, mut names: impl Iterator<Item = &'n String>, name: &str) -> usize {
        names
            .position(|known| known == name)
            .unwrap_or_else(|| panic!("{}: there is no case {name}", self.text))
    }
}
