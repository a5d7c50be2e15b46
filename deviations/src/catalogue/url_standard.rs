//! What a library does otherwise than the WHATWG URL Standard, which it follows.

use serde::{Deserialize, Serialize};

use super::Deviation;
use crate::url_rules::UrlRule;

impl Deviation {
    /// The rule of the URL Standard that it follows, if it is one.
    pub(crate) fn url_rule(&self) -> Option<UrlRule> {
        match self {
            Deviation::FollowsUrlRule { rule } => Some(*rule),
            _ => None,
        }
    }
}

macro_rules! departures {
    ($($(#[doc = $doc:literal])+ $variant:ident $sentence:literal $section:literal $step:literal;)+) => {
        /// One thing that a library does otherwise than the WHATWG URL Standard.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
        #[serde(rename_all = "kebab-case")]
        #[non_exhaustive]
        pub enum UrlDeparture {
            $($(#[doc = $doc])+ #[doc = concat!(" (<https://url.spec.whatwg.org/#", $section, ">).")] $variant,)+
        }

        impl UrlDeparture {
            /// All of them.
            pub const ALL: &'static [UrlDeparture] = &[$(UrlDeparture::$variant),+];

            /// The departure in one sentence, of which the library is the subject.
            pub(super) fn sentence(self) -> &'static str {
                match self { $(UrlDeparture::$variant => $sentence,)+ }
            }

            /// The step of the standard from which it departs, by its id among the clauses: an anchor, and the number of the step after a
            /// slash.
            pub fn step(self) -> &'static str {
                match self { $(UrlDeparture::$variant => concat!("#", $section, $step),)+ }
            }
        }
    };
}

departures! {
    /// Leaves "^" in a path as it is
    CaretsInPaths "does not encode \"^\" in a path" "path-percent-encode-set" "";
    /// Leaves a space at the end of an opaque path as it is, before a query or fragment
    SpaceAfterOpaquePath "does not encode a space at the end of an opaque path" "cannot-be-a-base-url-path-state" "/3.2";
    /// Refuses an ASCII domain with a label that begins like Punycode and is none
    InvalidPunycode "refuses an ASCII domain with a label that is no Punycode" "concept-domain-to-ascii" "/5";
    /// Takes "\" at the beginning of a relative reference to a URL that is not special for "/"
    BackslashOfRelativeReference "reads \"\\\" at the start of a reference to a URL that is not special as \"/\"" "relative-state" "/4";
    /// Takes an empty host after credentials that are an "@" at the end, or ":@", in a URL that is not special
    EmptyHostAfterEmptyCredentials "accepts an empty host after empty credentials" "authority-state" "/2.1";
    /// Takes "\" after the port of a URL that is not special for the beginning of a path
    BackslashAfterPort "accepts \"\\\" after the port of a URL that is not special" "port-state" "/2";
    /// Refuses a relative reference to a special URL with more than two slashes at its beginning
    SlashesOfRelativeReference "refuses a reference of three slashes to a special URL" "special-authority-ignore-slashes-state" "/2";
    /// Writes a relative path directly after a drive letter in which the path of a file URL ends, and does not remove that
    DriveLetterAtEndOfBase "keeps a drive letter at the end of a base's path" "shorten-a-urls-path" "/4";
    /// Removes no segment that is like a Windows drive letter for a double-dot segment, whatever the scheme
    DotDotAfterDriveLetter "keeps a segment like a drive letter that \"..\" removes" "shorten-a-urls-path" "/3";
    /// Leaves the bar of a Windows drive letter after an empty host
    BarOfDriveLetter "leaves the bar of a drive letter after an empty host" "path-state" "/1.4.1";
    /// Ends a segment that is a Windows drive letter where a tab or newline follows
    TabAfterDriveLetter "ends a drive letter at a tab or newline" "concept-basic-url-parser" "/3";
    /// Drops the host of a file URL whose path begins with a Windows drive letter
    HostBeforeDriveLetter "drops the host of a file URL before a drive letter" "path-state" "/1.4.1";
    /// Drops the empty segments at the beginning of the path of a file URL
    SlashesOfFilePaths "drops empty segments at the start of the path of a file URL" "path-state" "/1.4.2";
    /// Refuses a value that a setter ignores
    ErrorsOfSetters "refuses a value that a setter of the standard ignores" "dom-url-host" "/set-1";
    /// Refuses a scheme that is set with text after its colon, or to "file" where there is an authority
    SchemeOfFileUrls "refuses to set the scheme to \"file\" where there is an authority" "scheme-state" "/2.1.3";
    /// Sets the host that the host parser makes of a value up to its first colon, even an empty one after credentials
    HostUpToColon "sets a host up to the first colon of a value" "host-state" "/2.2";
    /// Removes the authority of a URL whose host is set to undefined
    RemovalOfHost "removes the authority for a host that is undefined" "dom-url-hostname" "/set-2";
    /// Sets an opaque path, with the delimiters of query and fragment in it
    OpaquePaths "sets an opaque path, with its delimiters as they are" "dom-url-pathname" "/set-1";
    /// Writes a path that is set in the place of the one before, whatever that reads as
    PathsAsTheyAre "writes a path that is set where it reads as an authority" "dom-url-pathname" "/set-3";
    /// Makes a reference of the texts of two paths, whether it leads to the target or not; the standard makes none, and its parser takes what
    /// is before a colon for a scheme
    RelativizesByText "relativizes by the texts of paths, wherever the reference leads" "scheme-state" "/2.2";
}
