//! The reference that a library makes of two URLs.

use whatwg_url_reference::host::UrlHost;
use whatwg_url_reference::record::UrlRecord;
use whatwg_url_reference::serializer::serialize_path;

use super::UrlStandard;

/// The reference from one URL to another that is made of the texts of their paths, whether it leads there or not; `None` where scheme,
/// host or port differ, or the base has an opaque path.
pub(super) fn by_text(base: &UrlRecord, target: &UrlRecord, standard: &UrlStandard) -> Option<String> {
    let lifted = |text: &str| standard.masks.lifted_from(text, "^");
    let host = |url: &UrlRecord| url.host().filter(|host| **host != UrlHost::Empty).cloned();
    if base.has_opaque_path()
        || base.scheme() != target.scheme()
        || host(base) != host(target)
        || base.port() != target.port()
    {
        return None;
    }
    let (base_path, target_path) = (lifted(&serialize_path(base)), lifted(&serialize_path(target)));
    let ((base_folder, base_name), (folder, name)) = (cut(&base_path), cut(&target_path));
    let mut from = base_folder.split('/').peekable();
    let mut to = folder.split('/').peekable();
    while from.peek().is_some() && from.peek() == to.peek() {
        from.next();
        to.next();
    }
    let climbs = from.take_while(|segment| !segment.is_empty()).map(|_| "..");
    let mut reference = String::new();
    for segment in climbs.chain(to) {
        if !reference.is_empty() {
            reference.push('/');
        }
        reference += segment;
    }
    if !reference.is_empty() || base_name != name {
        if name.is_empty() || !reference.is_empty() {
            reference.push('/');
        }
        reference += name;
    }
    let query = target.query().map(|query| format!("?{query}")).unwrap_or_default();
    let fragment = target.fragment().map(|fragment| format!("#{fragment}")).unwrap_or_default();
    Some(reference + &lifted(&query) + &lifted(&fragment))
}

/// A path before its last slash, and after it; the first character is taken for a slash where there is none.
fn cut(path: &str) -> (&str, &str) {
    let (folder, name) = path.split_at(path.rfind('/').unwrap_or(0));
    let mut name = name.chars();
    name.next();
    (folder, name.as_str())
}
