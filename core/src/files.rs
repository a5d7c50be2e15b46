//! Files that are written whole or not at all.
//!
//! The bytes of a regular file are staged beside it, in a part file, which then takes its place. With the feature `commands` the
//! part file is locked for as long as its writer lives, so the next writer of the same file knows what a killed one has left, and
//! removes it.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fmt::Display;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

const IS_A_FOLDER: &str = "it is a folder";

/// How many symbolic links are followed, as on Linux.
const LINKS: usize = 40;

/// How many characters of a file's name its part file has: a name of the greatest length has no room for more.
const STEM: usize = 50;

/// Writes every file whole: the bytes of all are staged first, and only if that worked for each of them are they put in place.
/// Links are followed, and a file that is replaced keeps its mode. What is no regular file is written to, before the others are put
/// in place.
///
/// # Errors
///
/// The first file that cannot be written, and why.
pub fn write<T: AsRef<[u8]>>(files: &[(PathBuf, T)]) -> Result<(), String> {
    let (mut parts, mut streams) = (Vec::new(), Vec::new());
    for (path, bytes) in files {
        match Staged::new(path, bytes.as_ref()).map_err(|error| failure(path, error))? {
            Staged::Part { part, target } => parts.push((path, part, target)),
            Staged::Stream(stream) => streams.push((path, stream, bytes.as_ref())),
        }
    }
    let mut written = Ok(());
    for (path, stream, bytes) in streams {
        // What cannot be written to keeps no file from its place.
        written = written.and(stream.write(bytes).map_err(|error| failure(path, error)));
    }
    let put = {
        // A signal finds all files in place, or none.
        let mut open = open();
        parts.iter().try_for_each(|(path, part, target)| {
            fs::rename(&part.path, target).map_err(|error| failure(path, error))?;
            open.retain(|other| *other != part.path);
            Ok(())
        })
    };
    let folders: BTreeSet<&Path> = parts.iter().map(|(_, _, target)| folder_of(target)).collect();
    written.and(put)?;
    folders.into_iter().try_for_each(|folder| sync(folder).map_err(|error| failure(folder, error)))
}

/// Removes the part files of this process, which ends now: no file of it is begun or put in place any more.
pub fn end() {
    let mut open = open();
    for path in open.drain(..) {
        // The process ends, whatever stays.
        let _ = fs::remove_file(path);
    }
    std::mem::forget(open);
}

/// The part files of this process that are not in place.
static OPEN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Paths are put there and taken away at once.
fn open() -> MutexGuard<'static, Vec<PathBuf>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Fails if files could not be written, before the work whose result they are to hold is done. Nothing is left behind.
///
/// # Errors
///
/// The first file that cannot be written, and why, or that is named twice.
pub fn expect_writable<'p>(paths: impl IntoIterator<Item = &'p Path>) -> Result<(), String> {
    let mut targets = BTreeSet::new();
    for path in paths {
        if let Destination::File(target, _) = Destination::of(path).map_err(|error| failure(path, error))? {
            expect_file(&target).map_err(|error| failure(path, error))?;
            // As far as it is there, by its only name.
            let folder = fs::canonicalize(folder_of(&target)).unwrap_or_else(|_| folder_of(&target).to_owned());
            if !targets.insert(folder.join(target.file_name().unwrap_or_default())) {
                return Err(failure(path, "it is named twice"));
            }
        }
    }
    Ok(())
}

fn failure(path: &Path, reason: impl Display) -> String {
    format!("{} cannot be written: {reason}", path.display())
}

fn error(reason: impl Into<String>) -> io::Error {
    io::Error::other(reason.into())
}

/// A part file can be made in the nearest folder that is there.
fn expect_file(target: &Path) -> io::Result<()> {
    match target.ancestors().skip(1).map(or_here).find(|folder| folder.exists()) {
        Some(folder) if !folder.is_dir() => Err(error(format!("{} is no folder", folder.display()))),
        Some(folder) => UnfinishedFile::new(folder, name_of(target)?, None).map(drop),
        None => Ok(()),
    }
}

/// Where the bytes for a path go.
enum Destination {
    /// Into a regular file, which may be there already.
    File(PathBuf, Option<Metadata>),
    /// To what is there and cannot be replaced.
    Stream(Stream),
}

