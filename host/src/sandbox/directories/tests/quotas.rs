//! No directory gets fuller than its quota.

use bytes::Bytes;
use wasmtime_wasi::p2::bindings::filesystem::types::Host as _;
use wasmtime_wasi::p2::{DynOutputStream, StreamError, StreamResult};

use super::super::measure::{ENTRY_BYTES, measure};
use super::super::quota::Adds;
use super::*;
use crate::sandbox::tally::Denied;

const QUOTA: u64 = 10 * ENTRY_BYTES;

fn denied(call: &Call) -> Vec<Denied> {
    call.tally.take().denied
}

fn full(guest: &str) -> Vec<Denied> {
    vec![Denied::Quota(guest.to_owned())]
}

/// Does `step` until it is refused because the directory is full, and says how often it was done.
async fn until_full(
    call: &mut Call,
    host: &Path,
    mut step: impl AsyncFnMut(&mut Call, u64) -> FsResult<()>,
) -> u64 {
    for done in 0..1000 {
        let result = step(call, done).await;
        assert!(measure(host) <= QUOTA, "{} bytes", measure(host));
        if let Err(error) = result {
            assert_eq!(of(error), ErrorCode::Quota);
            assert_eq!(denied(call), full("/data"));
            return done;
        }
    }
    panic!("it was never full");
}

async fn write_all(stream: &mut DynOutputStream, bytes: usize) -> StreamResult<()> {
    stream.blocking_write_and_flush(Bytes::from(vec![b'x'; bytes])).await
}

#[tokio::test]
async fn writes_stop_at_the_quota() {
    let directory = tempfile::tempdir().unwrap();
    let mut call = Call::writing(directory.path(), QUOTA);
    let file = call.make("file").await.unwrap();
    let writes = until_full(&mut call, directory.path(), async |call, done| {
        call.write(&file, 1000, done * 1000).await.map(drop)
    });
    assert_eq!(writes.await, 9 * ENTRY_BYTES / 1000);
    // What is there can be written over still, and no hole makes it longer.
    assert_eq!(call.write(&file, 1000, 0).await.unwrap(), 1000);
    assert_eq!(code(call.write(&file, 1, 1 << 40).await), ErrorCode::Quota);
    assert_eq!(code(call.write(&file, 1, u64::MAX).await), ErrorCode::Quota);
}

#[tokio::test]
async fn streams_stop_at_the_quota_and_say_why() {
    for append in [false, true] {
        let directory = tempfile::tempdir().unwrap();
        let mut call = Call::writing(directory.path(), QUOTA);
        let file = call.make("file").await.unwrap();
        let stream = match append {
            false => call.files().write_via_stream(again(&file), 0),
            true => call.files().append_via_stream(again(&file)),
        };
        let mut stream = call.table.delete(stream.unwrap()).unwrap();
        let mut written = 0;
        let error = loop {
            assert!(measure(directory.path()) <= QUOTA);
            match write_all(&mut stream, 1000).await {
                Ok(()) => written += 1000,
                Err(StreamError::LastOperationFailed(error)) => break error,
                Err(StreamError::Closed | StreamError::Trap(_)) => panic!("it failed otherwise"),
            }
        };
        assert_eq!(written, 9 * ENTRY_BYTES / 1000 * 1000);
        assert!(matches!(write_all(&mut stream, 1).await, Err(StreamError::Closed)));
        let error = call.table.push(error).unwrap();
        let code = call.files().filesystem_error_code(error).unwrap();
        assert_eq!(code, Some(ErrorCode::Quota));
        assert_eq!(denied(&call), full("/data"));
        assert_eq!(call.read("file").await.unwrap(), vec![b'x'; usize::try_from(written).unwrap()]);
    }
}

#[tokio::test]
async fn a_sparse_file_is_as_large_as_it_says() {
    let directory = tempfile::tempdir().unwrap();
    let mut call = Call::writing(directory.path(), QUOTA);
    let file = call.make("file").await.unwrap();
    call.files().set_size(again(&file), 9 * ENTRY_BYTES).await.unwrap();
    let larger = call.files().set_size(again(&file), 9 * ENTRY_BYTES + 1).await;
    assert_eq!(code(larger), ErrorCode::Quota);
    call.files().set_size(again(&file), 0).await.unwrap();
    call.files().set_size(again(&file), 9 * ENTRY_BYTES).await.unwrap();
    assert_eq!(measure(directory.path()), QUOTA);
}

