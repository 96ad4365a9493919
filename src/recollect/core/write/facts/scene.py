"""One turn as the grammar sees it: the text without its look-alikes, and who is speaking.

Decides: whose facts "I" and "my" are: the user's, or, where somebody else speaks, that person's.
Never: holds what was found.
Spec: ruling 13b (a turn may name its speaker).
"""

from dataclasses import dataclass, field

from recollect.core.entities import slugify
from recollect.core.write.facts.finding import USER, Finding, Subject, person


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """The blanked text, the speaker as a subject, how the speaker's things are called, and people already known."""

    text: str
    me: Subject = USER
    whose: str = "the user's"
    known: dict[str, Subject] = field(default_factory=dict)

    @property
    def is_user(self) -> bool:
        """Whether the user is speaking."""
        return self.me is USER

    def until(self, end: int) -> "Scene":
        """Return the scene of the text up to a position, so that no reader looks past it."""
        return Scene(text=self.text[:end], me=self.me, whose=self.whose, known=self.known)

    def relative(self, relation: str, name: str) -> Subject:
        """Return the subject for somebody known by a relation to the speaker, with or without a name."""
        note = relation if self.is_user else f"{self.whose} {relation}"
        if name:
            return person(name, note=note)
        return person(note.replace("'s ", " ") if not self.is_user else relation, note=note)

    def relationship(self, subject: Subject, relation: str, start: int, end: int) -> Finding:
        """Return the claim that somebody stands in a relation to the speaker."""
        slot = relation.removeprefix("ex-").replace("é", "e")
        return Finding(
            subject=subject,
            predicate="relationship",
            slot=slot if self.is_user else f"{slot} of {self.me.label}",
            value=relation,
            start=start,
            end=end,
            whose=self.whose,
        )


def scene_for(text: str, speaker: str, user: str) -> Scene:
    """Return the scene of a turn: the user's own unless another speaker is named."""
    if not slugify(speaker) or slugify(speaker) == slugify(user):
        return Scene(text=text)
    return Scene(text=text, me=person(speaker), whose=f"{speaker}'s")
