//! The vocabulary of uriproof as types: operations and inputs, outcomes, components, subjects, vectors.
//!
//! This is the ground floor: it knows no subject, compares nothing and prints nothing.

mod component;
mod components;
mod crash;
mod operation;
mod outcome;
mod problem;
mod subject;
mod text;
mod uris;
mod vector;
mod whatwg_vector;

pub use component::{Component, ComponentSet};
pub(crate) use components::authority_of;
pub use components::{Components, HostKind, Observed, Reported};
pub use operation::{Input, Operation, Rung, Scope};
pub use outcome::{Contract, Outcome, Shown, Value};
pub use problem::Problem;
pub use rfc3986_reference::grammar::Rule;
pub use rfc3986_reference::readings::Reading;
pub use subject::{Declaration, EVERY_TEXT, EVERYTHING, Fidelity, Forms, Specification, Subject, Values};
pub(crate) use text::Contrasted;
pub use text::{Escaped, Fitted, Json, LONGEST_NAME, Lines, OneLine, Quoted, excerpt, is_printed, name};
pub use vector::{
    Bound, Clause, ClauseFile, Expectation, FunctionCase, FunctionFile, Level, LicensedOutcome, Vector, VectorFile,
};
pub use whatwg_vector::{
    VectorSpecification, WhatwgClauseFile, WhatwgExpectation, WhatwgFunctionFile, WhatwgVector, WhatwgVectorFile,
};
