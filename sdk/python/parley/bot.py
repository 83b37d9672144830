from __future__ import annotations

import logging
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Callable, Dict, Generic, Mapping, Optional, Sequence, TypeVar

from .api import (
    ActionsInput,
    EditMessageAnswer,
    EventMessage,
    EventName,
    MessageActionEvent,
    MessageCommandEvent,
    MessageCreated,
    OMITTED,
    Omitted,
    SendMessageAnswer,
)
from .client import AsyncClient, Caller, Client, Credentials
from .drivers import resolved, run
from .positions import Positions
from .streaming import AsyncMessageStream, MessageStream, Writer, begin
from .transport import ParleyError, Stopped, Stopping
from .webhook import HEADER_PREFIX, asgi_app, read_webhook, wsgi_app

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .files import FileInput

POLL_SECONDS = 30
#: Pauses before a handler that failed gets its event again; after the last one the bot goes on without it.
HANDLER_WAITS = (0.5, 2, 5)
POLL_AGAIN_SECONDS = 1
#: Events of webhooks that were handled, by which repeats are noticed.
MAX_REMEMBERED = 10_000

Data = TypeVar("Data")
Handler = TypeVar("Handler", bound=Callable[..., Any])


class Event(Generic[Data]):
    """Something that happened, with its data as the API has it."""

    def __init__(self, id: str, type: str, data: Data) -> None:
        #: The same in each repetition of the event.
        self.id = id
        self.type = type
        self.data = data


class Answering:
    """Answers to one event in its thread. Each has a key of its own, made from the event's id."""

    def __init__(self, caller: Caller, event_id: str, topic_id: str, parent_id: str) -> None:
        self._caller = caller
        self._event_id = event_id
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


AnyReply = TypeVar("AnyReply", Reply, AsyncReply)


class _MessageEvent(Event[MessageCreated], Generic[AnyReply]):
    def __init__(self, id: str, data: MessageCreated, reply: AnyReply) -> None:
        super().__init__(id, "message.created", data)
        self.message: EventMessage = data["message"]
        self.reply: AnyReply = reply


class _CommandEvent(Event[MessageCommandEvent], Generic[AnyReply]):
    def __init__(self, id: str, data: MessageCommandEvent, reply: AnyReply) -> None:
        super().__init__(id, "message.command", data)
        self.command = data
        self.reply: AnyReply = reply


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


class AsyncMessageEvent(_MessageEvent[AsyncReply]):
    """What somebody else says."""


class CommandEvent(_CommandEvent[Reply]):
    """What a person tells the bot with `/`."""


class AsyncCommandEvent(_CommandEvent[AsyncReply]):
    """What a person tells the bot with `/`."""


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


def log_error(error: BaseException, event: Optional[Mapping[str, Any]] = None) -> None:
    what = "a poll failed" if event is None else f"the handler of {event['type']} {event['id']} failed"
    logging.getLogger("parley").error(what, exc_info=error)


OnError = Callable[[BaseException, Optional[Mapping[str, Any]]], Any]


