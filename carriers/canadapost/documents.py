"""Papers: the links of an answer, and the files behind them.

Source: LinkType of common.xsd; Get Artifact (REST).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from shipcli.carrier import Call, CarrierError, Flow, Reply, ask_all
from shipcli.carrier.wire.label_files import encode_file, merge_files
from shipcli.carrier.wire.xml import Element, every

Paper: TypeAlias = Sequence[str]  # what it is ("label"), where it is, as what
PAPER_LINKS = {"label": "label", "invoice": "commercialInvoice"}


class Link(NamedTuple):
    """Where something of an answer is to be had, and as what."""

    href: str
    media_type: str

    @property
    def name(self) -> str:
        """What the address ends with: the identifier of what it leads to."""
        return self.href.rpartition("/")[2]


def read_links(node: Element, rel: str) -> list[Link]:
    """The links of one relation, in the order of the answer."""
    links = (link for link in every(node, "link") if link.get("rel") == rel)
    return [Link(href, link.get("media-type", "")) for link in links if (href := link.get("href"))]


def follow(link: Link, *, file: bool = False) -> Call:
    """The call that fetches what a link offers."""
    return Call("GET", link.href, headers={"Accept": link.media_type}, file=file)


def read_papers(info: Element) -> list[Paper]:
    """Where the label of a shipment is, and its invoice."""
    return [[name, *link] for name, rel in PAPER_LINKS.items() for link in read_links(info, rel)]


def fetch_papers(papers: Sequence[Paper]) -> Flow[tuple[str, dict[str, str]]]:
    """The kind of the label, and the files in base64. An invoice that can't be had spoils nothing.

    Errors: CarrierError when a label can't be had.
    """
    replies = yield from ask_all([follow(Link(href, kind), file=True) for _, href, kind in papers])
    labels, invoices = (
        [reply for paper, reply in zip(papers, replies, strict=True) if paper[0] == name]
        for name in PAPER_LINKS
    )
    if not labels or not all(reply.ok for reply in labels):
        raise CarrierError()
    kind = "ZPL" if any(name == "label" and "zpl" in media for name, _, media in papers) else "PDF"
    there = [reply for reply in invoices if reply.ok]
    invoice = {"invoice": merge_replies(there, "PDF")} if there else {}
    return kind, {"label": merge_replies(labels, kind), **invoice}


def merge_replies(replies: Iterable[Reply], kind: str) -> str:
    """Files as one, in base64."""
    return merge_files([encode_file(reply.content) for reply in replies], kind)
