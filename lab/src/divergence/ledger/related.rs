//! The class of the ledger that a class, which is not there, is a variant of.

use uriproof::compare::DifferenceKind;
use uriproof::model::{Component, Declaration, Input, Operation, Reading, Subject};
use uriproof::run;

use super::{ExplainedClass, Ledger};
use crate::divergence::fingerprint::{Class, Mark, classes};
use crate::divergence::variant::{self, Misprint, looser};

impl Ledger {
    /// The class in the ledger that a class, which is not there, is a variant of (see [`variant`]).
    pub fn variant_of(&self, subject: &dyn Subject, class: &Class, reading: Reading) -> Option<ExplainedClass<'_>> {
        let label = subject.declaration().label();
        let alike = self
            .by_entry_point(subject.declaration(), class)
            .or_else(|| self.by_steps(&label, class))
            .or_else(|| self.by_place(&label, class))
            .or_else(|| self.by_misreading(subject, class, reading))
            .or_else(|| self.by_kind_of_reference(subject, class, reading))
            .or_else(|| self.by_what_it_contains(subject, class, reading));
        alike.or_else(|| {
            let looser = looser(subject, class, reading);
            let looser = looser.iter().find_map(|class| self.find(&label, &class.fingerprint));
            looser
                .or_else(|| self.by_question(subject, class, reading))
                .or_else(|| self.by_unchecked(subject, class, reading))
                .or_else(|| self.by_misprints(subject, class, reading))
        })
    }

    /// The same class of another entry point of the crate.
    fn by_entry_point(&self, declaration: &Declaration, class: &Class) -> Option<ExplainedClass<'_>> {
        let file = self.file_of(declaration)?;
        let mut classes = file.entries.iter().flat_map(|entry| entry.classes.iter().map(move |class| (entry, class)));
        let (entry, class) = classes.find(|(_, known)| known.fingerprint == class.fingerprint)?;
        Some(ExplainedClass { file, entry, class })
    }

    /// A class of a subject that calls two URIs different which the same steps make alike, or the other way about.
    fn by_steps(&self, label: &str, class: &Class) -> Option<ExplainedClass<'_>> {
        let kind = class.difference.kind;
        let is_right = match kind {
            DifferenceKind::FalseNegative => true,
            DifferenceKind::FalsePositive => false,
            _ => return None,
        };
        let steps = variant::steps(&class.witness.input, is_right)?;
        let of_subject = self.index.iter().filter(|((subject, _), _)| subject == label);
        let alike = of_subject.filter(|((_, fingerprint), _)| {
            let words = [Operation::Equivalent.name(), kind.name()].join(" ");
            fingerprint.as_str().starts_with(&words)
        });
        alike
            .filter_map(|((subject, fingerprint), _)| self.find(subject, fingerprint))
            .find(|known| variant::steps(&known.class.input, is_right).as_ref() == Some(&steps))
    }

    /// A known class of accepted invalid inputs that shows again when its input stands in the witness of this class.
    fn by_question(&self, subject: &dyn Subject, class: &Class, reading: Reading) -> Option<ExplainedClass<'_>> {
        if class.difference.kind != DifferenceKind::AcceptedInvalid {
            return None;
        }
        let label = subject.declaration().label();
        let of_subject = self.index.keys().filter(|(subject, _)| *subject == label);
        let mut of_kind =
            of_subject.filter_map(|(subject, fingerprint)| self.find(subject, fingerprint)).filter(|known| {
                known.class.fingerprint.as_str().split(' ').nth(1) == Some(DifferenceKind::AcceptedInvalid.name())
            });
        let is_its = |known: &ExplainedClass<'_>| {
            let Some(input) = variant::transplanted(&class.witness.input, &known.class.input) else {
                return false;
            };
            let shown = classes(subject, &run::one(subject, &input, reading), reading);
            shown.iter().any(|class| class.fingerprint == known.class.fingerprint)
        };
        of_kind.find(is_its)
    }

    /// A class of a subject that looks at none of the components that are wrong here, in this operation: of the one that weighs most.
    fn by_unchecked(&self, subject: &dyn Subject, class: &Class, reading: Reading) -> Option<ExplainedClass<'_>> {
        let kind = class.difference.kind;
        if kind != DifferenceKind::AcceptedInvalid
            || !variant::is_put_as_given(&class.witness.input, &class.witness.observed)
        {
            return None;
        }
        let of_kind: Vec<ExplainedClass<'_>> = self.of_operation(subject, class).collect();
        let wrong = variant::wrong_components(&class.witness.input);
        let of_component = |component: &Component| {
            of_kind.iter().copied().find(|known| {
                variant::wrong_components(&known.class.input) == [*component]
                    && variant::takes_anything(subject, &known.class.input, *component, reading)
            })
        };
        let known: Option<Vec<ExplainedClass<'_>>> = wrong.iter().map(of_component).collect();
        known?.into_iter().next()
    }

    /// A class of a subject that prints the same component wrong in the same way, as long as it does so with every other that
    /// this one prints wrong.
    fn by_misprints(&self, subject: &dyn Subject, class: &Class, reading: Reading) -> Option<ExplainedClass<'_>> {
        let kind = class.difference.kind;
        let own = variant::misprints(&class.witness);
        let heaviest = own.first().filter(|_| matches!(kind, DifferenceKind::OtherUri | DifferenceKind::InvalidUri))?;
        let label = subject.declaration().label();
        let of_subject = self.index.keys().filter(|(subject, _)| *subject == label);
        let known: Vec<(ExplainedClass<'_>, Vec<Misprint>)> = of_subject
            .filter_map(|(subject, fingerprint)| self.find(subject, fingerprint))
            .filter(|known| known.class.fingerprint.as_str().split(' ').nth(1) == Some(kind.name()))
            .map(|known| {
                (
                    known,
                    variant::misprints(&run::one(subject, &known.class.input, reading)),
                )
            })
            .collect();
        let is_known = |misprint: &Misprint| known.iter().any(|(_, misprints)| misprints.contains(misprint));
        if !own.iter().all(is_known) {
            return None;
        }
        known.into_iter().find(|(_, misprints)| misprints.first() == Some(heaviest)).map(|(known, _)| known)
    }

    /// A class of a subject that answers a piece of a path, which reads as the same other component, to make a reference of a URI.
    fn by_misreading(&self, subject: &dyn Subject, class: &Class, reading: Reading) -> Option<ExplainedClass<'_>> {
        let own = variant::misread(&class.witness.input, &class.witness.observed)?;
        self.of_operation(subject, class).find(|known| {
            let observed = run::one(subject, &known.class.input, reading).observed;
            variant::misread(&known.class.input, &observed) == Some(own)
        })
    }

    /// A class of a subject that tells the same component wrong of a string which this one contains, and no other, where that is so of
    /// every component that it tells wrong: of the one that weighs most. Causes that meet in a string make no new one.
    fn by_what_it_contains(
        &self,
        subject: &dyn Subject,
        class: &Class,
        reading: Reading,
    ) -> Option<ExplainedClass<'_>> {
        let Input::Parse { input: text, .. } = &class.witness.input else {
            return None;
        };
        if class.difference.kind != DifferenceKind::OtherComponents {
            return None;
        }
        let own = Mark::all(&class.witness);
        let contained: Vec<(ExplainedClass<'_>, Vec<Mark>)> = self
            .of_operation(subject, class)
            .filter(|known| matches!(&known.class.input, Input::Parse { input, .. } if variant::contains(text, input)))
            .map(|known| (known, Mark::all(&run::one(subject, &known.class.input, reading))))
            .filter(|(_, marks)| marks.iter().all(|mark| own.contains(mark)))
            .collect();
        let known =
            own.iter().map(|mark| contained.iter().find(|(_, marks)| marks.contains(mark)).map(|(known, _)| *known));
        known.collect::<Option<Vec<_>>>()?.into_iter().next()
    }

    /// A class of a subject of one kind of reference, such as URIs, whose operation makes one of another kind.
    fn by_kind_of_reference(
        &self,
        subject: &dyn Subject,
        class: &Class,
        reading: Reading,
    ) -> Option<ExplainedClass<'_>> {
        let kind = class.difference.kind;
        if kind != DifferenceKind::AcceptedInvalid
            || !variant::is_of_another_kind(&class.witness.input, &class.witness.observed)
        {
            return None;
        }
        self.of_operation(subject, class).find(|known| {
            let observed = run::one(subject, &known.class.input, reading).observed;
            variant::is_of_another_kind(&known.class.input, &observed)
        })
    }

    /// The classes of a subject with the operation and the kind of difference of a class.
    fn of_operation(&self, subject: &dyn Subject, class: &Class) -> impl Iterator<Item = ExplainedClass<'_>> {
        let label = subject.declaration().label();
        let begin = format!("{} {} ", class.witness.input.operation(), class.difference.kind.name());
        self.index
            .keys()
            .filter(move |(subject, fingerprint)| *subject == label && fingerprint.as_str().starts_with(&begin))
            .filter_map(|(subject, fingerprint)| self.find(subject, fingerprint))
    }

    /// A class of a subject that panics at the same line in another operation.
    fn by_place(&self, label: &str, class: &Class) -> Option<ExplainedClass<'_>> {
        let place = class.fingerprint.place()?;
        let of_subject = self.index.keys().filter(|(subject, _)| subject == label);
        of_subject
            .filter(|(_, fingerprint)| fingerprint.place() == Some(place))
            .find_map(|(subject, fingerprint)| self.find(subject, fingerprint))
    }
}
