//! `uriproof vectors`: the vectors as data.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use serde::Serialize;
use uriproof::algorithms::Size;
use uriproof::coverage::Coverage;
use uriproof::expect::{Expected, from_vector, whatwg};
use uriproof::model::{Clause, OneLine, Operation, Vector};
use uriproof::vectors::{Library, LoadedFile};
use uriproof_lab::export::{Export, Selection};
use uriproof_lab::suites;

use crate::cli::select::{VectorSelection, library, parse_operation};
use crate::cli::{Finding, Format, RunError, files, print, print_data, print_json};

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Print a line for each vector; as JSON, the vectors as stored, plus their `file`
    List {
        /// How to print them
        #[arg(long, value_enum, default_value_t = Format::Human)]
        format: Format,
        #[command(flatten)]
        selection: VectorSelection,
        /// The specification whose vectors are printed
        #[arg(long, value_enum, default_value_t = VectorsOf::Rfc3986)]
        specification: VectorsOf,
    },
    /// Print one vector, with the words of its clauses
    Show {
        /// The id of the vector, such as rfc/5.4.1/query-only
        id: String,
        /// How to print it
        #[arg(long, value_enum, default_value_t = Format::Human)]
        format: Format,
        /// The vectors: `all` that are built in, or a folder or file of your own
        #[arg(long, value_name = "all|DIR|FILE", default_value = "all")]
        vectors: String,
    },
    /// Check form, ids, sections, clauses, readings and twins; exit with 1 if anything is wrong
    Lint {
        /// The vectors: `all` that are built in, or a folder or file of your own
        #[arg(long, value_name = "all|DIR|FILE", default_value = "all")]
        vectors: String,
        /// How to print what is wrong
        #[arg(long, value_enum, default_value_t = Format::Human)]
        format: Format,
    },
    /// Count how the vectors cover the clauses, by section; print why some clauses are not tested
    Clauses {
        /// The vectors: `all` that are built in, or a folder or file of your own
        #[arg(long, value_name = "all|DIR|FILE", default_value = "all")]
        vectors: String,
        /// How to print the counts; JSON has the ids of the clauses that are not tested
        #[arg(long, value_enum, default_value_t = Format::Human)]
        format: Format,
        /// The specification whose clauses are counted; cases of functions of the WHATWG URL Standard count as vectors
        #[arg(long, value_enum, default_value_t = VectorsOf::Rfc3986)]
        specification: VectorsOf,
    },
    /// Write the vectors and their clauses into one file for other programs: JSON, JSON NamedLines, or TSV
    Export {
        /// json: one document; jsonl: a header, then one vector per line; tsv: fixed columns, one outcome per line
        #[arg(long, value_enum, default_value_t = ExportFormat::Json)]
        format: ExportFormat,
        /// The vectors: `all` that are built in, `core` (those with one outcome under every reading, at the level
        /// must), or a folder or file of your own
        #[arg(long, value_name = "core|all|DIR|FILE", default_value = "all")]
        vectors: String,
        /// Write to this file instead of stdout
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// The specification whose vectors are written
        #[arg(long, value_enum, default_value_t = VectorsOf::Rfc3986)]
        specification: VectorsOf,
    },
    /// Write the complete suites as files, as in vectors/syntax/complete; or the suites of operations that `check` runs
    Suites {
        /// Write the suite of this operation as JSON NamedLines instead; repeatable
        #[arg(long = "operation", value_name = "NAME", value_parser = parse_operation)]
        operations: Vec<Operation>,
        /// With --operation, its size
        #[arg(long, value_enum, default_value_t = ExportSize::Core, requires = "operations")]
        suite: ExportSize,
        /// The folder to write to
        #[arg(long, value_name = "DIR", default_value = "vectors/syntax/complete")]
        output: PathBuf,
    },
}

/// A specification that has vectors.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum VectorsOf {
    /// RFC 3986
    Rfc3986,
    /// The WHATWG URL Standard
    Whatwg,
}

/// The size of the suite of an operation.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExportSize {
    Core,
    Standard,
}

/// How vectors are exported.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExportFormat {
    Json,
    Jsonl,
    Tsv,
}

/// A vector as stored, plus its file.
#[derive(Serialize)]
struct Listed<'a, V> {
    file: &'a str,
    #[serde(flatten)]
    vector: &'a V,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Finding, RunError> {
    match &arguments.action {
        Action::List {
            format,
            selection,
            specification,
        } => list(*format, selection, *specification),
        Action::Show { id, format, vectors } => show(id, *format, &library(vectors)?),
        Action::Lint { vectors, format } => lint(*format, &library(vectors)?),
        Action::Clauses {
            vectors,
            format,
            specification,
        } => clauses(*format, &library(vectors)?, *specification),
        Action::Export {
            format,
            vectors,
            output,
            specification,
        } => export(*format, vectors, output.as_deref(), *specification),
        Action::Suites {
            operations,
            suite,
            output,
        } => write_suites(operations, *suite, output),
    }
}

