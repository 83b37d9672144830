"""Messages that are sent while they are written: a body of plain text, for as long as there are pieces."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any, Callable, Iterator, Optional

from .files import Body
from .transport import NO_ANSWER, ParleyError

if TYPE_CHECKING:
    from .client import Caller

#: People see a message grow twenty times a second: more pieces would only cost.
PACE_SECONDS = 0.05
#: A body lasts so long, or until nothing more came for a while: its answer tells what has arrived.
BODY_SECONDS = 2.0
QUIET_SECONDS = 0.5
#: The first bodies are short, until one has shown that nothing on the way holds them back.
TRIAL_SECONDS = 0.5
#: From this duration on it can be told.
TELLING_SECONDS = 0.3
#: So many bodies in a row that came to nothing, and none is tried again.
MAX_FAILURES = 2


class _TextBody(Body):
    """Pieces as `next_piece` gives them, until that gives None; an empty one while there is nothing to say."""

    def __init__(self, next_piece: Callable[[], Optional[str]], seconds: float) -> None:
        super().__init__((), "text/plain; charset=utf-8")
        self.length = -1  # not known before its end
        self.took = 0.0
        self._next_piece = next_piece
        self._seconds = seconds

    def __iter__(self) -> Iterator[bytes]:
        began = last = time.monotonic()
        while True:
            now = time.monotonic()
            self.took = now - began
            piece = self._next_piece() if self.took < self._seconds else None
            if piece is None or (not piece and now - last > QUIET_SECONDS):
                return
            if piece:
                last = now
                # Half of a pair is no UTF-8: the server refuses it, and JSON tells why.
                yield piece.encode("utf-8", "surrogatepass")
            time.sleep(PACE_SECONDS)


class TextBodies:
    """The bodies of one client. Where requests are signed there are none: that takes the whole body."""

    def __init__(self, are_tried: bool) -> None:
        self.are_tried = are_tried
        self._failures = 0
        self._is_proven: bool = False

    async def send(
        self, caller: Caller, message_id: str, start: int, next_piece: Callable[[], Optional[str]]
    ) -> Optional[int]:
        """Sends pieces while there are some, and gives the length of the message; None where it is not known."""
        body = _TextBody(next_piece, BODY_SECONDS if self._is_proven else TRIAL_SECONDS)
        try:
            answer = await caller.send_text(f"/v2/messages/{message_id}/append?from={start}", body)
            content: Any = json.loads(answer.body) if answer.status == 200 else None
        except (*NO_ANSWER, ParleyError, ValueError):
            content = None
        if content is None or "bodyMs" not in content:
            self._failures += 1
            self.are_tried = self._failures < MAX_FAILURES
            return None
        self._failures = 0
        if body.took > TELLING_SECONDS:
            # A proxy that collects bodies would show people everything at once.
            self._is_proven = self.are_tried = content["bodyMs"] > body.took * 1000 / 4
        return int(content["length"])
