//! From a published schema to its tree, if it has one.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::super::compile::Engine;
use super::super::kinds::Kinds;
use super::super::normalise::RESULT;
use super::super::references::References;
use super::super::walk;
use super::Stream;
use super::node::{ANY, Arms, Id, NEVER, Node, Plain, Union};

/// References that are followed one after the other.
const REFERENCES_MAX: usize = 64;

/// A schema on its way to a tree.
pub(super) struct Compiler<'s> {
    root: &'s Value,
    references: &'s References,
    pub(super) engine: &'s Engine,
    /// None: still to be made.
    nodes: Vec<Option<Node>>,
    /// By the address of a schema.
    known: HashMap<*const Value, Id>,
    waiting: Vec<(Id, &'s Value)>,
}

impl Stream {
    /// What `schema`, a valid one, says; `wraps`: of the value that its property `result` holds.
    /// None if it has keywords that cannot be checked in one pass.
    pub(in super::super) fn new(
        schema: &Value,
        references: &References,
        engine: &Engine,
        wraps: bool,
    ) -> Option<Self> {
        let mut compiler = Compiler::new(schema, references, engine);
        let root = compiler.id(schema)?;
        while let Some((id, schema)) = compiler.waiting.pop() {
            compiler.nodes[id] = Some(compiler.node(schema)?);
        }
        let nodes = compiler.nodes.into_iter().collect::<Option<Vec<_>>>()?;
        let start = if wraps { wrapped(&nodes[root])? } else { root };
        let mut stream = Self { nodes, start, wraps };
        stream.tell_apart()?;
        Some(stream)
    }
}

/// The node of the property `result`, of which the object around it says nothing more.
fn wrapped(root: &Node) -> Option<Id> {
    let Node::Plain(root) = root else { return None };
    let Plain { kinds, object, .. } = &**root;
    let [only] = object.properties.as_slice() else { return None };
    let says_more = !only.required || object.names != ANY || object.min > 1 || object.max < 1;
    (kinds.has(Kinds::OBJECT) && only.name == RESULT && !says_more).then_some(only.value)
}

impl<'s> Compiler<'s> {
    fn new(root: &'s Value, references: &'s References, engine: &'s Engine) -> Self {
        let any = Node::Plain(Box::new(Plain::of(Kinds::ALL)));
        let never = Node::Plain(Box::new(Plain::of(Kinds::NONE)));
        Self {
            root,
            references,
            engine,
            nodes: vec![Some(any), Some(never)],
            known: HashMap::new(),
            waiting: Vec::new(),
        }
    }

    /// The node of `schema`, which is made later.
    pub(super) fn id(&mut self, schema: &'s Value) -> Option<Id> {
        let schema = self.followed(schema)?;
        if let Value::Bool(allows) = schema {
            return Some(if *allows { ANY } else { NEVER });
        }
        let next = self.nodes.len();
        let id = *self.known.entry(schema).or_insert(next);
        if id == next {
            self.nodes.push(None);
            self.waiting.push((id, schema));
        }
        Some(id)
    }

    /// The schema that `schema` says the same as, where it is a reference and nothing more.
    fn followed(&self, mut schema: &'s Value) -> Option<&'s Value> {
        for _ in 0..REFERENCES_MAX {
            let Value::Object(map) = schema else { return Some(schema) };
            let (keyword, target) = match (map.get("$ref"), map.get("allOf")) {
                (Some(reference), None) => {
                    ("$ref", self.references.find(self.root, reference.as_str()?)?)
                }
                (None, Some(Value::Array(parts))) if parts.len() == 1 => ("allOf", &parts[0]),
                (None, None) => return Some(schema),
                (Some(_) | None, Some(_)) => return None,
            };
            if !map.keys().all(|key| key == keyword || says_nothing(key)) {
                return None;
            }
            schema = target;
        }
        None
    }

    fn node(&mut self, schema: &'s Value) -> Option<Node> {
        let map = schema.as_object()?;
        match (map.get("anyOf"), map.get("oneOf")) {
            (Some(arms), None) => self.union(map, "anyOf", arms),
            (None, Some(arms)) => self.union(map, "oneOf", arms),
            (None, None) => self.plain(map).map(|plain| Node::Plain(Box::new(plain))),
            (Some(_), Some(_)) => None,
        }
    }

    fn union(
        &mut self,
        map: &'s Map<String, Value>,
        keyword: &str,
        arms: &'s Value,
    ) -> Option<Node> {
        if !map.keys().all(|key| key == keyword || says_nothing(key)) {
            return None;
        }
        let arms = arms.as_array()?.iter().map(|arm| self.id(arm)).collect::<Option<_>>()?;
        let exactly_one = keyword == "oneOf";
        Some(Node::Union(Union { arms, exactly_one, array: NEVER, object: Arms::One(NEVER) }))
    }
}

/// Whether `keyword` restricts no value where it stands (JSON Schema 2020-12: core, section 8;
/// validation, sections 8 and 9). `discriminator` is OpenAPI's.
pub(super) fn says_nothing(keyword: &str) -> bool {
    walk::is_annotation(keyword)
        || keyword.starts_with("x-")
        || matches!(
            keyword,
            "$defs"
                | "definitions"
                | "$schema"
                | "$id"
                | "$anchor"
                | "contentMediaType"
                | "contentSchema"
                | "discriminator"
        )
}
