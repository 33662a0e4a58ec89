"""Tools and resources over the Model Context Protocol. The only module that knows the package `mcp`, with
`doors`. Calls run one after the other, in a thread of their own.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import mcp_types as types
from mcp.server import Server
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from shipcli import __version__
from shipcli.assistants import resources
from shipcli.assistants.calls import describe_error
from shipcli.assistants.tool_table import SHIP
from shipcli.assistants.toolbox import Tool, Toolbox
from shipcli.models import json
from shipcli.models.basics.errors import ShipcliError

T = TypeVar("T")
Context = ServerRequestContext[Any, Any]
Answer = types.CallToolResult | types.InputRequiredResult
CONFIRM = "confirm"
NO_FIELDS: dict[str, Any] = {"type": "object", "properties": {}}
INSTRUCTIONS = (
    "Rates, labels and tracking of many carriers. Addresses need a postal code and a country code, parcels a "
    "weight with its unit. Never buy a label before the person has agreed to its price."
)


class AssistantServer:
    """Answers the requests of one or several clients."""

    def __init__(self, toolbox: Toolbox) -> None:
        self._toolbox = toolbox
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="shipcli-assistant")
        self.server: Server[Any] = Server(
            "shipcli",
            version=__version__,
            instructions=INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
        )

    def close(self) -> None:
        """Let the call in progress finish."""
        self._thread.shutdown()

    async def _run(self, work: Callable[..., T], *arguments: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)

    # -- tools -------------------------------------------------------------------------------------

    async def _list_tools(self, context: Context, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[write_tool(tool) for tool in self._toolbox.tools.values()])

    async def _call_tool(self, context: Context, params: types.CallToolRequestParams) -> Answer:
        try:
            return await self._answer(context, params)
        except ShipcliError as error:
            return write_result(describe_error(error), is_error=True)

    async def _answer(self, context: Context, params: types.CallToolRequestParams) -> Answer:
        if params.name == SHIP and self._toolbox.purchases and params.request_state:
            return await self._finish(params.request_state, (params.input_responses or {}).get(CONFIRM))
        answer = await self._run(self._toolbox.call, params.name, params.arguments or {})
        if params.name == SHIP and not answer["bought"] and asks_people(context):
            return await self._ask(context, answer)
        return write_result(answer)

    async def _ask(self, context: Context, quote: dict[str, Any]) -> Answer:
        """Ask the person at the client, in the way that its version of the protocol has."""
        form = types.ElicitRequestFormParams(message=describe_quote(quote), requested_schema=NO_FIELDS)
        token = str(quote["confirmation"])
        if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
            request = types.ElicitRequest(params=form)
            return types.InputRequiredResult(input_requests={CONFIRM: request}, request_state=token)
        if not context.session.can_send_request:
            return write_result(quote)
        reply = await context.session.elicit_form(form.message, NO_FIELDS, context.request_id)
        return await self._finish(token, reply)

    async def _finish(self, token: str, reply: Any) -> Answer:
        """Buy what the person agreed to."""
        purchases = self._toolbox.purchases
        assert purchases is not None
        if getattr(reply, "action", "") == "accept":
            return write_result(await self._run(self._toolbox.buy, token))
        purchases.drop(token)
        return write_result({"bought": False, "reason": "The person did not agree"})

    # -- resources ---------------------------------------------------------------------------------

    async def _list_resources(self, context: Context, params: Any) -> types.ListResourcesResult:
        rows = await self._run(resources.list_resources, self._toolbox.gateway)
        listed = [types.Resource(uri=row.uri, name=row.name, mime_type=row.media_type) for row in rows]
        return types.ListResourcesResult(resources=listed)

    async def _list_templates(self, context: Context, params: Any) -> types.ListResourceTemplatesResult:
        template = types.ResourceTemplate(
            uri_template=resources.LABEL_TEMPLATE,
            name="label",
            description="The label of a shipment, as pdf or png.",
        )
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def _read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        toolbox, uri = self._toolbox, str(params.uri)
        try:
            file = await self._run(resources.read_resource, toolbox.gateway, toolbox.send, uri)
        except ShipcliError as error:
            raise MCPError(code=types.INVALID_PARAMS, message=error.describe()) from None
        return types.ReadResourceResult(contents=[write_content(file)])


def asks_people(context: Context) -> bool:
    """Whether a client can ask its person a question."""
    capabilities = context.session.client_capabilities
    return capabilities is not None and capabilities.elicitation is not None


def describe_quote(quote: dict[str, Any]) -> str:
    """The question to a person."""
    rate = quote["rate"]
    return f"Buy {rate['service']} of {rate['carrier_id']} for {quote['price']}?"


def write_tool(tool: Tool) -> types.Tool:
    """A tool as clients get it."""
    hints = types.ToolAnnotations(
        title=tool.title,
        read_only_hint=tool.reads_only,
        destructive_hint=tool.destroys,
        idempotent_hint=tool.repeatable,
        open_world_hint=tool.asks_carriers,
    )
    return types.Tool(
        name=tool.name, title=tool.title, description=tool.text, input_schema=tool.schema, annotations=hints
    )


def write_result(answer: Any, *, is_error: bool = False) -> types.CallToolResult:
    """An answer as JSON text."""
    text = types.TextContent(type="text", text=json.dumps(answer))
    return types.CallToolResult(content=[text], is_error=is_error)


def write_content(file: resources.ResourceFile) -> types.TextResourceContents | types.BlobResourceContents:
    """The content of a resource: text as it is, files in base64."""
    if file.media_type == "application/json":
        text = file.content.decode()
        return types.TextResourceContents(uri=file.uri, mime_type=file.media_type, text=text)
    blob = base64.b64encode(file.content).decode()
    return types.BlobResourceContents(uri=file.uri, mime_type=file.media_type, blob=blob)
