//! The threads of a hunt: built-in subjects in worker processes, commands in processes of their own.

use std::collections::BTreeSet;
use std::iter;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use uriproof::model::Subject;
use uriproof_lab::divergence::fingerprint::Class;
use uriproof_lab::hunt::commands::{Commands, Searched, Until};
use uriproof_lab::hunt::{Batch, Hunt};
use uriproof_lab::predict::Predictors;

use super::{Arguments, HuntState};
use crate::cli::command::{Foreign, SelectedSubjects};
use crate::cli::workers::{self, Worker, WorkerSearch};
use crate::cli::{RunError, interrupt, styled, warn};

/// Which part of the time, in tenths, commands are given inputs in; the rest is for making small what they diverged on. It is less
/// where they died, as each step is one more death.
const FOR_INPUTS: u32 = 9;
const FOR_INPUTS_THAT_KILL: u32 = 6;

/// The result of a search, without what its state holds.
#[derive(Default)]
pub(super) struct SearchResult {
    /// The classes of commands, with their labels.
    pub(super) classes: Vec<(String, Class)>,
    /// The divergences of commands whose inputs were not made small.
    pub(super) open: Vec<(String, Class)>,
    /// Why not everything was searched, if a command was given up.
    pub(super) lost: Option<String>,
}

impl SearchResult {
    /// Adds the classes that were found in commands, and returns what was counted.
    fn add(&mut self, searched: Searched, selected: &SelectedSubjects) -> Batch {
        let label = |(place, class): (usize, Class)| (selected.commands[place].client.declaration().label(), class);
        self.classes.extend(searched.classes.into_iter().map(label));
        self.open.extend(searched.open.into_iter().map(label));
        searched.batch
    }
}

/// What a thread has done.
enum FinishedWork {
    /// A batch of built-in subjects, or why it is lost, and of commands.
    Batch {
        number: u64,
        builtin: Option<Result<Batch, String>>,
        commands: Option<Searched>,
    },
    /// What commands were given is made small.
    Finished(Searched),
    /// A command was given up.
    Lost(String),
}

/// What the threads share.
struct SharedState<'a> {
    search: WorkerSearch<'a>,
    arguments: &'a Arguments,
    apart: Mutex<BTreeSet<String>>,
    numbers: Mutex<Numbers>,
    /// Whether a command was given up.
    is_lost: AtomicBool,
    started: Instant,
}

/// The batches that are left.
struct Numbers {
    next: Box<dyn Iterator<Item = u64> + Send>,
    /// How many; as long as there is time if `None`.
    left: Option<u64>,
}

/// Works on batches until time is up, or as many are done as were wanted, or a command is given up, or the run is interrupted.
pub(super) fn run(
    arguments: &Arguments,
    selected: &SelectedSubjects,
    state: &mut HuntState,
) -> Result<SearchResult, RunError> {
    let labels: Vec<String> = selected.builtin.iter().map(|subject| subject.declaration().label()).collect();
    let (done, dictionary) = (state.done.clone(), state.dictionary.clone());
    let shared = SharedState {
        search: WorkerSearch {
            labels: &labels,
            seed: state.seed,
            every_input: state.every_input,
            dictionary: &dictionary,
            specification: arguments.selection.specification,
            ledger: arguments.write.as_deref().or(arguments.ledger.folder()),
        },
        arguments,
        apart: Mutex::new(state.apart.clone()),
        numbers: Mutex::new(Numbers {
            left: arguments.batches.map(|batches| batches.saturating_sub(done.len() as u64)),
            next: Box::new((0..).filter(move |number| !done.contains(number))),
        }),
        is_lost: AtomicBool::new(false),
        started: Instant::now(),
    };
    // Before anything is put to the first: it may have to end, and let another take its place.
    let others = shared.other_processes(selected);
    thread::scope(|scope| {
        let (sender, results) = channel();
        for commands in iter::once(&selected.commands).chain(&others) {
            let (sender, shared) = (sender.clone(), &shared);
            scope.spawn(move || {
                // A thread that fails ends the others.
                if let Err(failure) = shared.work(commands, &sender) {
                    shared.is_lost.store(true, Ordering::Relaxed);
                    let _ = sender.send(Err(failure));
                }
            });
        }
        drop(sender);
        collect(results, &shared, selected, state)
    })
}

