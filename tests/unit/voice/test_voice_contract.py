"""Promises of the voice contract: strict form, legality rule by rule, succession, and the one we ship."""

from __future__ import annotations

import dataclasses
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.core.voice.contract import (
    CONTRACT_BYTES,
    SECTIONS,
    TABLE_KEYS,
    Mark,
    Variant,
    VoiceContract,
    parse_contract,
    version_of,
)
from recollect.core.voice.fallback import ABSOLUTE_TEXTS
from recollect.core.voice.legality import FORBIDDEN, Severity, check_contract
from recollect.core.voice.state import Language, PoolKey, Section, Skeleton
from recollect.core.voice.wording import HINGLISH_MARKERS, phrase_in, words
from recollect.engine.voice import load_contract, read_contract
from recollect.errors import VoiceError

HEAD = '[contract]\nname = "own"\nversion = "1.0.0"\nchecksum = ""\n'

# Upstream facts 1.3: opener, validation, action, closure.
POOL_SIZES = {
    ("A", "en"): (2, 2, 0, 1),
    ("A", "hinglish"): (2, 1, 0, 1),
    ("A", "hi"): (1, 1, 0, 1),
    ("B", "en"): (3, 4, 0, 1),
    ("B", "hinglish"): (2, 2, 0, 1),
    ("B", "hi"): (1, 1, 0, 1),
    ("C", "en"): (1, 2, 0, 1),
    ("C", "hinglish"): (1, 1, 0, 1),
    ("C", "hi"): (1, 1, 0, 1),
    ("D", "en"): (2, 0, 2, 1),
    ("D", "hinglish"): (1, 0, 1, 1),
    ("D", "hi"): (1, 0, 1, 1),
}


def key_of(name: str) -> PoolKey:
    skeleton, language, section = name.split(".")
    return PoolKey(skeleton=Skeleton(skeleton), language=Language(language), section=Section(section))


def with_pool(name: str, *variants: str | Variant, version: str = "1.0.0") -> VoiceContract:
    """The shipped contract with one pool replaced and the checksum made right again."""
    shipped = load_contract()
    made = tuple(v if isinstance(v, Variant) else Variant(text=v, marks=(Mark.FAMILY_OK,)) for v in variants)
    changed = dataclasses.replace(shipped, version=version, pools={**shipped.pools, key_of(name): made})
    return dataclasses.replace(changed, checksum=changed.computed_checksum())


def codes(contract: VoiceContract, previous: VoiceContract | None = None) -> list[tuple[str, str]]:
    return [(problem.code, problem.where) for problem in check_contract(contract, previous)]


def test_the_shipped_contract_is_legal_without_a_single_remark() -> None:
    """Twelve tables, every ban respected, checksum right, and a candidate left in every situation."""
    assert check_contract(load_contract()) == ()


def test_the_shipped_contract_has_the_pool_sizes_of_the_table() -> None:
    """Each pool has as many variants as upstream facts 1.3 list."""
    contract = load_contract()
    for (skeleton, language), sizes in POOL_SIZES.items():
        found = tuple(len(contract.pool(key_of(f"{skeleton}.{language}.{section}"))) for section in Section)
        assert found == sizes, (skeleton, language)


def test_the_absolute_sentences_obey_the_same_bans() -> None:
    """What lives in code is as legal as what lives in the file."""
    for skeleton, text in ABSOLUTE_TEXTS.items():
        section = "action" if skeleton is Skeleton.D else "validation"
        assert codes(with_pool(f"{skeleton}.en.{section}", text)) == []
    assert list(ABSOLUTE_TEXTS) == list(Skeleton)


