//! What a library does otherwise than the WHATWG URL Standard, which it follows.

use serde::{Deserialize, Serialize};

macro_rules! departures {
    ($($(#[doc = $doc:literal])+ $variant:ident $sentence:literal $anchor:literal;)+) => {
        /// One thing that a library does otherwise than the WHATWG URL Standard.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
        #[serde(rename_all = "kebab-case")]
        #[non_exhaustive]
        pub enum UrlDeparture {
            $($(#[doc = $doc])+ #[doc = concat!(" (<https://url.spec.whatwg.org/#", $anchor, ">).")] $variant,)+
        }

        impl UrlDeparture {
            /// All of them.
            pub const ALL: &'static [UrlDeparture] = &[$(UrlDeparture::$variant),+];

            /// The departure in one sentence, of which the library is the subject.
            pub(super) fn sentence(self) -> &'static str {
                match self { $(UrlDeparture::$variant => $sentence,)+ }
            }

            /// The step of the standard from which it departs, as an anchor; `None` where the standard has no such operation.
            pub fn anchor(self) -> Option<&'static str> {
                let anchor = match self { $(UrlDeparture::$variant => concat!("#", $anchor),)+ };
                (anchor != "#").then_some(anchor)
            }
        }
    };
}

departures! {
    /// Leaves "^" in a path as it is
    CaretsInPaths "does not encode \"^\" in a path" "path-percent-encode-set";
    /// Leaves a space at the end of an opaque path as it is, before a query or fragment
    SpaceAfterOpaquePath "does not encode a space at the end of an opaque path" "cannot-be-a-base-url-path-state";
    /// Refuses an ASCII domain with a label that begins like Punycode and is none
    InvalidPunycode "refuses an ASCII domain with a label that is no Punycode" "concept-domain-to-ascii";
    /// Takes an empty host after credentials that are an "@" at the end, or ":@", in a URL that is not special
    EmptyHostAfterEmptyCredentials "accepts an empty host after empty credentials" "authority-state";
    /// Takes "\" after the port of a URL that is not special for the beginning of a path
    BackslashAfterPort "accepts \"\\\" after the port of a URL that is not special" "port-state";
    /// Takes "\" at the beginning of a relative reference to a URL that is not special for "/"
    BackslashOfRelativeReference "reads \"\\\" at the start of a reference to a URL that is not special as \"/\"" "relative-state";
    /// Refuses a relative reference to a special URL with more than two slashes at its beginning
    SlashesOfRelativeReference "refuses a reference of three slashes to a special URL" "special-authority-ignore-slashes-state";
    /// Removes no segment that is like a Windows drive letter for a double-dot segment, whatever the scheme
    DotDotAfterDriveLetter "keeps a segment like a drive letter that \"..\" removes" "path-state";
    /// Writes a relative path directly after a drive letter in which the path of a file URL ends, and does not remove that
    DriveLetterAtEndOfBase "keeps a drive letter at the end of a base's path" "shorten-a-urls-path";
    /// Leaves the bar of a Windows drive letter after an empty host
    BarOfDriveLetter "leaves the bar of a drive letter after an empty host" "path-state";
    /// Ends a segment that is a Windows drive letter where a tab or newline follows
    TabAfterDriveLetter "ends a drive letter at a tab or newline" "path-state";
    /// Drops the host of a file URL whose path begins with a Windows drive letter
    HostBeforeDriveLetter "drops the host of a file URL before a drive letter" "file-host-state";
    /// Drops the empty segments at the beginning of the path of a file URL
    SlashesOfFilePaths "drops empty segments at the start of the path of a file URL" "path-state";
    /// Refuses a value that a setter ignores
    ErrorsOfSetters "refuses a value that a setter of the standard ignores" "api";
    /// Refuses a scheme that is set with text after its colon, or to "file" where there is an authority
    SchemeOfFileUrls "refuses to set the scheme to \"file\" where there is an authority" "scheme-state";
    /// Sets the host that the host parser makes of a value up to its first colon, even an empty one after credentials
    HostUpToColon "sets a host up to the first colon of a value" "hostname-state";
    /// Removes the authority of a URL whose host is set to undefined
    RemovalOfHost "removes the authority for a host that is undefined" "dom-url-hostname";
    /// Sets an opaque path, with the delimiters of query and fragment in it
    OpaquePaths "sets an opaque path, with its delimiters as they are" "dom-url-pathname";
    /// Writes a path that is set in the place of the one before, whatever that reads as
    PathsAsTheyAre "writes a path that is set where it reads as an authority" "dom-url-pathname";
    /// Makes a reference of the texts of two paths, whether it leads to the target or not; the standard makes none
    RelativizesByText "relativizes by the texts of paths, wherever the reference leads" "";
}
