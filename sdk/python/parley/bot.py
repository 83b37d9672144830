from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Callable, Dict, Literal, Mapping, Optional, TypeVar, get_args, overload

from .api import EventName, WebhookEvent
from .client import AsyncClient, Caller, Client
from .drivers import resolved, run
from .event_queue import EventQueue
from .events import (
    ActionEvent,
    Answering,
    AsyncActionEvent,
    AsyncCommandEvent,
    AsyncMessageEvent,
    AsyncReply,
    CommandEvent,
    Event,
    MessageEvent,
    Reply,
)
from .inbox import Inbox
from .places import actor_of
from .polling import Poller
from .positions import Positions
from .questions import Asking, AsyncAsking
from .transport import Stopped, Stopping
from .webhook import HEADER_PREFIX, asgi_app, read_webhook, wsgi_app

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .settings import Credentials

#: Pauses before a handler that failed gets its event again; after the last one the bot goes on without it.
HANDLER_WAITS = (0.5, 2, 5)
CONCURRENCY = 8
MAX_CONCURRENCY = 1000
#: Handled events that are remembered, by which repeats are noticed.
MAX_REMEMBERED = 10_000

SHORT_NAMES = {"message.created": "message", "message.action": "action", "message.command": "command"}

T = TypeVar("T")
Handler = TypeVar("Handler", bound=Callable[..., Any])


def log_error(error: BaseException, event: Optional[Mapping[str, Any]] = None) -> None:
    what = "a poll failed" if event is None else f"the handler of {event['type']} {event['id']} failed"
    logging.getLogger("parley").error(what, exc_info=error)


OnError = Callable[[BaseException, Optional[Mapping[str, Any]]], Any]


