//! TLS, with the certificates that the machine trusts.
//!
//! There is no way to leave out the check of a certificate.

use std::sync::Arc;

use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use tokio::sync::OnceCell;
use tokio_rustls::TlsConnector;
use wasmtime_wasi_http::{Error, Result};

/// The machine's certificates, read when the first connection needs them.
#[derive(Default)]
pub(crate) struct Tls(OnceCell<Option<TlsConnector>>);

impl Tls {
    /// What makes a connection a TLS one.
    ///
    /// # Errors
    /// When the machine trusts nobody.
    pub(crate) async fn connector(&self) -> Result<&TlsConnector> {
        let loaded = self.0.get_or_init(async || {
            let loading = tokio::task::spawn_blocking(native_roots).await;
            loading.ok().and_then(connector)
        });
        loaded.await.as_ref().ok_or(Error::ConfigurationError)
    }

    /// One that trusts `roots` alone.
    #[cfg(test)]
    pub(super) fn trusting(roots: RootCertStore) -> Self {
        Self(OnceCell::new_with(Some(connector(roots))))
    }
}

/// Reads them; `SSL_CERT_FILE` and `SSL_CERT_DIR` say where others are.
fn native_roots() -> RootCertStore {
    let found = rustls_native_certs::load_native_certs();
    for error in &found.errors {
        tracing::warn!("of the certificates that this machine trusts: {error}");
    }
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(found.certs);
    roots
}

fn connector(roots: RootCertStore) -> Option<TlsConnector> {
    if roots.is_empty() {
        tracing::error!(
            "this machine has no certificates to trust, so no component can use https; install \
             them (`ca-certificates`), or set SSL_CERT_FILE to a file of them, and start again"
        );
        return None;
    }
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .inspect_err(|error| tracing::error!("no component can use https: {error}"))
        .ok()?;
    let mut config = config.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Some(TlsConnector::from(Arc::new(config)))
}
