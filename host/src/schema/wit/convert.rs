//! From a decoded component's types to the type model.
//!
//! Every definition is converted once, however often it is used.

use std::collections::HashMap;
use std::sync::Arc;

use wit_parser::{
    FunctionKind, Handle, InterfaceId, Resolve, Type as WitType, TypeDef, TypeDefKind, TypeId,
    TypeOwner,
};

use super::members::{check_fields, check_name};
use super::refused::shown;
use super::{
    Alias, Definition, Either, Entry, Export, Field, Function, Integer, Named, Notes, Refused,
    Returns, TYPE_DEPTH_MAX, Type, Written, docs, names, size,
};

/// Levels of definitions, aliases among them.
const DEFINITION_DEPTH_MAX: usize = 4 * TYPE_DEPTH_MAX;

/// Converts functions of one component.
pub(super) struct Converter<'a> {
    resolve: &'a Resolve,
    /// What interfaces without a name of their own are exported as.
    labels: HashMap<InterfaceId, String>,
    known: HashMap<TypeId, Sized>,
    depth: usize,
    /// What is being converted, for errors.
    pub(super) place: String,
}

/// A type, and how many levels of types it has.
#[derive(Clone)]
struct Sized {
    ty: Type,
    levels: usize,
}

impl Sized {
    fn leaf(ty: Type) -> Self {
        Self { ty, levels: 1 }
    }
}

impl<'a> Converter<'a> {
    pub(super) fn new(resolve: &'a Resolve, labels: HashMap<InterfaceId, String>) -> Self {
        Self { resolve, labels, known: HashMap::new(), depth: 0, place: String::new() }
    }

    /// Converts a function.
    ///
    /// # Errors
    /// [`Refused`] if it cannot be a tool.
    pub(super) fn function(
        &mut self,
        export: Export,
        function: &wit_parser::Function,
    ) -> Result<Function, Refused> {
        self.callable(&function.kind)?;
        check_name(&function.name)?;
        let parameters = function.params.iter().map(|param| param.name.as_str());
        check_fields("parameters", "it", parameters)?;
        let parameters = function.params.iter().map(|param| {
            self.place = format!("parameter `{}`", shown(&param.name));
            self.field(&param.name, &param.ty, None)
        });
        let parameters = parameters.collect::<Result<_, _>>()?;
        "its result".clone_into(&mut self.place);
        let result = function.result.as_ref().map(|ty| self.whole(ty)).transpose()?;
        let function = Function {
            export,
            wit_name: function.name.clone(),
            tool_name: names::snake(&function.name),
            docs: docs::published(&function.docs),
            parameters,
            returns: returns(result),
            value_notes: Notes::default(),
        };
        size::check(&function)?;
        Ok(function)
    }

    fn callable(&self, kind: &FunctionKind) -> Result<(), Refused> {
        match kind {
            FunctionKind::Freestanding => Ok(()),
            FunctionKind::AsyncFreestanding => Err(Refused::Async),
            FunctionKind::Method(id)
            | FunctionKind::AsyncMethod(id)
            | FunctionKind::Static(id)
            | FunctionKind::AsyncStatic(id)
            | FunctionKind::Constructor(id) => {
                Err(Refused::OfResource { resource: self.name_of(*id) })
            }
        }
    }

    fn name_of(&self, id: TypeId) -> String {
        self.resolve.types[id].name.as_deref().map_or_else(String::new, shown)
    }

    fn field(
        &mut self,
        name: &str,
        ty: &WitType,
        docs: Option<&wit_parser::Docs>,
    ) -> Result<Field, Refused> {
        Ok(Field {
            wit_name: name.to_owned(),
            name: names::snake(name),
            ty: self.whole(ty)?,
            notes: Notes::of_docs(docs.and_then(docs::published)),
        })
    }

    fn whole(&mut self, ty: &WitType) -> Result<Type, Refused> {
        self.convert(ty).map(|converted| converted.ty)
    }

