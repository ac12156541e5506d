//! A guest's files, without a guest.

mod escapes;
mod quotas;
mod read_only;

use std::path::Path;

use wasmtime::component::{Resource, ResourceTable};
use wasmtime_wasi::WasiCtx;
use wasmtime_wasi::filesystem::{Descriptor, WasiFilesystemCtxView};
use wasmtime_wasi::p2::bindings::filesystem::preopens::Host as _;
use wasmtime_wasi::p2::bindings::filesystem::types::{
    DescriptorFlags, ErrorCode, HostDescriptor as _, OpenFlags, PathFlags,
};
use wasmtime_wasi::p2::{FsError, FsResult};

use super::{Counted, Directories, Quotas, open};
use crate::grants::{Access, DirGrant};
use crate::sandbox::tally::Tally;

type Fd = Resource<Descriptor>;

const READ: DescriptorFlags = DescriptorFlags::READ;
const WRITE: DescriptorFlags = DescriptorFlags::WRITE;

/// One call, as far as it has files.
struct Call {
    wasi: WasiCtx,
    table: ResourceTable,
    directories: Directories,
    tally: Tally,
    roots: Vec<u32>,
}

fn grant(host: &Path, guest: &str, access: Access, quota_bytes_max: u64) -> DirGrant {
    let host = std::fs::canonicalize(host).unwrap();
    DirGrant { host, guest: guest.to_owned(), access, quota_bytes_max }
}

fn writable(host: &Path, quota_bytes_max: u64) -> DirGrant {
    grant(host, "/data", Access::ReadWrite, quota_bytes_max)
}

impl Call {
    fn new(quotas: &Quotas, dirs: &[DirGrant]) -> Self {
        Self::granted(quotas, dirs).unwrap()
    }

    #[expect(clippy::disallowed_methods, reason = "a context for tests")]
    fn granted(quotas: &Quotas, dirs: &[DirGrant]) -> Result<Self, DirGrant> {
        let mut builder = WasiCtx::builder();
        open(&mut builder, dirs)?;
        let mut wasi = builder.build();
        let tally = Tally::default();
        let directories = Directories::of(wasi.filesystem(), dirs, quotas, &tally)?;
        let table = ResourceTable::new();
        let mut call = Self { wasi, table, directories, tally, roots: Vec::new() };
        let roots = call.files().get_directories().unwrap();
        call.roots = roots.iter().map(|(fd, _)| fd.rep()).collect();
        Ok(call)
    }

    /// One call that may write to `host`.
    fn writing(host: &Path, quota_bytes_max: u64) -> Self {
        Self::new(&Quotas::default(), &[writable(host, quota_bytes_max)])
    }

    fn files(&mut self) -> Counted<'_> {
        let files = WasiFilesystemCtxView { ctx: self.wasi.filesystem(), table: &mut self.table };
        Counted { files, directories: &mut self.directories }
    }

    /// The first granted directory.
    fn root(&self) -> Fd {
        self.root_of(0)
    }

    fn root_of(&self, grant: usize) -> Fd {
        Resource::new_borrow(self.roots[grant])
    }

    async fn open(&mut self, path: &str, how: OpenFlags, flags: DescriptorFlags) -> FsResult<Fd> {
        let root = self.root();
        self.files().open_at(root, PathFlags::SYMLINK_FOLLOW, path.to_owned(), how, flags).await
    }

    /// A new file.
    async fn make(&mut self, path: &str) -> FsResult<Fd> {
        self.open(path, OpenFlags::CREATE, READ | WRITE).await
    }

    /// Writes to `file` and says how many bytes there were.
    async fn write(&mut self, file: &Fd, bytes: usize, offset: u64) -> FsResult<u64> {
        self.files().write(again(file), vec![b'x'; bytes], offset).await
    }

    /// What is in the file at `path`.
    async fn read(&mut self, path: &str) -> FsResult<Vec<u8>> {
        let file = self.open(path, there(), READ).await?;
        let read = self.files().read(again(&file), 1 << 16, 0).await;
        self.files().drop(file).unwrap();
        Ok(read?.0)
    }
}

/// To open what is there.
fn there() -> OpenFlags {
    OpenFlags::empty()
}

/// The same descriptor once more.
fn again(fd: &Fd) -> Fd {
    Resource::new_borrow(fd.rep())
}

/// The code of what was refused.
fn code<T>(result: FsResult<T>) -> ErrorCode {
    match result {
        Ok(_) => panic!("it was allowed"),
        Err(error) => of(error),
    }
}

fn of(error: FsError) -> ErrorCode {
    error.downcast().unwrap()
}
