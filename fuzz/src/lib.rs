//! The part of every fuzz target that is not its logic: limits that are always set, seeds, and protection against subjects that
//! crash. The logic is in `uriproof_lab::targets`.

mod coverage;
mod survive;

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::{env, fs, process};

use uriproof::model::Subject;
use uriproof_lab::answers::{AnswerSample, StoredAnswers};
use uriproof_lab::divergence::ledger::Ledger;
use uriproof_lab::targets::{self, Mode, Target, TargetInput, TargetSeeds, VARIABLE, Watch, cross, hash, mutate};

/// How many seconds an input may take, which are as many as ClusterFuzz allows, and how much memory, unless an option says otherwise:
/// libFuzzer's own limit is twenty minutes.
const LIMITS: [&str; 2] = ["-timeout=25", "-rss_limit_mb=2048"];

/// What options begin with where files are gathered from folders to folders, and where libFuzzer starts this process for another.
const NOT_FUZZING: [&[u8]; 3] = [b"-merge", b"-set_cover_merge", b"-features_dir"];

/// How many changed answers are printed.
const CHANGED: usize = 3;

/// What libFuzzer ends with on news.
const NEWS: i32 = 77;

/// Everything a process needs, set once before the first input.
static PROCESS: OnceLock<FuzzProcess> = OnceLock::new();

struct FuzzProcess {
    target: Target,
    watch: Mutex<Watch<'static>>,
}

fn paths(arguments: &[OsString]) -> impl Iterator<Item = &Path> {
    arguments.iter().filter(|argument| !argument.as_bytes().starts_with(b"-")).map(Path::new)
}

/// Whether an option begins with one of these.
fn has_option(arguments: &[OsString], names: &[&[u8]]) -> bool {
    arguments.iter().any(|argument| names.iter().any(|name| argument.as_bytes().starts_with(name)))
}

/// Whether files are run alone: nothing is fuzzed, and each of them is asked about for its own sake.
fn is_alone(arguments: &[OsString]) -> bool {
    let mut paths = paths(arguments).peekable();
    paths.peek().is_some() && paths.all(Path::is_file)
}

/// The limits that a run with these arguments has. That of the length is for what is made while fuzzing: libFuzzer would cut a
/// file that is run alone, and takes none where it makes one smaller.
fn limits(longest: usize, arguments: &[OsString]) -> Vec<OsString> {
    let makes_small = has_option(arguments, &[b"-minimize_crash", b"-cleanse_crash"]);
    let longest = (!makes_small && !is_alone(arguments)).then(|| format!("-max_len={longest}"));
    LIMITS.into_iter().map(str::to_owned).chain(longest).map(OsString::from).collect()
}

/// Readies the process for a target with the usual subjects and what is known of them. Belongs behind `init:` of `fuzz_target!`.
pub fn start<I: TargetInput>() {
    start_with::<I>(
        uriproof_subjects::SUBJECTS,
        uriproof_subjects::FAST,
        ledger(),
        &stored_answers(),
    );
}

/// Readies the process for a target: its limits, its seeds, its panics, its stack, the subjects that get
/// inputs, and those that get every input. Ends it if [`VARIABLE`] holds no mode, if seeds cannot be written, or if news stops it and a
/// stored answer has changed.
///
/// # Panics
///
/// If it is called twice.
pub fn start_with<I: TargetInput>(
    subjects: &'static [&'static dyn Subject],
    often: &[&dyn Subject],
    ledger: Ledger,
    stored: &StoredAnswers,
) {
    let target = Target::of::<I>();
    let mode = Mode::read(env::var(VARIABLE).ok().as_deref()).unwrap_or_else(|error| end(&error));
    let mut arguments = env::args_os();
    let program = arguments.next().unwrap_or_default();
    let given: Vec<OsString> = arguments.collect();
    let limits = limits(target.longest, &given);
    if !given.starts_with(&limits) {
        // libFuzzer reads its options from the arguments alone, and takes the last of two that set the same: what the user says
        // counts.
        let path = env::current_exe().unwrap_or_else(|error| end(&format!("the program has no path: {error}")));
        let error = Command::new(path).arg0(program).args(limits).args(given).exec();
        end(&format!("the target cannot be started with its limits: {error}"));
    }
    // A panic of a subject is an outcome. Any other ends the process before it unwinds, as libfuzzer-sys has seen to.
    uriproof::ask::survive_panics();
    survive::stack_overflows();
    if let Some(folder) = paths(&given).next().filter(|path| path.is_dir() && !has_option(&given, &NOT_FUZZING)) {
        if mode == Mode::Abort {
            stop_on_changed_answers(&target, stored, subjects);
        }
        let TargetSeeds { files, without_file } = target.seeds(&ledger);
        if let Err(error) = write(&files, folder) {
            end(&format!("seeds cannot be written to {}: {error}", folder.display()));
        }
        eprintln!(
            "{} seeds from the ledger; {} more witnesses cannot be written as a file",
            files.len(),
            without_file.len()
        );
    }
    let mut watch = Watch::new(subjects, ledger, mode).asking_mostly(often);
    if is_alone(&given) {
        watch = watch.looking_at_everything();
    }
    let watch = Mutex::new(watch);
    assert!(PROCESS.set(FuzzProcess { target, watch }).is_ok(), "started twice");
    // SAFETY: the function is there as long as the process.
    unsafe { libc::atexit(print_figures) };
}

