"""How the name of a person, place, organisation or project becomes a key.

Decides: the slug of a name and the reference `<kind>:<slug>` that ties memories about one thing together.
Never: guesses that two spellings are one thing (that is proposed to the user elsewhere), drops a letter of any
script, or raises on odd input: a name without a single letter or digit has the empty slug and no reference.
Spec: state and memory model, "entityRefs"; ruling 20. Punctuation separates ("O'Brien" is `o_brien`), as the
published tests of the source system have it, and letters outside ASCII stay, so that names in other scripts do not
all fall together.
"""

import re
import unicodedata

from recollect.core.recent import by_word

ENTITY_KINDS: tuple[str, ...] = ("person", "place", "org", "project")

# Long enough for any real name; a bound, so that a hostile name cannot make a hostile key.
SLUG_LIMIT_CHARACTERS = 80

_READ_LIMIT_CHARACTERS = 400
_ASCII_SEPARATORS = re.compile(r"[^a-z0-9]+")
# Letters, digits and the marks that belong to letters (vowel signs, accents that NFKC cannot fuse).
_KEPT_CATEGORIES = frozenset("LNM")


@by_word(8_192)
def slugify(name: str) -> str:
    """Return the slug of a name: compared without case, punctuation and blanks as one "_", none at the ends."""
    folded = unicodedata.normalize("NFKC", name[:_READ_LIMIT_CHARACTERS]).casefold()
    if folded.isascii():
        slug = _ASCII_SEPARATORS.sub("_", folded)
    else:
        slug = _slug_any_script(unicodedata.normalize("NFKC", folded))
    return slug.strip("_")[:SLUG_LIMIT_CHARACTERS].rstrip("_")


def make_ref(kind: str, name: str) -> str:
    """Return `<kind>:<slug>`, or "" where the name has no slug or the kind is unknown."""
    slug = slugify(name)
    return f"{kind}:{slug}" if slug and kind in ENTITY_KINDS else ""


def valid_ref(ref: str) -> bool:
    """Tell whether a reference is one that `make_ref` could have made."""
    kind, separator, slug = ref.partition(":")
    return bool(separator) and kind in ENTITY_KINDS and bool(slug) and slugify(slug) == slug


def _slug_any_script(folded: str) -> str:
    kept = [char if unicodedata.category(char)[0] in _KEPT_CATEGORIES else " " for char in folded]
    return "_".join("".join(kept).split())
