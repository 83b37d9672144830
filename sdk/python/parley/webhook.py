from __future__ import annotations

import json
import time
import zlib
from typing import Any, Awaitable, Callable, Dict, Iterable, List, Mapping, Optional, Tuple

from .api import WebhookEvent
from .settings import checked
from .signing import is_signed

MAX_AGE_SECONDS = 5 * 60
#: Events have some ten thousand characters. Who sends more than this, compressed or not, is not the server.
MAX_BYTES = 8 * 1024 * 1024
HEADER_PREFIX = "X-Service-"


def read_webhook(
    body: bytes, headers: Mapping[str, str], *, secret: str, header_prefix: str = HEADER_PREFIX
) -> Optional[WebhookEvent]:
    """
    The event in a delivery, or None where it does not come from the server, was changed, or is older than five minutes.

    secret: of the bot, `api_secret` or `client_secret`
    header_prefix: as the server sets it (`WEBHOOK_HEADER_PREFIX`)
    """
    checked("secret", secret)
    given = {name.lower(): value for name, value in headers.items()}
    prefix = header_prefix.lower()
    timestamp = given.get(f"{prefix}timestamp", "")
    # While a secret is being replaced, the signature of the new one stands beside the other.
    signatures = [given.get(f"{prefix}signature", ""), given.get(f"{prefix}signature-next", "")]
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) < 16):
        return None
    if abs(time.time() - int(timestamp) / 1000) >= MAX_AGE_SECONDS:
        return None
    raw = _decompressed(body) if given.get("content-encoding") == "gzip" else body
    if raw is None or not any([is_signed(secret, timestamp, raw, signature) for signature in signatures]):
        return None
    return json.loads(raw)


def _decompressed(body: bytes) -> Optional[bytes]:
    """None where it is not what it says, or more than the server would send."""
    unpacker = zlib.decompressobj(wbits=31)
    try:
        raw = unpacker.decompress(body, MAX_BYTES)
    except zlib.error:
        return None
    return raw if unpacker.eof else None


REASONS = {204: "No Content", 401: "Unauthorized", 500: "Internal Server Error", 503: "Service Unavailable"}
#: The wait that a delivery is asked for that cannot be answered yet.
RETRY_AFTER_SECONDS = "5"
#: Gives the status that a delivery is answered with.
Receive = Callable[[Mapping[str, str], bytes], int]
AsyncReceive = Callable[[Mapping[str, str], bytes], Awaitable[int]]


def wsgi_app(receive: Receive) -> Callable[[Dict[str, Any], Callable[..., Any]], List[bytes]]:
    def app(environ: Dict[str, Any], start_response: Callable[..., Any]) -> List[bytes]:
        headers = {
            name[5:].replace("_", "-"): value for name, value in environ.items() if name.startswith("HTTP_")
        }
        length = environ.get("CONTENT_LENGTH") or "0"
        if length.isascii() and length.isdigit() and int(length) <= MAX_BYTES:
            status = receive(headers, environ["wsgi.input"].read(int(length)))
        else:
            status = 401
        start_response(f"{status} {REASONS[status]}", _headers_of(status))
        return []

    return app


def asgi_app(receive_event: AsyncReceive) -> Callable[..., Awaitable[None]]:
    async def app(scope: Mapping[str, Any], receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]) -> None:
        if scope["type"] == "lifespan":
            await _live(receive, send)
            return
        if scope["type"] != "http":
            raise ValueError(f"a webhook does not speak {scope['type']}")
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        chunks: List[bytes] = []
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            chunks.append(message.get("body", b""))
            more = message.get("more_body", False) and _length(chunks) <= MAX_BYTES
        is_whole = _length(chunks) <= MAX_BYTES
        status = await receive_event(headers, b"".join(chunks)) if is_whole else 401
        answered = [(name.lower().encode(), value.encode()) for name, value in _headers_of(status)]
        await send({"type": "http.response.start", "status": status, "headers": answered})
        await send({"type": "http.response.body", "body": b""})

    return app


def _headers_of(status: int) -> List[Tuple[str, str]]:
    return [("Retry-After", RETRY_AFTER_SECONDS)] if status == 503 else []


def _length(chunks: Iterable[bytes]) -> int:
    return sum(len(chunk) for chunk in chunks)


async def _live(receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]) -> None:
    """There is nothing to open and nothing to close; servers ask all the same."""
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
