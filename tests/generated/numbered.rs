//! Components that are versions of each other: what a client can tell them apart by.

use super::wave;
use super::{Gives, Package};

/// A component of one function without parameters, `name`, that gives a number, and whose
/// description is `docs`, if that is anything.
pub(crate) fn numbered(name: &str, number: u32, docs: &str) -> Vec<u8> {
    let docs = if docs.is_empty() { String::new() } else { format!("/// {docs}\n") };
    let wit = format!(
        "package test:versions@1.0.0;\ninterface api {{\n{docs}{name}: func() -> u32;\n}}\n\
         world w {{\nexport api;\n}}\n"
    );
    let package = Package::parse(&wit);
    package.component(|function| match package.result(function) {
        Some(ty) => Gives::Value(wave::parse(&ty, &number.to_string())),
        None => Gives::Nothing,
    })
}
