"""The voice of one session: what `session.voice` is.

A Voice holds one contract and one SessionVoiceState, in this process and nowhere else. It commits a turn's state
only when the turn has been decided, and hands the decision to the caller.

One pass per turn: a caller that names its turns (`VoiceTurn.turn_id`) gets a VoiceError when it names the same one
twice; a turn without a name is a new turn. A turn that raised was not spoken and may be asked for again.

Never: writes anywhere, logs, shares state with another Voice, or raises in the middle of a conversation for
anything but a turn asked for twice, unless it was made strict.
Spec: B5.2 section 3; B6.2 section 1; rulings 31, 33 and 41.
"""

from __future__ import annotations

import threading
from functools import cache
from importlib import resources
from pathlib import Path

from recollect.core.voice.contract import CONTRACT_BYTES, VoiceContract, parse_contract
from recollect.core.voice.legality import Severity, check_contract
from recollect.core.voice.speak import speak
from recollect.core.voice.state import SessionVoiceState, read_state
from recollect.core.voice.turn import VoiceDecision, VoiceTurn
from recollect.errors import VoiceError

__all__ = ["Voice", "VoiceContract", "VoiceDecision", "VoiceTurn", "load_contract", "read_contract"]

TURN_ID_CHARACTERS = 200


class Voice:
    """Says it differently, the same way every time."""

    def __init__(self, contract: VoiceContract | VoiceError, *, strict: bool = False) -> None:
        """A fresh voice. A VoiceError in place of a contract is one that could not be loaded: it still speaks."""
        if not isinstance(contract, VoiceContract | VoiceError):
            raise VoiceError("A voice needs a contract.", hint="load_contract() gives the shipped one.")
        if strict and isinstance(contract, VoiceError):
            raise contract
        self._contract = contract
        self._strict = strict
        self._state = SessionVoiceState()
        self._damage: tuple[str, ...] = ()
        self._spoken: set[str | int] = set()
        self._lock = threading.Lock()

    @classmethod
    def open(cls, path: str | Path | None = None, *, strict: bool = False) -> Voice:
        """A fresh voice on a contract file, or on the one shipped; if it cannot be loaded, it falls back each turn."""
        try:
            contract: VoiceContract | VoiceError = load_contract(path)
        except VoiceError as error:
            contract = error
        return cls(contract, strict=strict)

    @classmethod
    def resume(cls, contract: VoiceContract | VoiceError, state: object, *, strict: bool = False) -> Voice:
        """A voice that goes on from a state dict the caller kept; damage is cleared and named in the next decision."""
        voice = cls(contract, strict=strict)
        voice._state, voice._damage = read_state(state)
        if strict and voice._damage:
            raise VoiceError(f"The voice state is damaged: {voice._damage[0]}.", reason="state_corrupt")
        return voice

    @property
    def state(self) -> SessionVoiceState:
        """What this session remembers of how it spoke."""
        return self._state

    @property
    def contract(self) -> VoiceContract | VoiceError:
        """What this voice may say, or why it has no contract."""
        return self._contract

    def turn(self, turn: VoiceTurn) -> VoiceDecision:
        """Decide what is said this turn, and remember it."""
        if not isinstance(turn, VoiceTurn):
            raise VoiceError("A voice turn is a VoiceTurn.", reason="turn_malformed")
        with self._lock:
            self._refuse_second_pass(turn.turn_id)
            decision = speak(self._contract, self._state, turn, self._damage)
            if self._strict and decision.fallback is not None:
                raise VoiceError(decision.fallback.sentence, reason=decision.fallback.reason)
            self._state, self._damage = decision.after, ()
            if turn.turn_id is not None:
                self._spoken.add(turn.turn_id)
            return decision

    def reset(self) -> None:
        """Begin again as a new session would."""
        with self._lock:
            self._state, self._damage = SessionVoiceState(), ()
            self._spoken.clear()

    def _refuse_second_pass(self, turn_id: object) -> None:
        if turn_id is None:
            return
        if isinstance(turn_id, bool) or not isinstance(turn_id, str | int):
            raise VoiceError("A turn_id is a string or a whole number.", reason="turn_malformed")
        if isinstance(turn_id, str) and len(turn_id) > TURN_ID_CHARACTERS:
            raise VoiceError(f"A turn_id has at most {TURN_ID_CHARACTERS} characters.", reason="turn_malformed")
        if turn_id in self._spoken:
            raise VoiceError(
                "This turn has already been spoken.",
                hint="Each turn is decided once; keep the decision instead of asking again.",
                reason="turn_repeated",
            )


def load_contract(path: str | Path | None = None) -> VoiceContract:
    """The contract of a file (the shipped one for None), refused with VoiceError if it is broken or illegal.

    A contract with empty pools is accepted: those turns are spoken in English and say so. The shipped contract is
    read and judged once per process, since it cannot change.
    """
    return _shipped_contract() if path is None else _legal(read_contract(path))


@cache
def _shipped_contract() -> VoiceContract:
    return _legal(read_contract())


def _legal(contract: VoiceContract) -> VoiceContract:
    errors = [problem for problem in check_contract(contract) if problem.severity is Severity.ERROR]
    if errors:
        first = errors[0]
        raise VoiceError(
            f"The voice contract breaks {len(errors)} rule(s); the first, at {first.where}: {first.sentence}",
            hint="recollect voice check FILE shows all of them.",
            reason="contract_illegal",
        )
    return contract


def read_contract(path: str | Path | None = None) -> VoiceContract:
    """The contract of a file, well-formed but not judged."""
    return parse_contract(_contract_bytes(path))


def _contract_bytes(path: str | Path | None) -> bytes:
    if path is None:
        return resources.files("recollect").joinpath("data", "voice", "default.toml").read_bytes()
    try:
        file = Path(path)
        if not file.is_file():
            raise VoiceError("There is no voice contract file at that path.", reason="contract_load_failure")
        with file.open("rb") as stream:
            return stream.read(CONTRACT_BYTES + 1)
    except (OSError, ValueError) as error:
        raise VoiceError("The voice contract file cannot be read.", reason="contract_load_failure") from error
