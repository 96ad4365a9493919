"""The forms of the verbs that some rule reads.

Decides: which word is which form of which plain verb.
Never: lists a verb no rule begins with; it would only cost time.
"""

from functools import cache

# Plain verb, third person, gerund, past, participle. Only verbs that some rule reads.
_VERBS = """
live lives living lived lived
reside resides residing resided resided
dwell dwells dwelling dwelled dwelled
move moves moving moved moved
relocate relocates relocating relocated relocated
settle settles settling settled settled
grow grows growing grew grown
work works working worked worked
teach teaches teaching taught taught
study studies studying studied studied
major majors majoring majored majored
graduate graduates graduating graduated graduated
attend attends attending attended attended
join joins joining joined joined
leave leaves leaving left left
quit quits quitting quit quit
stop stops stopping stopped stopped
give gives giving gave given
start starts starting started started
retire retires retiring retired retired
switch switches switching switched switched
change changes changing changed changed
speak speaks speaking spoke spoken
learn learns learning learned learned
use uses using used used
code codes coding coded coded
program programs programming programmed programmed
write writes writing wrote written
drive drives driving drove driven
like likes liking liked liked
love loves loving loved loved
adore adores adoring adored adored
enjoy enjoys enjoying enjoyed enjoyed
hate hates hating hated hated
dislike dislikes disliking disliked disliked
detest detests detesting detested detested
loathe loathes loathing loathed loathed
despise despises despising despised despised
prefer prefers preferring preferred preferred
stand stands standing stood stood
play plays playing played played
turn turns turning turned turned
go goes going went gone
come comes coming came come
report reports reporting reported reported
date dates dating dated dated
adopt adopts adopting adopted adopted
own owns owning owned owned
struggle struggles struggling struggled struggled
keep keeps keeping kept kept
handle handles handling handled handled
manage manages managing managed managed
lead leads leading led led
run runs running ran run
build builds building built built
develop develops developing developed developed
maintain maintains maintaining maintained maintained
smoke smokes smoking smoked smoked
drink drinks drinking drank drunk
eat eats eating ate eaten
get gets getting got gotten
marry marries marrying married married
track tracks tracking tracked tracked
finish finishes finishing finished finished
"""
_FORM_LETTERS = "bsgpn"


@cache
def surfaces() -> dict[str, tuple[str, str]]:
    """Return surface form to (plain verb, letters of the forms it can be)."""
    found: dict[str, tuple[str, str]] = {}
    for line in _VERBS.split("\n"):
        forms = line.split()
        for letter, surface in zip(_FORM_LETTERS, forms, strict=False):
            plain, letters = found.get(surface, (forms[0], ""))
            found[surface] = (plain, letters + letter)
    return found
