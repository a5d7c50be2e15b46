//! The tests of the URL standard as code: against web-platform-tests, the standard's own text and examples, and other implementations.

mod comparison;
mod data;
mod errors;
mod examples;
mod hosts;
mod index;
mod node;
mod parses;
mod setters;
mod standard;
mod totality;
mod url_class;
mod url_crate;
mod vectors;
mod whatwg_url;
