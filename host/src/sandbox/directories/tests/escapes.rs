//! No path leads out of a granted directory.

#![cfg(unix)]
#![expect(clippy::disallowed_methods, reason = "tests write files")]

use std::os::unix::fs::symlink;

use super::*;

const SECRET: &str = "secret of the host";
/// How often a guest tries to read through what is being swapped.
const SWAPS_MIN: usize = 20_000;

/// A directory to grant, beside one that is not granted.
struct Beside {
    both: tempfile::TempDir,
}

impl Beside {
    fn new() -> Self {
        let both = tempfile::tempdir().unwrap();
        for name in ["granted", "outside"] {
            std::fs::create_dir(both.path().join(name)).unwrap();
        }
        std::fs::write(both.path().join("outside/secret"), SECRET).unwrap();
        Self { both }
    }

    fn granted(&self) -> std::path::PathBuf {
        self.both.path().join("granted")
    }

    fn outside(&self) -> std::path::PathBuf {
        self.both.path().join("outside")
    }

    fn call(&self) -> Call {
        Call::writing(&self.granted(), 1 << 20)
    }

    /// The names that are not granted.
    fn names_outside(&self) -> Vec<String> {
        let [above, outside] = [self.both.path(), &self.outside()].map(|directory| {
            let names = std::fs::read_dir(directory).unwrap();
            let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            let mut names: Vec<_> = names.collect();
            names.sort();
            names
        });
        [above, outside].concat()
    }
}

#[tokio::test]
async fn paths_that_lead_out_are_refused() {
    let beside = Beside::new();
    let granted = beside.granted();
    std::fs::create_dir(granted.join("inner")).unwrap();
    symlink("../outside", granted.join("relative")).unwrap();
    symlink(beside.outside(), granted.join("absolute")).unwrap();
    symlink(beside.outside().join("secret"), granted.join("file")).unwrap();
    symlink("/", granted.join("top")).unwrap();
    let absolute = beside.outside().join("secret").to_str().unwrap().to_owned();
    let mut call = beside.call();
    let paths = [
        "../outside/secret",
        "inner/../../outside/secret",
        "./../outside/secret",
        "relative/secret",
        "relative/../outside/secret",
        "absolute/secret",
        "file",
        "top/etc/passwd",
        "/etc/passwd",
        &absolute,
    ];
    for path in paths {
        let path = path.to_owned();
        assert_eq!(code(call.read(&path).await), ErrorCode::NotPermitted, "{path}");
        let written = call.open(&path, OpenFlags::TRUNCATE, WRITE).await;
        assert_eq!(code(written), ErrorCode::NotPermitted, "{path}");
        let made = call.open(&format!("{path}.new"), OpenFlags::CREATE, WRITE).await;
        assert!(made.is_err() || path == "file", "{path}");
        let fd = call.root();
        let stat = call.files().stat_at(fd, PathFlags::SYMLINK_FOLLOW, path.clone()).await;
        assert_eq!(code(stat), ErrorCode::NotPermitted, "{path}");
    }
    assert_eq!(beside.names_outside(), ["granted", "outside", "secret"]);
    assert_eq!(std::fs::read_to_string(beside.outside().join("secret")).unwrap(), SECRET);
}

#[tokio::test]
async fn nothing_outside_is_made_moved_linked_or_removed() {
    let beside = Beside::new();
    symlink("../outside", beside.granted().join("link")).unwrap();
    let mut call = beside.call();
    call.make("mine").await.unwrap();
    for outside in ["../outside", "link"] {
        let secret = format!("{outside}/secret");
        let new = format!("{outside}/new");
        let fd = call.root();
        assert!(call.files().create_directory_at(fd, new.clone()).await.is_err());
        let fd = call.root();
        assert!(call.files().symlink_at(fd, "mine".to_owned(), new.clone()).await.is_err());
        let fd = call.root();
        assert!(call.files().unlink_file_at(fd, secret.clone()).await.is_err());
        let fd = call.root();
        assert!(call.files().remove_directory_at(fd, outside.to_owned()).await.is_err());
        let moves = [(secret, "stolen".to_owned()), ("mine".to_owned(), new)];
        for (from, to) in moves {
            let (fd, to_fd) = (call.root(), call.root());
            assert!(call.files().rename_at(fd, from.clone(), to_fd, to.clone()).await.is_err());
            let (fd, to_fd, none) = (call.root(), call.root(), PathFlags::empty());
            assert!(call.files().link_at(fd, none, from, to_fd, to).await.is_err());
        }
    }
    assert_eq!(beside.names_outside(), ["granted", "outside", "secret"]);
}

