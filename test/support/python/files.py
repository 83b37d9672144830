"""
Sends a large file as it is told, `path`, `file` or `pipe`, and downloads another. Says what came of it, and how many bytes Python had
allocated at most meanwhile.
"""

import asyncio
import hashlib
import os
import subprocess
import tracemalloc

from parley import AsyncClient, Client
from settings import CREDENTIALS, IS_ASYNC, URL, hear, say

client = (AsyncClient if IS_ASYNC else Client)(URL, **CREDENTIALS)


async def answered(value):
    return await value if IS_ASYNC else value


async def upload(told):
    path = told["path"]
    values = {"topic_id": told["topicId"], "caption": told["as"]}
    if told["as"] == "path":
        return await answered(client.send_message(**values, files=[path]))
    if told["as"] == "file":
        with open(path, "rb") as file:
            return await answered(client.send_message(**values, files=[file, ("notes.txt", b"Read me")]))
    with subprocess.Popen(["cat", path], stdout=subprocess.PIPE) as program:
        return await answered(client.send_message(**values, files=[("piped.bin", program.stdout)]))


async def download(told):
    length = await answered(client.download(told["url"], told["to"]))
    digest = hashlib.sha256()
    with open(told["to"], "rb") as file:
        for chunk in iter(lambda: file.read(65536), b""):
            digest.update(chunk)
    return {"length": length, "sha256": digest.hexdigest(), "part": os.path.exists(told["to"] + ".part")}


async def serve():
    tracemalloc.start()
    while True:
        told = await asyncio.to_thread(hear)
        if told is None:
            return
        tracemalloc.reset_peak()
        answer = await (upload(told) if "as" in told else download(told))
        say({"answer": answer, "peak": tracemalloc.get_traced_memory()[1]})


asyncio.run(serve())
