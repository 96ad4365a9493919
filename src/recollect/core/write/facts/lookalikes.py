"""What looks like a fact and is none: code, quotations, questions, hypotheses, fiction, jokes, hearsay.

Decides: which stretches of a text are not read at all, and which words before or after a claim take it back.
Never: finds a fact. Every rule here can only make the extractor say less.
"""

import re
from functools import cache

# One character that no pattern reads and no object may touch.
VOID = "\x00"

_PLAIN = str.maketrans(
    {"’": "'", "‘": "'", "ʼ": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "\u00a0": " ", "\t": " "}
)


@cache
def _pattern(source: str, flags: int = re.IGNORECASE) -> re.Pattern[str]:
    return re.compile(source, flags)


_FENCE = r"```[\s\S]{0,4000}?(?:```|\Z)|~~~[\s\S]{0,4000}?(?:~~~|\Z)"
_INLINE = r"`[^`\n]{1,400}`"
_LINK = r"\b(?:https?://|www\.)\S{1,400}|\S{1,60}@\S{1,60}\.\w{2,10}"
_CODE_LINE = (
    r"^[ \t]*(?:>|//|#(?!\w*\s*$)|--\s|/\*|\*\s|\$\s|[{\[]\s*[\"'{\[]|(?:def|class|import|const|let|var|function|return|public"
    r"|private|static|select|insert|update\s+\w+\s+set|delete\s+from|create\s+table|print|console\.|assert|echo)\b[ \t]*[\w\"'(.*{=]).*$"
    r"|^.*(?:[;{}]|=>|\)\s*:)[ \t]*$|^.*\b\w+\s*=\s*[\"'\[{].*$|^.*\w\([^)\n]{0,80}[\"'{].*$"
)
_QUOTED = r"\"[^\"\n]{1,600}\""
_SINGLE_QUOTED = r"(?<!\w)'[^'\n]{0,5}(?:[^'\n]|(?<=\w)'(?=\w)){1,400}'(?!\w)"
_OPEN_QUOTE = r"\"[^\"\n]{1,600}$"
_SHORT_QUOTE = re.compile(r"[\"'](?:[^\W\d_a-z][\w.'-]{0,24}(?:\s+|(?=[\"']))){1,3}[\"']")


def blank(text: str) -> str:
    """Return the text with typographic marks made plain and everything that is not said in earnest voided.

    The length and every position stay the same.
    """
    plain = text.translate(_PLAIN)
    if "`" in plain or "~~~" in plain:
        plain = _void(_void(plain, _FENCE), _INLINE)
    if "//" in plain or "@" in plain or "www." in plain:
        plain = _void(plain, _LINK)
    if _CODE_MARKS.search(plain):
        plain = _pattern(_CODE_LINE, re.IGNORECASE | re.MULTILINE).sub(_voided, plain)
    if '"' in plain:
        plain = _void(_void(plain, _QUOTED), _OPEN_QUOTE, re.MULTILINE)
    if "'" in plain:
        plain = _void(plain, _SINGLE_QUOTED)
    return plain


_CODE_MARKS = re.compile(
    r"[>{}()=;#$]|//|--|^\s*(?:def|import|select|insert|echo|print|var|let|const)\b", re.IGNORECASE | re.MULTILINE
)


def _void(text: str, source: str, flags: int = 0) -> str:
    return _pattern(source, re.IGNORECASE | flags).sub(_voided, text)


def _voided(match: re.Match[str]) -> str:
    span = match.group()
    if span[0] in "\"'" and _SHORT_QUOTE.fullmatch(span):
        return span
    return "".join(char if char == "\n" else VOID for char in span)


# Everything is a game, from the first word to the last.
_ALL_PRETENDED = (
    r"\b(?:role-?play(?:ing)?|pretend(?:ing)?|make-believe|my\s+character|our\s+characters?|the\s+(?:protagonist|narrator|hero|heroine|villain)"
    r"|fan\s?fic(?:tion)?|in\s+(?:the|my|this|our|a)\s+(?:story|novel|game|book|dream|movie|film|play|campaign|poem|song|screenplay|scenario)"
    r"|just\s+kidding|j/k|jk|kidding\s+aside|i'm\s+kidding|only\s+joking|just\s+joking|april\s+fools?|d&d\s+character|npc"
    r"|hypothetical(?:ly)?|sarcas(?:m|tic(?:ally)?)|dungeon\s+master|tongue\s+in\s+cheek|i'm\s+lying|that\s+was\s+a\s+(?:joke|lie))\b"
    r"|(?<!\S)/s(?!\S)"
)
# From here on the words are material to work on, not words about the speaker.
_MATERIAL = (
    r"\b(?:(?:write|draft|compose|generate|create|give\s+me|make|invent)\s+(?:me\s+|us\s+)?(?:an?|some|the|my|this|two|three|a\s+few)?\s*"
    r"(?:\w+[ -]){0,3}(?:story|stories|poem|essay|bio|biography|letter|email|e-mail|mail|song|lyrics|dialogue|script|speech"
    r"|paragraph|sentences?|post|tweet|caption|scene|monologue|persona|profile|cv|resume|intro|introduction|review|message|joke|haiku|summary"
    r"|example|prompt|toast|vows|statement|test\s+data|blog)"
    r"|(?:translate|rewrite|rephrase|paraphrase|proofread|summari[sz]e|classify|tokeni[sz]e|parse|correct|fix|edit|improve|analy[sz]e|complete|continue|finish)"
    r"\s+(?:this|that|the|these|my|it|into|to|in|following|for)\b"
    r"|act\s+as|you\s+are\s+(?:a|an|the|now)|behave\s+like|you're\s+(?:a|an)\s+\w+\s+(?:bot|assistant|pirate)|play\s+the\s+role"
    r"|speak\s+as|respond\s+as|answer\s+as|sample\b|e\.g\.|for\s+example|for\s+instance|example\s*:|lyrics|quote\s*:|transcript|the\s+(?:song|poem|lyric|form|sign|email|letter|article|post|tweet|text|prompt|message)\s+(?:goes|says|said|reads|asked|asks|was|starts|begins)"
    r"|once\s+upon\s+a\s+time|dear\s+(?:sir|madam|hiring|mr|ms|mrs)|template|placeholder|lorem)\b"
)


