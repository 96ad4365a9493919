"""How a word list written as one block of text is read.

Decides: that entries are separated by commas or line ends and compared in lower case.
Never: holds words itself.
"""


def entries(block: str) -> frozenset[str]:
    """Return the entries of a block: comma or line separated, lower case, blanks at the ends removed."""
    return frozenset(part.strip().casefold() for line in block.splitlines() for part in line.split(",") if part.strip())


def pairs(block: str) -> dict[str, str]:
    """Return a mapping from a block of `canonical: spelling, spelling` lines; the canonical form maps to itself."""
    found: dict[str, str] = {}
    for line in block.splitlines():
        canonical, _, spellings = line.strip().partition(":")
        if not canonical:
            continue
        found[canonical.strip()] = canonical.strip()
        for spelling in spellings.split(","):
            if spelling.strip():
                found[spelling.strip().casefold()] = canonical.strip()
    return found


def spaced(block: str) -> frozenset[str]:
    """Return the words of a block that are separated by blanks alone."""
    return frozenset(block.split())
