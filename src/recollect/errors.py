"""Every error recollect raises, and what each surface makes of it.

    RecollectError
    ├── InvalidInput            the caller's arguments are wrong            400  exit 2
    │   ├── PolicyInvalid       a policy file breaks its own rules          422  exit 2
    │   ├── ExportInvalid       an export is cut off, altered or not ours   422  exit 2
    │   ├── NotFound            no such item, phase or owner                404  exit 4
    │   ├── CommandReused       one command_id, two different contents      409  exit 5
    │   └── NotYet              the feature is announced, not built         501  exit 6
    ├── Refused                 a rule of the policy said no                403  exit 3
    ├── LimitExceeded           a size, a budget or a deadline is too small 413  exit 7
    ├── StoreError              the store could not do it                   500  exit 8
    │   ├── StoreForeign        the file is not a recollect database        422  exit 8
    │   ├── StoreNewer          written by a newer version                  422  exit 8
    │   ├── StoreDamaged        the file does not pass its own checks       500  exit 8
    │   ├── StoreReadOnly       the place cannot be written                 403  exit 8
    │   ├── StoreUnreachable    the server lets nobody in from here         503  exit 8
    │   ├── StoreLost           the connection was cut; nothing changed     503  exit 9
    │   ├── StoreBusy           another writer holds it; try again          503  exit 9
    │   ├── StoreFull           the disk is full; nothing was written       507  exit 8
    │   ├── StoreClosed         used after close()                          409  exit 8
    │   └── OutcomeUnknown      the commit may or may not have happened     500  exit 10
    ├── ModelError              a model's server gave no usable answer      502  exit 11
    │   └── ModelBusy           it may answer the next time                 503  exit 11
    ├── EmbedderError           no vectors can be made or used              500  exit 12
    │   ├── EmbedderChanged     the memory's vectors are another model's    409  exit 12
    │   ├── EmbedderMissing     its files are not here, or are damaged      500  exit 12
    │   ├── EmbedderFailed      it gave no usable answer                    502  exit 12
    │   └── EmbedderBusy        it may answer the next time                 503  exit 12
    └── VoiceError              a voice contract or a voice turn is wrong   422  exit 2

Denials by policy are results (a receipt says so), not exceptions: exceptions are for caller faults, broken
adapters and exhausted limits. A message never quotes the text that was being remembered.
"""

from __future__ import annotations

from typing import ClassVar


class RecollectError(Exception):
    """Something in recollect failed."""

    code: ClassVar[str] = "recollect_error"
    http_status: ClassVar[int] = 500
    exit_code: ClassVar[int] = 1
    retryable: ClassVar[bool] = False

    def __init__(self, message: str = "", *, hint: str = "", reason: str = "") -> None:
        self.message = message or (type(self).__doc__ or "").strip()
        self.hint = hint
        self.reason = reason or type(self).code
        super().__init__(f"{self.message} {hint}".strip())

    def to_dict(self) -> dict[str, object]:
        """The error as every surface shows it."""
        return {
            "code": type(self).code,
            "reason": self.reason,
            "message": self.message,
            "hint": self.hint,
            "retryable": type(self).retryable,
        }


class InvalidInput(RecollectError):
    """An argument is wrong."""

    code = "invalid_input"
    http_status = 400
    exit_code = 2


class PolicyInvalid(InvalidInput):
    """The policy breaks its own rules."""

    code = "policy_invalid"
    http_status = 422


class ExportInvalid(InvalidInput):
    """The export is cut off, altered or not one of ours."""

    code = "export_invalid"
    http_status = 422

    def __init__(self, message: str = "", *, hint: str = "", reason: str = "") -> None:
        again = "Use another copy of the file, or make the export again."
        super().__init__(message, hint=hint or _EXPORT_HINTS.get(reason, again), reason=reason)


# What to do about a file, where it is not simply to take another copy.
_EXPORT_HINTS = {
    "export_foreign": "`recollect restore` takes recollect's own exports; `recollect import` takes in other files.",
    "export_unreadable": "Check the path and the permissions of the file.",
    "import_unreadable": "Check the path and the permissions of the file.",
    "import_too_long": "Split the file and import its parts one after the other.",
}


class NotFound(InvalidInput):
    """There is no such thing here."""

    code = "not_found"
    http_status = 404
    exit_code = 4


class CommandReused(InvalidInput):
    """This command_id was already used with different content."""

    code = "command_reused"
    http_status = 409
    exit_code = 5


class NotYet(InvalidInput):
    """This feature is not built yet."""

    code = "not_yet"
    http_status = 501
    exit_code = 6


class Refused(RecollectError):
    """A rule of the policy refused this."""

    code = "refused"
    http_status = 403
    exit_code = 3


class LimitExceeded(RecollectError):
    """A limit was reached before the work could be done."""

    code = "limit_exceeded"
    http_status = 413
    exit_code = 7


class StoreError(RecollectError):
    """The store could not do it."""

    code = "store_error"
    exit_code = 8


class StoreForeign(StoreError):
    """The file is not a recollect database."""

    code = "store_foreign"
    http_status = 422


class StoreNewer(StoreError):
    """The database was written by a newer version of recollect."""

    code = "store_newer"
    http_status = 422


class StoreDamaged(StoreError):
    """The database does not pass its own checks."""

    code = "store_damaged"


class StoreReadOnly(StoreError):
    """The database cannot be written."""

    code = "store_read_only"
    http_status = 403


class StoreUnreachable(StoreError):
    """The database server could not be reached, or does not let this role in."""

    code = "store_unreachable"
    http_status = 503


class StoreLost(StoreError):
    """The connection to the database was cut; nothing was changed."""

    code = "store_lost"
    http_status = 503
    exit_code = 9
    retryable = True


class StoreBusy(StoreError):
    """Another writer holds the database."""

    code = "store_busy"
    http_status = 503
    exit_code = 9
    retryable = True


class StoreFull(StoreError):
    """The disk is full; nothing was written."""

    code = "store_full"
    http_status = 507


class StoreClosed(StoreError):
    """The memory was closed."""

    code = "store_closed"
    http_status = 409


class OutcomeUnknown(StoreError):
    """The commit may or may not have happened; repeat it with the same command_id to find out."""

    code = "outcome_unknown"
    exit_code = 10
    retryable = True


class ModelError(RecollectError):
    """The model's server gave no usable answer."""

    code = "model_error"
    http_status = 502
    exit_code = 11


class ModelBusy(ModelError):
    """The model's server is overloaded, unreachable or too slow; it may answer the next time."""

    code = "model_busy"
    http_status = 503
    retryable = True


class EmbedderError(RecollectError):
    """No vectors can be made or used."""

    code = "embedder_error"
    exit_code = 12


class EmbedderChanged(EmbedderError):
    """The memory's vectors were made by another model."""

    code = "embedder_changed"
    http_status = 409


class EmbedderMissing(EmbedderError):
    """The embedder's files are not here, or are not the ones they should be."""

    code = "embedder_missing"


class EmbedderFailed(EmbedderError):
    """The embedder gave no usable answer."""

    code = "embedder_failed"
    http_status = 502


class EmbedderBusy(EmbedderFailed):
    """The embedder did not answer; it may the next time."""

    code = "embedder_busy"
    http_status = 503
    retryable = True


class VoiceError(RecollectError):
    """A voice contract or a voice turn is wrong."""

    code = "voice_error"
    http_status = 422
    exit_code = 2
