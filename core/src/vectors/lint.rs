//! What is wrong with vectors beyond their form.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::twins::{Acceptances, alike, is_rejected};
use super::{CLAUSES, FUNCTION_NAMES, FUNCTIONS, Library, SECTIONS, has_components, line_of};
use crate::model::{
    Component, Components, Expectation, HostKind, Input, Level, LicensedOutcome, Operation, Problem, Reading, Rung,
    Scope, Vector,
};

impl Library {
    /// Everything that is wrong with the vectors beyond their form, in the order of the files.
    pub fn lint(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        let built_in = self.built_in();
        let mut ids: BTreeMap<&str, &str> = BTreeMap::new();
        let mut inputs: BTreeMap<&Input, &str> = BTreeMap::new();
        for file in &self.files {
            let mut report = |anchor: &str, message: String| problems.push(file.problem(anchor, message));
            if !SECTIONS.contains(&file.content.section.as_str()) {
                report(
                    "\"section\"",
                    format!("`{}` is no section of RFC 3986, such as 5.2.4", file.content.section),
                );
            }
            if file.content.title.trim().is_empty() {
                report("\"title\"", "the title is empty".to_owned());
            }
            if file.content.vectors.is_empty() {
                report("\"vectors\"", "the file holds no vector".to_owned());
            }
            for vector in &file.content.vectors {
                let mut report = |message: String| report(&quoted(&vector.id), format!("{}: {message}", vector.id));
                misnamed(vector, &file.path).into_iter().for_each(&mut report);
                if let Some(first) = ids.insert(&vector.id, &file.path) {
                    report(format!("the id stands in {first} already"));
                }
                // What the RFC prints stands in full below `rfc/`, whatever else is made of it.
                if !file.path.starts_with("rfc/") {
                    if let Some(first) = inputs.insert(&vector.input, &vector.id) {
                        report(format!("the input stands in {first} already"));
                    }
                }
                self.wrong_twin(vector, built_in.as_ref()).into_iter().for_each(&mut report);
                if vector.clauses.is_empty() {
                    report("no clause is cited".to_owned());
                }
                for id in vector.clauses.iter().filter(|id| self.clause(id).is_none()) {
                    report(format!(
                        "the clause `{id}` is not in {CLAUSES}{}",
                        perhaps(self.nearest_clause(id))
                    ));
                }
                for (reading, expectation) in &vector.expect {
                    if *reading != Reading::Rfc3986 && vector.expect.get(&Reading::Rfc3986) == Some(expectation) {
                        report(format!(
                            "the reading `{reading}` expects the same as `rfc3986`; leave it out"
                        ));
                    }
                    for message in misfits(&vector.input, expectation) {
                        report(format!("under `{reading}`: {message}"));
                    }
                }
            }
        }
        problems.extend(self.lint_cases());
        problems.extend(self.whatwg.lint());
        // Of the embedded register there is nothing to say.
        problems.extend(self.register.iter().flat_map(|register| self.lint_clauses(register)));
        problems
    }

    /// What is wrong with the twin that a vector names.
    fn wrong_twin(&self, vector: &Vector, built_in: Option<&Library>) -> Option<String> {
        let twin = vector.twin.as_ref()?;
        let others = self.vectors().chain(built_in.into_iter().flat_map(Library::vectors));
        match others.into_iter().find(|other| other.id == *twin) {
            None => Some(format!(
                "the twin `{twin}` is no vector{}",
                perhaps(self.nearest(twin).or_else(|| built_in?.nearest(twin)))
            )),
            Some(other) if is_rejected(other) => Some(format!("the twin `{twin}` is rejected too")),
            Some(_) if !is_rejected(vector) => Some("only a rejection has a twin".to_owned()),
            Some(_) => None,
        }
    }