/// What is written to: a device, a pipe, a file that is open already.
enum Stream {
    /// What is open.
    Open(File),
    /// What is opened only when it is written to: a reader of a FIFO would take a second opening for the end.
    Closed(PathBuf),
}

impl Destination {
    fn of(path: &Path) -> io::Result<Destination> {
        let there = match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            there => Some(there?),
        };
        if there.as_ref().is_some_and(Metadata::is_dir) {
            return Err(error(IS_A_FOLDER));
        }
        if let Some(output) = there.as_ref().map(standard_stream).transpose()?.flatten() {
            return Ok(Destination::Stream(Stream::Open(output)));
        }
        if there.as_ref().is_some_and(|there| !there.is_file()) {
            return Ok(Destination::Stream(Stream::Closed(path.to_owned())));
        }
        let mut target = path.to_owned();
        for _ in 0..LINKS {
            if is_descriptor(&target) {
                // Its other writers go on where they are, so nothing of theirs is written over.
                let file = OpenOptions::new().append(true).open(path)?;
                return Ok(Destination::Stream(Stream::Open(file)));
            }
            match fs::read_link(&target) {
                Ok(link) => target = folder_of(&target).join(link),
                // There is nothing, or no link.
                Err(_) => {
                    name_of(&target)?;
                    if there.is_some() {
                        OpenOptions::new().write(true).open(&target)?;
                    }
                    return Ok(Destination::File(target, there));
                }
            }
        }
        Err(error("there are too many symbolic links"))
    }
}

/// The standard stream that a file is, which is then written where it stands.
#[cfg(unix)]
fn standard_stream(file: &Metadata) -> io::Result<Option<File>> {
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;
    for stream in [io::stdout().as_fd(), io::stderr().as_fd()] {
        let stream = File::from(stream.try_clone_to_owned()?);
        let of_stream = stream.metadata()?;
        if (of_stream.dev(), of_stream.ino()) == (file.dev(), file.ino()) {
            return Ok(Some(stream));
        }
    }
    Ok(None)
}

#[cfg(not(unix))]
fn standard_stream(_file: &Metadata) -> io::Result<Option<File>> {
    Ok(None)
}

/// Whether a path names a file that a process has open, such as `/dev/fd/3`.
fn is_descriptor(path: &Path) -> bool {
    cfg!(unix)
        && fs::canonicalize(folder_of(path))
            .is_ok_and(|folder| ["/proc", "/dev/fd"].iter().any(|descriptors| folder.starts_with(descriptors)))
}

/// Bytes that are staged.
enum Staged {
    Part { part: UnfinishedFile, target: PathBuf },
    Stream(Stream),
}

impl Staged {
    fn new(path: &Path, bytes: &[u8]) -> io::Result<Staged> {
        Ok(match Destination::of(path)? {
            Destination::Stream(stream) => Staged::Stream(stream),
            Destination::File(target, before) => {
                let folder = folder_of(&target);
                fs::create_dir_all(folder)?;
                let mut part = UnfinishedFile::new(folder, name_of(&target)?, before.as_ref())?;
                part.file.write_all(bytes)?;
                if let Some(before) = &before {
                    keep_owner_and_mode(&part.file, before)?;
                }
                part.file.sync_all()?;
                Staged::Part { part, target }
            }
        })
    }
}

impl Stream {
    /// Writes to it. A reader that has gone away is no failure, as of stdout.
    fn write(self, bytes: &[u8]) -> io::Result<()> {
        let mut file = match self {
            Stream::Open(file) => file,
            Stream::Closed(path) => OpenOptions::new().write(true).open(path)?,
        };
        match file.write_all(bytes) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
            Ok(()) | Err(_) => Ok(()),
        }
    }
}

/// A file that is to take the place of another; removed if it does not. It is among the [open] ones until then.
struct UnfinishedFile {
    file: File,
    path: PathBuf,
}

