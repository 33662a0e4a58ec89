"""Writes the index of this project's carriers, a line each: `python -m tests.carriers.index`."""

from __future__ import annotations

from pathlib import Path

from shipcli import carriers
from shipcli.carrier import registry
from shipcli.carrier.index import NAME, format_facts, gather_facts

(ROOT,) = carriers.__path__
FILE = Path(ROOT) / NAME


def list_lines() -> list[str]:
    """What the index should say."""
    return [format_facts(gather_facts(registry.get(slug))) for slug in sorted(registry._find_folders())]


def main() -> None:
    text = "".join(list_lines())
    if not FILE.is_file() or FILE.read_text("utf-8") != text:
        FILE.write_text(text, "utf-8")
        print(f"written: {FILE}")


if __name__ == "__main__":
    main()
