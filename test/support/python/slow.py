"""A bot whose answers take long: says when each begins and when it is done."""

import asyncio
import json
import os
import threading
import time
from wsgiref.simple_server import WSGIRequestHandler, make_server

from parley import AsyncBot, Bot, FilePositions, FileQueue

IS_ASYNC = os.environ["FLAVOUR"] == "async"
SECONDS = int(os.environ["ANSWER_MS"]) / 1000
positions = FilePositions(os.environ["POSITIONS"]) if "POSITIONS" in os.environ else None
queue = FileQueue(os.environ["QUEUE"]) if "QUEUE" in os.environ else None
bot = (AsyncBot if IS_ASYNC else Bot)(positions=positions, queue=queue)
printing = threading.Lock()


def say(line):
    with printing:
        print(json.dumps(line), flush=True)


def asked_in(event):
    if event.type == "message.command":
        return "/" + event.command["name"]
    text = event.message["text"]
    return text if event.message["senderType"] == "user" and not text.startswith("/") else None


if IS_ASYNC:

    async def answer(event):
        text = asked_in(event)
        if text is not None:
            say({"begun": text, "at": time.time() * 1000})
            await asyncio.sleep(SECONDS)
            await event.reply(f"answer to {text}")
            say({"done": text})

else:

    def answer(event):
        text = asked_in(event)
        if text is not None:
            say({"begun": text, "at": time.time() * 1000})
            time.sleep(SECONDS)
            event.reply(f"answer to {text}")
            say({"done": text})


bot.on("message")(answer)
bot.on("command")(answer)


class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        pass


def app_in(loop):
    """The ASGI application as WSGI: the tests have a server of the standard library alone."""

    def app(environ, start_response):
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        headers = [
            (name[5:].replace("_", "-").lower().encode(), value.encode()) for name, value in environ.items() if name.startswith("HTTP_")
        ]
        sent = []

        async def receive():
            return {"type": "http.request", "body": body}

        async def send(message):
            sent.append(message)

        asyncio.run_coroutine_threadsafe(bot.asgi({"type": "http", "headers": headers}, receive, send), loop).result()
        start_response(f"{sent[0]['status']} Answer", [])
        return []

    return app


def listen(app):
    server = make_server("127.0.0.1", 0, app, handler_class=Quiet)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    say({"port": server.server_port})


async def start():
    if queue is not None:
        listen(app_in(asyncio.get_running_loop()))
    else:
        say({})
    await bot.start()


if IS_ASYNC:
    asyncio.run(start())
else:
    if queue is not None:
        listen(bot.wsgi)
    else:
        say({})
    bot.start()
