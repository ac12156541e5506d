//! Components made from WIT text and values, without a toolchain.
//!
//! Types, layout and values are this crate's own, so that nothing here can share a mistake with
//! the host.

mod image;
pub(crate) mod json;
mod layout;
mod module;
mod numbered;
mod package;
mod provider;
mod served;
mod types;
mod value;
pub(crate) mod wave;
mod weighted;

pub(crate) use module::Gives;
pub(crate) use numbered::numbered;
pub(crate) use package::{Package, section};
pub(crate) use provider::{Described, declared, provider, provider_requiring};
pub(crate) use served::Served;
pub(crate) use types::{Integer, Ty};
pub(crate) use value::Value;
pub(crate) use weighted::{weighted, with_data};
