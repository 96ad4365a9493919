"""The exact count of a model's own tokenizer, offline: the encodings come inside the package `bpe-openai`.

Never: downloads. Without the package, asking for it is an error that says what to install.
Spec: dependencies.md "exact token counts".
"""

from __future__ import annotations

import warnings

from recollect.errors import InvalidInput

ENCODINGS = ("cl100k_base", "o200k_base")


class ExactCounter:
    """Counts as the named encoding does."""

    is_exact = True

    def __init__(self, encoding: str) -> None:
        if encoding not in ENCODINGS:
            hint = f"Allowed: safe, {', '.join(ENCODINGS)}."
            raise InvalidInput(f"{encoding[:40]!r} is not a known encoding.", hint=hint, reason="unknown_tokens")
        try:
            with warnings.catch_warnings():
                # It reads its tables by a way of the standard library that is on its way out.
                warnings.simplefilter("ignore", DeprecationWarning)
                import bpe_openai
        except ImportError as error:
            hint = "Install recollect[tokens], or leave `tokens` out for the built-in safe count."
            raise InvalidInput("The exact tokenizer is not installed.", hint=hint, reason="no_tokenizer") from error
        self.name = encoding
        self._encoding = bpe_openai.get_encoding(encoding)

    def count(self, text: str) -> int:
        """Tokens of a text; what cannot be encoded is counted as the sign that stands for it."""
        return len(self._encoding.encode_ordinary(text.encode("utf-8", "replace").decode()))
