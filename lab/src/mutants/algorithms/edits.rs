//! The edits: what an implementation does otherwise than the algorithms of RFC 3986 §5.2, §5.3 and §6.2, one thing each.

use std::fmt;

/// The algorithm that an edit changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Algorithm {
    /// Transform References (RFC 3986 §5.2.2).
    Resolve,
    /// Merge Paths (RFC 3986 §5.2.3).
    Merge,
    /// Remove Dot Segments (RFC 3986 §5.2.4).
    RemoveDotSegments,
    /// Component Recomposition (RFC 3986 §5.3), and what components must be like to be recomposed (§3.3, §4.2).
    Recompose,
    /// Syntax-Based Normalization (RFC 3986 §6.2.2).
    NormalizeSyntax,
    /// Scheme-Based Normalization (RFC 3986 §6.2.3).
    NormalizeScheme,
    /// The Comparison Ladder (RFC 3986 §6.2).
    Equivalence,
}

impl Algorithm {
    /// Every algorithm, in the order of the RFC.
    pub const ALL: [Algorithm; 7] = [
        Algorithm::Resolve,
        Algorithm::Merge,
        Algorithm::RemoveDotSegments,
        Algorithm::Recompose,
        Algorithm::NormalizeSyntax,
        Algorithm::NormalizeScheme,
        Algorithm::Equivalence,
    ];

    /// Its section of RFC 3986.
    pub fn section(self) -> &'static str {
        match self {
            Algorithm::Resolve => "5.2.2",
            Algorithm::Merge => "5.2.3",
            Algorithm::RemoveDotSegments => "5.2.4",
            Algorithm::Recompose => "5.3",
            Algorithm::NormalizeSyntax => "6.2.2",
            Algorithm::NormalizeScheme => "6.2.3",
            Algorithm::Equivalence => "6.2",
        }
    }

    /// Its name, as tables print it.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Resolve => "resolve",
            Algorithm::Merge => "merge",
            Algorithm::RemoveDotSegments => "remove_dot_segments",
            Algorithm::Recompose => "recompose",
            Algorithm::NormalizeSyntax => "syntax-based normalization",
            Algorithm::NormalizeScheme => "scheme-based normalization",
            Algorithm::Equivalence => "equivalence",
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

macro_rules! edits {
    ($($algorithm:ident { $($edit:ident $clause:literal $does:literal;)+ })+) => {
        /// One edit of one algorithm.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Edit {
            $($(#[doc = concat!($clause, ": ", $does)] $edit,)+)+
        }

        impl Edit {
            /// Every edit, in the order of the algorithms.
            pub const ALL: &'static [Edit] = &[$($(Edit::$edit),+),+];

            /// The algorithm that it changes.
            pub fn algorithm(self) -> Algorithm {
                match self { $($(Edit::$edit)|+ => Algorithm::$algorithm,)+ }
            }

            /// The clause that it breaks, as `vectors/clauses.json` knows it.
            pub fn clause(self) -> &'static str {
                match self { $($(Edit::$edit => $clause,)+)+ }
            }

            /// What is done otherwise.
            pub fn does(self) -> &'static str {
                match self { $($(Edit::$edit => $does,)+)+ }
            }
        }
    };
}

