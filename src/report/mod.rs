//! From results to what people and programs read: the matrix, REPORT.md, `results.json`.

pub mod json;
pub mod markdown;
pub mod matrix;
pub mod model;
