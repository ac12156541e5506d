//! Keeping up with files: when to look again, and what to say about it.
//!
//! One reload follows the other. What runs is never touched: a reload loads beside it and then swaps
//! one pointer.

mod places;
mod sources;
mod watch;

use std::collections::HashMap;

use crate::config::Config;
use crate::host::Host;
use crate::present::clean;

pub(crate) use sources::Saves;
pub(crate) use watch::Watch;

/// What is said once and not again as long as it stays so.
#[derive(Default)]
pub(crate) struct Said {
    config: Option<String>,
    faults: HashMap<String, String>,
}

impl Said {
    /// Serves what `config` says now, and says what has changed and what is wrong.
    pub(crate) async fn renew(&mut self, host: &Host, config: &Config) {
        self.config = None;
        let renewed = host.renew(config).await;
        for component in &renewed.loaded {
            let (id, digest) = (&component.id, &component.digest[..12]);
            tracing::info!(
                "component `{id}` is served in version {} ({digest})",
                component.version
            );
        }
        for component in &renewed.gone {
            let why = match component.file().exists() {
                true => "the config does not name it any more",
                false => "its file is gone",
            };
            tracing::info!("component `{}` is not served any more: {why}", component.id);
        }
        let faults = renewed.faults.iter().map(|fault| (fault.id.clone(), fault.to_string()));
        let faults: HashMap<String, String> = faults.collect();
        for fault in &renewed.faults {
            let text = fault.to_string();
            if self.faults.get(&fault.id) == Some(&text) {
                continue;
            }
            let stays =
                host.catalog().components().iter().any(|component| *component.id == *fault.id);
            let then = if stays { "the last version stays" } else { "it is not served" };
            tracing::error!("{}; {then}", clean::text(&text.replace('\n', " ")));
        }
        self.faults = faults;
    }

    /// Says that there is no config to serve, and that the last one stays.
    pub(crate) fn refused(&mut self, why: &str) {
        let line = clean::text(&why.replace('\n', " "));
        if self.config.as_ref() != Some(&line) {
            tracing::error!("the config is not reloaded, the last one stays: {line}");
            self.config = Some(line);
        }
    }
}