    fn convert(&mut self, ty: &WitType) -> Result<Sized, Refused> {
        let integer = |integer| Ok(Sized::leaf(Type::Integer(integer, Written::Number)));
        match ty {
            WitType::Bool => Ok(Sized::leaf(Type::Bool)),
            WitType::U8 => integer(Integer::U8),
            WitType::U16 => integer(Integer::U16),
            WitType::U32 => integer(Integer::U32),
            WitType::U64 => integer(Integer::U64),
            WitType::S8 => integer(Integer::S8),
            WitType::S16 => integer(Integer::S16),
            WitType::S32 => integer(Integer::S32),
            WitType::S64 => integer(Integer::S64),
            WitType::F32 => Ok(Sized::leaf(Type::F32)),
            WitType::F64 => Ok(Sized::leaf(Type::F64)),
            WitType::Char => Ok(Sized::leaf(Type::Char)),
            WitType::String => Ok(Sized::leaf(Type::String)),
            WitType::ErrorContext => Err(self.handle("error-context", "error-context")),
            WitType::Id(id) => self.definition(*id),
        }
    }

    fn definition(&mut self, id: TypeId) -> Result<Sized, Refused> {
        if let Some(known) = self.known.get(&id) {
            return Ok(known.clone());
        }
        let too_deep = |place: &str| Refused::TooDeep { place: place.to_owned() };
        if self.depth > DEFINITION_DEPTH_MAX {
            return Err(too_deep(&self.place));
        }
        self.depth += 1;
        let converted = self.define(id);
        self.depth -= 1;
        let converted = converted?;
        if converted.levels > TYPE_DEPTH_MAX {
            return Err(too_deep(&self.place));
        }
        self.known.insert(id, converted.clone());
        Ok(converted)
    }

    fn define(&mut self, id: TypeId) -> Result<Sized, Refused> {
        let resolve = self.resolve;
        let definition = &resolve.types[id];
        if let Some(name) = &definition.name {
            check_name(name)?;
        }
        let mut levels = 0;
        let shape = match &definition.kind {
            TypeDefKind::Record(record) => {
                let fields = self.fields(definition, &record.fields, &mut levels)?;
                self.named(definition, Definition::Record(fields))
            }
            TypeDefKind::Variant(variant) => {
                let cases = self.cases(definition, &variant.cases, &mut levels)?;
                self.named(definition, Definition::Variant(cases))
            }
            TypeDefKind::Enum(cases) => {
                let cases = cases.cases.iter().map(|case| (&case.name, &case.docs));
                let labels = self.labels(definition, cases)?;
                self.named(definition, Definition::Enum(labels))
            }
            TypeDefKind::Flags(flags) => {
                let flags = flags.flags.iter().map(|flag| (&flag.name, &flag.docs));
                let labels = self.labels(definition, flags)?;
                self.named(definition, Definition::Flags(labels))
            }
            TypeDefKind::Type(inner) => {
                let inner = self.convert(inner)?;
                levels = inner.levels - 1;
                self.aliased(definition, inner.ty)
            }
            TypeDefKind::Resource
            | TypeDefKind::Handle(_)
            | TypeDefKind::Tuple(_)
            | TypeDefKind::Option(_)
            | TypeDefKind::Result(_)
            | TypeDefKind::List(_)
            | TypeDefKind::Map(..)
            | TypeDefKind::FixedLengthList(..)
            | TypeDefKind::Future(_)
            | TypeDefKind::Stream(_)
            | TypeDefKind::Unknown => {
                let shape = self.shape(definition, &mut levels)?;
                self.aliased(definition, shape)
            }
        };
        Ok(Sized { ty: shape, levels: levels + 1 })
    }

