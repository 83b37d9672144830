"""A bot that is told over WSGI, by the server of the standard library. Fails at its first event."""

from wsgiref.simple_server import WSGIRequestHandler, make_server

from parley import Bot
from settings import CREDENTIALS, URL, say

bot = Bot(URL, **CREDENTIALS, on_error=lambda error, event: None)
heard = []


@bot.on("message")
def told(event):
    heard.append(event.message["text"])
    say({"heard": event.message["text"]})
    if len(heard) == 1:
        raise RuntimeError("not yet")
    event.reply("heard")


class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        pass


server = make_server("127.0.0.1", 0, bot.wsgi, handler_class=Quiet)
say({"port": server.server_port})
server.serve_forever()
