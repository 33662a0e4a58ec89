"""Document templates: stored by slug, shared by both modes; the ready-made ones need not be stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from shipcli.documents.ready_made import READY_MADE
from shipcli.features.core.merge import merge_keys
from shipcli.models import DocumentTemplate, DocumentTemplateData, DocumentTemplatePatch, Invalid, NotFound

if TYPE_CHECKING:
    from shipcli.features.core.app import App
    from shipcli.features.core.idempotency_key import IdempotencyKey
    from shipcli.store.queries import Reader, ResultPage
    from shipcli.store.query import Filter

KIND = "template"
NULLABLE = frozenset({"description"})


def create_template(
    app: App, data: DocumentTemplateData, *, once: IdempotencyKey | None = None
) -> DocumentTemplate:
    """Create a template.

    Errors: Invalid on `slug` if it is taken.
    """
    template = DocumentTemplate.model_validate({**data.model_dump(), "id": app.new_id("doc_")})
    with app.store.transaction() as tx:
        check_slug(tx, template)
        tx.put(KIND, template.model_dump())
        if once:
            once.remember_made(tx, template.model_dump())
    return template


def get_template(app: App, template_id: str) -> DocumentTemplate:
    """Errors: NotFound."""
    return _read_stored(app.store, template_id)


def _read_stored(reader: Reader, template_id: str) -> DocumentTemplate:
    document = reader.get(KIND, template_id)
    if document is None:
        raise NotFound(KIND, template_id)
    return DocumentTemplate.model_validate(document)


def list_templates(app: App, where: Sequence[Filter] = (), *, limit: int = 20, offset: int = 0) -> ResultPage:
    """Return one page of the templates, newest first."""
    return app.store.page(KIND, where, limit, offset, app.test_mode)


def update_template(app: App, template_id: str, data: DocumentTemplatePatch) -> DocumentTemplate:
    """Replace the given fields; options and metadata are merged, null removes a key.

    Errors: NotFound; Invalid on `slug` if it is taken.
    """
    changes = data.model_dump(exclude_unset=True)
    with app.store.transaction() as tx:
        stored = _read_stored(tx, template_id)
        objects: dict[str, Any] = {
            name: merge_keys(getattr(stored, name), changes[name])
            for name in ("options", "metadata")
            if name in changes
        }
        values = {name: value for name, value in changes.items() if value is not None or name in NULLABLE}
        changed = stored.model_copy(update={**values, **objects})
        check_slug(tx, changed)
        tx.put(KIND, changed.model_dump())
    return changed


def delete_template(app: App, template_id: str) -> DocumentTemplate:
    """Remove a template and return it.

    Errors: NotFound.
    """
    with app.store.transaction() as tx:
        stored = _read_stored(tx, template_id)
        tx.delete(KIND, template_id)
    return stored


def check_slug(reader: Reader, template: DocumentTemplate) -> None:
    """Errors: Invalid if another template has the slug."""
    rows = reader.select("templates", {"slug": template.slug})
    if any(row["id"] != template.id for row in rows):
        raise Invalid("slug", f"{template.slug!r} is taken by another template")


def find_ready_made(app: App, slug: str) -> DocumentTemplate:
    """Return a ready-made template.

    Errors: NotFound naming the existing ones.
    """
    template = READY_MADE.get(slug)
    if template is None:
        text = f"There is no template {slug!r}; ready-made ones: {', '.join(READY_MADE)}"
        raise NotFound(KIND, slug, message=text)
    return DocumentTemplate.model_validate({**template._asdict(), "id": slug})


def find_template(app: App, word: str) -> DocumentTemplate:
    """Return a template by id or slug; a stored one comes before a ready-made one of the same slug.

    Errors: NotFound.
    """
    document = app.store.get(KIND, word)
    if document is None:
        rows = app.store.select("templates", {"slug": word})
        document = app.store.get(KIND, rows[0]["id"]) if rows else None
    return DocumentTemplate.model_validate(document) if document else find_ready_made(app, word)
