"""The tools of one assistant: what they are called, what they take, and what a call of them does."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from shipcli.assistants.calls import Send, call_operation, hide_secrets, read_argument
from shipcli.assistants.input_schemas import make_input_schema, make_object, make_shipment_schema
from shipcli.assistants.purchases import RULES, Purchases, read_order
from shipcli.assistants.tool_table import SHIP, destroys, is_repeatable, reads_only
from shipcli.models import Invalid, NotFound, json
from shipcli.operations import sentences

if TYPE_CHECKING:
    from shipcli.gateway.gateway import Gateway
    from shipcli.operations.operation import Operation
    from shipcli.operations.schema import Schema

CONFIRMATION, INTEGER = "confirmation", "integer"
READABLE = {INTEGER: re.compile(r"-?\d+"), "boolean": re.compile("true|false")}
SHIP_TEXT = (
    "Buy a label. Without `confirmation` nothing is bought: the answer has the price and a confirmation. "
    "Tell the person the price, and call again with the confirmation alone once they agree. A confirmation "
    "buys one label, however often it is sent."
)
ARGUMENT_TEXTS = {
    "shipment_id": "A stored draft to buy, instead of a shipment.",
    "rule": "Which rate to take; cheapest unless told.",
    "service": "The service to buy, such as ups_ground.",
    "by": "The last day of delivery, such as 2026-03-02.",
    "currency": "The currency to compare rates in.",
    CONFIRMATION: "What the quote said: buys what was quoted, once.",
}


@dataclass(frozen=True)
class Tool:
    """One tool; the hints are those of the protocol."""

    name: str
    title: str
    text: str
    schema: Schema
    reads_only: bool = False
    destroys: bool = False
    repeatable: bool = False
    asks_carriers: bool = False
    operation: Operation | None = field(default=None, repr=False)


class Toolbox:
    """The tools that an assistant may use, over a gateway and the API; `purchases` is set if it may buy."""

    def __init__(
        self,
        gateway: Gateway,
        send: Send,
        operations: Sequence[Operation],
        purchases: Purchases | None = None,
    ) -> None:
        self.gateway, self.send, self.purchases = gateway, send, purchases
        tools = [make_tool(operation) for operation in operations]
        self.tools = {tool.name: tool for tool in [*tools, *([make_ship_tool()] if purchases else [])]}

    def call(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """The answer of a tool.

        Errors: NotFound for a tool that there is not; Invalid for wrong arguments; those of the operation.
        """
        tool = self.tools.get(name)
        if tool is None:
            raise NotFound("tool", message=f"There is no tool {name}, or it is not allowed here")
        check_arguments(tool, arguments)
        if tool.operation:
            return call_operation(self.send, tool.operation, arguments)
        assert self.purchases is not None
        if arguments.get(CONFIRMATION):
            check_alone(arguments)
            return self.buy(str(read_argument(arguments, CONFIRMATION)))
        return self.purchases.quote(read_order(arguments))

    def buy(self, confirmation: str) -> Any:
        """The shipment that a confirmation buys, or bought.

        Errors: those of `Purchases.buy`.
        """
        assert self.purchases is not None
        bought = self.purchases.buy(confirmation).model_dump(exclude={"rates"})
        return {"bought": True, "shipment": hide_secrets(json.loads(json.dumps(bought)))}


def check_arguments(tool: Tool, arguments: Mapping[str, Any]) -> None:
    """Errors: Invalid for an argument that a tool does not have, or whose value has another type."""
    names = tool.schema["properties"]
    if unknown := sorted(set(arguments) - set(names)):
        raise Invalid(unknown[0], f"{tool.name} has no such argument; it has {', '.join(names) or 'none'}")
    for name, value in arguments.items():
        kind = names[name].get("type")
        if value is not None and kind in READABLE and not READABLE[kind].fullmatch(str(value).lower()):
            raise Invalid(
                name, f"{value!r} is not {'a whole number' if kind == INTEGER else 'true or false'}"
            )


def check_alone(arguments: Mapping[str, Any]) -> None:
    """Errors: Invalid for what stands beside a confirmation: it would not be what is bought."""
    if beside := sorted(
        name for name, value in arguments.items() if value is not None and name != CONFIRMATION
    ):
        text = "a confirmation buys what was quoted: send it alone, or ask for another quote without it"
        raise Invalid(beside[0], text)


def make_tool(operation: Operation) -> Tool:
    """The tool of an operation, with the texts of the served document."""
    return Tool(
        operation.name,
        operation.summary,
        sentences.OPERATIONS.get(operation.name, operation.summary),  # none for sandboxes only
        make_input_schema(operation),
        reads_only=reads_only(operation),
        destroys=destroys(operation),
        repeatable=is_repeatable(operation),
        asks_carriers=bool(operation.refusals),
        operation=operation,
    )


def make_ship_tool() -> Tool:
    """The one tool that buys."""
    properties: dict[str, Schema] = {"shipment": make_shipment_schema()}
    properties |= {name: {"type": "string", "description": text} for name, text in ARGUMENT_TEXTS.items()}
    properties["rule"]["enum"] = list(RULES)
    again = "Buy although another shipment with the reference has a label."
    properties["again"] = {"type": "boolean", "description": again}
    return Tool(SHIP, "Buy a label", SHIP_TEXT, make_object(properties), destroys=True, asks_carriers=True)
