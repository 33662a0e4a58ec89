"""A bare command line, to measure ours against."""

from __future__ import annotations

BARE = '''
import typer

app = typer.Typer()


@app.command()
def one() -> None:
    """One."""


@app.command()
def two() -> None:
    """Two."""


app()
'''
