"""
Calls methods of clients as it is told: {"client": {"url", "credentials", "isAsync"}, "method", "args", "kwargs"}, and says {"answer"} or
{"status", "refusal"}. A client stays for its later calls.
"""

import asyncio
import inspect
import json

from parley import AsyncClient, Client, ParleyError
from settings import hear, say

clients = {}


def client_of(wanted):
    key = json.dumps(wanted)
    if key not in clients:
        kind = AsyncClient if wanted["isAsync"] else Client
        clients[key] = kind(wanted["url"], **wanted["credentials"])
    return clients[key]


async def call(told):
    answer = getattr(client_of(told["client"]), told["method"])(*told["args"], **told["kwargs"])
    return await answer if inspect.isawaitable(answer) else answer


async def serve():
    while True:
        told = await asyncio.to_thread(hear)
        if told is None:
            return
        try:
            say({"answer": await call(told)})
        except ParleyError as error:
            say({"status": error.status, "refusal": error.refusal, "code": error.code, "field": error.field, "text": str(error)})
        except (TypeError, ValueError) as error:
            say({"mistake": str(error)})


asyncio.run(serve())
