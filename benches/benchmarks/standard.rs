//! What the reference of the URL Standard costs beside the crate `url`.

use crate::Effort;
use crate::count::{has_valgrind, instructions, nanoseconds};
use crate::table::{BenchmarkSheet, Quantity};
use crate::work::{InputKind, Stage};

/// The most that a parse may cost, as a multiple of what it costs `url`.
const BOUND: f64 = 3.0;

/// Measures the parse of URLs.
pub(crate) fn measure(effort: &Effort, sheet: &mut BenchmarkSheet) {
    let counts_instructions = effort.is_whole && has_valgrind();
    let cost = |stage| match counts_instructions {
        true => instructions(stage, InputKind::Url).unwrap_or_else(|error| panic!("{error}")),
        false => nanoseconds(stage, InputKind::Url, effort.inputs, effort.times),
    };
    let ratio = cost(Stage::UrlStandard) / cost(Stage::UrlCrate);
    let unit = if counts_instructions {
        "instructions"
    } else {
        "nanoseconds"
    };
    sheet.rows.push(Quantity::bound(
        format!("the reference of the URL Standard over `url`, parse of what both accept, {unit}"),
        format!("{ratio:.2}x"),
        &format!("{BOUND:.2}x"),
        ratio <= BOUND,
    ));
}
