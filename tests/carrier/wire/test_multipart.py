"""Multipart bodies keep every byte, in both directions."""

from __future__ import annotations

import pytest

from shipcli.carrier import Call, MultipartPart
from shipcli.carrier.wire.calls import encode
from shipcli.carrier.wire.multipart import join, split

EVERY_BYTE = bytes(range(256)) * 3
HEADER = "multipart/form-data; boundary=b"


def round_trip(*parts: MultipartPart) -> list[MultipartPart]:
    return split(join(parts, "b"), HEADER)


@pytest.mark.parametrize(
    "content", [b"", b"x", EVERY_BYTE, b"\r\n\r\n", b"%PDF\n%%EOF\n", b"a\rb\nc\r\n", b"\n", "é中".encode()],
    ids=["empty", "one", "every byte", "newlines", "pdf", "line ends", "newline", "utf-8"],
)  # fmt: skip
def test_a_file_comes_back_byte_for_byte(content: bytes) -> None:
    [part] = round_trip(MultipartPart("file", content, "a.bin", "application/octet-stream"))
    assert part == MultipartPart("file", content, "a.bin", "application/octet-stream")


def test_fields_and_files_come_back_in_order() -> None:
    parts = round_trip(
        MultipartPart("a", "1"), MultipartPart("b", b"\x00", "b.png", "image/png"), MultipartPart("c", "3")
    )
    assert [(part.name, part.content) for part in parts] == [("a", b"1"), ("b", b"\x00"), ("c", b"3")]


@pytest.mark.parametrize("line", ["a --b", "--bc", "--b c", "-b"])
def test_what_only_resembles_the_boundary_is_content(line: str) -> None:
    assert round_trip(MultipartPart("a", f"1\r\n{line}\r\n2"))[0].content == f"1\r\n{line}\r\n2".encode()


@pytest.mark.parametrize(
    ("encoding", "written"),
    [("base64", b"aGkg\r\nw6k="), ("quoted-printable", b"hi =C3=A9"), ("8bit", "hi é".encode())],
)
def test_a_transfer_encoding_is_undone(encoding: str, written: bytes) -> None:
    head = f"--b\r\ncontent-transfer-encoding: {encoding}\r\nContent-Disposition: form-data; name=a".encode()
    assert split(head + b"\r\n\r\n" + written + b"\r\n--b--", HEADER)[0].content == "hi é".encode()


@pytest.mark.parametrize(
    "written",
    ['filename="a b.txt"', "filename=a b.txt", "filename*=utf-8''a%20b.txt", '\r\n\tfilename="a b.txt"'],
)
def test_a_file_name_is_read_as_carriers_write_it(written: str) -> None:
    head = f"--b\r\nContent-Disposition: form-data; name=a; {written}\r\n\r\n".encode()
    assert split(head + b"x\r\n--b--", HEADER)[0].filename == "a b.txt"


def test_a_file_name_in_utf_8_is_read_as_browsers_write_it() -> None:
    body = '--b\r\nContent-Disposition: form-data; name="ä"; filename="заказы.csv"\r\n\r\nx\r\n--b--'.encode()
    [part] = split(body, HEADER)
    assert (part.name, part.filename) == ("ä", "заказы.csv")


@pytest.mark.parametrize("kind", ["multipart/mixed; boundary=c", "message/rfc822"])
def test_parts_inside_a_part_are_its_content(kind: str) -> None:
    inside = b"--c\r\n\r\n1\r\n--c--"
    [part] = split(b"--b\r\nContent-Type: " + kind.encode() + b"\r\n\r\n" + inside + b"\r\n--b--", HEADER)
    assert part.content == inside


def test_parts_may_stand_between_other_texts() -> None:
    assert [part.content for part in split(b"before\r\n--b\r\n\r\n1\r\n--b--\r\nafter", HEADER)] == [b"1"]


def test_what_came_of_a_body_that_was_cut_short_is_read() -> None:
    assert split(b"--b\r\nContent-Type: a/b\r\n\r\n12", HEADER)[0].content == b"12"


def test_a_part_may_have_nothing_but_a_head() -> None:
    assert split(b"--b\r\nContent-Type: a/b\r\n--b--", HEADER) == [MultipartPart("", b"", None, "a/b")]


def test_a_large_file_comes_back_whole() -> None:
    content = EVERY_BYTE * 500
    assert round_trip(MultipartPart("f", content, "f"))[0].content == content


@pytest.mark.parametrize("name", ['a"; filename="evil', "a\r\nX-Evil: 1"])
def test_a_name_can_not_break_out_of_its_header(name: str) -> None:
    body = join([MultipartPart("file", b"x", name)], "b")
    assert body.count(b"\r\n") == 5
    assert b'"evil' not in body
    assert len(split(body, HEADER)) == 1


def test_a_boundary_that_the_content_holds_is_not_used() -> None:
    call = Call(
        "POST",
        "/a",
        parts=[MultipartPart("f", b"--shipcli-part\r\n", "f"), MultipartPart("g", "shipcli-part-")],
    )
    request = encode(call, "https://x.example", {})
    assert [part.content for part in request.parts] == [b"--shipcli-part\r\n", b"shipcli-part-"]


def test_the_boundary_is_read_from_the_body_when_the_header_is_silent() -> None:
    assert split(join([MultipartPart("a", "1")], "mark"), "multipart/form-data")[0].content == b"1"


def test_a_related_reply_with_bare_newlines_is_read() -> None:
    first, second = b"Content-Type: application/json\nContent-ID: <i>\n\n{}", b"Content-ID: <l>\n\n%PDF"
    body = b"--uuid:1\n" + first + b"\n--uuid:1\n" + second + b"\n--uuid:1--"
    assert [(part.name, part.content) for part in split(body, "")] == [("i", b"{}"), ("l", b"%PDF")]


@pytest.mark.parametrize("body", [b"", b"no parts", b"{}"])
def test_a_body_without_parts_is_a_value_error(body: bytes) -> None:
    with pytest.raises(ValueError, match="boundary"):
        split(body, "")


def test_a_body_that_only_says_multipart_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="no parts"):
        split(b"plain", "multipart/mixed; boundary=b")
