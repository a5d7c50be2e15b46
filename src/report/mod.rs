//! From results to what people and programs read: the matrix, REPORT.md with its pages, `results.json`.

pub mod causes;
pub mod gate;
pub mod json;
pub mod markdown;
mod markup;
pub mod matrix;
mod mixed;
pub mod model;
pub mod pages;
mod sections;
pub mod shell;
pub mod side_by_side;
mod standard;
