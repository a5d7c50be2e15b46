//! `uris`: a fork of `rhymuri` that differs in its resolver alone: without an authority, the only segment of the base's
//! path goes too.

use uris::{Authority, Uri as Parsed};

super::by_elements::subject!("uris", "0.1.1");
