"""`shipcli demo`: the main job, on a sample file, in a sandbox that is thrown away."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shipcli import bootstrap
from shipcli.cli.console.files import write_whole
from shipcli.cli.console.output import show, show_list
from shipcli.cli.console.prompts import would
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.verbs import Verbs
from shipcli.features.files import writing
from shipcli.features.sandbox import demo as sandbox_demo

if TYPE_CHECKING:
    from shipcli.features.sandbox.demo import Demo

verb = Verbs()
FOLDER, LABELS, SUMMARY_FILE = Path("shipcli-demo"), "labels.pdf", "summary.csv"
COLUMNS = ("row", "reference", "carrier", "service", "total_charge", "currency", "tracking_number", "status",
           "page")  # fmt: skip


@verb
def demo(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder for the files.")] = FOLDER,
) -> None:
    """Buy labels for a sample file, simulated and offline.

    Examples:
    shipcli demo
    shipcli demo --out trial
    """
    if would(f"write {out / LABELS} and {out / SUMMARY_FILE}"):
        return
    with bootstrap.open_throwaway() as app:
        done = sandbox_demo.run_demo(app)
    out.mkdir(parents=True, exist_ok=True)
    write_files(out, done)
    tell(out, done)
    raise typer.Exit(9 if done.failed else 0)


def write_files(out: Path, done: Demo) -> None:
    write_whole(out / LABELS, done.labels)
    writing.write_table(out / SUMMARY_FILE, sandbox_demo.SUMMARY, [page.to_dict() for page in done.pages])


def tell(out: Path, done: Demo) -> None:
    rows = [page.to_dict() for page in done.pages]
    if get_run().options.format in ("json", "yaml"):
        show({**gather_facts(out, done), "pages": rows})
    else:
        show_list(rows, COLUMNS)
    shipments = len({page.shipment_id for page in done.pages})
    carriers = sorted({str(page.carrier) for page in done.pages})
    note(
        f"{shipments} shipments, {done.rated} prices compared, bought from {', '.join(carriers)} (simulated)"
    )
    note(f"tracked {done.tracked}: {done.tracked_status}; voided {done.voided}, whose page says VOID")
    note(f"labels: {out / LABELS}   summary: {out / SUMMARY_FILE}")
    note("next: shipcli --sandbox import shipments FILE --buy cheapest --merge out.pdf")
    note("with your own accounts: shipcli setup")


def gather_facts(out: Path, done: Demo) -> dict[str, Any]:
    return {
        "labels": str(out / LABELS),
        "summary": str(out / SUMMARY_FILE),
        "shipments": len({page.shipment_id for page in done.pages}),
        "rates_compared": done.rated,
        "tracked": {"tracking_number": done.tracked, "status": done.tracked_status},
        "voided": done.voided,
        "failed": [row.to_dict() for row in done.failed],
    }
