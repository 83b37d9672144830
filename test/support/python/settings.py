"""What the programs of the tests share: credentials from the environment, lines of JSON in and out."""

import json
import os
import sys

URL = os.environ["PARLEY_URL"]
CREDENTIALS = json.loads(os.environ["CREDENTIALS"])
IS_ASYNC = os.environ.get("FLAVOUR") == "async"


def say(value):
    print(json.dumps(value), flush=True)


def hear():
    """The next line, or None where there is none any more."""
    line = sys.stdin.readline()
    return json.loads(line) if line else None
