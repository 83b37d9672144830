"""What an event is about: its place in the order, and whose doing it is."""

from __future__ import annotations

from typing import Any, Dict, Optional, Tuple


def place_of(type: str, data: Any) -> Tuple[str, Tuple[str, ...]]:
    """
    The lane of an event and the messages that it is about. Messages of a topic are handled in their order, and those of each
    thread in theirs. Commands and answers to buttons do not wait for messages, so that a bot can be asked for its state, or
    answered, while it works.
    """
    message = _message_in(data)
    topic_id = data.get("topicId") or message.get("topicId")
    parent_id = data.get("parentId") or message.get("parentId")
    if type == "message.action":
        return f"action {data.get('messageId')}", ()
    place = f"{topic_id} {parent_id or ''}"
    if type == "message.command":
        return f"command {place}", ()
    about = (message.get("id") or data.get("messageId"), parent_id)
    return place, tuple(id for id in about if isinstance(id, str))


def actor_of(type: str, data: Any) -> Optional[str]:
    """The member who caused the event; None where none is named."""
    message = _message_in(data)
    if type == "message.deleted":
        return data.get("deletedBy")
    if type.startswith("message."):
        return message.get("senderId") or data.get("userId")
    return data.get("actorId") or data.get("userId") or data.get("voterId")


def _message_in(data: Any) -> Dict[str, Any]:
    return data.get("message") or {}
