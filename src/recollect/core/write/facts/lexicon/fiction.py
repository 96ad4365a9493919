"""Names that are hardly ever meant in earnest: of invented places, of heroes, of gods.

Decides: which names are read neither as somebody's name nor as a home or an employer.
Never: claims that nobody is called so; the turn itself is kept, and a person may confirm the fact by hand.
"""

from functools import cache

from recollect.core.write.facts.lexicon.entry import entries

_FICTION = """
aquaman, batman, beelzebub, bugs bunny, buddha, captain america, catwoman, cinderella, cleopatra, darth vader, dracula
donald duck, elmo, frankenstein, frodo, gandalf, god, godzilla, gollum, groot, hal 9000, hercules, hulk, iron man
ironman, jesus, jesus christ, julius caesar, king arthur, lex luthor, lucifer, mickey mouse, mordor, mother teresa
mr. burns, napoleon, neo, odin, optimus prime, pikachu, rapunzel, sauron, satan, santa, santa claus, sherlock holmes
shrek, skynet, snow white, spider-man, spiderman, superman, thanos, the devil, thor, voldemort, willy wonka
wonder woman, yoda, zeus, zorro
asgard, atlantis, azeroth, bikini bottom, camelot, gotham, gotham city, hogwarts, king's landing, kings landing
metropolis, middle earth, middle-earth, minas tirith, narnia, neverland, neverwinter, oz, rivendell, shangri-la
stormwind, tatooine, the krusty krab, the death star, the matrix, the moon, the shire, utopia, wakanda, waterdeep
westeros, whiterun
winterfell, wonderland, acme corporation, initech, dunder mifflin, umbrella corporation, the north pole
north pole, santa's workshop, stark industries, wayne enterprises
"""


@cache
def fiction() -> frozenset[str]:
    """Names of the invented, in lower case."""
    return entries(_FICTION)