def test_every_reply_the_shipped_contract_can_make_reads_as_clean_sentences() -> None:
    """Any opener, middle and closure of a table compose into distinct, finished sentences."""
    contract = load_contract()
    for keys in TABLE_KEYS.values():
        texts = [variant.text for key in keys for variant in contract.pool(key)]
        assert len(texts) == len(set(texts))
        assert all(text[0].isupper() or text[0] >= "\u0900" for text in texts)


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("", "contract must be a table"),
        ("x =", "not TOML"),
        ("contract = 3", "contract must be a table"),
        ('[contract]\nname = "own"\nversion = "1.0.0"\n', "contract.checksum must be a string"),
        (HEAD.replace("1.0.0", "1.0"), "three whole numbers"),
        (HEAD.replace("1.0.0", "01.0.0"), "three whole numbers"),
        (HEAD.replace('"own"', '"Own Voice"'), "contract.name"),
        (HEAD.replace('checksum = ""', 'checksum = "md5:1"'), "sha256"),
        (HEAD + 'author = "x"\n', "Unknown key 'author' in contract"),
        (HEAD + "[E.en]\n", "Unknown key 'E'"),
        (HEAD + "[A.fr]\n", "Unknown key 'fr' in A"),
        (HEAD + '[C.en]\naction = ["Breathe."]\n', "Unknown key 'action' in C.en"),
        (HEAD + '[D.en]\nvalidation = ["Yes."]\n', "Unknown key 'validation' in D.en"),
        (HEAD + '[A.en]\nopener = "I hear you."\n', "A.en.opener must be a list"),
        (HEAD + "[A.en]\nopener = [3]\n", "A.en.opener[0] must be a table"),
        (HEAD + '[A.en]\nopener = [{ marks = ["lighter"] }]\n', "A.en.opener[0].text must be a string"),
        (HEAD + '[A.en]\nopener = [{ text = "Hm.", marks = ["soft"] }]\n', "A.en.opener[0].marks"),
        (HEAD + '[A.en]\nopener = [{ text = "Hm.", marks = [["lighter"]] }]\n', "A.en.opener[0].marks"),
        (HEAD + '[A.en]\nopener = [{ text = "Hm.", tone = "warm" }]\n', "Unknown key 'tone'"),
        (HEAD + f'[A.en]\nopener = ["{"x" * 401}"]\n', "at most 400"),
        (HEAD + "[A.en]\nopener = [" + '"x.", ' * 101 + "]\n", "at most 100 variants"),
        (HEAD + "[A]\nen = 1\n", "A.en must be a table"),
    ],
)
def test_a_malformed_file_names_the_place_and_what_is_right(text: str, fragment: str) -> None:
    """Form is strict: unknown keys, wrong types and unknown marks are errors with a path."""
    with pytest.raises(VoiceError) as caught:
        parse_contract(text)
    assert fragment in str(caught.value)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\xff\xfe", "contract_not_utf8"),
        (b"#" * (CONTRACT_BYTES + 1), "contract_too_large"),
        ("a = " + "[" * 50_000, "contract_not_toml"),
        (b"\x00", "contract_not_toml"),
    ],
)
def test_hostile_files_are_typed_errors(data: str | bytes, reason: str) -> None:
    """Bytes that are no text, too many of them, or nested without end raise one typed error."""
    with pytest.raises(VoiceError) as caught:
        parse_contract(data)
    assert caught.value.reason == reason


@settings(deadline=None, max_examples=200)
@given(st.one_of(st.text(max_size=200), st.binary(max_size=200)))
def test_no_input_at_all_raises_anything_else(data: str | bytes) -> None:
    """Whatever is handed in, the answer is a contract or a VoiceError."""
    try:
        parse_contract(data)
    except VoiceError:
        return
    pytest.fail("random data cannot be a contract: it has no head")


@pytest.mark.parametrize(
    ("pool", "variants", "code"),
    [
        ("A.en.opener", [], "empty_pool"),
        ("A.en.opener", ["One.", "Two.", "Three.", "Four."], "pool_too_large"),
        ("B.en.validation", ["One.", "Two.", "Three.", "Four.", "Five."], "pool_too_large"),
        ("C.en.closure", ["One.", "Two."], "pool_too_large"),
        ("D.en.action", ["One.", "Two.", "Three."], "pool_too_large"),
        ("A.en.opener", ["   "], "empty_text"),
        ("A.en.opener", [" I hear you."], "stray_characters"),
        ("A.en.opener", ["I hear  you."], "stray_characters"),
        ("A.en.opener", ["I hear\nyou."], "stray_characters"),
        ("A.en.opener", ["I hear\u200b you."], "stray_characters"),
        ("A.en.opener", ["I hear\u202e you."], "stray_characters"),
        ("A.en.opener", ["I hear\u200d you."], "stray_characters"),
        ("A.en.opener", ["I hear you"], "unfinished"),
        ("A.en.opener", ["Is it heavy?"], "question"),
        ("A.en.opener", ["I wonder why it came."], "question"),
        ("A.hinglish.opener", ["Yeh kyun hua, aap jaante hain."], "question"),
        ("A.hi.opener", ["यह क्यों हुआ।"], "question"),
        ("A.en.opener", ["You should rest."], "advice_word"),
        ("A.en.opener", ["TRY it."], "advice_word"),
        ("B.en.validation", ["You’ve got to rest."], "advice_word"),
        ("B.en.validation", ["The best way is slow."], "advice_word"),
        ("C.en.validation", ["You need rest."], "advice_word"),
        ("B.hinglish.validation", ["Aapko aaram karna chahiye."], "advice_word"),
        ("B.hi.validation", ["आपको आराम करना चाहिए।"], "advice_word"),
        ("B.hi.validation", ["आराम करना ज\u093cरूरी है।"], "advice_word"),
        ("C.en.validation", ["Breathe with me."], "action_in_c"),
        ("C.hinglish.validation", ["Ek lambi saans, aur bas yeh hai."], "action_in_c"),
        ("C.hi.validation", ["एक लंबी साँस।"], "action_in_c"),
        ("C.en.validation", ["It gets better."], "optimism_in_c"),
        ("C.hinglish.validation", ["Umeed hai."], "optimism_in_c"),
        ("C.hi.validation", ["उम्मीद है।"], "optimism_in_c"),
        ("B.en.closure", ["I will stay."], "promise"),
        ("B.hinglish.closure", ["Main hamesha aapke saath hoon."], "promise"),
        ("D.hi.closure", ["सब हो जाएगा।"], "promise"),
        ("A.en.opener", ["यह भारी है।"], "mixed_script"),
        ("A.en.opener", ["I heаr you."], "mixed_script"),
        ("A.en.opener", ["..."], "mixed_script"),
        ("A.hi.opener", ["यह heavy है।"], "mixed_script"),
        ("A.hi.opener", ["It is heavy."], "mixed_script"),
        ("A.hinglish.opener", ["Yeh भारी hai."], "mixed_script"),
        ("A.hinglish.opener", ["That is heavy."], "mixed_language"),
        ("A.en.opener", ["That is bahut heavy."], "mixed_language"),
        ("A.en.opener", ["I hear you.", "i hear  YOU!"], "duplicate"),
    ],
)
def test_each_rule_finds_its_plant(pool: str, variants: list[str], code: str) -> None:
    """For every rule there is a sentence that breaks it, and the problem names the pool."""
    found = codes(with_pool(pool, *variants))
    assert code in [found_code for found_code, _ in found]
    assert all(where.startswith(pool) for _, where in found)


