//! Which subjects and which vectors a command is about.

use std::collections::BTreeMap;
use std::path::Path;

use clap::Args;
use globset::{GlobBuilder, GlobMatcher};
use uriproof::algorithms::PREFIX;
use uriproof::gate::{Claim, Glob, Plan};
use uriproof::model::{Level, Operation, Reading, Rule, Subject, Vector};
use uriproof::vectors::Library;
use uriproof_grammar::abnf::ErrorKind;
use uriproof_grammar::{Deriver, Profile, rfc3986};
use uriproof_lab::machines::{Machines, claimed};

use crate::cli::{RunError, guard, registry};

/// The subjects that a command runs.
#[derive(Args)]
pub(crate) struct SubjectSelection {
    /// Run only subjects whose label (`fluent-uri 0.4.1 UriRef::parse`) or name (`fluent-uri`) matches; repeatable
    #[arg(long = "subject", value_name = "GLOB")]
    patterns: Vec<String>,
}

impl SubjectSelection {
    /// Whether every subject is selected.
    pub(crate) fn is_everything(&self) -> bool {
        self.patterns.is_empty()
    }

    pub(crate) fn subjects(&self) -> Result<Vec<&'static dyn Subject>, RunError> {
        if self.patterns.is_empty() {
            return Ok(registry::subjects().to_vec());
        }
        let mut wanted = vec![false; registry::subjects().len()];
        for pattern in &self.patterns {
            let found = matching(pattern)?;
            for at in found {
                wanted[at] = true;
            }
        }
        Ok(
            registry::subjects()
                .iter()
                .zip(wanted)
                .filter(|(_, wanted)| *wanted)
                .map(|(subject, _)| *subject)
                .collect(),
        )
    }
}

/// The only subject that `pattern` matches.
pub(crate) fn one_subject(pattern: &str) -> Result<&'static dyn Subject, RunError> {
    match matching(pattern)?.as_slice() {
        [at] => Ok(registry::subjects()[*at]),
        several => Err(format!(
            "`{pattern}` is not one subject but {}: {}",
            several.len(),
            labels(several)
        )),
    }
}

/// The places in the list of those subjects whose label or name matches; never empty but in a probe.
fn matching(pattern: &str) -> Result<Vec<usize>, RunError> {
    let glob = glob("--subject", pattern)?;
    let found: Vec<usize> = registry::subjects()
        .iter()
        .enumerate()
        .filter(|(_, subject)| {
            let declaration = subject.declaration();
            glob.is_match(declaration.label()) || glob.is_match(&*declaration.name)
        })
        .map(|(at, _)| at)
        .collect();
    // A subject that is tried alone may not be among the selected ones.
    if found.is_empty() && guard::probed().is_none() {
        let all: Vec<usize> = (0..registry::subjects().len()).collect();
        let served = match pattern {
            "whatwg" => "; the reference of the URL Standard is a command: --command 'uriproof serve --subject whatwg'",
            _ => "",
        };
        return Err(format!(
            "no subject matches `{pattern}`; there are those of {}, which `uriproof subjects` lists{served}",
            crates(&all)
        ));
    }
    Ok(found)
}

/// The names of their crates, each once.
fn crates(places: &[usize]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for &at in places {
        let name = &*registry::subjects()[at].declaration().name;
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.join(", ")
}

fn labels(places: &[usize]) -> String {
    places.iter().map(|&at| registry::subjects()[at].declaration().label()).collect::<Vec<_>>().join(", ")
}

/// The grammar that subjects are compared with.
#[derive(Args)]
pub(crate) struct ProfileSelection {
    /// Compare with a modified grammar of RFC 3986: iri, port-65535, zone-id, host-not-empty, http, request-target, or
    /// `claimed`, the one of the specification that a subject claims; repeatable
    #[arg(long = "profile", value_name = "NAME", value_parser = parse_profile)]
    wanted: Vec<Wanted>,
}

/// A profile that an argument selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    This(Profile),
    Claimed,
}

fn parse_profile(name: &str) -> Result<Wanted, String> {
    if name == "claimed" {
        return Ok(Wanted::Claimed);
    }
    Profile::from_name(name).map(Wanted::This).ok_or_else(|| {
        let names: Vec<&str> = Profile::ALL.iter().map(|profile| profile.name()).collect();
        format!("there are {}, and claimed", names.join(", "))
    })
}

impl ProfileSelection {
    /// Whether none is named.
    pub(crate) fn is_empty(&self) -> bool {
        self.wanted.is_empty()
    }

    /// The profiles that a subject is compared with.
    pub(crate) fn of(&self, subject: &dyn Subject) -> Vec<Profile> {
        let mut profiles: Vec<Profile> = self
            .wanted
            .iter()
            .filter_map(|wanted| match wanted {
                Wanted::This(profile) => Some(*profile),
                Wanted::Claimed => claimed(&subject.declaration().specification),
            })
            .chain(subject.declaration().claim.and_then(Claim::profile))
            .collect();
        profiles.sort_unstable();
        profiles.dedup();
        profiles
    }

