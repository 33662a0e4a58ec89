"""The program, with the ledger of its simulated carriers apart from the store: `... LEDGER WORDS`.

No fault of a database reaches a carrier: what it has sold stays sold.
"""

from __future__ import annotations

import sys
from pathlib import Path

from shipcli import bootstrap
from shipcli.cli.main import main


def use_ledger(ledger: Path) -> None:
    """Have the carriers of this process write into this file."""
    bootstrap.choose_ledger_place = lambda place, *, sandbox: ledger


if __name__ == "__main__":
    use_ledger(Path(sys.argv.pop(1)))
    sys.exit(main())
