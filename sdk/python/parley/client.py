from __future__ import annotations

import json
import logging
import math
import os
import random
import re
import time
import uuid
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, BinaryIO, Dict, Optional, Sequence, Tuple, TypedDict, Union
from urllib.parse import quote, urlencode, urljoin, urlsplit

from .api import OMITTED, ROUTES, AsyncOperations, Operations, Route
from .drivers import AsyncioDriver, BlockingDriver, Driver, run
from .files import Body, boundary_of, form_body, json_body, path_segment, writable
from .settings import Credentials, address_in, identity_in, version_in
from .signing import signed_headers
from .text_bodies import TextBodies
from .transport import NO_ANSWER, Answer, Line, ParleyError, Stopping

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .files import FileInput

#: Waits between the tries of a request, in seconds; each is varied by a quarter, and `Retry-After` counts where it is longer.
RETRY_WAITS = (0.25, 0.5, 1, 2, 4, 8, 10, 10)
#: Waits of at least this long are logged; shorter ones go unnoticed.
LOGGED_WAIT = 1
#: A client that is asked to wait for longer, as for a budget that comes back at midnight, gets the error instead.
MAX_ASKED_WAIT = 120
#: Statuses that need not last. 500 is one of them: with the same key, trying again is always right.
PASSING = frozenset((429, 500, 502, 503, 504))
#: A token is replaced this long before it ends.
TOKEN_MARGIN_SECONDS = 60
MAX_REDIRECTS = 5


class Token(TypedDict):
    text: str
    until: float


class Caller:
    """What `Client` and `AsyncClient` do."""

    def __init__(self, url: Optional[str], driver: Driver, credentials: Credentials) -> None:
        self.driver = driver
        address = address_in(url)
        self._is_oauth, self._id, self.secret, self.rehearsal = identity_in(credentials)
        self._address = f"{address}/rehearsal" if self.rehearsal else address
        self._line = Line(self._address)
        self._version = version_in(credentials)
        self._token: Optional[Token] = None
        self._token_lock = driver.lock()
        self.text_bodies = TextBodies(self._is_oauth)

    async def call(
        self,
        operation: str,
        values: Dict[str, Any],
        files: Optional[Sequence[FileInput]] = None,
        idempotency_key: Optional[str] = None,
        stopping: Optional[Stopping] = None,
    ) -> Any:
        route = ROUTES[operation]
        given = {name: value for name, value in values.items() if _is_given(route, name, value)}
        path = re.sub(r"\{(\w+)\}", lambda match: path_segment(values[match[1]]), route.path)
        query = {name: _query_text(given[name]) for name in route.query if name in given}
        target = path + (f"?{urlencode(query, quote_via=quote)}" if query else "")
        headers: Dict[str, str] = {}
        key = idempotency_key or str(uuid.uuid4())
        if route.method == "POST":
            headers["Idempotency-Key"] = key
        with ExitStack() as opened:
            if files:
                meta = _fields_of(route.form, route.body, given, "without files")
                body = await self.driver.run(
                    lambda _: opened.enter_context(form_body(meta, files, boundary_of(self.secret, key))), stopping
                )
            elif route.body:
                body = json_body(_fields_of(route.body, route.form, given, "with files"))
            else:
                body = Body()
            if body.content_type:
                headers["Content-Type"] = body.content_type
            answer = await self._send(route.method, target, headers, body, stopping)
        return json.loads(answer) if answer else None

    async def send_text(self, target: str, body: Body) -> Answer:
        """Sends a body as it comes, once: of its answer it can be known how much of it has arrived."""
        token = await self._current_token(None)
        headers = {"Authorization": f"Bearer {token}", "Content-Type": body.content_type}
        return await self.driver.run(lambda until: self._line.exchange("POST", target, headers, body, until), None)

    async def _send(
        self, method: str, target: str, headers: Dict[str, str], body: Body, stopping: Optional[Stopping]
    ) -> bytes:
        tries = 0
        while True:
            wait = RETRY_WAITS[tries] if tries < len(RETRY_WAITS) else None
            answer: Optional[Answer] = None
            trouble = ""
            try:
                answer = await self._attempt(method, target, headers, body, stopping)
            except NO_ANSWER as error:
                if wait is None:
                    raise  # otherwise the next try tells whether it was done
                trouble = str(error) or type(error).__name__
            if answer is not None:
                if answer.status < 300:
                    return answer.body
                # The try before has deleted it, and its answer was lost.
                if answer.status == 404 and method == "DELETE" and tries > 0:
                    return b""
                if answer.status == 401 and tries == 0 and self._token is not None:
                    self._token = None
                    tries += 1
                    continue
                if wait is None or answer.status not in PASSING or _asked_wait(answer) > MAX_ASKED_WAIT:
                    raise ParleyError(method, target, answer.status, _refusal_in(answer.body), answer.headers)
                trouble = f"{answer.status} {_refusal_in(answer.body)}"
            tries += 1
            what = f"{method} {self._address}{target.partition('?')[0]}: {trouble}"
            await self._pause(wait or 0, answer, stopping, what)

    async def _attempt(
        self, method: str, target: str, headers: Dict[str, str], body: Body, stopping: Optional[Stopping]
    ) -> Answer:
        """One try. The signature is made anew each time; everything else is the same."""
        token = await self._current_token(stopping) if self._is_oauth else self.rehearsal or ""

        def attempt(until: Stopping) -> Answer:
            if token:
                own = {"Authorization": f"Bearer {token}"}
            else:
                own = signed_headers(self._id, self.secret, self._version, method, target, body)
            return self._line.exchange(method, target, {**headers, **own}, body, until)

        return await self.driver.run(attempt, stopping)

    async def _current_token(self, stopping: Optional[Stopping]) -> str:
        """The one that is there, or a new one; several who ask at once wait for the same."""
        async with self._token_lock:
            token = self._token
            if token is None or token["until"] - TOKEN_MARGIN_SECONDS < time.time():
                token = self._token = await self.driver.run(self._request_token, stopping)
            return token["text"]

    def _request_token(self, stopping: Stopping) -> Token:
        form = {"grant_type": "client_credentials", "client_id": self._id, "client_secret": self.secret}
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        asked = time.time()
        body = Body([urlencode(form).encode()])
        answer = self._line.exchange("POST", "/oauth/token", headers, body, stopping)
        # Not worth another try by itself, unless it is one of those that pass: then no answer counts as none.
        if answer.status in PASSING:
            raise ConnectionError(f"no token: {answer.status}")
        content = json.loads(answer.body)
        if answer.status >= 300:
            raise ParleyError("POST", "/oauth/token", answer.status, str(content.get("error")), answer.headers)
        return {"text": content["access_token"], "until": asked + content["expires_in"]}

    async def _pause(self, wait: float, answer: Optional[Answer], stopping: Optional[Stopping], what: str) -> None:
        asked = _asked_wait(answer)
        pause = max(asked, wait * (0.75 + random.random() / 2))
        if max(asked, wait) >= LOGGED_WAIT:
            logging.getLogger("parley").warning("%s; trying again in %d s", what, math.ceil(pause))
        await self.driver.sleep(pause, stopping)

    async def download(self, url: str, to: Union[str, os.PathLike[str], BinaryIO]) -> int:
        """Goes on where it was cut. Sends no credentials: the link itself is the permission."""
        with writable(to) as file:
            written = 0

            def attempt(stopping: Stopping) -> Answer:
                nonlocal written
                skip = written

                def pour(status: int, chunk: bytes) -> None:
                    nonlocal skip, written
                    new = chunk if status == 206 else chunk[skip:]
                    skip = max(0, skip - len(chunk)) if status != 206 else 0
                    file.write(new)
                    written += len(new)

                headers = {"Range": f"bytes={written}-"} if written > 0 else {}
                address = url
                for _ in range(MAX_REDIRECTS):
                    origin, target = _split(address)
                    answer = Line(origin).exchange("GET", target, headers, Body(), stopping, pour)
                    if answer.status not in (301, 302, 303, 307, 308):
                        return answer
                    address = urljoin(address, answer.headers["Location"])
                raise ConnectionError("too many redirects")

            for wait in (*RETRY_WAITS, None):
                answer: Optional[Answer] = None
                try:
                    answer = await self.driver.run(attempt, None)
                except NO_ANSWER:
                    if wait is None:
                        raise
                if answer is not None:
                    # 416: the connection was cut after the last byte.
                    if answer.status < 300 or (answer.status == 416 and written > 0):
                        break
                    if wait is None or answer.status not in PASSING:
                        # Without the query, which is what lets people in.
                        refusal = _refusal_in(answer.body)
                        raise ParleyError("GET", urlsplit(url).path, answer.status, refusal, answer.headers)
                # Without the query, which is what lets people in.
                await self._pause(wait or 0, answer, None, f"GET {urlsplit(url).path}: no whole answer")
            return written