fn export(
    format: ExportFormat,
    vectors: &str,
    output: Option<&Path>,
    specification: VectorsOf,
) -> Result<Finding, RunError> {
    let (vectors, selection) = match vectors {
        "core" => ("all", Selection::Core),
        vectors => (vectors, Selection::All),
    };
    let library = library(vectors)?;
    if let Some(problem) = library.lint().first() {
        return Err(format!("{problem}; `uriproof vectors lint` shows all"));
    }
    let export = match specification {
        VectorsOf::Rfc3986 => Export::new(&library, selection),
        VectorsOf::Whatwg => Export::of_whatwg(&library, selection),
    };
    if export.is_empty() {
        return Err(
            "no vector of this specification is selected; `vectors list --specification` shows them".to_owned(),
        );
    }
    let text = match format {
        ExportFormat::Json => export.json(),
        ExportFormat::Jsonl => export.json_lines(),
        ExportFormat::Tsv => export.tsv(),
    };
    match output {
        None => print_data(&text)?,
        Some(path) => {
            let line = format!("{:9} bytes  {}\n", text.len(), OneLine(&path.display().to_string()));
            files::write(&[(path.to_owned(), text)])?;
            print(&line)?;
        }
    }
    Ok(Finding::Expected)
}

fn write_suites(operations: &[Operation], size: ExportSize, folder: &Path) -> Result<Finding, RunError> {
    let size = match size {
        ExportSize::Core => Size::Core,
        ExportSize::Standard => Size::Standard,
    };
    let of_operation = |&operation: &Operation| {
        let name = format!("{operation}-{}.jsonl", size.name());
        (folder.join(name), suites::of_operation(operation, size).into_bytes())
    };
    let files: Vec<_> = match operations {
        [] => suites::files().into_iter().map(|(name, bytes)| (folder.join(name), bytes)).collect(),
        operations => operations.iter().map(of_operation).collect(),
    };
    files::write(&files)?;
    let mut text = String::new();
    for (path, bytes) in &files {
        writeln!(text, "{:9} bytes  {}", bytes.len(), path.display()).expect("writes to a string");
    }
    print(&text)?;
    Ok(Finding::Expected)
}

fn list(format: Format, selection: &VectorSelection, specification: VectorsOf) -> Result<Finding, RunError> {
    let library = selection.library()?;
    let selected = match specification {
        VectorsOf::Rfc3986 => selection.select(&library)?,
        VectorsOf::Whatwg => selection.select_whatwg(&library)?,
    };
    match (format, specification) {
        (Format::Json, VectorsOf::Rfc3986) => {
            let found = selected.iter().filter_map(|vector| rfc3986_vector(&vector.id, &library));
            let listed = found.map(|(file, vector)| Listed {
                file: &file.path,
                vector,
            });
            print_json(&listed.collect::<Vec<_>>())?;
        }
        (Format::Json, VectorsOf::Whatwg) => {
            let found = selected.iter().filter_map(|vector| library.whatwg.find(&vector.id));
            let listed = found.map(|(file, vector)| Listed {
                file: &file.path,
                vector,
            });
            print_json(&listed.collect::<Vec<_>>())?;
        }
        (Format::Human, _) => {
            let ids: Vec<String> = selected.iter().map(|vector| OneLine(&vector.id).to_string()).collect();
            let width = ids.iter().map(String::len).max().unwrap_or_default();
            let mut text = String::new();
            for (id, vector) in ids.iter().zip(&selected) {
                writeln!(
                    text,
                    "{id:width$}  {:10}  {:6}  {}",
                    vector.input.operation(),
                    vector.level,
                    vector.input
                )
                .expect("writes to a string");
            }
            print(&text)?;
        }
    }
    Ok(Finding::Expected)
}

fn show(id: &str, format: Format, library: &Library) -> Result<Finding, RunError> {
    let text = match (rfc3986_vector(id, library), library.whatwg.find(id)) {
        (Some((file, vector)), _) if format == Format::Json => {
            let file = &file.path;
            print_json(&Listed { file, vector })?;
            return Ok(Finding::Expected);
        }
        (None, Some((file, vector))) if format == Format::Json => {
            let file = &file.path;
            print_json(&Listed { file, vector })?;
            return Ok(Finding::Expected);
        }
        (Some((file, vector)), _) => {
            let expected = vector.expect.iter();
            ShownVector {
                file: format!("{}: {}", file.path, file.content.title),
                section: format!("RFC 3986 §{}", file.content.section),
                vector,
                expected: expected
                    .map(|(reading, expectation)| (reading.id(), from_vector(&vector.input, expectation)))
                    .collect(),
                clauses: vector.clauses.iter().map(|id| (&**id, library.clause(id))).collect(),
                twin: library.twin(vector),
            }
            .text()
        }
        (None, Some((file, vector))) => {
            let vector = &vector.to_vector();
            ShownVector {
                file: format!("{}: {}", file.path, file.content.title),
                section: format!("WHATWG URL Standard #{}", file.content.section),
                vector,
                expected: vec![("whatwg", whatwg::expect(&vector.input))],
                clauses: vector.clauses.iter().map(|id| (&**id, library.whatwg.clause(id))).collect(),
                twin: None,
            }
            .text()
        }
        (None, None) => {
            return Err(format!(
                "no vector `{id}`; `uriproof vectors list` shows those of RFC 3986, and with --specification whatwg those of the standard"
            ));
        }
    };
    print(&text)?;
    Ok(Finding::Expected)
}

