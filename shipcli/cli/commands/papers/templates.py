"""`shipcli templates`: the templates that documents are made of."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from shipcli import models
from shipcli.cli.arguments.bodies import Data, File, check_body, read_body
from shipcli.cli.arguments.paper import Out
from shipcli.cli.arguments.selectors import Id, remember, select, select_one
from shipcli.cli.commands.papers.documents import OfOrders, OfShipments, read_text
from shipcli.cli.console.files import check_output, write_file
from shipcli.cli.console.output import show
from shipcli.cli.console.prompts import would
from shipcli.cli.current_run import get_run
from shipcli.cli.gateway import ask
from shipcli.cli.help_pages import say_field
from shipcli.cli.stored_noun_table import TEMPLATES
from shipcli.cli.usage_errors import Usage
from shipcli.cli.verbs import Verbs
from shipcli.features.paper import documents, templates

COLUMNS = TEMPLATES.columns


verb = Verbs()

Text = str | None


@dataclass(frozen=True)
class TemplateOptions:
    """The fields of a template."""

    name: Annotated[Text, typer.Option("--name", help=say_field("DocumentTemplate.name"))] = None
    slug: Annotated[Text, typer.Option("--slug", help=say_field("slug"))] = None
    html: Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Template file.")] = None
    related_object: Annotated[
        Text, typer.Option("--related-object", metavar="KIND", help="shipment, order or other.")
    ] = None

    def list_fields(self) -> dict[str, Any]:
        """The fields by name, None for those not given.

        Errors: Usage if the file can't be read.
        """
        text = read_text(self.html) if self.html else None
        return {
            "name": self.name,
            "slug": self.slug,
            "template": text,
            "related_object": self.related_object,
        }


@verb
def create(
    template: TemplateOptions,
    ready: Annotated[
        Text, typer.Option("--ready", metavar="SLUG", help="Start from shipping_label or commercial_invoice.")
    ] = None,
    data: Data = None,
    from_file: File = None,
) -> None:
    """Store a template.

    Examples:
    shipcli templates create --ready commercial_invoice --slug eu --name Invoice
    shipcli templates create --name Slip --slug slip --html slip.html
    """
    fields = {**_find_ready_made(ready), **read_body(template.list_fields(), data, from_file)}
    body = check_body(models.DocumentTemplateData, fields)
    if would(f"store the template {body.slug}"):
        return
    made = ask(templates.create_template, body)
    remember("template", made.id)
    show(made, COLUMNS)


def _find_ready_made(slug: Text) -> dict[str, Any]:
    """What a ready-made template says."""
    if slug is None:
        return {}
    template = templates.find_ready_made(get_run().app, slug).model_dump()
    return {key: value for key, value in template.items() if key not in ("id", "object_type")}


@verb
def update(
    id: Id,
    template: TemplateOptions,
    data: Data = None,
    from_file: File = None,
) -> None:
    """Change fields of a template.

    Examples:
    shipcli templates update shelf_label --html slip.html
    shipcli templates update shelf_label --name "Shelf label, new"
    """
    chosen = select_one("template", id)
    patch = check_body(models.DocumentTemplatePatch, read_body(template.list_fields(), data, from_file))
    if not would(f"change the template {chosen}"):
        show(ask(templates.update_template, chosen, patch), COLUMNS)


@verb
def preview(id: Id, shipment: OfShipments = None, order: OfOrders = None, output: Out = None) -> None:
    """Render a template with sample data, or with your own shipments or orders.

    Examples:
    shipcli templates preview shelf_label -o preview.pdf
    shipcli templates preview shelf_label --shipment 1002 -o preview.pdf
    """
    if output is None:
        raise Usage("say where the preview goes: -o preview.pdf")
    check_output(output, (".pdf",))
    template = ask(templates.get_template, select_one("template", id))
    named = {
        "shipments": ",".join(select("shipment", shipment)) if shipment else documents.SAMPLE,
        "orders": ",".join(select("order", order)) if order else documents.SAMPLE,
    }
    if not would(f"write {output}"):
        write_file(output, ask(documents.render_template, template, named))
