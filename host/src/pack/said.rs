//! The words of the overlay file and of the descriptor section.
//!
//! A key that is not known here is an error in both. docs/overlay.md says what each of them means.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

use crate::component::Hints;
use crate::grants::Requires;
use crate::schema::wit::{
    Annotation, Constraints, FunctionOverlay, Notes, Overlay, TypeOverlay, Written,
};

/// All that is said of a component.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Said {
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) component: ComponentSaid,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) requires: Requires,
    /// By name in WIT, as in `get-weather`, or as exported.
    #[serde(skip_serializing_if = "is_default")]
    pub(super) functions: IndexMap<String, FunctionSaid>,
    /// By name in WIT, as in `parcel`, or `api.parcel` for that of one interface.
    #[serde(skip_serializing_if = "is_default")]
    pub(super) types: IndexMap<String, TypeSaid>,
}

/// Of the component as a whole.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ComponentSaid {
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) name: String,
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) version: String,
}

/// Of a function.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct FunctionSaid {
    #[serde(skip_serializing_if = "is_default")]
    pub(super) title: Option<String>,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) description: Option<String>,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) hints: HintsSaid,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) large_integers: LargeIntegers,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) content_only: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) leave_out: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) parameters: IndexMap<String, PlaceSaid>,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) value: PlaceSaid,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct HintsSaid {
    #[serde(skip_serializing_if = "is_default")]
    read_only: Option<bool>,
    #[serde(skip_serializing_if = "is_default")]
    destructive: Option<bool>,
    #[serde(skip_serializing_if = "is_default")]
    idempotent: Option<bool>,
    #[serde(skip_serializing_if = "is_default")]
    open_world: Option<bool>,
}

/// How `s64` and `u64` are written in JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum LargeIntegers {
    #[default]
    Number,
    String,
}

/// Makes a structure of the keys that go with every type, and of `more`.
macro_rules! place {
    ($(#[$meta:meta])* $name:ident { $($more:ident: $type:ty),* }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub(super) struct $name {
            #[serde(skip_serializing_if = "is_default")]
            pub(super) title: Option<String>,
            #[serde(skip_serializing_if = "is_default")]
            pub(super) description: Option<String>,
            #[serde(skip_serializing_if = "is_default")]
            pub(super) default: Option<Value>,
            #[serde(skip_serializing_if = "is_default")]
            pub(super) examples: Vec<Value>,
            #[serde(skip_serializing_if = "is_default")]
            pub(super) minimum: Option<Number>,
            #[serde(skip_serializing_if = "is_default")]
            pub(super) maximum: Option<Number>,
            #[serde(skip_serializing_if = "is_default")]
            pub(super) exclusive_minimum: Option<Number>,
            #[serde(skip_serializing_if = "is_default")]
            pub(super) exclusive_maximum: Option<Number>,
            #[serde(skip_serializing_if = "is_default")]
            pub(super) multiple_of: Option<Number>,
            #[serde(skip_serializing_if = "is_default")]
            pub(super) min_length: Option<u64>,
            #[serde(skip_serializing_if = "is_default")]
            pub(super) max_length: Option<u64>,
            #[serde(skip_serializing_if = "is_default")]
            pub(super) pattern: Option<String>,
            #[serde(skip_serializing_if = "is_default")]
            pub(super) format: Option<String>,
            #[serde(skip_serializing_if = "is_default")]
            pub(super) min_items: Option<u64>,
            #[serde(skip_serializing_if = "is_default")]
            pub(super) max_items: Option<u64>,
            #[serde(skip_serializing_if = "is_default")]
            pub(super) unique_items: bool,
            #[serde(skip_serializing_if = "is_default")]
            pub(super) min_properties: Option<u64>,
            #[serde(skip_serializing_if = "is_default")]
            pub(super) max_properties: Option<u64>,
            #[serde(skip_serializing_if = "is_default")]
            pub(super) large_integers: Option<LargeIntegers>,
            #[serde(skip_serializing_if = "is_default")]
            pub(super) pairs_as_map: bool,
            $(
                #[serde(skip_serializing_if = "is_default")]
                pub(super) $more: $type,
            )*
        }

        impl $name {
            /// What it says of the type that is here.
            pub(super) fn annotation(&self) -> Annotation {
                Annotation {
                    notes: Notes {
                        title: self.title.clone(),
                        description: self.description.clone(),
                        default: self.default.clone(),
                        examples: self.examples.clone(),
                        constraints: Constraints {
                            minimum: self.minimum.clone(),
                            maximum: self.maximum.clone(),
                            exclusive_minimum: self.exclusive_minimum.clone(),
                            exclusive_maximum: self.exclusive_maximum.clone(),
                            multiple_of: self.multiple_of.clone(),
                            min_length: self.min_length,
                            max_length: self.max_length,
                            pattern: self.pattern.clone(),
                            format: self.format.clone(),
                            min_items: self.min_items,
                            max_items: self.max_items,
                            unique_items: self.unique_items,
                            min_properties: self.min_properties,
                            max_properties: self.max_properties,
                        },
                    },
                    large_integers: self.large_integers.map(Written::from),
                    pairs_as_map: self.pairs_as_map,
                }
            }
        }
    };
}

place! {
    /// Of a parameter, a field, or the value of a function.
    PlaceSaid {}
}

place! {
    /// Of a type, wherever it is used.
    TypeSaid { fields: IndexMap<String, PlaceSaid>, cases: IndexMap<String, String> }
}

impl Said {
    /// What it says of the functions that are not left out, and of their types.
    pub(super) fn overlay(&self) -> Overlay {
        let served = self.functions.iter().filter(|(_, function)| !function.leave_out);
        let types = self.types.iter();
        Overlay {
            functions: served.map(|(name, said)| (name.clone(), said.overlay())).collect(),
            types: types.map(|(name, said)| (name.clone(), said.overlay())).collect(),
        }
    }
}

impl FunctionSaid {
    fn overlay(&self) -> FunctionOverlay {
        FunctionOverlay {
            docs: self.description.clone(),
            large_integers: self.large_integers.into(),
            parameters: annotations(&self.parameters),
            value: self.value.annotation(),
        }
    }
}

impl TypeSaid {
    fn overlay(&self) -> TypeOverlay {
        TypeOverlay {
            whole: self.annotation(),
            fields: annotations(&self.fields),
            cases: self.cases.clone(),
        }
    }
}

fn annotations(places: &IndexMap<String, PlaceSaid>) -> IndexMap<String, Annotation> {
    places.iter().map(|(name, place)| (name.clone(), place.annotation())).collect()
}

impl From<LargeIntegers> for Written {
    fn from(said: LargeIntegers) -> Self {
        match said {
            LargeIntegers::Number => Self::Number,
            LargeIntegers::String => Self::Text,
        }
    }
}

impl From<&HintsSaid> for Hints {
    fn from(said: &HintsSaid) -> Self {
        let HintsSaid { read_only, destructive, idempotent, open_world } = *said;
        Self { read_only, destructive, idempotent, open_world }
    }
}

fn is_default<T: Default + PartialEq>(said: &T) -> bool {
    *said == T::default()
}
