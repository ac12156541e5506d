//! What went wrong below, as a guest is told it.
//!
//! A guest learns which step failed and never what the operating system said about it.

use std::error::Error as _;
use std::io;

use wasmtime_wasi_http::Error;

use super::exchange::HEADER_BYTES_MAX;

/// Why a connection was not opened.
pub(super) fn of_connect(error: &io::Error) -> Error {
    if error.kind() == io::ErrorKind::ConnectionRefused {
        Error::ConnectionRefused
    } else {
        Error::DestinationUnavailable
    }
}

/// Why a name has no addresses.
pub(super) fn of_lookup() -> Error {
    Error::DnsError { rcode: Some("no address found".to_owned()), info_code: None }
}

/// Why TLS was not agreed on.
pub(super) fn of_tls(error: &io::Error) -> Error {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
    match inner {
        Some(rustls::Error::InvalidCertificate(_) | rustls::Error::NoCertificatesPresented) => {
            Error::TlsCertificateError
        }
        Some(rustls::Error::AlertReceived(alert)) => {
            Error::TlsAlertReceived { alert_id: Some((*alert).into()), alert_message: None }
        }
        Some(_) => Error::TlsProtocolError,
        None => Error::ConnectionTerminated,
    }
}

/// Why a request was not sent or its response not received.
pub(super) fn of_hyper(error: &hyper::Error) -> Error {
    if let Some(limit) = body_limit(error) {
        return Error::HttpRequestBodySize(Some(limit));
    }
    if error.is_parse_too_large() {
        let bytes = u32::try_from(HEADER_BYTES_MAX).ok();
        Error::HttpResponseHeaderSectionSize(bytes)
    } else if error.is_incomplete_message() || ended_early(error) {
        Error::HttpResponseIncomplete
    } else if error.is_canceled() || error.is_closed() {
        Error::ConnectionTerminated
    } else {
        Error::HttpProtocolError
    }
}

/// The limit that the body of the request exceeded, if that is the cause.
fn body_limit(error: &hyper::Error) -> Option<u64> {
    let cause = error.source()?.downcast_ref::<Error>()?;
    if let Error::HttpRequestBodySize(limit) = cause { *limit } else { None }
}

/// Whether a body ended before it was whole.
fn ended_early(error: &hyper::Error) -> bool {
    let cause = error.source().and_then(|cause| cause.downcast_ref::<io::Error>());
    cause.is_some_and(|cause| cause.kind() == io::ErrorKind::UnexpectedEof)
}
