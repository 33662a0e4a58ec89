"""Templates of users: what they see, how they fail, what stops them."""

from __future__ import annotations

import threading
from decimal import Decimal
from typing import Any

import pytest

from shipcli.documents.ready_made import READY_MADE
from shipcli.documents.rendering import (
    PROCESSES,
    SMALL,
    BadTemplate,
    Limits,
    Renderer,
    RendererPool,
    RenderJob,
)
from shipcli.isolation import stop_process
from shipcli.models.basics.errors import ShipcliError
from tests.documents.samples import BEIJING, LONG, codes, shipment, texts
from tests.processes import PATIENCE_S, wait_for


def shown(renderer: Renderer, template: str, data: dict[str, Any] | None = None, **more: Any) -> str:
    """The text of the only page."""
    (text,) = texts(renderer.render(RenderJob(template, [{"data": data or {}}], **more)))
    return text


def test_data_metadata_units_and_utils_are_there(renderer: Renderer) -> None:
    template = (
        "{{ data.name }} {{ metadata.shop }} {{ units.countries.DE }} {{ units.CountryISO.DE }} "
        "{{ utils.date_format('2031-05-07', '%d.%m.%Y') }} {{ utils.datetime.now().year }}"
    )
    text = shown(
        renderer, template, {"name": "Ana"}, metadata={"shop": "North"}, now="2031-05-07T10:00:00+00:00"
    )
    assert text == "Ana North Germany DEU 07.05.2031 2031"


def test_numbers_of_the_data_stay_exact(renderer: Renderer) -> None:
    assert shown(renderer, "{{ data.price * 3 + 0.1 }}", {"price": Decimal("0.10")}) == "0.4"


def test_values_are_escaped_and_null_is_empty(renderer: Renderer) -> None:
    assert (
        shown(renderer, "[{{ data.a }}][{{ data.b }}]", {"a": "A & <b>B</b>", "b": None})
        == "[A & <b>B</b>][]"
    )


def test_a_name_that_is_not_there_is_empty_however_deep(renderer: Renderer) -> None:
    assert shown(renderer, "[{{ shipment.customs.duty.paid_by }}]") == "[]"


def test_a_key_comes_before_a_method_of_the_same_name(renderer: Renderer) -> None:
    data = {"parcel": {"items": [{"sku": "A"}, {"sku": "B"}]}, "options": {"x": 1}}
    template = "{% for item in data.parcel.items %}{{ item.sku }}{% endfor %} {{ data.options.items()|list }}"
    assert shown(renderer, template, data) == "AB [('x', 1)]"


def test_prefetched_parts_are_rendered_first(renderer: Renderer) -> None:
    parts = {"greeting": "<b>Hello {{ data.name }}</b>"}
    assert shown(renderer, "{{ prefetch.greeting }}!", {"name": "A&B"}, prefetch=parts) == "Hello A&B!"


def test_every_context_begins_a_page_of_its_own(renderer: Renderer) -> None:
    made = renderer.render(RenderJob("Page of {{ order.id }}", [{"order": {"id": at}} for at in (1, 2, 3)]))
    assert texts(made) == ["Page of 1", "Page of 2", "Page of 3"]


def test_the_page_separator_separates_pages(renderer: Renderer) -> None:
    assert texts(renderer.render(RenderJob("a{{ units.PAGE_SEPARATOR }}b"))) == ["a", "b"]


def test_accents_and_other_scripts_are_drawn(renderer: Renderer) -> None:
    made = "Zażółć Ελλάδα Київ 北京市 東京 서울"
    assert (
        shown(renderer, "<p>{{ data.x }}</p><p style='font-family: Arial'>北京</p>", {"x": made})
        == f"{made} 北京"
    )


@pytest.mark.parametrize(("kind", "identifier"), [("code128", "]C0"), ("qr", "]Q1"), ("datamatrix", "]d1"),
                                                  ("pdf417", "]L2")])  # fmt: skip
def test_a_template_prints_codes(renderer: Renderer, kind: str, identifier: str) -> None:
    made = renderer.render(
        RenderJob(f'<img src="data:image/png;base64,{{{{ utils.generate_code("AB-12", "{kind}") }}}}">')
    )
    assert codes(made) == {"AB-12": identifier}


def test_a_bare_picture_text_is_a_picture(renderer: Renderer) -> None:
    made = renderer.render(RenderJob('<img src="{{ utils.create_barcode("AB-12", {"scale": 2}) }}">'))
    assert codes(made) == {"AB-12": "]C0"}


