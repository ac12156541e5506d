//! Functions with what an overlay says of them.
//!
//! Everything that an overlay names is there, or is a fault: nothing it says is ignored.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use indexmap::IndexMap;

use super::annotate::annotate;
use super::{
    Alias, Annotation, Case, Definition, Either, Entry, Field, Function, FunctionOverlay, Named,
    Notes, Overlay, OverlayFault, Read, Returns, Type, TypeOverlay, Written,
};

impl Read {
    /// Says of the functions and types what `overlay` says.
    ///
    /// # Errors
    /// Every [`OverlayFault`]; nothing is changed then.
    pub fn overlay(&mut self, overlay: &Overlay) -> Result<(), Vec<OverlayFault>> {
        let mut faults = Vec::new();
        let mut types = Types { overlay, used: HashSet::new(), names: HashSet::new() };
        let mut functions = Vec::with_capacity(self.functions.len());
        let mut used = HashSet::new();
        for function in &self.functions {
            let exported = function.to_string();
            let entry = [exported.as_str(), function.wit_name.as_str()]
                .into_iter()
                .find_map(|name| overlay.functions.get_key_value(name));
            used.extend(entry.map(|(name, _)| name.as_str()));
            let none = FunctionOverlay::default();
            let entry = entry.map_or(&none, |(_, entry)| entry);
            let mut overlayer = Overlayer::new(&mut types, entry, &mut faults);
            functions.push(overlayer.function(function, entry));
        }
        let names = || self.functions.iter().map(|function| function.wit_name.as_str());
        let refused = |name: &str| self.refused.iter().any(|function| function.wit_name == *name);
        for name in overlay.functions.keys() {
            if !used.contains(name.as_str()) && !refused(name) {
                faults.push(OverlayFault::unknown("functions", name, names()));
            }
        }
        types.check(&mut faults);
        let mut told = HashSet::new();
        faults.retain(|fault| told.insert(fault.to_string()));
        if faults.is_empty() {
            self.functions = functions;
            Ok(())
        } else {
            Err(faults)
        }
    }
}

/// What is said of types, and which of it was needed.
struct Types<'o> {
    overlay: &'o Overlay,
    used: HashSet<&'o str>,
    /// Of all the types that there are.
    names: HashSet<String>,
}

impl<'o> Types<'o> {
    fn find(&mut self, name: &str, interface: Option<&str>) -> Option<(&'o str, &'o TypeOverlay)> {
        self.names.insert(name.to_owned());
        let qualified = interface.map(|interface| format!("{interface}.{name}"));
        let names = qualified.as_deref().into_iter().chain([name]);
        let (key, entry) =
            names.into_iter().find_map(|name| self.overlay.types.get_key_value(name))?;
        self.used.insert(key);
        Some((key, entry))
    }

    fn check(&self, faults: &mut Vec<OverlayFault>) {
        for name in self.overlay.types.keys() {
            if !self.used.contains(name.as_str()) {
                let known = self.names.iter().map(String::as_str);
                faults.push(OverlayFault::unknown("types", name, known));
            }
        }
    }
}

/// Rebuilds the types of one function.
struct Overlayer<'a, 'o> {
    types: &'a mut Types<'o>,
    written: Written,
    named: HashMap<*const Named, Arc<Named>>,
    faults: &'a mut Vec<OverlayFault>,
}

impl<'a, 'o> Overlayer<'a, 'o> {
    fn new(
        types: &'a mut Types<'o>,
        entry: &FunctionOverlay,
        faults: &'a mut Vec<OverlayFault>,
    ) -> Self {
        Self { types, written: entry.large_integers, named: HashMap::new(), faults }
    }

    fn function(&mut self, function: &Function, entry: &FunctionOverlay) -> Function {
        let place = format!("function `{}`", function.wit_name);
        let parameters = self.fields(&place, &function.parameters, &entry.parameters);
        let place = format!("the value of {place}");
        let (returns, value_notes) = match &function.returns {
            Returns::Value(ty) => {
                let (ty, notes) = self.value(&place, ty.as_ref(), function, &entry.value);
                (Returns::Value(ty), notes)
            }
            Returns::Fallible { ok, err } => {
                let (ok, notes) = self.value(&place, ok.as_ref(), function, &entry.value);
                let err = err.as_ref().map(|ty| self.rebuilt(ty));
                (Returns::Fallible { ok, err }, notes)
            }
        };
        let docs = entry.docs.clone().or_else(|| function.docs.clone());
        Function { docs, parameters, returns, value_notes, ..function.clone() }
    }

    fn value(
        &mut self,
        place: &str,
        ty: Option<&Type>,
        function: &Function,
        annotation: &Annotation,
    ) -> (Option<Type>, Notes) {
        self.no_default(place, annotation);
        match ty {
            Some(ty) => {
                let ty = self.rebuilt(ty);
                let typed = (ty, &function.value_notes);
                let (ty, notes) = annotate(place, typed, annotation, self.faults);
                (Some(ty), notes)
            }
            None => {
                if *annotation != Annotation::default() {
                    self.faults.push(OverlayFault::new(place, "it gives none"));
                }
                (None, Notes::default())
            }
        }
    }

