"""The tables of the grammar: every row can be used, and no row claims what is not in the table of predicates."""

import re

import pytest

from recollect.core.write.facts import extract_facts
from recollect.core.write.facts.answers import QUESTIONS
from recollect.core.write.facts.attributes import ATTRIBUTES
from recollect.core.write.facts.corrections import READERS
from recollect.core.write.facts.frames import PHRASES
from recollect.core.write.facts.grammar import FAMILIES
from recollect.core.write.facts.lexicon import relations, roles
from recollect.core.write.facts.lexicon.verbforms import surfaces
from recollect.core.write.facts.lookalikes import AFTER, BEFORE, COLON_LEADS, MATERIAL, PRETENDED
from recollect.core.write.facts.predicates import PREDICATES
from recollect.core.write.facts.projects import FRAMES

RULES = [rule for family in FAMILIES for rule in family]
FORMS = {"present", "past", "perfect", "progress", "since", "used", "can", "be", "been", "was"}


def test_every_claim_of_the_grammar_is_in_the_table() -> None:
    """No rule, phrase, frame, question or attribute names a predicate that has no row."""
    named = {rule.predicate for rule in RULES} | {step.predicate for rule in RULES for step in rule.then}
    for table in (ATTRIBUTES, PHRASES, FRAMES, QUESTIONS):
        named |= {row.predicate for row in table}
    assert named <= set(PREDICATES)
    assert set(READERS) <= set(PREDICATES)


def test_every_predicate_can_be_put_into_words() -> None:
    """Each row has a sentence for each polarity, and the four are different."""
    for name, row in PREDICATES.items():
        sentences = {row.claim(polarity) for polarity in ("yes", "no", "ended", "past")}
        assert len(sentences) >= 3, name
        assert all("{v}" in sentence for sentence in sentences), name


def test_every_rule_begins_with_a_verb_phrase_that_can_occur() -> None:
    """A rule on a form or a verb that the verb table does not know would never be asked."""
    plain = {verb for verb, _ in surfaces().values()}
    for rule in RULES:
        for head in rule.on.split():
            form, _, word = head.partition(":")
            assert form in FORMS, head
            if form in ("present", "past", "perfect", "progress", "since", "used", "can"):
                assert word in plain | {"*", "have", "do"}, head


@pytest.mark.parametrize("rows", [PRETENDED, MATERIAL, BEFORE, AFTER, COLON_LEADS])
def test_every_lookalike_is_a_pattern_of_its_own(rows: tuple[str, ...]) -> None:
    """A list of patterns stays readable only if each row stands alone."""
    for row in rows:
        re.compile(row, re.IGNORECASE)


def test_unique_relations_are_relations() -> None:
    """A relation that serves as a key without a name is one of the known ones."""
    assert relations.unique_relations() <= set(relations.relations().values())


def test_weak_roles_are_roles() -> None:
    """A noun that needs company is still a noun of the list."""
    assert roles.weak_roles() <= roles.roles()


@pytest.mark.parametrize("relation", sorted(set(relations.relations().values()) - {"parents", "grandparents", "ex"}))
def test_every_relation_can_be_stated(relation: str) -> None:
    """ "Kim is my …" works for every relation of the list."""
    (draft,) = extract_facts(f"Kim is my {relation}.")
    assert draft.ref == "kim"
    assert draft.fact_type == "relationship"
