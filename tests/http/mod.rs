//! `portcullis serve --http` as clients meet it, byte by byte: both eras, who is let in, what
//! strangers cannot do, and the end.

mod auth;
mod changes;
mod client;
mod ends;
mod eras;
mod guards;
mod headers;
mod hostile;
mod plain;

use libtest_mimic::Trial;

pub(crate) use client::Served;
use client::{Reply, later, message};

pub(crate) fn trials() -> Vec<Trial> {
    [
        auth::trials(),
        changes::trials(),
        ends::trials(),
        eras::trials(),
        guards::trials(),
        headers::trials(),
        hostile::trials(),
        plain::trials(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
