"""SOAP for carriers: an operation as a call, faults as messages, bodies for simulators.

CREATE = SoapOperation("CreateShipmentRequest", "http://purolator.com/pws/datatypes/v2", action=".../Create")
reply = yield CREATE.call("/EWS/V2/Shipping.asmx", write_shipment(request), header=write_context("2.0"))
answer = read_body(reply)
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from shipcli.carrier.wire.calls import Body, Call, Reply
from shipcli.carrier.wire.xml import SOAP_11, document, element, envelope, find, render
from shipcli.models import Message

if TYPE_CHECKING:
    from lxml.etree import _Element


# What faults blame: the message, its log-in included, or the server, which may have acted on it.
SENDER_CODES = {
    "Client", "Sender", "VersionMismatch", "MustUnderstand", "DataEncodingUnknown",
    "DeserializationFailed", "ActionNotSupported",
    "FailedAuthentication", "FailedCheck", "InvalidSecurity", "InvalidSecurityToken",
    "SecurityTokenUnavailable", "UnsupportedAlgorithm", "UnsupportedSecurityToken",
}  # fmt: skip
SERVER_CODES = {"Server", "Receiver", "InternalServiceFault"}


@dataclass(frozen=True, slots=True)
class SoapOperation:
    """One operation: the element in the body, its namespace, the action that names it.

    Shapes: `prefix` None declares the namespace as the default one; `namespaces` are further prefixes, for
            members such as "xsd:city". `bare_header` sends an empty Header where there is nothing in it.
            `unqualified` is for members without a namespace, as the schemas of Java servers have them.
    """

    name: str
    namespace: str
    action: str = ""
    version: str = SOAP_11
    prefix: str | None = None
    namespaces: Mapping[str, str] = field(default_factory=dict)
    bare_header: bool = False
    unqualified: bool = False
    content_type: str = "text/xml; charset=utf-8"

    def call(
        self, path: str, body: Mapping[str, Any], *, header: _Element | None = None, **call: Any
    ) -> Call:
        """Return the call with its envelope; further arguments are those of `Call` (repeatable, host ...)."""
        declared = {f"@xmlns:{prefix}": uri for prefix, uri in self.namespaces.items()}
        wrapped = envelope(
            self._write({**declared, **body}), header, version=self.version, bare_header=self.bare_header
        )
        # Without quotes, as all recorded requests have it; SOAP 1.1 servers take both.
        action = {"SOAPAction": self.action} if self.action else {}
        return Call("POST", path, xml=wrapped, headers={"Content-Type": self.content_type, **action}, **call)

    def _write(self, body: Mapping[str, Any]) -> _Element:
        if self.unqualified:
            return document(self.name, body, self.namespace, self.prefix or "m")
        return element(self.name, body, self.namespace, self.prefix)


def add_header(call: Call, header: _Element) -> Call:
    """Return the call with a log-in in the header of its envelope, which must be empty (`bare_header`)."""
    wrapped: Any = deepcopy(call.xml)
    wrapped[0].append(header)
    return replace(call, xml=wrapped)


def read_body(message: Body) -> _Element:
    """Return the first element in the body of an envelope.

    Errors: ValueError when there is none.
    """
    body = message.xml if message.xml.tag == "Body" else message.xml.find("Body")
    if body is None or not len(body):
        raise ValueError("an answer without a SOAP body")
    return body[0]


def read_fault(message: Body) -> list[Message]:
    """Return the fault of an answer, of SOAP 1.1 (faultcode, faultstring) or 1.2 (Code, Reason), if any."""
    fault = next(message.xml.iter("Fault"), None)
    if fault is None:
        return []
    code = find(fault, "faultcode") or find(fault, "Code/Subcode/Value") or find(fault, "Code/Value")
    text = find(fault, "faultstring") or find(fault, "Reason/Text")
    return [Message(code=(code or "fault").rpartition(":")[2], message=text)]


def is_senders_fault(message: Body) -> bool | None:
    """Whether a fault says that the message was wrong, so that nothing was done; None if it does not say.

    Source: SOAP 1.1 4.4.1, SOAP 1.2 5.4.6, WS-Security 1.1 12; WCF, faults of the dispatcher.
    """
    if b"Fault" not in message.content or not message.content.lstrip().startswith(b"<"):
        return None
    try:
        fault = next(message.xml.iter("Fault"), None)
    except ValueError:
        return None
    text = "" if fault is None else find(fault, "faultcode") or find(fault, "Code/Value") or ""
    code = text.rpartition(":")[2].partition(".")[0]
    return True if code in SENDER_CODES else False if code in SERVER_CODES else None


def read_action(message: Body) -> str:
    """Return the SOAPAction of a message without quotes: of its header, else of its content type."""
    action = message.header("soapaction").strip().strip('"')
    return action or message.header("content-type").partition("action=")[2].strip().strip('"')


def make_soap_reply(body: _Element, status: int = 200, version: str = SOAP_11) -> Reply:
    """Return an answer of a simulator."""
    return Reply(status, render(envelope(body, version=version)), {"content-type": "text/xml; charset=utf-8"})


def make_soap_fault(
    code: str, text: str, status: int = 500, detail: Mapping[str, Any] | None = None
) -> Reply:
    """Return a fault of a simulator, as SOAP 1.1 writes it."""
    fault = {"faultcode": f"soap:{code}", "faultstring": text, "detail": detail}
    return make_soap_reply(element("Fault", fault, SOAP_11, "soap"), status)
