"""Facts without a model: what a turn says, in so many words, about people and projects.

`extract_facts` reads one turn and returns drafts; the engine makes items of them, with the authority of the turn.
Precision comes first: where the grammar is not certain, it returns nothing, since the turn itself is kept anyway.
Spec: state and memory model, "Memory types" and "Memory metadata"; rulings 13, 20, 25, 30a.
"""

from recollect.core.write.facts.draft import FactDraft, Heard
from recollect.core.write.facts.extract import extract_facts

__all__ = ["FactDraft", "Heard", "extract_facts"]
