"""The SOAP services that a carrier publishes as WSDL: which action and address a document goes to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from lxml import etree

from shipcli.carrier import Request
from shipcli.carrier.wire.calls import read_origin
from tests.carriers.places import find_recorded
from tests.carriers.witness.judging import Fault

WSDL, SOAP = "{http://schemas.xmlsoap.org/wsdl/}", "{http://schemas.xmlsoap.org/wsdl/soap/}"


@dataclass(frozen=True)
class SoapService:
    """Where a document is sent, and the action that says what is asked."""

    action: str
    address: str

    @property
    def origin(self) -> str:
        return read_origin(self.address)

    def list_faults(self, request: Request) -> list[Fault]:
        """What of a request is not as published; servers read paths in any case."""
        action, path = request.header("soapaction").strip('"'), urlsplit(self.address).path
        faults = [("action", f"{action} is not published")] if action != self.action else []
        return faults + (
            [("path", f"{request.path} is not published")] if request.path.lower() != path.lower() else []
        )


Services = Mapping[str, SoapService]


@cache
def read_services(slug: str) -> Services:
    """The services of a carrier by the root of the document that is sent, `{namespace}name`."""
    paths = sorted((find_recorded(slug) / "wsdl").glob("*.wsdl"))
    return {root: service for path in paths for root, service in list_services(etree.parse(path).getroot())}


def list_services(tree: Any) -> Iterator[tuple[str, SoapService]]:
    address = str(next(tree.iter(f"{SOAP}address")).get("location"))
    elements = dict(list_elements(tree))
    messages = {
        operation.get("name"): read_local(operation.find(f"{WSDL}input").get("message"))
        for operation in tree.iterfind(f"{WSDL}portType/{WSDL}operation")
    }
    for operation in tree.iterfind(f"{WSDL}binding/{WSDL}operation"):
        action = operation.find(f"{SOAP}operation")
        message = messages[operation.get("name")]
        if action is not None and message in elements:
            yield elements[message], SoapService(str(action.get("soapAction")), address)


def list_elements(tree: Any) -> Iterator[tuple[str, str]]:
    """The document of each message, by the message's name."""
    for part in tree.iterfind(f"{WSDL}message/{WSDL}part"):
        prefix, _, name = str(part.get("element")).rpartition(":")
        yield str(part.getparent().get("name")), f"{{{part.nsmap.get(prefix or None)}}}{name}"


def read_local(name: Any) -> str:
    return str(name).rpartition(":")[2]