#[tokio::test]
async fn a_guest_makes_no_link_to_an_absolute_path_and_cannot_use_one_that_leads_out() {
    let beside = Beside::new();
    let mut call = beside.call();
    let fd = call.root();
    let link = call.files().symlink_at(fd, "/etc".to_owned(), "etc".to_owned()).await;
    assert_eq!(code(link), ErrorCode::NotPermitted);
    let fd = call.root();
    let target = "../outside".to_owned();
    call.files().symlink_at(fd, target, "out".to_owned()).await.unwrap();
    assert_eq!(code(call.read("out/secret").await), ErrorCode::NotPermitted);
}

#[tokio::test]
async fn within_the_directory_files_are_moved_and_links_followed() {
    let beside = Beside::new();
    let mut call = beside.call();
    let file = call.make("one").await.unwrap();
    call.write(&file, 3, 0).await.unwrap();
    let fd = call.root();
    call.files().create_directory_at(fd, "inner".to_owned()).await.unwrap();
    let (fd, to) = (call.root(), call.root());
    call.files().rename_at(fd, "one".to_owned(), to, "inner/two".to_owned()).await.unwrap();
    let fd = call.root();
    call.files().symlink_at(fd, "inner/two".to_owned(), "link".to_owned()).await.unwrap();
    assert_eq!(call.read("link").await.unwrap(), b"xxx");
}

/// Puts a directory and a link to the outside in each other's place until it is stopped, and says
/// how often.
fn swapping(
    at: std::path::PathBuf,
    inside: std::path::PathBuf,
    link: std::path::PathBuf,
    stop: std::sync::Arc<std::sync::atomic::AtomicBool>,
) -> std::thread::JoinHandle<usize> {
    std::thread::spawn(move || {
        let mut swaps = 0;
        while !stop.load(std::sync::atomic::Ordering::Relaxed) {
            std::fs::rename(&at, &inside).unwrap();
            std::fs::rename(&link, &at).unwrap();
            std::fs::rename(&at, &link).unwrap();
            std::fs::rename(&inside, &at).unwrap();
            swaps += 1;
        }
        swaps
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_directory_that_is_swapped_for_a_link_never_shows_what_is_outside() {
    let beside = Beside::new();
    let granted = beside.granted();
    let [at, inside, link] = ["x", "inside", "link"].map(|name| granted.join(name));
    std::fs::create_dir(&at).unwrap();
    std::fs::write(at.join("secret"), "of the guest").unwrap();
    symlink(beside.outside(), &link).unwrap();
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let swaps = swapping(at, inside, link, std::sync::Arc::clone(&stop));
    let mut call = beside.call();
    let mut reads = 0;
    for _ in 0..SWAPS_MIN {
        if let Ok(bytes) = call.read("x/secret").await {
            assert_eq!(bytes, b"of the guest");
            reads += 1;
        }
    }
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    let swaps = swaps.join().unwrap();
    assert!(reads > 0 && swaps > 0, "{reads} reads, {swaps} swaps");
}

#[test]
fn a_directory_that_was_replaced_by_a_link_is_not_opened() {
    let beside = Beside::new();
    let quotas = Quotas::default();
    for access in [Access::ReadOnly, Access::ReadWrite] {
        let dir = grant(&beside.granted(), "/data", access, 1 << 20);
        assert!(Call::granted(&quotas, std::slice::from_ref(&dir)).is_ok());
        std::fs::rename(&dir.host, dir.host.with_extension("away")).unwrap();
        assert_eq!(Call::granted(&quotas, std::slice::from_ref(&dir)).err(), Some(dir.clone()));
        symlink("outside", &dir.host).unwrap();
        assert_eq!(Call::granted(&quotas, std::slice::from_ref(&dir)).err(), Some(dir.clone()));
        std::fs::remove_file(&dir.host).unwrap();
        // Another directory in its place is followed.
        std::fs::create_dir(&dir.host).unwrap();
        assert!(Call::granted(&quotas, std::slice::from_ref(&dir)).is_ok());
        std::fs::remove_dir(&dir.host).unwrap();
        std::fs::rename(dir.host.with_extension("away"), &dir.host).unwrap();
    }
}
