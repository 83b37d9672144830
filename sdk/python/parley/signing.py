from __future__ import annotations

import hashlib
import hmac
import re
import time
import uuid
from typing import Dict

from .files import Body


def signed_headers(api_key: str, api_secret: str, version: int, method: str, target: str, body: Body) -> Dict[str, str]:
    """
    The headers of a request that is sent now. `target` is the path with its query, as sent. Version 2 signs the whole request and
    lets nobody send it again; version 1 is what every server of this API knows.
    """
    timestamp = str(int(time.time() * 1000))
    headers = {"Authorization": f"Bearer {api_key}", "X-Timestamp": timestamp}
    signature = hmac.new(api_secret.encode(), digestmod=hashlib.sha256)
    if version == 1:
        signature.update(f"{timestamp}.".encode())
        for chunk in [target.encode()] if method == "GET" else body:
            signature.update(chunk)
    else:
        nonce = str(uuid.uuid4())
        signature.update("\n".join(["v2", method, target, timestamp, nonce, body.sha256()]).encode())
        headers.update({"X-Signature-Version": "2", "X-Nonce": nonce})
    return {**headers, "X-Signature": signature.hexdigest()}


def is_signed(secret: str, timestamp: str, body: bytes, signature: str) -> bool:
    """Whether this is the signature of this body and time; compared in constant time."""
    if not re.fullmatch("[0-9a-f]{64}", signature):
        return False
    expected = hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, signature)
