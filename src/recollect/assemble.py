"""The only file that picks concrete adapters: settings in, a Memory out.

Never: holds behaviour of its own.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.adapters.clock.system import SystemClock
from recollect.adapters.tokens.safe import SafeCounter
from recollect.core.policy import Policy
from recollect.core.policy_file import parse_policy
from recollect.core.text import storable
from recollect.engine.filing import model_name
from recollect.engine.memory import Memory, Parts
from recollect.engine.office import Aids
from recollect.errors import InvalidInput, NotYet, PolicyInvalid, RecollectError
from recollect.ports.clock import Clock
from recollect.ports.embedder import Embedder
from recollect.ports.model import Model
from recollect.ports.store import Store
from recollect.ports.tokens import TokenCounter

if TYPE_CHECKING:
    from recollect.adapters.stores.postgres.schema import Schema

SERVERS = ("postgres://", "postgresql://")
PRESETS = ("default", "coding", "companion", "contract")


def open_memory(
    target: str | Store = "memory.db",
    *,
    policy: object = "default",
    clock: Clock | None = None,
    tokens: TokenCounter | str | None = None,
    embedder: str | Embedder = "static",
    index_mb: int = 512,
    tracing: bool = True,
    allow_owner: bool = False,
    **aids: object,
) -> Memory:
    """A memory on the store that the target names; `aids` are what it can do without (see `make_aids`)."""
    read = read_policy(policy)
    read_embedder = choose_embedder(embedder)
    from recollect.adapters.index.exact import ExactIndexes

    if isinstance(index_mb, bool) or not isinstance(index_mb, int) or index_mb < 1:
        raise InvalidInput("index_mb should be a whole number of at least 1.", reason="wrong_type")
    is_metered, is_approximate = bool(aids.pop("telemetry", False)), bool(aids.pop("approximate", False))
    store = target if isinstance(target, Store) else _store(target, allow_owner, is_approximate)
    return Memory(
        Parts(
            store=_metered(store) if is_metered else store,
            policy=read,
            clock=clock or SystemClock(),
            tokens=_counter(tokens),
            indexes=ExactIndexes(read_embedder.dimensions if read_embedder is not None else 0),
            embedder=read_embedder,
            read_policy=read_policy,
            make_scratch=lambda: _store(":memory:"),
            index_bound_bytes=index_mb * 1_048_576,
            is_tracing=tracing,
            aids=make_aids(aids),
        )
    )


def _counter(tokens: TokenCounter | str | None) -> TokenCounter:
    """The built-in safe count, an exact one by the name of its encoding, or what the caller brings."""
    if tokens is None or tokens == "safe":
        return SafeCounter()
    if isinstance(tokens, str):
        from recollect.adapters.tokens.exact import ExactCounter

        return ExactCounter(tokens)
    return tokens


def make_aids(given: Mapping[str, object]) -> Aids:
    """Files below roots, likeness, and the models that are configured.

    `roots` are folders; `model` and `small_model` are Model objects, or names at `model_url` (with `model_key`).
    """
    from recollect.adapters.embedders.static import StaticEmbedder
    from recollect.adapters.files.rooted import RootedFiles
    from recollect.adapters.likeness.vectors import VectorLikeness
    from recollect.adapters.summarisers.model import ModelSummariser
    from recollect.adapters.summarisers.rules import RuleSummariser

    roots = given.get("roots") or ()
    if isinstance(roots, (str, Path)):
        roots = (roots,)
    if not isinstance(roots, Sequence):
        raise InvalidInput("roots should be a list of folders.", reason="bad_root")
    model, small = _model(given, "model"), _model(given, "small_model")
    summariser = given.get("summariser") or RuleSummariser()
    if summariser == "model":
        if model is None:
            raise InvalidInput("summariser = model needs a model.", reason="no_model")
        summariser = ModelSummariser(model)
    entailment = given.get("entailment")
    static = StaticEmbedder()
    return Aids(
        files=RootedFiles(roots),
        likeness=VectorLikeness(static.embed, model_name(static)),
        entailment=entailment,  # type: ignore[arg-type]
        summariser=summariser,  # type: ignore[arg-type]
        model=model,
        small_model=small,
    )


def _model(given: Mapping[str, object], what: str) -> Model | None:
    named = given.get(what)
    if not named:
        return None
    if isinstance(named, Model):
        return named
    url, key = given.get("model_url"), given.get("model_key") or ""
    if not isinstance(named, str) or not isinstance(url, str) or not isinstance(key, str) or not url:
        hint = "Give model_url, for example http://127.0.0.1:8080/v1."
        raise InvalidInput(f"{what} should be a name at a model_url.", hint=hint, reason="bad_model")
    from recollect.adapters.models.openai import OpenAiModel

    return OpenAiModel(url, named, key)


def read_policy(policy: object) -> Policy:
    """A preset by name, a TOML file by path, TOML text, or a Policy as it is."""
    if isinstance(policy, Policy):
        return policy
    if isinstance(policy, Path):
        return _policy_file(policy)
    if not isinstance(policy, str):
        raise InvalidInput(f"policy should be a name, a path or TOML text, not {type(policy).__name__}.")
    if policy in PRESETS:
        return parse_policy(preset_text(policy))
    if "\n" in policy or "=" in policy:
        return parse_policy(policy)
    return _policy_file(Path(policy))


def preset_text(name: str) -> str:
    """The TOML of a preset."""
    return files("recollect").joinpath("data", "policies", f"{name}.toml").read_text(encoding="utf-8")


def _policy_file(path: Path) -> Policy:
    try:
        return parse_policy(path.read_text(encoding="utf-8"), name=path.stem)
    except (OSError, ValueError) as error:
        if isinstance(error, RecollectError):
            raise
        raise PolicyInvalid(
            f"There is no readable policy {path.name!r}.",
            hint=f"Presets: {', '.join(PRESETS)}; or name a TOML file.",
            reason="policy_not_found",
        ) from error


def _store(target: str, allow_owner: bool = False, is_approximate: bool = False) -> Store:
    if not isinstance(target, (str, Path)) or not str(target):
        raise InvalidInput("target should be a path, `:memory:` or `postgresql://...`.", reason="bad_target")
    name = str(target)
    if name.startswith(SERVERS):
        return _postgres(name, allow_owner, is_approximate)
    if "\0" in name or storable(name) != name or len(Path(name).name.encode()) > 200:
        raise InvalidInput(
            "target is not a path that can be used.", hint="Choose a plain file name.", reason="bad_target"
        )
    if name == ":memory:":
        from recollect.adapters.stores.memory import MemoryStore

        return MemoryStore()
    if "://" in name:
        raise InvalidInput("target should be a path, `:memory:` or `postgresql://...`.", reason="bad_target")
    from recollect.adapters.stores.sqlite.store import SqliteStore

    return SqliteStore(name)


def _postgres(url: str, allow_owner: bool, is_approximate: bool) -> Store:
    with _server_packages(url):
        from recollect.adapters.stores.postgres.store import PostgresStore
    return PostgresStore(url, is_owner_allowed=allow_owner, is_approximate=is_approximate)


def _metered(store: Store) -> Store:
    try:
        from recollect.adapters.stores.metered import MeteredStore
    except ImportError as error:
        raise NotYet(
            "Telemetry needs a package that is not installed.", hint="Install `recollect[telemetry]`."
        ) from error
    return MeteredStore(store)


def schema_of(url: str) -> Schema:
    """The owner's work on the database an address names."""
    if not url.startswith(SERVERS):
        raise InvalidInput(
            "This is for a PostgreSQL server; a file needs none of it.",
            hint="Name one with --db postgresql://owner@host/database.",
            reason="not_a_server",
        )
    with _server_packages(url):
        from recollect.adapters.stores.postgres.schema import Schema
    return Schema(url)


