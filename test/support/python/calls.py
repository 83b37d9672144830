"""Calls methods of a client as it is told: {"method", "args", "kwargs"}, and says {"answer"} or {"status", "refusal"}."""

import asyncio

from parley import AsyncClient, Client, ParleyError
from settings import CREDENTIALS, IS_ASYNC, URL, hear, say


async def serve(call):
    while True:
        told = await asyncio.to_thread(hear)
        if told is None:
            return
        try:
            say({"answer": await call(told["method"], told.get("args", []), told.get("kwargs", {}))})
        except ParleyError as error:
            say({"status": error.status, "refusal": error.refusal, "code": error.code, "field": error.field, "text": str(error)})
        except (TypeError, ValueError) as error:
            say({"mistake": str(error)})


if IS_ASYNC:
    waiting = AsyncClient(URL, **CREDENTIALS)

    async def call(method, args, kwargs):
        return await getattr(waiting, method)(*args, **kwargs)

else:
    blocking = Client(URL, **CREDENTIALS)

    async def call(method, args, kwargs):
        return getattr(blocking, method)(*args, **kwargs)


asyncio.run(serve(call))
