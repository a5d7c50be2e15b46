use super::*;

#[test]
fn modes_are_read() {
    assert_eq!(Mode::read(None), Ok(Mode::Abort));
    assert_eq!(Mode::read(Some("")), Ok(Mode::Abort));
    assert_eq!(Mode::read(Some("abort")), Ok(Mode::Abort));
    assert_eq!(Mode::read(Some("collect")), Ok(Mode::Collect));
    let class = "parse accepted-invalid: colon in the first segment";
    assert_eq!(
        Mode::read(Some(&format!("only={class}"))),
        Ok(Mode::Only(class.to_owned()))
    );
    for wrong in ["only=", "only", "quiet"] {
        let error = Mode::read(Some(wrong)).unwrap_err();
        assert_eq!(
            error,
            format!("URIPROOF_FUZZ is `{wrong}`; it can be abort, collect, only=CLASS")
        );
    }
    for (wrong, what) in [
        ("only=pars accepted-invalid", "an operation: parse, resolve,"),
        (
            "only=parse accepted-invalidd",
            "a kind of difference: accepted-invalid,",
        ),
        ("only=parse", "a kind of difference: accepted-invalid,"),
    ] {
        let error = Mode::read(Some(wrong)).unwrap_err();
        assert!(error.contains(wrong) && error.contains(what), "{error}");
    }
}
