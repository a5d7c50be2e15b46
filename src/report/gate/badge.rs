//! The JSON of a badge, as shields.io reads it from an endpoint.

use serde_json::json;
use uriproof::gate::{Conclusion, Tally};

use super::Sheet;

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
    let badge = json!({"schemaVersion": 1, "label": "RFC 3986", "message": message, "color": color});
    format!("{badge}\n")
}