    /// The machines of the profiles that are named, where there is no subject to claim one.
    pub(crate) fn machines_of_this(&self) -> Result<Machines, RunError> {
        let named = self.wanted.iter().map(|wanted| match wanted {
            Wanted::This(profile) => Ok(*profile),
            Wanted::Claimed => {
                Err("`--profile claimed` is what a subject claims, and there is no subject here".to_owned())
            }
        });
        under(&named.collect::<Result<Vec<_>, _>>()?)
    }

    /// The machines that subjects are compared with, by profiles.
    pub(crate) fn machines(&self, subjects: &[&dyn Subject]) -> Result<BTreeMap<Vec<Profile>, Machines>, RunError> {
        let mut machines = BTreeMap::new();
        for subject in subjects {
            let profiles = self.of(*subject);
            // Nothing is compiled before it is needed.
            let under = under(&profiles)?;
            machines.entry(profiles).or_insert(under);
        }
        Ok(machines)
    }
}

fn under(profiles: &[Profile]) -> Result<Machines, RunError> {
    Machines::under(profiles).map_err(|error| format!("these profiles do not go together: {error}"))
}

/// The vectors that a command runs, and how.
#[derive(Args)]
pub(crate) struct VectorSelection {
    /// The vectors: `all` that are built in, `core` (those with one outcome under every reading, at the level must), or
    /// a folder or file of your own
    #[arg(long, value_name = "core|all|DIR|FILE", default_value = "all")]
    vectors: String,
    /// Only vectors whose id matches a pattern with `*`, `?` and `{a,b}`; repeatable
    #[arg(long, value_name = "GLOB")]
    only: Vec<String>,
    /// Only vectors that cite this clause, such as "§5.2.4/2C"; repeatable
    #[arg(long, value_name = "ID")]
    clause: Vec<String>,
    /// Only vectors of this level; repeatable
    #[arg(long, value_parser = parse_level, value_name = "must|should|may")]
    level: Vec<Level>,
}

impl VectorSelection {
    /// Whether the vectors are all that are built in, before any is selected by id, clause or level.
    pub(crate) fn is_built_in(&self) -> bool {
        self.vectors == "all"
    }

    /// Whether none is left out.
    pub(crate) fn is_everything(&self) -> bool {
        self.is_built_in() && self.only.is_empty() && self.clause.is_empty() && self.level.is_empty()
    }

    /// The flags that select the same vectors, but for those that select by id and clause.
    pub(crate) fn flags(&self) -> String {
        let vectors = match &*self.vectors {
            "all" => String::new(),
            folder => format!(" --vectors {}", shell_words::quote(folder)),
        };
        let levels = self.level.iter().map(|level| format!(" --level {level}"));
        [vectors].into_iter().chain(levels).collect()
    }

    pub(crate) fn library(&self) -> Result<Library, RunError> {
        match &*self.vectors {
            "core" => library("all"),
            vectors => library(vectors),
        }
    }

    /// The plan that runs the selected vectors; there is at least one, unless a suite is selected.
    pub(crate) fn plan(&self, library: &Library) -> Result<Plan, RunError> {
        let vectors = library.vectors().chain(&library.whatwg.vectors);
        self.some(self.matching(library, vectors)?)?;
        Ok(Plan {
            levels: self.level.clone(),
            only: match &*self.vectors {
                "core" => [vec![ids(&self.select(library)?)?], self.suites()?].concat(),
                _ => self.globs()?,
            },
            clauses: self.clause.clone(),
            ..Plan::default()
        })
    }

    /// The patterns that select suites: all, if nothing is selected by id.
    fn suites(&self) -> Result<Vec<Glob>, RunError> {
        match self.only.is_empty() {
            true => Ok(vec![Glob::new(&format!("{PREFIX}*"))?]),
            false => Ok(self.globs()?.into_iter().filter(|glob| glob.to_string().starts_with(PREFIX)).collect()),
        }
    }

    fn globs(&self) -> Result<Vec<Glob>, RunError> {
        let glob = |pattern: &String| Glob::new(pattern).map_err(|problem| format!("--only `{pattern}`: {problem}"));
        self.only.iter().map(glob).collect()
    }

