"""A bot that answers `go` word by word, and `stop` until somebody stops it."""

import asyncio
import time

from parley import AsyncBot, Bot
from settings import CREDENTIALS, IS_ASYNC, URL, hear, say

WORDS = [f"{index}🎈 " for index in range(30)]
HELPED = {"use": "always", "elements": [{"id": "helpful", "text": "Helpful"}]}
bot = (AsyncBot if IS_ASYNC else Bot)(URL, **CREDENTIALS)


if IS_ASYNC:

    async def speak():
        for index, word in enumerate(WORDS):
            yield word
            await asyncio.sleep(0.01)
            if index == 5:
                say("trouble")
                await asyncio.to_thread(hear)

    @bot.on("message")
    async def answer(event):
        stream = await event.reply.stream()
        if event.message["text"] == "go":
            say({"finished": await stream.write(speak(), HELPED)})
            return
        for piece in ("On 🎈", " and on", " and on"):
            stream.append(piece)
            say({"id": stream.id})
            await asyncio.to_thread(hear)  # in the end, that it was stopped
        say({"finished": await stream.finish(), "stopped": stream.stopped})
        bot.stop()

    asyncio.run(bot.start())

else:

    def speak():
        for index, word in enumerate(WORDS):
            yield word
            time.sleep(0.01)
            if index == 5:
                say("trouble")
                hear()

    @bot.on("message")
    def answer(event):
        stream = event.reply.stream()
        if event.message["text"] == "go":
            say({"finished": stream.write(speak(), HELPED)})
            return
        for piece in ("On 🎈", " and on", " and on"):
            stream.append(piece)
            say({"id": stream.id})
            hear()  # in the end, that it was stopped
        say({"finished": stream.finish(), "stopped": stream.stopped})
        bot.stop()

    bot.start()
