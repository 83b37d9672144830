"""Requests over `http.client`. Everything here blocks; `drivers.py` says who waits for it."""

from __future__ import annotations

import socket
import threading
import time
from collections import deque
from contextlib import contextmanager
from email.message import Message
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any, Callable, Deque, Dict, Generator, List, NamedTuple, Optional, Tuple, cast
from urllib.parse import urlsplit

from .api import ErrorCode
from .files import CHUNK_BYTES, Body

CONNECT_SECONDS = 10
#: Without a byte for this long there is no answer. A poll waits for 30 seconds.
SILENCE_SECONDS = 60
#: A connection is used again within this time: servers and proxies close those that rest, most of them after five seconds.
REST_SECONDS = 3

#: What means that there was no answer.
NO_ANSWER = (OSError, HTTPException)


class ParleyError(Exception):
    """What the server answered where it did not do what was asked."""

    def __init__(self, method: str, path: str, status: int, refusal: str, headers: Message) -> None:
        #: The reason of a 401, as `X-Auth-Error` has it.
        self.reason: Optional[str] = headers.get("X-Auth-Error")
        super().__init__(f"{method} {path}: {status} {refusal}" + (f" ({self.reason})" if self.reason else ""))
        self.status = status
        #: The text of the refusal alone.
        self.refusal = refusal
        #: What the refusal is, for programs: it stays the same when the text changes. None where something in between refused.
        self.code: Optional[ErrorCode] = cast("Optional[ErrorCode]", headers.get("X-Error-Code"))
        #: The field of the request that it is about, where it is about one.
        self.field: Optional[str] = headers.get("X-Error-Field")


class Stopped(Exception):
    """The request was given up because its bot was stopped."""


class Stopping:
    """Ends what waits, from any thread. Reentrant, so that a signal handler may use it too."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._callbacks: List[Callable[[], Any]] = []
        self.is_set = False

    def set(self) -> None:
        with self._lock:
            self.is_set = True
            callbacks = list(self._callbacks)
        for callback in callbacks:
            callback()

    @contextmanager
    def watched_by(self, callback: Callable[[], Any]) -> Generator[None, None, None]:
        """Calls back when it is set, at once where it is already."""
        with self._lock:
            self._callbacks.append(callback)
            is_set = self.is_set
        try:
            if is_set:
                callback()
            yield
        finally:
            with self._lock:
                self._callbacks.remove(callback)


class Answer(NamedTuple):
    status: int
    headers: Message
    body: bytes


#: Takes the body of an answer piece by piece: its status, and the next bytes.
Sink = Callable[[int, bytes], Any]


class Line:
    """Connections to one server, for any number of threads."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"the address of a server begins with http:// or https://, unlike {url!r}")
        self._kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self._host, self._port = parts.hostname, parts.port
        self._path = parts.path.rstrip("/")
        self._resting: Deque[Tuple[HTTPConnection, float]] = deque()

    def exchange(
        self,
        method: str,
        target: str,
        headers: Dict[str, str],
        body: Body,
        stopping: Stopping,
        sink: Optional[Sink] = None,
    ) -> Answer:
        """One request and its answer. A sink gets the body of a success instead of the answer."""
        connection = self._connection()
        try:
            with stopping.watched_by(lambda: _cut(connection)):
                _connect(connection)
                if stopping.is_set:
                    raise Stopped()
                answer, keeps = _exchange(connection, method, self._path + target, headers, body, sink)
        except BaseException as error:
            connection.close()
            if stopping.is_set:
                raise Stopped() from error
            raise
        if keeps:
            self._resting.append((connection, time.monotonic()))
        else:
            connection.close()
        return answer

    def _connection(self) -> HTTPConnection:
        while self._resting:
            try:
                connection, since = self._resting.pop()
            except IndexError:  # another thread was faster
                break
            if time.monotonic() - since < REST_SECONDS:
                return connection
            connection.close()
        return self._kind(self._host, self._port, timeout=CONNECT_SECONDS)


def _connect(connection: HTTPConnection) -> None:
    if connection.sock is not None:
        return
    connection.connect()
    opened: Optional[socket.socket] = getattr(connection, "sock")
    if opened is not None:
        opened.settimeout(SILENCE_SECONDS)


def _exchange(
    connection: HTTPConnection,
    method: str,
    path: str,
    headers: Dict[str, str],
    body: Body,
    sink: Optional[Sink],
) -> Tuple[Answer, bool]:
    if body.length > 0 or (body.length == 0 and method in ("POST", "PUT", "PATCH")):
        headers = {**headers, "Content-Length": str(body.length)}
    is_sent = True
    try:
        # Without a length it goes in chunks.
        connection.request(method, path, body=iter(body) if body.length != 0 else None, headers=headers)
    except (BrokenPipeError, ConnectionResetError):
        is_sent = False  # a refusal may come before everything was sent: it is read below
    response = connection.getresponse()
    if sink is not None and response.status < 300:
        _pour(response, sink)
        content = b""
    else:
        content = response.read()
    return Answer(response.status, response.headers, content), is_sent and not response.will_close


def _pour(response: HTTPResponse, sink: Sink) -> None:
    missing = response.length  # None where its end is marked in another way
    while True:
        chunk = response.read(CHUNK_BYTES)
        if not chunk:
            break
        sink(response.status, chunk)
        missing = None if missing is None else missing - len(chunk)
    if missing:
        raise ConnectionError(f"{missing} bytes are missing")


def _cut(connection: HTTPConnection) -> None:
    """Wakes the thread that waits for the connection."""
    if connection.sock is not None:
        try:
            # Of the plain socket: TLS would take its state away from the thread that reads.
            socket.socket.shutdown(connection.sock, socket.SHUT_RDWR)
        except OSError:
            pass  # it has ended by itself
