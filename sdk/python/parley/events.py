"""What handlers get."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Optional, Sequence, TypeVar

from .api import (
    ActionsInput,
    EditMessageAnswer,
    EventMessage,
    MessageActionEvent,
    MessageCommandEvent,
    MessageCreated,
    OMITTED,
    Omitted,
    SendMessageAnswer,
    TopicContext,
)
from .client import Caller
from .drivers import run
from .streaming import AsyncMessageStream, MessageStream, Writer, begin
from .transport import ParleyError

if TYPE_CHECKING:
    from .files import FileInput

Data = TypeVar("Data")


class Event(Generic[Data]):
    """Something that happened, with its data as the API has it."""

    def __init__(self, id: str, type: str, data: Data) -> None:
        #: The same in each repetition of the event.
        self.id = id
        self.type = type
        self.data = data


class Answering:
    """Answers to one event in its thread. Each has a key of its own, made from the event's id."""

    def __init__(
        self, caller: Caller, event_id: str, topic_id: str, parent_id: str, message_id: str, user_id: str
    ) -> None:
        self._caller = caller
        self._event_id = event_id
        self._asked = {"messageId": message_id, "memberId": user_id}
        self._place = {"topicId": topic_id, "parentId": parent_id}
        self._replies = 0

    def _next_key(self) -> str:
        self._replies += 1
        return f"{self._event_id}:{self._replies}"

    async def say(self, text: Optional[str], actions: Optional[ActionsInput], files: Optional[Sequence[FileInput]]) -> Any:
        values = {**self._place, "caption" if files else "text": text, "actions": actions}
        try:
            return await self._caller.call("sendMessage", values, files=files, idempotency_key=self._next_key())
        except ParleyError as error:
            if error.code == "idempotency_key_reused":
                return None
            raise

    async def privately(self, text: str) -> None:
        await self._caller.call("answerPrivately", {**self._asked, "text": text})

    async def stream(self) -> Writer:
        return await begin(self._caller, self._place, self._next_key())


class Reply:
    """Answers in the thread of the event."""

    def __init__(self, answering: Answering) -> None:
        self._answering = answering

    def __call__(
        self,
        text: Optional[str] = None,
        *,
        actions: Optional[ActionsInput] = None,
        files: Optional[Sequence[FileInput]] = None,
    ) -> Optional[SendMessageAnswer]:
        """
        A text, one with buttons, or files with a text. An event that comes twice is answered once: None where an earlier try
        has sent another text already.
        """
        return run(self._answering.say(text, actions, files))

    def stream(self) -> MessageStream:
        """Answers bit by bit. Begun again after a crash, it goes on in the same message."""
        return MessageStream(run(self._answering.stream()))

    def privately(self, text: str) -> None:
        """Answers under the message, as Markdown, so that only the person sees it who wrote it. The latest one counts."""
        run(self._answering.privately(text))


class AsyncReply:
    """Answers in the thread of the event."""

    def __init__(self, answering: Answering) -> None:
        self._answering = answering

    async def __call__(
        self,
        text: Optional[str] = None,
        *,
        actions: Optional[ActionsInput] = None,
        files: Optional[Sequence[FileInput]] = None,
    ) -> Optional[SendMessageAnswer]:
        """
        A text, one with buttons, or files with a text. An event that comes twice is answered once: None where an earlier try
        has sent another text already.
        """
        return await self._answering.say(text, actions, files)

    async def stream(self) -> AsyncMessageStream:
        """Answers bit by bit. Begun again after a crash, it goes on in the same message."""
        return AsyncMessageStream(await self._answering.stream())

    async def privately(self, text: str) -> None:
        """Answers under the message, as Markdown, so that only the person sees it who wrote it. The latest one counts."""
        await self._answering.privately(text)


AnyReply = TypeVar("AnyReply", Reply, AsyncReply)


