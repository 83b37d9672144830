#!/bin/sh
# Starts the bot with the settings of .env.
cd "$(dirname "$0")" || exit 1
set -a
. ./.env
exec python3 bot.py