#[tokio::test]
async fn entries_that_hold_nothing_stop_at_the_quota() {
    let directory = tempfile::tempdir().unwrap();
    let mut call = Call::writing(directory.path(), QUOTA);
    let files = until_full(&mut call, directory.path(), async |call, done| {
        call.make(&format!("file{done}")).await.map(drop)
    });
    assert_eq!(files.await, 10);
    // A file that is there is opened still, whatever is asked if it were not.
    call.make("file0").await.unwrap();

    let directory = tempfile::tempdir().unwrap();
    let mut call = Call::writing(directory.path(), QUOTA);
    let directories = until_full(&mut call, directory.path(), async |call, done| {
        let fd = call.root();
        call.files().create_directory_at(fd, format!("directory{done}")).await
    });
    assert_eq!(directories.await, 10);
}

#[cfg(unix)]
#[tokio::test]
async fn links_stop_at_the_quota() {
    let directory = tempfile::tempdir().unwrap();
    let mut call = Call::writing(directory.path(), QUOTA);
    let links = until_full(&mut call, directory.path(), async |call, done| {
        let fd = call.root();
        call.files().symlink_at(fd, "x/".repeat(2000), format!("link{done}")).await
    });
    assert_eq!(links.await, QUOTA / (ENTRY_BYTES + 4000));

    let directory = tempfile::tempdir().unwrap();
    let mut call = Call::writing(directory.path(), QUOTA);
    let file = call.make("file").await.unwrap();
    call.write(&file, 4096, 0).await.unwrap();
    let links = until_full(&mut call, directory.path(), async |call, done| {
        let (fd, to, none) = (call.root(), call.root(), PathFlags::empty());
        call.files().link_at(fd, none, "file".to_owned(), to, format!("link{done}")).await
    });
    assert_eq!(links.await, 8);
}

#[tokio::test]
async fn what_is_removed_makes_room_again() {
    let directory = tempfile::tempdir().unwrap();
    let mut call = Call::writing(directory.path(), QUOTA);
    for _ in 0..20 {
        let file = call.make("file").await.unwrap();
        call.write(&file, 30_000, 0).await.unwrap();
        call.files().drop(file).unwrap();
        let fd = call.root();
        call.files().unlink_file_at(fd, "file".to_owned()).await.unwrap();
    }
    assert_eq!(denied(&call), []);
    assert_eq!(measure(directory.path()), 0);
}

