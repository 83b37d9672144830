"""Checks of what a client is made with. What is left out comes from the environment."""

from __future__ import annotations

import os
import re
from typing import Mapping, NamedTuple, Optional, TypedDict

VARIABLES = {
    "url": "PARLEY_URL",
    "api_key": "PARLEY_API_KEY",
    "api_secret": "PARLEY_API_SECRET",
    "client_id": "PARLEY_CLIENT_ID",
    "client_secret": "PARLEY_CLIENT_SECRET",
    "rehearsal": "PARLEY_REHEARSAL",
}


class Credentials(TypedDict, total=False):
    """`api_key` and `api_secret`, or `client_id` and `client_secret`. What is left out comes from `PARLEY_API_KEY` and so on."""

    api_key: Optional[str]
    api_secret: Optional[str]
    #: 2 signs the whole request; 1 is what every server of this API knows. 2 unless given.
    signature_version: int
    client_id: Optional[str]
    client_secret: Optional[str]
    #: The token of a rehearsal, `PARLEY_REHEARSAL` unless given. With one the bot rehearses, whatever else is given: it hears what has
    #: happened, and what it does reaches nobody.
    rehearsal: Optional[str]


class Identity(NamedTuple):
    is_oauth: bool
    #: The API key or the client id.
    id: str
    secret: str
    #: The token of a rehearsal; then it is the secret too.
    rehearsal: Optional[str] = None


def address_in(url: Optional[str]) -> str:
    """The server's address without a slash at its end. Raises where it is missing or none."""
    text = _setting("url", {"url": url})
    if not re.fullmatch(r"https?://[^/?#@]+(/[^?#]*)?", text, re.IGNORECASE):
        raise ValueError(f"url ({VARIABLES['url']}) must look like https://chat.example.com")
    return text.rstrip("/")


def identity_in(credentials: Credentials) -> Identity:
    """The credentials, given or from the environment. Raises with the name of what is missing or cannot be right."""
    unknown = set(credentials) - set(Credentials.__annotations__)
    if unknown:
        raise TypeError(f"there is no {', '.join(sorted(unknown))}")
    given = {name: credentials.get(name) for name in VARIABLES}
    # A variable that is there, but empty, is a mistake: the bot would work instead.
    if given["rehearsal"] is not None or VARIABLES["rehearsal"] in os.environ:
        token = _setting("rehearsal", given)
        return Identity(False, "", token, token)
    if _uses_tokens(given):
        return Identity(True, _setting("client_id", given), _setting("client_secret", given))
    return Identity(False, _setting("api_key", given), _setting("api_secret", given))


def version_in(credentials: Credentials) -> int:
    version = credentials.get("signature_version", 2)
    if version not in (1, 2):
        raise ValueError("signature_version is 1 or 2")
    return version


def checked(name: str, text: Optional[str], variable: Optional[str] = None) -> str:
    """The text if it can be a key, a secret or an address. Never repeats it in an error."""
    if not text:
        raise ValueError(f"{name} is missing" + (f": give it, or set {variable}" if variable else ""))
    label = f"{name} ({variable})" if variable else name
    if "\n" in text or "\r" in text:
        raise ValueError(f"{label} contains a line break: it was pasted with one")
    if re.search(r"\s", text):
        raise ValueError(f"{label} contains a space")
    if name != "url" and not re.fullmatch(r"[\x21-\x7e]+", text):
        raise ValueError(f"{label} contains a character that no key or secret has")
    return text


def _uses_tokens(given: Mapping[str, object]) -> bool:
    """What was given decides, then the environment."""
    by_key = bool(given.get("api_key") or given.get("api_secret"))
    by_token = bool(given.get("client_id") or given.get("client_secret"))
    if by_key and by_token:
        raise TypeError("give api_key and api_secret, or client_id and client_secret, not both")
    if by_key or by_token:
        return by_token
    return not os.environ.get("PARLEY_API_KEY") and bool(os.environ.get("PARLEY_CLIENT_ID"))


def _setting(name: str, given: Mapping[str, object]) -> str:
    value = given.get(name) or os.environ.get(VARIABLES[name])
    return checked(name, None if value is None else str(value), VARIABLES[name])
