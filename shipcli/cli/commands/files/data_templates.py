"""`shipcli import templates`: which columns of somebody's file fill which of our fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shipcli.cli.arguments.bodies import Data, File, check_body, read_body
from shipcli.cli.commands.files.import_file import check_choice
from shipcli.cli.console.output import show, show_list
from shipcli.cli.console.prompts import would
from shipcli.cli.console.stderr import note
from shipcli.cli.current_run import get_run
from shipcli.cli.flows.for_each import is_agreed
from shipcli.cli.usage_errors import Usage
from shipcli.features.files import data_templates
from shipcli.models import data_template
from shipcli.readers import guessing, ready_made, tables
from shipcli.readers import headers as readers_headers

if TYPE_CHECKING:
    from shipcli.models.data_template import DataTemplate

TEMPLATE_COLUMNS = ("slug", "name", "resource_type", "id", "description")
ACTIONS = ("list", "get", "create", "update", "delete")


def templates(
    action: Annotated[str, typer.Argument(metavar="ACTION", help="list, get, create, update or delete.")],
    slug: Annotated[str | None, typer.Argument(metavar="[SLUG]", help="Which template.")] = None,
    name: Annotated[str | None, typer.Option("--name", help="Name, up to 50 characters.")] = None,
    description: Annotated[str | None, typer.Option("--description", help="Description.")] = None,
    type: Annotated[
        str | None, typer.Option("--type", metavar="TYPE", help="orders, shipments, trackers or billing.")
    ] = None,
    like: Annotated[
        str | None, typer.Option("--like", metavar="SLUG", help="Start from a copy of this template.")
    ] = None,
    field: Annotated[
        list[str] | None,
        typer.Option("--field", metavar="FIELD=HEADER", help="Column of a field; FIELD= removes it."),
    ] = None,
    for_file: Annotated[
        Path | None,
        typer.Option("--for", metavar="FILE", help="Start from the column names of this file."),
    ] = None,
    data: Data = None,
    from_file: File = None,
) -> None:
    """Manage data templates: which columns of a file fill which fields.

    Examples:
    shipcli import templates get shopify
    shipcli import templates create till --type shipments --for own.csv
    """
    check_choice("import templates", action, ACTIONS)
    if action != "list" and not slug:
        raise Usage(f"say which template to {action}: shipcli import templates {action} SLUG")
    options = {"name": name, "description": description, "resource_type": type}
    if action == "list":
        _list_templates()
    elif action == "create":
        _create_template(str(slug), options, _choose_start(like, for_file, type), field, data, from_file)
    elif action == "update":
        _update_template(str(slug), options, field, data, from_file)
    else:
        _show_or_delete(action, str(slug))


def _list_templates() -> None:
    show_list(data_templates.list_templates(get_run().app), TEMPLATE_COLUMNS)


def _show_or_delete(action: str, slug: str) -> None:
    """Show one, or delete it after asking."""
    app = get_run().app
    if action == "get":
        show(data_templates.get_template(app, slug))
        return
    if is_agreed(f"delete the data template {data_templates.read_stored_template(app, slug).slug}"):
        show(data_templates.discard_template(app, slug))


def _create_template(
    slug: str,
    options: Mapping[str, Any],
    base: Mapping[str, Any],
    fields: Sequence[str] | None,
    data: Sequence[str] | None,
    file: str | None,
) -> None:
    body = {
        "name": slug,
        "resource_type": "orders",
        **base,
        **_read_body(options, fields, data, file),
        "slug": slug,
    }
    body["fields_mapping"] = _merge_mapping(base, body)
    template = check_body(data_template.DataTemplateData, body)
    if slug in ready_made.list_ready_made():
        note(f"--map {slug} is this one from now on, not the ready-made {slug}")
    if not would(f"store the data template {slug}"):
        show(data_templates.create_template(get_run().app, template))


def _choose_start(like: str | None, for_file: Path | None, resource_type: str | None) -> dict[str, Any]:
    """What a new template begins with: another one, or the columns of a file as far as their names say."""
    if like:
        return _copy_base(data_templates.get_template(get_run().app, like))
    if for_file is None:
        return {}

    check_choice("--type", resource_type, tuple(readers_headers.READ))
    headers = tables.DataFile.open(for_file).headers
    slug = ready_made.recognise_shop(headers) if resource_type in (None, "orders") else None
    if slug:
        note(f"these are the headings of {slug}: the template begins as a copy of that one")
        return _copy_base(data_templates.get_template(get_run().app, slug))
    mapping = guessing.guess_columns(headers, resource_type or "orders")
    used = {part for header in mapping.values() for part in (header, *header.split(data_template.JOINED))}
    left = [name for name in headers if name and name not in used]
    if left:
        note(
            f"not used: {', '.join(left)}; shipcli import templates update SLUG --field FIELD=COLUMN adds one"
        )
    return {"fields_mapping": mapping}


def _copy_base(template: DataTemplate) -> dict[str, Any]:
    """What a copy takes over."""
    plain = template.model_dump()
    return {key: plain[key] for key in ("description", "resource_type", "fields_mapping", "rows", "metadata")}


def _merge_mapping(base: Mapping[str, Any], body: Mapping[str, Any]) -> dict[str, Any]:
    mapping = {**base.get("fields_mapping", {}), **(body.get("fields_mapping") or {})}
    return {name: source for name, source in mapping.items() if source is not None}


def _update_template(
    slug: str,
    options: Mapping[str, Any],
    fields: Sequence[str] | None,
    data: Sequence[str] | None,
    file: str | None,
) -> None:
    app = get_run().app
    patch = check_body(data_template.DataTemplatePatch, _read_body(options, fields, data, file))
    template = data_templates.read_stored_template(app, slug)
    changes = ", ".join(patch.model_dump(exclude_unset=True)) or "nothing"
    if not would(f"change {changes} of the data template {template.slug}"):
        show(data_templates.update_template(app, slug, patch))


def _read_body(
    options: Mapping[str, Any], fields: Sequence[str] | None, data: Sequence[str] | None, file: str | None
) -> dict[str, Any]:
    """The body of a template from file, `-d` and options."""
    body = read_body(options, data, file)
    mapping = dict(body.get("fields_mapping") or {})
    for item in fields or ():
        name, sign, header = item.partition("=")
        if not sign or not name:
            raise Usage(f"--field {item}: write FIELD=HEADER")
        mapping[name] = header or None
    return {**body, "fields_mapping": mapping} if mapping else body