    fn no_default(&mut self, place: &str, annotation: &Annotation) {
        if annotation.notes.default.is_some() {
            let what = "a default is for parameters and fields";
            self.faults.push(OverlayFault::new(place, what));
        }
    }

    fn fields(
        &mut self,
        place: &str,
        fields: &[Field],
        annotations: &IndexMap<String, Annotation>,
    ) -> Vec<Field> {
        let known = || fields.iter().map(|field| field.wit_name.as_str());
        for name in annotations.keys() {
            if !known().any(|field| field == name) {
                self.faults.push(OverlayFault::unknown(place, name, known()));
            }
        }
        let field = |field: &Field| {
            let ty = self.rebuilt(&field.ty);
            let Some(annotation) = annotations.get(&field.wit_name) else {
                return Field { ty, ..field.clone() };
            };
            let place = format!("`{}` of {place}", field.wit_name);
            let (ty, notes) = annotate(&place, (ty, &field.notes), annotation, self.faults);
            Field { ty, notes, ..field.clone() }
        };
        fields.iter().map(field).collect()
    }

    fn rebuilt(&mut self, ty: &Type) -> Type {
        match ty {
            Type::Bool | Type::Char | Type::String | Type::F32 | Type::F64 | Type::Bytes => {
                ty.clone()
            }
            Type::Integer(integer, written) => {
                let changes = integer.is_large() && self.written.is_text();
                Type::Integer(*integer, if changes { Written::Text } else { *written })
            }
            Type::List(inner) => Type::List(Arc::new(self.rebuilt(inner))),
            Type::FixedList(inner, length) => {
                Type::FixedList(Arc::new(self.rebuilt(inner)), *length)
            }
            Type::Pairs(entry) => Type::Pairs(self.entry(entry)),
            Type::Map(entry) => Type::Map(self.entry(entry)),
            Type::Tuple(types) => Type::Tuple(types.iter().map(|ty| self.rebuilt(ty)).collect()),
            Type::Option(inner) => Type::Option(Arc::new(self.rebuilt(inner))),
            Type::Result(either) => {
                let Either { ok, err } = &**either;
                let [ok, err] = [ok, err].map(|ty| ty.as_ref().map(|ty| self.rebuilt(ty)));
                Type::Result(Arc::new(Either { ok, err }))
            }
            Type::Named(named) => Type::Named(self.named(named)),
            Type::Alias(alias) => Type::Alias(self.alias(alias)),
        }
    }

    fn entry(&mut self, entry: &Entry) -> Arc<Entry> {
        Arc::new(Entry { key: self.rebuilt(&entry.key), value: self.rebuilt(&entry.value) })
    }

    fn alias(&mut self, alias: &Alias) -> Arc<Alias> {
        let ty = self.rebuilt(&alias.ty);
        let Some((key, entry)) = self.types.find(&alias.wit_name, alias.interface.as_deref())
        else {
            return Arc::new(Alias { ty, ..alias.clone() });
        };
        let place = format!("type `{key}`");
        self.fields(&place, &[], &entry.fields);
        self.no_default(&place, &entry.whole);
        let (ty, notes) = annotate(&place, (ty, &alias.notes), &entry.whole, self.faults);
        Arc::new(Alias { ty, notes, ..alias.clone() })
    }

    fn named(&mut self, named: &Arc<Named>) -> Arc<Named> {
        if let Some(known) = self.named.get(&Arc::as_ptr(named)) {
            return Arc::clone(known);
        }
        let entry = self.types.find(&named.wit_name, named.interface.as_deref());
        let (key, none) = (&named.wit_name, TypeOverlay::default());
        let (key, entry) = entry.unwrap_or((key, &none));
        let place = format!("type `{key}`");
        let definition = self.definition(&place, &named.definition, entry);
        self.no_default(&place, &entry.whole);
        let rebuilt = Named { definition, ..Named::clone(named) };
        let typed = (Type::Named(Arc::new(rebuilt.clone())), &named.notes);
        let (_, notes) = annotate(&place, typed, &entry.whole, self.faults);
        let rebuilt = Arc::new(Named { notes, ..rebuilt });
        self.named.insert(Arc::as_ptr(named), Arc::clone(&rebuilt));
        rebuilt
    }

    fn definition(
        &mut self,
        place: &str,
        definition: &Definition,
        entry: &TypeOverlay,
    ) -> Definition {
        let none: &[Field] = &[];
        match definition {
            Definition::Record(fields) => {
                Definition::Record(self.fields(place, fields, &entry.fields))
            }
            Definition::Variant(cases) => {
                self.fields(place, none, &entry.fields);
                let case = |case: &Case| {
                    let payload = case.payload.as_ref().map(|ty| self.rebuilt(ty));
                    Case { payload, ..case.clone() }
                };
                Definition::Variant(cases.iter().map(case).collect())
            }
            Definition::Enum(_) | Definition::Flags(_) => {
                self.fields(place, none, &entry.fields);
                definition.clone()
            }
        }
    }
}
