from parley import Bot, CommandEvent, FilePositions, MessageEvent

# The file .env says where the server is and who the bot is.
bot = Bot(positions=FilePositions("bot.position"))

bot.parley.set_commands(commands=[{"name": "hello", "description": "Say hello"}])


@bot.on("message")
def answer(event: MessageEvent) -> None:
    text = event.message.get("text", "")
    if event.message["senderType"] == "user" and not text.startswith("/"):
        event.reply(f"You said: {text}")


@bot.on("command")
def hello(event: CommandEvent) -> None:
    event.reply(f"Hello, {event.command['userName']}!")


print(f"{bot.parley.read_me()['name']} listens.", flush=True)
bot.start()
