//! Where the authority ends, and the path.

use whatwg_url_reference::code_points::{
    is_double_dot_url_path_segment, is_normalized_windows_drive_letter, is_single_dot_url_path_segment,
    is_windows_drive_letter,
};
use whatwg_url_reference::percent::{C0_CONTROL, PATH};
use whatwg_url_reference::record::is_special_scheme;

use super::{FollowedRules, UrlRule, is_path};

/// The authority and the path of what is between scheme and query.
pub(super) fn divide(scheme: &str, rest: &str, rules: &mut FollowedRules<'_>) -> (Option<String>, String) {
    if !is_special_scheme(scheme) {
        return divide_plain(rest);
    }
    let is_slash = rules.acts(UrlRule::Backslash, rest.contains('\\'));
    let replaced = is_slash.then(|| rest.replace('\\', "/"));
    let rest = replaced.as_deref().unwrap_or(rest);
    if scheme == "file" {
        return divide_file(rest, rules);
    }
    let after = rest.trim_start_matches('/');
    match rules.acts(UrlRule::Slashes, rest.len() - after.len() != 2) {
        true => at_slash(after),
        false => divide_plain(rest),
    }
}

fn divide_plain(rest: &str) -> (Option<String>, String) {
    match rest.strip_prefix("//") {
        Some(rest) => at_slash(rest),
        None => (None, rest.to_owned()),
    }
}

/// The authority and the path of a `file` URL, which always has a host.
fn divide_file(rest: &str, rules: &mut FollowedRules<'_>) -> (Option<String>, String) {
    if rules.acts(UrlRule::Slashes, !rest.starts_with("//")) {
        return (
            Some(String::new()),
            format!("/{}", rest.strip_prefix('/').unwrap_or(rest)),
        );
    }
    match divide_plain(rest) {
        (Some(drive), path) if rules.acts(UrlRule::DriveLetter, is_windows_drive_letter(&drive)) => {
            (Some(String::new()), format!("/{drive}{path}"))
        }
        divided => divided,
    }
}

fn at_slash(text: &str) -> (Option<String>, String) {
    let (authority, path) = text.split_at(text.find('/').unwrap_or(text.len()));
    (Some(authority.to_owned()), path.to_owned())
}

/// The path as it is shown; `has_more` says whether a query or a fragment follows. `None` if it is refused.
pub(super) fn read(scheme: &str, path: &str, has_more: bool, rules: &mut FollowedRules<'_>) -> Option<String> {
    if rules.acts(UrlRule::EmptyPath, path.is_empty() && is_special_scheme(scheme)) {
        return Some("/".to_owned());
    }
    let Some(segments) = path.strip_prefix('/') else {
        let encoded = rules.encode(path, C0_CONTROL, is_path)?;
        // A space at the end would be dropped when the URL is parsed again.
        return Some(match encoded.strip_suffix(' ') {
            Some(before) if has_more => format!("{before}%20"),
            _ => encoded,
        });
    };
    let mut kept: Vec<String> = Vec::new();
    let mut rest = segments.split('/').peekable();
    while let Some(segment) = rest.next() {
        let is_last = rest.peek().is_none();
        let rule = match segment {
            "." | ".." => UrlRule::DotSegments,
            _ => UrlRule::EncodedDot,
        };
        let is_double = is_double_dot_url_path_segment(segment);
        if rules.acts(rule, is_double || is_single_dot_url_path_segment(segment)) {
            if is_double {
                shorten(scheme, &mut kept, rules);
            }
            if is_last {
                kept.push(String::new());
            }
            continue;
        }
        let is_drive = scheme == "file" && kept.is_empty() && is_windows_drive_letter(segment);
        kept.push(
            match rules.acts(UrlRule::DriveLetter, is_drive && segment.ends_with('|')) {
                true => format!("{}:", &segment[..1]),
                false => rules.encode(segment, PATH, is_path)?,
            },
        );
    }
    Some(kept.iter().map(|segment| format!("/{segment}")).collect())
}

/// Removes the last segment, but no drive letter.
fn shorten(scheme: &str, kept: &mut Vec<String>, rules: &mut FollowedRules<'_>) {
    let is_drive = scheme == "file" && matches!(&**kept, [only] if is_normalized_windows_drive_letter(only));
    if !rules.acts(UrlRule::DriveLetter, is_drive) {
        kept.pop();
    }
}
