from __future__ import annotations

import json
import os
import re
import time
from typing import Any, Dict, List, Protocol, Union

from .api import WebhookEvent


class EventQueue(Protocol):
    """
    Where webhook events are kept that were answered and are not handled yet. Write your own for a database: three methods, which
    may be async for an `AsyncBot`. `add` must not return before the event would outlast a crash.
    """

    def read(self) -> Any:
        """The events that are kept, the oldest first. Called once, before anything else."""

    def add(self, event: WebhookEvent) -> Any: ...

    def remove(self, event: WebhookEvent) -> Any: ...


class FileQueue:
    """
    In a folder of the bot's own, each event in a file: on the disk before the server gets its answer, and gone once it is
    handled. A folder belongs to one process at a time.
    """

    def __init__(self, folder: Union[str, os.PathLike[str]]) -> None:
        self._folder = os.fspath(folder)
        self._files: Dict[str, str] = {}
        self._last = 0

    def read(self) -> List[WebhookEvent]:
        os.makedirs(self._folder, mode=0o700, exist_ok=True)
        found = os.listdir(self._folder)
        for name in found:
            if re.fullmatch(r"\d{17}\.json\.new", name):  # its event was never answered
                os.remove(os.path.join(self._folder, name))
        names = sorted(name for name in found if re.fullmatch(r"\d{17}\.json", name))
        self._last = int(names[-1][:17]) if names else 0
        events: List[WebhookEvent] = []
        for name in names:
            with open(os.path.join(self._folder, name), encoding="utf-8") as file:
                event: WebhookEvent = json.load(file)
            self._files[event["id"]] = name
            events.append(event)
        return events

    def add(self, event: WebhookEvent) -> None:
        name = self._next_name()
        path = os.path.join(self._folder, name)
        descriptor = os.open(f"{path}.new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "w", encoding="utf-8") as file:
            json.dump(event, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(f"{path}.new", path)
        self._files[event["id"]] = name

    def remove(self, event: WebhookEvent) -> None:
        name = self._files.pop(event["id"], None)
        if name is not None:
            try:
                os.remove(os.path.join(self._folder, name))
            except FileNotFoundError:
                pass

    def _next_name(self) -> str:
        """Names sort in the order of arrival, also after a restart."""
        self._last = max(time.time_ns() // 1000, self._last + 1)
        return f"{self._last:017d}.json"
