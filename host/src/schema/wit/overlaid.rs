//! Functions with what an overlay says of them.
//!
//! Everything that an overlay names is there, or is a fault: nothing it says is ignored.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use indexmap::IndexMap;

use super::annotate::annotate;
use super::{
    Alias, Annotation, Case, Definition, Either, Entry, Field, Function, FunctionOverlay, Label,
    Named, Notes, Overlay, OverlayFault, Read, RefusedFunction, Returns, Type, TypeOverlay,
    Written,
};

/// Faults that are looked for.
const FAULTS_MAX: usize = 64;

impl Read {
    /// Says of the functions and types what `overlay` says.
    ///
    /// # Errors
    /// Every [`OverlayFault`], or the first 64 or so; nothing is changed then.
    pub fn overlay(&mut self, overlay: &Overlay) -> Result<(), Vec<OverlayFault>> {
        if *overlay == Overlay::default() {
            return Ok(());
        }
        let mut faults = Vec::new();
        let mut types = Types::of(overlay);
        let mut functions = Vec::with_capacity(self.functions.len());
        let mut used = HashSet::new();
        for function in &self.functions {
            if faults.len() >= FAULTS_MAX {
                return Err(faults);
            }
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
        let refused = |name: &str| {
            let is_named = |function: &RefusedFunction| {
                function.wit_name == name || function.to_string() == name
            };
            self.refused.iter().any(is_named)
        };
        for name in overlay.functions.keys() {
            if faults.len() < FAULTS_MAX && !used.contains(name.as_str()) && !refused(name) {
                faults.push(if names().any(|known| known == name) {
                    OverlayFault::covered("functions", name, "function")
                } else {
                    OverlayFault::unknown("functions", name, names())
                });
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

/// What is said of types, and which of it was needed. A type that many functions use is rebuilt
/// once for each way in which large integers are written.
struct Types<'o> {
    overlay: &'o Overlay,
    used: HashSet<&'o str>,
    /// Of all the types that there are.
    names: BTreeSet<String>,
    named: HashMap<(*const Named, bool), Arc<Named>>,
    aliases: HashMap<(*const Alias, bool), Arc<Alias>>,
}

impl<'o> Types<'o> {
    fn of(overlay: &'o Overlay) -> Self {
        Self {
            overlay,
            used: HashSet::new(),
            names: BTreeSet::new(),
            named: HashMap::new(),
            aliases: HashMap::new(),
        }
    }

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
            if faults.len() < FAULTS_MAX && !self.used.contains(name.as_str()) {
                let known = self.names.iter().map(String::as_str);
                faults.push(if self.names.contains(name) {
                    OverlayFault::covered("types", name, "type")
                } else {
                    OverlayFault::unknown("types", name, known)
                });
            }
        }
    }
}

/// Rebuilds the types of one function.
struct Overlayer<'a, 'o> {
    types: &'a mut Types<'o>,
    written: Written,
    faults: &'a mut Vec<OverlayFault>,
}

impl<'a, 'o> Overlayer<'a, 'o> {
    fn new(
        types: &'a mut Types<'o>,
        entry: &FunctionOverlay,
        faults: &'a mut Vec<OverlayFault>,
    ) -> Self {
        Self { types, written: entry.large_integers, faults }
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
            if self.faults.len() < FAULTS_MAX && !known().any(|field| field == name) {
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

    fn alias(&mut self, alias: &Arc<Alias>) -> Arc<Alias> {
        let key = (Arc::as_ptr(alias), self.written.is_text());
        if let Some(known) = self.types.aliases.get(&key) {
            return Arc::clone(known);
        }
        let rebuilt = self.rebuilt_alias(alias);
        self.types.aliases.insert(key, Arc::clone(&rebuilt));
        rebuilt
    }

    fn rebuilt_alias(&mut self, alias: &Alias) -> Arc<Alias> {
        let ty = self.rebuilt(&alias.ty);
        let Some((key, entry)) = self.types.find(&alias.wit_name, alias.interface.as_deref())
        else {
            return Arc::new(Alias { ty, ..alias.clone() });
        };
        let place = format!("type `{key}`");
        self.fields(&place, &[], &entry.fields);
        self.cases(&place, std::iter::empty(), &entry.cases);
        self.no_default(&place, &entry.whole);
        let (ty, notes) = annotate(&place, (ty, &alias.notes), &entry.whole, self.faults);
        Arc::new(Alias { ty, notes, ..alias.clone() })
    }

    fn named(&mut self, named: &Arc<Named>) -> Arc<Named> {
        let cached = (Arc::as_ptr(named), self.written.is_text());
        if let Some(known) = self.types.named.get(&cached) {
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
        self.types.named.insert(cached, Arc::clone(&rebuilt));
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
                self.cases(place, std::iter::empty(), &entry.cases);
                Definition::Record(self.fields(place, fields, &entry.fields))
            }
            Definition::Variant(cases) => {
                self.fields(place, none, &entry.fields);
                let names = cases.iter().map(|case| case.name.as_str());
                self.cases(place, names, &entry.cases);
                let case = |case: &Case| Case {
                    payload: case.payload.as_ref().map(|ty| self.rebuilt(ty)),
                    docs: entry.cases.get(&case.name).or(case.docs.as_ref()).cloned(),
                    name: case.name.clone(),
                };
                Definition::Variant(cases.iter().map(case).collect())
            }
            Definition::Enum(labels) => Definition::Enum(self.labels(place, labels, entry)),
            Definition::Flags(labels) => Definition::Flags(self.labels(place, labels, entry)),
        }
    }

    fn labels(&mut self, place: &str, labels: &[Label], entry: &TypeOverlay) -> Vec<Label> {
        self.fields(place, &[], &entry.fields);
        self.cases(place, labels.iter().map(|label| label.name.as_str()), &entry.cases);
        let label = |label: &Label| Label {
            docs: entry.cases.get(&label.name).or(label.docs.as_ref()).cloned(),
            name: label.name.clone(),
        };
        labels.iter().map(label).collect()
    }

    /// Faults for the cases in `said` that are not among `known`.
    fn cases<'n>(
        &mut self,
        place: &str,
        known: impl Iterator<Item = &'n str> + Clone,
        said: &IndexMap<String, String>,
    ) {
        for name in said.keys() {
            if self.faults.len() < FAULTS_MAX && !known.clone().any(|case| case == name) {
                self.faults.push(OverlayFault::unknown(place, name, known.clone()));
            }
        }
    }
}
