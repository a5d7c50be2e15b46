//! `uriproof init`: the files with which a library begins: an adapter or a test, a baseline, a workflow.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use uriproof::model::OneLine;

use crate::cli::{Finding, RunError, files, print};
use crate::report::shell::quoted;

#[derive(Args)]
#[command(after_help = "Examples:
  uriproof init python               an adapter to fill in
  uriproof init python urllib        one that works, for a library that uriproof knows
  uriproof init rust                 a test of a crate")]
pub(crate) struct Arguments {
    /// The language of the library
    #[arg(value_enum)]
    language: Language,
    /// A library that uriproof has an adapter for: urllib, rfc3986, hyperlink, yarl; url, whatwg-url, fast-uri, uri-js; net/url; fluent-uri.
    /// Without one the adapter is to be filled in
    library: Option<String>,
    /// The folder of the library's repository
    #[arg(long, value_name = "DIR", default_value = ".")]
    output: PathBuf,
}

/// A language that has a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Language {
    Rust,
    Python,
    Node,
    Go,
}

/// What a language begins with.
struct Start {
    /// The adapter or test, from the folder on.
    path: &'static str,
    /// It, to be filled in.
    template: &'static str,
    /// It, for the libraries that are known.
    whole: &'static str,
    /// These libraries, and what each calls itself in `hello`.
    libraries: &'static [(&'static str, &'static str)],
    /// How it is started, without the library; `None` for a test of a crate.
    command: Option<&'static str>,
    /// How a library is installed, and the one that the language has itself; `None` where nothing is to be installed.
    install: Option<(&'static str, &'static str)>,
    /// The baseline.
    baseline: &'static str,
    /// The workflow, in which `command` stands.
    workflow: &'static str,
}

/// The workflow.
const WORKFLOW: &str = ".github/workflows/uriproof.yml";

/// What a crate's Cargo.toml needs.
const CARGO: &str = r#"[dev-dependencies]
uriproof = { git = "https://github.com/uriproof/uriproof", features = ["harness"] }

[[test]]
name = "rfc3986"
harness = false
"#;