    /// The selected vectors of the WHATWG URL Standard.
    pub(crate) fn select_whatwg<'a>(&self, library: &'a Library) -> Result<Vec<&'a Vector>, RunError> {
        self.some(self.matching(library, library.whatwg.vectors.iter())?)
    }

    /// The selected vectors of RFC 3986.
    pub(crate) fn select<'a>(&self, library: &'a Library) -> Result<Vec<&'a Vector>, RunError> {
        self.some(self.matching(library, library.vectors())?)
    }

    /// How many vectors are selected, with those of the WHATWG URL Standard if they are run.
    pub(crate) fn count(&self, library: &Library, has_whatwg: bool) -> Result<usize, RunError> {
        let of_whatwg = library.whatwg.vectors.iter().filter(|_| has_whatwg);
        Ok(self.matching(library, library.vectors().chain(of_whatwg))?.len())
    }

    fn matching<'a>(
        &self,
        library: &'a Library,
        vectors: impl Iterator<Item = &'a Vector>,
    ) -> Result<Vec<&'a Vector>, RunError> {
        let globs = self.globs()?;
        for id in &self.clause {
            if library.clause(id).is_none() {
                return Err(format!(
                    "no clause `{id}`; they stand in vectors/clauses.json, such as `§5.2.4/2C`"
                ));
            }
        }
        let selected = vectors
            .filter(|vector| self.vectors != "core" || vector.is_core())
            .filter(|vector| globs.is_empty() || globs.iter().any(|glob| glob.matches(&vector.id)))
            .filter(|vector| self.clause.is_empty() || self.clause.iter().any(|id| vector.clauses.contains(id)))
            .filter(|vector| self.level.is_empty() || self.level.contains(&vector.level));
        Ok(selected.collect())
    }

    /// Fails if there is none; a pattern for a suite selects no vector.
    fn some<'a>(&self, selected: Vec<&'a Vector>) -> Result<Vec<&'a Vector>, RunError> {
        if selected.is_empty() && !self.only.iter().any(|pattern| pattern.starts_with(PREFIX)) {
            return Err("no vector is selected; `uriproof vectors list` shows all".to_owned());
        }
        Ok(selected)
    }
}

/// The pattern that matches these vectors and no others.
fn ids(vectors: &[&Vector]) -> Result<Glob, RunError> {
    let ids: Vec<&str> = vectors.iter().map(|vector| &*vector.id).collect();
    Glob::new(&format!("{{{}}}", ids.join(",")))
}

/// A claim by its name.
pub(crate) fn parse_claim(name: &str) -> Result<Claim, String> {
    Claim::from_name(name).ok_or_else(|| {
        format!(
            "there are {}",
            Claim::ALL.iter().map(|claim| claim.name()).collect::<Vec<_>>().join(", ")
        )
    })
}

/// All vectors that the program carries, or those of a folder or a file.
pub(crate) fn library(vectors: &str) -> Result<Library, RunError> {
    match vectors {
        "all" => Ok(Library::embedded()),
        "core" => Err(
            "--vectors core is a part of all, and this command is about the whole: it takes all, a folder or a file"
                .to_owned(),
        ),
        path if !Path::new(path).exists() => Err(format!(
            "no file or folder `{path}`; --vectors takes all, a folder of vectors or one file of them"
        )),
        path => Library::from_path(Path::new(path)).map_err(|error| error.to_string()),
    }
}

/// A reading by its id.
pub(crate) fn parse_reading(id: &str) -> Result<Reading, String> {
    Reading::from_id(id).ok_or_else(|| {
        let known: Vec<&str> = Reading::ALL.iter().map(|reading| reading.id()).collect();
        format!("there are {}", known.join(", "))
    })
}

fn parse_level(name: &str) -> Result<Level, String> {
    match name {
        "must" => Ok(Level::Must),
        "should" => Ok(Level::Should),
        "may" => Ok(Level::May),
        _ => Err("there are must, should, may".to_owned()),
    }
}

pub(crate) fn glob(flag: &str, pattern: &str) -> Result<GlobMatcher, RunError> {
    GlobBuilder::new(pattern)
        .case_insensitive(true)
        .build()
        .map(|glob| glob.compile_matcher())
        .map_err(|error| format!("{flag} `{pattern}`: {}", error.kind()))
}

/// A rule by its name; the case of letters means nothing in ABNF.
pub(crate) fn parse_rule(name: &str) -> Result<Rule, String> {
    let rules = || Rule::ALL.iter().copied();
    rules().find(|rule| rule.name().eq_ignore_ascii_case(name)).ok_or_else(|| {
        let problem = Deriver::compile(&rfc3986::grammar(), name).err().map(|error| error.problem);
        let misspelled = match problem {
            Some(ErrorKind::UndefinedRule { nearest, .. }) => nearest.and_then(|nearest| Rule::from_name(&nearest)),
            _ => None,
        };
        let cut = name.to_ascii_lowercase();
        let nearest = misspelled.or_else(|| rules().find(|rule| rule.name().to_ascii_lowercase().starts_with(&cut)));
        let nearest = nearest.map(|rule| format!(", perhaps {rule} is meant")).unwrap_or_default();
        format!("no rule of Appendix A{nearest}; `uriproof grammar` lists all")
    })
}

/// A number from 0 to `MOST`.
pub(crate) fn up_to<const MOST: usize>(number: &str) -> Result<usize, String> {
    number.parse().ok().filter(|number| *number <= MOST).ok_or_else(|| format!("a number from 0 to {MOST}"))
}

pub(crate) fn parse_operation(name: &str) -> Result<Operation, String> {
    Operation::ALL.into_iter().find(|operation| operation.name() == name).ok_or_else(|| {
        let known: Vec<&str> = Operation::ALL.iter().map(|operation| operation.name()).collect();
        format!("there are {}", known.join(", "))
    })
}
