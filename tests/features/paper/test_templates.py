"""Document templates as they are kept."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from shipcli.features.core.app import App
from shipcli.features.paper import templates
from shipcli.models import (
    DocumentTemplate,
    DocumentTemplateData,
    DocumentTemplatePatch,
    Invalid,
    NotFound,
    json,
)
from tests.features.paper.samples import made


def patched(app: App, template_id: str, **changes: Any) -> DocumentTemplate:
    return templates.update_template(app, template_id, DocumentTemplatePatch.model_validate(changes))


def test_a_new_template_is_active_and_of_no_object(app: App) -> None:
    one = made(app)
    assert one.id.startswith("doc_")
    assert (one.object_type, one.active, one.related_object) == ("document-template", True, "other")
    assert (one.description, one.options, one.metadata) == (None, {}, {})
    assert templates.get_template(app, one.id) == one


@pytest.mark.parametrize("field", ["name", "slug", "template"])
def test_name_slug_and_text_are_required(field: str) -> None:
    body = {"name": "Invoice", "slug": "inv", "template": "x"}
    del body[field]
    with pytest.raises(ValidationError, match=field):
        DocumentTemplateData.model_validate(body)


@pytest.mark.parametrize("slug", ["", "Inv", "in voice", "in-voice", "é", "x" * 256])
def test_a_slug_that_is_none_is_refused(slug: str) -> None:
    with pytest.raises(ValidationError, match="slug"):
        DocumentTemplateData.model_validate({"name": "I", "slug": slug, "template": "x"})


def test_a_long_name_slug_and_description_are_taken(app: App) -> None:
    one = made(app, "s" * 255, name="n" * 255, description="d" * 255)
    assert len(one.slug) == len(one.name) == len(one.description or "") == 255


def test_a_taken_slug_is_refused(app: App) -> None:
    one, other = made(app), made(app, "other")
    with pytest.raises(Invalid) as caught:
        made(app)
    assert caught.value.problems[0].field == "slug"
    with pytest.raises(Invalid):
        patched(app, other.id, slug="inv")
    assert patched(app, one.id, slug="inv").slug == "inv"


def test_both_modes_share_templates(app: App) -> None:
    one = made(app)
    assert templates.get_template(app.in_mode(False), one.id) == one


def test_templates_are_listed_newest_first(app: App) -> None:
    ids = [made(app, slug).id for slug in ("one", "two", "three")]
    page = templates.list_templates(app, limit=2)
    assert page.count == 3
    assert [json.loads(text)["id"] for text in page.items] == ids[:0:-1]


def test_a_change_leaves_the_rest_alone(app: App) -> None:
    one = made(app, description="old", metadata={"a": 1, "b": 2}, options={"x": 1})
    changed = patched(app, one.id, name="New", metadata={"a": None, "c": 3})
    assert (changed.name, changed.description, changed.template) == ("New", "old", one.template)
    assert (changed.metadata, changed.options) == ({"b": 2, "c": 3}, {"x": 1})
    assert patched(app, one.id, description=None, active=False).description is None
    assert templates.get_template(app, one.id).active is False


def test_a_deleted_template_is_gone_and_its_slug_free(app: App) -> None:
    one = made(app)
    assert templates.delete_template(app, one.id).id == one.id
    for use in (templates.get_template, templates.delete_template):
        with pytest.raises(NotFound):
            use(app, one.id)
    assert made(app).slug == "inv"


def test_a_template_is_named_by_id_or_slug(app: App) -> None:
    one = made(app)
    assert templates.find_template(app, one.id) == templates.find_template(app, "inv") == one
    with pytest.raises(NotFound, match="commercial_invoice"):
        templates.find_template(app, "nothing")


def test_a_stored_template_comes_before_a_ready_made_one(app: App) -> None:
    assert "Commercial invoice" in templates.find_template(app, "commercial_invoice").template
    own = made(app, "commercial_invoice")
    assert templates.find_template(app, "commercial_invoice") == own