def test_a_template_prints_gs1_codes(renderer: Renderer) -> None:
    number = "(00)012345670000000428"
    made = renderer.render(RenderJob(f'<img src="{{{{ utils.generate_code("{number}", "gs1-128") }}}}">'))
    assert codes(made) == {number: "]C1"}


@pytest.mark.parametrize(("template", "line", "reason"), [
    ("a\n{% for x in %}", 2, "Expected an expression"),
    ("a\nb\n{{ 1 / 0 }}", 3, "division by zero"),
    ("{{ data.x() }}", 1, "undefined"),
    ("{{ 'x'|nofilter }}", 1, "nofilter"),
    ('\n{{ utils.generate_code("x", "nocode") }}', 2, "nocode"),
    ('{{ utils.generate_code("(01)1234(10)AB", "gs1-128") }}', 1, "takes 14 digits"),
    ('{{ utils.generate_code("AB(10)LOT-7", "gs1-128") }}', 1, "not written as"),
])  # fmt: skip
def test_a_broken_template_names_the_line(renderer: Renderer, template: str, line: int, reason: str) -> None:
    with pytest.raises(BadTemplate, match=reason) as caught:
        renderer.render(RenderJob(template))
    assert caught.value.line == line
    assert f"line {line}:" in caught.value.message
    assert caught.value.status == 400


def test_a_broken_prefetched_part_is_named(renderer: Renderer) -> None:
    with pytest.raises(BadTemplate, match=r"options\.prefetch\.head: line 1"):
        renderer.render(RenderJob("x", prefetch={"head": "{{ }"}))


def test_a_runaway_loop_is_stopped_and_the_next_document_is_made() -> None:
    renderer = Renderer(Limits(cpu_s=1, wall_s=PATIENCE_S))
    loop = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
    with pytest.raises(BadTemplate, match="longer than the 1 seconds"):
        renderer.render(RenderJob(loop))
    assert texts(renderer.render(RenderJob("still here"))) == ["still here"]
    renderer.close()


def test_a_process_that_does_not_answer_is_stopped() -> None:
    renderer = Renderer(Limits(cpu_s=30, wall_s=0.05))
    with pytest.raises(BadTemplate, match=r"longer than the 0\.05 seconds"):
        renderer.render(
            RenderJob("{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}")
        )
    renderer.close()


@pytest.mark.parametrize("template", [
    "{% set x = 'aaaaaaaaaa' * 90000 %}{% for i in range(1000) %}{{ x }}{% endfor %}",
    "{% set l = [] %}{{ '%999999999d'|format(1) }}",
    "{% macro m(n) %}{{ m(n + 1) }}{% endmacro %}{{ m(0) }}",
    "<div>" * 5000,
])  # fmt: skip
def test_what_is_too_large_or_too_deep_is_refused(renderer: Renderer, template: str) -> None:
    with pytest.raises(BadTemplate):
        renderer.render(RenderJob(template))
    assert shown(renderer, "still here") == "still here"


def test_a_document_too_large_is_refused() -> None:
    renderer = Renderer(Limits(pdf=2000))
    with pytest.raises(BadTemplate, match="more than 2000 bytes"):
        renderer.render(RenderJob("<p>x</p>"))
    renderer.close()


def test_a_process_that_died_is_started_again() -> None:
    renderer = Renderer()
    assert shown(renderer, "one") == "one"
    assert renderer._process is not None
    renderer._process.kill()
    renderer._process.wait()
    assert shown(renderer, "two") == "two"
    renderer.close()


ENDLESS = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"


def test_a_document_of_nearly_all_that_one_may_hold_is_made(renderer: Renderer) -> None:
    rows = "<tr><td title='{{ 'x' * 7000 }}'>{{ i }}</td></tr>"
    template = f"<table>{{% for i in range(500) %}}{rows}{{% endfor %}}</table>"
    assert texts(renderer.render(RenderJob(template)))[-1].endswith("499")


@pytest.mark.parametrize(
    ("spans", "reason"),
    [
        ("colspan=100000000", "spans 100000000 columns and 1 rows; a table has 100 columns"),
        ("rowspan=100000000", "spans 1 columns and 100000000 rows"),
        ("colspan=100 rowspan=100", "the cells of a table span more than 5000 places"),
    ],
)
def test_a_cell_that_spans_more_than_a_table_has_is_refused(
    renderer: Renderer, spans: str, reason: str
) -> None:
    with pytest.raises(BadTemplate, match=reason):
        renderer.render(RenderJob(f"<table><tr><td {spans}>x</td></tr></table>"))


