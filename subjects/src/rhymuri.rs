//! `rhymuri`: RFC 3986 by way of the "Elements" model: it holds what is left after percent-decoding.

use rhymuri::{Authority, Uri as Parsed};

super::by_elements::subject!("rhymuri", "1.3.1");
