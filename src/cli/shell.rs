//! `uriproof completions` and `uriproof man`: for shells and `man`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Command, CommandFactory};
use clap_complete::Shell;
use uriproof::model::OneLine;
use uriproof::vectors::Library;

use crate::cli::{Finding, RunError, files, print, print_data, registry};

#[derive(Args)]
#[command(after_help = "Examples:
  uriproof completions bash >~/.local/share/bash-completion/completions/uriproof
  uriproof completions zsh >~/.zfunc/_uriproof

In bash, fish and zsh also the values are completed: subjects, vectors, clauses, formats. In
elvish and PowerShell commands and options are.")]
pub(crate) struct CompletionArguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(Args)]
#[command(after_help = "Examples:
  uriproof man | man -l -                        the page of the program
  uriproof man check | man -l -                  that of a command
  uriproof man --output ~/.local/share/man/man1  all of them, to be found by `man`")]
pub(crate) struct ManArguments {
    /// Print the page of this command, such as `vectors list`
    #[arg(conflicts_with = "output")]
    command: Vec<String>,
    /// Write a page for each command into this folder, instead of printing the page of `uriproof`
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
}

pub(crate) fn completions<C: CommandFactory>(arguments: &CompletionArguments) -> Result<Finding, RunError> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut completed(&C::command()), "uriproof", &mut script);
    print_data(&String::from_utf8_lossy(&script))?;
    Ok(Finding::Expected)
}

/// The commands and options that are shown, with values for those that name subjects, vectors or clauses.
fn completed(command: &Command) -> Command {
    let arguments = command.get_arguments().filter(|argument| !argument.is_hide_set());
    // `vectors show` takes a vector by its place.
    let shown = (command.get_name() == "show").then_some("vector");
    let arguments = arguments.map(|argument| match values(argument.get_long().or(shown)) {
        values if values.is_empty() => argument.clone(),
        values => argument.clone().value_parser(PossibleValuesParser::new(values)),
    });
    let commands = command.get_subcommands().filter(|command| !command.is_hide_set()).map(completed);
    Command::new(command.get_name().to_owned())
        .about(command.get_about().cloned().unwrap_or_default())
        .args(arguments)
        .subcommands(commands)
}

/// What an option can name, or the argument of `vectors show`.
fn values(option: Option<&str>) -> Vec<String> {
    let values: BTreeSet<String> = match option {
        Some("subject") => registry::subjects().iter().map(|subject| subject.declaration().name.to_string()).collect(),
        // A pattern for each file.
        Some("only") => Library::embedded()
            .vectors()
            .filter_map(|vector| Some(format!("{}/*", vector.id.rsplit_once('/')?.0)))
            .collect(),
        Some("clause") => Library::embedded().vectors().flat_map(|vector| vector.clauses.clone()).collect(),
        Some("vector") => {
            let library = Library::embedded();
            let of_standard = library.whatwg.vectors.iter().map(|vector| vector.id.to_string());
            library.vectors().map(|vector| vector.id.to_string()).chain(of_standard).collect()
        }
        _ => BTreeSet::new(),
    };
    values.into_iter().collect()
}

pub(crate) fn man<C: CommandFactory>(arguments: &ManArguments) -> Result<Finding, RunError> {
    let page = |command: Command| {
        let mut page = Vec::new();
        clap_mangen::Man::new(command)
            .render(&mut page)
            .map_err(|error| format!("the manual page cannot be made: {error}"))?;
        Ok::<_, RunError>(page)
    };
    let mut program = C::command().disable_help_subcommand(true);
    program.build();
    let pages_of = named_commands(&program, "");
    let of_command = |(name, command): &(String, Command)| {
        let name = format!("uriproof-{name}");
        page(command.clone().display_name(name.clone())).map(|page| (name, page))
    };
    let Some(folder) = &arguments.output else {
        let wanted = arguments.command.join("-");
        let page = match &*wanted {
            "" => page(program.clone())?,
            wanted => {
                let command = pages_of.iter().find(|(name, _)| name == wanted).ok_or_else(|| {
                    let names: Vec<&str> = pages_of.iter().map(|(name, _)| &**name).collect();
                    format!(
                        "there is no command `{}`; there are {}",
                        OneLine(&arguments.command.join(" ")),
                        names.join(", ")
                    )
                })?;
                of_command(command)?.1
            }
        };
        print_data(&String::from_utf8_lossy(&page))?;
        return Ok(Finding::Expected);
    };
    let mut pages = vec![(folder.join("uriproof.1"), page(program.clone())?)];
    for command in &pages_of {
        let (name, page) = of_command(command)?;
        pages.push((folder.join(format!("{name}.1")), page));
    }
    files::write(&pages)?;
    print(&format!("wrote {} pages to {}\n", pages.len(), folder.display()))?;
    Ok(Finding::Expected)
}

/// The commands of a program that are not hidden, and theirs, each by its name as a page has it: `vectors-list`.
fn named_commands(program: &Command, before: &str) -> Vec<(String, Command)> {
    let mut named = Vec::new();
    for command in program.get_subcommands().filter(|command| !command.is_hide_set()) {
        let name = format!("{before}{}", command.get_name());
        named.push((name.clone(), command.clone()));
        named.extend(named_commands(command, &format!("{name}-")));
    }
    named
}
