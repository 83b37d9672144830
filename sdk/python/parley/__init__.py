"""Bots for Parley: every operation with its types, safe retries, events by polling or webhook."""

from .api import ErrorCode
from .bot import (
    ActionEvent,
    AsyncActionEvent,
    AsyncBot,
    AsyncCommandEvent,
    AsyncMessageEvent,
    AsyncReply,
    Bot,
    CommandEvent,
    Event,
    MessageEvent,
    Reply,
)
from .client import AsyncClient, Client, Credentials
from .positions import FilePositions, Positions, StoredPositions
from .streaming import AsyncMessageStream, MessageStream
from .transport import ParleyError
from .webhook import WebhookEvent, read_webhook

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
    "FilePositions",
    "MessageEvent",
    "MessageStream",
    "ParleyError",
    "Positions",
    "Reply",
    "StoredPositions",
    "WebhookEvent",
    "read_webhook",
]