edits! {
    Resolve {
        AlwaysStrict "§5.2.2/non-strict" "the scheme of the reference counts, strict or not";
        NeverStrict "§5.2.2/non-strict" "a scheme that is the base's own is ignored, strict or not";
        SchemesComparedWithCase "§5.2.2/non-strict" "the two schemes are compared with their case";
        SchemesComparedByPrefix "§5.2.2/non-strict" "a scheme that the base's begins with is ignored";
        SchemesNotCompared "§5.2.2/non-strict" "any scheme is ignored where not strict: \"if it is identical\" is dropped";
        SchemeOfReferenceForgotten "§5.2.2/scheme-defined" "\"if defined(R.scheme)\" is never true";
        SchemeNeedsAuthority "§5.2.2/scheme-defined" "a scheme without an authority behind it is ignored";
        SchemeOfBaseKept "§5.2.2/scheme-defined" "T.scheme = Base.scheme where R.scheme is defined";
        SchemeLosesAuthority "§5.2.2/scheme-defined" "T.authority is undefined where R.scheme is defined";
        SchemeInheritsAuthority "§5.2.2/scheme-defined" "with a scheme and no authority, that of the base is inherited";
        SchemeInheritsPath "§5.2.2/scheme-defined" "with a scheme and an empty path, that of the base is inherited";
        SchemeMergesPath "§5.2.2/scheme-defined" "with a scheme, a rootless path is merged with that of the base";
        SchemeKeepsDotSegments "§5.2.2/scheme-defined" "with a scheme, dot-segments are not removed";
        SchemeLosesQuery "§5.2.2/scheme-defined" "with a scheme, the query is lost";
        SchemeInheritsQuery "§5.2.2/scheme-defined" "with a scheme and no query, that of the base is inherited";
        SchemeWithQueryInPath "§5.4.2/separate-query-and-fragment" "with a scheme, dot-segments are removed from the query too";
        AuthorityOfReferenceForgotten "§5.2.2/authority-defined" "\"if defined(R.authority)\" is never true";
        AuthorityOfBaseKept "§5.2.2/authority-defined" "T.authority = Base.authority where R.authority is defined";
        AuthorityIsUndefinedIfEmpty "§5.2.1/undefined" "an empty authority of the reference counts as undefined";
        AuthorityIsUndefinedIfHostIsEmpty "§5.2.1/undefined" "an authority with an empty host counts as undefined";
        AuthorityKeepsDotSegments "§5.2.2/authority-defined" "with an authority, dot-segments are not removed";
        AuthorityInheritsPath "§5.2.2/authority-defined" "with an authority and an empty path, that of the base is inherited";
        AuthorityLosesQuery "§5.2.2/authority-defined" "with an authority, the query is lost";
        AuthorityInheritsQuery "§5.2.2/authority-defined" "with an authority and no query, that of the base is inherited";
        AuthorityWithQueryInPath "§5.4.2/separate-query-and-fragment" "with an authority, dot-segments are removed from the query too";
        EmptyPathIsMerged "§5.2.2/empty-path" "\"if (R.path == \"\")\" is never true: an empty path is merged";
        EmptyPathIsMergedWithQuery "§5.2.2/empty-path" "an empty path is merged where there is a query, as in RFC 2396";
        EmptyPathIsMergedWithoutQuery "§5.2.2/empty-path" "an empty path is merged where there is no query";
        EmptyPathIsKept "§5.2.2/empty-path" "an empty path stays empty";
        EmptyPathIsRoot "§5.2.2/empty-path" "an empty path becomes \"/\"";
        EmptyPathLosesParameters "§5.2.2/empty-path" "the path of the base is inherited without its \";\" parameters, as in RFC 1808";
        EmptyPathSwapsQueries "§5.2.2/empty-path-with-query" "the branches of \"if defined(R.query)\" are swapped";
        EmptyPathKeepsQueryOfBase "§5.2.2/empty-path-with-query" "T.query = Base.query, whether R.query is defined or not";
        EmptyPathTakesEmptyQueryAsUndefined "§5.2.2/empty-path-with-query" "\"if defined(R.query)\" is false where R.query is empty";
        EmptyPathJoinsQueries "§5.2.2/empty-path-with-query" "the query is appended to that of the base";
        EmptyPathLosesQuery "§5.2.2/empty-path-without-query" "the query of the base is not inherited";
        EmptyPathWithFragmentLosesQuery "§5.2.2/empty-path-without-query" "the query of the base is not inherited where there is a fragment";
        EmptyQueryOfBaseIsUndefined "§5.3/undefined-and-empty" "an empty query of the base is not inherited";
        EmptyPathLosesAuthority "§5.2.2/authority-inherited" "with an empty path, the authority of the base is lost";
        AbsolutePathIsMerged "§5.2.2/absolute-path" "\"if (R.path starts-with \"/\")\" is never true";
        AbsolutePathKeepsDotSegments "§5.2.2/absolute-path" "of an absolute path, dot-segments are not removed";
        AbsolutePathInheritsQuery "§5.2.2/query-of-reference" "with an absolute path and no query, that of the base is inherited";
        AbsolutePathLosesQuery "§5.2.2/query-of-reference" "with an absolute path, the query is lost";
        AbsolutePathLosesAuthority "§5.2.2/authority-inherited" "with an absolute path, the authority of the base is lost";
        AbsolutePathWithQueryInPath "§5.4.2/separate-query-and-fragment" "of an absolute path, dot-segments are removed from the query too";
        AbsolutePathWithFragmentInPath "§5.4.2/separate-query-and-fragment" "of an absolute path, dot-segments are removed from the fragment too";
        RelativePathIsTakenAsAbsolute "§5.2.2/relative-path" "the two branches of \"starts-with\" are one: a relative path is not merged";
        RelativePathKeepsDotSegments "§5.2.2/relative-path" "of a merged path, dot-segments are not removed";
        RelativePathLosesDotSegmentsFirst "§5.2.2/relative-path" "dot-segments are removed before merging, and not after";
        RelativePathLosesDotSegmentsTwice "§5.2.2/relative-path" "dot-segments are removed before merging too";
        RelativePathInheritsQuery "§5.2.2/query-of-reference" "with a relative path and no query, that of the base is inherited";
        RelativePathLosesQuery "§5.2.2/query-of-reference" "with a relative path, the query is lost";
        RelativePathLosesAuthority "§5.2.2/authority-inherited" "with a relative path, the authority of the base is lost";
        RelativePathWithQueryInPath "§5.4.2/separate-query-and-fragment" "of a merged path, dot-segments are removed from the query too";
        RelativePathWithFragmentInPath "§5.4.2/separate-query-and-fragment" "of a merged path, dot-segments are removed from the fragment too";
        QueryOfReferenceForgotten "§5.2.2/query-of-reference" "T.query = R.query is forgotten where the path is not empty";
        QueryInheritedWithPath "§5.2.2/query-of-reference" "the query of the base is inherited wherever R.query is undefined";
        AuthorityNotInherited "§5.2.2/authority-inherited" "T.authority = Base.authority is forgotten";
        UserinfoNotInherited "§5.2.2/authority-inherited" "the authority of the base is inherited without its userinfo";
        PortNotInherited "§5.2.2/authority-inherited" "the authority of the base is inherited without its port";
        SchemeNotInherited "§5.2.2/scheme-inherited" "T.scheme = Base.scheme is forgotten";
        SchemeNotInheritedWithAuthority "§5.2.2/scheme-inherited" "T.scheme = Base.scheme is forgotten where R.authority is defined";
        FragmentForgotten "§5.2.2/fragment" "T.fragment = R.fragment is forgotten";
        FragmentOfBaseInherited "§5.2.2/fragment" "with no fragment, that of the base is inherited";
        FragmentOfBaseInheritedWithEmptyReference "§5.2.2/fragment" "with no fragment and an empty path, that of the base is inherited";
        EmptyQueryOfReferenceIsUndefined "§5.3/undefined-and-empty" "an empty query of the reference counts as undefined";
        EmptyFragmentOfReferenceIsUndefined "§5.3/undefined-and-empty" "an empty fragment of the reference counts as undefined";
        QueryOfBaseInPath "§3.4/query-in-base" "the last slash of the base is looked for in its query too";
        ReferenceDecodedBeforeSplit "§2.4/separate-before-decoding" "the reference is decoded before it is split";
        BaseDecodedBeforeSplit "§2.4/separate-before-decoding" "the base is decoded before it is split";
        PathDecodedBeforeResolution "§2.4/separate-before-decoding" "the path of the reference is decoded before its dot-segments are removed";
        TargetDecoded "§2.4/separate-before-decoding" "the target is decoded";
        TargetEncodedAgain "§2.4/decode-once" "the path of the target is percent-encoded again";
        PathOfTargetLowered "§6.2.2.1/case-sensitive-components" "the path of the target is in lower case";
    }
    Merge {
        EmptyBaseWithAuthorityForgotten "§5.2.3/authority-and-empty-path" "no \"/\" before the path where the base has an authority and no path";
        EmptyBaseNeedsNoAuthority "§5.2.3/authority-and-empty-path" "a \"/\" before the path even where the base has no authority: \"a defined authority component and\" is dropped";
        AuthorityNeedsNoEmptyBase "§5.2.3/authority-and-empty-path" "the path of the base is dropped where it has an authority: \"and an empty path\" is dropped";
        EmptyAuthorityOfBaseIsUndefined "§5.2.3/authority-and-empty-path" "an empty authority of the base counts as undefined";
        EmptyBaseGivesTwoSlashes "§5.2.3/authority-and-empty-path" "two slashes before the path where the base has an authority and no path";
        NoSlashKeepsBase "§5.2.3/no-slash-in-base" "a path of the base without \"/\" is kept";
        NoSlashGivesRoot "§5.2.3/no-slash-in-base" "a path of the base without \"/\" becomes \"/\"";
        LeftmostSlash "§5.2.3/all-but-last-segment" "the left-most \"/\" of the base, not the right-most";
        SlashExcluded "§5.2.3/all-but-last-segment" "the \"/\" before the last segment is excluded with it";
        LastSegmentKept "§5.2.3/all-but-last-segment" "the last segment of the base is kept, and a \"/\" is put behind it";
        LastSegmentKeptWithoutSlash "§5.2.3/all-but-last-segment" "the last segment of the base is kept";
        EmptyLastSegmentSkipped "§5.2.3/all-but-last-segment" "behind a \"/\" at the end of the base, the segment before it goes";
        EncodedSlashSeparates "§3.3/opaque-segment" "a \"%2F\" of the base separates segments";
        ColonSeparates "§3.3/opaque-segment" "a \":\" of the base separates segments";
        ParametersCutFirst "§3.3/opaque-segment" "the path of the base ends at its first \";\"";
    }
    RemoveDotSegments {
        Step2AForgotten "§5.2.4/2A" "step 2A is forgotten";
        Step2AWithoutDoubleDot "§5.2.4/2A" "step 2A removes \"./\" alone";
        Step2AWithoutDot "§5.2.4/2A" "step 2A removes \"../\" alone";
        Step2BForgotten "§5.2.4/2B" "step 2B is forgotten";
        Step2BNotAtEnd "§5.2.4/2B" "step 2B replaces \"/./\" alone";
        Step2BAtEndOnly "§5.2.4/2B" "step 2B replaces \"/.\" at the end alone";
        Step2BOfAnyDot "§5.2.4/complete-segments" "step 2B replaces \"/.\" before anything: \"complete path segment\" is dropped";
        Step2BLosesLastSlash "§5.2.4/2B" "step 2B removes \"/.\" at the end with its slash";
        Step2BLosesSlash "§5.2.4/2B" "step 2B removes \"/./\" with both slashes";
        Step2CForgotten "§5.2.4/2C" "step 2C is forgotten";
        Step2CNotAtEnd "§5.2.4/2C" "step 2C replaces \"/../\" alone";
        Step2CAtEndOnly "§5.2.4/2C" "step 2C replaces \"/..\" at the end alone";
        Step2COfAnyDots "§5.2.4/complete-segments" "step 2C replaces \"/..\" before anything: \"complete path segment\" is dropped";
        Step2CLosesLastSlash "§5.2.4/2C" "step 2C removes \"/..\" at the end with its slash";
        Step2CLosesSlash "§5.2.4/2C" "step 2C removes \"/../\" with both slashes";
        Step2CKeepsSegment "§5.2.4/2C" "step 2C removes nothing from the output";
        Step2CKeepsSlash "§5.2.4/2C" "step 2C leaves the slash before the last segment of the output";
        Step2CNeedsSlash "§5.2.4/2C" "step 2C removes nothing from an output without \"/\": \"(if any)\" is dropped";
        Step2CTakesTwo "§5.2.4/2C" "step 2C removes two segments from the output";
        Step2CTakesAll "§5.2.4/2C" "step 2C empties the output";
        Step2CSkipsEmptySegments "§5.2.4/2C" "step 2C removes empty segments with the last that is not empty";
        Step2CKeepsExtraLevels "§5.2.4/extra-dot-segments" "step 2C moves \"/..\" to an output that is empty";
        Step2CRefusesExtraLevels "§5.2.4/extra-dot-segments" "step 2C is an error where the output is empty";
        Step2CTakesRoot "§5.2.4/2C" "step 2C on an empty output removes the root as well";
        Step2DForgotten "§5.2.4/2D" "step 2D is forgotten";
        Step2DWithoutDoubleDot "§5.2.4/2D" "step 2D removes \".\" alone";
        Step2DWithoutDot "§5.2.4/2D" "step 2D removes \"..\" alone";
        Step2ELosesSlash "§5.2.4/2E" "step 2E moves a segment without its initial \"/\"";
        Step2ETakesNextSlash "§5.2.4/2E" "step 2E moves the next \"/\" too: \"but not including\" is dropped";
        Step2EDropsEmptySegments "§5.2.4/2E" "step 2E drops empty segments";
        OtherwiseForgottenAfter2A "§5.2.4/2A" "behind step 2A the others follow in the same turn: \"otherwise\" is forgotten";
        OtherwiseForgottenAfter2B "§5.2.4/2B" "behind step 2B the others follow in the same turn: \"otherwise\" is forgotten";
        OtherwiseForgottenAfter2C "§5.2.4/2C" "behind step 2C the others follow in the same turn: \"otherwise\" is forgotten";
        NoLoop "§5.2.4/2" "\"while\" is \"if\": what is left after one turn stays";
        LoopEndsAtSlash "§5.2.4/2" "the loop ends where the input is \"/\": a slash at the end is lost";
        RelativePathsUntouched "§5.2.4/every-path" "only a path that begins with \"/\" is gone through";
        ThreeDotsAreTwo "§5.2.4/complete-segments" "\"...\" counts as \"..\"";
        DotSegmentsWithParameters "§5.2.4/complete-segments" "\"..;x\" counts as \"..\"";
        EncodedSlashEndsSegment "§3.3/opaque-segment" "a \"%2F\" ends a segment";
        DoubleDotsBeforeDots "§5.2.4/2" "all \"..\" are gone through before all \".\", so that \"..\" takes a \".\"";
    }
    Recompose {
        ColonForgotten "§5.3/scheme" "append \":\" is forgotten";
        SchemeForgotten "§5.3/scheme" "append scheme and \":\" is forgotten";
        SchemeRaised "§5.3/scheme" "the scheme is put in upper case";
        DoubleSlashForgotten "§5.3/authority" "append \"//\" is forgotten";
        DoubleSlashAlways "§5.3/authority" "\"//\" is appended even where the authority is undefined";
        DoubleSlashWithScheme "§5.3/authority" "\"//\" is appended where there is a scheme and no authority, unless the path is rootless";
        AuthorityForgotten "§5.3/authority" "append \"//\" and authority is forgotten";
        EmptyAuthorityDropped "§5.3/undefined-and-empty" "an empty authority is not appended";
        EmptyHostDropsAuthority "§5.3/undefined-and-empty" "an authority with an empty host is not appended";
        HostLowered "§5.3/authority" "the host is put in lower case";
        BracketsDropped "§3.2.2/IP-literal" "the brackets of an IP-literal are dropped";
        UserinfoDropped "§3.2/authority" "the userinfo is dropped";
        PasswordDropped "§3.2.1/userinfo" "the userinfo ends at its first \":\"";
        EmptyUserinfoDropped "§5.3/undefined-and-empty" "an empty userinfo is dropped with its \"@\"";
        PortDropped "§3.2/authority" "the port is dropped";
        PortIsNumber "§3.2.3/port" "the port loses leading zeros";
        RootAfterAuthority "§5.3/path" "a \"/\" is appended behind an authority without a path";
        PathForgotten "§5.3/path" "append path is forgotten";
        PathLowered "§5.3/path" "the path is put in lower case";
        PathDecoded "§2.4/separate-before-decoding" "the path is decoded";
        QueryDecoded "§2.4/separate-before-decoding" "the query is decoded";
        PathEncodedAgain "§2.4/decode-once" "the path is percent-encoded again";
        QueryEncodedAgain "§2.4/decode-once" "the query is percent-encoded again";
        FragmentEncodedAgain "§2.4/decode-once" "the fragment is percent-encoded again";
        QuestionMarkForgotten "§5.3/query" "append \"?\" is forgotten";
        QuestionMarkAlways "§5.3/query" "\"?\" is appended even where the query is undefined";
        QueryForgotten "§5.3/query" "append \"?\" and query is forgotten";
        EmptyQueryDropped "§5.3/undefined-and-empty" "an empty query is not appended";
        NumberSignForgotten "§5.3/fragment" "append \"#\" is forgotten";
        NumberSignAlways "§5.3/fragment" "\"#\" is appended even where the fragment is undefined";
        FragmentDropped "§5.3/fragment" "append \"#\" and fragment is forgotten";
        EmptyFragmentDropped "§5.3/undefined-and-empty" "an empty fragment is not appended";
        FragmentBeforeQuery "§5.3/fragment" "the fragment is appended before the query";
        RootlessPathAllowed "§3/path-after-authority" "a rootless path behind an authority is not refused";
        RootlessPathRooted "§3/path-after-authority" "a rootless path behind an authority is made absolute";
        DoubleSlashPathAllowed "§3/no-double-slash" "a path that begins with \"//\" is not refused where the authority is undefined";
        DoubleSlashPathNeedsNoAuthority "§3/no-double-slash" "a path that begins with \"//\" is refused behind an authority too";
        DoubleSlashPathCollapsed "§3/no-double-slash" "a path that begins with \"//\" loses a slash where the authority is undefined";
        ColonInFirstSegmentAllowed "§4.2/colon-in-first-segment" "a \":\" in the first segment of a relative-path reference is not refused";
        ColonInAnySegmentRefused "§4.2/colon-in-first-segment" "a \":\" in any segment of a relative-path reference is refused";
        ColonWithSchemeRefused "§4.2/colon-in-first-segment" "a \":\" in the first segment is refused behind a scheme too";
        SchemeUnchecked "§3.1/scheme" "the scheme is not checked";
        UserinfoUnchecked "§3.2.1/userinfo" "the userinfo is not checked";
        HostUnchecked "§3.2.2/host" "the host is not checked";
        PortUnchecked "§3.2.3/port" "the port is not checked";
        PathUnchecked "§3.3/path" "the characters of the path are not checked";
        QueryUnchecked "§3.4/query" "the query is not checked";
        FragmentUnchecked "§3.5/fragment" "the fragment is not checked";
        UserinfoWithoutHostDropped "§3.2/authority" "a userinfo without a host is dropped";
        PortWithoutHostDropped "§3.2/authority" "a port without a host is dropped";
    }
    NormalizeSyntax {
        SchemeKeepsCase "§6.2.2.1/scheme-and-host" "the scheme keeps its case";
        HostKeepsCase "§6.2.2.1/scheme-and-host" "the host keeps its case";
        RegNameKeepsCase "§6.2.2.1/scheme-and-host" "a registered name keeps its case";
        Ipv6KeepsCase "§3.2.2/lowercase" "an IPv6 address keeps its case";
        IpvFutureKeepsCase "§6.2.2.1/scheme-and-host" "an IPvFuture keeps its case";
        UserinfoLowered "§6.2.2.1/case-sensitive-components" "the userinfo is put in lower case";
        PathLoweredInNormalForm "§6.2.2.1/case-sensitive-components" "the path is put in lower case";
        QueryLowered "§6.2.2.1/case-sensitive-components" "the query is put in lower case";
        FragmentLowered "§6.2.2.1/case-sensitive-components" "the fragment is put in lower case";
        TripletsKeepCase "§6.2.2.1/hex-digits" "triplets keep their case";
        TripletsLowered "§6.2.2.1/hex-digits" "triplets are put in lower case";
        FirstDigitOnly "§6.2.2.1/hex-digits" "only the first digit of a triplet is put in upper case";
        TripletsKeepCaseInUserinfo "§6.2.2.1/hex-digits" "triplets of the userinfo keep their case";
        TripletsKeepCaseInPath "§6.2.2.1/hex-digits" "triplets of the path keep their case";
        TripletsKeepCaseInQuery "§6.2.2.1/hex-digits" "triplets of the query keep their case";
        TripletsKeepCaseInFragment "§6.2.2.1/hex-digits" "triplets of the fragment keep their case";
        HostLoweredWithTriplets "§3.2.2/uppercase-triplets" "the host is put in lower case with its triplets";
        NothingDecoded "§6.2.2.2/decode-unreserved" "no triplet is decoded";
        NotDecodedInUserinfo "§6.2.2.2/decode-unreserved" "no triplet of the userinfo is decoded";
        NotDecodedInHost "§6.2.2.2/decode-unreserved" "no triplet of the host is decoded";
        NotDecodedInPath "§6.2.2.2/decode-unreserved" "no triplet of the path is decoded";
        NotDecodedInQuery "§6.2.2.2/decode-unreserved" "no triplet of the query is decoded";
        NotDecodedInFragment "§6.2.2.2/decode-unreserved" "no triplet of the fragment is decoded";
        LettersKept "§2.3/decode" "triplets of letters are kept";
        LowercaseLettersKept "§2.3/decode" "triplets of lower-case letters are kept";
        DigitsKept "§2.3/decode" "triplets of digits are kept";
        HyphenKept "§2.3/decode" "\"%2D\" is kept";
        DotKept "§2.3/decode" "\"%2E\" is kept";
        UnderscoreKept "§2.3/decode" "\"%5F\" is kept";
        TildeKept "§2.3/decode" "\"%7E\" is kept, as before RFC 2396";
        LowercaseTripletsKept "§6.2.2.2/decode-unreserved" "a triplet with a lower-case digit is not decoded";
        ReservedDecoded "§2.2/protected-from-normalization" "triplets of reserved characters are decoded too";
        GenDelimsDecoded "§2.2/protected-from-normalization" "triplets of gen-delims are decoded too";
        SubDelimsDecoded "§2.2/protected-from-normalization" "triplets of sub-delims are decoded too";
        MarksDecoded "§2.2/protected-from-normalization" "triplets of \"!\", \"*\", \"'\", \"(\" and \")\" are decoded too, as in RFC 2396";
        SlashDecoded "§2.2/protected-from-normalization" "\"%2F\" of the path is decoded too";
        ColonDecoded "§2.2/protected-from-normalization" "\"%3A\" of the path is decoded too";
        PercentDecoded "§2.4/decode-once" "\"%25\" is decoded too";
        DecodedTwice "§2.4/decode-once" "what is decoded is decoded again";
        SpaceDecoded "§2.1/pct-encoded" "\"%20\" is decoded too";
        SpaceToPlus "§2.2/not-equivalent" "\"%20\" of the query becomes \"+\"";
        NonAsciiDecoded "§2.1/pct-encoded" "triplets beyond US-ASCII are decoded too";
        NulDropped "§7.3/nul" "\"%00\" is dropped";
        SubDelimsEncoded "§2.2/not-equivalent" "sub-delims of the path are percent-encoded";
        DecodedBeforeSplit "§2.4/separate-before-decoding" "all is decoded before it is split";
        CaseBeforeDecoding "§6.2.2.1/scheme-and-host" "the case is normalized before triplets are decoded";
        DotSegmentsBeforeDecoding "§6.2.2.3/remove-dot-segments" "dot-segments are removed before triplets are decoded";
        DotSegmentsKept "§6.2.2.3/remove-dot-segments" "dot-segments are not removed";
        DotSegmentsKeptWithoutAuthority "§6.2.2.3/remove-dot-segments" "dot-segments are not removed where the authority is undefined";
        DotSegmentsRemovedFromQuery "§3.3/dot-segments" "dot-segments are removed from the query too";
        DotSegmentsRemovedFromFragment "§3.3/dot-segments" "dot-segments are removed from the fragment too";
        DoubleSlashUncovered "§6.1/no-false-positives" "what looks like an authority may be left at the beginning of the path";
        EmptySegmentsRemoved "§3.3/opaque-segment" "empty segments are removed";
        LastSlashRemoved "§6.2.4/trailing-slash" "a \"/\" at the end of the path is removed";
        LastSlashAdded "§6.2.4/trailing-slash" "a \"/\" is added at the end of the path";
        RootAdded "§6.2.3/empty-path" "an empty path behind an authority becomes \"/\" without the scheme's rules";
        DefaultPortRemoved "§6.2.3/port" "the scheme's default port is removed without the scheme's rules";
        EmptyUserinfoRemoved "§6.2.3/empty-component-delimiters" "an empty userinfo is removed";
        EmptyQueryRemoved "§6.2.3/empty-query" "an empty query is removed";
        EmptyFragmentRemoved "§6.2.3/empty-fragment" "an empty fragment is removed";
        UserinfoRemoved "§6.1/no-false-positives" "the userinfo is removed";
        PasswordRemoved "§6.2.3/userinfo-delimiters" "an empty password is removed with its \":\"";
        FragmentRemoved "§6.1/no-false-positives" "the fragment is removed";
        QuerySorted "§6.1/no-false-positives" "what stands between the \"&\" of the query is sorted";
        LastDotOfHostRemoved "§6.1/no-false-positives" "a \".\" at the end of the host is removed";
        Ipv6Shortened "§6.2.2.1/scheme-and-host" "an IPv6 address is written as RFC 5952 has it";
    }
    NormalizeScheme {
        SyntaxFirstForgotten "§6.2.3/scheme-specific-rules" "§6.2.2 is not done first";
        RootForgotten "§6.2.3/empty-path" "an empty path of a scheme with a root stays empty";
        RootWithoutAuthority "§6.2.3/empty-path" "an empty path becomes \"/\" even where the authority is undefined";
        RootRemoved "§6.2.3/empty-path" "a path that is \"/\" becomes empty";
        RootNotBeforeQuery "§6.2.3/empty-path" "an empty path stays empty before a query";
        EmptyPortKept "§6.2.3/port" "an empty port is kept";
        DefaultPortKept "§6.2.3/port" "the default port is kept";
        AnyPortRemoved "§6.2.3/port" "any port is removed";
        HttpPortOfAny "§6.2.3/port" "port 80 is the default of every scheme";
        HttpsPortOfHttp "§6.2.3/port" "port 443 is a default of \"http\" too";
        HttpsPortUnknown "§6.2.3/port" "the default port of \"https\" is not known";
        FtpPortUnknown "§6.2.3/port" "the default port of \"ftp\" is not known";
        WsPortUnknown "§6.2.3/port" "the default port of \"ws\" is not known";
        WssPortUnknown "§6.2.3/port" "the default port of \"wss\" is not known";
        PortWraps "§6.2.3/port" "the port is read modulo 65536";
        PortByPrefix "§6.2.3/port" "a port that begins with the default is removed";
        PortZeroRemoved "§6.2.3/port" "port 0 counts as empty";
        SchemeRulesByCase "§6.2.3/scheme-specific-rules" "the rules of a scheme in upper case are not found";
        LocalhostKept "§6.2.3/default-authority" "the default host of \"file\" is kept";
        LocalhostOfAny "§6.2.3/default-authority" "\"localhost\" is the default host of every scheme";
        LocalhostDespiteUserinfo "§6.2.3/default-host-given-explicitly" "the default host is removed even behind a userinfo";
        LocalhostDespitePort "§6.2.3/default-host-given-explicitly" "the default host is removed even before a port";
        LocalhostBesideEmptyPort "§6.2.3/default-host-given-explicitly" "the default host is kept before an empty port";
        LocalhostTakesAuthority "§6.2.3/default-authority" "the authority goes with the default host";
        NoAuthorityKept "§6.2.3/default-authority" "a URI without an authority of a scheme with a default host keeps none";
        EmptyHostNamed "§6.2.3/default-authority" "an empty host of \"file\" becomes \"localhost\"";
        LoopbackIsLocalhost "§6.2.3/default-authority" "\"127.0.0.1\" is the default host of \"file\" too";
        MailboxKeepsCase "§6.2.3/mailto-host" "the host of a mailbox keeps its case";
        MailboxLowered "§6.2.3/mailto-host" "all of a mailbox is put in lower case";
        FirstMailboxOnly "§6.2.3/mailto-host" "only the host of the first mailbox is put in lower case";
        LastMailboxOnly "§6.2.3/mailto-host" "only the host of the last mailbox is put in lower case";
        MailboxTripletsLowered "§6.2.3/mailto-host" "triplets of the host of a mailbox are put in lower case with it";
        MailboxOfAny "§6.2.3/mailto-host" "the path of every scheme is a list of mailboxes";
        EmptyUserinfoRemovedByScheme "§6.2.3/userinfo-delimiters" "an empty userinfo is removed by the scheme's rules";
        EmptyQueryRemovedByScheme "§6.2.3/empty-query" "an empty query is removed by the scheme's rules";
        EmptyFragmentRemovedByScheme "§6.2.3/empty-fragment" "an empty fragment is removed by the scheme's rules";
        LastSlashRemovedByScheme "§6.2.4/trailing-slash" "a \"/\" at the end of the path is removed by the scheme's rules";
    }
    Equivalence {
        SimpleIgnoresCase "§6.2.1/character-by-character" "simple comparison ignores case";
        SimpleIgnoresCaseOfTriplets "§6.2.1/character-by-character" "simple comparison ignores the case of triplets";
        SimpleIsSyntaxBased "§6.2.1/identical" "simple comparison is of the syntax-based normal forms";
        SimpleDecodes "§6.2.1/character-by-character" "simple comparison is of the decoded strings";
        SimpleIgnoresFragment "§6.2.1/identical" "simple comparison leaves out the fragments";
        SimpleComparesPrefix "§6.2.1/character-by-character" "simple comparison ends with the shorter of the two";
        SimpleIgnoresLastSlash "§6.2.1/character-by-character" "simple comparison ignores a \"/\" at the end";
        SimpleComparesEmptyAsUndefined "§5.3/undefined-and-empty" "simple comparison takes an empty query or fragment as undefined";
        SyntaxIsSimple "§6.2.2/techniques" "syntax-based comparison normalizes nothing";
        SyntaxIsSchemeBased "§6.2.3/scheme-specific-rules" "syntax-based comparison uses the rules of the scheme";
        SyntaxIgnoresCase "§6.2.2.1/case-sensitive-components" "syntax-based comparison ignores case";
        SyntaxDecodes "§2.2/not-equivalent" "syntax-based comparison is of the decoded normal forms";
        SyntaxIgnoresLastSlash "§6.2.4/trailing-slash" "syntax-based comparison ignores a \"/\" at the end of the path";
        SchemeIsSyntaxBased "§6.2.3/port" "scheme-based comparison does not use the rules of the scheme";
        SchemeIgnoresScheme "§6.1/no-false-positives" "scheme-based comparison leaves out the schemes";
        SchemeIgnoresLastSlash "§6.2.4/trailing-slash" "scheme-based comparison ignores a \"/\" at the end of the path";
        LeftNotNormalized "§6.2.2/techniques" "only the right one is normalized";
        RightNotNormalized "§6.2.2/techniques" "only the left one is normalized";
        FragmentsLeftOut "§6.2.3/empty-fragment" "fragments are left out on the normalizing rungs";
        EmptyFragmentIsUndefined "§6.2.3/empty-fragment" "an empty fragment counts as undefined on the normalizing rungs";
        EmptyQueryIsUndefined "§6.2.3/empty-query" "an empty query counts as undefined on the normalizing rungs";
        QueriesLeftOut "§6.1/no-false-positives" "queries are left out on the normalizing rungs";
        UserinfosLeftOut "§6.1/no-false-positives" "userinfos are left out on the normalizing rungs";
        PortsLeftOut "§6.1/no-false-positives" "ports are left out on the normalizing rungs";
        NothingIsEquivalent "§6.2.1/identical" "no two URIs are equivalent";
    }
}

impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.does())
    }
}
