//! What the loop costs beside the crates that it runs, stage by stage.

use uriproof::model::Input;

use crate::Effort;
use crate::count::{allocations, has_valgrind, instructions, nanoseconds};
use crate::table::{BenchmarkSheet, Document, Quantity};
use crate::work::{InputKind, Stage, answers, inputs};

/// Measures the loops of `parse` and `resolve`.
pub(crate) fn measure(effort: &Effort, sheet: &mut BenchmarkSheet) {
    let counts_instructions = effort.is_whole && has_valgrind();
    let parse = Stages::measure(InputKind::Parse, effort, counts_instructions);
    let resolve = Stages::measure(InputKind::Resolve, effort, counts_instructions);
    sheet.rows.extend(parse.rows("parse", 1.15));
    sheet.rows.extend(resolve.rows("resolve", 1.30));
    if counts_instructions {
        sheet.rows.extend([("parse", InputKind::Agreeing), ("resolve", InputKind::AgreeingResolve)].map(agreeing_row));
        sheet.rows.extend(allocation_rows());
    } else {
        sheet.missing.push(
            "instructions where all agree, and allocations: valgrind counts them, which is not there, or this is a test run"
                .to_owned(),
        );
    }
    add_shares(&mut sheet.sections, effort, &parse, &resolve);
}

/// What an input costs at each stage.
struct Stages {
    unit: &'static str,
    /// In the order of [`Stage::LOOP`].
    costs: [f64; Stage::LOOP.len()],
}

impl Stages {
    fn measure(kind: InputKind, effort: &Effort, counts_instructions: bool) -> Stages {
        if counts_instructions {
            let costs = Stage::LOOP.map(|stage| instructions(stage, kind).unwrap_or_else(|error| panic!("{error}")));
            let unit = "instructions";
            return Stages { unit, costs };
        }
        Stages {
            unit: "nanoseconds",
            costs: Stage::LOOP.map(|stage| nanoseconds(stage, kind, effort.inputs, effort.times)),
        }
    }

    fn cost(&self, stage: Stage) -> f64 {
        self.costs[stage as usize]
    }

    fn ratio(&self, stage: Stage, over: Stage) -> String {
        format!("{:.2}x", self.cost(stage) / self.cost(over))
    }

    /// The loop over what it is made of, and over what somebody would write in its place.
    fn rows(&self, operation: &str, bound: f64) -> [Quantity; 5] {
        let unit = self.unit;
        let ratio = self.cost(Stage::Classified) / self.cost(Stage::Subjects);
        [
            Quantity::bound(
                format!("the whole loop over the subjects' own `{operation}`, {unit}"),
                format!("{ratio:.2}x"),
                &format!("{bound:.2}x"),
                ratio <= bound,
            ),
            Quantity::plain(
                format!("the same, and each divergence held against the profile of its subject, {unit}"),
                self.ratio(Stage::Predicted, Stage::Subjects),
            ),
            Quantity::plain(
                format!("the whole loop over a differential `{operation}` written by hand, {unit}"),
                self.ratio(Stage::Classified, Stage::ByHand),
            ),
            Quantity::plain(
                format!("the whole loop over the bare calls, `{operation}`, {unit}"),
                self.ratio(Stage::Classified, Stage::Bare),
            ),
            Quantity::plain(
                format!("the subjects' own `{operation}`, which reports what came out, over the bare calls, {unit}"),
                self.ratio(Stage::Subjects, Stage::Bare),
            ),
        ]
    }

