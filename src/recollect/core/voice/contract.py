"""What a voice contract is, and how one is read from TOML.

A contract is twelve tables (four skeletons in three languages); a table has one pool of variants per section, and
a variant's id is its place in the pool. Reading is strict about form: an unknown key, a wrong type or an unknown
mark is an error that names the path. Whether a well-formed contract may be used is decided in `legality`.

Never: opens a file (the text comes in as data), fixes a sentence, or fills a gap.
Spec: B5.2 section 2; B6.2 section 3; ruling 40; upstream facts 1.2 and 1.3.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from recollect.core.canonical import canonical, digest
from recollect.core.voice.state import Language, PoolKey, Section, Skeleton
from recollect.errors import VoiceError

CONTRACT_BYTES = 1_048_576
VARIANT_CHARACTERS = 400
POOL_VARIANTS = 100
NAME_CHARACTERS = 60

# The order in which a reply is put together (facts 1.2). Only D has an action, and D has no validation.
SECTIONS: Mapping[Skeleton, tuple[Section, ...]] = {
    Skeleton.A: (Section.OPENER, Section.VALIDATION, Section.CLOSURE),
    Skeleton.B: (Section.OPENER, Section.VALIDATION, Section.CLOSURE),
    Skeleton.C: (Section.OPENER, Section.VALIDATION, Section.CLOSURE),
    Skeleton.D: (Section.OPENER, Section.ACTION, Section.CLOSURE),
}
TABLE_KEYS: Mapping[tuple[Skeleton, Language], tuple[PoolKey, ...]] = {
    (skeleton, language): tuple(PoolKey(skeleton=skeleton, language=language, section=s) for s in SECTIONS[skeleton])
    for skeleton in Skeleton
    for language in Language
}


class Mark(StrEnum):
    """What people have said about a variant; the only thing besides its index that selection may look at."""

    LIGHTER = "lighter"
    FAMILY_OK = "family_ok"
    EXPANSION = "expansion"


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One sentence, or a few, that may be said."""

    text: str
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceContract:
    """Everything that may be said, and nothing else."""

    name: str
    version: str
    checksum: str
    pools: Mapping[PoolKey, tuple[Variant, ...]]

    def pool(self, key: PoolKey) -> tuple[Variant, ...]:
        """The variants of a pool; none where the contract has a gap."""
        return self.pools.get(key, ())

    def speaks(self, skeleton: Skeleton, language: Language) -> bool:
        """Whether every section of this table has something to say."""
        return all(self.pools.get(key) for key in TABLE_KEYS[skeleton, language])

    def content(self) -> dict[str, object]:
        """Every pool as plain data, by name."""
        return {
            str(key): [{"text": v.text, "marks": sorted(v.marks)} for v in pool] for key, pool in self.pools.items()
        }

    def computed_checksum(self) -> str:
        """What the checksum must be for this name, version and content."""
        return "sha256:" + digest(canonical({"name": self.name, "version": self.version, "pools": self.content()}))


_VERSION = re.compile(r"(0|[1-9][0-9]{0,5})\.(0|[1-9][0-9]{0,5})\.(0|[1-9][0-9]{0,5})")
_CHECKSUM = re.compile(r"sha256:[0-9a-f]{64}")
_NAME = re.compile(r"[a-z][a-z0-9_-]*")


def version_of(text: str) -> tuple[int, int, int]:
    """A version as three numbers that compare."""
    found = _VERSION.fullmatch(text)
    if found is None:
        raise _broken("contract.version", "three whole numbers such as 1.0.0")
    return int(found[1]), int(found[2]), int(found[3])


