//! The texts that a library reads otherwise than the standard.

use whatwg_url_reference::code_points::{
    is_ascii_tab_or_newline, is_c0_control_or_space, is_double_dot_url_path_segment,
    is_normalized_windows_drive_letter, is_single_dot_url_path_segment, starts_with_a_windows_drive_letter,
};
use whatwg_url_reference::parser::{basic_url_parser, parse_traced};
use whatwg_url_reference::record::{UrlPath, UrlRecord, is_special_scheme};
use whatwg_url_reference::trace::UrlState;
use whatwg_url_reference::validation::ValidationError;

use super::is_drive;
use super::masks::Masks;
use crate::catalogue::UrlDeparture;

/// A text without the C0 controls and spaces at its ends, which the parser removes first.
pub(super) fn trimmed(text: &str) -> &str {
    text.trim_matches(is_c0_control_or_space)
}

/// A text as the parser reads it: without what it removes first.
pub(super) fn cleaned(text: &str) -> String {
    trimmed(text).replace(is_ascii_tab_or_newline, "")
}

/// The scheme of a text, and what is after its colon.
fn scheme_of(text: &str) -> Option<(&str, &str)> {
    let is_of_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    let (scheme, behind) = text.split_once(':')?;
    (scheme.starts_with(|first: char| first.is_ascii_alphabetic()) && scheme.chars().all(is_of_scheme))
        .then_some((scheme, behind))
}

/// What a text of a file URL has after its scheme, if it has one.
fn of_file<'a>(text: &'a str, base: Option<&UrlRecord>) -> Option<&'a str> {
    match scheme_of(text) {
        Some((scheme, behind)) => scheme.eq_ignore_ascii_case("file").then_some(behind),
        None => base.is_some_and(|base| base.scheme() == "file").then_some(text),
    }
}

/// Whether dot-segments remove all of these segments and the `kept` ones before them, so that the path is still empty after them. They
/// remove no drive letter.
fn are_removed<'a>(mut kept: usize, segments: impl Iterator<Item = &'a str>) -> bool {
    for segment in segments {
        if is_drive(segment) {
            return false;
        }
        if is_double_dot_url_path_segment(segment) {
            kept = kept.saturating_sub(1);
        } else if !is_single_dot_url_path_segment(segment) {
            kept += 1;
        }
    }
    kept == 0
}

fn is_slash(c: char) -> bool {
    matches!(c, '/' | '\\')
}

/// A text with a slash for the tabs and newlines after a drive letter with which the path of a file URL begins, where a segment goes on
/// after them. That segment is written as it is: a dot-segment is masked. `delimiters` end the path.
pub(super) fn with_slash_for_tab(
    text: &str,
    base: Option<&UrlRecord>,
    delimiters: &[char],
    masks: &Masks,
) -> Option<String> {
    if !text.contains(is_ascii_tab_or_newline) {
        return None;
    }
    let of_base = segments_of(base.filter(|base| base.scheme() == "file"), masks);
    let tab = text.match_indices(is_ascii_tab_or_newline).map(|(at, _)| at).find(|&at| {
        let before = text[..at].replace(is_ascii_tab_or_newline, "");
        let Some(path) = of_file(&before, base) else {
            return false;
        };
        let segment = path.rsplit(is_slash).next().unwrap_or_default();
        let is_of_path = !path.contains(delimiters);
        is_of_path
            && is_normalized_windows_drive_letter(segment)
            && begins_path(&path[..path.len() - segment.len()], &of_base)
    })?;
    let rest = text[tab..].trim_start_matches(is_ascii_tab_or_newline);
    let is_end = |c: char| is_slash(c) || delimiters.contains(&c);
    let goes_on = !rest.is_empty() && !rest.starts_with(is_end);
    let end = rest.find(is_end).unwrap_or(rest.len());
    let segment = rest[..end].replace(is_ascii_tab_or_newline, "");
    let is_dots = is_single_dot_url_path_segment(&segment) || is_double_dot_url_path_segment(&segment);
    goes_on.then(|| match is_dots {
        true => format!("{}/{}{rest}", &text[..tab], masks.start),
        false => format!("{}/{rest}", &text[..tab]),
    })
}