    /// Types that need no name.
    fn shape(&mut self, definition: &TypeDef, levels: &mut usize) -> Result<Type, Refused> {
        let name = definition.name.as_deref().unwrap_or_default();
        match &definition.kind {
            TypeDefKind::Option(inner) => Ok(Type::Option(Arc::new(self.within(inner, levels)?))),
            TypeDefKind::List(inner) => Ok(list(self.within(inner, levels)?)),
            TypeDefKind::FixedLengthList(inner, length) => {
                Ok(Type::FixedList(Arc::new(self.within(inner, levels)?), *length))
            }
            TypeDefKind::Map(key, value) => {
                let (key, value) = (self.within(key, levels)?, self.within(value, levels)?);
                Ok(Type::Map(Arc::new(Entry { key, value })))
            }
            TypeDefKind::Result(result) => {
                let mut half = |ty: &Option<WitType>| {
                    ty.as_ref().map(|ty| self.within(ty, levels)).transpose()
                };
                let (ok, err) = (half(&result.ok)?, half(&result.err)?);
                Ok(Type::Result(Arc::new(Either { ok, err })))
            }
            TypeDefKind::Tuple(tuple) => self.tuple(&tuple.types, levels),
            TypeDefKind::Handle(Handle::Own(id) | Handle::Borrow(id)) => {
                Err(self.handle("resource", &self.name_of(*id)))
            }
            TypeDefKind::Resource => Err(self.handle("resource", name)),
            TypeDefKind::Future(_) => Err(self.handle("future", "future")),
            TypeDefKind::Stream(_) => Err(self.handle("stream", "stream")),
            TypeDefKind::Record(_)
            | TypeDefKind::Variant(_)
            | TypeDefKind::Enum(_)
            | TypeDefKind::Flags(_)
            | TypeDefKind::Type(_)
            | TypeDefKind::Unknown => Err(Refused::unreadable("a type is not known")),
        }
    }

    /// The type of a part, whose levels are counted.
    pub(super) fn within(&mut self, ty: &WitType, levels: &mut usize) -> Result<Type, Refused> {
        let converted = self.convert(ty)?;
        *levels = (*levels).max(converted.levels);
        Ok(converted.ty)
    }

    fn named(&self, from: &TypeDef, definition: Definition) -> Type {
        Type::Named(Arc::new(Named {
            wit_name: from.name.clone().unwrap_or_default(),
            interface: self.interface(from.owner),
            notes: Notes::of_docs(docs::published(&from.docs)),
            definition,
        }))
    }

    /// The type under its other name, if it has one that says anything.
    fn aliased(&self, from: &TypeDef, ty: Type) -> Type {
        let Some(name) = &from.name else { return ty };
        let known_as = match &ty {
            Type::Named(named) => Some(&named.wit_name),
            Type::Alias(alias) => Some(&alias.wit_name),
            _shape => None,
        };
        let docs = docs::published(&from.docs);
        if known_as == Some(name) && docs.is_none() {
            return ty;
        }
        Type::Alias(Arc::new(Alias {
            wit_name: name.clone(),
            interface: self.interface(from.owner),
            notes: Notes::of_docs(docs),
            ty,
        }))
    }

    fn interface(&self, owner: TypeOwner) -> Option<String> {
        match owner {
            TypeOwner::Interface(id) => {
                let name = self.resolve.interfaces[id].name.as_ref();
                name.or_else(|| self.labels.get(&id)).cloned()
            }
            TypeOwner::World(_) | TypeOwner::None => None,
        }
    }

    fn handle(&self, kind: &'static str, name: &str) -> Refused {
        Refused::Handle { place: self.place.clone(), kind, name: shown(name) }
    }
}

/// `list<u8>` is bytes.
fn list(element: Type) -> Type {
    match element.plain() {
        Type::Integer(Integer::U8, _) => Type::Bytes,
        _other => Type::List(Arc::new(element)),
    }
}

/// A `result` at the top is split.
fn returns(result: Option<Type>) -> Returns {
    match result.as_ref().map(Type::plain) {
        Some(Type::Result(either)) => {
            Returns::Fallible { ok: either.ok.clone(), err: either.err.clone() }
        }
        Some(_) | None => Returns::Value(result),
    }
}
