//! The .wit source of a component: the world that it was built for.
//!
//! Files are read by `files`; here their text becomes types and docs.

use std::path::Path;

use wit_parser::{PackageId, ParseError, Resolve, ResolveError, WorldId};

use super::PackError;
use crate::files;
use crate::present::clean;
use crate::schema::wit::{Read, read_world};

/// Bytes of a text of another library.
const WHAT_BYTES_MAX: usize = 400;

/// A world, as its source has it.
#[derive(Debug)]
pub(crate) struct Source {
    /// Its whole name, as in `example:shop/shop@1.0.0`.
    pub(super) world: String,
    /// The functions that it exports, with their docs.
    pub(super) read: Read,
    /// All that it refers to.
    pub(crate) resolve: Resolve,
    /// Which one it is of those.
    pub(crate) id: WorldId,
}

impl Source {
    /// Reads the package at `path`, a directory or a file, and finds `world` in it; without a
    /// name there has to be one world alone.
    ///
    /// # Errors
    /// [`PackError::Wit`] if it cannot be read or has no such world.
    pub(crate) fn read(path: &Path, world: Option<&str>) -> Result<Self, PackError> {
        let mut resolve = Resolve::default();
        match files::read_wit(&mut resolve, path) {
            Ok(package) => Self::of(resolve, package, world),
            Err(error) => Err(one_line(&resolve, &error)),
        }
        .map_err(|what| PackError::Wit { path: path.to_owned(), what })
    }

    pub(super) fn of(
        resolve: Resolve,
        package: PackageId,
        world: Option<&str>,
    ) -> Result<Self, String> {
        let id = select(&resolve, package, world)?;
        let world = resolve.id_of_name(package_of(&resolve, id, package), &resolve.worlds[id].name);
        let read = read_world(&resolve, id).map_err(|refused| refused.to_string())?;
        Ok(Self { world, read, resolve, id })
    }

    /// The world's own name, as in `shop`.
    pub(crate) fn world_name(&self) -> &str {
        &self.resolve.worlds[self.id].name
    }
}

fn package_of(resolve: &Resolve, world: WorldId, main: PackageId) -> PackageId {
    resolve.worlds[world].package.unwrap_or(main)
}

fn select(resolve: &Resolve, main: PackageId, world: Option<&str>) -> Result<WorldId, String> {
    let worlds = &resolve.packages[main].worlds;
    let names: Vec<String> = worlds.keys().map(|name| format!("`{name}`")).collect();
    let names = names.join(", ");
    match (world, worlds.values().collect::<Vec<_>>().as_slice()) {
        (Some(name), _) => resolve.select_world(&[main], Some(name)).map_err(|_| {
            let has = if names.is_empty() { "none".to_owned() } else { names };
            format!("there is no world `{}`; it has {has}", clean::bounded(name, WHAT_BYTES_MAX))
        }),
        (None, [world]) => Ok(**world),
        (None, []) => Err("there is no world; write the one that the component is of".to_owned()),
        (None, [_, ..]) => Err(format!(
            "there is more than one world; leave one, or say which with `pack --world`: {names}"
        )),
    }
}

/// What is wrong, with its place where one is known.
fn one_line(resolve: &Resolve, error: &anyhow::Error) -> String {
    let place = error.chain().find_map(|layer| {
        let parse = layer.downcast_ref::<ParseError>().map(|error| error.kind().span());
        let span = parse.or_else(|| Some(layer.downcast_ref::<ResolveError>()?.kind().span()))?;
        span.is_known().then(|| resolve.render_location(span))
    });
    let cause = error.root_cause();
    let what = match place {
        Some(place) => format!("{place}: {cause}"),
        None => format!("{cause}; name the directory, or the file, that the package is in"),
    };
    clean::bounded(&what.split_whitespace().collect::<Vec<_>>().join(" "), WHAT_BYTES_MAX)
}