/// The segments of the path of a base, without masks; none of an opaque path.
fn segments_of(base: Option<&UrlRecord>, masks: &Masks) -> Vec<String> {
    match base.map(UrlRecord::path) {
        Some(UrlPath::Segments(segments)) => segments.iter().map(|segment| masks.lifted_from(segment, "^")).collect(),
        _ => Vec::new(),
    }
}

/// Whether the path of a file URL is empty after this text, which ends in a slash or is empty, and has no authority or a host. `of_base`
/// are the segments of a base that is a file URL.
fn begins_path(start: &str, of_base: &[String]) -> bool {
    let mut kept = 0;
    let of_path = match start.strip_prefix(is_slash).map(|start| (start, start.strip_prefix(is_slash))) {
        None if of_base.iter().any(|segment| is_drive(segment)) => return false,
        None => {
            kept = of_base.len().saturating_sub(1);
            start
        }
        // A drive letter with which the path of the base begins is kept.
        Some((_, None)) if of_base.first().is_some_and(|first| is_normalized_windows_drive_letter(first)) => {
            return false;
        }
        Some((path, None)) => path,
        Some((_, Some(authority))) => match authority.split_once(is_slash) {
            // A drive letter in the place of a host is the first segment.
            Some((host, path)) if !host.is_empty() && !is_drive(host) => path,
            _ => return false,
        },
    };
    are_removed(kept, of_path.split_terminator(is_slash))
}

/// Where the bars of drive letters are that stay, in a file URL with an empty host: the library has an empty segment before the path, and
/// sees no drive letter in what follows it, where the standard's path is empty.
pub(super) fn bars_after_empty_host(text: &str, base: Option<&UrlRecord>) -> Vec<usize> {
    let after_slashes = |text: &'_ str| Some(text.strip_prefix(is_slash)?.strip_prefix(is_slash)?.len());
    let after_slashes = of_file(text, base).and_then(after_slashes).map(|length| &text[text.len() - length..]);
    let Some((host, path)) = after_slashes.and_then(|authority| authority.split_once(is_slash)) else {
        return Vec::new();
    };
    if !host.is_empty() && !host.eq_ignore_ascii_case("localhost") {
        return Vec::new();
    }
    let (mut bars, mut of_standard, mut of_library) = (Vec::new(), 0_usize, 1_usize);
    let mut at = text.len() - path.len();
    for segment in path[..path.find(['?', '#']).unwrap_or(path.len())].split(is_slash) {
        if is_double_dot_url_path_segment(segment) {
            (of_standard, of_library) = (of_standard.saturating_sub(1), of_library.saturating_sub(1));
        } else if !is_single_dot_url_path_segment(segment) {
            if is_drive(segment) && of_standard == 0 {
                if of_library == 0 || !segment.ends_with('|') {
                    // From here on both have a drive letter, which no dot-segment removes.
                    break;
                }
                bars.push(at + 1);
            }
            (of_standard, of_library) = (of_standard + 1, of_library + 1);
        }
        at += segment.len() + 1;
    }
    bars
}

impl UrlDeparture {
    /// Whether a text is refused.
    pub(super) fn refuses(self, text: &str, base: Option<&UrlRecord>) -> bool {
        match self {
            UrlDeparture::SlashesOfRelativeReference => {
                let is_base = |base: &UrlRecord| base.is_special() && base.scheme() != "file";
                base.is_some_and(is_base)
                    && text.strip_prefix("//").is_some_and(|behind| behind.starts_with(['/', '\\']))
            }
            _ => false,
        }
    }

