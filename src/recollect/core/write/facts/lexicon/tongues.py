"""Languages, nationalities and time zones by name.

Decides: which words after "speak", "I'm" and "my time zone is" are read. All three are closed lists.
Never: converts a zone into an offset; that needs a clock and a table of its own.
"""

from functools import cache

from recollect.core.write.facts.lexicon.entry import entries

_LANGUAGES = """
afrikaans, albanian, amharic, arabic, armenian, azerbaijani, basque, belarusian, bengali, bosnian, bulgarian, burmese
cantonese, catalan, cebuano, chinese, croatian, czech, danish, dutch, english, esperanto, estonian, farsi, filipino
finnish, flemish, french, gaelic, galician, georgian, german, greek, gujarati, hausa, hebrew, hindi, hungarian
icelandic, igbo, indonesian, irish, italian, japanese, kannada, kazakh, khmer, korean, kurdish, kyrgyz, lao, latin
latvian, lithuanian, luxembourgish, macedonian, malay, malayalam, maltese, mandarin, maori, marathi, mongolian, nepali
norwegian, pashto, persian, polish, portuguese, brazilian portuguese, punjabi, quechua, romanian, russian, samoan
scottish gaelic, serbian, sign language, asl, bsl, sinhala, slovak, slovenian, somali, spanish, swahili, swedish
swiss german, tagalog, tamil, tatar, telugu, thai, tibetan, tigrinya, turkish, twi, ukrainian, urdu, uzbek
vietnamese, welsh, wolof, xhosa, yiddish, yoruba, zulu
"""

_NATIONALITIES = """
afghan, albanian, algerian, american, argentine, argentinian, armenian, australian, austrian, azerbaijani
bangladeshi, belarusian, belgian, bolivian, bosnian, brazilian, british, bulgarian, cambodian, cameroonian, canadian
chilean, chinese, colombian, congolese, costa rican, croatian, cuban, cypriot, czech, danish, dominican, dutch
ecuadorian, egyptian, english, eritrean, estonian, ethiopian, filipino, filipina, finnish, french, georgian, german
ghanaian, greek, guatemalan, haitian, honduran, hungarian, icelandic, indian, indonesian, iranian, iraqi, irish
israeli, italian, jamaican, japanese, jordanian, kazakh, kenyan, korean, kuwaiti, latvian, lebanese, liberian, libyan
lithuanian, malaysian, maltese, mexican, moldovan, mongolian, moroccan, nepali, new zealander, nicaraguan, nigerian
norwegian, pakistani, palestinian, panamanian, paraguayan, peruvian, polish, portuguese, puerto rican, romanian
russian, rwandan, salvadoran, saudi, scottish, senegalese, serbian, singaporean, slovak, slovenian, somali
south african, south korean, spanish, sri lankan, sudanese, swedish, swiss, syrian, taiwanese, tanzanian, thai
tunisian, turkish, ugandan, ukrainian, uruguayan, uzbek, venezuelan, vietnamese, welsh, yemeni, zambian, zimbabwean
"""

_ZONE_NAMES = """
pacific, eastern, central, mountain, central european, eastern european, western european, greenwich mean, japan
indian standard, alaska, hawaii, atlantic, british summer, australian eastern, israel, singapore, brasilia, moscow
"""

_ZONE_CODES = """
utc, gmt, est, edt, cst, cdt, mst, mdt, pst, pdt, et, pt, ct, mt, cet, cest, eet, eest, wet, west, bst, ist, jst
kst, aest, aedt, acst, awst, nzst, nzdt, msk, brt, eat, cat, wat, sast, hkt, sgt, pht, wib, akst, hst
"""


@cache
def languages() -> frozenset[str]:
    """Names of languages."""
    return entries(_LANGUAGES)


@cache
def nationalities() -> frozenset[str]:
    """Adjectives of nationality."""
    return entries(_NATIONALITIES)


@cache
def zone_names() -> frozenset[str]:
    """What may stand before "time"."""
    return entries(_ZONE_NAMES)


@cache
def zone_codes() -> frozenset[str]:
    """Abbreviations of zones; read only in capitals, since most are words as well."""
    return entries(_ZONE_CODES)
