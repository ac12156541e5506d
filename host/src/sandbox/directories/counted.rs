//! `wasi:filesystem` for guests: wasmtime-wasi's, with every change that adds something admitted to
//! the room that it is made in first.
//!
//! What wasmtime-wasi allows is the most that is allowed here; through a descriptor of unknown
//! origin nothing is added.

use wasmtime::component::{HasData, Linker, Resource, ResourceTable};
use wasmtime_wasi::filesystem::{Descriptor, WasiFilesystemCtx, WasiFilesystemCtxView};
use wasmtime_wasi::p2::bindings::filesystem::{preopens, types};
use wasmtime_wasi::p2::{DynInputStream, DynOutputStream, FsError, FsResult};

use super::Directories;
use super::measure::ENTRY_BYTES;
use super::quota::{Adds, Admitted, Room};
use super::stream::{CountedStream, Position};
use crate::sandbox::store::Guest;
use types::{
    DescriptorFlags, DescriptorType, ErrorCode, HostDescriptor, HostDirectoryEntryStream, OpenFlags,
};

type Fd = Resource<Descriptor>;
type Entries = Resource<types::DirectoryEntryStream>;

/// The files of one guest.
pub(in crate::sandbox) struct Counted<'a> {
    pub(in crate::sandbox) files: WasiFilesystemCtxView<'a>,
    pub(in crate::sandbox) directories: &'a mut Directories,
}

/// For the linker: a guest's files are [`Counted`].
pub(in crate::sandbox) struct CountedFiles;

impl HasData for CountedFiles {
    type Data<'a> = Counted<'a>;
}

impl CountedFiles {
    /// Puts these interfaces in the place of wasmtime-wasi's own.
    pub(in crate::sandbox) fn add_to_linker(linker: &mut Linker<Guest>) -> wasmtime::Result<()> {
        preopens::add_to_linker::<_, Self>(linker, Guest::files)?;
        types::add_to_linker::<_, Self>(linker, Guest::files)
    }
}

impl preopens::Host for Counted<'_> {
    fn get_directories(&mut self) -> wasmtime::Result<Vec<(Fd, String)>> {
        let granted = preopens::Host::get_directories(&mut self.files)?;
        for (origin, (fd, _)) in granted.iter().enumerate() {
            self.directories.opened_grant(fd, origin);
        }
        Ok(granted)
    }
}

impl types::Host for Counted<'_> {
    fn convert_error_code(&mut self, error: FsError) -> wasmtime::Result<ErrorCode> {
        self.files.convert_error_code(error)
    }

    fn filesystem_error_code(
        &mut self,
        error: Resource<wasmtime::Error>,
    ) -> wasmtime::Result<Option<ErrorCode>> {
        match self.files.table.get(&error)?.downcast_ref() {
            Some(code) => Ok(Some(*code)),
            None => self.files.filesystem_error_code(error),
        }
    }
}

/// Calls the functions of wasmtime-wasi that add nothing to a directory.
macro_rules! passed_on {
    ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {
        $(async fn $name(&mut self, $($argument: $type),*) -> $result {
            self.files.$name($($argument),*).await
        })*
    };
}

