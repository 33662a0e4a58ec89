"""The commands that every stored noun has, made from its description: list, get and delete.

The options of a list are the rows of the noun's table of filters, those that the API takes as well.
"""

from __future__ import annotations

from importlib import import_module
from inspect import Parameter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shipcli.cli.arguments import list_names
from shipcli.cli.arguments.listing import Every, Limit, Offset, Paging, Sort, show_page
from shipcli.cli.arguments.selectors import Ids, select
from shipcli.cli.console.cells import Raw, convert_to_plain
from shipcli.cli.console.output import show_each
from shipcli.cli.console.stderr import warn
from shipcli.cli.current_run import get_run
from shipcli.cli.flows.for_each import is_agreed, run_each
from shipcli.cli.gateway import ask
from shipcli.cli.help_pages import write_docstring
from shipcli.cli.stored_noun_table import Removal, StoredNoun
from shipcli.cli.verbs import Command, set_parameters
from shipcli.features.core import filters as core_filters
from shipcli.gateway import where as gateway_where
from shipcli.models.basics.errors import NotFound

if TYPE_CHECKING:
    from shipcli.features.core.filters import FilterRule, Rules


def load(path: str) -> Any:
    """What `module.name` below `shipcli` names."""
    module, _, name = path.rpartition(".")
    return getattr(import_module(f"shipcli.{module}"), name)


def make_command(noun: StoredNoun, verb: str) -> Command:
    """The command of a noun with one of its `verbs`."""
    fields = ",".join(noun.columns[1:3])
    if verb == "list":
        command, sentence = _make_list(noun), f"List the {noun.name}, newest first."
        examples = noun.examples
    elif verb == "get":
        command, sentence = _make_get(noun), f"Show {noun.name}."
        examples = ("@last", f"@last --json={fields}")
    else:
        assert noun.removal
        command, sentence = _make_removal(noun, noun.removal), f"{verb.capitalize()} {noun.name}."
        examples = ("@last", "@last --dry-run")
    lines = [f"shipcli {noun.name} {verb} {words}" for words in examples]
    command.__doc__ = write_docstring(noun.help.get(verb, sentence), lines)
    return command


def _make_list(noun: StoredNoun) -> Command:
    rules: Rules = load(noun.filters) if noun.filters else {}

    def run(
        limit: int, offset: int, every: bool, sort: str | None, reveal: bool = False, **filters: Any
    ) -> None:
        where = gateway_where.make_where(
            rules, filters, load(noun.alone)() if noun.alone else gateway_where.EVERYTHING
        )
        change, hide = noun.change, noun.secrets and noun.secrets.hide
        if noun.secrets and reveal:
            change, hide = noun.secrets.reveal, None
        paging = Paging(limit, offset, every, sort, oldest=noun.lists_oldest_first(filters))
        if not show_page(noun.kind, where, noun.columns, paging, change=change, hide=hide):
            list_names.note_unknown_names(filters)

    options = [*(_filter_option(name, rule) for name, rule in rules.items()), *_reveal(noun), *_PAGING]
    return set_parameters(run, options)


def _make_get(noun: StoredNoun) -> Command:
    def run(ids: list[str], reveal: bool = False) -> None:
        objects = [_read(noun, object_id) for object_id in select(noun.kind, ids)]
        hide = noun.secrets.hide if noun.secrets and not reveal else None
        shown = [hide(convert_to_plain(document)) for document in objects] if hide else objects
        show_each(shown, noun.columns, load(noun.card) if noun.card else None)

    return set_parameters(run, [_IDS, *_reveal(noun)])


def _read(noun: StoredNoun, id: str) -> Any:
    """Read an object; one of this machine that is shown as it is stored is read directly, which is quicker.

    Errors: NotFound.
    """
    run = get_run()
    if noun.is_shown_as_stored and not run.api_url:
        text = run.app.store.raw(noun.kind, id, run.app.test_mode)
        if text is not None:
            return Raw(text)
    if not noun.get:
        raise NotFound(noun.kind, id)
    return ask(load(noun.get), id)


def _make_removal(noun: StoredNoun, removal: Removal) -> Command:
    def run(ids: list[str]) -> None:
        chosen, columns = select(noun.kind, ids), removal.columns or noun.columns
        names = {
            object_id: removal.describe.format_map(convert_to_plain(_read(noun, object_id)))
            for object_id in chosen
        }
        what = f"{removal.verb} {noun.kind} {', '.join(names.values())}"
        if not chosen or is_agreed(what):
            run_each(
                chosen,
                lambda object_id: _remove(noun, removal, object_id),
                lambda gone: show_each(gone, columns),
                name=lambda object_id: names[object_id],
            )

    return set_parameters(run, [_IDS])


def _remove(noun: StoredNoun, removal: Removal, id: str) -> dict[str, Any]:
    gone = {"id": id, **ask(load(removal.use), id).model_dump()}
    if noun.kind == "connection":
        for message in gone.pop("messages", ()):
            warn(message["message"])
    return noun.secrets.hide(gone) if noun.secrets and not removal.columns else gone


# -- parameters ------------------------------------------------------------------------------------


def _make_parameter(name: str, annotation: Any, default: Any = Parameter.empty) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _filter_option(name: str, rule: FilterRule) -> Parameter:
    """The option of a filter; its names are the rule's, or made from the filter's name."""
    kind: Any = bool if rule.type == core_filters.FLAG else list[str] if rule.several else str
    names = rule.option or (f"--{name.replace('_', '-')}",)
    shown = (
        "DATE" if rule.type == core_filters.MOMENT else name.removesuffix("_name").rpartition("_")[2].upper()
    )
    metavar = None if rule.type == core_filters.FLAG else shown
    words = (lambda incomplete: list(rule.words)) if rule.words else None
    option = typer.Option(*names, metavar=metavar, help=rule.help, autocompletion=words)
    return _make_parameter(name, Annotated[kind | None, option], None)


def _reveal(noun: StoredNoun) -> list[Parameter]:
    if noun.secrets is None:
        return []
    option = typer.Option("--reveal", help=noun.secrets.help)
    return [_make_parameter("reveal", Annotated[bool, option], False)]


_IDS = _make_parameter("ids", Ids)
_PAGING = (
    _make_parameter("limit", Limit, 20),
    _make_parameter("offset", Offset, 0),
    _make_parameter("every", Every, False),
    _make_parameter("sort", Sort, None),
)
