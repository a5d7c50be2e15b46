//! Where the authority ends, and the path.

use whatwg_url_reference::code_points::{
    is_double_dot_url_path_segment, is_normalized_windows_drive_letter, is_single_dot_url_path_segment,
    is_windows_drive_letter,
};
use whatwg_url_reference::percent::{C0_CONTROL, PATH};
use whatwg_url_reference::record::is_special_scheme;

use super::{Acting, Parting, is_path};

/// The authority and the path of what is between scheme and query.
pub(super) fn divide(scheme: &str, rest: &str, acting: &mut Acting) -> (Option<String>, String) {
    if !is_special_scheme(scheme) {
        return match rest.strip_prefix("//") {
            Some(rest) => at_slash(rest),
            None => (None, rest.to_owned()),
        };
    }
    acting.note(Parting::Backslash, rest.contains('\\'));
    let rest = &*rest.replace('\\', "/");
    if scheme == "file" {
        return divide_file(rest, acting);
    }
    let after = rest.trim_start_matches('/');
    acting.note(Parting::Slashes, rest.len() - after.len() != 2);
    at_slash(after)
}

/// The authority and the path of a `file` URL, which always has a host.
fn divide_file(rest: &str, acting: &mut Acting) -> (Option<String>, String) {
    let Some(after) = rest.strip_prefix("//") else {
        acting.note(Parting::Slashes, true);
        return (
            Some(String::new()),
            format!("/{}", rest.strip_prefix('/').unwrap_or(rest)),
        );
    };
    let (authority, path) = at_slash(after);
    match authority {
        Some(drive) if is_windows_drive_letter(&drive) => {
            acting.note(Parting::DriveLetter, true);
            (Some(String::new()), format!("/{drive}{path}"))
        }
        authority => (authority, path),
    }
}

fn at_slash(text: &str) -> (Option<String>, String) {
    let (authority, path) = text.split_at(text.find('/').unwrap_or(text.len()));
    (Some(authority.to_owned()), path.to_owned())
}

/// The path as it is shown; `has_more` says whether a query or a fragment follows.
pub(super) fn read(scheme: &str, path: &str, has_more: bool, acting: &mut Acting) -> String {
    let is_special = is_special_scheme(scheme);
    if path.is_empty() && is_special {
        acting.note(Parting::EmptyPath, true);
        return "/".to_owned();
    }
    let Some(segments) = path.strip_prefix('/') else {
        let encoded = acting.encode(path, C0_CONTROL, is_path);
        // A space at the end would be dropped when the URL is parsed again.
        return match encoded.strip_suffix(' ') {
            Some(before) if has_more => format!("{before}%20"),
            _ => encoded,
        };
    };
    let mut kept: Vec<String> = Vec::new();
    let mut rest = segments.split('/').peekable();
    while let Some(segment) = rest.next() {
        let is_last = rest.peek().is_none();
        let is_double = is_double_dot_url_path_segment(segment);
        if is_double || is_single_dot_url_path_segment(segment) {
            let is_plain = matches!(segment, "." | "..");
            acting.note(
                if is_plain {
                    Parting::DotSegments
                } else {
                    Parting::EncodedDot
                },
                true,
            );
            if is_double {
                shorten(scheme, &mut kept, acting);
            }
            if is_last {
                kept.push(String::new());
            }
            continue;
        }
        let encoded = acting.encode(segment, PATH, is_path);
        let is_drive = scheme == "file" && kept.is_empty() && is_windows_drive_letter(&encoded);
        kept.push(match is_drive {
            true => format!("{}:", &encoded[..1]),
            false => encoded,
        });
        acting.note(Parting::DriveLetter, is_drive && segment.ends_with('|'));
    }
    kept.iter().map(|segment| format!("/{segment}")).collect()
}

/// Removes the last segment, but no drive letter.
fn shorten(scheme: &str, kept: &mut Vec<String>, acting: &mut Acting) {
    let is_drive = scheme == "file" && matches!(&**kept, [only] if is_normalized_windows_drive_letter(only));
    acting.note(Parting::DriveLetter, is_drive);
    if !is_drive {
        kept.pop();
    }
}
