//! BENCHMARKS.md as text.

use std::fmt::Write as _;

/// Whether what was measured keeps its bound.
#[derive(Clone, Copy)]
enum BoundMet {
    Yes,
    No,
    NoBound,
}

/// A quantity.
pub(crate) struct Quantity {
    what: String,
    measured: String,
    bound: String,
    met: BoundMet,
}

impl Quantity {
    /// A quantity without a bound.
    pub(crate) fn plain(what: impl Into<String>, measured: impl Into<String>) -> Quantity {
        Quantity {
            what: what.into(),
            measured: measured.into(),
            bound: String::new(),
            met: BoundMet::NoBound,
        }
    }

    /// A quantity that is to keep a bound, and whether it does.
    pub(crate) fn bound(what: impl Into<String>, measured: impl Into<String>, bound: &str, is_met: bool) -> Quantity {
        Quantity {
            what: what.into(),
            measured: measured.into(),
            bound: bound.to_owned(),
            met: if is_met { BoundMet::Yes } else { BoundMet::No },
        }
    }
}

/// What was measured.
#[derive(Default)]
pub(crate) struct BenchmarkSheet {
    /// The quantities.
    pub(crate) rows: Vec<Quantity>,
    /// What could not be measured, and why.
    pub(crate) missing: Vec<String>,
    /// What is shown in tables of its own.
    pub(crate) sections: Document,
}

/// The document, as it is made.
#[derive(Default)]
pub(crate) struct Document(String);

impl Document {
    pub(crate) fn paragraph(&mut self, text: &str) {
        self.0.push_str(text);
        self.0.push_str("\n\n");
    }

    pub(crate) fn heading(&mut self, text: &str) {
        self.paragraph(&format!("## {text}"));
    }

    pub(crate) fn list(&mut self, items: &[String]) {
        for item in items {
            writeln!(self.0, "- {item}").expect("writes to a string");
        }
        self.0.push('\n');
    }

    /// What was measured, beside its bounds.
    pub(crate) fn quantities(&mut self, rows: &[Quantity]) {
        let cells = rows.iter().map(|row| {
            let met = match row.met {
                BoundMet::Yes => "yes",
                BoundMet::No => "**no**",
                BoundMet::NoBound => "",
            };
            vec![
                row.what.clone(),
                row.measured.clone(),
                row.bound.clone(),
                met.to_owned(),
            ]
        });
        self.table(&["quantity", "measured", "bound", "met"], cells);
    }

    /// A table, all of whose columns but the first are numbers.
    pub(crate) fn table(&mut self, heads: &[&str], rows: impl IntoIterator<Item = Vec<String>>) {
        let mut line = |cells: &[String]| writeln!(self.0, "| {} |", cells.join(" | ")).expect("writes to a string");
        line(&heads.iter().map(|head| (*head).to_owned()).collect::<Vec<_>>());
        line(&(0..heads.len()).map(|at| if at == 0 { "---" } else { "---:" }.to_owned()).collect::<Vec<_>>());
        for row in rows {
            line(&row.iter().map(|cell| cell.replace('|', "\\|")).collect::<Vec<_>>());
        }
        self.0.push('\n');
    }

    /// Adds another document behind this one.
    pub(crate) fn add(&mut self, other: &Document) {
        self.0.push_str(&other.0);
    }

    pub(crate) fn text(&self) -> String {
        format!("{}\n", self.0.trim_end())
    }
}
