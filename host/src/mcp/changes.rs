//! Telling clients that what they can see has changed, and nothing else.

use std::sync::Arc;

use rmcp::model::Tool;
use tokio::sync::watch;

use super::convert;
use crate::catalog::Catalog;

/// What one client was last told of.
pub(super) struct Changes {
    catalogs: watch::Receiver<Arc<Catalog>>,
    known: Arc<[Tool]>,
}

impl Changes {
    /// From what is served now on.
    pub(super) fn from_now(mut catalogs: watch::Receiver<Arc<Catalog>>) -> Self {
        let known = convert::tools(&catalogs.borrow_and_update());
        Self { catalogs, known }
    }

    /// Waits until the definitions are others. None: there is no host any more.
    pub(super) async fn next(&mut self) -> Option<()> {
        loop {
            self.catalogs.changed().await.ok()?;
            let now = convert::tools(&self.catalogs.borrow_and_update());
            if now != self.known {
                self.known = now;
                return Some(());
            }
        }
    }
}
