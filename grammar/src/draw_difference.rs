//! The difference between a learned machine and its target, drawn: the shortest ways to the pairs of states that differ.
//!
//! A drawing is a tree: its root is the start, its edges are the steps of witnesses, and each node is a pair of states,
//! the target's over the learned one. Witnesses share their beginnings, because the search that finds them reaches every
//! pair in one way. The first witness of each group comes first, then the others, as far as there is room.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::learn::{Learned, OutputDifference, ranges};
use crate::machine::State;

/// How many nodes a drawing has at most.
const NODES: usize = 40;

/// Between the middles of nodes, in pixels.
const ACROSS: usize = 120;
const DOWN: usize = 64;
const RADIUS: usize = 20;

/// Above the drawing and below it.
const TITLE: usize = 44;
const LEGEND: usize = 36;

/// The difference as a Graphviz digraph.
pub fn difference_dot(learned: &Learned) -> String {
    let tree = PairTree::of(learned);
    let mut dot = String::from("digraph {\n  rankdir=LR\n  node [shape=circle style=filled fillcolor=white]\n");
    for (at, node) in tree.nodes.iter().enumerate() {
        let (target, learned) = node.pair;
        let color = node.kind.map(|kind| format!(" fillcolor=\"{}\"", color(kind))).unwrap_or_default();
        let _ = writeln!(dot, "  {at} [label=\"{target}\\n{learned}\"{color}]");
        if let Some((parent, label)) = &node.from {
            let label = label.replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(dot, "  {parent} -> {at} [label=\"{label}\"]");
        }
    }
    dot.push_str("}\n");
    dot
}

/// The difference as a small SVG, which needs nothing but itself.
pub fn difference_svg(learned: &Learned, title: &str) -> String {
    let tree = PairTree::of(learned);
    let places = tree.places();
    let width = 2 * ACROSS + places.iter().map(|place| place.0).max().unwrap_or(0);
    let width = width.max(560);
    let height = TITLE + DOWN + places.iter().map(|place| place.1).max().unwrap_or(0) + LEGEND;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<title>{title}</title>\n<rect width=\"100%\" height=\"100%\" \
         fill=\"white\"/>\n<text x=\"16\" y=\"26\" font-size=\"15\">{title}</text>\n",
        title = xml(title)
    );
    let middle = |at: usize| (places[at].0 + ACROSS / 2, places[at].1 + TITLE + DOWN / 2);
    svg += &edges(&tree, middle);
    for (at, node) in tree.nodes.iter().enumerate() {
        let (x, y) = middle(at);
        let fill = node.kind.map_or("white", color);
        let (target, learned) = node.pair;
        let _ = writeln!(
            svg,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\" fill=\"{fill}\" stroke=\"#333\"><title>{}</title></circle>\n\
             <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{target}</text>\n\
             <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{learned}</text>",
            xml(&node.word.escape_debug().to_string()),
            y - 3,
            y + 12,
        );
    }
    svg += &legend(&tree, height - 14);
    if tree.left_out > 0 {
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"26\" text-anchor=\"end\">{} more pairs of states are not shown</text>",
            width - 16,
            tree.left_out
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// The arrows from pair to pair, whose middles are given by their places.
fn edges(tree: &PairTree, middle: impl Fn(usize) -> (usize, usize)) -> String {
    let mut svg = String::new();
    for (at, node) in tree.nodes.iter().enumerate() {
        if let Some((parent, label)) = &node.from {
            let ((x1, y1), (x2, y2)) = (middle(*parent), middle(at));
            let (start, end) = (x1 + RADIUS, x2 - RADIUS);
            let bend = usize::midpoint(start, end);
            let _ = writeln!(
                svg,
                "<path d=\"M{start} {y1}C{bend} {y1} {bend} {y2} {end} {y2}\" fill=\"none\" stroke=\"#888\"/>\n\
                 <path d=\"M{end} {y2}l-7 -4v8z\" fill=\"#888\"/>\n\
                 <text x=\"{x}\" y=\"{y}\" text-anchor=\"end\" font-family=\"monospace\">{label}</text>",
                x = end - 9,
                y = y2 - 5,
                label = xml(&shortened(label)),
            );
        }
    }
    svg
}

/// What the colors stand for.
fn legend(tree: &PairTree, y: usize) -> String {
    let mut svg = String::new();
    let mut x = 16;
    let kinds: BTreeSet<OutputDifference> = tree.nodes.iter().filter_map(|node| node.kind).collect();
    for kind in kinds {
        let _ = writeln!(
            svg,
            "<circle cx=\"{}\" cy=\"{}\" r=\"6\" fill=\"{}\" stroke=\"#333\"/>\n<text x=\"{}\" y=\"{y}\">{kind}</text>",
            x + 6,
            y - 4,
            color(kind),
            x + 18,
        );
        x += 190;
    }
    svg
}

fn color(kind: OutputDifference) -> &'static str {
    match kind {
        OutputDifference::Accepted => "#f4a261",
        OutputDifference::Rejected => "#8ecae6",
        OutputDifference::OtherOutput => "#cdb4db",
        OutputDifference::Crashed | OutputDifference::TimedOut => "#e63946",
    }
}

