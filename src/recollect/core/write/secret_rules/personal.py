"""Numbers that stand for a person or an account: cards, bank accounts, government numbers.

A number with a strong checksum or an unmistakable grouping stands alone; every other needs its keyword in front.

Never: calls a number personal for its length alone.
Spec: ruling 10; reliability sheet S4.
"""

from __future__ import annotations

from recollect.core.write.secret_rules import numbers
from recollect.core.write.secret_rules.rule import Gate, Rule

# Not the tail of a longer number, a decimal, or a word; and not the head of one.
_L = r"(?<![0-9A-Za-z_.])(?<![0-9][,-])"
_R = r"(?![0-9A-Za-z_])(?![.,-][0-9])"
# The same, strictly: a number without a checksum has to be said to be the number.
_SAYS = r"(?:\s(?:number|no\.?|num|id))?(?:'s\s|\s?[:=#]{1,2}\s{0,2}|\s(?:is|was)\s(?:still\s|now\s)?|\s)[\"'(]?"
# Between a keyword and its number: "number is", "no. :", "#", "for my card is" and the like; no digit, no line end.
_TO = r"[^\n0-9]{0,30}?[\s:=#\"'(]"

PERSONAL: tuple[Rule, ...] = (
    Rule(
        code="payment_card",
        about="payment card number: issuer range, length and Luhn",
        gate=Gate.NUMBER,
        pattern=(
            _L + r"([2-9][0-9]{15,18}|3[0-9]{13,15}|[2-9][0-9]{3}([ .-])[0-9]{4}\2[0-9]{4}\2[0-9]{4}(?:\2[0-9]{1,3})?"
            r"|3[0-9]{3}([ .-])[0-9]{6}\3[0-9]{4,5})" + _R
        ),
        check=numbers.card,
        token_shaped=False,
    ),
    Rule(
        code="card_security_code",
        about="card security code with its keyword",
        keywords=("cvv", "cvc", "cvn", "security code", "verification code on", "card verification"),
        gate=Gate.DIGIT,
        pattern=(
            r"(?<![a-z])(?:cvv2?|cvc2?|cvn2?|card verification (?:value|code|number)|(?:card )?security code)(?![a-z])"
            r"(?:\s(?:code|on|for|of)(?:\s[^\n0-9.,;:]{1,24}?)?)?" + _SAYS + r"([0-9]{3,4})" + _R
        ),
        folded=True,
        token_shaped=False,
    ),
    Rule(
        code="iban",
        about="international bank account number: country length and modulo 97",
        gate=Gate.CAPITALS,
        pattern=r"(?<![0-9A-Za-z])[A-Z]{2}[0-9]{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,4})?(?![0-9A-Za-z])",
        check=numbers.iban,
        token_shaped=False,
    ),
    Rule(
        code="iban",
        about="international bank account number written in small letters",
        keywords=("iban",),
        gate=Gate.NUMBER,
        pattern=r"(?<![0-9a-z])[a-z]{2}[0-9]{2}(?:[ -]?[a-z0-9]{4}){2,7}(?:[ -]?[a-z0-9]{1,4})?(?![0-9a-z])",
        check=numbers.iban,
        folded=True,
        token_shaped=False,
    ),
    Rule(
        code="us_ssn",
        about="US social security number, dashed or with its keyword",
        gate=Gate.NUMBER,
        pattern=_L + r"[0-8][0-9]{2}-[0-9]{2}-[0-9]{4}" + _R,
        check=numbers.ssn,
        token_shaped=False,
    ),
    Rule(
        code="us_ssn",
        about="US social security number, spaced or bare, with its keyword",
        keywords=("ssn", "social security", "soc sec", "ss#"),
        gate=Gate.NUMBER,
        pattern=r"(?<![a-z])(?:ssn|social security|soc sec|ss#)(?![a-z])"
        + _TO
        + r"([0-8][0-9]{2}[ .-]?[0-9]{2}[ .-]?[0-9]{4})"
        + _R,
        check=numbers.ssn,
        folded=True,
        token_shaped=False,
    ),
    Rule(
        code="us_itin",
        about="US taxpayer number with its keyword",
        keywords=("itin", "taxpayer"),
        gate=Gate.NUMBER,
        pattern=r"(?<![a-z])(?:itin|taxpayer)(?![a-z])" + _TO + r"(9[0-9]{2}[ -]?[0-9]{2}[ -]?[0-9]{4})" + _R,
        check=numbers.itin,
        folded=True,
        token_shaped=False,
    ),
    Rule(
        code="uk_nino",
        about="UK national insurance number in its usual grouping",
        gate=Gate.CAPITALS,
        pattern=r"(?<![0-9A-Za-z])[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] [0-9]{2} [0-9]{2} [0-9]{2} [A-D](?![0-9A-Za-z])",
        check=numbers.nino,
        token_shaped=False,
    ),
    Rule(
        code="uk_nino",
        about="UK national insurance number with its keyword",
        keywords=("national insurance", "nino", "ni number", "ni no"),
        gate=Gate.DIGIT,
        pattern=(
            r"(?<![a-z])(?:national insurance|nino|ni n(?:umber|o))(?![a-z])[^\n0-9]{0,30}?[\s:=#\"'(]"
            r"([a-ceghj-pr-tw-z][a-ceghj-npr-tw-z][ -]?[0-9]{2}[ -]?[0-9]{2}[ -]?[0-9]{2}[ -]?[a-d])(?![0-9a-z])"
        ),
        check=numbers.nino,
        folded=True,
        token_shaped=False,
    ),
    Rule(
        code="uk_nhs_number",
        about="UK NHS number with its keyword",
        keywords=("nhs",),
        gate=Gate.NUMBER,
        pattern=r"(?<![a-z])nhs(?![a-z])" + _TO + r"([0-9]{3}[ -]?[0-9]{3}[ -]?[0-9]{4})" + _R,
        check=numbers.weighted((10, 9, 8, 7, 6, 5, 4, 3, 2, 1), 11),
        folded=True,
        token_shaped=False,
    ),
    Rule(
        code="in_aadhaar",
        about="Indian Aadhaar number in its usual grouping: Verhoeff",
        gate=Gate.NUMBER,
        pattern=_L + r"(?<![0-9] )([2-9][0-9]{3}([ -])[0-9]{4}\2[0-9]{4})" + _R + r"(?! [0-9])",
        check=numbers.aadhaar,
        token_shaped=False,
    ),
    Rule(
        code="in_aadhaar",
        about="Indian Aadhaar number with its keyword: Verhoeff",
        keywords=("aadhaar", "aadhar", "adhaar", "uidai"),
        gate=Gate.NUMBER,
        pattern=r"(?:aadhaar|aadhar|adhaar|uidai)" + _TO + r"([2-9][0-9]{3}[ -]?[0-9]{4}[ -]?[0-9]{4})" + _R,
        check=numbers.aadhaar,
        folded=True,
        token_shaped=False,
    ),
    Rule(
        code="in_pan",
        about="Indian permanent account number of a person",
        gate=Gate.CAPITALS,
        pattern=r"(?<![0-9A-Za-z_])[A-Z]{3}P[A-Z][0-9]{4}[A-Z](?![0-9A-Za-z_])",
        token_shaped=False,
    ),
    Rule(
        code="in_pan",
        about="Indian permanent account number with its keyword",
        keywords=("pan", "permanent account"),
        gate=Gate.DIGIT,
        pattern=r"(?<![a-z])(?:pan|permanent account)(?![a-z])[^\n0-9]{0,30}?[\s:=#\"'(]"
        r"([a-z]{3}[abcfghljpt][a-z][0-9]{4}[a-z])(?![0-9a-z])",
        folded=True,
        token_shaped=False,
    ),
    Rule(
        code="passport",
        about="passport number with its keyword",
        keywords=("passport",),
        gate=Gate.DIGIT,
        pattern=r"(?<![a-z])passport(?![a-z])" + _SAYS + r"([a-z]{0,3}[0-9]{6,9}[a-z]?)(?![0-9a-z])(?![.,-][0-9])",
        folded=True,
        token_shaped=False,
    ),
    Rule(
        code="drivers_license",
        about="driving licence number with its keyword",
        keywords=("licen",),
        gate=Gate.DIGIT,
        pattern=(
            r"(?<![a-z])(?:driver'?s?'?|driving) licen[cs]e(?![a-z])"
            + _SAYS
            + r"([a-z]{0,5}[0-9](?:[ -]?[0-9a-z]){5,17})(?![0-9a-z])"
        ),
        check=lambda hit: len(numbers.digits_of(hit.value)) >= 6,
        folded=True,
        token_shaped=False,
    ),
    Rule(
        code="us_routing_number",
        about="US bank routing number with its keyword",
        keywords=("routing", "aba"),
        gate=Gate.NUMBER,
        pattern=r"(?<![a-z])(?:routing|aba)(?![a-z])"
        + _TO
        + r"((?:0[0-9]|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)[0-9]{7})"
        + _R,
        check=numbers.routing,
        folded=True,
        token_shaped=False,
    ),
    Rule(
        code="bank_account",
        about="bank account number with its keyword",
        keywords=("account",),
        gate=Gate.NUMBER,
        pattern=(
            r"(?<![a-z])(?:bank account|account (?:number|no|num)|acct(?: no| number)?)(?![a-z])"
            + _SAYS
            + r"([0-9](?:[ -]?[0-9]){6,16})"
            + _R
        ),
        folded=True,
        token_shaped=False,
    ),
    Rule(
        code="ca_sin",
        about="Canadian social insurance number with its keyword: Luhn",
        keywords=("sin", "social insurance"),
        gate=Gate.NUMBER,
        pattern=r"(?<![a-z])(?:sin|social insurance)(?![a-z])"
        + _TO
        + r"([1-9][0-9]{2}[ -]?[0-9]{3}[ -]?[0-9]{3})"
        + _R,
        check=numbers.luhn_number,
        folded=True,
        token_shaped=False,
    ),
    Rule(
        code="au_tfn",
        about="Australian tax file number with its keyword: modulo 11",
        keywords=("tfn", "tax file"),
        gate=Gate.NUMBER,
        pattern=r"(?<![a-z])(?:tfn|tax file)(?![a-z])" + _TO + r"([0-9]{3}[ -]?[0-9]{3}[ -]?[0-9]{3})" + _R,
        check=numbers.weighted((1, 4, 3, 7, 5, 8, 6, 9, 10), 11),
        folded=True,
        token_shaped=False,
    ),
    Rule(
        code="br_cpf",
        about="Brazilian CPF, punctuated: two check digits",
        gate=Gate.NUMBER,
        pattern=r"(?<![0-9A-Za-z.])[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}(?![0-9A-Za-z])",
        check=numbers.cpf,
        token_shaped=False,
    ),
    Rule(
        code="fr_nir",
        about="French social security number: modulo 97",
        gate=Gate.NUMBER,
        pattern=_L + r"[12] ?[0-9]{2} ?(?:0[1-9]|1[0-2]) ?[0-9]{2} ?[0-9]{3} ?[0-9]{3} ?[0-9]{2}" + _R,
        check=numbers.nir,
        token_shaped=False,
    ),
    Rule(
        code="es_dni",
        about="Spanish DNI or NIE with its keyword: check letter",
        keywords=("dni", "nie", "nif"),
        gate=Gate.NUMBER,
        pattern=r"(?<![a-z])(?:dni|nie|nif)(?![a-z])[^\n0-9]{0,20}?[\s:=#\"'(]([0-9xyz][0-9]{7}[ -]?[a-z])(?![0-9a-z])",
        check=numbers.dni,
        folded=True,
        token_shaped=False,
    ),
    Rule(
        code="it_codice_fiscale",
        about="Italian codice fiscale: check letter",
        gate=Gate.CAPITALS,
        pattern=r"(?<![0-9A-Za-z])[A-Z]{6}[0-9]{2}[A-EHLMPRST][0-9]{2}[A-Z][0-9]{3}[A-Z](?![0-9A-Za-z])",
        check=numbers.codice_fiscale,
        token_shaped=False,
    ),
    Rule(
        code="de_tax_id",
        about="German tax number with its keyword: ISO 7064",
        keywords=("steuer", "tax id"),
        gate=Gate.NUMBER,
        pattern=r"(?:steuer-?id(?:nr)?|steueridentifikationsnummer|tax id)(?![a-z])"
        + _TO
        + r"([1-9][0-9](?: ?[0-9]{3}){3})"
        + _R,
        check=numbers.steuer_id,
        folded=True,
        token_shaped=False,
    ),
)
