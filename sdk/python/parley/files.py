"""Bodies of requests that are never in memory as a whole, and downloads."""

from __future__ import annotations

import hashlib
import hmac
import io
import json
import os
import shutil
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO, Dict, Generator, Iterator, List, Sequence, Tuple, Union
from urllib.parse import quote

if TYPE_CHECKING:
    #: A path, a file that was opened for reading bytes, or a name with either a file or bytes.
    FileInput = Union[str, "os.PathLike[str]", BinaryIO, Tuple[str, Union[bytes, BinaryIO]]]

CHUNK_BYTES = 64 * 1024

#: A file from a position on, with its length.
Section = Tuple[BinaryIO, int, int]


class Body:
    """Bytes and sections of files, one after the other. Can be sent any number of times."""

    def __init__(self, parts: Sequence[Union[bytes, Section]] = (), content_type: str = "") -> None:
        self._parts = parts
        self.content_type = content_type
        self.length = sum(len(part) if isinstance(part, bytes) else part[2] for part in parts)
        self._hash = ""

    def __iter__(self) -> Iterator[bytes]:
        for part in self._parts:
            if isinstance(part, bytes):
                yield part
                continue
            file, start, left = part
            file.seek(start)
            while left > 0:
                chunk = file.read(min(CHUNK_BYTES, left))
                if not chunk:
                    raise ValueError("a file became shorter while it was sent")
                left -= len(chunk)
                yield chunk

    def sha256(self) -> str:
        if not self._hash:
            digest = hashlib.sha256()
            for chunk in self:
                digest.update(chunk)
            self._hash = digest.hexdigest()
        return self._hash


def json_body(value: Any) -> Body:
    return Body([json.dumps(value, allow_nan=False).encode()], "application/json")


def boundary_of(secret: str, idempotency_key: str) -> str:
    """
    The same for the same key, since a form that is repeated counts as the same request only with the same boundary. Made with the
    secret, so that nobody can put it into a file.
    """
    return "parley-" + hmac.new(secret.encode(), idempotency_key.encode(), hashlib.sha256).hexdigest()[:32]


@contextmanager
def form_body(meta: Dict[str, Any], files: Sequence[FileInput], boundary: str) -> Generator[Body, None, None]:
    """A form with JSON and files. Closes the files that it has opened itself."""
    opened: List[BinaryIO] = []
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="metaPart"\r\nContent-Type: application/json\r\n\r\n'
    parts: List[Union[bytes, Section]] = [head.encode() + json.dumps(meta, allow_nan=False).encode()]
    try:
        for given in files:
            name, file = _named(given, opened)
            disposition = f'form-data; name="filePart"; filename="{_escaped(name)}"'
            head = f"\r\n--{boundary}\r\nContent-Disposition: {disposition}\r\n\r\n"
            parts += [head.encode(), _section(file, opened)]
        parts.append(f"\r\n--{boundary}--\r\n".encode())
        yield Body(parts, f"multipart/form-data; boundary={boundary}")
    finally:
        for file in opened:
            file.close()


def _named(given: FileInput, opened: List[BinaryIO]) -> Tuple[str, BinaryIO]:
    if isinstance(given, (str, os.PathLike)):
        opened.append(open(given, "rb"))
        return os.path.basename(os.fspath(given)), opened[-1]
    if isinstance(given, tuple):
        name, content = given
        return name, io.BytesIO(content) if isinstance(content, bytes) else content
    name = getattr(given, "name", "")  # a number, where it was opened by one
    return os.path.basename(name) if isinstance(name, str) and name else "file", given


def _section(file: BinaryIO, opened: List[BinaryIO]) -> Section:
    """From where the file stands to its end. One that cannot go back, such as a pipe, is copied to the disk first."""
    if isinstance(file, io.TextIOBase):
        raise TypeError("files are opened for reading bytes: open(path, 'rb')")
    if not file.seekable():
        copy = tempfile.TemporaryFile()
        opened.append(copy)
        shutil.copyfileobj(file, copy, CHUNK_BYTES)
        return copy, 0, copy.tell()
    start = file.tell()
    return file, start, file.seek(0, os.SEEK_END) - start


def _escaped(name: str) -> str:
    """As browsers write names of files."""
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


@contextmanager
def writable(to: Union[str, os.PathLike[str], BinaryIO]) -> Generator[BinaryIO, None, None]:
    """A file that is there under its name only when it is whole."""
    if not isinstance(to, (str, os.PathLike)):
        yield to
        return
    unfinished = os.fspath(to) + ".part"
    try:
        with open(unfinished, "wb") as file:
            yield file
        os.replace(unfinished, to)
    except BaseException:
        if os.path.exists(unfinished):
            os.remove(unfinished)
        raise


def path_segment(value: Any) -> str:
    return quote(str(value), safe="")