    /// What each part of the loop costs, and its share.
    fn shares(&self) -> [(&'static str, f64, f64); 5] {
        let whole = self.cost(Stage::Classified);
        [
            ("the crates", self.cost(Stage::Bare)),
            (
                "subjects: telling components or the URI",
                self.cost(Stage::Subjects) - self.cost(Stage::Bare),
            ),
            ("the reference: what is expected at first", self.cost(Stage::Reference)),
            (
                "asking, comparing, keeping results",
                self.cost(Stage::Compared) - self.cost(Stage::Subjects) - self.cost(Stage::Reference),
            ),
            ("the class", whole - self.cost(Stage::Compared)),
        ]
        .map(|(name, cost)| (name, cost, cost / whole))
    }
}

fn agreeing_row((operation, kind): (&str, InputKind)) -> Quantity {
    let [bare, whole] = [Stage::Bare, Stage::Classified]
        .map(|stage| instructions(stage, kind).unwrap_or_else(|error| panic!("{error}")));
    Quantity::plain(
        format!("the whole loop over the bare calls, `{operation}` where all agree, instructions"),
        format!("{:.2}x", whole / bare),
    )
}

fn allocation_rows() -> [Quantity; 3] {
    let [bare, subjects, reference, whole] = [Stage::Bare, Stage::Subjects, Stage::Reference, Stage::Classified]
        .map(|stage| allocations(stage, InputKind::Agreeing).unwrap_or_else(|error| panic!("{error}")));
    // Less than can be shown is none.
    let shown = |count: f64| format!("{:.2}", if count.abs() < 0.005 { 0.0 } else { count });
    let own = whole - bare - reference;
    [
        Quantity::bound(
            "allocations for an input of `parse` on which the seven agree, beyond the crates' own and those of the literal \
             reference, which is run beside every 64th input",
            shown(own),
            "0",
            own < 0.005,
        ),
        Quantity::plain(
            "of them by the subjects, for the components that they tell",
            shown(subjects - bare),
        ),
        Quantity::plain("the literal reference's, for an input in the mean", shown(reference)),
    ]
}

fn add_shares(document: &mut Document, effort: &Effort, parse: &Stages, resolve: &Stages) {
    document.heading("Where the time goes");
    document.paragraph(&format!(
        "Of an input of `parse` ({:.0} bytes in the mean) put to the seven fast crates, and of one of `resolve` ({:.0} bytes), put \
         to the six that resolve, as the hunt generates them: what each stage adds, in {} an input, and its share of the loop.",
        mean_size(InputKind::Parse, effort.inputs),
        mean_size(InputKind::Resolve, effort.inputs),
        parse.unit
    ));
    let shares = parse.shares().into_iter().zip(resolve.shares());
    document.table(
        &["stage", "`parse`", "share", "`resolve`", "share"],
        shares.map(|((name, of_parse, share), (_, of_resolve, other))| {
            let percent = |share: f64| format!("{:.0} %", share * 100.0);
            vec![
                name.to_owned(),
                format!("{of_parse:.0}"),
                percent(share),
                format!("{of_resolve:.0}"),
                percent(other),
            ]
        }),
    );
    add_room(document, "parse", 7, 0.15, parse);
    add_room(document, "resolve", 6, 0.3, resolve);
    document.heading("What a prediction costs");
    add_predictions(document, ("parse", InputKind::Parse), effort, parse);
    add_predictions(document, ("resolve", InputKind::Resolve), effort, resolve);
    document.paragraph(
        "The expected outcome is computed once for all subjects, and a comparison stops at the first difference. A prediction is of one \
         subject: its text is split and judged anew, and each deviation changes the parts; for a subject that follows the URL Standard \
         the literal parser of the standard runs.",
    );
}

/// What it costs to hold a divergence against the profile of its subject, beside what it costs to compare an answer.
fn add_predictions(document: &mut Document, (operation, kind): (&str, InputKind), effort: &Effort, stages: &Stages) {
    let (answers, diverging) = answers(kind, effort.inputs);
    let compared = (stages.cost(Stage::Compared) - stages.cost(Stage::Subjects)) / answers;
    let predicted = (stages.cost(Stage::Predicted) - stages.cost(Stage::Classified)) / diverging;
    document.paragraph(&format!(
        "Of {answers:.0} answers to an input of `{operation}` {diverging:.2} diverge. To compare an answer takes {compared:.0} {}, with its \
         share of the reference; to hold a divergence against the profile {predicted:.0}.",
        stages.unit
    ));
}

/// What the bound of a loop leaves for the reference and the comparison.
fn add_room(document: &mut Document, operation: &str, subjects: usize, bound: f64, stages: &Stages) {
    let [crates, reporting, reference, ..] = stages.shares().map(|(_, instructions, _)| instructions);
    let room = bound * (crates + reporting);
    document.paragraph(&format!(
        "The bound of the loop of `{operation}` leaves {room:.0} of them an input, beyond what the subjects do. The first answer of the \
         reference takes {reference:.0}, so that {:.0} are left for each of {subjects} answers: to call the subject, compare and count. Where one \
         is not that answer to the letter, every outcome that conforms is computed.",
        (room - reference) / subjects as f64
    ));
}

fn mean_size(kind: InputKind, count: usize) -> f64 {
    let inputs = inputs(kind, count);
    inputs.iter().map(Input::size).sum::<usize>() as f64 / inputs.len() as f64
}
