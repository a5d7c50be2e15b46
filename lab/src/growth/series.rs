//! Measures a pattern at growing sizes, and decides how the time grows.

use std::sync::{PoisonError, RwLock};

use uriproof::model::Outcome;

use super::pattern::{Pattern, PatternForm};
use super::{Answerer, GrowthFinding, TimedOutcome};

/// Up to which size, in bytes, a crash is no matter of growth.
pub(super) const SHORT: usize = 64;

/// The sizes at which every pattern is run, in bytes.
const LADDER: [usize; 4] = [4 << 10, 16 << 10, 64 << 10, 256 << 10];

/// The sizes at which a pattern is measured closely: the powers of two from here to there.
const CLOSE: std::ops::RangeInclusive<u32> = 8..=20;

/// An answer that is slower, in seconds, is compared with the one before, and no larger size is run: a subject that is
/// slow and linear would take hours.
const SLOW: f64 = 0.03;

/// A measurement below, in seconds, says nothing about growth.
const MEANINGFUL: f64 = 0.005;

/// When the last of enough measurements took longer, in seconds, no larger size is needed, unless growth is still in doubt.
const ENOUGH: f64 = 0.6;

/// From this exponent on, growth is superlinear.
const SUPERLINEAR: f64 = 1.5;

/// So many times longer a byte may take at the largest size than at the smallest, and the machine may be the cause: one that
/// has much to do runs what is short at once, and shares its time among what is long.
const SHARED: f64 = 6.0;

/// From this exponent on between the last answer and the limit, there is a hang where there was none.
const HANG: f64 = 3.0;

/// Up to this exponent between two rungs of the ladder, growth is not looked at closely.
const SUSPECT: f64 = 1.25;

/// How many measurements there are of a size; the fastest counts.
const REPEATED: usize = 3;

/// What was measured of a pattern at growing sizes.
#[derive(Debug, PartialEq)]
struct Measurements {
    points: Vec<(usize, f64)>,
    stopped: Option<SeriesStop>,
}

/// What ended a series before its largest size.
#[derive(Debug, PartialEq)]
enum SeriesStop {
    TimedOut { at: usize, limit: f64 },
    Crashed { at: usize, reason: String },
}

/// Every series is measured under it: one that seems to be a finding is measured once more, alone.
static ALONE: RwLock<()> = RwLock::new(());

/// A pattern put to a subject.
pub(super) struct Series<'a> {
    pub(super) form: PatternForm,
    pub(super) answerer: &'a dyn Answerer,
    pub(super) pattern: &'a Pattern,
}

impl Series<'_> {
    pub(super) fn look(&self) -> Option<GrowthFinding> {
        let first = {
            let _others = ALONE.read().unwrap_or_else(PoisonError::into_inner);
            if !self.is_suspect() {
                return None;
            }
            self.measure().finding()?
        };
        // A finding must appear twice, the second time while no other subject is at work.
        let second = {
            let _alone = ALONE.write().unwrap_or_else(PoisonError::into_inner);
            self.measure().finding()?
        };
        match (first, second) {
            (GrowthFinding::Crashed { .. }, GrowthFinding::Crashed { reason, at }) => {
                Some(self.smallest_crash(reason, at))
            }
            (GrowthFinding::TimedOut { at: one }, GrowthFinding::TimedOut { at: other }) => {
                Some(GrowthFinding::TimedOut { at: one.max(other) })
            }
            (one @ GrowthFinding::Superlinear { .. }, GrowthFinding::Superlinear { .. }) => Some(one),
            // At the edge of the limit it may answer once and not again.
            (GrowthFinding::TimedOut { .. }, other @ GrowthFinding::Superlinear { .. })
            | (other @ GrowthFinding::Superlinear { .. }, GrowthFinding::TimedOut { .. }) => Some(other),
            _ => None,
        }
    }

    /// Climbs the ladder until an answer is slow, and says whether it is slow for its size; so is what is not answered.
    fn is_suspect(&self) -> bool {
        let mut previous: Option<(usize, f64)> = None;
        for size in LADDER {
            let answer = self.ask(size);
            if answer.outcome.is_death() {
                return true;
            }
            let mut seconds = answer.seconds;
            if seconds > SLOW {
                let Some((before, mut faster)) = previous else {
                    return true;
                };
                for _ in 1..REPEATED {
                    faster = faster.min(self.ask(before).seconds);
                    seconds = seconds.min(self.ask(size).seconds);
                }
                if seconds > SLOW {
                    return slope((before, faster), (size, seconds)) > SUSPECT;
                }
            }
            previous = Some((size, seconds));
        }
        false
    }

    /// Measures at every power of two, until larger sizes would say no more. Each size is measured round by round, so that a machine
    /// that is slow for a while slows every size.
    fn measure(&self) -> Measurements {
        let mut measured = Measurements {
            points: Vec::new(),
            stopped: None,
        };
        for size in CLOSE.map(|power| 1 << power) {
            let answer = self.ask(size);
            match answer.outcome {
                Outcome::TimedOut { .. } => {
                    let limit = answer.seconds;
                    measured.stopped = Some(SeriesStop::TimedOut { at: size, limit });
                    break;
                }
                Outcome::Crashed { reason } => {
                    measured.stopped = Some(SeriesStop::Crashed { at: size, reason });
                    break;
                }
                Outcome::Accepted { .. } | Outcome::Rejected { .. } | Outcome::Unsupported { .. } => {
                    measured.points.push((size, answer.seconds));
                }
            }
            if measured.is_decided() {
                // What the first round decided may be the work of others.
                self.measure_again(&mut measured);
                if measured.is_decided() {
                    return measured;
                }
            }
        }
        self.measure_again(&mut measured);
        measured
    }

    /// Measures every size as often as it must be; the fastest counts.
    fn measure_again(&self, measured: &mut Measurements) {
        for _ in 1..REPEATED {
            for (size, seconds) in &mut measured.points {
                let answer = self.ask(*size);
                if !answer.outcome.is_death() {
                    *seconds = seconds.min(answer.seconds);
                }
            }
        }
    }

    /// The smallest power of two at which it crashes, below one at which it does.
    fn smallest_crash(&self, reason: String, at: usize) -> GrowthFinding {
        let (mut smallest, mut said) = (at, reason);
        let (mut low, mut high) = (0, at.ilog2());
        while low < high {
            let middle = u32::midpoint(low, high);
            match self.ask(1 << middle).outcome {
                Outcome::Crashed { reason } => {
                    (smallest, said) = (1 << middle, reason);
                    high = middle;
                }
                _ => low = middle + 1,
            }
        }
        GrowthFinding::Crashed {
            reason: said,
            at: smallest,
        }
    }

    fn ask(&self, size: usize) -> TimedOutcome {
        self.answerer.answer(&self.form.input(self.pattern.place, self.pattern.text(size)))
    }
}