    /// Another text in the place of one that is read.
    pub(super) fn reads(self, text: &str, base: Option<&UrlRecord>, masks: &Masks) -> Option<String> {
        match self {
            UrlDeparture::EmptyHostAfterEmptyCredentials => without_empty_credentials(text, base),
            UrlDeparture::BackslashAfterPort => with_slash_after_port(text, base),
            UrlDeparture::BackslashOfRelativeReference => {
                base.filter(|base| !base.is_special() && !base.has_opaque_path()).and_then(|_| with_slashes(text))
            }
            UrlDeparture::DriveLetterAtEndOfBase => base.and_then(|base| behind_drive_letter(text, base)),
            UrlDeparture::DotDotAfterDriveLetter => without_dot_dot(text, base, masks),
            _ => None,
        }
    }
}

/// The offset of the code point at which parsing fails with an error.
fn failure(text: &str, base: Option<&UrlRecord>, error: ValidationError) -> Option<usize> {
    let parse = basic_url_parser(text, base);
    let last = parse.errors.last().filter(|last| parse.url.is_none() && last.error == error)?;
    Some(last.offset)
}

/// Whether a text has a host of its own, begins with a Windows drive letter, or begins with a slash after which the base's is kept.
pub(super) fn shows_drive_letter(text: &str, base: Option<&UrlRecord>) -> bool {
    let behind = of_file(text, base).unwrap_or(text);
    let path = behind.strip_prefix(is_slash).unwrap_or(behind);
    let is_first = |base: &UrlRecord| match base.path() {
        UrlPath::Segments(segments) => segments.first().is_some_and(|first| is_normalized_windows_drive_letter(first)),
        UrlPath::Opaque(_) => false,
    };
    starts_with_a_windows_drive_letter(path)
        || behind.starts_with(is_slash) && base.is_some_and(is_first)
        || parse_traced(text, base).runs.iter().any(|run| run.state == UrlState::FileHost)
}

/// Whether a text is of a scheme that is special, its own or that of the base.
fn is_special(text: &str, base: Option<&UrlRecord>) -> bool {
    match scheme_of(text) {
        Some((scheme, _)) => is_special_scheme(&scheme.to_ascii_lowercase()),
        None => base.is_some_and(UrlRecord::is_special),
    }
}

fn without_empty_credentials(text: &str, base: Option<&UrlRecord>) -> Option<String> {
    if !text.contains('@') || is_special(text, base) {
        return None;
    }
    failure(text, base, ValidationError::HostMissing)?;
    let traced = parse_traced(text, base);
    let last = traced.runs.last().filter(|run| run.state == UrlState::Authority)?;
    let start = text[..last.offset].rfind("//")? + 2;
    let is_empty = match &text[start..last.offset] {
        "@" => last.code_point.is_none(),
        credentials => credentials == ":@",
    };
    is_empty.then(|| [&text[..start], &text[last.offset..]].concat())
}

fn with_slash_after_port(text: &str, base: Option<&UrlRecord>) -> Option<String> {
    if !text.contains('\\') {
        return None;
    }
    let offset = failure(text, base, ValidationError::PortInvalid)?;
    let (before, behind) = text.split_at(offset);
    behind.starts_with('\\').then(|| format!("{before}/{behind}"))
}

/// A relative reference that begins with slashes of which one is "\".
fn with_slashes(text: &str) -> Option<String> {
    let behind = text.trim_start_matches(['/', '\\']);
    match &text[..text.len() - behind.len()] {
        slashes if slashes.starts_with("//") || !slashes.starts_with(['/', '\\']) => None,
        "/" => None,
        "\\" => Some(format!("/{behind}")),
        _ => Some(format!("//{behind}")),
    }
}

