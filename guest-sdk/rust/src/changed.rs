//! Announcements: something that clients can see is no longer what it was.
//!
//! The host announces it when the call has ended. Before it announces a list, it lets the component
//! describe itself again, which must give what it gave before: see [`resource()`] for what changes
//! from day to day. Outside of a component, as in a native test, nothing is announced.

/// The tools are others now.
pub fn tools() {
    send(Change::Tools);
}

/// The resources, or templates of them, are others now.
pub fn resources() {
    send(Change::Resources);
}

/// The prompts are others now.
pub fn prompts() {
    send(Change::Prompts);
}

/// The contents of the resource at `uri`, which must be of this component, are others now.
pub fn resource(uri: impl AsRef<str>) {
    send(Change::Contents(uri.as_ref()));
}

/// What has changed.
#[cfg_attr(not(target_arch = "wasm32"), allow(dead_code, reason = "for a host to read"))]
pub(crate) enum Change<'a> {
    Tools,
    Resources,
    Prompts,
    Contents(&'a str),
}

#[cfg(target_arch = "wasm32")]
fn send(change: Change<'_>) {
    crate::component::announce(change);
}

#[cfg(not(target_arch = "wasm32"))]
fn send(_change: Change<'_>) {}