impl Language {
    fn start(self) -> Start {
        match self {
            Language::Rust => Start {
                path: "tests/rfc3986.rs",
                template: include_str!("../../templates/init/rfc3986.rs"),
                whole: include_str!("../../examples/conformance/rfc3986.rs"),
                libraries: &[("fluent-uri", "fluent-uri")],
                command: None,
                install: None,
                baseline: "uriproof.toml",
                workflow: include_str!("../../examples/workflows/rust.yml"),
            },
            Language::Python => Start {
                path: "tests/uriproof_adapter.py",
                template: include_str!("../../templates/init/adapter.py"),
                whole: include_str!("../../adapters/python/adapter.py"),
                libraries: &[
                    ("urllib", "urllib.parse"),
                    ("rfc3986", "rfc3986"),
                    ("hyperlink", "hyperlink"),
                    ("yarl", "yarl"),
                ],
                command: Some("python3 tests/uriproof_adapter.py"),
                install: Some(("pip install", "urllib")),
                baseline: "tests/uriproof.toml",
                workflow: include_str!("../../examples/workflows/python.yml"),
            },
            Language::Node => Start {
                path: "tests/uriproof_adapter.js",
                template: include_str!("../../templates/init/adapter.js"),
                whole: include_str!("../../adapters/node/adapter.js"),
                libraries: &[
                    ("url", "URL"),
                    ("whatwg-url", "whatwg-url"),
                    ("fast-uri", "fast-uri"),
                    ("uri-js", "uri-js"),
                ],
                command: Some("node tests/uriproof_adapter.js"),
                install: Some(("npm install", "url")),
                baseline: "tests/uriproof.toml",
                workflow: include_str!("../../examples/workflows/node.yml"),
            },
            Language::Go => Start {
                path: "internal/uriproofadapter/main.go",
                template: include_str!("../../templates/init/adapter.go"),
                whole: include_str!("../../adapters/go/adapter.go"),
                libraries: &[("net/url", "net/url")],
                command: Some("go run internal/uriproofadapter/main.go"),
                install: None,
                baseline: "uriproof.toml",
                workflow: include_str!("../../examples/workflows/go.yml"),
            },
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<Finding, RunError> {
    let start = arguments.language.start();
    let library = arguments.library.as_deref();
    let known = library.map(|library| known(&start, library)).transpose()?;
    let command = start.command.map(|command| match library {
        // Of a file for one library alone it needs no name.
        Some(library) if start.libraries.len() > 1 => format!("{command} {library}"),
        _ => command.to_owned(),
    });
    let workflow = match (start.command, &command) {
        (Some(plain), Some(command)) => start.workflow.replace(plain, command),
        _ => start.workflow.to_owned(),
    };
    let adapter = match library {
        Some(library) if arguments.language == Language::Python => alone(start.whole, library),
        Some(_) => start.whole.to_owned(),
        None => start.template.to_owned(),
    };
    let new = [
        (start.path, adapter),
        (start.baseline, baseline(known.unwrap_or("my-uri"))),
        (WORKFLOW, workflow),
    ];
    // Here it is nothing to say before each path.
    let folder = if arguments.output == Path::new(".") {
        Path::new("")
    } else {
        &arguments.output
    };
    let new = new.map(|(path, text)| (folder.join(path), text));
    let there: Vec<String> =
        new.iter().filter(|(path, _)| path.exists()).map(|(path, _)| path.display().to_string()).collect();
    if !there.is_empty() {
        return Err(format!(
            "nothing was written, since there is already {}; remove it, or name another folder with --output",
            OneLine(&there.join(", "))
        ));
    }
    files::write(&new)?;
    let mut text: String =
        new.iter().map(|(path, _)| format!("wrote {}\n", OneLine(&path.display().to_string()))).collect();
    text += &next(&start, library, command.as_deref(), folder);
    print(&text)?;
    Ok(Finding::Expected)
}

/// The adapter in Python with one library of those that it is for: without the classes of the others and the functions that only these call.
fn alone(adapter: &str, library: &str) -> String {
    const LIST: &str = "LIBRARIES = {";
    let list =
        adapter.lines().find_map(|line| line.strip_prefix(LIST)?.strip_suffix('}')).expect("a list of libraries");
    let libraries: Vec<(&str, &str)> = list.split(", ").filter_map(|one| one.split_once(": ")).collect();
    let own = format!("\"{library}\"");
    let class = libraries.iter().find(|(name, _)| *name == own).map(|(_, class)| *class).expect("it is in the list");
    let is_of_other = |block: &&str| {
        libraries.iter().any(|(_, other)| *other != class && block.starts_with(&format!("class {other}:")))
    };
    let blocks: Vec<&str> = adapter.split("\n\n\n").filter(|block| !is_of_other(block)).collect();
    let is_called = |block: &&str| {
        let function = block.strip_prefix("def ").and_then(|rest| rest.split_once('(')).map(|(name, _)| name);
        function.is_none_or(|name| blocks.iter().any(|other| other != block && other.contains(&format!("{name}("))))
    };
    let kept: Vec<&str> = blocks.iter().copied().filter(is_called).collect();
    let names: Vec<&str> = libraries.iter().map(|(name, _)| name.trim_matches('"')).collect();
    kept.join("\n\n\n")
        .replace(&format!("{LIST}{list}}}"), &format!("{LIST}{own}: {class}}}"))
        .replace(&format!(" [{}]", names.join("|")), &format!(" {library}"))
}

/// What a library calls itself.
fn known(start: &Start, library: &str) -> Result<&'static str, RunError> {
    let found = start.libraries.iter().find(|(known, _)| *known == library);
    found.map(|(_, name)| *name).ok_or_else(|| {
        let libraries: Vec<&str> = start.libraries.iter().map(|(known, _)| *known).collect();
        format!(
            "there is no adapter for `{}`: leave it out to fill one in; there are {}",
            OneLine(library),
            libraries.join(", ")
        )
    })
}

/// A baseline that knows nothing of the library with that name.
fn baseline(name: &str) -> String {
    format!(
        "# What {name} does otherwise than RFC 3986, with the reasons: `--write-baseline` adds the failures.\nuriproof = 1\n\
         subject = \"{name}\"\n# As many vectors were compared; fewer fail.\ncompares = 0\n"
    )
}

/// What to run next; the folder is empty if it is the current one.
fn next(start: &Start, library: Option<&str>, command: Option<&str>, folder: &Path) -> String {
    let path = start.path;
    let mut steps: Vec<String> = Vec::new();
    if folder != Path::new("") {
        steps.push(format!("cd {}", quoted(&folder.display().to_string())));
    }
    if library.is_none() {
        steps.push(format!(
            "fill in `parse` in {path};\n     until then nothing is compared, and the run fails"
        ));
    }
    if let (Some((install, own)), Some(library)) = (start.install, library)
        && library != own
    {
        steps.push(format!("{install} {library}"));
    }
    match command {
        None => {
            let indented: String =
                CARGO.lines().map(|line| format!("{}\n", format!("       {line}").trim_end())).collect();
            steps.push(format!("add to Cargo.toml:\n\n{indented}"));
            steps.push(
                "cargo test --test rfc3986                              # red: the groups of failures".to_owned(),
            );
            steps.push(
                "URIPROOF_BASELINE=write cargo test --test rfc3986      # records them as known: add reasons"
                    .to_owned(),
            );
        }
        Some(command) => {
            let check = format!("uriproof check --command '{command}'");
            let baseline = format!("\\\n       --baseline {}", start.baseline);
            let mut add = |words: &str, what: &str| steps.push(format!("{check} {words}\n       # {what}"));
            add("\\\n       --probe", "does the adapter keep to the protocol?");
            add(&baseline, "red: the groups of failures");
            add(
                &format!("{baseline} --write-baseline"),
                "records them as known: add a reason for each; then only changes fail",
            );
        }
    }
    let steps = steps.iter().enumerate().map(|(at, step)| format!("  {}. {step}\n", at + 1));
    format!("\nNext:\n\n{}", steps.collect::<String>())
}
