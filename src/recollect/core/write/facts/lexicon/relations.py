"""The words for people and animals in somebody's life, and what they are called in a key.

Decides: one canonical word per relation ("mum", "mom" and "mother" are `mother`), and which relations one has only
one of, so that "my mother" is a key although nobody said her name ("my friend" is not).
Never: infers a relation that was not said.
"""

from functools import cache

from recollect.core.write.facts.lexicon.entry import entries, pairs

_RELATIONS = """
mother: mom, mum, mommy, mama, mam
father: dad, daddy, papa
parents: folks
wife:
husband: hubby
spouse:
partner:
girlfriend: gf
boyfriend: bf
fiance: fiancé, fiancée, fiancee
sister: sis
brother: bro
sibling:
twin:
son:
daughter:
child: kid, toddler
baby:
stepson:
stepdaughter:
stepmother: stepmom, stepmum
stepfather: stepdad
stepsister:
stepbrother:
half-sister: half sister
half-brother: half brother
mother-in-law: mother in law
father-in-law: father in law
sister-in-law: sister in law
brother-in-law: brother in law
daughter-in-law:
son-in-law:
grandmother: grandma, granny, nana, nan
grandfather: grandpa, grandad, granddad
grandson:
granddaughter:
grandparents:
aunt: auntie
uncle:
cousin:
niece:
nephew:
godmother:
godfather:
goddaughter:
godson:
best friend: bestie
friend: buddy, pal, mate
colleague: coworker, co-worker, workmate
teammate:
boss:
manager: line manager
supervisor:
mentor:
mentee:
cofounder: co-founder
business partner:
client:
customer:
assistant:
intern:
employee:
roommate: flatmate, housemate, room mate
neighbor: neighbour
landlord: landlady
therapist:
psychiatrist:
doctor: gp
dentist:
lawyer: attorney
accountant:
trainer: personal trainer
coach:
teacher:
professor:
advisor: adviser
tutor:
nanny: babysitter
ex:
ex-wife:
ex-husband:
ex-girlfriend:
ex-boyfriend:
"""

# Relations of which there is one, or of which people speak as if there were one.
_UNIQUE = """
mother, father, parents, wife, husband, spouse, partner, girlfriend, boyfriend, fiance, sister, brother, twin, son
daughter, baby, stepmother, stepfather, mother-in-law, father-in-law, sister-in-law, brother-in-law, grandmother
grandfather, best friend, boss, manager, mentor, cofounder, business partner, roommate, landlord, therapist
ex-wife, ex-husband, stepson, stepdaughter, grandparents, half-sister, half-brother
"""

_ADJECTIVES = """
older, elder, little, big, younger, youngest, oldest, eldest, baby, twin, late, dear, old, new, lovely, current
former, only, middle, first, second, step, dear, beloved, amazing, wonderful, close, good, longtime, childhood, own
"""

_PETS = """
dog: puppy, pup, doggo, golden retriever, labrador, lab, corgi, poodle, beagle, german shepherd, border collie
cat: kitten, kitty, tabby
rabbit: bunny
hamster:
guinea pig:
parrot: budgie, parakeet, cockatiel
turtle: tortoise
snake:
lizard: gecko, bearded dragon
goldfish:
ferret:
horse: pony
hedgehog:
chinchilla:
"""

_PLURAL_PETS = """
dog: dogs, puppies
cat: cats, kittens
rabbit: rabbits, bunnies
hamster: hamsters
guinea pig: guinea pigs
parrot: parrots, budgies
turtle: turtles, tortoises
snake: snakes
goldfish: fish
horse: horses
chicken: chickens, hens
ferret: ferrets
"""

_COUNTED_KIN = """
children: kids
sons: boys
daughters: girls
brothers:
sisters:
siblings:
grandchildren: grandkids
stepchildren: stepkids
"""


@cache
def relations() -> dict[str, str]:
    """Spelling of a relation to its canonical word."""
    return pairs(_RELATIONS)


@cache
def unique_relations() -> frozenset[str]:
    """Canonical relations that serve as a key without a name."""
    return entries(_UNIQUE)


@cache
def relation_adjectives() -> tuple[str, ...]:
    """What may stand between "my" and the relation, in the order of the list."""
    return tuple(dict.fromkeys(part.strip() for part in _ADJECTIVES.replace("\n", ",").split(",") if part.strip()))


@cache
def pets() -> dict[str, str]:
    """Word for one animal to its species."""
    return pairs(_PETS)


@cache
def plural_pets() -> dict[str, str]:
    """Word for several animals to their species."""
    return {spelling: species for spelling, species in pairs(_PLURAL_PETS).items() if spelling != species}


@cache
def counted_kin() -> dict[str, str]:
    """Plural kin one has a number of, to the word of the key."""
    return pairs(_COUNTED_KIN)
