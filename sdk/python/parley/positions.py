from __future__ import annotations

import os
from typing import Any, Optional, Protocol, Union

from .client import AsyncClient, Client
from .transport import ParleyError


class Positions(Protocol):
    """Where a bot keeps how far it has come. Write your own for a database; the methods of an `AsyncBot` may be async."""

    def read(self) -> Any:
        """What was written last, or None."""

    def write(self, position: str) -> Any: ...


class FilePositions:
    """In a file, replaced as a whole: a crash leaves the old one or the new one."""

    def __init__(self, path: Union[str, os.PathLike[str]]) -> None:
        self._path = os.fspath(path)

    def read(self) -> Optional[str]:
        try:
            with open(self._path, encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def write(self, position: str) -> None:
        with open(f"{self._path}.new", "w", encoding="utf-8") as file:
            file.write(position)
        os.replace(f"{self._path}.new", self._path)


class StoredPositions:
    """In the bot's own storage on the server: nothing to keep beside the bot, and one request more for each event."""

    def __init__(self, client: Union[Client, AsyncClient], key: str = "position") -> None:
        self._caller = client.caller
        self._key = key

    async def read(self) -> Optional[str]:
        try:
            stored = await self._caller.call("readStorage", {"key": self._key})
        except ParleyError as error:
            if error.status == 404:
                return None
            raise
        return stored["value"] if isinstance(stored["value"], str) else None

    async def write(self, position: str) -> None:
        await self._caller.call("writeStorage", {"key": self._key, "value": position})
