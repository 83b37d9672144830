from __future__ import annotations

from typing import Any, Awaitable, Callable, Dict, Optional, Set

from .client import Caller
from .drivers import BlockingDriver, resolved
from .lanes import Lanes, Work
from .places import place_of
from .positions import Positions
from .progress import Mark, Progress
from .transport import ParleyError, Stopped, Stopping

POLL_SECONDS = 30
POLL_AGAIN_SECONDS = 1
#: Events that are read ahead of those that are handled.
MAX_WAITING = 500
#: The value of `confirm` for a bot that has finished nothing yet.
NOTHING = "nothing"


class Poller:
    """Reads events until it is stopped, and handles them side by side. Ends when those that have begun are finished."""

    def __init__(
        self,
        caller: Caller,
        positions: Optional[Positions],
        concurrency: int,
        stopping: Stopping,
        is_handled: Callable[[str], bool],
        handle: Callable[[str, str, Any], Awaitable[None]],
        tell: Callable[[BaseException], Awaitable[None]],
    ) -> None:
        self._caller = caller
        self._positions = positions
        #: One at a time is done where `start()` was called: some libraries want to be used by one thread.
        self._is_inline = concurrency == 1 and isinstance(caller.driver, BlockingDriver)
        self._lanes = Lanes(caller.driver, concurrency)
        self._stopping = stopping
        self._is_handled = is_handled
        self._handle = handle
        self._tell = tell
        self._progress = Progress(caller.driver, positions, None)
        self._offset: Optional[str] = None
        self._unfinished: Set[str] = set()
        #: Ends the poll that waits, because it confirms less than is finished by now.
        self._renewal: Optional[Stopping] = None

    async def run(self) -> None:
        if self._positions is not None:
            self._offset = await resolved(self._positions.read())
            self._progress = Progress(self._caller.driver, self._positions, self._offset)
        try:
            with self._stopping.watched_by(self._lanes.stop):
                await self._poll()
        finally:
            self._lanes.stop()
            await self._lanes.until(0)
            await self._save()

    async def _poll(self) -> None:
        while not self._stopping.is_set:
            try:
                # A rehearsal finishes each event before it asks for the next.
                await self._lanes.until(0 if self._caller.rehearsal else MAX_WAITING)
                await self._poll_once()
            except Stopped:
                return
            except Exception as error:
                is_over = isinstance(error, ParleyError) and error.code == "rehearsal_over"
                if self._stopping.is_set or is_over:
                    return
                await self._tell(error)
                if isinstance(error, ParleyError) and error.code == "offset_gone":
                    # Away for longer than events are kept: what is left is better than nothing.
                    self._offset = "oldest"
                elif isinstance(error, ParleyError) and error.status < 429:
                    raise
                else:
                    try:
                        await self._caller.driver.sleep(POLL_AGAIN_SECONDS, self._stopping)
                    except Stopped:
                        return

    async def _poll_once(self) -> None:
        page = await self._read_page()
        if page is None:
            return
        for update in page["updates"]:
            id, type, data = update["updateId"], update["eventType"], update["data"]
            if self._is_handled(id) or id in self._unfinished:
                continue
            mark = self._progress.note(id)
            self._unfinished.add(id)
            if self._is_inline:
                await self._finish(id, type, data, mark)
            else:
                self._lanes.add(self._work(id, type, data, mark))
        if page["nextOffset"] != self._offset:
            self._offset = page["nextOffset"]
            self._progress.note(page["nextOffset"], is_done=True)
            await self._progress.save()

    def _work(self, id: str, type: str, data: Any, mark: Mark) -> Work:
        async def run() -> None:
            try:
                await self._finish(id, type, data, mark)
            except Stopped:
                pass  # it comes again after the next start

        return Work(*place_of(type, data), run)

    async def _finish(self, id: str, type: str, data: Any, mark: Mark) -> None:
        await self._handle(id, type, data)
        self._unfinished.discard(id)
        self._progress.done(mark)
        await self._save()
        renewal = self._renewal
        if renewal is not None and not self._progress.is_open:
            renewal.set()

    async def _save(self) -> None:
        try:
            await self._progress.save()
        except Exception as error:
            await self._tell(error)

    async def _read_page(self) -> Optional[Dict[str, Any]]:
        query = {"timeout": POLL_SECONDS, "offset": self._offset}
        if not self._progress.is_open:
            return await self._caller.call("readUpdates", query, stopping=self._stopping)
        query["confirm"] = self._progress.position or NOTHING
        renewal = self._renewal = Stopping()
        try:
            with self._stopping.watched_by(renewal.set):
                if not self._progress.is_open:
                    return None  # finished a moment ago: the next poll confirms it
                return await self._caller.call("readUpdates", query, stopping=renewal)
        except Stopped:
            if self._stopping.is_set:
                raise
            return None
        finally:
            self._renewal = None
