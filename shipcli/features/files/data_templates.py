"""Data templates: saved column mappings of files, beside the ready-made ones."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from shipcli.features.core.merge import merge_keys
from shipcli.models import Conflict, Invalid, NotFound, find_nearest
from shipcli.models.data_template import DataTemplate, DataTemplateData, DataTemplatePatch, FieldSource
from shipcli.readers import transforms
from shipcli.readers.headers import READ
from shipcli.readers.mapping import MappedFile, Products
from shipcli.readers.ready_made import list_ready_made, make_shipment_template
from shipcli.readers.tables import DataFile

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.store.queries import Reader

KIND = "data_template"


def create_template(app: App, data: DataTemplateData) -> DataTemplate:
    """Create a template; it takes precedence over a ready-made one with the same slug.

    Errors: Invalid for a taken slug, an unknown field or transform.
    """
    made = {"id": app.new_id("data_"), "created_at": app.now().isoformat()}
    template = DataTemplate.model_validate({**data.model_dump(), **made})
    check(template)
    with app.store.transaction() as tx:
        check_free(tx, template)
        tx.put(KIND, template.model_dump())
    return template


def get_template(app: App, word: str) -> DataTemplate:
    """A template by slug or id, stored or ready-made.

    Errors: NotFound naming the nearest.
    """
    templates = {template.slug: template for template in list_templates(app)}
    by_id = {template.id: template for template in templates.values()}
    template = templates.get(word) or by_id.get(word)
    if template is None:
        near = find_nearest(word, templates)
        hint = f" Did you mean {near}?" if near else f" Known: {', '.join(sorted(templates))}."
        raise NotFound("data template", word, message=f"There is no data template {word!r}.{hint}")
    return template


def list_templates(app: App) -> list[DataTemplate]:
    """The stored templates, newest first, then the ready-made ones that none of them replaces."""
    stored = [DataTemplate.model_validate(document) for document in app.store.each(KIND)]
    taken = {template.slug for template in stored}
    return [*stored, *(template for slug, template in list_ready_made().items() if slug not in taken)]


def list_constants(app: App, fields: Collection[str]) -> set[str]:
    """The values that the stored templates give these fields by themselves."""
    templates = [DataTemplate.model_validate(document) for document in app.store.each(KIND)]
    sources = (template.fields_mapping.get(name) for template in templates for name in fields)
    filled = (source for source in sources if isinstance(source, FieldSource))
    return {value for source in filled for value in (source.constant, source.default) if value}


def update_template(app: App, word: str, data: DataTemplatePatch) -> DataTemplate:
    """Change the given fields of a stored template; fields and metadata are merged, null removes one.

    Errors: NotFound; Conflict for a ready-made one; Invalid as at its creation.
    """
    changes, objects = data.model_dump(exclude_unset=True), ("fields_mapping", "metadata")
    with app.store.transaction() as tx:
        current = read_stored_template(app, word)
        merged = {
            name: merge_keys(current.model_dump()[name], changes[name]) for name in objects if name in changes
        }
        changed = DataTemplate.model_validate({**current.model_dump(), **changes, **merged})
        check(changed)
        check_free(tx, changed)
        tx.put(KIND, changed.model_dump())
    return changed


def discard_template(app: App, word: str) -> DataTemplate:
    """Remove a stored template.

    Errors: NotFound; Conflict for a ready-made one.
    """
    template = read_stored_template(app, word)
    with app.store.transaction() as tx:
        tx.delete(KIND, template.id)
    return template


def read_stored_template(app: App, word: str) -> DataTemplate:
    """Errors: NotFound; Conflict for a ready-made one, which comes with the program."""
    template = get_template(app, word)
    if app.store.raw(KIND, template.id) is None:
        slug = template.slug
        raise Conflict(f"The template {slug} comes with the program: make one of your own with --like {slug}")
    return template


def check_free(reader: Reader, template: DataTemplate) -> None:
    """Errors: Invalid when another stored template has the slug."""
    rows = reader.select("data_templates", {"slug": template.slug})
    if any(row["id"] != template.id for row in rows):
        raise Invalid("slug", f"There is a data template {template.slug!r} already.")


def check(template: DataTemplate) -> None:
    """Errors: Invalid naming every unknown field and transform, and every field without a source."""
    fields = READ[template.resource_type]
    problems: list[tuple[str, str]] = []
    for name, source in template.fields_mapping.items():
        if name.partition(".")[0] not in fields:
            near = find_nearest(name, fields)
            hint = f"did you mean {near}?" if near else f"known: {', '.join(fields)}"
            problems.append((f"fields_mapping.{name}", f"is not a field of {template.resource_type}; {hint}"))
        elif isinstance(source, FieldSource):
            problems += ((f"fields_mapping.{name}", reason) for reason in _list_problems(source))
    if problems:
        raise Invalid.many(problems)


def _list_problems(source: FieldSource) -> list[str]:
    problems = []
    if not source.headers and source.constant is None and source.default is None:
        problems.append("names neither a header nor a constant or default")
    for transform in source.transforms:
        try:
            transforms.check(transform)
        except Invalid as error:
            problems.append(error.problems[0].reason)
    return problems


# -- files -----------------------------------------------------------------------------------------


def map_file(
    app: App,
    table: DataFile,
    resource_type: str,
    *,
    template: str | DataTemplate | None = None,
    constants: Mapping[str, str] | None = None,
    products: Products | None = None,
    is_exact: bool = False,
) -> MappedFile:
    """A file as a template, given by its name or whole, makes it; without one its columns have the default
    headers.

    Errors: Invalid, on `data_template`, for an unknown template or one of another resource type; on `set` for
            an unknown field.
    """
    chosen = find_for(app, resource_type, template) if isinstance(template, str) else template
    values = {find_field(resource_type, name, "set"): value for name, value in (constants or {}).items()}
    return MappedFile(table, resource_type, chosen, values, products or {}, is_exact=is_exact)


def find_for(app: App, resource_type: str, word: str) -> DataTemplate:
    """A template by name for files of a resource type; one for orders also serves shipments.

    Errors: Invalid on `data_template`.
    """
    try:
        template = get_template(app, word)
    except NotFound as error:
        raise Invalid("data_template", error.message) from None
    if template.resource_type == resource_type:
        return template
    if (template.resource_type, resource_type) == ("orders", "shipments"):
        return make_shipment_template(template)
    text = f"The data template {template.slug} is for {template.resource_type}, not for {resource_type}."
    raise Invalid("data_template", text)


def map_columns(base: DataTemplate | None, resource_type: str, columns: Mapping[str, Any]) -> DataTemplate:
    """A template (or an empty one) with more columns mapped; it is not stored.

    Errors: Invalid for an unknown field or transform.
    """
    start = base or DataTemplate(id="", slug="", name="", resource_type=resource_type)
    sources = {find_field(resource_type, name, "map"): source for name, source in columns.items()}
    made = DataTemplate.model_validate(
        {**start.model_dump(), "fields_mapping": {**start.model_dump()["fields_mapping"], **sources}}
    )
    check(made)
    return made


def find_field(resource_type: str, word: str, option: str) -> str:
    """A field by its name, its default header, or the end of its name if only one ends like that.

    Errors: Invalid on the option, naming the nearest.
    """
    fields = READ[resource_type]
    whole, dot, key = word.partition(".")
    by_header = {header.casefold(): name for name, header in fields.items()}
    ends = [name for name in fields if name.endswith(f"_{whole}")]
    field = whole if whole in fields else by_header.get(whole.casefold())
    if field is None and len(ends) == 1:
        field = ends[0]
    if field is None:
        tails = {name.partition("_")[2]: name for name in fields}
        near = find_nearest(word, fields) or tails.get(find_nearest(word, tails) or "")
        hint = f"did you mean {near}?" if near else f"known: {', '.join(fields)}"
        raise Invalid(option, f"{word!r} is not a field of {resource_type}; {hint}")
    return f"{field}{dot}{key}"