class Client(Operations):
    """A method for each operation: `client.send_message(topic_id=…, text=…)`. For any number of threads."""

    def __init__(self, url: Optional[str] = None, **credentials: Unpack[Credentials]) -> None:
        self.caller = Caller(url, BlockingDriver(), credentials)

    def _call(self, operation: str, values: Dict[str, Any], **options: Any) -> Any:
        return run(self.caller.call(operation, values, **options))

    def download(self, url: str, to: Union[str, os.PathLike[str], BinaryIO]) -> int:
        """Writes the file behind the link of an attachment to a path or a file, and gives its length."""
        return run(self.caller.download(url, to))


class AsyncClient(AsyncOperations):
    """The same for asyncio: `await client.send_message(topic_id=…, text=…)`."""

    def __init__(self, url: Optional[str] = None, **credentials: Unpack[Credentials]) -> None:
        self.caller = Caller(url, AsyncioDriver(), credentials)

    async def _call(self, operation: str, values: Dict[str, Any], **options: Any) -> Any:
        return await self.caller.call(operation, values, **options)

    async def download(self, url: str, to: Union[str, os.PathLike[str], BinaryIO]) -> int:
        """Writes the file behind the link of an attachment to a path or a file, and gives its length."""
        return await self.caller.download(url, to)


def _is_given(route: Route, name: str, value: Any) -> bool:
    return value is not OMITTED and (value is not None or name in route.nulls)


def _fields_of(names: Tuple[str, ...], others: Tuple[str, ...], given: Dict[str, Any], place: str) -> Dict[str, Any]:
    """What belongs into this body. What only the other one has would be lost without a word."""
    lost = [name for name in others if name in given and name not in names]
    if lost:
        raise TypeError(f"{', '.join(lost)} can only be given {place}")
    return {name: given[name] for name in names if name in given}


def _query_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _split(address: str) -> Tuple[str, str]:
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}", parts.path + (f"?{parts.query}" if parts.query else "")


def _asked_wait(answer: Optional[Answer]) -> float:
    asked = answer.headers.get("Retry-After", "") if answer else ""
    return float(asked) if re.fullmatch(r"\d{1,6}", asked) else 0


def _refusal_in(body: bytes) -> str:
    text = body.decode("utf-8", "replace")
    try:
        refusal = json.loads(text)
    except ValueError:
        return text
    return refusal if isinstance(refusal, str) else text
