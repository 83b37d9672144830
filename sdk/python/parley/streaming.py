from __future__ import annotations

import uuid
from typing import Any, AsyncIterable, AsyncIterator, Dict, Iterable, Optional, Union

from .api import ActionsInput
from .client import Caller
from .drivers import run
from .text_bodies import PACE_SECONDS
from .transport import ParleyError

#: So often a bot that has nothing to say yet tells that it is still at it.
ALIVE_SECONDS = 3


class Writer:
    """What `MessageStream` and `AsyncMessageStream` do. Pieces are sent beside, in a thread or a task of their own."""

    def __init__(self, caller: Caller, id: str) -> None:
        self.id = id
        self.is_stopped = False
        self.is_over = False
        self._caller = caller
        self._text = ""
        #: How much of it the server has, here and in its own count.
        self._sent = 0
        self._sent_there = 0
        self._failure: Optional[BaseException] = None
        self._changed = caller.driver.event()
        self._closing = caller.driver.event()
        self._is_closing = False
        self._sender = caller.driver.spawn(self._send_pieces())

    def append(self, text: str) -> None:
        self._text += text
        self._changed.set()

    async def finish(self, text: Optional[str] = None, actions: Optional[ActionsInput] = None) -> bool:
        whole = self._text if text is None else text
        await self._close()
        if self.is_stopped:
            return False
        if self._failure is not None:
            raise self._failure
        try:
            await self._caller.call("finishMessage", {"messageId": self.id, "text": whole or None, "actions": actions})
        except ParleyError as error:
            if error.status != 409:
                raise
            if error.code == "stream_stopped":
                self.is_stopped = True
                return False
            await self._mend(whole, actions)
        return True

    async def fail(self) -> None:
        await self._close()
        try:
            await self._caller.call("finishMessage", {"messageId": self.id, "status": "failed"})
        except ParleyError as error:
            if error.status not in (404, 409):  # it has ended already
                raise

    async def write(self, texts: AsyncIterable[str], actions: Optional[ActionsInput] = None) -> bool:
        try:
            async for text in texts:
                if self.is_over:
                    break
                self.append(text)
            return await self.finish(actions=actions)
        except BaseException:
            if self.is_stopped:
                return False
            await self.fail()
            raise

    async def _send_pieces(self) -> None:
        while not self.is_over:
            await self._changed.wait(ALIVE_SECONDS)
            self._changed.clear()
            if self._is_closing:
                return
            # Whatever a body cannot do, a request does, or is told why not.
            if self._sent == len(self._text) or not await self._send_body():
                await self._send(self._text[self._sent :])
                await self._closing.wait(PACE_SECONDS)

    async def _send_body(self) -> bool:
        bodies = self._caller.text_bodies
        if not bodies.are_tried:
            return False
        given = self._sent

        def next_piece() -> Optional[str]:
            nonlocal given
            piece = self._text[given:]
            given += len(piece)
            return None if self._is_closing else piece

        length = await bodies.send(self._caller, self.id, self._sent_there, next_piece)
        if length is None or length == self._sent_there:
            return False
        self._sent += length - self._sent_there
        self._sent_there = length
        if self._sent < len(self._text):
            self._changed.set()
        return True

    async def _send(self, piece: str) -> None:
        values = {"messageId": self.id, "text": piece, "from": self._sent_there}
        try:
            answer = await self._caller.call("appendToMessage", values)
        except ParleyError as error:
            if error.code == "stream_gap":
                self._sent = self._sent_there = 0  # the server lost some: all of it once more
                self._changed.set()
                return
            self.is_over = True
            if error.status != 409:
                self._failure = error
            elif error.code == "stream_stopped":
                self.is_stopped = True
        except Exception as error:
            self.is_over = True
            self._failure = error
        else:
            self._sent += len(piece)
            self._sent_there = answer["length"]

    async def _close(self) -> None:
        self._is_closing = True
        self._changed.set()
        self._closing.set()
        await self._sender.join()
        self.is_over = True

    async def _mend(self, whole: str, actions: Optional[ActionsInput]) -> None:
        """It was given up while this bot was away: said whole, it is a message like any other. One that was finished stays."""
        message = await self._caller.call("readMessage", {"messageId": self.id})
        if "stream" in message:
            more: Dict[str, Any] = {} if actions is None else {"actions": actions}
            await self._caller.call("editMessage", {"messageId": self.id, "text": whole, **more})


async def begin(caller: Caller, place: Dict[str, Any], idempotency_key: Optional[str] = None) -> Writer:
    values = {**place, "streaming": True}
    sent = await caller.call("sendMessage", values, idempotency_key=idempotency_key or str(uuid.uuid4()))
    return Writer(caller, sent["id"])


async def _each(texts: Union[Iterable[str], AsyncIterable[str]]) -> AsyncIterator[str]:
    if isinstance(texts, AsyncIterable):
        async for text in texts:
            yield text
    else:
        for text in texts:
            yield text


class _Stream:
    """A message that is written bit by bit. Pieces are collected while one is on its way, and none is lost or doubled."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    @property
    def id(self) -> str:
        """The id of the message."""
        return self._writer.id

    @property
    def stopped(self) -> bool:
        """Whether a person has stopped it: then whatever makes the text can end."""
        return self._writer.is_stopped

    def append(self, text: str) -> None:
        """Says more. Does not wait for the server."""
        self._writer.append(text)


class MessageStream(_Stream):
    def finish(self, text: Optional[str] = None, actions: Optional[ActionsInput] = None) -> bool:
        """Ends it with all that was appended, or with another text, and with buttons. False where a person has stopped it."""
        return run(self._writer.finish(text, actions))

    def fail(self) -> None:
        """Ends it with what there is, marked as unfinished."""
        run(self._writer.fail())

    def write(self, texts: Iterable[str], actions: Optional[ActionsInput] = None) -> bool:
        """Appends what comes, and finishes; where that fails, so does the message."""
        return run(self._writer.write(_each(texts), actions))


class AsyncMessageStream(_Stream):
    async def finish(self, text: Optional[str] = None, actions: Optional[ActionsInput] = None) -> bool:
        """Ends it with all that was appended, or with another text, and with buttons. False where a person has stopped it."""
        return await self._writer.finish(text, actions)

    async def fail(self) -> None:
        """Ends it with what there is, marked as unfinished."""
        await self._writer.fail()

    async def write(
        self, texts: Union[Iterable[str], AsyncIterable[str]], actions: Optional[ActionsInput] = None
    ) -> bool:
        """Appends what comes, and finishes; where that fails, so does the message."""
        return await self._writer.write(_each(texts), actions)
