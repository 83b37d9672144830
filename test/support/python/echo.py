"""A bot of the library for tests that kill it: writes down what it handles, and answers everybody else."""

import os
import signal

from parley import Bot, FilePositions

key = {"api_key": os.environ["API_KEY"], "api_secret": os.environ["API_SECRET"]}
positions = FilePositions(os.environ["POSITION"])
bot = Bot(os.environ["PARLEY_URL"], **key, positions=positions, on_error=lambda error, event: None)


@bot.on("message")
def echo(event):
    with open(os.environ["LEDGER"], "a") as ledger:
        ledger.write(f"{event.id}\n")
    event.reply(f"echo of {event.message['text']}")
    # At the worst moment: answered, and not yet written down how far it has come.
    if event.message["text"] == os.environ.get("DIE_AFTER"):
        os.kill(os.getpid(), signal.SIGKILL)


bot.start()