impl UnfinishedFile {
    /// Makes a part file for a file of this name, after those that dead processes have left. Nobody can read it who cannot read the
    /// one that it is to replace.
    fn new(folder: &Path, name: &OsStr, before: Option<&Metadata>) -> io::Result<UnfinishedFile> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let stem = stem_of(name);
        remove_dead(folder, &stem);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        with_mode(&mut options, before);
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!("{stem}{}-{number}.part", process::id()));
            let mut open = open();
            let file = match options.open(&path) {
                // That of a process with the same number elsewhere.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                file => file?,
            };
            open.push(path.clone());
            drop(open);
            let part = UnfinishedFile { file, path };
            match lock(&part.file) {
                // Before it was locked, another process could have taken it for a dead one's.
                Lock::Ours if part.path.try_exists()? => return Ok(part),
                Lock::Ours | Lock::Others => {}
                // Nobody else can lock it, and take it away, either.
                Lock::Impossible => return Ok(part),
            }
        }
    }
}

impl Drop for UnfinishedFile {
    fn drop(&mut self) {
        let mut open = open();
        if let Some(at) = open.iter().position(|other| *other == self.path) {
            open.swap_remove(at);
            // The failure that is reported is the one that led here.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// How the names of a file's part files begin.
fn stem_of(name: &OsStr) -> String {
    format!(".{}.", name.to_string_lossy().chars().take(STEM).collect::<String>())
}

/// Removes the part files that no living process has locked.
fn remove_dead(folder: &Path, stem: &str) {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    // What may not be listed, opened or removed is not ours, and another process may remove it at the same time.
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let numbers = name.strip_prefix(stem).and_then(|name| name.strip_suffix(".part")?.split_once('-'));
        if numbers.is_some_and(|(process, number)| is_number(process) && is_number(number))
            && entry.file_type().is_ok_and(|kind| kind.is_file())
        {
            let file = OpenOptions::new().write(true).open(entry.path());
            if file.is_ok_and(|file| matches!(lock(&file), Lock::Ours)) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// What came of locking a file.
#[cfg_attr(
    not(feature = "commands"),
    expect(dead_code, reason = "without them nothing is locked")
)]
enum Lock {
    Ours,
    Others,
    /// The file system has no locks, or this library was built without them.
    Impossible,
}

/// Locks a file until it is closed. This, as all of the feature `commands`, needs a newer Rust than the rest of the library.
#[cfg(feature = "commands")]
#[expect(clippy::incompatible_msrv, reason = "the feature has no MSRV")]
fn lock(file: &File) -> Lock {
    match file.try_lock() {
        Ok(()) => Lock::Ours,
        Err(fs::TryLockError::WouldBlock) => Lock::Others,
        Err(fs::TryLockError::Error(_)) => Lock::Impossible,
    }
}

#[cfg(not(feature = "commands"))]
fn lock(_file: &File) -> Lock {
    Lock::Impossible
}

#[cfg(unix)]
fn with_mode(options: &mut OpenOptions, before: Option<&Metadata>) {
    use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
    if let Some(before) = before {
        options.mode(before.permissions().mode());
    }
}

#[cfg(not(unix))]
fn with_mode(_options: &mut OpenOptions, _before: Option<&Metadata>) {}

#[cfg(unix)]
fn keep_owner_and_mode(file: &File, before: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let now = file.metadata()?;
    if (now.uid(), now.gid()) != (before.uid(), before.gid()) {
        // Only a superuser may give a file away; a file that another owns becomes ours, as if we had made it.
        let _ = fchown(file, Some(before.uid()), Some(before.gid()));
    }
    file.set_permissions(before.permissions())
}

#[cfg(not(unix))]
fn keep_owner_and_mode(_file: &File, _before: &Metadata) -> io::Result<()> {
    Ok(())
}

/// Has a folder's list of files stored.
#[cfg(unix)]
fn sync(folder: &Path) -> io::Result<()> {
    match File::open(folder)?.sync_all() {
        // Some file systems cannot do this to a folder.
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => Ok(()),
        synced => synced,
    }
}

#[cfg(not(unix))]
fn sync(_folder: &Path) -> io::Result<()> {
    Ok(())
}

fn name_of(path: &Path) -> io::Result<&OsStr> {
    path.file_name().ok_or_else(|| error("it has no file name"))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().map_or(Path::new("."), or_here)
}

fn or_here(folder: &Path) -> &Path {
    match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    }
}
