"""The same memory for asynchronous programs: every call runs in a worker thread, off the event loop.

There is no second implementation: methods are looked up on the synchronous object and wrapped.

Never: blocks the loop, and never behaves differently from its synchronous twin.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from types import TracebackType
from typing import Any

from recollect.engine.memory import Memory
from recollect.engine.session import Session


class AsyncSession:
    """`await session.remember(...)`, `await session.recall(...)`: every method of Session, awaited."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        method = getattr(self._session, name)
        if name.startswith("_") or not callable(method):
            raise AttributeError(name)

        async def call(*args: object, **kwargs: object) -> Any:
            return await asyncio.to_thread(partial(method, *args, **kwargs))

        return call


class AsyncMemory:
    """`async with await AsyncMemory.open(...) as memory`."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    @classmethod
    async def open(cls, target: str = "memory.db", **options: Any) -> AsyncMemory:
        return cls(await asyncio.to_thread(partial(Memory.open, target, **options)))

    def session(self, **address: str) -> AsyncSession:
        return AsyncSession(self._memory.session(**address))

    async def close(self) -> None:
        await asyncio.to_thread(self._memory.close)

    async def __aenter__(self) -> AsyncMemory:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()
