"""
The library is written once, as coroutines. A driver says how they wait: `BlockingDriver` by blocking, so that a coroutine has
finished when it is first asked to go on, and `AsyncioDriver` by letting asyncio do something else meanwhile.
"""

from __future__ import annotations

import asyncio
import inspect
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Awaitable, Callable, Coroutine, Optional, TypeVar, Union

from .transport import Stopped, Stopping

T = TypeVar("T")

#: Requests of one asyncio client that are under way at the same time; more wait for a place.
MAX_THREADS = 64


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine that blocks where others would wait."""
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return stop.value
    coroutine.close()
    raise TypeError("what waits for asyncio needs AsyncBot and AsyncClient")


async def resolved(value: Union[T, Awaitable[T]]) -> T:
    """What a function of the user's gave, be it async or not."""
    return await value if inspect.isawaitable(value) else value  # type: ignore[return-value]


class BlockingEvent:
    def __init__(self) -> None:
        self._event = threading.Event()
        self.set, self.clear = self._event.set, self._event.clear

    async def wait(self, seconds: float) -> bool:
        return self._event.wait(seconds)


class BlockingTask:
    def __init__(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        self._thread = threading.Thread(target=run, args=(coroutine,), daemon=True)
        self._thread.start()

    async def join(self) -> None:
        self._thread.join()


class BlockingLock:
    def __init__(self) -> None:
        self._lock = threading.Lock()

    async def __aenter__(self) -> None:
        self._lock.acquire()

    async def __aexit__(self, *_: Any) -> None:
        self._lock.release()


class BlockingDriver:
    event, spawn, lock = BlockingEvent, BlockingTask, BlockingLock

    async def run(self, function: Callable[[Stopping], T], stopping: Optional[Stopping]) -> T:
        """The result of a function that blocks."""
        return function(stopping or Stopping())

    async def sleep(self, seconds: float, stopping: Optional[Stopping] = None) -> None:
        stopping = stopping or Stopping()
        woken = threading.Event()
        with stopping.watched_by(woken.set):
            woken.wait(seconds)
        if stopping.is_set:
            raise Stopped()


class AsyncioEvent:
    def __init__(self) -> None:
        self._event = asyncio.Event()
        self.set, self.clear = self._event.set, self._event.clear

    async def wait(self, seconds: float) -> bool:
        try:
            return await asyncio.wait_for(self._event.wait(), seconds)
        except asyncio.TimeoutError:
            return False


class AsyncioTask:
    def __init__(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        self._task = asyncio.get_running_loop().create_task(coroutine)

    async def join(self) -> None:
        await self._task


class AsyncioLock:
    """Made when it is first needed: before Python 3.10 a lock belongs to the loop that runs when it is made."""

    def __init__(self) -> None:
        self._lock: Optional[asyncio.Lock] = None

    async def __aenter__(self) -> None:
        if self._lock is None:
            self._lock = asyncio.Lock()
        await self._lock.acquire()

    async def __aexit__(self, *_: Any) -> None:
        if self._lock is not None:
            self._lock.release()


class AsyncioDriver:
    event, spawn, lock = AsyncioEvent, AsyncioTask, AsyncioLock

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(MAX_THREADS, thread_name_prefix="parley")

    async def run(self, function: Callable[[Stopping], T], stopping: Optional[Stopping]) -> T:
        """The result of a function that blocks, in a thread. Who no longer waits for it ends it."""
        own = Stopping()
        with (stopping or Stopping()).watched_by(own.set):
            try:
                return await asyncio.get_running_loop().run_in_executor(self._threads, partial(function, own))
            except asyncio.CancelledError:
                own.set()
                raise

    async def sleep(self, seconds: float, stopping: Optional[Stopping] = None) -> None:
        stopping = stopping or Stopping()
        loop, woken = asyncio.get_running_loop(), AsyncioEvent()
        with stopping.watched_by(lambda: loop.call_soon_threadsafe(woken.set)):
            await woken.wait(seconds)
        if stopping.is_set:
            raise Stopped()


Driver = Union[BlockingDriver, AsyncioDriver]