/// Whether a text has a double-dot segment, and a segment like a Windows drive letter, or the segments of the base have: most
/// texts do not, and need not be parsed.
fn has_dot_dot_and_drive_letter(text: &str, of_base: &[String]) -> bool {
    // A path begins after a slash, after the colon of a scheme, or with the text.
    let mut names = text.split(['/', '\\', '?', '#']).map(|part| match part.split_once(':') {
        Some((_, name)) if !is_drive(part) => name,
        _ => part,
    });
    let has_dot_dot = names.clone().any(is_double_dot_url_path_segment);
    has_dot_dot && (names.any(is_drive) || of_base.iter().any(|segment| is_drive(segment)))
}

/// The text without the double-dot segments that follow a segment like a Windows drive letter, which a "\" ends too, where that is no slash.
fn without_dot_dot(text: &str, base: Option<&UrlRecord>, masks: &Masks) -> Option<String> {
    let of_base = segments_of(base, masks);
    if !has_dot_dot_and_drive_letter(text, &of_base) {
        return None;
    }
    let traced = parse_traced(text, base);
    let url = traced.parse.url.as_ref()?;
    let start = traced.runs.iter().find(|run| run.state == UrlState::Path)?.offset;
    let rest = &text[start..];
    let path = &rest[..rest.find(['?', '#']).unwrap_or(rest.len())];
    let is_relative = traced.runs.iter().any(|run| run.state == UrlState::Relative || run.state == UrlState::File)
        && !traced.runs.iter().any(|run| run.state == UrlState::PathStart || run.state == UrlState::Authority);
    let mut segments = match is_relative && !text[..start].ends_with(['/', '\\']) {
        true => of_base,
        false => Vec::new(),
    };
    segments.pop();
    let kept = with_dot_dot_kept(path, url.is_special(), segments, |segments| {
        segments.last().is_some_and(|last| is_drive(last.split('\\').next().unwrap_or_default()))
    });
    (kept != path).then(|| [&text[..start], &*kept, &rest[path.len()..]].concat())
}

/// A path in which a double-dot segment is a single-dot segment where it would remove one of `segments` that is kept; `segments` are at
/// first those before the path.
pub(super) fn with_dot_dot_kept(
    path: &str,
    is_special: bool,
    mut segments: Vec<String>,
    is_kept: impl Fn(&[String]) -> bool,
) -> String {
    let is_slash = |c: char| c == '/' || c == '\\' && is_special;
    let mut kept = String::new();
    for segment in path.split_inclusive(is_slash) {
        let name = segment.trim_end_matches(is_slash);
        if is_double_dot_url_path_segment(name) {
            if is_kept(&segments) {
                kept += &segment.replace(name, ".");
                continue;
            }
            segments.pop();
        } else if !(is_single_dot_url_path_segment(name) || name.is_empty() && segments.is_empty() && kept.is_empty()) {
            segments.push(name.to_owned());
        }
        kept += segment;
    }
    kept
}

/// A relative path behind the whole path of a file URL that ends in a segment like a Windows drive letter, which is not its first.
fn behind_drive_letter(text: &str, base: &UrlRecord) -> Option<String> {
    let UrlPath::Segments(segments) = base.path() else {
        return None;
    };
    let ends_in_drive =
        segments.len() > 1 && segments.last().is_some_and(|last| is_normalized_windows_drive_letter(last));
    let text = of_file(text, Some(base))?;
    let is_path =
        !text.is_empty() && !text.starts_with(['/', '\\', '?', '#']) && !starts_with_a_windows_drive_letter(text);
    if base.scheme() != "file" || !ends_in_drive || !is_path {
        return None;
    }
    let end = text.find(['/', '\\', '?', '#']).unwrap_or(text.len());
    let first = match &text[..end] {
        single if is_single_dot_url_path_segment(single) && !text[end..].starts_with(['/', '\\']) => "/",
        single if is_single_dot_url_path_segment(single) => "",
        double if is_double_dot_url_path_segment(double) => "",
        first => first,
    };
    Some(format!("/{}{first}{}", segments.join("/"), &text[end..]))
}
