//! Typed exports for one report: an interface of functions that give what they are told to, or
//! give their argument back.

use crate::generated::{Gives, Package, Served, section, wave};

/// What the functions of one component do.
pub(super) struct Exports {
    items: String,
    gives: Vec<(String, Does)>,
    overlay: Option<String>,
}

enum Does {
    Gives(String),
    Echoes,
}

impl Exports {
    /// An interface with these types.
    pub(super) fn with(types: &str) -> Self {
        Self { items: types.to_owned(), gives: Vec::new(), overlay: None }
    }

    /// Adds a function that gives a value, written in WAVE.
    pub(super) fn gives(mut self, name: &str, ty: &str, value: &str) -> Self {
        self.items.push_str(&format!("{name}: func() -> {ty};\n"));
        // A `%` only says that the name is no keyword.
        let name = name.trim_start_matches('%').to_owned();
        self.gives.push((name, Does::Gives(value.to_owned())));
        self
    }

    /// Adds a function that gives nothing.
    pub(super) fn gives_nothing(mut self, name: &str) -> Self {
        self.items.push_str(&format!("{name}: func();\n"));
        self
    }

    /// Adds a function that gives its parameter `it` back. What it takes beside may be left out,
    /// and makes it take all of them in memory.
    pub(super) fn echoes(mut self, name: &str, ty: &str) -> Self {
        let padding: String = (0..9).map(|index| format!(", pad-n{index}: option<bool>")).collect();
        self.items.push_str(&format!("{name}: func(it: {ty}{padding}) -> {ty};\n"));
        self.gives.push((name.to_owned(), Does::Echoes));
        self
    }

    /// Adds a descriptor section (docs/overlay.md).
    pub(super) fn overlaid(mut self, overlay: &str) -> Self {
        self.overlay = Some(overlay.to_owned());
        self
    }

    /// Serves the component.
    pub(super) fn serve(self) -> Served {
        let items = &self.items;
        let wit = format!(
            "package report:tools;\ninterface api {{\n{items}}}\nworld w {{ export api; }}\n"
        );
        let package = Package::parse(&wit);
        let mut component = package.component(|function| {
            match self.gives.iter().find(|(name, _)| *name == function.name) {
                None => Gives::Nothing,
                Some((_, Does::Echoes)) => Gives::Parameter(0),
                Some((_, Does::Gives(text))) => {
                    let ty = package.result(function).expect("it gives a value");
                    Gives::Value(wave::parse(&ty, text))
                }
            }
        });
        if let Some(overlay) = &self.overlay {
            component.extend(section("portcullis:descriptor", overlay.as_bytes()));
        }
        Served::component(&component)
    }
}