def test_cells_that_span_some_columns_are_drawn(renderer: Renderer) -> None:
    table = "<table><tr><td colspan='2' rowspan='2'>a</td><td>b</td></tr><tr><td>c</td></tr></table>"
    assert texts(renderer.render(RenderJob(table))) == ["a bc"]


def test_a_template_has_less_time_than_its_document() -> None:
    renderer = Renderer(Limits(template_s=1, cpu_s=60, wall_s=PATIENCE_S))
    with pytest.raises(BadTemplate, match="longer than the 1 seconds a template may take"):
        renderer.render(RenderJob(ENDLESS))
    renderer.close()


def test_a_template_without_end_holds_up_no_other_document() -> None:
    pool = RendererPool(Limits(template_s=600, cpu_s=600, wall_s=600), size=2)
    refused: list[Exception] = []

    def render_endless() -> None:
        try:
            pool.render(RenderJob(ENDLESS))
        except ShipcliError as error:
            refused.append(error)

    endless = threading.Thread(target=render_endless)
    endless.start()
    try:
        assert texts(pool.render(RenderJob("still here"))) == ["still here"]
        assert endless.is_alive()
    finally:
        for renderer in pool._all:
            if renderer._process:
                stop_process(renderer._process)
        endless.join()
        pool.close()
    assert len(refused) == 1


def test_six_slow_documents_of_one_caller_keep_no_other_waiting() -> None:
    pool = RendererPool(Limits(template_s=600, cpu_s=600, wall_s=600))
    ended: list[Exception] = []

    def render_endless() -> None:
        try:
            pool.render(RenderJob(ENDLESS + " " * SMALL), "slow")
        except ShipcliError as error:
            ended.append(error)

    slow = [threading.Thread(target=render_endless) for _ in range(6)]
    for thread in slow:
        thread.start()
    try:
        wait_for(lambda: pool._under_way.total() == PROCESSES)
        for caller in ("honest", "another", "slow"):
            assert texts(pool.render(RenderJob("<p>hi"), caller)) == ["hi"]
        assert pool._under_way.total() == PROCESSES
    finally:
        while any(thread.is_alive() for thread in slow):
            for renderer in pool._all:
                if process := renderer._process:
                    stop_process(process)
            slow[0].join(0.05)
        for thread in slow:
            thread.join()
        pool.close()
    assert len(ended) == 6


@pytest.mark.parametrize("where", ["shipment", "data"])
def test_the_ready_made_label_is_one_scannable_page(renderer: Renderer, where: str) -> None:
    made = renderer.render(RenderJob(READY_MADE["shipping_label"].template, [{where: label_data()}]))
    assert codes(made) == {"1Z999AA10123456784": "]C0"}
    (text,) = texts(made)
    assert "北京 100022" in text


def label_data() -> dict[str, Any]:
    return shipment(recipient=BEIJING, shipper=LONG).model_dump()


def test_the_ready_made_invoice_has_lines_and_totals(renderer: Renderer) -> None:
    made = renderer.render(
        RenderJob(READY_MADE["commercial_invoice"].template, [{"data": shipment(60).model_dump()}])
    )
    pages = texts(made)
    assert len(pages) == 3
    assert "120 pieces 1,500.00 EUR" in " ".join(pages).replace("\xa0", " ").replace("  ", " ")


def test_the_ready_made_invoice_does_not_say_that_goods_without_a_value_are_worth_nothing(
    renderer: Renderer,
) -> None:
    goods = [{"title": "Cup", "value_amount": 0}, {"title": "Mug", "value_amount": None}, {"title": "Pen"}]
    template, data = READY_MADE["commercial_invoice"].template, {"currency": "EUR", "sheet": "letter"}
    text = shown(renderer, template, {**data, "line_items": goods})
    assert (text.count("not stated"), text.count("0.00"), "total value not stated" in text) == (3, 2, True)
    assert "0.00 EUR" in shown(renderer, template, {**data, "line_items": goods[:1]})


def test_the_ready_made_invoice_takes_plain_data(renderer: Renderer) -> None:
    data = {
        "shipper": {"company_name": "Harbour"},
        "recipient": {"person_name": "Ana"},
        "reference": "X-1",
        "line_items": [
            {"title": "Mug", "quantity": 2, "value_amount": Decimal("4.5"), "value_currency": "USD"}
        ],
    }
    text = shown(renderer, READY_MADE["commercial_invoice"].template, data)
    assert "9.00 USD" in text