fn xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// What fits on an edge.
fn shortened(label: &str) -> String {
    if label.chars().count() <= 10 {
        return label.to_owned();
    }
    label.chars().take(7).chain("...".chars()).collect()
}

struct PairTree {
    nodes: Vec<PairNode>,
    /// How many differences there was no room for.
    left_out: usize,
}

struct PairNode {
    pair: (State, State),
    /// The string that leads here.
    word: String,
    /// From which node, by which characters.
    from: Option<(usize, String)>,
    /// Whether the pair differs.
    kind: Option<OutputDifference>,
}

impl PairTree {
    fn of(learned: &Learned) -> PairTree {
        let pair = (learned.target().start(), learned.machine().start());
        let mut tree = PairTree {
            nodes: vec![PairNode {
                pair,
                word: String::new(),
                from: None,
                kind: None,
            }],
            left_out: 0,
        };
        let groups = learned.groups();
        let first = groups.iter().map(|group| group.differences[0]);
        let others = groups.iter().flat_map(|group| &group.differences[1..]).copied();
        for at in first.chain(others) {
            let difference = &learned.differences[at];
            let pairs = learned.states_on_the_way(&difference.witness);
            let new = pairs.iter().filter(|pair| tree.nodes.iter().all(|node| node.pair != **pair)).count();
            if tree.nodes.len() + new > NODES {
                tree.left_out += 1;
                continue;
            }
            let mut here = 0;
            for ((place, character), pair) in difference.witness.char_indices().zip(&pairs[1..]) {
                here = tree.nodes.iter().position(|node| node.pair == *pair).unwrap_or_else(|| {
                    tree.nodes.push(PairNode {
                        pair: *pair,
                        word: difference.witness[..place + character.len_utf8()].to_owned(),
                        from: Some((here, ranges(&learned.characters_like(character)))),
                        kind: None,
                    });
                    tree.nodes.len() - 1
                });
            }
            tree.nodes[here].kind = Some(difference.kind());
        }
        tree
    }

    /// Where the nodes stand: a column for each length, a row for each leaf, parents in the middle of their children.
    fn places(&self) -> Vec<(usize, usize)> {
        let mut places = vec![(0, 0); self.nodes.len()];
        let mut row = 0;
        self.place(0, 0, &mut row, &mut places);
        places
    }

    fn place(&self, at: usize, column: usize, row: &mut usize, places: &mut [(usize, usize)]) {
        let is_child = |node: &PairNode| node.from.as_ref().is_some_and(|(parent, _)| *parent == at);
        let children: Vec<usize> = (0..self.nodes.len()).filter(|&child| is_child(&self.nodes[child])).collect();
        for &child in &children {
            self.place(child, column + 1, row, places);
        }
        let y = match (children.first(), children.last()) {
            (Some(&first), Some(&last)) => usize::midpoint(places[first].1, places[last].1),
            _ => {
                *row += 1;
                (*row - 1) * DOWN
            }
        };
        places[at] = (column * ACROSS, y);
    }
}