fn end(error: &str) -> ! {
    eprintln!("{error}");
    process::exit(2)
}

/// Ends the process, as news does, if a stored answer has changed. The target's inputs are not those whose answers are stored, and news
/// of an operation in which classes explain is a new class only: an answer that is wrong in another way shows here.
fn stop_on_changed_answers(target: &Target, stored: &StoredAnswers, subjects: &[&dyn Subject]) {
    let known: Vec<&dyn Subject> =
        subjects.iter().copied().filter(|subject| stored.has(subject.declaration())).collect();
    if known.is_empty() {
        return;
    }
    let check = target.check_stored(stored, &AnswerSample::default(), &known);
    if check.is_clean() {
        eprintln!("{} stored answers are the same", check.answers);
        return;
    }
    for changed in check.changed.iter().take(CHANGED) {
        eprintln!("\n{changed}");
    }
    for problem in &check.problems {
        eprintln!("\nstored answers: {problem}");
    }
    for (reason, labels) in &check.stale {
        eprintln!("\nthe stored answers of {} {reason}", labels.join(", "));
    }
    eprintln!(
        "\n{} of {} stored answers have changed: `uriproof answers` prints each, and `uriproof bless --step answers` stores them again",
        check.changed.len(),
        check.answers
    );
    process::exit(NEWS)
}

/// Writes those of the texts that are not there yet, each named by a hash of it.
fn write<'a>(texts: impl IntoIterator<Item = &'a String>, folder: &Path) -> io::Result<()> {
    for text in texts {
        let path = folder.join(format!("seed-{:016x}", hash(text.bytes())));
        if !path.exists() {
            // Another process may read the folder, and one that ends must leave no half of a seed under its name.
            let part = folder.join(format!("part-{}", process::id()));
            fs::write(&part, text)?;
            fs::rename(&part, &path)?;
        }
    }
    Ok(())
}

/// Runs the target on an input; ends the process on news.
///
/// # Panics
///
/// If the process was not [started](start), or something of ours is broken.
pub fn run<I: TargetInput>(input: &I) {
    let process = PROCESS.get().expect("the target starts first");
    // A panic ends the process, so nobody sees the watch that it leaves behind.
    let mut watch = process.watch.lock().unwrap_or_else(PoisonError::into_inner);
    targets::run(input, &mut watch);
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
    let target = &PROCESS.get().expect("the target starts first").target;
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
    let target = &PROCESS.get().expect("the target starts first").target;
    match cross(target, one, other, seed) {
        Some(made) if made.len() <= out.len() => {
            out[..made.len()].copy_from_slice(&made);
            made.len()
        }
        _ => 0,
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

/// Has libFuzzer change and combine files by component.
#[macro_export]
macro_rules! mutators {
    () => {
        ::libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, most: usize, seed: u32| {
            $crate::change(data, size, most, seed)
        });

        ::libfuzzer_sys::fuzz_crossover!(|one: &[u8], other: &[u8], out: &mut [u8], seed: u32| {
            $crate::combine(one, other, out, seed)
        });
    };
}

/// The ledger, as it was when the target was built.
fn ledger() -> Ledger {
    const EMBEDDED: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/ledger.rs"));
    let files = EMBEDDED.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    Ledger::read(Path::new("ledger"), files).expect("a test reads them")
}

/// The stored answers, as they were when the target was built.
fn stored_answers() -> StoredAnswers {
    const EMBEDDED: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/subjects.rs"));
    let files = EMBEDDED.iter().map(|(_, text)| StoredAnswers::of_file(text).expect("a test reads them"));
    StoredAnswers(files.flat_map(|file| file.0).collect())
}
