//! What the ledger calls a variant of what it knows is of that cause, not of another: shown by taking each entry out.

use std::path::Path;

use rayon::prelude::*;
use uriproof::model::Reading;
use uriproof_lab::classes;
use uriproof_lab::divergence::ledger::Ledger;
use uriproof_subjects::SUBJECTS;

/// Of a hundred classes whose own entry is not there, at most so many may pass for variants of another.
const MOST: usize = 2;

/// Were one cause not known, its classes would be news: `hunt` would not hide them behind other causes.
#[test]
fn the_classes_of_a_cause_that_is_taken_out_are_news() {
    let whole = uriproof_cli::known::ledger();
    let entries: Vec<(usize, usize)> = whole
        .files
        .iter()
        .enumerate()
        .flat_map(|(at, file)| (0..file.entries.len()).map(move |entry| (at, entry)))
        .collect();
    let of_entries = entries.par_iter().map(|&(at, entry)| {
        let mut file = whole.files[at].clone();
        let entry = file.entries.remove(entry);
        let text = (file.file.clone(), file.to_toml());
        let without = Ledger::read(Path::new("ledger"), [text]).unwrap_or_else(|error| panic!("{error}"));
        let mut asked = 0;
        let mut taken = Vec::new();
        for known in &entry.classes {
            let label = format!("{} {} {}", file.name, file.version, known.entry_points[0]);
            let subject = SUBJECTS.iter().find(|subject| subject.declaration().label() == label);
            // Those of nobody are stale, which another test says; the slow ones are left to `hunt`.
            let Some(subject) = subject.filter(|subject| subject.budget().is_none()) else {
                continue;
            };
            let shown = classes::of_input(*subject, &known.input, None);
            let Some(class) = shown.into_iter().find(|class| class.fingerprint == known.fingerprint) else {
                continue;
            };
            asked += 1;
            if let Some(other) = without.variant_of(*subject, &class, Reading::Rfc3986) {
                taken.push(format!(
                    "{} `{}`: {}\n    for `{}`: {}",
                    file.name, entry.id, class.fingerprint, other.entry.id, other.class.fingerprint
                ));
            }
        }
        (asked, taken)
    });
    let (asked, mut taken) = of_entries.reduce(Default::default, |(asked, mut taken), (more_asked, more_taken)| {
        taken.extend(more_taken);
        (asked + more_asked, taken)
    });
    taken.sort();
    assert!(
        taken.len() * 100 <= asked * MOST,
        "{} of {asked} classes are taken for another cause:\n{}",
        taken.len(),
        taken.join("\n")
    );
    // Beside the snapshots of divergences, of which none may be left over.
    insta::with_settings!({snapshot_path => "../variants", prepend_module_to_snapshot => false}, {
        insta::assert_snapshot!(taken.join("\n"));
    });
}
