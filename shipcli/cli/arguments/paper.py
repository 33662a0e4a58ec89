"""Where documents go, and on which paper size."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from shipcli.cli.usage_errors import Usage
from shipcli.drawing import paper

if TYPE_CHECKING:
    from shipcli.drawing.paper import PaperSize

Out = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="FILE", help="File; - is standard output.")
]
PaperName = Annotated[
    str | None,
    typer.Option(
        "--paper", metavar="letter|a4|4x6", help="Paper; the printer's by default, else the setting's."
    ),
]


def read_paper(name: str | None) -> PaperSize | None:
    """The paper with a name; None if none is named.

    Errors: Usage for an unknown name.
    """
    if name is None:
        return None
    if name.lower() not in paper.PAPERS:
        raise Usage(f"--paper {name}: say one of {', '.join(paper.PAPERS)}")
    return paper.PAPERS[name.lower()]
