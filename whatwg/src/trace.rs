//! The states of the basic URL parser, and the trace of a parse through them.

use std::fmt;

use crate::parser::BasicUrlParse;

macro_rules! states {
    ($($variant:ident $name:literal $anchor:literal;)+) => {
        /// A state of the basic URL parser (<https://url.spec.whatwg.org/#concept-basic-url-parser>).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum UrlState {
            $(#[doc = concat!("<https://url.spec.whatwg.org/#", $anchor, ">")] $variant,)+
        }

        impl UrlState {
            /// The states, in the standard's order.
            pub const ALL: &'static [UrlState] = &[$(UrlState::$variant),+];

            /// The standard's name of the state.
            pub fn name(self) -> &'static str {
                match self { $(UrlState::$variant => $name,)+ }
            }

            /// The anchor of the state in the standard, behind `https://url.spec.whatwg.org/`.
            pub fn anchor(self) -> &'static str {
                match self { $(UrlState::$variant => concat!("#", $anchor),)+ }
            }
        }
    };
}

states! {
    SchemeStart "scheme start state" "scheme-start-state";
    Scheme "scheme state" "scheme-state";
    NoScheme "no scheme state" "no-scheme-state";
    SpecialRelativeOrAuthority "special relative or authority state" "special-relative-or-authority-state";
    PathOrAuthority "path or authority state" "path-or-authority-state";
    Relative "relative state" "relative-state";
    RelativeSlash "relative slash state" "relative-slash-state";
    SpecialAuthoritySlashes "special authority slashes state" "special-authority-slashes-state";
    SpecialAuthorityIgnoreSlashes "special authority ignore slashes state" "special-authority-ignore-slashes-state";
    Authority "authority state" "authority-state";
    Host "host state" "host-state";
    Hostname "hostname state" "hostname-state";
    Port "port state" "port-state";
    File "file state" "file-state";
    FileSlash "file slash state" "file-slash-state";
    FileHost "file host state" "file-host-state";
    PathStart "path start state" "path-start-state";
    Path "path state" "path-state";
    OpaquePath "opaque path state" "cannot-be-a-base-url-path-state";
    Query "query state" "query-state";
    Fragment "fragment state" "fragment-state";
}

impl fmt::Display for UrlState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One run of a state, as it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UrlStateRun {
    /// The state.
    pub state: UrlState,
    /// The code point that the pointer points to; `None` is the EOF code point.
    pub code_point: Option<char>,
    /// The byte offset of the code point in the whole input.
    pub offset: usize,
    /// The buffer before the run.
    pub buffer: String,
}

impl fmt::Display for UrlStateRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}: ", self.state, self.offset)?;
        match self.code_point {
            Some(c) => write!(f, "{c:?}")?,
            None => f.write_str("EOF")?,
        }
        write!(f, ", buffer {:?}", self.buffer)
    }
}

/// A parse, with the runs of states that led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracedUrlParse {
    /// What the basic URL parser returns.
    pub parse: BasicUrlParse,
    /// The runs of states, in order. Their buffers take space that is quadratic in the input's longest component.
    pub runs: Vec<UrlStateRun>,
}