/// Takes what the threads have done into the state, until all of them have ended.
fn collect(
    results: Receiver<Result<FinishedWork, RunError>>,
    shared: &SharedState<'_>,
    selected: &SelectedSubjects,
    state: &mut HuntState,
) -> Result<SearchResult, RunError> {
    let arguments = shared.arguments;
    let bar = progress_bar(arguments);
    let mut result = SearchResult::default();
    let mut partial: Vec<Batch> = Vec::new();
    for done in results {
        let (number, builtin, commands) = match done? {
            FinishedWork::Lost(reason) => {
                result.lost = Some(reason);
                continue;
            }
            FinishedWork::Finished(searched) => {
                state.totals.add(result.add(searched, selected));
                arguments.state.iter().try_for_each(|path| state.write(path))?;
                continue;
            }
            FinishedWork::Batch {
                number,
                builtin,
                commands,
            } => (number, builtin, commands),
        };
        let (mut batch, mut is_whole) = shared.batch_or_again(number, builtin, &bar)?;
        if let Some(searched) = commands {
            is_whole &= searched.is_whole;
            let mut counts = result.add(searched, selected);
            if batch.inputs > 0 {
                // They are the first of the batch.
                counts.inputs = 0;
            }
            batch.add(counts);
        }
        state.apart = shared.apart().clone();
        // What is not whole is done again when the hunt goes on.
        if is_whole {
            state.add(number, batch);
            state.keep_agreed(number, selected);
            arguments.state.iter().try_for_each(|path| state.write(path))?;
        } else {
            partial.push(batch);
        }
        let totals = &state.totals;
        bar.set_message(format!("{} inputs, {} witnesses", totals.inputs, totals.finds.len()));
        bar.set_position(match arguments.batches {
            Some(_) => state.done.len() as u64,
            None => shared.started.elapsed().as_secs().min(arguments.seconds),
        });
    }
    bar.finish_and_clear();
    partial.into_iter().for_each(|batch| state.totals.add(batch));
    Ok(result)
}

