//! One socket for each server, in a directory that only its owner enters.
//!
//! A server writes one report as JSON to whoever connects, and reads nothing.

use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use etcetera::BaseStrategy as _;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{UnixListener, UnixStream};
use tokio::time::timeout;

use super::Report;
use crate::files;

/// For how long one side waits for the other.
const ANSWER_MAX: Duration = Duration::from_secs(2);
/// The most bytes of a report.
const REPORT_BYTES_MAX: u64 = 64 << 20;
/// After a connection that failed, for how long the next one waits.
const AFTER_FAULT: Duration = Duration::from_millis(100);

/// Where a server is asked. It is gone when this is dropped.
pub(crate) struct Socket {
    listener: UnixListener,
    path: PathBuf,
}

impl Socket {
    /// That of this process, in the user's own directory.
    ///
    /// # Errors
    /// When there is no such directory, or the socket cannot be made in it.
    pub(crate) fn open() -> anyhow::Result<Self> {
        let mut last = anyhow::anyhow!("there is no home directory");
        for directory in directories() {
            match Self::open_in(&directory) {
                Ok(socket) => return Ok(socket),
                Err(error) => last = error.context(format!("in {}", directory.display())),
            }
        }
        Err(last)
    }

    fn open_in(directory: &Path) -> anyhow::Result<Self> {
        files::make_private(directory)?;
        let process = std::process::id();
        let [path, aside] = ["sock", "new"].map(|end| directory.join(format!("{process}.{end}")));
        // One that is there is of a process that is gone: its number is ours now.
        match std::fs::remove_file(&aside) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
            Ok(()) | Err(_) => {}
        }
        let listener = UnixListener::bind(&aside)?;
        std::fs::set_permissions(&aside, std::fs::Permissions::from_mode(0o600))?;
        // Whoever sees it can connect to it.
        std::fs::rename(&aside, &path)?;
        Ok(Self { listener, path })
    }

    /// Answers whoever asks, one after the other.
    pub(crate) async fn answer(&self, report: impl Fn() -> Report) -> std::convert::Infallible {
        loop {
            let told = match self.listener.accept().await {
                Ok((stream, _)) => tell(stream, &report).await,
                Err(error) => Err(error),
            };
            if let Err(error) = told {
                tracing::debug!("a status was asked for and not told: {error}");
                tokio::time::sleep(AFTER_FAULT).await;
            }
        }
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        // Where it cannot be removed, nobody answers at it.
        let _ = std::fs::remove_file(&self.path);
    }
}

async fn tell(mut stream: UnixStream, report: impl Fn() -> Report) -> io::Result<()> {
    let user = stream.peer_cred()?.uid();
    if user != rustix::process::geteuid().as_raw() && user != 0 {
        return Err(io::Error::other(format!("user {user} is not the owner")));
    }
    let text = serde_json::to_vec(&report())?;
    let written = async {
        stream.write_all(&text).await?;
        stream.shutdown().await
    };
    timeout(ANSWER_MAX, written).await?
}

/// The reports of all servers of this user that answer, or of the one of a process, by the numbers
/// of their processes.
pub(crate) async fn ask(process: Option<u32>) -> Vec<Report> {
    let of_process = |path: &PathBuf| {
        let stem = path.file_stem().map(|stem| stem.to_string_lossy());
        process.is_none_or(|process| stem.is_some_and(|stem| *stem == process.to_string()))
    };
    let mut sockets = Vec::new();
    for directory in directories() {
        match files::sockets(&directory) {
            Ok(found) => sockets.extend(found.into_iter().filter(of_process)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => tracing::warn!("cannot look into {}: {error}", directory.display()),
        }
    }
    let asked = sockets.into_iter().map(|path| async move {
        match ask_at(&path).await {
            Ok(report) => Some(report),
            // Its server was killed.
            Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
                let _ = std::fs::remove_file(&path);
                None
            }
            Err(error) => {
                tracing::warn!("a server does not answer at {}: {error}", path.display());
                None
            }
        }
    });
    let answers: Vec<Option<Report>> = futures_util::future::join_all(asked).await;
    let mut reports: Vec<Report> = answers.into_iter().flatten().collect();
    reports.sort_by_key(|report| report.process);
    reports
}

async fn ask_at(path: &Path) -> io::Result<Report> {
    let answer = async {
        let stream = UnixStream::connect(path).await?;
        let mut text = Vec::new();
        stream.take(REPORT_BYTES_MAX).read_to_end(&mut text).await?;
        Ok(serde_json::from_slice(&text)?)
    };
    timeout(ANSWER_MAX, answer).await?
}

/// Where sockets are: `$XDG_RUNTIME_DIR/portcullis` where there is one, and a place in the user's
/// cache directory, for servers that were started without. A server takes the first.
fn directories() -> Vec<PathBuf> {
    let Ok(base) = etcetera::choose_base_strategy() else { return Vec::new() };
    let runtime = base.runtime_dir().map(|directory| directory.join("portcullis"));
    let cache = base.cache_dir().join("portcullis").join("run");
    runtime.into_iter().chain([cache]).collect()
}
