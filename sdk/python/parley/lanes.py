"""Work that is done side by side, and in order where it must be."""

from __future__ import annotations

import threading
from collections import deque
from typing import Any, Awaitable, Callable, Deque, Dict, NamedTuple, Tuple

from .drivers import Driver

#: How long a waiter sleeps before it looks by itself.
LOOK_SECONDS = 60


class Work(NamedTuple):
    #: What it must not overtake.
    lane: str
    #: The messages that it is about.
    about: Tuple[str, ...]
    run: Callable[[], Awaitable[Any]]


class _Place:
    def __init__(self, lane: str) -> None:
        self.lane = lane
        self.count = 0


class Lanes:
    """Runs work side by side, at most `limit` at once, each in a thread or a task, and in order within a lane."""

    def __init__(self, driver: Driver, limit: int) -> None:
        self._driver = driver
        self._limit = limit
        self._lock = threading.Lock()
        #: The work of each lane; the first of it runs, or is ready to.
        self._lanes: Dict[str, Deque[Work]] = {}
        #: The lane in which unfinished work about a message stands.
        self._places: Dict[str, _Place] = {}
        self._ready: Deque[str] = deque()
        self._size = 0
        self._running = 0
        self._is_stopped = False
        self._changed = driver.event()

    @property
    def size(self) -> int:
        """The number of pieces of work that wait or run."""
        return self._size

    def add(self, work: Work) -> None:
        """Places work behind everything unfinished that is about the same messages, or else at the end of its lane."""
        with self._lock:
            known = [self._places[id].lane for id in work.about if id in self._places]
            lane = known[0] if known else work.lane
            for id in work.about:
                self._places.setdefault(id, _Place(lane)).count += 1
            self._size += 1
            if lane in self._lanes:
                self._lanes[lane].append(work)
            else:
                self._lanes[lane] = deque([work])
                self._ready.append(lane)
        self._begin()

    def stop(self) -> None:
        """Begins nothing more, from any thread. What runs goes on, and wakes those who wait when it ends."""
        self._is_stopped = True

    async def until(self, size: int) -> None:
        """Waits until at most so many pieces are left, or, once stopped, until nothing runs any more."""
        while True:
            with self._lock:
                if self._size <= size or (self._is_stopped and self._running == 0):
                    return
                self._changed.clear()
            await self._changed.wait(LOOK_SECONDS)

    def _begin(self) -> None:
        while True:
            with self._lock:
                if self._is_stopped or self._running >= self._limit or not self._ready:
                    return
                lane = self._ready.popleft()
                work = self._lanes[lane][0]
                self._running += 1
            self._driver.spawn(self._run(lane, work))

    async def _run(self, lane: str, work: Work) -> None:
        try:
            await work.run()
        finally:
            self._end(lane, work)
            self._begin()

    def _end(self, lane: str, work: Work) -> None:
        with self._lock:
            self._running -= 1
            self._size -= 1
            for id in work.about:
                place = self._places[id]
                place.count -= 1
                if place.count == 0:
                    del self._places[id]
            rest = self._lanes[lane]
            rest.popleft()
            if rest:
                self._ready.append(lane)
            else:
                del self._lanes[lane]
            self._changed.set()