    /// What is wrong with the clauses of the register.
    fn lint_clauses(&self, register: &str) -> Vec<Problem> {
        let mut problems = Vec::new();
        let cited: BTreeSet<&str> = self.vectors().flat_map(|vector| &vector.clauses).map(String::as_str).collect();
        let mut clause_ids = BTreeSet::new();
        for clause in &self.clauses {
            let mut report = |message: String| {
                problems.push(Problem {
                    file: CLAUSES.to_owned(),
                    line: line_of(register, &quoted(&clause.id)),
                    message: format!("{}: {message}", clause.id),
                });
            };
            if !clause_ids.insert(&clause.id) {
                report("the id stands there twice".to_owned());
            }
            if !SECTIONS.contains(&clause.section.as_str()) {
                report(format!("`{}` is no section of RFC 3986", clause.section));
            }
            if !clause.id.starts_with(&format!("§{}/", clause.section)) {
                report(format!("the id does not begin with `§{}/`", clause.section));
            }
            if clause.binds.is_empty() {
                report("it binds nobody".to_owned());
            }
            match (cited.contains(clause.id.as_str()), &clause.untested) {
                (false, None) => report("no vector cites it, and `untested` does not say why".to_owned()),
                (true, Some(_)) => report("`untested` says why no vector cites it, but one does".to_owned()),
                (true, None) | (false, Some(_)) => {}
            }
        }
        problems
    }

    /// What is wrong with the cases of functions.
    fn lint_cases(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut asked: BTreeMap<String, &str> = BTreeMap::new();
        let mut last = "";
        for case in &self.cases {
            let mut report = |message: String| {
                problems.push(Problem {
                    file: FUNCTIONS.to_owned(),
                    line: line_of(&self.functions, &quoted(&case.id)),
                    message: format!("{}: {message}", case.id),
                });
            };
            if !FUNCTION_NAMES.contains(&case.function.as_str()) {
                report(format!("`{}` is no function", case.function));
            }
            let stem = format!("functions/{}/", case.function);
            match case.id.strip_prefix(&stem) {
                Some(name) if is_kebab(name) => {}
                Some(name) => report(format!("the name `{name}` is not lower-kebab")),
                None => report(format!("the id does not begin with `{stem}`")),
            }
            match case.id.as_str().cmp(last) {
                Ordering::Less => report(format!("the id does not belong behind `{last}`; they are sorted")),
                Ordering::Equal => report("the id stands there twice".to_owned()),
                Ordering::Greater => {}
            }
            last = &case.id;
            let question = format!("{} {}", case.function, Value::from(case.arguments.clone()));
            if let Some(first) = asked.insert(question, &case.id) {
                report(format!("the arguments stand in {first} already"));
            }
            if case.clauses.is_empty() {
                report("no clause is cited".to_owned());
            }
            for id in case.clauses.iter().filter(|id| self.clause(id).is_none()) {
                report(format!("the clause `{id}` is not in {CLAUSES}"));
            }
        }
        problems
    }

    /// The rejections that stand beside no acceptance: none differs from them by one edit, and `twin` names none. And those
    /// that name one though such an acceptance stands there.
    pub fn lint_twins(&self) -> Vec<Problem> {
        let built_in = self.built_in();
        let acceptances = Acceptances::of(self.vectors().chain(built_in.iter().flat_map(Library::vectors)));
        let mut problems = Vec::new();
        for file in &self.files {
            for vector in file.content.vectors.iter().filter(|vector| is_rejected(vector)) {
                let message = match (&vector.twin, acceptances.one_edit_from(vector)) {
                    (None, Some(_)) | (Some(_), None) => continue,
                    (None, None) => "no acceptance is one edit away; add one, or name the nearest in `twin`",
                    (Some(_), Some(_)) => "an acceptance is one edit away; leave out `twin`",
                };
                problems.push(file.problem(&quoted(&vector.id), format!("{}: {message}", vector.id)));
            }
        }
        problems
    }

