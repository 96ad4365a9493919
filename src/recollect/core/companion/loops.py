"""What a user promises, repeats, keeps coming back to, or keeps stumbling over, read by rule.

    COMMITMENT  something specific they will do, usually by a time     completes, is dismissed, becomes a habit
    HABIT       something they mean to do again and again              never completes
    THREAD      something open, without a promise                      is dismissed
    FRICTION    something negative that keeps happening                never completes

A hedged promise without a time and without "I will" is a thread. A question, somebody else's promise, a thing that
will not be done and a way of speaking ("I'll be honest") are none of these. English, Hinglish and Hindi.

Never: reads anything but the user's own words; the caller sees to that.
Spec: facts 3.4, 3.10, 3.16; ruling 29.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from recollect.core.companion.matching import keywords
from recollect.core.text import normalise

LOOPS_PER_TURN = 8
READ_CHARACTERS = 4_000
CONTENT_CHARACTERS = 200
KEY_WORDS = 8


class Loop(StrEnum):
    """The kinds of a todo."""

    COMMITMENT = "COMMITMENT"
    HABIT = "HABIT"
    THREAD = "THREAD"
    FRICTION = "FRICTION"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopDraft:
    """A todo as it was read: what, which kind, how sure in millionths."""

    kind: Loop
    content: str
    dedupe_key: str
    confidence: int = 900_000


_SENTENCE = re.compile(
    r"(?<=[.!?;।])\s+|\n+|(?<=\w),?\s+(?:and|but|so|aur|lekin)\s+(?=(?:i|i'm|i'll|i’ll|main|mujhe)\b)", re.I
)
_HEDGE = re.compile(r"\b(?:maybe|might|could|wish|hope|if i|if we|perhaps|possibly|shayad|ho sakta)\b|शायद", re.I)
TIMEBOX = re.compile(
    r"\b(?:today|tonight|tomorrow|tmrw|before|by|end of (?:the )?day|this (?:week|weekend|evening|afternoon|morning)"
    r"|next week|(?:on |by |next |this )(?:mon|tues|wednes|thurs|fri|satur|sun)day|in \d+ (?:minutes|hours"
    r"|days|weeks)"
    r"|aaj|kal|parso)\b|\b(?:at )?\d{1,2}(?::\d{2})?\s?(?:am|pm|baje)\b|\bat \d{1,2}(?::\d{2})?\b|आज|कल|परसों",
    re.I,
)
_I = (
    r"\b(?:i will|i['’]ll|i shall|i am going to|i['’]m going to|i['’]m gonna|im gonna|im going to|i am gonna"
    r"|i promise (?:to|i['’]ll|that i will|i will))"
)
WILL = re.compile(rf"{_I}\b", re.I)
_PROMISE = re.compile(
    rf"(?:{_I}|\b(?:i (?:really |still |also )?(?:need|have|must|plan|intend|want) to|i must|i['’]ve got to|i gotta"
    r"|(?:(?<=^)|(?<=please )|(?<=can you ))remind me to|don['’]t let me forget to|let me|note to self:?"
    r"|todo:?|i should))\s+(?P<what>.+)",
    re.I,
)
# What these words begin is no promise to do something.
_IDIOM = re.compile(
    r"^(?:be (?:honest|frank|fine|ok|okay|right back|there|happy|glad|sad|back)|admit|say\b|bet|assume"
    r"|guess|take (?:it|that)"
    r"|let you|never|not\b|always (?:remember|love|be)|have to (?:say|admit)|miss|love|know|think|see\b|wait|pass"
    r"|(?:the|a|an|my|our|bed|sleep|work|school|home|church|college|office)\b|go crazy|die|cry|scream|kill|lose it"
    r"|keep (?:\w+ing\b|it up|going|at it|you\b|on\b|up\b|the faith)|(?:do|try|give it) my best|make (?:it"
    r"|this|that) (?:work|happen)"
    r"|(?:tell|show|update|remind|inform) you\b|ever\b|give it (?:a (?:shot|go|try)|my)|look forward"
    r"|stay (?:positive|strong|safe)"
    r"|be (?:right )?(?:by|with|rooting|sure|careful|thinking|looking)|cherish|treasure|remember\b|enjoy\b"
    r"|have (?:a )?(?:blast|great|good|lots?|safe|nice|lovely|wonderful|fun)\b"
    r"|keep (?:ya|that|this|in)\b|appreciate|support you|need\b|want\b"
    r"|have (?:been|had|\w+e[dn])\b|be (?:\d+|a|an|the|in|at|on|able)\b"
    # Resolve: good will with nothing one could see done.
    r"|(?:stay|remain) (?:\w+ed\b|true|on track)|(?:make|follow|chase|pursue|reach|achieve|live) (?:all )?"
    r"(?:my|our|those|these) (?:dream|goal)s?\b|make (?:a difference|the (?:most|best)|you proud)"
    r"|(?:stick|stand) (?:up|by|around|together)\b|push(?: on| through| forward| myself| it)?\b|work (?:hard|harder)\b"
    r"|do (?:whatever|everything|anything|what)\b|go for it|start thinking|take (?:things|one day|a moment)"
    r"|fight (?:on|for)\b"
    # Politeness: an answer to the other's offer or news.
    r"|reach out(?: to you)?$|check (?:it|that|this|them|those) out|get ['’]?em\b)",
    re.I,
)
# Help that is only kept in mind: nobody means to do it on any day.
_IF_NEEDED = re.compile(
    r"\b(?:if|when|whenever|in case) (?:i|you|we) (?:ever )?(?:need|want|run out|get stuck|have (?:any )?questions)\b",
    re.I,
)
# Said before one's own "I will", these take it back.
_PERHAPS = re.compile(
    r"\b(?:maybe|perhaps|possibly|who knows|shayad|a chance(?: that)?)\b[^.;]{0,12}?\bi(?:['’]ll| will|['’]m gonna)\b",
    re.I,
)
_WEAK = re.compile(r"\bi (?:really |still |also )?want to\b|\bi should\b|(?<!don.t )\blet me\b", re.I)
_NEVER = re.compile(
    r"\b(?:won['’]t|will not|am not going to|i['’]m not going to|not gonna|don['’]t (?:need|have|want"
    r"|plan) to|nahi|nahin)\b"
    r"|नहीं",
    re.I,
)
EVERY = re.compile(
    r"\b(?:every ?day|daily|each (?:day|morning|evening|night|week|month)|every (?:single )?(?:morning"
    r"|evening|night|week"
    r"|weekend|month|other day|mon|tues|wednes|thurs|fri|satur|sun)(?:day)?|regularly|habitually"
    r"|(?:as|into|part of) (?:a|my) (?:\w+ )?routine|my (?:daily|morning|evening|nightly|weekly) routine|routinely"
    r"|weekly|monthly"
    r"|(?:once|twice|three times|\d+ times) a (?:day|week|month)|roz|har (?:din|subah|shaam|raat|hafte)|rozana)\b"
    r"|रोज़?|हर दिन|हर सुबह",
    re.I,
)
_FRICTION = re.compile(
    r"(?<!if )(?<!as )(?<!though )(?<!when )(?<!while )\bi (?:just )?keep (?:on )?"
    r"(?!going\b|up\b|my\b|a\b|an\b|the\b|in\b)\w+ing\b"
    r"|\bi (?:always|constantly|usually) (?:forget|end up|procrastinate|lose|miss|skip|fail|put off"
    r"|overthink|snap|give up)\b"
    r"|\bi(?: just)? can(?:no|['’])t (?:seem to|stop|stick to|get myself to)\b"
    r"|\bi never (?:manage|seem|get around|find (?:the )?time|finish)\b|\bi (?:really |still )?struggle (?:with|to)\b"
    r"|\bevery time i (?:try|start|sit|want|plan)\b|\bbaar baar\b.*\b(?:bhool|bhul|chhoot|miss)"
    r"|\bhamesha\b.*\b(?:bhool|bhul|late|der)|बार बार.*भूल|हमेशा.*(?:भूल|देर)",
    re.I,
)
_FRICTION_GOOD = re.compile(
    r"\bi (?:just )?(?:keep|kept) (?:on )?(?:learning|growing|improving|trying|practi[cs]ing|smiling|moving|working"
    r"|running|laughing|winning|fighting|pushing|pursuing|believing|dreaming|striving|hoping|exploring|creating|building"
    r"|developing|discovering|getting (?:better|stronger))\b"
    r"|\bcan(?:no|['’])t stop (?:thinking of you|thinking about (?:the|my|how)|writing|smiling|laughing|dancing"
    r"|listening|watching|reading|talking about|playing|singing|raving|looking at)\b",
    re.I,
)
# Where a clause of one's own begins: "the impact I could make" is about the impact.
_CLAUSE = (
    r"(?:^|[,;:—–-]\s*|\b(?:and|but|so|or|then|maybe|perhaps|think|guess|suppose|well|weekend|tomorrow|today|tonight|soon"
    r"|day|week|month|year)\s+)"
)
# What one offers the other out of kindness is nothing of one's own to come back to.
_OFFER = r"(?:help|assist|support|join|lend|check|come|meet|chat|hang|catch up|watch|listen|take you|have you|be)\b"
# Nor is what only nods at the other's proposal.
_NOD = re.compile(
    r"\bto (?:try|do) (?:it|that|this|some|one|either|any|all)\b[^,.;]{0,24}[.!]*$|\bwith you[.!]*$", re.I
)
_THREAD = re.compile(
    r"\bi(?:['’]ve| have)? been (?:thinking|meaning|wondering|going back and forth) (?:about|of|to|on|whether)\b"
    r"|\bi(?:['’]m| am) (?:thinking (?:about|of)|considering|torn (?:between|about)|not sure (?:whether|if"
    r"|about|what to do))\b"
    r"|\bi (?:still )?(?:have(?:n['’]t| not)) (?:decided|figured out|heard back)\b(?: yet)?"
    r"|\bstill (?:need to decide|undecided|waiting"
    rf" (?:to hear|for|on))\b|{_CLAUSE}i (?:might|may"
    rf"|could) (?!be\b|tell\b|see\b|hear\b|imagine\b|feel\b|have\b|eat a\b|not\b|as well\b|use\b|do with\b|{_OFFER})"
    rf"|\bmaybe i(?:['’]ll| will| should| can| could) (?!{_OFFER})"
    rf"|\bi(?:['’]d| would) (?:love|like) to (?!see\b|hear\b|know\b|thank\b|say\b|ask\b|{_OFFER})"
    r"|\bi (?:hope|wish) to\b|\bi hope i (?:can|could|get to|manage|find) (?!see\b|hear\b|meet\b|be\b)"
    r"|\bi wish i could (?!have\b|be\b|see\b)(?!.*\byour?\b)"
    r"|\bsoch (?:raha|rahi) (?:hoon|hun|hu)\b",
    re.I,
)
# Small talk that is nothing to come back to.
PASSING = re.compile(
    r"\b(?:sun is|weather is|it['’]?s (?:raining|sunny|cold|hot)|nice day|just thinking|just wondering"
    r"|wondering|curious about|random"
    r" thought|by the way|btw)\b",
    re.I,
)
_HINGLISH = re.compile(
    r"\b(?!gunga)\w+(?:unga|ungi|oonga|oongi)\b|\b(?:mujhe|mujhko)\b.*\b\w+na (?:hai|hoga|padega)\b", re.I
)
_HINDI = re.compile(r"[ऀ-ॿ]*(?:ूंगा|ूँगा|ूंगी|ूँगी|ऊंगा|ऊँगा|ऊंगी|ऊँगी)|मुझे.*ना (?:है|होगा)")
# What one writes down for oneself without saying "I": a deed with its time, a time with its deed, or an amount of one.
# Said to the other ("call me tomorrow") it is a request, and without a deed in front ("gave notice today") it is news.
_DEED = (
    "apply|arrange|ask|back up|bake|book|bring|brush|buy|call|cancel|change|check|clean|collect|complete|cook|cut|"
    "declutter|deliver|design|do|draft|drop off|email|exercise|file|fill|finish|fix|fold|go|gym|hoover|install|"
    "iron|jog|laundry|learn|mail|make|meditate|meditation|meet|message|mop|move|mow|order|organi[sz]e|pack|paint|"
    "pay|phone|pick up|plan|plant|post|practi[cs]e|prepare|print|read|register|renew|repair|reply|return|review|"
    "revise|ring|run|schedule|send|shop|sign|sort|start|stretch|stretching|study|submit|swim|take out|text|tidy|"
    "train|update|vacuum|visit|walk|wash|water|workout|write|yoga"
)
_AT = r"(?:tonight|tomorrow|tmrw|today|by (?:\w+day|tonight|tomorrow|\d)|\d\s?(?:am|pm))\b"
_NOTE = re.compile(
    rf"^(?!.*\b(?:me|us|you|your)\b)(?:(?:{_DEED})\b.*\b{_AT}"
    rf"|(?:today|tonight|tomorrow|tmrw)(?: at)?(?: \d{{1,2}}(?::\d{{2}})?\s?(?:am|pm)?)?[:,]? (?:{_DEED})\b"
    rf"|\d{{1,3}}\s?(?:minutes?|mins?|hours?|hrs?|km|pages?)\s+(?:of\s+)?(?:{_DEED}|reading|writing|walking|running|cycling"
    r"|swimming|cleaning|practice|cardio|pushups?|exercise)\b)",
    re.I,
)
_LEAD = re.compile(
    r"^(?:and|but|so|then|also|ok(?:ay)?|well|oh|alright|right|yes|yeah|plus|anyway|honestly)[\s,]+", re.I
)


def read_loops(text: str) -> tuple[LoopDraft, ...]:
    """Everything a turn leaves open, one draft for each intent."""
    found: dict[tuple[Loop, str], LoopDraft] = {}
    for sentence in _SENTENCE.split(text[:READ_CHARACTERS]):
        draft = _read(_LEAD.sub("", sentence.strip()))
        if draft is not None:
            found.setdefault((draft.kind, draft.dedupe_key), draft)
    return tuple(found.values())[:LOOPS_PER_TURN]


def _read(sentence: str) -> LoopDraft | None:
    if not sentence or sentence.endswith("?") or len(sentence) > 600:
        return None
    if _FRICTION.search(sentence) and not _FRICTION_GOOD.search(sentence):
        return draft(Loop.FRICTION, sentence)
    if _NEVER.search(sentence):
        return None
    promised = _promised(sentence)
    if promised:
        kind = Loop.HABIT if EVERY.search(sentence) else settled_kind(Loop.COMMITMENT, sentence)
        return draft(kind, promised) if kind is not Loop.THREAD or not PASSING.search(sentence) else None
    return draft(Loop.THREAD, sentence) if _is_open(sentence) else None


def _is_open(sentence: str) -> bool:
    """Whether a sentence leaves a matter open, and says which."""
    found = _THREAD.search(sentence)
    if found is None or PASSING.search(sentence) or _NOD.search(sentence):
        return False
    return bool(keywords(sentence[found.end() :]) or keywords(sentence[: found.start()]))


_ADVERB = re.compile(
    r"^(?:(?:definitely|really|totally|certainly|probably|surely|always|just|also|still|make sure (?:to|i)"
    r"|be sure to|have to)\s+)+",
    re.I,
)


def _promised(sentence: str) -> str:
    """What is promised, or '' where nothing is."""
    found = _PROMISE.search(sentence)
    if found is not None:
        what = _ADVERB.sub("", found.group("what")).strip(" .!,;")
        is_weak = _WEAK.search(sentence) and not (TIMEBOX.search(sentence) or EVERY.search(sentence))
        is_idle = _IDIOM.match(what) or _IF_NEEDED.search(sentence)
        return "" if is_idle or is_weak or not keywords(what) else what
    if _HINGLISH.search(sentence) or _HINDI.search(sentence):
        return sentence.strip(" .!।")
    is_note = len(sentence.split()) <= 9 and _NOTE.match(sentence) is not None
    return sentence.strip(" .!") if is_note else ""


def settled_kind(kind: Loop, sentence: str) -> Loop:
    """A hedged promise without a time and without "I will" is a thread; "maybe I will" is hedged all the same."""
    is_firm = TIMEBOX.search(sentence) or (WILL.search(sentence) and not _PERHAPS.search(sentence))
    is_hedged = (_HEDGE.search(sentence) or _PERHAPS.search(sentence)) and not is_firm
    return Loop.THREAD if kind is Loop.COMMITMENT and is_hedged else kind


def draft(kind: Loop, content: str, dedupe_key: str = "", confidence: int = 900_000) -> LoopDraft:
    """A draft with its key: the words that carry the meaning, in one order however they are said."""
    words = sorted(keywords(content))[:KEY_WORDS]
    key = normalise(dedupe_key.replace("_", " ")).replace(" ", "_") or "_".join(words) or normalise(content)[:80]
    return LoopDraft(
        kind=kind,
        content=content.strip()[:CONTENT_CHARACTERS],
        dedupe_key=key,
        confidence=confidence,
    )
