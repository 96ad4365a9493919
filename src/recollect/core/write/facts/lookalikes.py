"""What looks like a fact and is none: questions, hypotheses, fiction, jokes, hearsay.

Decides: which texts are a game from first to last, from where on a text is material to work on, how much of a question
is a statement, and which words before or after a claim take it back. Each list below is a list of regular expressions.
Never: finds a fact. Every rule here can only make the extractor say less.
"""

import re
from functools import cache

# Everything is a game or a joke, from the first word to the last.
PRETENDED: tuple[str, ...] = (
    r"role-?play(?:ing)?|pretend(?:ing)?|make-believe|fan\s?fic(?:tion)?|npc|dungeon\s+master|d&d\s+character",
    r"my\s+character|our\s+characters?|the\s+(?:protagonist|narrator|hero|heroine|villain)",
    r"in\s+(?:the|my|this|our|a)\s+(?:story|novel|game|book|dream|movie|film|play|campaign|poem|song"
    r"|screenplay|scenario)",
    r"just\s+kidding|j/k|jk|kidding\s+aside|i'm\s+kidding|(?:only|just)\s+joking|april\s+fools?|tongue\s+in\s+cheek",
    r"hypothetical(?:ly)?|sarcas(?:m|tic(?:ally)?)|i'm\s+lying|that\s+was\s+a\s+(?:joke|lie)",
)

_PIECE = (
    r"(?:story|stories|poem|essay|bio|biography|letter|e-?mail|mail|song|lyrics|dialogue|script|speech|paragraph"
    r"|sentences?|post|tweet|caption|scene|monologue|persona|profile|cv|resume|intro|introduction|review|message|joke"
    r"|haiku|summary|example|prompt|toast|vows|statement|test\s+data|blog)"
)
# From here on the words are material to work on, not words about the speaker.
MATERIAL: tuple[str, ...] = (
    r"(?:write|draft|compose|generate|create|give\s+me|make|invent)\s+(?:me\s+|us\s+)?"
    rf"(?:an?|some|the|my|this|two|three|a\s+few)?\s*(?:\w+[ -]){{0,3}}{_PIECE}",
    r"(?:translate|rewrite|rephrase|paraphrase|proofread|summari[sz]e|classify|tokeni[sz]e|parse"
    r"|correct|fix|edit|improve"
    r"|analy[sz]e|complete|continue|finish)\s+(?:this|that|the|these|my|it|into|to|in|following|for)",
    r"act\s+as|you\s+are\s+(?:a|an|the|now)|behave\s+like|play\s+the\s+role|(?:speak|respond|answer)\s+as",
    r"you're\s+(?:a|an)\s+\w+\s+(?:bot|assistant|pirate)",
    r"sample|e\.g\.|for\s+(?:example|instance)|lyrics|transcript|template|placeholder|lorem|once\s+upon\s+a\s+time",
    r"(?:song|poem|lyric|dialogue|story|form|sign|email|letter|article|post|tweet|text|prompt|message)"
    r"\s+(?:goes|says|said|reads|asked|asks|starts|begins)",
    r"dear\s+(?:sir|madam|hiring|mr|ms|mrs)|say\s+it\s+back",
    r"here(?:'s|\s+is)\s+(?:my|an?|the|this|some|our)\s+(?:\w+\s+)?"
    r"(?:essay|story|poem|draft|text|letter|email|bio|paragraph|speech|script|dialogue|song)",
    r"for\s+(?:an?|the|my|this)\s+(?:\w+\s+)?(?:exercise|assignment|homework|demo|example|test)",
)
_LABELLED = r"(?:example|quote|title|role|user|assistant|system|human|bot|customer|translate)\s*:"

