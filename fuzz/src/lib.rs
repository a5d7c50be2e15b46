//! The part of every fuzz target that is not its logic: the entry points that libFuzzer calls, limits that are always set, and
//! protection against subjects that crash. The logic is in `uriproof_lab::targets`.

mod coverage;
mod survive;

use std::ffi::{CStr, CString, OsStr, c_char, c_int};
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use uriproof::model::Subject;
use uriproof_lab::divergence::ledger::Ledger;
use uriproof_lab::targets::{Mode, Target, VARIABLE, Watch, cross, mutate};

#[doc(hidden)]
pub use libfuzzer_sys;

/// How many seconds an input may take, which are as many as ClusterFuzz allows, and how much memory, if libFuzzer is not told
/// otherwise: its own limit is twenty minutes.
const LIMITS: [&str; 2] = ["-timeout=25", "-rss_limit_mb=2048"];

/// Everything a process needs, set once before the first input.
static PROCESS: OnceLock<Process> = OnceLock::new();

struct Process {
    target: &'static Target,
    watch: Mutex<Watch<'static>>,
}

/// Whether files are run alone: nothing is fuzzed, and each of them is asked about for its own sake.
fn is_alone(arguments: &[&OsStr]) -> bool {
    let mut paths = arguments.iter().filter(|argument| !argument.as_bytes().starts_with(b"-")).peekable();
    paths.peek().is_some() && paths.all(|path| Path::new(path).is_file())
}

/// The limits that a run with these arguments has. That of the length is for what is made while fuzzing: libFuzzer would cut a
/// file that is run alone, and takes none where it makes one smaller.
fn limits(longest: usize, arguments: &[&OsStr]) -> Vec<String> {
    let makes_small = arguments
        .iter()
        .map(|argument| argument.as_bytes())
        .any(|argument| argument.starts_with(b"-minimize_crash") || argument.starts_with(b"-cleanse_crash"));
    let longest = (!makes_small && !is_alone(arguments)).then(|| format!("-max_len={longest}"));
    LIMITS.into_iter().map(str::to_owned).chain(longest).collect()
}

/// Readies the process for a target: its limits, its panics, its stack; which subjects are asked, and which of them every
/// input. Ends it if [`VARIABLE`] holds no mode.
///
/// # Safety
///
/// `argc` and `argv` are those that libFuzzer hands to `LLVMFuzzerInitialize`.
///
/// # Panics
///
/// If there is no such target.
pub unsafe fn initialize(
    name: &str,
    subjects: &'static [&'static dyn Subject],
    often: &[&dyn Subject],
    ledger: Ledger,
    argc: *mut c_int,
    argv: *mut *mut *mut c_char,
) {
    let Some(target) = Target::named(name) else {
        panic!("there is no target {name}");
    };
    let mode = match Mode::read(std::env::var(VARIABLE).ok().as_deref()) {
        Ok(mode) => mode,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(2);
        }
    };
    // SAFETY: as the caller says.
    let given = unsafe { arguments(argc, argv) };
    // libFuzzer takes the last of two options that set the same: these come first, and what the user says counts.
    // SAFETY: as the caller says.
    unsafe { put_behind_program(argc, argv, limits(target.longest, &given)) };
    survive::panics();
    survive::stack_overflows();
    let mut watch = Watch::new(subjects, ledger, mode).asking_mostly(often);
    if is_alone(&given) {
        watch = watch.looking_at_everything();
    }
    let watch = Mutex::new(watch);
    assert!(PROCESS.set(Process { target, watch }).is_ok(), "initialized twice");
    // SAFETY: the function is there as long as the process.
    unsafe { libc::atexit(print_figures) };
}

/// Runs the target on an input; ends the process on news.
pub fn run(data: &[u8]) {
    let process = PROCESS.get().expect("libFuzzer initializes first");
    // A panic ends the process, so nobody sees the watch that it leaves behind.
    let mut watch = process.watch.lock().unwrap_or_else(PoisonError::into_inner);
    process.target.run(data, &mut watch);
    if !watch.is_due() {
        return;
    }
    let news = coverage::kept(|| watch.news());
    if let Some(first) = news.first() {
        let mut errors = std::io::stderr().lock();
        for news in &news {
            // Who reads no news misses it.
            let _ = writeln!(errors, "\n{news}");
        }
        let _ = writeln!(errors, "{}", watch.figures());
        // ClusterFuzz and -minimize_crash tell one finding from another by it.
        let _ = writeln!(errors, "DEDUP_TOKEN: {}", first.class.fingerprint);
        std::process::abort();
    }
}