impl HostDescriptor for Counted<'_> {
    passed_on! {
        advise(fd: Fd, offset: u64, len: u64, advice: types::Advice) -> FsResult<()>;
        sync_data(fd: Fd) -> FsResult<()>;
        sync(fd: Fd) -> FsResult<()>;
        get_flags(fd: Fd) -> FsResult<DescriptorFlags>;
        get_type(fd: Fd) -> FsResult<types::DescriptorType>;
        stat(fd: Fd) -> FsResult<types::DescriptorStat>;
        stat_at(fd: Fd, flags: types::PathFlags, path: String) -> FsResult<types::DescriptorStat>;
        set_times(fd: Fd, at: types::NewTimestamp, mt: types::NewTimestamp) -> FsResult<()>;
        set_times_at(
            fd: Fd, flags: types::PathFlags, path: String,
            at: types::NewTimestamp, mt: types::NewTimestamp
        ) -> FsResult<()>;
        read(fd: Fd, len: u64, offset: u64) -> FsResult<(Vec<u8>, bool)>;
        read_directory(fd: Fd) -> FsResult<Entries>;
        readlink_at(fd: Fd, path: String) -> FsResult<String>;
        remove_directory_at(fd: Fd, path: String) -> FsResult<()>;
        unlink_file_at(fd: Fd, path: String) -> FsResult<()>;
        is_same_object(a: Fd, b: Fd) -> wasmtime::Result<bool>;
        metadata_hash(fd: Fd) -> FsResult<types::MetadataHashValue>;
        metadata_hash_at(
            fd: Fd, flags: types::PathFlags, path: String
        ) -> FsResult<types::MetadataHashValue>;
    }

    fn read_via_stream(&mut self, fd: Fd, offset: u64) -> FsResult<Resource<DynInputStream>> {
        self.files.read_via_stream(fd, offset)
    }

    async fn write(&mut self, fd: Fd, bytes: Vec<u8>, offset: u64) -> FsResult<u64> {
        let Some(room) = self.directories.room(&fd)? else {
            return self.files.write(fd, bytes, offset).await;
        };
        let admitted =
            room.admit(self.up_to(&fd, offset.saturating_add(bytes.len() as u64))?).await?;
        let (mut apart, fd) = self.apart(&fd)?;
        land(admitted, async move { apart.files().write(fd, bytes, offset).await }).await
    }

    async fn set_size(&mut self, fd: Fd, size: u64) -> FsResult<()> {
        let Some(room) = self.directories.room(&fd)? else {
            return self.files.set_size(fd, size).await;
        };
        let admitted = room.admit(self.up_to(&fd, size)?).await?;
        let (mut apart, fd) = self.apart(&fd)?;
        land(admitted, async move { apart.files().set_size(fd, size).await }).await
    }

    fn write_via_stream(&mut self, fd: Fd, offset: u64) -> FsResult<Resource<DynOutputStream>> {
        let Some(room) = self.directories.room(&fd)? else {
            return self.files.write_via_stream(fd, offset);
        };
        let position = match self.files.table.get(&fd)? {
            Descriptor::File(file) => Position::At(file.file.clone(), offset),
            Descriptor::Dir(_) => return Err(ErrorCode::BadDescriptor.into()),
        };
        let stream = self.files.write_via_stream(fd, offset)?;
        self.counted_stream(stream, room, position)
    }

    fn append_via_stream(&mut self, fd: Fd) -> FsResult<Resource<DynOutputStream>> {
        let Some(room) = self.directories.room(&fd)? else {
            return self.files.append_via_stream(fd);
        };
        let stream = self.files.append_via_stream(fd)?;
        self.counted_stream(stream, room, Position::End)
    }

    async fn open_at(
        &mut self,
        fd: Fd,
        path_flags: types::PathFlags,
        path: String,
        open_flags: OpenFlags,
        flags: DescriptorFlags,
    ) -> FsResult<Fd> {
        let from = fd.rep();
        self.check_kind(&fd, path_flags, &path).await?;
        let opened = match self.directories.room(&fd)? {
            Some(room) => {
                let asked = Asked { path_flags, path, open_flags, flags };
                self.open_counted(fd, asked, &room).await?
            }
            None => self.files.open_at(fd, path_flags, path, open_flags, flags).await?,
        };
        self.directories.opened_from(from, &opened);
        Ok(opened)
    }

    async fn create_directory_at(&mut self, fd: Fd, path: String) -> FsResult<()> {
        let Some(room) = self.directories.room(&fd)? else {
            return self.files.create_directory_at(fd, path).await;
        };
        let admitted = room.admit(Adds::Bytes(ENTRY_BYTES)).await?;
        let (mut apart, fd) = self.apart(&fd)?;
        land(admitted, async move { apart.files().create_directory_at(fd, path).await }).await
    }

    async fn symlink_at(&mut self, fd: Fd, target: String, path: String) -> FsResult<()> {
        let Some(room) = self.directories.room(&fd)? else {
            return self.files.symlink_at(fd, target, path).await;
        };
        let bytes = ENTRY_BYTES.saturating_add(target.len() as u64);
        let admitted = room.admit(Adds::Bytes(bytes)).await?;
        let (mut apart, fd) = self.apart(&fd)?;
        land(admitted, async move { apart.files().symlink_at(fd, target, path).await }).await
    }

    async fn link_at(
        &mut self,
        fd: Fd,
        flags: types::PathFlags,
        path: String,
        new_fd: Fd,
        new_path: String,
    ) -> FsResult<()> {
        let Some(room) = self.directories.room_of_both(&fd, &new_fd)? else {
            return self.files.link_at(fd, flags, path, new_fd, new_path).await;
        };
        let admitted = room.admit(Adds::Bytes(ENTRY_BYTES)).await?;
        let (mut apart, fd) = self.apart(&fd)?;
        let new_fd = apart.also(&self.files, &new_fd)?;
        land(
            admitted,
            async move { apart.files().link_at(fd, flags, path, new_fd, new_path).await },
        )
        .await
    }

    /// Adds nothing, and takes its turn so that nothing moves while the directory is measured.
    async fn rename_at(&mut self, fd: Fd, path: String, to: Fd, new_path: String) -> FsResult<()> {
        let Some(room) = self.directories.room_of_both(&fd, &to)? else {
            return self.files.rename_at(fd, path, to, new_path).await;
        };
        let admitted = room.admit(Adds::Bytes(0)).await?;
        let (mut apart, fd) = self.apart(&fd)?;
        let to = apart.also(&self.files, &to)?;
        land(admitted, async move { apart.files().rename_at(fd, path, to, new_path).await }).await
    }

    fn drop(&mut self, fd: Fd) -> wasmtime::Result<()> {
        self.directories.closed(fd.rep());
        HostDescriptor::drop(&mut self.files, fd)
    }
}

