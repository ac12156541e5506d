//! Notes on how far a call has come.
//!
//! What nobody wants, and what goes beyond the host's rate, is dropped. Outside of a component,
//! as in a native test, notes go nowhere.

/// Reports that `done` of `total` is done. `done` must grow from note to note.
pub fn report(done: f64, total: Option<f64>) {
    send(done, total, None);
}

/// Like [`report`], with a few words on what is being done.
pub fn report_with(done: f64, total: Option<f64>, message: impl AsRef<str>) {
    send(done, total, Some(message.as_ref()));
}

#[cfg(target_arch = "wasm32")]
fn send(done: f64, total: Option<f64>, message: Option<&str>) {
    crate::component::report_progress(done, total, message);
}

#[cfg(not(target_arch = "wasm32"))]
fn send(_done: f64, _total: Option<f64>, _message: Option<&str>) {}
