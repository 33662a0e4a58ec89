"""What tests want of a sandbox: `shipcli sandbox fault | requests | inbox | expect`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from shipcli.cli.console.output import show, show_list
from shipcli.cli.console.stderr import note
from shipcli.cli.gateway import ask
from shipcli.cli.verbs import Verbs
from shipcli.features.sandbox import evidence, faults
from shipcli.models import Invalid, json
from shipcli.models.sandbox_faults import ExpectData, FaultProfileData, FaultRuleData

verb = Verbs()
FAULT_COLUMNS = ("id", "match", "carrier", "scenario", "status", "webhook", "seen", "injected")
REQUEST_COLUMNS = ("method", "path", "status", "injected", "at")
INBOX_COLUMNS = ("type", "status", "attempt", "ok", "url", "at")
ACTIONS = ("list", "add", "remove", "profile")
Text = str | None


@verb
def fault(
    action: Annotated[str, typer.Argument(metavar="list|add|remove|profile", help="What to do.")] = "list",
    value: Annotated[
        Text, typer.Argument(metavar="MATCH|ID|NAME", help="Requests as in logs, a rule or `all`, a profile.")
    ] = None,
    subject: Annotated[
        Text, typer.Argument(metavar="[CARRIER]", help="The carrier of the profile carrier-down.")
    ] = None,
    carrier: Annotated[
        Text, typer.Option("--carrier", metavar="SLUG", help="Calls of this carrier, `*` for any.")
    ] = None,
    scenario: Annotated[
        Text, typer.Option("--scenario", metavar="NAME", help="Requests in this scenario.")
    ] = None,
    every: Annotated[int | None, typer.Option("--every", metavar="N", help="Every n-th of them.")] = None,
    times: Annotated[int | None, typer.Option("--times", metavar="N", help="The first n of them.")] = None,
    probability: Annotated[
        float | None, typer.Option("--probability", metavar="P", help="Some of them by chance, 0 to 1.")
    ] = None,
    chance: Annotated[int, typer.Option("--chance", metavar="SEED", help="Which ones: the same again.")] = 0,
    status: Annotated[
        int | None, typer.Option("--status", metavar="STATUS", help="Answer with this status.")
    ] = None,
    body: Annotated[
        Text, typer.Option("--body", metavar="TEXT", help="Answer with this body, JSON or not.")
    ] = None,
    retry_after: Annotated[
        int | None, typer.Option("--retry-after", metavar="SECONDS", help="Answer with 429 and Retry-After.")
    ] = None,
    latency: Annotated[float, typer.Option("--latency", metavar="SECONDS", help="Wait before it.")] = 0.0,
    drip: Annotated[
        int | None, typer.Option("--drip", metavar="BYTES", help="Send so many bytes a second.")
    ] = None,
    drop: Annotated[bool, typer.Option("--drop", help="Hang up without an answer.")] = False,
    lost: Annotated[bool, typer.Option("--lost", help="Do it, and hang up without an answer.")] = False,
    cut: Annotated[bool, typer.Option("--cut", help="Send half of the answer.")] = False,
    content_type: Annotated[
        Text, typer.Option("--content-type", metavar="TYPE", help="Send it as another type.")
    ] = None,
    stale: Annotated[bool, typer.Option("--stale", help="Answer reads as the first time.")] = False,
    webhook: Annotated[
        Text,
        typer.Option(
            "--webhook",
            metavar="KIND",
            help="duplicate, delayed, reordered, bad_signature or receiver_down.",
        ),
    ] = None,
) -> None:
    """Inject faults into the answers of a sandbox.

    Profiles are flaky-5, peak-season, carrier-down, slow-3g and poison. Answers name the rule in
    X-Sandbox-Injected.

    Examples:
    shipcli sandbox fault add "POST /v1/shipments" --status 503 --times 2
    shipcli sandbox fault profile carrier-down ups
    shipcli sandbox fault remove all
    """
    match action:
        case "list":
            show_list(ask(faults.list_rules), FAULT_COLUMNS)
        case "remove" if value == "all":
            show_list(ask(faults.clear_rules), FAULT_COLUMNS)
        case "remove":
            show(ask(faults.remove_rule, _require(value, "which rule, or `all`")), FAULT_COLUMNS)
        case "profile":
            name = _require(value, f"which profile: {', '.join(faults.PROFILES)}")
            profile = FaultProfileData(name=name, carrier=subject or carrier, seed=chance)
            show_list(ask(faults.apply_profile, profile), FAULT_COLUMNS)
        case "add":
            facts: dict[str, Any] = {
                "match": value, "carrier": carrier, "scenario": scenario, "every": every, "times": times,
                "probability": probability, "seed": chance, "status": status, "body": _read_body(body),
                "retry_after": retry_after, "latency": latency, "drip": drip, "drop": drop,
                "lost": lost, "cut": cut,
                "content_type": content_type, "stale": stale, "webhook": webhook,
            }  # fmt: skip
            show(ask(faults.add_rule, FaultRuleData.model_validate(facts)), FAULT_COLUMNS)
        case _:
            raise Invalid("action", f"{action!r} is not one of {', '.join(ACTIONS)}")


def _require(value: str | None, what: str) -> str:
    if not value:
        raise Invalid("value", f"say {what}")
    return value


def _read_body(text: str | None) -> Any:
    """A body as JSON, else as the text that it is."""
    try:
        return json.loads(text) if text else None
    except ValueError:
        return text


@verb
def requests(
    path: Annotated[Text, typer.Argument(metavar="[PATH]", help="A path, with * for any part.")] = None,
    method: Annotated[Text, typer.Option("--method", metavar="METHOD", help="Of this method.")] = None,
    status: Annotated[Text, typer.Option("--status", metavar="STATUS", help="Answered so: 404, 4xx.")] = None,
    clear: Annotated[bool, typer.Option("--clear", help="Forget them all.")] = False,
) -> None:
    """List the requests that the sandbox was sent, oldest first.

    Examples:
    shipcli sandbox requests "/v1/shipments/*" --method POST
    shipcli sandbox requests --clear
    """
    if clear:
        show(ask(evidence.clear_requests))
        return
    show_list(ask(evidence.list_requests, method=method, path=path, status=status), REQUEST_COLUMNS)


@verb
def inbox(
    type: Annotated[Text, typer.Argument(metavar="[TYPE]", help="Webhooks of this event.")] = None,
    object_id: Annotated[
        Text, typer.Option("--object", metavar="ID", help="About this object, number or reference.")
    ] = None,
) -> None:
    """List the webhooks that the sandbox has sent, oldest first.

    Examples:
    shipcli sandbox inbox tracker_updated
    shipcli sandbox inbox --object SO-1 --json
    """
    show_list(ask(evidence.list_inbox, type=type, object_id=object_id), INBOX_COLUMNS)


@verb
def expect(
    lines: Annotated[list[str], typer.Argument(metavar="REQUEST...", help='As "POST /v1/shipments".')],
    times: Annotated[
        int | None, typer.Option("--times", metavar="N", help="How often each of them came.")
    ] = None,
    nothing_else: Annotated[bool, typer.Option("--nothing-else", help="And no other request.")] = False,
) -> None:
    """Compare the requests that came with those that a test expects, in this order.

    The exit code is 1 and stderr has the difference if they are others.

    Examples:
    shipcli sandbox expect "POST /v1/shipments" --times 1
    shipcli sandbox expect "POST /v1/orders" "GET /v1/orders*" --nothing-else
    """
    data = ExpectData(requests=lines, times=times, nothing_else=nothing_else)
    answer = ask(evidence.check_expectation, data)
    show(answer, ("met", "expected", "requests", "diff"))
    if not answer["met"]:
        for line in answer["diff"]:
            note(line)
        raise typer.Exit(1)
