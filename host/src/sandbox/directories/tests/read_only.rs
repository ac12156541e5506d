//! A directory that is granted to read stays as it is.

use wasmtime_wasi::p2::bindings::filesystem::types::NewTimestamp;

use super::*;

/// The names in `directory`, with their bytes and when they were changed.
#[expect(clippy::disallowed_methods, reason = "tests look at files")]
fn everything(directory: &Path) -> Vec<(std::ffi::OsString, Vec<u8>, std::time::SystemTime)> {
    let entry = |entry: std::io::Result<std::fs::DirEntry>| {
        let entry = entry.unwrap();
        let bytes = std::fs::read(entry.path()).unwrap_or_default();
        (entry.file_name(), bytes, entry.metadata().unwrap().modified().unwrap())
    };
    let mut entries: Vec<_> = std::fs::read_dir(directory).unwrap().map(entry).collect();
    entries.sort();
    entries
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "tests write files")]
async fn nothing_that_would_change_a_read_only_directory_is_allowed() {
    let [read, write] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    std::fs::write(read.path().join("file"), "as it was").unwrap();
    std::fs::create_dir(read.path().join("inner")).unwrap();
    let before = everything(read.path());
    let read_only = grant(read.path(), "/read", Access::ReadOnly, 0);
    let alone = vec![read_only.clone()];
    let beside = vec![read_only, writable(write.path(), 1 << 20)];
    for dirs in [alone, beside] {
        let mut call = Call::new(&Quotas::default(), &dirs);
        let root = |call: &Call| call.root();
        let name = |name: &str| name.to_owned();
        let file = call.open("file", there(), READ).await.unwrap();

        for how in [OpenFlags::CREATE, OpenFlags::CREATE | OpenFlags::EXCLUSIVE] {
            assert_eq!(code(call.open("new", how, READ).await), ErrorCode::NotPermitted);
        }
        assert_eq!(code(call.open("file", there(), WRITE).await), ErrorCode::NotPermitted);
        let truncating = call.open("file", OpenFlags::TRUNCATE, READ).await;
        assert_eq!(code(truncating), ErrorCode::NotPermitted);
        assert_eq!(code(call.write(&file, 3, 0).await), ErrorCode::NotPermitted);
        let (now, fd) = (NewTimestamp::Now, again(&file));
        assert_eq!(code(call.files().set_times(fd, now, now).await), ErrorCode::NotPermitted);
        let size = call.files().set_size(again(&file), 0).await;
        assert_eq!(code(size), ErrorCode::NotPermitted);
        let stream = call.files().write_via_stream(again(&file), 0);
        assert_eq!(code(stream), ErrorCode::NotPermitted);
        let stream = call.files().append_via_stream(again(&file));
        assert_eq!(code(stream), ErrorCode::NotPermitted);

        let fd = root(&call);
        let made = call.files().create_directory_at(fd, name("new")).await;
        assert_eq!(code(made), ErrorCode::NotPermitted);
        let fd = root(&call);
        let made = call.files().symlink_at(fd, name("file"), name("new")).await;
        assert_eq!(code(made), ErrorCode::NotPermitted);
        let fd = root(&call);
        let removed = call.files().unlink_file_at(fd, name("file")).await;
        assert_eq!(code(removed), ErrorCode::NotPermitted);
        let fd = root(&call);
        let removed = call.files().remove_directory_at(fd, name("inner")).await;
        assert_eq!(code(removed), ErrorCode::NotPermitted);
        let fd = root(&call);
        let follow = PathFlags::SYMLINK_FOLLOW;
        let times = call.files().set_times_at(fd, follow, name("file"), now, now).await;
        assert_eq!(code(times), ErrorCode::NotPermitted);

        // Within it, out of it, and into it.
        let last = dirs.len() - 1;
        for (from, to) in [(0, 0), (0, last), (last, 0)] {
            let (fd, new) = (call.root_of(from), call.root_of(to));
            let moved = call.files().rename_at(fd, name("file"), new, name("new")).await;
            assert_eq!(code(moved), ErrorCode::NotPermitted);
            let (fd, new) = (call.root_of(from), call.root_of(to));
            let none = PathFlags::empty();
            let linked = call.files().link_at(fd, none, name("file"), new, name("new")).await;
            assert_eq!(code(linked), ErrorCode::NotPermitted);
        }
        assert_eq!(call.read("file").await.unwrap(), b"as it was");
    }
    assert_eq!(everything(read.path()), before);
    assert_eq!(everything(write.path()), []);
}