    /// What is wrong with the levels, in the order of the files. A `must` is decided by a clause that says so: whatever is in the
    /// core is a `must` by the RFC's own words. Nothing that scheme-specific rules decide is one: "Implementations may use
    /// scheme-specific rules" (§6.2.3). Vectors of one operation, and one scope or rung, have the same level where the same
    /// clause decides them.
    pub fn lint_levels(&self) -> Vec<Problem> {
        let mut levels: BTreeMap<(&str, &str, &str), (Level, &str)> = BTreeMap::new();
        let mut problems = Vec::new();
        for file in &self.files {
            for vector in &file.content.vectors {
                let Some(decisive) = vector.clauses.first() else {
                    continue;
                };
                let mut report = |message: String| {
                    problems.push(file.problem(&quoted(&vector.id), format!("{}: {message}", vector.id)));
                };
                let at = match &vector.input {
                    Input::Normalize { scope, .. } => scope.name(),
                    Input::Equivalent { rung, .. } => rung.name(),
                    _ => "",
                };
                let kind = (vector.input.operation().name(), at, decisive.as_str());
                let (level, first) = *levels.entry(kind).or_insert((vector.level, &vector.id));
                let by_scheme = matches!(
                    vector.input,
                    Input::Normalize {
                        scope: Scope::Scheme,
                        ..
                    } | Input::Equivalent { rung: Rung::Scheme, .. }
                );
                let weaker = self.clause(decisive).filter(|clause| clause.level != Level::Must);
                let weaker = weaker.filter(|_| vector.level == Level::Must);
                if vector.level == Level::Must && by_scheme {
                    report("what scheme-specific rules decide is `should` or `may`, not `must`".to_owned());
                } else if let Some(clause) = weaker {
                    report(format!(
                        "`{decisive}` is `{}`, so it decides no `must`; cite first the clause that does",
                        clause.level
                    ));
                } else if vector.level != level {
                    report(format!(
                        "the level is `{}`, and `{level}` in {first}, which `{decisive}` decides too",
                        vector.level
                    ));
                }
            }
        }
        problems
    }

    /// The vectors that this version of the crate carries, where these have no register of their own: they stand beside those.
    fn built_in(&self) -> Option<Library> {
        self.register.is_none().then(Library::embedded)
    }

    /// The id of the clause that is nearest to `id`.
    fn nearest_clause(&self, id: &str) -> Option<&str> {
        self.clauses.iter().map(|clause| clause.id.as_str()).max_by_key(|known| alike(known, id))
    }
}

/// What is wrong with the id of a vector: it has the path of its file, and a name.
pub(super) fn misnamed(vector: &Vector, path: &str) -> Option<String> {
    let stem = path.trim_end_matches(".json");
    if stem.starts_with(crate::algorithms::PREFIX) {
        return Some(
            "ids that begin with `suite/` are those of generated suites: the folder needs another name".to_owned(),
        );
    }
    match vector.id.strip_prefix(stem).and_then(|rest| rest.strip_prefix('/')) {
        Some(name) if is_kebab(name) => None,
        Some(name) => Some(format!(
            "the name `{name}` is not lower-kebab, as `{stem}/{}` is",
            kebab(name)
        )),
        None => {
            let name = vector.id.rsplit('/').next().unwrap_or_default();
            Some(format!(
                "the id does not begin with the file's path, as `{stem}/{}` does",
                kebab(name)
            ))
        }
    }
}