impl SharedState<'_> {
    /// What built-in subjects did with a batch, and whether that is all of it; a batch that was lost is done again.
    fn batch_or_again(
        &self,
        number: u64,
        builtin: Option<Result<Batch, String>>,
        bar: &ProgressBar,
    ) -> Result<(Batch, bool), RunError> {
        Ok(match builtin {
            Some(Err(_)) if interrupt::stopped().is_some() => (Batch::default(), false),
            Some(Err(how)) => {
                bar.suspend(|| warn(&format!("batch {number} was lost ({how}) and is done again")));
                (self.once_more(number, &how)?, true)
            }
            Some(Ok(batch)) => (batch, true),
            None => (Batch::default(), true),
        })
    }

    /// The commands of every process but the first: as many as can be started.
    fn other_processes(&self, selected: &SelectedSubjects) -> Vec<Vec<Foreign>> {
        let processes = match self.arguments.processes {
            Some(processes) => processes.into(),
            None => thread::available_parallelism().map_or(1, NonZeroUsize::get),
        };
        let mut others = Vec::new();
        for _ in 1..processes {
            match self.started_again(selected) {
                Ok(started) => others.push(started),
                // There may be room for one only: a lock, a port, a license.
                Err(failure) => {
                    warn(&format!(
                        "fewer processes are used: another cannot be started: {failure}"
                    ));
                    break;
                }
            }
        }
        others
    }

    /// Batches, one after the other, with a worker process for the built-in subjects, another after each that is lost.
    fn work(&self, commands: &[Foreign], results: &Sender<Result<FinishedWork, RunError>>) -> Result<(), RunError> {
        let subjects: Vec<&dyn Subject> = commands.iter().map(|foreign| &foreign.client as &dyn Subject).collect();
        let is_timed = self.arguments.batches.is_none();
        let is_past = |seconds: Duration| {
            is_timed && self.started.elapsed() >= seconds || interrupt::stopped().is_some() || self.is_lost()
        };
        let seconds = Duration::from_secs(self.arguments.seconds);
        let no_more_inputs =
            |has_died| is_past(seconds / 10 * if has_died { FOR_INPUTS_THAT_KILL } else { FOR_INPUTS });
        let no_more = || is_past(seconds);
        // Of commands no profile is known.
        let none = Predictors::default();
        let mut search = Commands::new(
            Hunt {
                subjects: &subjects,
                seed: self.search.seed,
                every_input: self.search.every_input,
                dictionary: self.search.dictionary,
                predictors: &none,
            },
            Until {
                inputs: &no_more_inputs,
                all: &no_more,
                is_timed,
            },
            self.arguments.selection.commands.restarts(),
        );
        let mut worker = None;
        while let Some(number) = self.next_number(if subjects.is_empty() {
            seconds
        } else {
            seconds / 10 * FOR_INPUTS
        }) {
            let builtin = match self.search.labels.is_empty() {
                true => None,
                false => Some(self.batch_of_builtin(number, &mut worker)?),
            };
            let commands = (!subjects.is_empty()).then(|| search.batch(number));
            let batch = FinishedWork::Batch {
                number,
                builtin,
                commands,
            };
            if results.send(Ok(batch)).is_err() {
                return Ok(());
            }
            if let Some(reason) = search.lost() {
                self.is_lost.store(true, Ordering::Relaxed);
                let _ = results.send(Ok(FinishedWork::Lost(reason)));
                break;
            }
        }
        if !subjects.is_empty() {
            let _ = results.send(Ok(FinishedWork::Finished(search.finish())));
        }
        Ok(())
    }

    /// A batch of the built-in subjects, or why it is lost. A worker that loses a batch is not used again.
    fn batch_of_builtin(&self, number: u64, worker: &mut Option<Worker>) -> Result<Result<Batch, String>, RunError> {
        let mut started = match worker.take() {
            Some(worker) => worker,
            None => Worker::start(self.search, &self.apart())?,
        };
        let batch = started.batch(number);
        if batch.is_ok() {
            *worker = Some(started);
        }
        Ok(batch)
    }

    /// The commands once more, which say the same of themselves.
    fn started_again(&self, selected: &SelectedSubjects) -> Result<Vec<Foreign>, RunError> {
        let again = self.arguments.with_known(self.arguments.selection.start_commands_again()?)?;
        for (first, again) in selected.commands.iter().zip(&again) {
            if first.client.declaration() != again.client.declaration() {
                return Err(format!("{} says something else of itself", first.client.declaration()));
            }
        }
        Ok(again)
    }

    fn next_number(&self, seconds: Duration) -> Option<u64> {
        let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        if interrupt::stopped().is_some() || self.is_lost() {
            return None;
        }
        match &mut numbers.left {
            Some(0) => return None,
            Some(left) => *left -= 1,
            None if self.started.elapsed() >= seconds => return None,
            None => {}
        }
        numbers.next.next()
    }

    fn is_lost(&self) -> bool {
        self.is_lost.load(Ordering::Relaxed)
    }

    /// A lost batch once more, with the subjects that lose it in processes of their own.
    fn once_more(&self, number: u64, how: &str) -> Result<Batch, RunError> {
        let known = self.apart().clone();
        // A process that was started before a subject was known to be one of them can have met it again.
        if !known.is_empty()
            && let Ok(batch) = Worker::start(self.search, &known)?.batch(number)
        {
            return Ok(batch);
        }
        let others: Vec<String> = self.search.labels.iter().filter(|label| !known.contains(*label)).cloned().collect();
        let culprits = workers::culprits(
            WorkerSearch {
                labels: &others,
                ..self.search
            },
            number,
        )?;
        let is_nobody = culprits.is_empty();
        self.apart().extend(culprits);
        let apart = self.apart().clone();
        // Where no subject loses it alone, the machine may have: it is done once more as it was.
        let again = Worker::start(self.search, &apart)?.batch(number);
        again.map_err(|again| match is_nobody {
            true => format!("batch {number} was lost twice ({how}; {again}), and no subject loses it alone"),
            false => format!("batch {number} was lost again ({again}), with {apart:?} in processes of their own"),
        })
    }

    /// What a thread that panicked has left is whole: labels are put there at once.
    fn apart(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.apart.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn progress_bar(arguments: &Arguments) -> ProgressBar {
    let length = arguments.batches.unwrap_or(arguments.seconds);
    let unit = if arguments.batches.is_some() { "batches" } else { "s" };
    styled(
        ProgressBar::new(length),
        &format!("{{bar:30}} {{pos}}/{{len}} {unit}  {{msg}}"),
    )
}
