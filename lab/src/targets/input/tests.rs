//! Tests that inputs are read from their texts.

use fastrand::Rng;

use super::*;

fn reads_back<I: TargetInput>(input: &I) {
    assert_eq!(read::<I>(input.text().as_bytes()), *input, "{:?}", input.text());
}

#[test]
fn an_input_is_read_from_its_text() {
    let text = || "http://a/?b#c\r\n\u{e9}\n".to_owned();
    let line = || "http://u@a:1/b c".to_owned();
    reads_back(&ParseInput { text: text() });
    reads_back(&ResolveInput {
        base: line(),
        reference: text(),
    });
    reads_back(&NormalizeInput { uri: text() });
    reads_back(&EquivalentInput {
        left: line(),
        right: text(),
    });
    reads_back(&DotSegmentsInput { path: text() });
    reads_back(&ExtractInput { text: text() });
    reads_back(&ProtocolInput { lines: text() });
    reads_back(&VectorsInput { text: text() });
    for uri in [None, Some(line())] {
        for component in Component::TEXTS {
            for value in [None, Some(""), Some("-"), Some("=a")] {
                let components = Components::default().with(component, value);
                reads_back(&ComposeInput {
                    components,
                    uri: uri.clone(),
                });
            }
        }
    }
}

#[test]
fn a_text_is_that_of_the_input_that_is_read_from_it() {
    let resolve: ResolveInput = read(b"http://a/\n../b\n");
    assert_eq!((&*resolve.base, &*resolve.reference), ("http://a/", "../b\n"));
    assert_eq!(resolve.text(), "http://a/\n../b\n");
    let compose: ComposeInput = read(b"=a\n-\n=h\nwhatever\n=/p\n=\n-\n=x:y");
    assert_eq!(compose.text(), "=a\n-\n=h\n-\n=/p\n=\n-\n=x:y");
    assert_eq!(compose.components.port, None);
    assert_eq!(compose.components.query.as_deref(), Some(""));
    assert_eq!(compose.uri.as_deref(), Some("x:y"));
}

#[test]
fn any_bytes_are_an_input() {
    fn reads<I: TargetInput>(data: &[u8]) {
        let input: I = read(data);
        reads_back(&input);
        assert_eq!(input, I::arbitrary(&mut Unstructured::new(data)).unwrap());
    }
    let mut rng = Rng::with_seed(3986);
    for length in 0..400 {
        let data: Vec<u8> = (0..length)
            .map(|_| {
                if rng.bool() {
                    b'\n' + 51 * rng.u8(..2)
                } else {
                    rng.u8(..)
                }
            })
            .collect();
        reads::<ParseInput>(&data);
        reads::<ResolveInput>(&data);
        reads::<NormalizeInput>(&data);
        reads::<ComposeInput>(&data);
        reads::<EquivalentInput>(&data);
        reads::<DotSegmentsInput>(&data);
        reads::<ExtractInput>(&data);
        reads::<ProtocolInput>(&data);
        reads::<VectorsInput>(&data);
    }
}

#[test]
fn what_no_file_says_has_none() {
    let resolve = |base: &str| Input::Resolve {
        base: base.to_owned(),
        reference: "\n".to_owned(),
        strict: true,
    };
    assert_eq!(file_of(&resolve("a:")), ("resolve", Some("a:\n\n".to_owned())));
    assert_eq!(file_of(&resolve("a:\n")), ("resolve", None));
    let parse = |input: String| Input::Parse { rule: Rule::Uri, input };
    assert_eq!(file_of(&parse("a".repeat(512))).1.map(|text| text.len()), Some(512));
    assert_eq!(file_of(&parse("a".repeat(513))), ("parse", None));
    let compose = |host: &str| Input::Compose {
        components: Components::default().with(Component::Host, Some(host)),
    };
    assert_eq!(
        file_of(&compose("h")),
        ("compose", Some("-\n-\n=h\n-\n=\n-\n-".to_owned()))
    );
    assert_eq!(file_of(&compose("h\n")), ("compose", None));
}
