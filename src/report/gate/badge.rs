//! The JSON of a badge, as shields.io reads it from an endpoint.

use serde_json::json;
use uriproof::gate::{Conclusion, Tally};

use super::{ComparedStandard, Judged, Sheet};

/// The badge: how many vectors agree of those that were compared.
pub fn badge(sheet: &Sheet<'_, '_>) -> String {
    let tallies: Vec<Tally> = sheet.subjects.iter().map(|one| one.judgement.tally()).collect();
    let agree: usize = tallies.iter().map(|tally| tally.agree).sum();
    let compared: usize = tallies.iter().map(Tally::compared).sum();
    let is = |verdict: Conclusion| sheet.subjects.iter().any(|one| one.judgement.conclusion() == verdict);
    let (message, color) = if is(Conclusion::Broken) {
        ("could not be finished".to_owned(), "lightgrey")
    } else if compared == 0 {
        ("nothing compared".to_owned(), "lightgrey")
    } else {
        let color = match (sheet.passes(), agree == compared) {
            (true, true) => "brightgreen",
            (true, false) => "green",
            (false, _) => "red",
        };
        (format!("{agree} of {compared} vectors"), color)
    };
    let is_by_whatwg = |one: &Judged<'_, '_>| one.standard == ComparedStandard::Whatwg;
    let label = match !sheet.subjects.is_empty() && sheet.subjects.iter().all(is_by_whatwg) {
        true => "WHATWG URL",
        false => "RFC 3986",
    };
    let badge = json!({"schemaVersion": 1, "label": label, "message": message, "color": color});
    format!("{badge}\n")
}