@pytest.mark.parametrize(
    ("pool", "text"),
    [
        ("A.en.opener", "My country and its poetry matter to you."),
        ("C.en.validation", "Finesse and betterment are just words."),
        ("A.en.opener", "A naïve café feeling is allowed."),
        ("A.hi.opener", "क्\u200dया बात है।"),
        ("D.en.opener", "Step by step, breathe."),
    ],
)
def test_innocent_sentences_pass(pool: str, text: str) -> None:
    """Words are matched whole, accents and joiners are ordinary, and D may speak of doing."""
    assert codes(with_pool(pool, text)) == []


def test_every_forbidden_phrase_is_caught_where_it_is_forbidden() -> None:
    """No phrase of the lists slips through, in any language it is listed for."""
    for code, skeletons, phrases, _law in FORBIDDEN:
        for language, listed in phrases.items():
            for phrase in listed:
                contract = with_pool(f"{skeletons[-1]}.{language}.opener", f"{phrase}.")
                assert code in [found for found, _ in codes(contract)], (code, phrase)


def test_hinglish_markers_are_single_words() -> None:
    """A marker is one word and is found in itself."""
    assert all(phrase_in(words(marker), HINGLISH_MARKERS) == marker for marker in HINGLISH_MARKERS)


def test_a_changed_sentence_breaks_the_checksum_and_the_message_has_the_new_one() -> None:
    """The checksum covers every text, mark, the name and the version."""
    shipped = load_contract()
    pools = {**shipped.pools, key_of("A.en.opener"): (Variant(text="I see.", marks=(Mark.FAMILY_OK,)),)}
    for tampered in (
        dataclasses.replace(shipped, pools=pools),
        dataclasses.replace(shipped, version="1.0.1"),
        dataclasses.replace(shipped, name="other"),
        dataclasses.replace(shipped, checksum=""),
    ):
        (problem,) = check_contract(tampered)
        assert problem.code == "checksum" and tampered.computed_checksum() in problem.sentence


def test_a_changed_mark_breaks_the_checksum() -> None:
    """Marks drive the constraints, so they are sealed too."""
    shipped = load_contract()
    key = key_of("A.en.opener")
    lighter = tuple(Variant(text=v.text, marks=(*v.marks, Mark.LIGHTER)) for v in shipped.pool(key)[:1])
    changed = dataclasses.replace(shipped, pools={**shipped.pools, key: (*lighter, *shipped.pool(key)[1:])})
    assert codes(changed) == [("checksum", "contract.checksum")]


def test_marks_that_leave_nobody_are_a_warning_to_people() -> None:
    """A pool without a family_ok, or of lighter ones only, still loads; the fallback is announced."""
    contract = with_pool("B.en.opener", Variant(text="One."), Variant(text="Two."))
    (problem,) = check_contract(contract)
    assert (problem.code, problem.severity) == ("no_candidate", Severity.WARNING)
    both = (Mark.LIGHTER, Mark.FAMILY_OK)
    contract = with_pool("B.en.opener", Variant(text="One.", marks=both), Variant(text="Two.", marks=both))
    assert codes(contract) == [("no_candidate", "B.en.opener")]