/// A vector of either specification, as `show` prints it.
struct ShownVector<'a> {
    file: String,
    section: String,
    vector: &'a Vector,
    /// What is expected, by reading or specification.
    expected: Vec<(&'a str, Expected)>,
    clauses: Vec<(&'a str, Option<&'a Clause>)>,
    twin: Option<&'a str>,
}

impl ShownVector<'_> {
    fn text(self) -> String {
        let vector = self.vector;
        let mut text = String::new();
        let mut line =
            |name: &str, value: &str| writeln!(text, "{name:12}  {}", OneLine(value)).expect("writes to a string");
        line("id", &vector.id);
        line("file", &self.file);
        line("section", &self.section);
        line("operation", vector.input.operation().name());
        line("input", &vector.input.to_string());
        for (name, expected) in self.expected {
            match expected {
                Expected::Outcomes(outcomes) => {
                    let several = outcomes.len() > 1;
                    for one in outcomes {
                        let licence = if several {
                            format!("{}: ", one.name)
                        } else {
                            String::new()
                        };
                        line(name, &format!("{licence}{}", one.outcome));
                    }
                }
                Expected::Property(property) => line(name, &property.to_string()),
                Expected::NoAnswer { reason } => line(name, &reason),
            }
        }
        line("level", &vector.level.to_string());
        for (id, clause) in self.clauses {
            let words = clause.map(|clause| {
                let binds: Vec<String> = clause.binds.iter().map(ToString::to_string).collect();
                format!("  ({}: {})  {}", clause.level, binds.join(", "), clause.quote)
            });
            line("clause", &format!("{id}{}", words.unwrap_or_default()));
        }
        if let Some(twin) = self.twin {
            line("twin", twin);
        }
        if let Some(note) = &vector.note {
            line("note", note);
        }
        text
    }
}

/// The vector of RFC 3986 with an id, and its file.
fn rfc3986_vector<'a>(id: &str, library: &'a Library) -> Option<(&'a LoadedFile, &'a Vector)> {
    let file = file_of(library, id)?;
    file.content.vectors.iter().find(|vector| vector.id == id).map(|vector| (file, vector))
}

fn lint(format: Format, library: &Library) -> Result<Finding, RunError> {
    let mut problems = library.lint();
    problems.extend(library.lint_twins());
    problems.extend(library.lint_levels());
    match format {
        Format::Json => print_json(&problems.iter().map(ToString::to_string).collect::<Vec<_>>())?,
        Format::Human => {
            let mut text = String::new();
            for problem in &problems {
                writeln!(text, "{problem}").expect("writes to a string");
            }
            let (vectors, files) = (library.vectors().count(), library.files.len());
            let clauses = library.clauses.len();
            let cases = match library.cases.len() {
                0 => String::new(),
                cases => format!(", {cases} cases of functions"),
            };
            writeln!(
                text,
                "{vectors} vectors in {files} files, {clauses} clauses{cases}: {} problems",
                problems.len()
            )
            .expect("writes to a string");
            print(&text)?;
        }
    }
    Ok(if problems.is_empty() {
        Finding::Expected
    } else {
        Finding::Unexpected
    })
}

fn clauses(format: Format, library: &Library, specification: VectorsOf) -> Result<Finding, RunError> {
    let coverage = match specification {
        VectorsOf::Rfc3986 => Coverage::of(library),
        VectorsOf::Whatwg => Coverage::of_whatwg(library),
    };
    match format {
        Format::Json => print_json(&coverage)?,
        Format::Human => {
            let mut table = Table::new();
            table.load_style(NOTHING);
            table.set_header(["section", "clauses", "testable", "covered", "vectors", "decided"]);
            table.add_rows(coverage.rows().map(|row| row.map(|cell| OneLine(&cell).to_string())));
            for column in table.column_iter_mut().skip(1) {
                column.set_cell_alignment(CellAlignment::Right);
            }
            let mut text = table.to_string().lines().map(|line| line.trim_end().to_owned() + "\n").collect::<String>();
            text += "\nnot tested\n";
            for one in &coverage.untested {
                writeln!(text, "  {:3}  {}", one.clauses.len(), OneLine(one.reason)).expect("writes to a string");
            }
            print(&text)?;
        }
    }
    Ok(Finding::Expected)
}

fn file_of<'a>(library: &'a Library, id: &str) -> Option<&'a LoadedFile> {
    library.files.iter().find(|file| file.content.vectors.iter().any(|vector| vector.id == id))
}