class _Bot:
    """Handles events side by side, whether it asks for them or is told; those of a topic or thread in their order."""

    _reply: Any
    _message_event: Any
    _action_event: Any
    _command_event: Any

    def __init__(
        self,
        caller: Caller,
        positions: Optional[Positions],
        queue: Optional[EventQueue],
        concurrency: int,
        own_events: bool,
        on_error: OnError,
        header_prefix: str,
    ) -> None:
        if isinstance(concurrency, bool) or not 1 <= concurrency <= MAX_CONCURRENCY:
            raise ValueError(f"concurrency is a whole number from 1 to {MAX_CONCURRENCY}")
        self._caller = caller
        #: Whether it rehearses: it hears past events, one after the other, and what it does by `parley` reaches nobody.
        self.rehearsing = caller.rehearsal is not None
        # The server knows where a rehearsal is: the position and the events of the bot that works stay as they are.
        self._positions = None if self.rehearsing else positions
        self._queue = None if self.rehearsing else queue
        self._concurrency = concurrency
        self._own_events = own_events
        self._on_error = on_error
        self._header_prefix = header_prefix
        self._handlers: Dict[str, Callable[..., Any]] = {}
        self._stopping = Stopping()
        self._own_id: Optional[str] = None
        self._lock = threading.Lock()
        self._handled: OrderedDict[str, None] = OrderedDict()
        self._opened_inbox: Optional[Inbox] = None

    def _keep_handler(self, name: str, handler: Handler) -> Handler:
        if name not in get_args(EventName):
            raise ValueError(f'there is no event "{name}". There are {", ".join(get_args(EventName))}.')
        self._handlers[name] = handler
        return handler

    def stop(self) -> None:
        """Ends `start()`, from any thread, once the handlers that run are done. What was not handled comes again after the next start."""
        self._stopping.set()

    def _is_handled(self, id: str) -> bool:
        return id in self._handled

    def _remember(self, id: str) -> None:
        with self._lock:
            self._handled[id] = None
            if len(self._handled) > MAX_REMEMBERED:
                self._handled.popitem(last=False)

    async def _is_own(self, type: str, data: Any) -> bool:
        actor = None if self._own_events else actor_of(type, data)
        if actor is None or not actor.startswith("b@"):  # only bots are compared
            return False
        if self._own_id is None:
            self._own_id = (await self._caller.call("readMe", {}))["id"]
        return actor == self._own_id

    async def _handle(self, id: str, type: str, data: Any) -> None:
        is_heard = type in self._handlers or SHORT_NAMES.get(type) in self._handlers
        if is_heard and not await self._is_own(type, data):
            await self._dispatch(id, type, data)
        self._remember(id)

    async def _dispatch(self, id: str, type: str, data: Any) -> None:
        handlers = self._handlers
        if type in handlers:
            await resolved(handlers[type](Event(id, type, data)))
        if type == "message.action" and "action" in handlers:
            await resolved(handlers["action"](self._action_event(id, data, self._caller)))
        if type == "message.command" and "command" in handlers:
            parent_id = data.get("parentId", data["messageId"])
            reply = self._reply_in(id, data["topicId"], parent_id, data["messageId"], data["userId"])
            await resolved(handlers["command"](self._command_event(id, data, reply, self._caller)))
        if type != "message.created" or "message" not in handlers:
            return
        message = data["message"]
        if message["isSystem"]:
            return
        parent_id = message.get("parentId", message["id"])
        reply = self._reply_in(id, message["topicId"], parent_id, message["id"], message["senderId"])
        await resolved(handlers["message"](self._message_event(id, data, reply, self._caller)))

    def _reply_in(self, event_id: str, topic_id: str, parent_id: str, message_id: str, user_id: str) -> Any:
        return self._reply(Answering(self._caller, event_id, topic_id, parent_id, message_id, user_id))

    async def _handle_for_good(self, id: str, type: str, data: Any) -> None:
        """Until it is handled, or has failed for good. Ends early, without either, when the bot stops."""
        for wait in (None,) if self.rehearsing else (*HANDLER_WAITS, None):
            try:
                await self._handle(id, type, data)
                return
            except Exception as error:
                if wait is None:
                    await resolved(self._on_error(error, {"id": id, "type": type}))
                    break
            await self._caller.driver.sleep(wait, self._stopping)
        self._remember(id)

    async def _tell(self, error: BaseException, event: Optional[WebhookEvent] = None) -> None:
        await resolved(self._on_error(error, event))

    async def _run(self) -> None:
        if self._queue is None:
            await Poller(
                self._caller,
                self._positions,
                self._concurrency,
                self._stopping,
                self._is_handled,
                self._handle_for_good,
                self._tell,
            ).run()
            return
        inbox = self._inbox()
        await inbox.resume()
        try:
            while True:
                await self._caller.driver.sleep(3600, self._stopping)
        except Stopped:
            await inbox.stop()

    def _inbox(self) -> Inbox:
        """Made when it is first needed: asyncio wants some of its parts made where they are used."""
        with self._lock:
            if self._opened_inbox is None:
                self._opened_inbox = Inbox(
                    self._caller.driver,
                    self._queue,
                    self._concurrency,
                    self._is_handled,
                    self._handle,
                    self._handle_for_good,
                    self._tell,
                )
            return self._opened_inbox

    async def _receive(self, headers: Mapping[str, str], body: bytes) -> int:
        """The status for a delivery; 500 and 503 make the server deliver it again."""
        event = read_webhook(body, headers, secret=self._caller.secret, header_prefix=self._header_prefix)
        return 401 if event is None else await self._inbox().accept(event)


