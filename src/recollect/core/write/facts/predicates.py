"""The table of everything the extractor can claim.

Decides, for each predicate: the kind of fact, how much it matters, whether a person can have several of them at once,
what its object refers to, and the sentence it is put into. A predicate a person has one of (`lives_in`) has a key
without the value, so that a new claim meets the old one; one a person has many of (`likes`) carries the object in the
key. Liking and disliking share a key on purpose: "I love tea" and "I hate tea" contradict each other.
Never: reads text.
Spec: state and memory model, "subtype" and "importance" (2 for relations, places, key project facts; 3 for core
identity); rulings 20, 25.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Predicate:
    """One row. The four sentences are for: it is so, it is not so, it is so no longer, it used to be so."""

    fact_type: str
    importance: int
    many: bool
    kind: str
    yes: str
    no: str = ""
    ended: str = ""
    past: str = ""
    is_slot_alone: bool = False

    def claim(self, polarity: str) -> str:
        """Return the sentence for a polarity; a plain denial stands in where the row has no special one."""
        return {
            "yes": self.yes,
            "no": self.no or f"Not so: {self.yes}",
            "ended": self.ended or f"No longer so: {self.yes}",
            "past": self.past or f"Formerly: {self.yes}",
        }[polarity]


def _one(importance: int, yes: str, ended: str = "", *, kind: str = "", fact_type: str = "fact") -> Predicate:
    return Predicate(fact_type, importance, False, kind, yes, ended=ended)


def _many(importance: int, yes: str, no: str = "", ended: str = "", *, fact_type: str = "fact") -> Predicate:
    return Predicate(fact_type, importance, True, "", yes, no, ended, ended.replace("No longer ", "Used to "))


PREDICATES: dict[str, Predicate] = {
    # who
    "name": _one(3, "Name is {v}"),
    "goes_by": _one(3, "Goes by {v}"),
    "pronouns": _one(2, "Pronouns are {v}"),
    "age": _one(2, "Is {v} years old"),
    "birthday": _one(2, "Birthday is {v}"),
    "birth_year": _one(2, "Was born in {v}"),
    "nationality": _one(2, "Is {v}"),
    "marital_status": _one(2, "Is {v}", "Is no longer {v}"),
    "anniversary": _one(2, "Anniversary is {v}"),
    # where
    "lives_in": _one(2, "Lives in {v}", "No longer lives in {v}", kind="place"),
    "from": _one(2, "Is from {v}", kind="place"),
    "born_in": _one(2, "Was born in {v}", kind="place"),
    "grew_up_in": _one(1, "Grew up in {v}", kind="place"),
    "lived_in": Predicate("fact", 1, True, "place", "Used to live in {v}"),
    "timezone": _one(2, "Time zone is {v}", "Time zone is no longer {v}"),
    # work and study
    "works_at": _one(2, "Works at {v}", "No longer works at {v}", kind="org"),
    "worked_at": Predicate("fact", 1, True, "org", "Used to work at {v}"),
    "role": _one(3, "Occupation: {v}", "Former occupation: {v}"),
    "industry": _one(1, "Works in {v}", "No longer works in {v}"),
    "works_from": _one(1, "Works from {v}", "No longer works from {v}", fact_type="habit"),
    "studies": _one(2, "Studies {v}", "No longer studies {v}"),
    "studies_at": _one(2, "Studies at {v}", "No longer studies at {v}", kind="org"),
    "graduated_from": Predicate("fact", 1, True, "org", "Graduated from {v}"),
    # language
    "native_language": _one(2, "Native language is {v}"),
    "speaks": _many(1, "Speaks {v}", "Does not speak {v}", "No longer speaks {v}"),
    "learning": _many(1, "Is learning {v}", "Is not learning {v}", "Is no longer learning {v}"),
    "preferred_language": _one(2, "Wants answers in {v}", fact_type="preference"),
    # taste
    "likes": Predicate(
        "preference", 1, True, "", "Likes {v}", "Dislikes {v}", "No longer likes {v}", "Used to like {v}"
    ),
    "prefers": Predicate("preference", 1, True, "", "Prefers {v}", "Does not prefer {v}", "No longer prefers {v}"),
    "favorite": Predicate("preference", 1, True, "", "Favorite {s}: {v}", "", "Favorite {s} is no longer {v}"),
    "diet": _one(2, "Diet: {v}", "Diet is no longer {v}"),
    "allergic_to": _many(2, "Allergic to {v}", "Not allergic to {v}", "No longer allergic to {v}"),
    "has_condition": _many(2, "Health: {v}", "", "Health: no longer {v}"),
    # habit
    "does": Predicate("habit", 1, True, "", "Habit: {v}", "Does not {v}", "Gave up: {v}", "Used to {v}"),
    "plays": Predicate(
        "habit", 1, True, "", "Plays {v}", "Does not play {v}", "No longer plays {v}", "Used to play {v}"
    ),
    "chronotype": _one(1, "Is a {v}", "Is no longer a {v}", fact_type="habit"),
    "struggles_with": Predicate(
        "friction", 1, True, "", "Struggles with {v}", "Does not struggle with {v}", "No longer struggles with {v}"
    ),
    # things
    "uses": _many(1, "Uses {v}", "Does not use {v}", "No longer uses {v}"),
    "drives": _one(1, "Drives a {v}", "No longer drives a {v}"),
    "possession": Predicate("fact", 1, True, "", "Current {s}: {v}", is_slot_alone=True),
    # people and animals
    "relationship": Predicate(
        "relationship",
        2,
        True,
        "",
        "{who} is {whose} {v}",
        "{who} is not {whose} {v}",
        "{who} is no longer {whose} {v}",
        "{who} used to be {whose} {v}",
        is_slot_alone=True,
    ),
    "has": Predicate("fact", 2, True, "", "Has {v}"),
    "has_pet": Predicate("fact", 2, True, "", "Has a pet: {v}", "Does not have a pet: {v}", "No longer has a pet: {v}"),
    "handles": _many(2, "Handles {v}", "Does not handle {v}", "No longer handles {v}"),
    # projects
    "worked_on": _one(2, "Working on {v}", "No longer working on {v}"),
    "deadline": _one(2, "Deadline is {v}"),
    "launch_date": _one(2, "Launches on {v}"),
}
