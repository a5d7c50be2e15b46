//! `uriproof completions` and `uriproof man`: for shells and `man`.

use std::path::PathBuf;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::cli::{Finding, RunError, files, print, print_data};

#[derive(Args)]
#[command(after_help = "Examples:
  uriproof completions bash >~/.local/share/bash-completion/completions/uriproof
  uriproof completions zsh >~/.zfunc/_uriproof")]
pub(crate) struct CompletionArguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(Args)]
pub(crate) struct ManArguments {
    /// Write a page for each command into this folder, instead of printing the page of `uriproof`
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
}

pub(crate) fn completions<C: CommandFactory>(arguments: &CompletionArguments) -> Result<Finding, RunError> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut C::command(), "uriproof", &mut script);
    print_data(&String::from_utf8_lossy(&script))?;
    Ok(Finding::Expected)
}

pub(crate) fn man<C: CommandFactory>(arguments: &ManArguments) -> Result<Finding, RunError> {
    let page = |command: clap::Command| {
        let mut page = Vec::new();
        clap_mangen::Man::new(command)
            .render(&mut page)
            .map_err(|error| format!("the manual page cannot be made: {error}"))?;
        Ok::<_, RunError>(page)
    };
    let mut program = C::command().disable_help_subcommand(true);
    program.build();
    let Some(folder) = &arguments.output else {
        print_data(&String::from_utf8_lossy(&page(program)?))?;
        return Ok(Finding::Expected);
    };
    let mut pages = vec![(folder.join("uriproof.1"), page(program.clone())?)];
    for command in program.get_subcommands().filter(|command| !command.is_hide_set()) {
        let name = format!("uriproof-{}", command.get_name());
        let path = folder.join(format!("{name}.1"));
        pages.push((path, page(command.clone().display_name(name))?));
    }
    files::write(&pages)?;
    print(&format!("wrote {} pages to {}\n", pages.len(), folder.display()))?;
    Ok(Finding::Expected)
}
