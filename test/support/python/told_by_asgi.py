"""Hands deliveries to a bot as an ASGI server does, in two pieces: {"headers", "body" in Base64}, and says their statuses."""

import asyncio
import base64

from parley import AsyncBot, read_webhook
from settings import CREDENTIALS, URL, hear, say

bot = AsyncBot(URL, **CREDENTIALS, on_error=lambda error, event: None)
heard = []


@bot.on("message")
async def told(event):
    heard.append(event.message["text"])
    if len(heard) == 1:
        raise RuntimeError("not yet")
    await event.reply("heard")


async def deliver(headers, body):
    pieces = [
        {"type": "http.request", "body": body[:10], "more_body": True},
        {"type": "http.request", "body": body[10:], "more_body": False},
    ]
    sent = []

    async def receive():
        return pieces.pop(0)

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/", "headers": headers}
    await bot.asgi(scope, receive, send)
    assert [message["type"] for message in sent] == ["http.response.start", "http.response.body"]
    return sent[0]["status"]


async def serve():
    while True:
        delivery = await asyncio.to_thread(hear)
        if delivery is None:
            return
        body = base64.b64decode(delivery["body"])
        headers = [(name.lower().encode(), value.encode()) for name, value in delivery["headers"].items()]
        status = await deliver(headers, body)
        event = read_webhook(body, delivery["headers"], secret=CREDENTIALS["api_secret"])
        say({"status": status, "heard": len(heard), "type": event and event["type"]})


asyncio.run(serve())