class Bot(Asking, _Bot):
    """
    A bot whose handlers are plain functions. Each runs in a thread, but with `concurrency=1`: then in the one that called `start()`.

    url and credentials: `PARLEY_URL`, `PARLEY_API_KEY` and `PARLEY_API_SECRET` (or `PARLEY_CLIENT_ID` and `PARLEY_CLIENT_SECRET`)
        unless given
    positions: where to keep how far it has come; without it the server's own note counts, which may be two seconds old
    queue: where to keep webhook events; each is kept, answered, and handled afterwards. Without it a delivery is answered when its
        handler is done, which must take less than 8 seconds
    concurrency: how many events are handled side by side, at most; those of a topic or thread keep their order
    own_events: whether the bot gets the events of its own doing too, such as its messages
    on_error: told of what failed: a handler, for good (with its event), or a poll, which is tried again
    header_prefix: of webhooks, as the server sets it (`WEBHOOK_HEADER_PREFIX`)
    """

    _reply, _message_event, _action_event, _command_event = Reply, MessageEvent, ActionEvent, CommandEvent

    def __init__(
        self,
        url: Optional[str] = None,
        *,
        positions: Optional[Positions] = None,
        queue: Optional[EventQueue] = None,
        concurrency: int = CONCURRENCY,
        own_events: bool = False,
        on_error: OnError = log_error,
        header_prefix: str = HEADER_PREFIX,
        **credentials: Unpack[Credentials],
    ) -> None:
        self.parley = Client(url, **credentials)
        caller = self.parley.caller
        super().__init__(caller, positions, queue, concurrency, own_events, on_error, header_prefix)
        #: For wsgiref, gunicorn and frameworks that speak WSGI.
        self.wsgi = wsgi_app(lambda headers, body: run(self._receive(headers, body)))

    @overload
    def on(self, name: Literal["message"]) -> Callable[[Callable[[MessageEvent], T]], Callable[[MessageEvent], T]]: ...
    @overload
    def on(self, name: Literal["action"]) -> Callable[[Callable[[ActionEvent], T]], Callable[[ActionEvent], T]]: ...
    @overload
    def on(self, name: Literal["command"]) -> Callable[[Callable[[CommandEvent], T]], Callable[[CommandEvent], T]]: ...
    @overload
    def on(self, name: EventName) -> Callable[[Handler], Handler]: ...

    def on(self, name: EventName) -> Callable[[Any], Any]:
        """
        Makes a function the handler of an event: `message` is what somebody else says, `action` an answer to this bot's buttons,
        `command` what it is told with `/`; the others are the events of the API. One handler for each.
        """
        return lambda handler: self._keep_handler(name, handler)

    def start(self) -> None:
        """
        Asks for events until `stop()`; goes on where it stopped. With a `queue` it asks for nothing: it works off what an earlier
        process left there, and ends with `stop()` too. A rehearsal polls, and ends when it has heard everything.
        """
        run(self._run())


class AsyncBot(AsyncAsking, _Bot):
    """The same for asyncio: handlers may be async, and await `reply`, `edit` and `note`. Each runs in a task."""

    _reply, _message_event, _action_event, _command_event = (
        AsyncReply,
        AsyncMessageEvent,
        AsyncActionEvent,
        AsyncCommandEvent,
    )

    def __init__(
        self,
        url: Optional[str] = None,
        *,
        positions: Optional[Positions] = None,
        queue: Optional[EventQueue] = None,
        concurrency: int = CONCURRENCY,
        own_events: bool = False,
        on_error: OnError = log_error,
        header_prefix: str = HEADER_PREFIX,
        **credentials: Unpack[Credentials],
    ) -> None:
        self.parley = AsyncClient(url, **credentials)
        caller = self.parley.caller
        super().__init__(caller, positions, queue, concurrency, own_events, on_error, header_prefix)
        #: For uvicorn, hypercorn and frameworks that speak ASGI.
        self.asgi = asgi_app(self._receive)

    @overload
    def on(self, name: Literal["message"]) -> Callable[[Callable[[AsyncMessageEvent], T]], Callable[[AsyncMessageEvent], T]]: ...
    @overload
    def on(self, name: Literal["action"]) -> Callable[[Callable[[AsyncActionEvent], T]], Callable[[AsyncActionEvent], T]]: ...
    @overload
    def on(self, name: Literal["command"]) -> Callable[[Callable[[AsyncCommandEvent], T]], Callable[[AsyncCommandEvent], T]]: ...
    @overload
    def on(self, name: EventName) -> Callable[[Handler], Handler]: ...

    def on(self, name: EventName) -> Callable[[Any], Any]:
        """
        Makes a function the handler of an event: `message` is what somebody else says, `action` an answer to this bot's buttons,
        `command` what it is told with `/`; the others are the events of the API. One handler for each.
        """
        return lambda handler: self._keep_handler(name, handler)

    async def start(self) -> None:
        """
        Asks for events until `stop()`; goes on where it stopped. With a `queue` it asks for nothing: it works off what an earlier
        process left there, and ends with `stop()` too. A rehearsal polls, and ends when it has heard everything.
        """
        await self._run()