class _Bot:
    """Handles one event after the other, in their order, whether it asks for them or is told."""

    _reply: Any
    _message_event: Any
    _action_event: Any
    _command_event: Any

    def __init__(
        self,
        caller: Caller,
        positions: Optional[Positions],
        on_error: OnError,
        header_prefix: str,
    ) -> None:
        self._caller = caller
        self._positions = positions
        self._on_error = on_error
        self._header_prefix = header_prefix
        self._handlers: Dict[str, Callable[..., Any]] = {}
        self._stopping = Stopping()
        self._own_id: Optional[str] = None
        self._handled: OrderedDict[str, None] = OrderedDict()
        self._order = caller.driver.lock()

    def on(self, name: EventName) -> Callable[[Handler], Handler]:
        """
        Makes a function the handler of an event: `message` is what somebody else says, `action` an answer to this bot's buttons,
        `command` what it is told with `/`; the others are the events of the API. One handler for each.
        """

        def keep(handler: Handler) -> Handler:
            self._handlers[name] = handler
            return handler

        return keep

    def stop(self) -> None:
        """Ends `start()`, from any thread. What was not handled comes again after the next start."""
        self._stopping.set()

    async def _is_own(self, profile_id: str) -> bool:
        if self._own_id is None:
            self._own_id = (await self._caller.call("readMe", {}))["id"]
        return profile_id == self._own_id

    async def _handle(self, id: str, type: str, data: Any) -> None:
        handlers = self._handlers
        if type in handlers:
            await resolved(handlers[type](Event(id, type, data)))
        if type == "message.action" and "action" in handlers:
            await resolved(handlers["action"](self._action_event(id, data, self._caller)))
        if type == "message.command" and "command" in handlers:
            reply = self._reply_in(id, data["topicId"], data.get("parentId", data["messageId"]))
            await resolved(handlers["command"](self._command_event(id, data, reply)))
        if type != "message.created" or "message" not in handlers:
            return
        message = data["message"]
        if message["isSystem"] or await self._is_own(message["senderId"]):
            return
        reply = self._reply_in(id, message["topicId"], message.get("parentId", message["id"]))
        await resolved(handlers["message"](self._message_event(id, data, reply)))

    def _reply_in(self, event_id: str, topic_id: str, parent_id: str) -> Any:
        return self._reply(Answering(self._caller, event_id, topic_id, parent_id))

    async def _handle_patiently(self, id: str, type: str, data: Any) -> None:
        """Until it is handled, or has failed for good. Ends early, without either, when the bot stops."""
        for wait in (*HANDLER_WAITS, None):
            try:
                await self._handle(id, type, data)
                return
            except Exception as error:
                if wait is None:
                    await resolved(self._on_error(error, {"id": id, "type": type}))
                    return
            await self._caller.driver.sleep(wait, self._stopping)

    async def _poll_once(self, offset: Optional[str]) -> str:
        query = {"timeout": POLL_SECONDS, "offset": offset}
        answer = await self._caller.call("readUpdates", query, stopping=self._stopping)
        for update in answer["updates"]:
            await self._handle_patiently(update["updateId"], update["eventType"], update["data"])
            await self._keep(update["updateId"])
        if answer["nextOffset"] != offset:
            await self._keep(answer["nextOffset"])
        return answer["nextOffset"]

    async def _keep(self, position: str) -> None:
        if self._positions is not None:
            await resolved(self._positions.write(position))

    async def _poll(self) -> None:
        offset = await resolved(self._positions.read()) if self._positions is not None else None
        while not self._stopping.is_set:
            try:
                offset = await self._poll_once(offset)
            except Stopped:
                return
            except Exception as error:
                if self._stopping.is_set:
                    return
                await resolved(self._on_error(error, None))
                if isinstance(error, ParleyError) and error.code == "offset_gone":
                    # Away for longer than events are kept: what is left is better than nothing.
                    offset = "oldest"
                elif isinstance(error, ParleyError) and error.status < 429:
                    raise
                else:
                    try:
                        await self._caller.driver.sleep(POLL_AGAIN_SECONDS, self._stopping)
                    except Stopped:
                        return

    async def _receive(self, headers: Mapping[str, str], body: bytes) -> int:
        """The status for a delivery; 500 makes the server deliver it again."""
        event = read_webhook(body, headers, secret=self._caller.secret, header_prefix=self._header_prefix)
        if event is None:
            return 401
        async with self._order:
            if event["id"] in self._handled:
                return 204
            try:
                await self._handle(event["id"], event["type"], event["data"])
            except Exception as error:
                await resolved(self._on_error(error, event))
                return 500
            self._handled[event["id"]] = None
            if len(self._handled) > MAX_REMEMBERED:
                self._handled.popitem(last=False)
            return 204


class Bot(_Bot):
    """
    A bot whose handlers are plain functions.

    positions: where to keep how far it has come; without it the server's own note counts, which may be two seconds old
    on_error: told of what failed: a handler, for good (with its event), or a poll, which is tried again
    header_prefix: of webhooks, as the server sets it (`WEBHOOK_HEADER_PREFIX`)
    """

    _reply, _message_event, _action_event, _command_event = Reply, MessageEvent, ActionEvent, CommandEvent

    def __init__(
        self,
        url: str,
        *,
        positions: Optional[Positions] = None,
        on_error: OnError = log_error,
        header_prefix: str = HEADER_PREFIX,
        **credentials: Unpack[Credentials],
    ) -> None:
        self.parley = Client(url, **credentials)
        super().__init__(self.parley._caller, positions, on_error, header_prefix)
        #: For wsgiref, gunicorn and frameworks that speak WSGI.
        self.wsgi = wsgi_app(lambda headers, body: run(self._receive(headers, body)))

    def start(self) -> None:
        """Asks for events until `stop()`; goes on where it stopped."""
        run(self._poll())


class AsyncBot(_Bot):
    """The same for asyncio: handlers may be async, and await `reply`, `edit` and `note`."""

    _reply, _message_event, _action_event, _command_event = (
        AsyncReply,
        AsyncMessageEvent,
        AsyncActionEvent,
        AsyncCommandEvent,
    )

    def __init__(
        self,
        url: str,
        *,
        positions: Optional[Positions] = None,
        on_error: OnError = log_error,
        header_prefix: str = HEADER_PREFIX,
        **credentials: Unpack[Credentials],
    ) -> None:
        self.parley = AsyncClient(url, **credentials)
        super().__init__(self.parley._caller, positions, on_error, header_prefix)
        #: For uvicorn, hypercorn and frameworks that speak ASGI.
        self.asgi = asgi_app(self._receive)

    async def start(self) -> None:
        """Asks for events until `stop()`; goes on where it stopped."""
        await self._poll()