def test_a_c_pool_of_expansions_only_is_an_error() -> None:
    """Nothing in it could ever be said."""
    marks = (Mark.FAMILY_OK, Mark.EXPANSION)
    contract = with_pool("C.en.validation", Variant(text="One.", marks=marks), Variant(text="Two.", marks=marks))
    assert ("never_eligible", "C.en.validation") in codes(contract)


@pytest.mark.parametrize(
    ("version", "expected"),
    [("1.0.0", ["version_same"]), ("0.9.9", ["version_back"]), ("1.0.1", []), ("1.0.10", []), ("2.0.0", [])],
)
def test_a_changed_content_needs_a_higher_version(version: str, expected: list[str]) -> None:
    """Against the previous file, versions compare as numbers and may not stand still or go back."""
    changed = with_pool("A.en.closure", "Take all the room you like.", version=version)
    assert [code for code, _ in codes(changed, load_contract())] == expected


def test_the_same_file_is_its_own_legal_successor() -> None:
    """No change needs no bump."""
    assert codes(load_contract(), load_contract()) == []


@pytest.mark.parametrize(
    ("pool", "added", "expected"),
    [
        ("A.en.opener", 1, []),
        ("A.hi.opener", 2, ["growth"]),
        ("B.hi.opener", 2, []),
        ("B.hi.validation", 3, ["growth"]),
        ("C.en.opener", 1, ["growth"]),
        ("D.en.opener", 1, ["growth"]),
    ],
)
def test_growth_follows_the_expansion_matrix(pool: str, added: int, expected: list[str]) -> None:
    """A may gain one variant per section, B two, C and D none."""
    held = load_contract().pool(key_of(pool))
    plain = "भारी" if ".hi." in pool else "heavy"
    stop = "।" if ".hi." in pool else "."
    new = [Variant(text=" ".join([plain] * (n + 1)) + stop, marks=(Mark.FAMILY_OK,)) for n in range(added)]
    changed = with_pool(pool, *held, *new, version="1.1.0")
    assert [code for code, _ in codes(changed, load_contract())] == expected


def test_the_actions_of_d_are_fixed_for_good() -> None:
    """Not even a higher version may change an action."""
    changed = with_pool("D.en.action", "Drink a glass of water.", version="9.0.0")
    assert codes(changed, load_contract()) == [("action_changed", "D.en.action")]


def test_filling_a_gap_is_not_growth() -> None:
    """A table that had nothing may be filled within the limits."""
    gap = with_pool("C.en.validation")
    assert codes(dataclasses.replace(load_contract(), version="1.0.0"), gap) == [("version_same", "contract.version")]


def test_an_illegal_file_is_not_loaded_and_a_file_with_gaps_is(tmp_path: Path) -> None:
    """Loading refuses broken law and accepts empty pools, which have a fallback."""
    text = resources.files("recollect").joinpath("data", "voice", "default.toml").read_text(encoding="utf-8")
    bad = tmp_path / "bad.toml"
    bad.write_text(text.replace("I hear you.", "You should rest."), encoding="utf-8")
    with pytest.raises(VoiceError) as caught:
        load_contract(bad)
    assert caught.value.reason == "contract_illegal"
    gaps = tmp_path / "gaps.toml"
    gaps.write_text(text[: text.index("[D.hi]")], encoding="utf-8")
    sealed = read_contract(gaps).computed_checksum()
    gaps.write_text(gaps.read_text(encoding="utf-8").replace(load_contract().checksum, sealed), encoding="utf-8")
    assert not load_contract(gaps).speaks(Skeleton.D, Language.HI)


@pytest.mark.parametrize("path", ["missing.toml", "", "\x00", "."])
def test_a_file_that_cannot_be_read_is_a_typed_error(path: str) -> None:
    """No file, a folder or an impossible name: one error with one reason."""
    with pytest.raises(VoiceError) as caught:
        load_contract(path)
    assert caught.value.reason == "contract_load_failure"


def test_versions_compare_as_numbers() -> None:
    """1.0.10 is later than 1.0.9."""
    assert version_of("1.0.10") > version_of("1.0.9")


def test_marks_keep_one_order_however_they_are_written() -> None:
    """Two files that say the same have the same checksum."""
    one = parse_contract(HEAD + '[A.en]\nopener = [{ text = "Hm.", marks = ["lighter", "family_ok"] }]\n')
    two = parse_contract(HEAD + '[A.en]\nopener = [{ marks = ["family_ok", "lighter"], text = "Hm." }]\n')
    assert one.computed_checksum() == two.computed_checksum()


def test_sections_cover_what_each_skeleton_may_say() -> None:
    """Only D has an action, and only D has no validation."""
    assert {s.value for s, sections in SECTIONS.items() if Section.ACTION in sections} == {"D"}
    assert {s.value for s, sections in SECTIONS.items() if Section.VALIDATION not in sections} == {"D"}
