//! Mutants of relativization that are made by rule. RFC 3986 has no such operation: an answer is right if it resolves to the target
//! (§5.2.2), and the target itself does. So an answer is the target, but where the fault makes another of it.

use rfc3986_reference::components::parse;
use uriproof::model::{Component, Components, Reading};

use super::faults::{AlgorithmFault, RelativizeFault};

/// Each fault that shows. The case of a scheme or a host does not count (§6.2.2.1), and a port has none.
pub(super) fn of_relativize() -> Vec<AlgorithmFault> {
    let with_case = [
        Component::Userinfo,
        Component::Path,
        Component::Query,
        Component::Fragment,
    ];
    let of_components = Component::TEXTS.map(RelativizeFault::Ignored);
    let of_case = with_case.map(RelativizeFault::CaseIgnored);
    let of_paths = [RelativizeFault::CommonCharacters, RelativizeFault::FolderAsPrefix];
    let all = of_components.into_iter().chain(of_case).chain(of_paths);
    all.map(AlgorithmFault::Relativize).collect()
}

/// What a relativizer with the fault answers; `None` if it is the target.
pub(super) fn relativized(base: &str, target: &str, fault: RelativizeFault) -> Option<String> {
    let of_uri = |text: &str| {
        let parsed = parse(text, Reading::Rfc3986).ok()?;
        Some(Components::from(&parsed)).filter(|components| components.scheme.is_some())
    };
    let (base, target) = (of_uri(base)?, of_uri(target)?);
    let is_same = |component: Component| base.text(component) == target.text(component);
    let are_same_before =
        |component: Component| Component::TEXTS.into_iter().take_while(|&before| before != component).all(is_same);
    match fault {
        RelativizeFault::Ignored(component) | RelativizeFault::CaseIgnored(component) => {
            let (of_base, of_target) = (base.text(component), target.text(component));
            let is_taken = match fault {
                RelativizeFault::CaseIgnored(_) => {
                    of_base.zip(of_target).is_some_and(|(one, other)| one.eq_ignore_ascii_case(other))
                }
                _ => true,
            };
            let differs = is_taken && !is_same(component) && are_same_before(component);
            differs.then(|| target.clone().with(component, of_base).recompose())
        }
        RelativizeFault::CommonCharacters | RelativizeFault::FolderAsPrefix if !are_same_before(Component::Path) => {
            None
        }
        RelativizeFault::CommonCharacters => {
            let common = common_characters(&base.path, &target.path);
            let is_of_segments = common == 0 || target.path[..common].ends_with('/');
            let up = "../".repeat(base.path[common..].matches('/').count());
            let is_mistaken = !is_of_segments && base.path != target.path;
            is_mistaken.then(|| relative(&target, &format!("{up}{}", &target.path[common..])))
        }
        RelativizeFault::FolderAsPrefix => {
            let (folder, _) = base.path.rsplit_once('/')?;
            let rest = target.path.strip_prefix(folder)?;
            let is_mistaken = !folder.is_empty() && !rest.is_empty() && !rest.starts_with('/');
            is_mistaken.then(|| relative(&target, rest))
        }
    }
}

/// How many octets of both are the same at their beginning.
fn common_characters(one: &str, other: &str) -> usize {
    let pairs = one.chars().zip(other.chars());
    pairs.take_while(|(one, other)| one == other).map(|(one, _)| one.len_utf8()).sum()
}

/// A relative reference with this path, and the query and fragment of the target.
fn relative(target: &Components, path: &str) -> String {
    let reference = Components {
        path: path.to_owned(),
        query: target.query.clone(),
        fragment: target.fragment.clone(),
        ..Components::default()
    };
    reference.recompose()
}