impl Measurements {
    fn finding(self) -> Option<GrowthFinding> {
        let points: Vec<(usize, f64)> = self.meaningful().collect();
        if let Some(SeriesStop::Crashed { at, reason }) = self.stopped {
            return Some(GrowthFinding::Crashed { reason, at });
        }
        let is_enough = points.len() >= 3;
        if is_enough && is_superlinear(&points) {
            return Some(GrowthFinding::Superlinear {
                exponent: exponent(&points),
                seconds_at: points,
            });
        }
        let Some(SeriesStop::TimedOut { at, limit }) = self.stopped else {
            return None;
        };
        let beyond = (at, limit);
        // The limit is less than what it would have taken: these slopes are less than the true ones.
        let is_found = match (points.first(), points.last()) {
            (Some(&first), Some(&last)) => {
                slope(last, beyond) > HANG || (!is_enough && slope(first, beyond) > SUPERLINEAR)
            }
            _ => true,
        };
        is_found.then_some(GrowthFinding::TimedOut { at })
    }

    /// Whether larger sizes would say no more: there are enough points, and the last of them do not grow faster than they should, or
    /// growth is superlinear beyond doubt. A point close to the least that is meaningful may be below it when it is measured once
    /// more: with it and without it must say the same.
    fn is_decided(&self) -> bool {
        let points: Vec<(usize, f64)> = self.from(2.0 * MEANINGFUL).collect();
        let [.., before, last] = &*points else { return false };
        points.len() > 3
            && last.1 > ENOUGH
            && (slope(*before, *last) <= SUPERLINEAR
                || is_superlinear(&points) && is_superlinear(&self.meaningful().collect::<Vec<_>>()))
    }

    fn meaningful(&self) -> impl Iterator<Item = (usize, f64)> {
        self.from(MEANINGFUL)
    }

    /// The points from a number of seconds on.
    fn from(&self, least: f64) -> impl Iterator<Item = (usize, f64)> {
        self.points.iter().copied().filter(move |(_, seconds)| *seconds >= least)
    }
}

/// The exponent between two points.
fn slope(from: (usize, f64), to: (usize, f64)) -> f64 {
    (to.1 / from.1).ln() / (to.0 as f64 / from.0 as f64).ln()
}

/// Whether time grows faster than the input, by more than a busy machine explains.
fn is_superlinear(points: &[(usize, f64)]) -> bool {
    exponent(points) > SUPERLINEAR && increase(points) > SHARED
}

/// How many times longer a byte takes at the last point than at the first.
fn increase(points: &[(usize, f64)]) -> f64 {
    let per_byte = |&(size, seconds): &(usize, f64)| seconds / size as f64;
    match points {
        [first, .., last] => per_byte(last) / per_byte(first),
        _ => 1.0,
    }
}

/// The exponent of the power that fits best: the slope of least squares over the logarithms.
fn exponent(points: &[(usize, f64)]) -> f64 {
    let logarithms = || points.iter().map(|(size, seconds)| ((*size as f64).ln(), seconds.ln()));
    let count = points.len() as f64;
    let mean_size = logarithms().map(|(size, _)| size).sum::<f64>() / count;
    let mean_time = logarithms().map(|(_, time)| time).sum::<f64>() / count;
    let covariance: f64 = logarithms().map(|(size, time)| (size - mean_size) * (time - mean_time)).sum();
    let variance: f64 = logarithms().map(|(size, _)| (size - mean_size).powi(2)).sum();
    covariance / variance
}