_THEY = (
    r"(?:you|he|she|they|people|who|everyone|everybody|someone|somebody|nobody|no\s+one|mom|dad|boss|friends?|teacher"
    r"|doctor|it|wife|husband|horoscope|test)"
)
# Said earlier in the sentence, it makes what follows a wish, a guess, hearsay, a plan or a memory.
BEFORE: tuple[str, ...] = (
    r"if(?!\s+(?:it|that|this)\s+(?:helps|matters|is\s+relevant))|wish(?:es|ed)?|suppos(?:e|ing|edly)|assum(?:e|ing|es)|imagin(?:e|ing)|let'?s\s+say|what\s+if|unless|whether",
    r"maybe|perhaps|possibly|probably|seems?|would|could|might|should|may|guess|doubt|basically|practically",
    r"as\s+(?:though|if)|feels?\s+like|felt\s+like|ideal\s+(?:world|self)|another\s+life|past\s+life|nightmare",
    r"dream(?:s|ed|t|ing)?|hop(?:e|ing)|when(?:ever)?|until|till|before|once\s+i|had\s+i|were\s+i|back\s+when",
    r"the\s+(?:day|time)|yesterday\s+i\s+was|next\s+(?:year|month|week|summer|spring|winter|fall"
    r"|autumn|time)|tomorrow|soon",
    rf"{_THEY}\s+(?:always\s+|just\s+|often\s+)?"
    r"(?:said|says?|told|tells?|thinks?|thought|claims?|claimed|believes?|wrote|writes?|asked|asks|joked?)",
    r"(?<!i\s)said|says|told\s+(?:him|her|them|everyone|people|my)|claims?|claimed|according\s+to|convinced|wrote|reads",
    r"lie[ds]?|lying|joked?|jokes|pretends?|ask(?:s|ed)?\s+(?:me\s+)?(?:if|whether)",
    r"(?:he|she|they|people|you)\s+(?:goes?|(?:was|were|is|are)\s+(?:all\s+)?like|like)(?=\s*,)",
    r"not\s+(?:like|that|as\s+if|because|true)|untrue|false\s+that|a\s+lie|myth|rumou?r|never\s+(?:said|told)",
    r"for\s+argument's\s+sake|for\s+the\s+sake\s+of|picture\s+(?:this|me)|in\s+(?:minecraft|the\s+sims|skyrim|monopoly|tarkov|wow)",
    r"did\s+you\s+know|do\s+you|can\s+you\s+believe|yeah\s+right|oh\s+sure|oh\s+great|sure(?=,)",
)
# Said later in the sentence, it takes a claim back.
AFTER: tuple[str, ...] = (
    r"or\s+so\s+it|in\s+my\s+(?:dreams|head|mind|imagination)|some\s?day|one\s+day|as\s+a\s+joke|for\s+halloween",
    r"in\s+(?:minecraft|the\s+sims|skyrim|monopoly)",
    r"were\s+true|is\s+(?:false|a\s+lie|not\s+true|what\s+(?:he|she|they))|supposedly|allegedly",
    r"(?:he|she|they)\s+(?:said|say)|said\s+(?:my|the|he|she|no)|according\s+to|i\s+wish|in\s+theory|at\s+this\s+point",
    r"under\s+the\s+sea|not\s*!|for\s+tax\s+purposes|in\s+this\s+(?:example|case|file|script|snippet|scenario)",
    r"in\s+dog\s+years",
)
# A condition that belongs to the claim itself; after a comma or "so" it belongs to something else.
_IF_AFTER = (
    r"\s+would\s+be\b|(?:(?!\bso\b|\bbut\b|\band\b)[^,;]){0,60}\bif\s+(?!that|it|you|this|relevant|needed|anyone|u\b)\w"
)
_SAY_FIRST = r"\s*(?:(?:so|okay|ok),?\s+)?(?:say|consider(?:\s+this)?)\b"
_COLON = r":\s"
# What may stand before a colon and still be the speaker talking of themselves.
COLON_LEADS: tuple[str, ...] = (
    r"fyi|ps|p\.s|notes?|correction|edit|update|remember|reminder|context|background|(?:quick\s+)?intro|about\s+me",
    r"fun\s+fact|btw|for\s+the\s+record|one\s+(?:more\s+)?thing|facts?|short\s+version|disclaimer|hint"
    r"|important|oh|also",
    r"answer|me|first(?:\s+of\s+all)?|profile|quick\s+update|(?:good\s+|bad\s+)?news|second|third|finally",
    r"situation|details|status|info|tl;dr|tldr|heads\s+up|thing\s+is|truth|confession|note\s+to\s+self|a\s+bit\s+about\s+me",
)
_LAUGHTER = r"\b(?:lol|lmao|rofl|lmfao|(?:ha){2,}h?|(?:he){2,}|xd)\b|[😂🤣🙃😜😝😹]"
_SARCASM_MARK = r"(?<!\S)/s(?!\S)"


@cache
def _any_of(rows: tuple[str, ...], prefix: str = r"\b", suffix: str = r"\b") -> re.Pattern[str]:
    return re.compile(rf"{prefix}(?:{'|'.join(rows)}){suffix}", re.IGNORECASE)


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source, re.IGNORECASE)


def pretended(text: str) -> bool:
    """Tell whether the whole text is a game or a joke."""
    return bool(_any_of(PRETENDED).search(text) or ("/s" in text and _pattern(_SARCASM_MARK).search(text)))


def material_from(text: str) -> int:
    """Return where the text stops being about the speaker; its length where it never does."""
    starts = [match.start() for match in (_any_of(MATERIAL).search(text), _labelled(text)) if match]
    return min(starts, default=len(text))


def _labelled(text: str) -> re.Match[str] | None:
    return _pattern(rf"\b{_LABELLED}").search(text) if ":" in text else None


def taken_back(before: str, after: str) -> bool:
    """Tell whether the words around a claim, in its own sentence, make it something other than a statement."""
    if before.strip():
        if _any_of(BEFORE).search(before) or _pattern(_SAY_FIRST).match(before):
            return True
        if ":" in before and _pattern(_COLON).search(before) and not _any_of(COLON_LEADS, suffix=_COLON).search(before):
            return True
    return bool(
        _pattern(_IF_AFTER).match(after)
        or _any_of(AFTER, suffix="").search(after)
        or _pattern(_LAUGHTER).search(f"{before}\n{after}")
    )


_ASKING = (
    r"what|which|where|who|how|when|why|can|could|do\s+you|does|is\s+there|are\s+there|any|should|would|will|got\s+any"
    r"|is\s+it|are\s+you|did\s+you|have\s+you|what's|how's|who's|where's|you"
)
_ASKS = rf"\s*(?:,|;|-|—|–|\.{{2,}}|\bso|\band|\bbut)\s*(?:so\s+|and\s+|but\s+)?(?=(?:{_ASKING})\b)"
_ASKED_FROM_START = (
    r"\s*(?:(?:so|and|but|well|ok|okay|hey|hi|wait|um|oh|also|please|sorry),?\s+)*(?:what|which|where"
    r"|who|whose|how|when"
    r"|why|can|could|do|does|did|is|are|am|was|were|should|would|will|shall|may|have|has|had|isn't|aren't|don't|doesn't"
    r"|didn't|won't|any|got|remember|know)\b"
)


def statement_end(sentence: str) -> int:
    """Return how much of a sentence that ends in a question mark is a statement; 0 for none."""
    if _pattern(_ASKED_FROM_START).match(sentence):
        return 0
    asks = _pattern(_ASKS).search(sentence)
    return asks.start() if asks else 0