def pretended(text: str) -> bool:
    """Tell whether the whole text is a game or a joke."""
    return bool(_pattern(_ALL_PRETENDED).search(text))


def material_from(text: str) -> int:
    """Return where the text stops being about the speaker; its length where it never does."""
    match = _pattern(_MATERIAL).search(text)
    return match.start() if match else len(text)


_BEFORE = (
    r"\b(?:if|wish(?:es|ed)?|suppos(?:e|ing|edly)|assum(?:e|ing|es)|imagin(?:e|ing)|let'?s\s+say|what\s+if|maybe|perhaps"
    r"|possibly|probably|unless|whether|as\s+though|feels?\s+like|felt\s+like|seems?|ideal\s+world|dream(?:s|ed|t|ing)?"
    r"|hop(?:e|ing)|would|could|might|should|may|guess|doubt|when(?:ever)?|until|till|before|once\s+i"
    r"|(?:you|he|she|they|people|who|everyone|everybody|someone|somebody|nobody|no\s+one|mom|dad|boss|friends?|teacher|doctor|it)\s+(?:always\s+|just\s+|often\s+)?(?:said|says?|told|tells?|thinks?|thought|claims?|claimed|believes?|wrote|writes?|asked|asks|joked?)"
    r"|(?:said|says|told\s+(?:him|her|them|everyone|people|my)|claims?|claimed|according\s+to|convinced|wrote|reads|lie[ds]?|lying|joked?|jokes|pretends?)"
    r"|not\s+(?:like|that|as\s+if|because)|never\s+(?:said|told)|did\s+you\s+know|do\s+you|can\s+you\s+believe|had\s+i|were\s+i|ask(?:s|ed)?\s+(?:me\s+)?(?:if|whether)"
    r"|yeah\s+right|oh\s+sure|oh\s+great|sure,|as\s+if|basically|practically|the\s+day|the\s+time|back\s+when|in\s+a\s+past\s+life|nightmare|yesterday\s+i\s+was)\b"
)
_SAY_FIRST = r"^\s*(?:say|so,?\s+say|okay,?\s+say)\b"
_COLON_BEFORE = r":\s*$"
_COLON_LEADS = (
    r"(?:fyi|ps|p\.s|note|notes|correction|edit|update|remember|reminder|context|background|intro|quick\s+intro|about\s+me|fun\s+fact|btw"
    r"|for\s+the\s+record|one\s+thing|facts?|so\s+far|short\s+version|disclaimer|hint|important|oh|also|answer|me|first|first\s+of\s+all|profile|quick\s+update|news|good\s+news|bad\s+news)\s*:\s*$"
)
_AFTER = (
    r"\b(?:or\s+so\s+it|in\s+my\s+(?:dreams|head|mind|imagination)|if\s+(?!that|it|you|this|relevant|needed|anyone|u\b)|some\s?day|one\s+day\b|as\s+a\s+joke|for\s+halloween"
    r"|in\s+(?:minecraft|the\s+sims|skyrim|monopoly)|would\s+be|were\s+true|is\s+(?:false|a\s+lie|not\s+true|what\s+(?:he|she|they))|supposedly|allegedly"
    r"|he\s+said|she\s+said|they\s+said|said\s+(?:my|the|he|she|no)|according\s+to|they\s+say|under\s+the\s+sea|at\s+this\s+point|in\s+theory|i\s+wish|not\s*!)"
)
_LAUGHTER = r"\b(?:lol|lmao|rofl|lmfao|(?:ha){2,}h?|(?:he){2,}|xd)\b|[😂🤣🙃😜😝😹]"


def taken_back(before: str, after: str) -> bool:
    """Tell whether the words around a claim, in its own sentence, make it something other than a statement."""
    if _pattern(_BEFORE).search(before) or _pattern(_SAY_FIRST).match(before):
        return True
    if _pattern(_COLON_BEFORE).search(before) and not _pattern(_COLON_LEADS).search(before):
        return True
    return bool(_pattern(_AFTER).search(after) or _pattern(_LAUGHTER).search(before + "\n" + after))


_ASKS = (
    r"\s*(?:,|;|-|—|–|\.{2,}|\bso|\band|\bbut)\s*(?:so\s+|and\s+|but\s+)?(?=(?:what|which|where|who|how|when|why|can|could|do\s+you|does|is\s+there|are\s+there"
    r"|any|should|would|will|got\s+any|is\s+it|are\s+you|did\s+you|have\s+you|could\s+you|what's|how's|who's|where's|you)\b)"
)
_ASKED_FROM_START = (
    r"\s*(?:(?:so|and|but|well|ok|okay|hey|hi|wait|um|oh|also|please|sorry),?\s+)*(?:what|which|where|who|whose|how|when|why|can|could|do|does|did|is|are|am|was|were|should|would|will"
    r"|shall|may|have|has|had|isn't|aren't|don't|doesn't|didn't|won't|any|got)\b"
)


def statement_end(sentence: str) -> int:
    """Return how much of a sentence that ends in a question mark is a statement; 0 for none."""
    if _pattern(_ASKED_FROM_START).match(sentence):
        return 0
    asks = _pattern(_ASKS).search(sentence)
    return asks.start() if asks else 0