async def read_context(caller: Caller, topic_id: str, message_id: str, tokens: Optional[int]) -> TopicContext:
    values = {"topicId": topic_id, "message": message_id, "tokens": tokens}
    context: TopicContext = await caller.call("readContext", values)
    return context


class _MessageEvent(Event[MessageCreated], Generic[AnyReply]):
    def __init__(self, id: str, data: MessageCreated, reply: AnyReply, caller: Caller) -> None:
        super().__init__(id, "message.created", data)
        self.message: EventMessage = data["message"]
        self.reply: AnyReply = reply
        self._caller = caller

    async def _context(self, tokens: Optional[int]) -> TopicContext:
        return await read_context(self._caller, self.message["topicId"], self.message["id"], tokens)


class _CommandEvent(Event[MessageCommandEvent], Generic[AnyReply]):
    def __init__(self, id: str, data: MessageCommandEvent, reply: AnyReply, caller: Caller) -> None:
        super().__init__(id, "message.command", data)
        self.command = data
        self.reply: AnyReply = reply
        self._caller = caller

    async def _context(self, tokens: Optional[int]) -> TopicContext:
        return await read_context(self._caller, self.command["topicId"], self.command["messageId"], tokens)


class _ActionEvent(Event[MessageActionEvent]):
    def __init__(self, id: str, data: MessageActionEvent, caller: Caller) -> None:
        super().__init__(id, "message.action", data)
        self.action = data
        self._caller = caller

    async def _edit(self, text: Optional[str], actions: Any) -> EditMessageAnswer:
        values = {"messageId": self.action["messageId"], "text": text, "actions": actions}
        return await self._caller.call("editMessage", values)

    async def _note(self, text: str) -> None:
        await self._caller.call("noteAction", {"actionId": self.action["actionId"], "text": text})


class MessageEvent(_MessageEvent[Reply]):
    """What somebody else says."""

    def context(self, tokens: Optional[int] = None) -> TopicContext:
        """Reads the thread of the message, the messages before it, names and the text of files, cut to so many tokens."""
        return run(self._context(tokens))


class AsyncMessageEvent(_MessageEvent[AsyncReply]):
    """What somebody else says."""

    async def context(self, tokens: Optional[int] = None) -> TopicContext:
        """Reads the thread of the message, the messages before it, names and the text of files, cut to so many tokens."""
        return await self._context(tokens)


class CommandEvent(_CommandEvent[Reply]):
    """What a person tells the bot with `/`."""

    def context(self, tokens: Optional[int] = None) -> TopicContext:
        """Reads the thread of the command, the messages before it, names and the text of files, cut to so many tokens."""
        return run(self._context(tokens))


class AsyncCommandEvent(_CommandEvent[AsyncReply]):
    """What a person tells the bot with `/`."""

    async def context(self, tokens: Optional[int] = None) -> TopicContext:
        """Reads the thread of the command, the messages before it, names and the text of files, cut to so many tokens."""
        return await self._context(tokens)


class ActionEvent(_ActionEvent):
    """An answer to the bot's buttons."""

    def edit(self, *, text: Optional[str] = None, actions: ActionsInput | None | Omitted = OMITTED) -> EditMessageAnswer:
        """Ends the question that was answered, with `actions=None`, and can bring another text. Where every press counts, `text` alone will do."""
        return run(self._edit(text, actions))

    def note(self, text: str) -> None:
        """Tells the person alone who answered."""
        run(self._note(text))


class AsyncActionEvent(_ActionEvent):
    """An answer to the bot's buttons."""

    async def edit(self, *, text: Optional[str] = None, actions: ActionsInput | None | Omitted = OMITTED) -> EditMessageAnswer:
        """Ends the question that was answered, with `actions=None`, and can bring another text. Where every press counts, `text` alone will do."""
        return await self._edit(text, actions)

    async def note(self, text: str) -> None:
        """Tells the person alone who answered."""
        await self._note(text)
