//! Where entry points of a crate mix choices that the RFC leaves open.

use uriproof::gate::Choices;

use super::markup::code;

/// A line for each group of choices that entry points mix, with the entry points if not all do.
pub(super) fn mixed_choices<'s>(entry_points: impl ExactSizeIterator<Item = (&'s str, Vec<Choices>)>) -> Vec<String> {
    let count = entry_points.len();
    let mut lines: Vec<(String, Vec<&str>)> = Vec::new();
    for (entry_point, choices) in entry_points {
        for mixed in choices.iter().filter(|choices| choices.is_mixed()) {
            let departing = mixed.departing().map(|same| {
                let ids: Vec<String> = same.vectors.iter().map(|id| code(id)).collect();
                format!("; {} in {}", same.names(), ids.join(", "))
            });
            let line = format!("{mixed}{}", departing.collect::<String>());
            match lines.iter_mut().find(|(known, _)| *known == line) {
                Some((_, names)) => names.push(entry_point),
                None => lines.push((line, vec![entry_point])),
            }
        }
    }
    let shown = lines.into_iter().map(|(line, names)| match names.len() == count {
        true => line,
        false => format!("{}: {line}", names.join(", ")),
    });
    shown.collect()
}

#[cfg(test)]
mod tests {
    use uriproof::gate::{Choices, SameChoice};

    use super::mixed_choices;

    #[test]
    fn a_mix_is_one_line_whichever_entry_points_show_it() {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let answers = |fits, vectors| SameChoice {
            fits: owned(&[fits]),
            vectors: owned(vectors),
        };
        let of = |throughout: &[&str], answers: Vec<SameChoice>| {
            vec![Choices {
                offers: owned(&["literal", "slash-dot", "error"]),
                throughout: owned(throughout),
                answers,
            }]
        };
        let mixed = || {
            of(
                &[],
                vec![answers("slash-dot", &["a/b", "a/c"]), answers("literal", &["a/d"])],
            )
        };
        let same = of(&["slash-dot"], vec![answers("slash-dot", &["a/b", "a/c", "a/d"])]);
        let line = "literal/slash-dot/error: slash-dot in 2 of 3; literal in `a/d`";
        let all = [("One::new", mixed()), ("Two::new", mixed())];
        assert_eq!(mixed_choices(all.into_iter()), [line]);
        let some = [("One::new", mixed()), ("Two::new", same), ("Three::new", mixed())];
        assert_eq!(
            mixed_choices(some.into_iter()),
            [format!("One::new, Three::new: {line}")]
        );
    }
}