def parse_contract(data: str | bytes) -> VoiceContract:
    """The contract a TOML file describes; VoiceError with the path of the first thing that has the wrong form."""
    raw = _toml(data)
    head = _table(raw.get("contract"), "contract", ("name", "version", "checksum"))
    name, version, checksum = (_string(head.get(key), f"contract.{key}") for key in ("name", "version", "checksum"))
    if not _NAME.fullmatch(name) or len(name) > NAME_CHARACTERS:
        raise _broken("contract.name", f"lower-case letters, digits, - and _, at most {NAME_CHARACTERS}")
    version_of(version)
    if checksum and not _CHECKSUM.fullmatch(checksum):
        raise _broken("contract.checksum", 'empty, or "sha256:" and 64 hexadecimal digits')
    _only(raw, ("contract", *Skeleton), "the file")
    pools: dict[PoolKey, tuple[Variant, ...]] = {}
    for skeleton in Skeleton:
        pools.update(_read_skeleton(raw.get(skeleton.value, {}), skeleton))
    return VoiceContract(name=name, version=version, checksum=checksum, pools=pools)


def _toml(data: str | bytes) -> dict[str, object]:
    if not isinstance(data, str | bytes):
        raise _broken("the file", "text")
    if len(data) > CONTRACT_BYTES:
        raise VoiceError(f"A voice contract has at most {CONTRACT_BYTES} bytes.", reason="contract_too_large")
    try:
        text = data.decode("utf-8") if isinstance(data, bytes) else data
        return tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise VoiceError("The voice contract is not UTF-8.", reason="contract_not_utf8") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise VoiceError(f"The voice contract is not TOML: {str(error)[:200]}.", reason="contract_not_toml") from error


def _read_skeleton(raw: object, skeleton: Skeleton) -> dict[PoolKey, tuple[Variant, ...]]:
    pools: dict[PoolKey, tuple[Variant, ...]] = {}
    languages = _table(raw, skeleton.value, tuple(Language))
    for language in Language:
        where = f"{skeleton}.{language}"
        table = _table(languages.get(language.value, {}), where, SECTIONS[skeleton])
        for section in SECTIONS[skeleton]:
            if section.value in table:
                key = PoolKey(skeleton=skeleton, language=language, section=section)
                pools[key] = _read_pool(table[section.value], f"{where}.{section}")
    return pools


def _read_pool(raw: object, where: str) -> tuple[Variant, ...]:
    if not isinstance(raw, list):
        raise _broken(where, "a list of variants")
    if len(raw) > POOL_VARIANTS:
        raise _broken(where, f"a list of at most {POOL_VARIANTS} variants")
    return tuple(_read_variant(entry, f"{where}[{index}]") for index, entry in enumerate(raw))


def _read_variant(raw: object, where: str) -> Variant:
    if isinstance(raw, str):
        return Variant(text=_string(raw, where))
    entry = _table(raw, where, ("text", "marks"))
    marks = entry.get("marks", [])
    if not isinstance(marks, list) or any(mark not in tuple(Mark) for mark in marks) or len(marks) > len(Mark):
        raise _broken(f"{where}.marks", f"a list of {', '.join(Mark)}")
    return Variant(text=_string(entry.get("text"), f"{where}.text"), marks=tuple(m for m in Mark if m in marks))


def _string(raw: object, where: str) -> str:
    if not isinstance(raw, str):
        raise _broken(where, "a string")
    if len(raw) > VARIANT_CHARACTERS:
        raise _broken(where, f"a string of at most {VARIANT_CHARACTERS} characters")
    return raw


def _table(raw: object, where: str, allowed: tuple[str, ...]) -> Mapping[str, object]:
    if not isinstance(raw, Mapping):
        raise _broken(where, "a table")
    _only(raw, allowed, where)
    return raw


def _only(raw: Mapping[str, object], allowed: tuple[str, ...], where: str) -> None:
    for key in raw:
        if key not in allowed:
            raise VoiceError(
                f"Unknown key {key[:40]!r} in {where}.",
                hint=f"Allowed there: {', '.join(allowed)}.",
                reason="contract_unknown_key",
            )


def _broken(where: str, wanted: str) -> VoiceError:
    return VoiceError(f"{where} must be {wanted}.", reason="contract_malformed")
