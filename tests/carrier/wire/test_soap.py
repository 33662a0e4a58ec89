"""SOAP operations, faults and what simulators make of them."""

from __future__ import annotations

import pytest

from shipcli.carrier.wire.calls import Reply, Request, encode
from shipcli.carrier.wire.soap import (
    SoapOperation,
    add_header,
    is_senders_fault,
    make_soap_fault,
    make_soap_reply,
    read_action,
    read_body,
    read_fault,
)
from shipcli.carrier.wire.xml import SOAP_12, element

TRACK = SoapOperation("track", "urn:a", "urn:track", prefix="a", namespaces={"b": "urn:b"})


def sent(operation: SoapOperation, **arguments: object) -> Request:
    call = operation.call("/soap", {"a:number": "1", "b:lang": "en"}, **arguments)  # type: ignore[arg-type]
    return encode(call, "https://x.example", {})


def test_an_operation_goes_out_in_an_envelope_with_its_action() -> None:
    request = sent(TRACK)
    assert request.headers["SOAPAction"] == read_action(request) == "urn:track"
    assert b'xmlns:b="urn:b"' in request.content
    body = read_body(request)
    assert (body.tag, body.findtext("number"), body.findtext("lang")) == ("track", "1", "en")
    assert request.xml.find("Header") is None


def test_members_of_an_operation_may_be_of_no_namespace() -> None:
    call = SoapOperation("track", "urn:a", prefix="a", unqualified=True).call(
        "/soap", {"from": {"city": "Bonn"}}
    )
    body = next(call.xml.iter("{urn:a}track"))
    assert [one.tag for one in body.iter()] == ["{urn:a}track", "from", "city"]


def test_a_header_may_be_filled_or_bare() -> None:
    filled = sent(TRACK, header=element("Version", "2.0", "urn:a"))
    assert filled.xml.findtext("Header/Version") == "2.0"
    bare = sent(
        SoapOperation("track", "urn:a", bare_header=True, version=SOAP_12, prefix="b", namespaces={"a": "u"})
    )
    assert bare.xml.find("Header") is not None
    assert "SOAPAction" not in bare.headers


def test_a_log_in_goes_into_the_bare_header_of_each_call_anew() -> None:
    call = SoapOperation("track", "urn:a", bare_header=True).call("/soap", {})
    for token in ("t1", "t2"):
        signed = encode(add_header(call, element("token", token, "urn:a")), "https://x.example", {})
        assert [one.text for one in signed.xml.iter("token")] == [token]


def test_a_fault_is_a_message() -> None:
    (message,) = read_fault(make_soap_fault("Client.Auth", "Log in first"))
    assert (message.code, message.message) == ("Client.Auth", "Log in first")
    assert read_fault(make_soap_reply(element("fine", {}))) == []


def test_a_fault_of_soap_12_is_read_too() -> None:
    text = f"""<e:Envelope xmlns:e="{SOAP_12}"><e:Body><e:Fault><e:Code><e:Value>e:Sender</e:Value></e:Code>
    <e:Reason><e:Text>No such number</e:Text></e:Reason></e:Fault></e:Body></e:Envelope>"""
    (message,) = read_fault(Reply(500, text.encode()))
    assert (message.code, message.message) == ("Sender", "No such number")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (
            "<e:Fault><e:Code><e:Value>e:Sender</e:Value><e:Subcode><e:Value>x:1</e:Value></e:Subcode></e:Code>",
            True,
        ),
        ("<e:Fault><e:Code><e:Value>e:Receiver</e:Value></e:Code>", False),
        ("<e:Fault><faultcode>e:Client.Auth</faultcode>", True),
        ("<e:Fault><faultcode>e:Server.userException</faultcode>", False),
        ("<e:Fault><faultcode>wsse:FailedAuthentication</faultcode>", True),
        ("<e:Fault><faultcode>a:InternalServiceFault</faultcode>", False),
        ("<e:Fault><faultcode>110</faultcode>", None),
        ("<e:Fault>", None),
    ],
)
def test_a_fault_says_whose_it_is_or_does_not(text: str, answer: bool | None) -> None:
    envelope = f"""<e:Envelope xmlns:e="{SOAP_12}" xmlns:wsse="w" xmlns:a="a"><e:Body>{text}</e:Fault>
        </e:Body></e:Envelope>"""
    assert is_senders_fault(Reply(500, envelope.encode())) is answer


@pytest.mark.parametrize(
    "content", [b"", b'{"Fault": {"faultcode": "Client"}}', b"<html>Fault<br>", b"<a>Fault</a>"]
)
def test_what_is_no_fault_says_nothing(content: bytes) -> None:
    assert is_senders_fault(Reply(500, content)) is None


def test_an_answer_without_a_body_can_not_be_read() -> None:
    with pytest.raises(ValueError, match="SOAP body"):
        read_body(Reply(200, b"<Envelope/>"))
