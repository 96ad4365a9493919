"""The vector of a question: made at once by a quick embedder, outside the snapshot by a slow one.

A slow embedder is never waited for inside a transaction: the first look at the memory ends with `Unembedded`, which
names the text; it is embedded, within the deadline, and the memory is looked at again. What cannot be embedded is left
to the words, and the answer says so.

Never: remembers a text beyond its question, or hides that an embedder failed.
Spec: reliability.md "Contract of a recall"; law 10.
"""

from __future__ import annotations

from collections.abc import Callable

from recollect.engine.filing import Filing

Embed = Callable[[str], bytes]
# Does something for as long as there is time, and says why it was not done; '' where it was.
Wait = Callable[[Callable[[], None]], str]
TEXTS_PER_QUESTION = 16


class Unembedded(Exception):
    """A text must be embedded before the memory is looked at again."""

    def __init__(self, text: str) -> None:
        super().__init__("a question's text is not embedded yet")
        self.text = text


class QuestionVectors:
    """The vectors of one question's texts; which part of the question is embedded depends on the place."""

    def __init__(self, filing: Filing) -> None:
        self._filing = filing
        self._known: dict[str, bytes] = {}
        # Why there are none, in a word; '' while all is well.
        self.failure = ""

    def of(self, text: str) -> bytes:
        """The vector of a text; b'' where there is none to be had."""
        if self._filing.embedder is None or self.failure:
            return b""
        if text not in self._known:
            if not self._filing.is_quick:
                raise Unembedded(text)
            self._known[text] = self._filing.vectors([text])[0]
        return self._known[text]

    def learn(self, text: str) -> None:
        """Embed a text, outside every transaction."""
        if len(self._known) >= TEXTS_PER_QUESTION:
            self.failure = "too_many_texts"
            return
        self._known[text] = self._filing.vectors([text])[0]

    def learn_by(self, text: str, wait: Wait) -> None:
        """The same for a recall, which stands on its words where the embedder fails or the time is over.

        An embedder has its own, longer patience; where the deadline is shorter, its answer comes too late to be used.
        """
        self.failure = wait(lambda: self.learn(text)) or self.failure
