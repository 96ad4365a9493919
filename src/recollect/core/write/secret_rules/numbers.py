"""Checksums and ranges of cards, accounts and government numbers.

Never: uses floats, or looks further than the words just before a number.
Spec: ruling 10; reliability sheet S4.
"""

from __future__ import annotations

from recollect.core.write.secret_rules.rule import Check, Hit, compiled


def digits_of(text: str) -> list[int]:
    """The ASCII digits of a text as numbers."""
    return [ord(letter) - 48 for letter in text if "0" <= letter <= "9"]


def luhn(digits: list[int]) -> bool:
    """The Luhn checksum of payment cards."""
    doubled = (sum(divmod(digit * 2, 10)) for digit in digits[-2::-2])
    return bool(digits) and (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


# Issuer ranges: prefix range, lengths. Source: ISO/IEC 7812 ranges as published by the networks.
_CARD_RANGES: tuple[tuple[int, int, tuple[int, ...]], ...] = (
    (400000, 499999, (16, 19)),
    (510000, 559999, (16,)),
    (222100, 272099, (16,)),
    (340000, 349999, (15,)),
    (370000, 379999, (15,)),
    (601100, 601199, (16, 19)),
    (644000, 659999, (16, 19)),
    (300000, 305999, (14, 16)),
    (360000, 369999, (14, 16)),
    (380000, 399999, (14, 16)),
    (352800, 358999, (16, 19)),
    (620000, 629999, (16, 17, 18, 19)),
    (220000, 220499, (16,)),
    (508500, 508999, (16,)),
    (606900, 608500, (16,)),
    (817000, 820199, (16,)),
    (979200, 979299, (16,)),
)

_NOT_A_CARD = ("order", "tracking", "invoice", "isbn", "imei", "ean", "barcode", "serial", "ref", "ticket", "sku")


def card(hit: Hit) -> bool:
    """A payment card: issuer range, length, Luhn, and not introduced as something else."""
    digits = digits_of(hit.value)
    prefix = int("".join(map(str, digits[:6])))
    known = any(low <= prefix <= high and len(digits) in sizes for low, high, sizes in _CARD_RANGES)
    return known and len(dict.fromkeys(digits)) > 1 and luhn(digits) and not _introduced(hit, _NOT_A_CARD)


def _introduced(hit: Hit, words: tuple[str, ...], size: int = 24) -> bool:
    """Whether one of the words stands shortly before the value (as a word, or the start of one)."""
    return compiled(r"(?<![a-z])(?:" + "|".join(words) + ")").search(hit.before(size)) is not None


# Length of an IBAN by country. Source: the SWIFT IBAN registry.
_IBAN_LENGTHS: dict[str, int] = {
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BI": 27, "BR": 29,
    "BY": 28, "CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DJ": 27, "DK": 18, "DO": 28, "EE": 20, "EG": 29,
    "ES": 24, "FI": 18, "FK": 18, "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28,
    "HR": 21, "HU": 28, "IE": 22, "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28,
    "LC": 32, "LI": 21, "LT": 20, "LU": 20, "LV": 21, "LY": 25, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MN": 20,
    "MR": 27, "MT": 31, "MU": 30, "NI": 28, "NL": 18, "NO": 15, "OM": 23, "PK": 24, "PL": 28, "PS": 29, "PT": 25,
    "QA": 29, "RO": 24, "RS": 22, "RU": 33, "SA": 24, "SC": 31, "SD": 18, "SE": 24, "SI": 19, "SK": 24, "SM": 27,
    "SO": 23, "ST": 25, "SV": 28, "TL": 23, "TN": 24, "TR": 26, "UA": 29, "VA": 22, "VG": 24, "XK": 20, "YE": 30,
}  # fmt: skip


def iban(hit: Hit) -> bool:
    """An IBAN: the country's length and a remainder of one modulo 97."""
    account = hit.value.replace(" ", "").replace("-", "").upper()
    if _IBAN_LENGTHS.get(account[:2]) != len(account):
        return False
    moved = account[4:] + account[:4]
    return int("".join(str(int(letter, 36)) for letter in moved)) % 97 == 1


_VERHOEFF_D = tuple(
    tuple(map(int, row))
    for row in (
        "0123456789", "1234067895", "2340178956", "3401289567", "4012395678",
        "5987604321", "6598710432", "7659821043", "8765932104", "9876543210",
    )
)  # fmt: skip
_VERHOEFF_P = tuple(
    tuple(map(int, row))
    for row in (
        "0123456789", "1576283094", "5803796142", "8916043527", "9453126870", "4286573901", "2793806415", "7046913258",
    )
)  # fmt: skip


def verhoeff(digits: list[int]) -> bool:
    """The Verhoeff checksum of Aadhaar numbers."""
    state = 0
    for at, digit in enumerate(reversed(digits)):
        state = _VERHOEFF_D[state][_VERHOEFF_P[at % 8][digit]]
    return state == 0


_NOT_A_PERSON = (
    "order", "invoice", "part", "model", "sku", "ref", "case", "ticket", "serial", "item", "tracking", "phone", "tel",
    "call", "fax", "version", "build", "isbn", "issn", "mobile", "cell", "batch", "lot",
)  # fmt: skip


def aadhaar(hit: Hit) -> bool:
    """An Aadhaar number by its checksum, and not introduced as an order, a part or a phone."""
    return verhoeff(digits_of(hit.value)) and not _introduced(hit, _NOT_A_PERSON) and "+" not in hit.before(4)


def ssn(hit: Hit) -> bool:
    """A US social security number that was or could be issued, and is not introduced as an order or a part."""
    number = "".join(map(str, digits_of(hit.value)))
    area, group, serial = number[:3], number[3:5], number[5:]
    issued = area not in ("000", "666") and area[0] != "9" and group != "00" and serial != "0000"
    return issued and len(dict.fromkeys(number)) > 1 and not _introduced(hit, _NOT_A_PERSON)


def itin(hit: Hit) -> bool:
    """A US taxpayer number: area 9xx, group 50 to 65, 70 to 88, 90 to 92 or 94 to 99."""
    group = int("".join(map(str, digits_of(hit.value)[3:5])))
    return 50 <= group <= 65 or 70 <= group <= 88 or 90 <= group <= 92 or 94 <= group <= 99


_NINO_UNUSED = ("BG", "GB", "KN", "NK", "NT", "TN", "ZZ")


def nino(hit: Hit) -> bool:
    """A UK national insurance number whose prefix is in use."""
    return hit.value[:2].upper() not in _NINO_UNUSED


def weighted(weights: tuple[int, ...], modulus: int) -> Check:
    """A check that the weighted digit sum is divisible by the modulus."""
    return lambda hit: sum(w * d for w, d in zip(weights, digits_of(hit.value), strict=False)) % modulus == 0


def luhn_number(hit: Hit) -> bool:
    """Any number with a Luhn checksum and more than one different digit."""
    digits = digits_of(hit.value)
    return len(dict.fromkeys(digits)) > 1 and luhn(digits)


def cpf(hit: Hit) -> bool:
    """A Brazilian CPF: both check digits, and not eleven times the same digit."""
    digits = digits_of(hit.value)
    if len(dict.fromkeys(digits)) == 1:
        return False
    first = sum(digit * (10 - at) for at, digit in enumerate(digits[:9])) * 10 % 11 % 10
    second = sum(digit * (11 - at) for at, digit in enumerate(digits[:10])) * 10 % 11 % 10
    return digits[9:] == [first, second]


def nir(hit: Hit) -> bool:
    """A French social security number: its key is 97 minus the number modulo 97."""
    number = "".join(map(str, digits_of(hit.value)))
    return int(number[:13]) % 97 == 97 - int(number[13:])


def dni(hit: Hit) -> bool:
    """A Spanish DNI or NIE: the letter belongs to the number."""
    raw = hit.value.replace(" ", "").replace("-", "").upper()
    number = {"X": "0", "Y": "1", "Z": "2"}.get(raw[0], raw[0]) + raw[1:-1]
    return "TRWAGMYFPDXBNJZSQVHLCKE"[int(number) % 23] == raw[-1]


_FISCAL_ODD = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)


def codice_fiscale(hit: Hit) -> bool:
    """An Italian codice fiscale: the last letter is its check character."""
    code = hit.value.upper()
    places = [int(letter) if letter.isdigit() else ord(letter) - 65 for letter in code[:15]]
    total = sum(_FISCAL_ODD[place] if at % 2 == 0 else place for at, place in enumerate(places))
    return chr(65 + total % 26) == code[15]


def steuer_id(hit: Hit) -> bool:
    """A German tax number: ISO 7064, modulo 11, 10."""
    digits = digits_of(hit.value)
    product = 10
    for digit in digits[:10]:
        product = ((digit + product) % 10 or 10) * 2 % 11
    return (11 - product) % 10 == digits[10]


def routing(hit: Hit) -> bool:
    """A US routing number: weights 3, 7, 1 modulo 10."""
    digits = digits_of(hit.value)
    return any(digits) and sum(w * d for w, d in zip((3, 7, 1) * 3, digits, strict=False)) % 10 == 0