/// What in an expectation does not fit the operation and the rule that it is for.
pub(super) fn misfits(input: &Input, expectation: &Expectation) -> Vec<String> {
    let mut messages = Vec::new();
    match expectation {
        Expectation::OneOf(_) if matches!(input.operation(), Operation::Relativize | Operation::Contract) => {
            messages.push(format!(
                "`one-of` does not answer {}: one answer stands for all",
                question(input)
            ));
        }
        Expectation::OneOf(outcomes) => messages.extend(misfits_of_each(input, outcomes)),
        Expectation::Rejected => {}
        Expectation::Accepted => {
            if !matches!(input, Input::Parse { rule, .. } if !has_components(*rule)) {
                messages.push(format!("`accepted` alone does not answer {}", question(input)));
            }
        }
        Expectation::Components(components) => {
            if matches!(input, Input::Parse { rule, .. } if has_components(*rule)) {
                messages.extend(inconsistencies(components));
            } else {
                messages.push(format!("`components` do not answer {}", question(input)));
            }
        }
        Expectation::Uri(_) => {
            if !matches!(
                input.operation(),
                Operation::Resolve
                    | Operation::Normalize
                    | Operation::Compose
                    | Operation::Relativize
                    | Operation::Modify
                    | Operation::RoundTrip
            ) {
                messages.push(format!("`uri` does not answer {}", question(input)));
            }
        }
        Expectation::Equivalent(_) => {
            if input.operation() != Operation::Equivalent {
                messages.push(format!("`equivalent` does not answer {}", question(input)));
            }
        }
        Expectation::Broken(broken) => {
            if input.operation() != Operation::Contract {
                messages.push(format!("`broken` does not answer {}", question(input)));
            }
            if !broken.is_empty() {
                messages.push("no contract may be broken: `broken` is `[]`".to_owned());
            }
        }
    }
    messages
}

/// What in outcomes that are alternatives does not fit, each with its name and its licence.
fn misfits_of_each(input: &Input, outcomes: &[LicensedOutcome]) -> Vec<String> {
    let mut messages = Vec::new();
    let mut names = BTreeSet::new();
    for one in outcomes {
        if !is_kebab(&one.name) {
            messages.push(format!("the outcome's name `{}` is not lower-kebab", one.name));
        }
        if !names.insert(&one.name) {
            messages.push(format!("two outcomes are named `{}`", one.name));
        }
        if !one.licence.contains('§') {
            messages.push(format!("the licence of `{}` names no section (§)", one.name));
        }
        messages.extend(misfits(input, &one.outcome));
    }
    messages
}

fn question(input: &Input) -> String {
    match input {
        Input::Parse { rule, .. } => format!("a parse as {rule}"),
        other => format!("`{}`", other.operation()),
    }
}

fn inconsistencies(components: &Components) -> Vec<String> {
    let mut messages = Vec::new();
    let Some(host) = &components.host else {
        for component in [Component::Userinfo, Component::HostKind, Component::Port] {
            if components.text(component).is_some() {
                messages.push(format!("`{component}` is defined though `host` is not"));
            }
        }
        return messages;
    };
    let literal = host.starts_with('[');
    match components.host_kind {
        None => messages.push("`host` is defined, but `host_kind` is not".to_owned()),
        Some(HostKind::Ipv6 | HostKind::Ipvfuture) if !literal => {
            messages.push("the host of an IP-literal is given with its brackets".to_owned());
        }
        Some(HostKind::Ipv4 | HostKind::RegName) if literal => {
            messages.push("a host in brackets is `ipv6` or `ipvfuture`".to_owned());
        }
        Some(_) => {}
    }
    messages
}

pub(super) fn is_kebab(name: &str) -> bool {
    !name.is_empty()
        && name.split('-').all(|word| {
            !word.is_empty() && word.bytes().all(|octet| octet.is_ascii_lowercase() || octet.is_ascii_digit())
        })
}

/// A name in lower-kebab that is much the same.
fn kebab(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    let words = lower.split(|character: char| !character.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let kebab = words.collect::<Vec<_>>().join("-");
    if kebab.is_empty() { "name".to_owned() } else { kebab }
}

/// What may be meant, for the end of a message.
pub(super) fn perhaps(nearest: Option<&str>) -> String {
    nearest.map(|nearest| format!(", perhaps `{nearest}` is meant")).unwrap_or_default()
}

pub(super) fn quoted(id: &str) -> String {
    format!("\"{id}\"")
}