impl HostDirectoryEntryStream for Counted<'_> {
    passed_on! {
        read_directory_entry(entries: Entries) -> FsResult<Option<types::DirectoryEntry>>;
    }

    fn drop(&mut self, entries: Entries) -> wasmtime::Result<()> {
        HostDirectoryEntryStream::drop(&mut self.files, entries)
    }
}

/// What a guest asked to open.
#[derive(Clone)]
struct Asked {
    path_flags: types::PathFlags,
    path: String,
    open_flags: OpenFlags,
    flags: DescriptorFlags,
}

impl Asked {
    /// The same, of a file that is there: to make a file is to write to it, whatever is asked.
    fn if_there(&self) -> Self {
        let mut asked = self.clone();
        asked.open_flags &= !OpenFlags::CREATE;
        if !asked.flags.contains(DescriptorFlags::WRITE) {
            asked.flags |= DescriptorFlags::READ | DescriptorFlags::WRITE;
        }
        asked
    }

    async fn open(self, files: &mut WasiFilesystemCtxView<'_>, fd: Fd) -> FsResult<Fd> {
        files.open_at(fd, self.path_flags, self.path, self.open_flags, self.flags).await
    }
}

impl Counted<'_> {
    /// Opens what is there without a turn, for that can take long (a pipe), and makes what is not.
    /// Lets files and directories pass, and what is not there. Opening a pipe waits for its other
    /// end, in a thread that cannot be stopped.
    async fn check_kind(
        &mut self,
        fd: &Fd,
        path_flags: types::PathFlags,
        path: &str,
    ) -> FsResult<()> {
        let directory = Resource::new_borrow(fd.rep());
        match self.files.stat_at(directory, path_flags, path.to_owned()).await.map(|s| s.type_) {
            Ok(
                DescriptorType::RegularFile
                | DescriptorType::Directory
                | DescriptorType::SymbolicLink,
            )
            | Err(_) => Ok(()),
            Ok(
                DescriptorType::Unknown
                | DescriptorType::BlockDevice
                | DescriptorType::CharacterDevice
                | DescriptorType::Fifo
                | DescriptorType::Socket,
            ) => Err(ErrorCode::NotPermitted.into()),
        }
    }

    async fn open_counted(&mut self, fd: Fd, asked: Asked, room: &Room) -> FsResult<Fd> {
        let (mut apart, fd) = self.apart(&fd)?;
        let may_make = asked.open_flags.contains(OpenFlags::CREATE);
        let must_make = asked.open_flags.contains(OpenFlags::EXCLUSIVE);
        let opened = if may_make && must_make {
            None
        } else if may_make {
            let again = Resource::new_borrow(fd.rep());
            match asked.if_there().open(&mut apart.files(), again).await {
                Ok(opened) => Some(opened),
                Err(error) if matches!(error.downcast_ref(), Some(ErrorCode::NoEntry)) => None,
                Err(error) => return Err(error),
            }
        } else {
            Some(asked.clone().open(&mut apart.files(), Resource::new_borrow(fd.rep())).await?)
        };
        let opened = match opened {
            Some(opened) => apart.table.delete(opened)?,
            None => {
                let admitted = room.admit(Adds::Bytes(ENTRY_BYTES)).await?;
                land(admitted, async move {
                    let opened = asked.open(&mut apart.files(), fd).await?;
                    Ok(apart.table.delete(opened)?)
                })
                .await?
            }
        };
        if let Descriptor::File(file) = &opened {
            room.watch(&file.file).await?;
        }
        Ok(self.files.table.push(opened)?)
    }

    /// What makes a file at least `end` long.
    fn up_to(&self, fd: &Fd, end: u64) -> FsResult<Adds> {
        match self.files.table.get(fd)? {
            Descriptor::File(file) => Ok(Adds::UpTo(file.file.clone(), end)),
            Descriptor::Dir(_) => Err(ErrorCode::BadDescriptor.into()),
        }
    }

    fn counted_stream(
        &mut self,
        stream: Resource<DynOutputStream>,
        room: Room,
        position: Position,
    ) -> FsResult<Resource<DynOutputStream>> {
        let stream = self.files.table.delete(stream)?;
        let counted: DynOutputStream = Box::new(CountedStream::new(stream, room, position));
        Ok(self.files.table.push(counted)?)
    }

    /// `fd` for a change that may outlive the call.
    fn apart(&self, fd: &Fd) -> FsResult<(Apart, Fd)> {
        let mut apart =
            Apart { context: WasiFilesystemCtx::default(), table: ResourceTable::new() };
        let fd = apart.also(&self.files, fd)?;
        Ok((apart, fd))
    }
}

/// Descriptors of a guest in a table of their own.
struct Apart {
    context: WasiFilesystemCtx,
    table: ResourceTable,
}

impl Apart {
    fn also(&mut self, files: &WasiFilesystemCtxView<'_>, fd: &Fd) -> FsResult<Fd> {
        Ok(self.table.push(files.table.get(fd)?.clone())?)
    }

    fn files(&mut self) -> WasiFilesystemCtxView<'_> {
        WasiFilesystemCtxView { ctx: &mut self.context, table: &mut self.table }
    }
}

/// Makes a change, to its end even if the call ends meanwhile: only then is the next one's turn.
/// What fails adds nothing.
async fn land<T: Send + 'static>(
    admitted: Admitted,
    change: impl Future<Output = FsResult<T>> + Send + 'static,
) -> FsResult<T> {
    let landing = tokio::spawn(async move {
        let result = change.await;
        if result.is_ok() {
            admitted.made();
        }
        result
    });
    landing.await.map_err(FsError::trap)?
}
