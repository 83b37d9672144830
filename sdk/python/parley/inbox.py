from __future__ import annotations

import threading
from typing import Any, Awaitable, Callable, Dict, Optional

from .api import WebhookEvent
from .drivers import Driver, resolved
from .event_queue import EventQueue
from .lanes import Lanes, Work
from .places import place_of
from .transport import Stopped

#: The server waits 10 seconds for an answer.
ANSWER_SECONDS = 8
#: Events that wait here at most; the server keeps the others.
MAX_WAITING = 10_000

Handle = Callable[[str, str, Any], Awaitable[None]]
TAKEN, FAILED, LATER = 204, 500, 503


class _Delivery:
    """What repeated deliveries of an event wait for: that it is kept, or handled where there is no queue."""

    def __init__(self, driver: Driver) -> None:
        self.done = driver.event()
        self.verdict = LATER

    def settle(self, verdict: int) -> None:
        self.verdict = verdict
        self.done.set()


class Inbox:
    """
    Takes deliveries of webhooks. With a queue an event is kept before the server is answered, and handled afterwards. Without one
    the server keeps it until it is handled: memory alone would lose it in a crash.
    """

    def __init__(
        self,
        driver: Driver,
        queue: Optional[EventQueue],
        concurrency: int,
        is_handled: Callable[[str], bool],
        handle: Handle,
        handle_for_good: Handle,
        tell: Callable[[BaseException, Optional[WebhookEvent]], Awaitable[None]],
    ) -> None:
        self._driver = driver
        self._queue = queue
        self._lanes = Lanes(driver, concurrency)
        self._is_handled = is_handled
        self._handle = handle
        self._handle_for_good = handle_for_good
        self._tell = tell
        self._lock = threading.Lock()
        self._unfinished: Dict[str, _Delivery] = {}
        self._opening = driver.lock()
        self._is_open = False

    async def accept(self, event: WebhookEvent) -> int:
        """The status for a delivery."""
        queue = self._queue
        if queue is not None:
            try:
                await self.resume()
            except Exception as error:
                await self._tell(error, event)
                return FAILED
        with self._lock:
            if self._is_handled(event["id"]):
                return TAKEN
            known = self._unfinished.get(event["id"])
            if known is None and self._lanes.size >= MAX_WAITING:
                return LATER
            delivery = known or _Delivery(self._driver)
            self._unfinished[event["id"]] = delivery
        if known is None and queue is not None:
            await self._keep(event, delivery, queue)
        elif known is None:
            self._lanes.add(self._work(event, lambda: self._try(event, delivery)))
        await delivery.done.wait(ANSWER_SECONDS)
        return delivery.verdict

    async def resume(self) -> None:
        """Works off what an earlier process has left in the queue."""
        async with self._opening:
            if self._is_open or self._queue is None:
                return
            for event in await resolved(self._queue.read()):
                delivery = self._unfinished[event["id"]] = _Delivery(self._driver)
                delivery.settle(TAKEN)
                self._work_off(event, self._queue)
            self._is_open = True

    async def stop(self) -> None:
        """Begins nothing more, and waits for what runs."""
        self._lanes.stop()
        await self._lanes.until(0)

    async def _keep(self, event: WebhookEvent, delivery: _Delivery, queue: EventQueue) -> None:
        try:
            await resolved(queue.add(event))
        except Exception as error:
            self._unfinished.pop(event["id"], None)
            delivery.settle(FAILED)
            await self._tell(error, event)
            return
        self._work_off(event, queue)
        delivery.settle(TAKEN)

    def _work_off(self, event: WebhookEvent, queue: EventQueue) -> None:
        async def run() -> None:
            try:
                await self._handle_for_good(event["id"], event["type"], event["data"])
            except Stopped:
                return  # it stays in the queue
            self._unfinished.pop(event["id"], None)
            try:
                await resolved(queue.remove(event))
            except Exception as error:
                await self._tell(error, event)

        self._lanes.add(self._work(event, run))

    async def _try(self, event: WebhookEvent, delivery: _Delivery) -> None:
        verdict = TAKEN
        try:
            await self._handle(event["id"], event["type"], event["data"])
        except Exception as error:
            verdict = FAILED
            await self._tell(error, event)
        finally:
            self._unfinished.pop(event["id"], None)
            delivery.settle(verdict)

    def _work(self, event: WebhookEvent, run: Callable[[], Awaitable[None]]) -> Work:
        return Work(*place_of(event["type"], event["data"]), run)
