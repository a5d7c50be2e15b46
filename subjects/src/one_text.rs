//! An authority for subjects that take it as one text, between whose parts they could tell no delimiter from data.

use uriproof::model::{Components, Outcome};

/// The authority of `components`, if it has one.
///
/// # Errors
///
/// `unsupported`, where a delimiter inside a part would stand for another division, and where there is no host to stand
/// beside userinfo or port.
pub fn authority(components: &Components) -> Result<Option<String>, Box<Outcome>> {
    let Components {
        userinfo, host, port, ..
    } = components;
    let Some(host) = host else {
        if userinfo.is_some() || port.is_some() {
            return Err(Outcome::unsupported("builds no authority without a host").into());
        }
        return Ok(None);
    };
    let inside = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let moves = userinfo.as_ref().is_some_and(|userinfo| userinfo.contains('@'))
        || inside.unwrap_or(host).contains(['@', '[', ']'])
        || (inside.is_none() && host.contains(':'))
        || port.as_ref().is_some_and(|port| port.contains([':', '@', ']']));
    if moves {
        return Err(Outcome::unsupported("builds an authority from one text").into());
    }
    Ok(components.authority())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(userinfo: Option<&str>, host: Option<&str>, port: Option<&str>) -> Option<Option<String>> {
        authority(&Components {
            userinfo: userinfo.map(str::to_owned),
            host: host.map(str::to_owned),
            port: port.map(str::to_owned),
            ..Components::default()
        })
        .ok()
    }

    #[test]
    fn no_part_is_taken_for_another() {
        assert_eq!(of(None, None, None), Some(None));
        assert_eq!(of(Some("u:p"), Some("h"), Some("1")), Some(Some("u:p@h:1".to_owned())));
        assert_eq!(of(None, Some("[::1]"), Some("")), Some(Some("[::1]:".to_owned())));
        for (userinfo, host, port) in [
            (None, Some("u@h"), None),
            (None, Some("h:1"), None),
            (Some("u@v"), Some("h"), None),
            (None, Some("[::1"), Some("2]")),
            (None, None, Some("1")),
        ] {
            assert_eq!(of(userinfo, host, port), None, "{userinfo:?} {host:?} {port:?}");
        }
    }
}
