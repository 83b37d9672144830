from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional

from .api import ActionsInputElement, Question
from .drivers import run

if TYPE_CHECKING:
    from typing_extensions import NotRequired, TypedDict, Unpack

    from .client import Caller
    from .transport import Stopping

    class Asked(TypedDict):
        """A question; `Client.ask_question` says what each part of it means."""

        topic_id: str
        text: str
        elements: List[ActionsInputElement]
        who: NotRequired[Literal["anyone", "admins", "owners", "people"]]
        people: NotRequired[List[str]]
        approval: NotRequired[bool]
        quorum: NotRequired[int]
        decisive: NotRequired[List[str]]
        expires_at: NotRequired[int]
        otherwise: NotRequired[str]
        parent_id: NotRequired[str]
        key: NotRequired[str]


#: Seconds that one request waits at most; the next goes on with the same question.
WAIT_SECONDS = 30
WIRE_NAMES = {"topic_id": "topicId", "expires_at": "expiresAt", "parent_id": "parentId"}


async def wait_for_answer(caller: Caller, asked: Any, stopping: Optional[Stopping]) -> Question:
    values: Dict[str, Any] = {WIRE_NAMES.get(name, name): value for name, value in asked.items()}
    values.setdefault("key", str(uuid.uuid4()))
    question: Question = await caller.call("askQuestion", values, stopping=stopping)
    while question["status"] == "open":
        waiting = {"questionId": question["id"], "wait": WAIT_SECONDS}
        question = await caller.call("readQuestion", waiting, stopping=stopping)
    return question


class Asking:
    """What a bot can ask, and wait for."""

    _caller: Caller
    _stopping: Stopping

    def ask(self, **question: Unpack[Asked]) -> Question:
        """
        Asks people, and returns when enough of them have given the same answer, the time is over, or the question was withdrawn.
        Named with `key`, a bot that was restarted goes on waiting for the question that it has asked.
        """
        return run(wait_for_answer(self._caller, question, self._stopping))


class AsyncAsking:
    """What a bot can ask, and wait for."""

    _caller: Caller
    _stopping: Stopping

    async def ask(self, **question: Unpack[Asked]) -> Question:
        """
        Asks people, and returns when enough of them have given the same answer, the time is over, or the question was withdrawn.
        Named with `key`, a bot that was restarted goes on waiting for the question that it has asked.
        """
        return await wait_for_answer(self._caller, question, self._stopping)
