//! The signals that a server listens to.

/// Waits for SIGTERM or SIGINT.
#[cfg(unix)]
pub(super) async fn told_to_end() {
    use tokio::signal::unix::{SignalKind, signal};
    let signals = [SignalKind::terminate(), SignalKind::interrupt()].map(signal);
    let [Ok(mut terminated), Ok(mut interrupted)] = signals else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = terminated.recv() => {}
        _ = interrupted.recv() => {}
    }
}

/// Waits for the user to end it.
#[cfg(not(unix))]
pub(super) async fn told_to_end() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending().await
    }
}

/// The SIGHUPs that the process gets.
pub(super) struct Hangups {
    #[cfg(unix)]
    signals: Option<tokio::signal::unix::Signal>,
}

#[cfg(unix)]
pub(super) fn hangups() -> Hangups {
    use tokio::signal::unix::{SignalKind, signal};
    let signals = signal(SignalKind::hangup());
    let signals = signals.inspect_err(|error| tracing::warn!("SIGHUP is not heard: {error}"));
    Hangups { signals: signals.ok() }
}

#[cfg(not(unix))]
pub(super) fn hangups() -> Hangups {
    Hangups {}
}

impl Hangups {
    /// Waits for the next one.
    pub(super) async fn heard(&mut self) {
        #[cfg(unix)]
        if let Some(signals) = &mut self.signals
            && signals.recv().await.is_some()
        {
            return;
        }
        std::future::pending().await
    }
}
