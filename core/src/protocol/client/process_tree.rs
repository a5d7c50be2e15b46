//! Which process has started which. Only Linux shows it.

use std::collections::BTreeSet;

/// The ids of all processes; none where the system does not show them.
pub(super) fn processes() -> Vec<u32> {
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    processes.filter_map(|process| process.ok()?.file_name().to_str()?.parse().ok()).collect()
}

/// Adds to `found` those of the processes that one of them has started, or one that these have started.
pub(super) fn add_started(found: &mut BTreeSet<u32>, processes: &[u32]) {
    let parents: Vec<(u32, u32)> = processes.iter().filter_map(|&process| Some((process, parent(process)?))).collect();
    loop {
        let started = parents.iter().filter(|(_, parent)| found.contains(parent)).map(|(process, _)| *process);
        let started: Vec<u32> = started.filter(|process| !found.contains(process)).collect();
        if started.is_empty() {
            return;
        }
        found.extend(started);
    }
}

/// The parent of a process that has not ended.
fn parent(process: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of its program, which may hold anything, ends with the last parenthesis.
    let mut fields = stat.rsplit(')').next()?.split_whitespace();
    let has_ended = fields.next() == Some("Z");
    fields.next().filter(|_| !has_ended)?.parse().ok()
}
