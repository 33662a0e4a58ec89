"""What can go wrong, each with its code, its HTTP status and its exit code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from shipcli.models.basics.problems import Problem, describe, flatten, list_problems, make_details_tree

if TYPE_CHECKING:
    from pydantic import ValidationError

    from shipcli.models.message import Message

NO_CONNECTION = "No active carrier connection found to process the request"


class ShipcliError(Exception):
    """An error that a face can show: code, message, details, and the row it belongs to, if any."""

    code: str = "failure"
    exit_code: ClassVar[int] = 1
    status: int = 400

    def __init__(
        self,
        message: str = "",
        *,
        code: str | None = None,
        details: Any = None,
        index: int | None = None,
        status: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.code
        self.status = status or self.status
        self.details = details
        self.index = index
        self.request_id: str | None = None  # of the request that a server refused
        self.is_replay = False  # whether a server repeats its answer to an earlier request

    def describe(self) -> str:
        """The message, as a report of many objects has it."""
        return self.message

    def items(self) -> list[dict[str, Any]]:
        """The `errors` list of the API answer."""
        item = {"code": self.code, "message": self.message, "details": self.details, "index": self.index}
        return [{key: value for key, value in item.items() if value is not None}]

    def body(self) -> dict[str, Any]:
        """The API answer."""
        return {"errors": self.items()}


class Invalid(ShipcliError):
    """The caller's data is wrong; `problems` names each field and says why."""

    code = "validation"
    exit_code = 6

    def __init__(
        self, field_path: str, reason: str, code: str = "validation", *, index: int | None = None
    ) -> None:
        self.problems: tuple[Problem, ...] = ()
        super().__init__(code=code, index=index)
        self._hold([Problem(field_path, reason)])

    @classmethod
    def many(
        cls, problems: Iterable[tuple[str, str]], code: str = "validation", *, index: int | None = None
    ) -> Invalid:
        """One error for several fields, given as (path, reason)."""
        listed = [Problem(path, reason) for path, reason in problems]
        error = cls("", "is not valid", code, index=index)
        if listed:
            error._hold(listed)
        return error

    @classmethod
    def from_pydantic(cls, error: ValidationError, prefix: str = "", *, index: int | None = None) -> Invalid:
        """The same problems in our own sentences, with paths such as `parcels[0].weight`."""
        return cls.many(list_problems(error, prefix), index=index)

    def under(self, prefix: str) -> Invalid:
        """The same error as seen from an object that holds this one at `prefix`."""
        return Invalid.many([problem.under(prefix) for problem in self.problems], self.code, index=self.index)

    def _hold(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        self.message = describe(problems)
        self.details = make_details_tree(problems)
        self.args = (self.message,)


class InvalidRows(ShipcliError):
    """Several rows of a batch are wrong; the answer holds one item for each."""

    code = "validation"
    exit_code = 6

    def __init__(self, errors: Iterable[ShipcliError]) -> None:
        self.errors = tuple(errors)
        super().__init__("; ".join(f"row {_name_row(error)}: {error.message}" for error in self.errors))

    def items(self) -> list[dict[str, Any]]:
        """One item for each wrong row."""
        return [item for error in self.errors for item in error.items()]


class NotFound(ShipcliError):
    """There is no such object, or it belongs to the other mode."""

    code = "not_found"
    exit_code = 3
    status = 404

    def __init__(self, what: str, id: str | None = None, *, message: str | None = None) -> None:
        self.what, self.id = what, id
        named = f"{what} {id} not found" if id else f"{what} not found"
        super().__init__(message or named[:1].upper() + named[1:])


class UnknownTracker(NotFound):
    """There is no such tracker; the body has the form of carriers' messages as well, which clients expect."""

    def __init__(self, id_or_number: str) -> None:
        super().__init__("tracker", id_or_number)

    def body(self) -> dict[str, Any]:
        """The API answer: the error, and the same as a message."""
        return {**super().body(), "messages": [{"message": self.message, "code": self.code, "details": None}]}


class NoConnection(NotFound):
    """No active connection fits the request; `details` say why each one does not, by its name."""

    def __init__(self, details: Mapping[str, Any] | None = None) -> None:
        super().__init__("connection", message=NO_CONNECTION)
        self.details = dict(details) if details else None

    @classmethod
    def of(cls, *names: str | None) -> NoConnection:
        """The error of carriers or connections that are named, with what makes it work."""
        missing = "no active connection for this: add one to the carrier, with the same carrier_id as before"
        return cls({name: missing for name in names if name})


class Conflict(ShipcliError):
    """The object's state does not allow it."""

    code = "state_error"
    exit_code = 5
    status = 409

    def __init__(self, message: str, code: str = "state_error") -> None:
        super().__init__(message, code=code)


class AlreadyBought(Conflict):
    """A label was bought for this reference or order before; `hint` is what to type next."""

    def __init__(self, message: str, *, hint: str = "to buy another label for it: --again") -> None:
        super().__init__(message, code="already_bought")
        self.hint = hint


class IdempotencyConflict(Conflict):
    """The same key was used before for another request."""

    def __init__(self, message: str = "This idempotency key was used for a different request") -> None:
        super().__init__(message, code="idempotency_conflict")


class PurchaseUndone(Conflict):
    """The store lost the record of a purchase under way, and the label is being voided: send it again."""

    def __init__(self, message: str) -> None:
        super().__init__(message, code="purchase_undone")


class Refused(ShipcliError):
    """The carrier refused; its messages are the answer."""

    code = "carrier_refused"
    exit_code = 7
    status = 424

    def __init__(self, messages: Iterable[Message], status: int = 424) -> None:
        self.messages = list(messages)
        texts = [message.message for message in self.messages if message.message]
        super().__init__("; ".join(texts) or "The carrier refused the request", status=status)

    def describe(self) -> str:
        """The messages, each with the carrier whose it is."""
        named = [
            ": ".join(filter(None, (message.carrier_id or message.carrier_name, message.message)))
            for message in self.messages
            if message.message
        ]
        return "; ".join(dict.fromkeys(named)) or self.message

    def body(self) -> dict[str, Any]:
        """The API answer: the carrier's messages."""
        return {"messages": [message.model_dump() for message in self.messages]}


class RefusedFields(Refused):
    """Nothing was done, as fields of the request are not as the carrier takes them; `problems` names them."""

    code = "validation"
    exit_code = 6

    def __init__(self, messages: Iterable[Message], status: int = 400) -> None:
        super().__init__(messages, status)
        self.problems = tuple(problem for message in self.messages for problem in flatten(message.details))
        self.message = describe(dict.fromkeys(self.problems))
        self.details = make_details_tree(dict.fromkeys(self.problems))

    def body(self) -> dict[str, Any]:
        """The API answer: the fields, as of any other request that is wrong."""
        return {"errors": self.items()}


def make_refusal(messages: Iterable[Message]) -> Refused:
    """The error of a refusal: all messages about fields of the request are an error of the request."""
    listed = list(messages)
    names_fields = all(message.code == RefusedFields.code and message.details for message in listed)
    return RefusedFields(listed) if listed and names_fields else Refused(listed)


class OutcomeUnknown(Refused):
    """The carrier was asked and we do not know whether it acted."""

    code = "outcome_unknown"


class LimitReached(ShipcliError):
    """A limit or budget the user set would be passed."""

    code = "limit_reached"
    exit_code = 11


class BilledAbove(LimitReached):
    """A label was billed above the most that it may cost: it was, or is being, voided again."""

    code = "billed_above_limit"
    status = 409


class NotAuthorised(ShipcliError):
    """The caller is unknown, or may not do this."""

    code = "not_authenticated"
    exit_code = 4
    status = 401


class Throttled(ShipcliError):
    """Too many requests; `retry_after_s` says when to try again."""

    code = "throttled"
    exit_code = 12
    status = 429

    def __init__(self, retry_after_s: int) -> None:
        super().__init__(f"Request was throttled. Expected available in {retry_after_s} seconds.")
        self.retry_after_s = retry_after_s


class Unreachable(ShipcliError):
    """The server or the network did not answer."""

    code = "unreachable"
    exit_code = 8
    status = 503


def _name_row(error: ShipcliError) -> str:
    return "?" if error.index is None else str(error.index)
