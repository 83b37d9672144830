"""Bots for Parley: every operation with its types, safe retries, events by polling or webhook."""

from .api import ErrorCode, EventName, Update, WebhookEvent
from .bot import AsyncBot, Bot
from .client import AsyncClient, Client
from .event_queue import EventQueue, FileQueue
from .events import (
    ActionEvent,
    AsyncActionEvent,
    AsyncCommandEvent,
    AsyncMessageEvent,
    AsyncReply,
    CommandEvent,
    Event,
    MessageEvent,
    Reply,
)
from .positions import FilePositions, Positions, StoredPositions
from .settings import Credentials
from .streaming import AsyncMessageStream, MessageStream
from .transport import ParleyError
from .webhook import read_webhook

__all__ = [
    "ActionEvent",
    "AsyncActionEvent",
    "AsyncBot",
    "AsyncClient",
    "AsyncCommandEvent",
    "AsyncMessageEvent",
    "AsyncMessageStream",
    "AsyncReply",
    "Bot",
    "Client",
    "CommandEvent",
    "Credentials",
    "ErrorCode",
    "Event",
    "EventName",
    "EventQueue",
    "FilePositions",
    "FileQueue",
    "MessageEvent",
    "MessageStream",
    "ParleyError",
    "Positions",
    "Reply",
    "StoredPositions",
    "Update",
    "WebhookEvent",
    "read_webhook",
]
