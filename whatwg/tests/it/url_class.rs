//! A class `URL` of JavaScript, run by Node.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;

use serde_json::{Value, json};

use crate::comparison::generate::Generated;
use crate::comparison::rules::is_other_code_point;
use crate::comparison::{ATTRIBUTES, Answer, Behaviour, Rule, Tally, Version, generated};

/// Takes the class of the module that the first argument names, or else Node's. Reads a JSON array from each line: input, base, setter,
/// value. Writes the two answers as JSON arrays or null, and for each code point that is not ASCII the host that it is alone, and between
/// letters.
const SCRIPT: &str = r#"
const Class = process.argv[1] ? require(process.argv[1]).URL : URL;
const attributes = ["href", "origin", "protocol", "username", "password", "host", "port", "pathname", "search", "hash"];
const host = domain => { try { return new Class("https://" + domain).hostname; } catch { return null; } };
const answer = url => attributes.map(name => url[name]);
require("readline").createInterface({ input: process.stdin }).on("line", line => {
  const [input, base, setter, value] = JSON.parse(line);
  let url, parsed = null, set = null;
  try { url = base === null ? new Class(input) : new Class(input, base); } catch {}
  if (url) {
    parsed = answer(url);
    try { url[setter] = value; } catch {}
    set = answer(url);
  }
  const alone = {};
  for (const c of input + value) {
    if (c > "\u007f") alone[c] = [host(c), host("a" + c + "b")];
  }
  process.stdout.write(JSON.stringify([parsed, set, alone]) + "\n");
});
"#;

/// A class, and how it differs from the reference.
pub(crate) struct UrlClass {
    /// What has the class, with its version.
    pub(crate) name: String,
    pub(crate) version: Version,
    /// The path of the module with the class; `None` for Node's.
    pub(crate) module: Option<PathBuf>,
    /// Where it is described that the class ends the process, if it is known to do so.
    pub(crate) crash: Option<&'static str>,
    pub(crate) rules: &'static [Rule],
}

impl UrlClass {
    /// Compares this many inputs, and panics if a difference has no rule.
    pub(crate) fn compare(&self, count: usize) {
        let (mut tally, mut number) = (Tally::default(), 0);
        while number < count {
            number = self.compare_from(number, count, &mut tally);
            if number < count {
                let (crash, case) = self.compare_until_crash(number, count, &mut tally);
                let link = self.crash.unwrap_or_else(|| panic!("{} ends the process: {case:?}", self.name));
                println!("{} crashes ({link}): {case:?}", self.name);
                assert!(tally.crash(), "{} crashes too often", self.name);
                number = crash + 1;
            }
        }
        tally.conclude(&self.name, self.version, self.rules);
    }

    /// Starts Node. It writes a stack where an assertion fails, which is of no use here.
    fn start(&self) -> Child {
        let mut node = Command::new("node");
        node.args(["-e", SCRIPT, "--"]).args(&self.module);
        node.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
    }

    /// Compares the inputs from the one with the number `from`, and returns the number of the first that has no whole answer.
    fn compare_from(&self, from: usize, count: usize, tally: &mut Tally) -> usize {
        let mut node = self.start();
        let mut stdin = node.stdin.take().unwrap();
        let writer = thread::spawn(move || {
            // A process that ended reads no more.
            let _ = generated(count).skip(from).try_for_each(|case| stdin.write_all(line_of(&case).as_bytes()));
        });
        let mut stdout = BufReader::new(node.stdout.take().unwrap());
        let mut number = from;
        for case in generated(count).skip(from) {
            let mut line = String::new();
            stdout.read_line(&mut line).unwrap();
            if !line.ends_with('\n') {
                break;
            }
            let (theirs, has_other_code_point) = read_answer(&line);
            tally.compare(&case, theirs, has_other_code_point, self.rules);
            number += 1;
        }
        node.wait().unwrap();
        writer.join().unwrap();
        number
    }

    /// Compares the inputs one by one from the one with the number `from`, and returns the one that ends the process, with its number.
    fn compare_until_crash(&self, from: usize, count: usize, tally: &mut Tally) -> (usize, Generated) {
        let mut node = self.start();
        let mut stdin = node.stdin.take().unwrap();
        let mut stdout = BufReader::new(node.stdout.take().unwrap());
        let mut crash = None;
        for (number, case) in generated(count).enumerate().skip(from) {
            let mut line = String::new();
            let is_written = stdin.write_all(line_of(&case).as_bytes()).is_ok();
            if !is_written || stdout.read_line(&mut line).unwrap() == 0 {
                crash = Some((number, case));
                break;
            }
            let (theirs, has_other_code_point) = read_answer(&line);
            tally.compare(&case, theirs, has_other_code_point, self.rules);
        }
        drop(stdin);
        node.wait().unwrap();
        crash.expect("Node ended, and does not for any input alone")
    }
}

/// A line that the script reads.
fn line_of(case: &Generated) -> String {
    let Generated {
        input,
        base,
        setter,
        value,
    } = case;
    format!("{}\n", json!([input, base, setter, value]))
}

/// What the script writes: the behaviour, and whether a code point that is not ASCII has another host than the reference's.
fn read_answer(line: &str) -> (Behaviour, bool) {
    let value: Value = serde_json::from_str(line).unwrap();
    let behaviour = Behaviour {
        parsed: answer(&value[0]),
        set: answer(&value[1]),
    };
    let mut code_points = value[2].as_object().unwrap().iter();
    let is_other = code_points.any(|(c, hosts)| is_other_code_point(c, hosts[0].as_str(), hosts[1].as_str()));
    (behaviour, is_other)
}

fn answer(value: &Value) -> Answer {
    let attributes = value.as_array()?;
    assert_eq!(attributes.len(), ATTRIBUTES.len());
    Some(std::array::from_fn(|at| attributes[at].as_str().unwrap().to_owned()))
}
