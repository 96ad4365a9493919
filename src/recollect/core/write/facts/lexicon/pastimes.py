"""What people play, eat by principle, suffer from, and do again and again.

Decides: the closed lists behind habits, diets, conditions and games.
Never: judges any of it.
"""

from functools import cache

from recollect.core.write.facts.lexicon.entry import entries, pairs

_PLAYED = """
guitar, bass, bass guitar, electric guitar, acoustic guitar, piano, keyboard, violin, viola, cello, double bass, drums
flute, clarinet, saxophone, sax, trumpet, trombone, harp, harmonica, ukulele, banjo, mandolin, accordion, organ, oboe
tennis, table tennis, ping pong, badminton, squash, padel, pickleball, golf, football, soccer, basketball, baseball
softball, volleyball, beach volleyball, handball, hockey, ice hockey, field hockey, rugby, cricket, lacrosse
water polo, chess, go, poker, bridge, scrabble, mahjong, dungeons and dragons, dungeons & dragons, d&d, dnd, magic
video games, board games, minecraft, fortnite, valorant, league of legends, dota, counter-strike, world of warcraft
warhammer, frisbee, ultimate frisbee, darts, pool, snooker, bagpipes, sitar, tabla, kalimba
"""

_DIETS = """
vegetarian, vegan, pescatarian, pescetarian, keto, paleo, gluten-free, gluten free, dairy-free, dairy free
lactose intolerant, lactose-intolerant, gluten intolerant, gluten-intolerant, kosher, halal, celiac, coeliac
a vegetarian, a vegan, a pescatarian, a pescetarian, plant-based, low-carb, flexitarian, a flexitarian
"""

_CONDITIONS = """
adhd: add
asthma: asthmatic
diabetes: diabetic, type 1 diabetes, type 2 diabetes, type 1 diabetic, type 2 diabetic
dyslexia: dyslexic
autism: autistic
colorblindness: colorblind, colourblind, color blind, colour blind, color-blind, colour-blind
epilepsy: epileptic
celiac disease: coeliac disease
migraine: migraines, chronic migraines
insomnia:
anxiety: social anxiety
depression:
high blood pressure: hypertension
tinnitus:
arthritis: rheumatoid arthritis
eczema:
ocd:
ptsd:
hay fever:
deafness: deaf, hard of hearing
blindness: blind, legally blind
"""

# Verbs of doing that make a habit when a rhythm is said with them.
_ROUTINES = """
attend, babysit, bake, bike, box, brew, call, clean, climb, commute, cook, cycle, dance, do, drink, drive, eat
exercise, fast, fish, foster, garden, get, go, grab, hike, hit, jog, journal, knit, lift, listen, make, meditate, meet
mentor, nap, paint, practice, practise, pray, read, ride, row, run, sail, skate, ski, sketch, sleep, stretch, study
surf, swim, take, teach, train, tutor, visit, volunteer, wake, walk, watch, water, work, write
"""

_NEVER_VERBS = """
smoke, drink, eat, drive, gamble, vape, cook, wear
"""


# Rhythms of a single thing: the gerund of what was stopped, to its plain verb.
_STOPPED = """
smoke: smoking
drink: drinking
vape: vaping
run: running
eat: eating
work out: working out
meditate: meditating
journal: journaling
gamble: gambling
bike: biking
cycle: cycling
swim: swimming
go: going
do: doing
drive: driving
"""


@cache
def played() -> frozenset[str]:
    """Instruments and games."""
    return entries(_PLAYED)


@cache
def diets() -> frozenset[str]:
    """Ways of eating, as said after "I'm"."""
    return entries(_DIETS)


@cache
def conditions() -> dict[str, str]:
    """Word for a condition to its canonical name."""
    return pairs(_CONDITIONS)


@cache
def routines() -> frozenset[str]:
    """Plain verbs that make a habit."""
    return entries(_ROUTINES)


@cache
def never_verbs() -> frozenset[str]:
    """Plain verbs whose denial is itself a habit."""
    return entries(_NEVER_VERBS)


@cache
def stopped() -> dict[str, str]:
    """Gerund of something given up to its plain verb."""
    return pairs(_STOPPED)