#[cfg(unix)]
#[tokio::test]
async fn a_removed_file_takes_room_until_it_is_closed() {
    let directory = tempfile::tempdir().unwrap();
    let mut call = Call::writing(directory.path(), QUOTA);
    let file = call.make("file").await.unwrap();
    call.write(&file, 30_000, 0).await.unwrap();
    let fd = call.root();
    call.files().unlink_file_at(fd, "file".to_owned()).await.unwrap();
    let other = call.make("other").await.unwrap();
    assert_eq!(code(call.write(&other, 30_000, 0).await), ErrorCode::Quota);
    assert_eq!(code(call.write(&file, 30_000, 30_000).await), ErrorCode::Quota);
    call.files().drop(file).unwrap();
    assert_eq!(call.write(&other, 30_000, 0).await.unwrap(), 30_000);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_calls_share_the_quota_of_a_directory_and_others_are_not_affected() {
    let [shared, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let quotas = std::sync::Arc::new(Quotas::default());
    let dirs =
        [writable(shared.path(), QUOTA), grant(other.path(), "/other", Access::ReadWrite, QUOTA)];
    let calls = (0..4).map(|number| {
        let mut call = Call::new(&quotas, &dirs);
        tokio::spawn(async move {
            let mut file = None;
            let mut written = 0;
            for step in 0..100 {
                if step % 10 == 0 {
                    file = call.make(&format!("{number}-{step}")).await.ok();
                }
                if let Some(file) = &file {
                    written += call.write(file, 700, step % 10 * 700).await.unwrap_or(0);
                }
            }
            (call, written)
        })
    });
    let calls: Vec<_> = calls.collect();
    let mut written = 0;
    for call in calls {
        let (mut call, bytes) = call.await.unwrap();
        assert_eq!(denied(&call), full("/data"));
        written += bytes;
        let (fd, none) = (call.root_of(1), PathFlags::empty());
        let how = OpenFlags::CREATE;
        call.files().open_at(fd, none, "free".to_owned(), how, WRITE).await.unwrap();
        assert_eq!(denied(&call), []);
    }
    assert!(measure(shared.path()) <= QUOTA, "{} bytes", measure(shared.path()));
    assert!(written > QUOTA / 4, "{written} bytes");
}

#[tokio::test]
async fn what_would_come_in_uncounted_from_another_directory_is_to_be_copied() {
    let [one, two] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let dirs = [writable(one.path(), 1 << 20), writable(two.path(), 0)];
    let mut call = Call::new(&Quotas::default(), &dirs);
    let file = call.make("file").await.unwrap();
    call.write(&file, 30_000, 0).await.unwrap();
    let name = || "file".to_owned();
    let (fd, to) = (call.root_of(0), call.root_of(1));
    let moved = call.files().rename_at(fd, name(), to, name()).await;
    assert_eq!(code(moved), ErrorCode::CrossDevice);
    let (fd, to, none) = (call.root_of(0), call.root_of(1), PathFlags::empty());
    let linked = call.files().link_at(fd, none, name(), to, name()).await;
    assert_eq!(code(linked), ErrorCode::CrossDevice);
    assert_eq!(measure(two.path()), 0);
}

#[tokio::test]
async fn nothing_moves_while_another_change_or_a_measurement_has_its_turn() {
    let directory = tempfile::tempdir().unwrap();
    let mut call = Call::writing(directory.path(), QUOTA);
    call.make("file").await.unwrap();
    let room = call.directories.room(&call.root()).unwrap().unwrap();
    let admitted = room.admit(Adds::Bytes(0)).await.unwrap();
    let (fd, to) = (call.root(), call.root());
    let mut files = call.files();
    let moving = files.rename_at(fd, "file".to_owned(), to, "moved".to_owned());
    let moved = tokio::time::timeout(std::time::Duration::from_millis(50), moving).await;
    assert!(moved.is_err());
    assert!(directory.path().join("file").exists());
    drop(admitted);
    let (fd, to) = (call.root(), call.root());
    call.files().rename_at(fd, "file".to_owned(), to, "moved".to_owned()).await.unwrap();
}

#[tokio::test]
async fn a_write_counts_although_its_call_ends() {
    let directory = tempfile::tempdir().unwrap();
    let quotas = Quotas::default();
    let dirs = [writable(directory.path(), QUOTA)];
    for round in 0..10 {
        let mut call = Call::new(&quotas, &dirs);
        let Ok(file) = call.make(&format!("file{round}")).await else { break };
        let stream = call.files().append_via_stream(again(&file)).unwrap();
        call.table.get_mut(&stream).unwrap().write(Bytes::from(vec![0; 5000])).unwrap();
        drop(call);
    }
    let mut call = Call::new(&quotas, &dirs);
    assert_eq!(code(call.make("last").await), ErrorCode::Quota);
    assert!(measure(directory.path()) <= QUOTA);
    assert!(measure(directory.path()) > QUOTA - ENTRY_BYTES - 5000);
}

#[tokio::test]
async fn a_descriptor_of_unknown_origin_changes_nothing_and_closed_ones_are_forgotten() {
    let directory = tempfile::tempdir().unwrap();
    let mut call = Call::writing(directory.path(), QUOTA);
    let file = call.make("file").await.unwrap();
    assert_eq!(call.directories.known(), 2);
    let descriptor = call.table.get(&file).unwrap().clone();
    let unknown = call.table.push(descriptor).unwrap();
    assert_eq!(code(call.write(&unknown, 1, 0).await), ErrorCode::NotPermitted);
    call.files().drop(file).unwrap();
    assert_eq!(call.directories.known(), 1);
    assert_eq!(call.read("file").await.unwrap(), b"");
    assert_eq!(call.directories.known(), 1);
}