/// Changes `data[..size]` to at most `most` bytes, half of the time by component; gives the new size.
pub fn change(data: &mut [u8], size: usize, most: usize, seed: u32) -> usize {
    let target = PROCESS.get().expect("libFuzzer initializes first").target;
    let by_component = (seed & 1 == 0).then(|| mutate(target, &data[..size], seed >> 1)).flatten();
    match by_component {
        Some(made) if made.len() <= most => {
            data[..made.len()].copy_from_slice(&made);
            made.len()
        }
        _ => libfuzzer_sys::fuzzer_mutate(data, size, most),
    }
}

/// Puts what comes of two inputs to `out`; gives its size, 0 where it does not fit.
pub fn combine(one: &[u8], other: &[u8], out: &mut [u8], seed: u32) -> usize {
    let target = PROCESS.get().expect("libFuzzer initializes first").target;
    match cross(target, one, other, seed) {
        Some(made) if made.len() <= out.len() => {
            out[..made.len()].copy_from_slice(&made);
            made.len()
        }
        _ => 0,
    }
}

/// What the process was given, without its name.
unsafe fn arguments(argc: *mut c_int, argv: *mut *mut *mut c_char) -> Vec<&'static OsStr> {
    // SAFETY: argv has argc strings, as that of main has; they are there as long as the process.
    let given = unsafe { std::slice::from_raw_parts(*argv, usize::try_from(*argc).unwrap_or_default()) };
    // SAFETY: as above.
    let text = |argument: &*mut c_char| OsStr::from_bytes(unsafe { CStr::from_ptr(*argument) }.to_bytes());
    given.iter().skip(1).map(text).collect()
}

unsafe fn put_behind_program(argc: *mut c_int, argv: *mut *mut *mut c_char, options: Vec<String>) {
    // SAFETY: argv has argc strings, as that of main has.
    let given = unsafe { std::slice::from_raw_parts(*argv, usize::try_from(*argc).unwrap_or_default()) };
    let options =
        options.into_iter().map(|option| CString::new(option).expect("an option has no zero byte").into_raw());
    let mut all: Vec<*mut c_char> =
        given[..1].iter().copied().chain(options).chain(given[1..].iter().copied()).collect();
    let count = all.len();
    all.push(std::ptr::null_mut());
    // SAFETY: both are ours to write; the new list is never freed.
    unsafe {
        *argc = c_int::try_from(count).expect("some more than there were");
        *argv = all.leak().as_mut_ptr();
    }
}

extern "C" fn print_figures() {
    if let Some(process) = PROCESS.get()
        && let Ok(watch) = process.watch.try_lock()
        // Nothing was asked by a target of ours, nor by a process that starts others.
        && watch.figures().inputs > 0
    {
        let _ = writeln!(std::io::stderr(), "{}", watch.figures());
    }
}

/// The entry points of a target: its name, and if they are not the usual ones its subjects, those of them that are asked
/// every input, and its ledger.
#[macro_export]
macro_rules! target {
    ($name:literal) => {
        $crate::target!($name, $crate::SUBJECTS, $crate::FAST, $crate::ledger());
    };
    ($name:literal, $subjects:expr, $often:expr, $ledger:expr) => {
        #[unsafe(no_mangle)]
        extern "C" fn LLVMFuzzerInitialize(
            argc: *mut ::std::ffi::c_int,
            argv: *mut *mut *mut ::std::ffi::c_char,
        ) -> ::std::ffi::c_int {
            // SAFETY: libFuzzer calls this with those of its main.
            unsafe { $crate::initialize($name, $subjects, $often, $ledger, argc, argv) };
            0
        }

        #[unsafe(no_mangle)]
        fn rust_fuzzer_test_input(data: &[u8]) -> i32 {
            run_target(data);
            0
        }

        /// A frame that has the target's name, by which ClusterFuzz tells the crashes of one from those of another.
        #[inline(never)]
        fn run_target(data: &[u8]) {
            $crate::run(data);
            // With nothing behind it the call would take the place of this frame.
            ::std::hint::black_box(data);
        }

        $crate::libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, most: usize, seed: u32| {
            $crate::change(data, size, most, seed)
        });

        $crate::libfuzzer_sys::fuzz_crossover!(|one: &[u8], other: &[u8], out: &mut [u8], seed: u32| {
            $crate::combine(one, other, out, seed)
        });
    };
}

#[doc(hidden)]
pub use uriproof_subjects::{FAST, SUBJECTS};

#[doc(hidden)]
pub fn ledger() -> Ledger {
    const EMBEDDED: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/ledger.rs"));
    let files = EMBEDDED.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    Ledger::read(Path::new("ledger"), files).expect("a test reads them")
}
