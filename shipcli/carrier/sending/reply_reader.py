"""Reads the replies of one flow: what is a refusal, and what the carrier says of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Any

from shipcli.carrier.printable import explain_unprintable
from shipcli.carrier.sending.jobs import CarrierJob
from shipcli.carrier.sending.messages import find_text
from shipcli.carrier.sending.redaction import Mask
from shipcli.carrier.wire.calls import REFUSAL_HEADER, UNREADABLE, Call, Reply
from shipcli.carrier.wire.label_files import holds_file
from shipcli.models import Message


@dataclass(frozen=True)
class ReplyReader:
    """Reads the replies to a job's calls. `make_mask` returns the mask of the secrets known by now."""

    job: CarrierJob[Any]
    make_mask: Callable[[], Mask]

    def read(self, call: Call, reply: Reply) -> tuple[Reply, list[Message]]:
        """Return the reply, marked as failed where it is a refusal, and its messages.

        Errors: ValueError and its like for an answer below 400 that is not what it says it is.
        """
        if call.file and reply.status < 400 and reply.content and not reply.structured:
            return reply, []
        messages = self.read_messages(reply)
        if self.is_refusal(call, reply):
            decided = self.evaluate(self.job.carrier.is_definite, reply, reply.status < 500)
            decided = decided and not holds_file(reply.content)  # nobody prints what was not bought
            reply = replace(reply, failed=True, decided=decided)  # a copy reads its body again
        elif call.file:
            raise ValueError("a file was asked for, and something else came")
        if reply.failed:
            messages = self.complete(reply, messages)
        if reply.status == HTTPStatus.TOO_MANY_REQUESTS and all(row.code != "429" for row in messages):
            messages.append(self.explain_status(reply))
        return reply, messages

    def read_messages(self, reply: Reply) -> list[Message]:
        if reply.header(REFUSAL_HEADER):
            return [self.explain_kit_refusal(error) for error in reply.json["errors"]]
        try:
            return list(self.job.carrier.read_messages(reply))
        except UNREADABLE:
            return []  # not in the carrier's format: the status alone speaks

    def is_refusal(self, call: Call, reply: Reply) -> bool:
        """Whether the carrier calls it a refusal.

        Of a body that can't be read the status decides; one that claims to be JSON or XML and is not is
        an error, texts and files are left to the flow.
        """
        if reply.status < 400 and call.partial:
            return False
        try:
            return self.job.carrier.is_refusal(reply)
        except UNREADABLE:
            if reply.status >= 400:
                return True
            if reply.structured:
                raise
            return False

    def evaluate(self, predicate: Callable[[Reply], bool], reply: Reply, default: bool) -> bool:
        """Return what the carrier class says of a reply, the default if it can't read it."""
        try:
            return predicate(reply)
        except UNREADABLE:
            return default

    def complete(self, reply: Reply, messages: Sequence[Message]) -> list[Message]:
        """Return what a refusal says: a code without words gets the text of the answer, or its status."""
        status = self.explain_status(reply)
        told = [message for message in messages if message.code or message.message]
        return [
            message if message.message else message.model_copy(update={"message": status.message})
            for message in told or [status]
        ]

    def explain_status(self, reply: Reply) -> Message:
        """Return the message of a refusal in which the carrier's reader finds none."""
        message = f"{self.job.carrier.name} answered with status {reply.status}"
        if reply.status >= 400 and (text := find_text(reply)):
            message = f"{message}: {self.make_mask().text(text)}"
        return Message(code=str(reply.status), message=message)

    def explain_kit_refusal(self, error: dict[str, str]) -> Message:
        """Return the message of a refusal of the kit's own, of the field that it is about if there is one."""
        message = Message(code=error["code"], message=error["message"])
        if "character" not in error or self.job.request is None:
            return message
        return explain_unprintable(self.job.request, error["character"]) or message
