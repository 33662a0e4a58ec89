"""`shipcli webhooks`."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated, Any

import typer

from shipcli import models
from shipcli.cli.arguments.bodies import Data, File, check_body, read_body, read_free_body
from shipcli.cli.arguments.listing import Every, Limit
from shipcli.cli.arguments.selectors import Id, remember, select, select_one
from shipcli.cli.console.formats import split_names
from shipcli.cli.console.output import MOST_COUNTED, show, show_first, show_list
from shipcli.cli.console.prompts import would
from shipcli.cli.console.stderr import note
from shipcli.cli.gateway import ask
from shipcli.cli.help_pages import say_field
from shipcli.cli.stored_noun_table import WEBHOOKS, mask_secret
from shipcli.cli.verbs import Verbs
from shipcli.features.sandbox import tools
from shipcli.features.webhooks import service as webhooks
from shipcli.models import sandbox as bodies
from shipcli.models.basics.enums import EVENT_NAMES
from shipcli.models.basics.errors import Unreachable

COLUMNS = WEBHOOKS.columns
DELIVERY_COLUMNS = ("at", "webhook_id", "event_id", "type", "attempt", "ok", "status", "latency_ms",
                    "error", "response")  # fmt: skip

Text = str | None


@dataclass(frozen=True)
class WebhookOptions:
    """The fields of a webhook."""

    url: Annotated[Text, typer.Option("--url", metavar="URL", help=say_field("Webhook.url"))] = None
    events: Annotated[
        Text, typer.Option("--events", metavar="A,B", help=f"One or more of {', '.join(EVENT_NAMES)}.")
    ] = None
    description: Annotated[Text, typer.Option("--description", help=say_field("Webhook.description"))] = None

    def list_fields(self, disabled: bool | None) -> dict[str, Any]:
        """The fields by name, None for those not given."""
        enabled = None if self.events is None else split_names(self.events)
        return {
            "url": self.url,
            "enabled_events": enabled,
            "description": self.description,
            "disabled": disabled,
        }


verb = Verbs()


@verb
def create(
    webhook: WebhookOptions,
    disabled: Annotated[
        bool | None, typer.Option("--disabled", help="Send nothing until it is enabled.")
    ] = None,
    data: Data = None,
    from_file: File = None,
) -> None:
    """Send events to a web address; the signing secret is shown.

    Examples:
    shipcli webhooks create --url https://example.com/hooks --events all
    shipcli webhooks create --url https://example.com/t --events tracker_updated
    """
    body = check_body(models.WebhookData, read_body(webhook.list_fields(disabled), data, from_file))
    if would(f"send {', '.join(body.enabled_events) or 'no events'} to {body.url}"):
        return
    made = ask(webhooks.create_webhook, body)
    remember("webhook", made.id)
    show(made)


@verb
def update(
    id: Id,
    webhook: WebhookOptions,
    disabled: Annotated[
        bool | None,
        typer.Option(
            "--disable/--enable", help="Stop or start sending; starting resets the count of failures."
        ),
    ] = None,
    data: Data = None,
    from_file: File = None,
) -> None:
    """Change a webhook, or enable it again.

    Examples:
    shipcli webhooks update @last --events tracker_updated,order_created
    shipcli webhooks update @last --disable
    """
    patch = check_body(models.WebhookPatch, read_body(webhook.list_fields(disabled), data, from_file))
    chosen = select_one("webhook", id)
    if not would(
        f"change {', '.join(patch.model_dump(exclude_unset=True)) or 'nothing'} of webhook {chosen}"
    ):
        show(mask_secret(ask(webhooks.update_webhook, chosen, patch).model_dump()))


@verb("test")
def try_out(id: Id, data: Data = None, from_file: File = None) -> None:
    """Send a test event, built from -d key=value, and show the response.

    Examples:
    shipcli webhooks test @last
    shipcli webhooks test @last -d order=1042
    """
    chosen = select_one("webhook", id)
    payload = read_free_body(data, from_file) if data or from_file else {"message": "a trial of this webhook"}
    url = ask(webhooks.get_webhook, chosen).url
    if would(f"send a trial body to {url}"):
        return
    sent = ask(webhooks.try_webhook, chosen, models.WebhookTestData(payload=payload))
    show({"operation": "Test Webhook", "url": url, **asdict(sent)})
    raise typer.Exit(0 if sent.success else Unreachable.exit_code)


@verb
def deliveries(
    id: Annotated[Text, typer.Argument(metavar="[ID]", help="A webhook; by default all.")] = None,
    failed: Annotated[bool, typer.Option("--failed", help="Only failed attempts.")] = False,
    limit: Limit = 20,
    every: Every = False,
) -> None:
    """List the newest delivery attempts.

    Examples:
    shipcli webhooks deliveries
    shipcli webhooks deliveries @last --failed --json
    """
    chosen = select_one("webhook", id) if id else None
    most = None if every else limit + MOST_COUNTED
    rows = ask(tools.list_deliveries, webhook_id=chosen, failed=failed, limit=most)
    show_first(rows, len(rows) if every else limit, DELIVERY_COLUMNS)


@verb
def replay(
    id: Id,
    events: Annotated[list[str] | None, typer.Argument(metavar="[EVENT...]", help="Ids of events.")] = None,
    since: Annotated[
        Text, typer.Option("--since", metavar="DATE", help="Only events since this date or time.")
    ] = None,
) -> None:
    """Deliver events again: the named ones, else those missed since the last success.

    Examples:
    shipcli webhooks replay @last
    shipcli webhooks replay @last --since 2026-11-01
    """
    chosen = select_one("webhook", id)
    if since:
        tools.read_instant(since)
    named = select("event", events) if events else []
    if would(f"deliver {', '.join(named) or 'the missed events'} to webhook {chosen} again"):
        return
    queued = ask(tools.replay_events, chosen, bodies.ReplayData(events=list(named), since=since))
    show_list(queued, ("event_id",))
    note(f"{len(queued)} will be delivered by the worker: shipcli worker --once")
