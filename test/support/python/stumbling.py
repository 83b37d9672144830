"""A bot that fails at its first event once, keeps its place in its storage, and stops when it is told to."""

import asyncio
import threading

from parley import AsyncBot, AsyncClient, Bot, Client, StoredPositions
from settings import CREDENTIALS, IS_ASYNC, URL, hear, say

bot_class, client_class = (AsyncBot, AsyncClient) if IS_ASYNC else (Bot, Client)
bot = bot_class(URL, **CREDENTIALS, positions=StoredPositions(client_class(URL, **CREDENTIALS)))
seen = []


def note(text):
    seen.append(text)
    say({"seen": text})
    if text == "one" and len(seen) == 1:
        raise RuntimeError("stumbled")


if IS_ASYNC:

    @bot.on("message")
    async def heard(event):
        note(event.message["text"])
        await event.reply(f"heard {event.message['text']}, {len(seen)}")

else:

    @bot.on("message")
    def heard(event):
        note(event.message["text"])
        event.reply(f"heard {event.message['text']}, {len(seen)}")


def stop_when_told():
    hear()
    bot.stop()


threading.Thread(target=stop_when_told, daemon=True).start()
if IS_ASYNC:
    asyncio.run(bot.start())
else:
    bot.start()
say({"stopped": seen})
