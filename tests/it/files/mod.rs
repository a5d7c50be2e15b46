//! Every command writes its files whole, in the same way.

#![cfg(unix)]

mod killed;
mod places;
mod work;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::process::{Done, program, run};

/// A badge is short, and has no line break but its last.
const CHECK: [&str; 5] = ["check", "--subject", "iref*Uri::new", "--only", "rfc/5.4.1/*"];

fn check(folder: &Path, more: &[&str]) -> Done {
    run(program().current_dir(folder).args(CHECK).args(more))
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name().to_string_lossy().into_owned();
    let mut names: Vec<String> = fs::read_dir(folder).unwrap().map(name).collect();
    names.sort();
    names
}

/// An adapter that answers nothing right, and says in the file `asked` that it was asked.
const ADAPTER: &str = r#"read -r line
printf '%s\n' '{"id":0,"name":"planted","version":"1","entry_point":"parse","language":"sh","specification":"RFC 3986","operations":["parse"]}'
while IFS= read -r line; do
  echo x >>asked; id="${line#*\"id\":}"; printf '{"id":%s,"outcome":"rejected"}\n' "${id%%[,\}]*}"
done
"#;

fn copy_of_the_ledger(folder: &Path) -> PathBuf {
    let ledger = folder.join("ledger");
    fs::create_dir(&ledger).unwrap();
    for (name, bytes) in contents(&Path::new(env!("CARGO_MANIFEST_DIR")).join("ledger")) {
        if name.ends_with(".toml") {
            fs::write(ledger.join(name), bytes).unwrap();
        }
    }
    ledger
}

/// The files of a folder that are no part files.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let names = names(folder).into_iter().filter(|name| !name.ends_with(".part") && folder.join(name).is_file());
    names.map(|name| (name.clone(), fs::read(folder.join(name)).unwrap())).collect()
}