@contextmanager
def _server_packages(url: str) -> Iterator[None]:
    if storable(url) != url:
        raise InvalidInput("The address of the database holds characters that cannot be used.", reason="bad_target")
    try:
        yield
    except ImportError as error:
        raise NotYet(
            "PostgreSQL needs packages that are not installed.", hint="Install `recollect[postgres]`."
        ) from error


def choose_embedder(chosen: object) -> Embedder | None:
    """`static` (the one that ships), `none`, `minilm`, `minilm:FOLDER`, a server's address, or any embedder."""
    if not isinstance(chosen, str):
        if isinstance(chosen, Embedder):
            return chosen
        raise InvalidInput("embedder should be a text or an embedder.", hint="See docs/search.md.", reason="wrong_type")
    name, _, rest = chosen.partition(":")
    if chosen == "none":
        return None
    if chosen == "static":
        from recollect.adapters.embedders.static import StaticEmbedder

        return StaticEmbedder()
    if name == "minilm" and (rest or chosen == "minilm"):
        from recollect.adapters.embedders.minilm import MiniLmEmbedder

        return MiniLmEmbedder(Path(rest) if rest else None)
    if name in {"http", "https"}:
        from recollect.adapters.embedders.endpoint import EndpointEmbedder

        return EndpointEmbedder(chosen, os.environ.get("RECOLLECT_EMBEDDER_KEY", ""))
    raise InvalidInput(
        f"There is no embedder {chosen[:40]!r}.",
        hint="Allowed: static, none, minilm, minilm:FOLDER, https://host/v1#model@dimensions.",
        reason="unknown_embedder",
    )


Memory.opener = staticmethod(open_memory)
