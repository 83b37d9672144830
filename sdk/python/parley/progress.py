from __future__ import annotations

import threading
from typing import Dict, Optional

from .drivers import Driver, resolved
from .positions import Positions


class Mark:
    """An event that was read and is not finished yet."""

    def __init__(self, position: str, is_done: bool) -> None:
        self.position = position
        self.is_done = is_done


class Progress:
    """
    Follows events that finish in any order. What stands in the store is always the place before the oldest unfinished one: a
    crash repeats what came after it and loses nothing.
    """

    def __init__(self, driver: Driver, positions: Optional[Positions], begin: Optional[str]) -> None:
        self._positions = positions
        self._marks: Dict[Mark, None] = {}
        #: The position before the oldest unfinished event; None where nothing is known of it.
        self.position = begin
        self._written = begin
        self._lock = threading.Lock()
        self._writing = driver.lock()

    @property
    def is_open(self) -> bool:
        """Whether something that was read is unfinished."""
        return bool(self._marks)

    def note(self, position: str, is_done: bool = False) -> Mark:
        """Notes an event, or with `is_done` a place between events."""
        mark = Mark(position, is_done)
        with self._lock:
            self._marks[mark] = None
            self._move()
        return mark

    def done(self, mark: Mark) -> None:
        """Finishes an event."""
        with self._lock:
            mark.is_done = True
            self._move()

    async def save(self) -> None:
        """Writes the position if it has moved. One write at a time: the next one takes the newest position, however many have moved it."""
        async with self._writing:
            position = self.position
            if self._positions is None or position is None or position == self._written:
                return
            await resolved(self._positions.write(position))
            self._written = position

    def _move(self) -> None:
        for mark in list(self._marks):
            if not mark.is_done:
                return
            self.position = mark.position
            del self._marks[mark]
