"""Documents of templates, built-in documents of stored shipments, invoices at purchases."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from pydantic import ValidationError

from shipcli.features.core.app import App
from shipcli.features.orders import service as orders
from shipcli.features.paper import builtin, documents, labels, purchase_invoice
from shipcli.features.paper.label_files import INVOICE
from shipcli.features.pickups import manifests
from shipcli.features.shipments import service as shipments
from shipcli.models import (
    DocumentData,
    Invalid,
    NotFound,
    Refused,
    Shipment,
    ShipmentPurchaseData,
)
from tests.documents.samples import IDS, codes, texts
from tests.factories import PARCEL, RECIPIENT, draft
from tests.features.conftest import perform_keyed
from tests.features.paper.samples import CUSTOMS, GOODS, abroad, bought, covering, ordered
from tests.features.paper.samples import made as template


def shown(app: App, **body: Any) -> list[str]:
    return texts(documents.generate_pdf(app, DocumentData.model_validate(body)))


# -- from templates


def test_a_template_text_and_data_make_a_pdf(app: App) -> None:
    data = DocumentData(template="<p>Hello {{ data.name }}</p>", data={"name": "Ana"}, doc_name="hello")
    made = documents.generate(app, data)
    assert texts(base64.b64decode(made.doc_file)) == ["Hello Ana"]
    assert set(made.model_dump()) == {"doc_name", "doc_file"}


def test_a_stored_template_brings_its_metadata_and_is_echoed(app: App) -> None:
    one = template(app, template="{{ metadata.shop }} {{ data.x }}", metadata={"shop": "North"})
    made = documents.generate(app, DocumentData(template_id=one.id, data={"x": 1}, doc_format="pdf"))
    assert texts(base64.b64decode(made.doc_file)) == ["North 1"]
    assert (made.template_id, made.doc_format) == (one.id, "pdf")


def test_without_a_template_nothing_is_made() -> None:
    with pytest.raises(ValidationError, match="template"):
        DocumentData.model_validate({"data": {}})


def test_an_unknown_template_is_not_found(app: App) -> None:
    with pytest.raises(NotFound):
        documents.generate(app, DocumentData(template_id="doc_nothing"))


def test_a_broken_template_names_the_line(app: App) -> None:
    with pytest.raises(Invalid, match="template: line 2: "):
        documents.generate(app, DocumentData(template="a\n{{ }"))


@pytest.mark.parametrize("related", ["other", "shipment", "order"])
def test_a_template_of_any_object_renders_data_alone(app: App, related: str) -> None:
    template(app, "any", template="{{ data.x }}!", related_object=related)
    assert shown(app, template_id="any", data={"x": "yes"}) == ["yes!"]


def test_a_template_of_shipments_sees_shipment_items_carrier_and_orders(app: App) -> None:
    order = ordered(app)
    one, two = covering(app, order), bought(app)
    text = (
        "{{ shipment.tracking_number }} {{ carrier.carrier_name }} "
        "{% for item in line_items %}{{ item.sku }} {{ item.ship_quantity }} of {{ item.quantity }} "
        "{{ item.order.order_id }}{% endfor %} {{ orders|map(attribute='order_id')|join }}"
    )
    template(app, "slip", template=text, related_object="shipment")
    pages = shown(app, template_id="slip", data={"shipments": f"{one.id}, {two.id}"})
    assert pages == [f"{one.tracking_number} ups MUG 1 of 2 1001 1001", f"{two.tracking_number} ups"]


def test_a_template_never_sees_credentials(app: App) -> None:
    one = bought(app)
    template(app, "spy", template="{{ carrier }} {{ shipment.meta }}", related_object="shipment")
    (text,) = shown(app, template_id="spy", data={"shipments": one.id})
    assert "credentials" not in text
    assert "sandbox-secret" not in text
    assert "client_secret" not in text


def test_a_template_of_orders_sees_the_order(app: App) -> None:
    ids = [ordered(app, order_id=number).id for number in ("1", "2")]
    template(app, "orders", template="Order {{ order.order_id }}", related_object="order")
    assert shown(app, template_id="orders", data={"orders": ",".join(ids)}) == ["Order 1", "Order 2"]


@pytest.mark.parametrize(("related", "text", "said"), [
    ("shipment", "{{ shipment.reference }} {{ line_items[1].order.order_id }}", "SO-SAMPLE"),
    ("order", "{{ order.order_id }}", "SO-SAMPLE"),
])  # fmt: skip
def test_a_sample_stands_in_for_stored_objects(app: App, related: str, text: str, said: str) -> None:
    template(app, "sample", template=text, related_object=related)
    assert said in shown(app, template_id="sample", data={f"{related}s": "sample"})[0]


def test_ready_contexts_are_pages_of_their_own(app: App) -> None:
    data = {"generic_context": [{"x": 1}, {"x": 2}], "orders_context": [{"x": 3}]}
    assert shown(app, template="{{ x }}", data=data) == ["3", "1", "2"]
    with pytest.raises(Invalid, match="must be a list of objects"):
        shown(app, template="{{ x }}", data={"generic_context": [1]})


def test_an_unknown_shipment_or_order_is_not_found(app: App) -> None:
    for related in ("shipment", "order"):
        template(app, related, related_object=related)
        with pytest.raises(NotFound):
            shown(app, template_id=related, data={f"{related}s": "nothing"})


def test_prefetched_parts_come_from_template_or_request(app: App) -> None:
    template(
        app, "parts", template="{{ prefetch.a }}-{{ prefetch.b }}", options={"prefetch": {"a": "A", "b": "B"}}
    )
    assert shown(app, template_id="parts") == ["A-B"]
    assert shown(app, template_id="parts", options={"prefetch": {"a": "{{ 1 + 1 }}"}}) == ["2-"]
    with pytest.raises(Invalid, match="options.prefetch"):
        shown(app, template="x", options={"prefetch": ["a"]})


@pytest.mark.parametrize("slug", ["shipping_label", "commercial_invoice"])
def test_ready_made_templates_need_no_stored_shipment(app: App, slug: str) -> None:
    data = {"shipper": {"company_name": "Harbour"}, "recipient": {"person_name": "Ana"}, "reference": "X-1",
            "line_items": [GOODS]}  # fmt: skip
    assert "Harbour" in shown(app, template_id=slug, data=data)[0]
    assert "SAMPLE" in shown(app, template_id=slug, data={"shipments": "sample"})[0]


@pytest.mark.parametrize(
    ("goods", "said"),
    [
        ([(10, 1, "USD"), (1000, 0.125, "EUR")], ["125.00 EUR", "10.00 USD", "0.125"]),
        ([(3, 0.115, "USD")], ["0.115", "0.345 USD"]),
        ([(2, 1500, "JPY")], ["1,500", "3,000 JPY"]),
        ([(1, 5, None), (1, 6, "USD")], ["11.00 USD"]),
    ],
)
def test_the_ready_made_invoice_says_exact_sums_in_each_currency(
    app: App, goods: list[tuple[Any, ...]], said: list[str]
) -> None:
    names = ("quantity", "value_amount", "value_currency")
    items = [{**GOODS, **dict(zip(names, one, strict=True))} for one in goods]
    made = shown(app, template_id="commercial_invoice", data={"line_items": items, "currency": "USD"})[0]
    assert [one for one in said if one not in made] == []
    assert "3,000.00" not in made
    assert "135.00" not in made


def test_an_invoice_without_goods_is_refused_as_a_template_too(app: App) -> None:
    with pytest.raises(Invalid, match="no goods are declared"):
        shown(app, template_id="commercial_invoice", data={"reference": "X-1"})
    with pytest.raises(Invalid, match="no goods are declared"):
        shown(app, template_id="commercial_invoice", data={"shipments": bought(app).id})


def test_the_clock_of_templates_is_the_apps(timed: App) -> None:
    assert shown(timed, template="{{ utils.date_format(utils.datetime.now()) }}") == ["2031-05-07"]


# -- built-in documents


def test_documents_of_many_shipments_are_one_file_in_the_order_named(app: App) -> None:
    found = [abroad(app, reference=name) for name in ("A-1", "A-2")]
    for kind in ("invoice", "slip", "cn22", "cn23", "return"):
        pages = texts(builtin.make_documents(app, kind, found[::-1]))
        assert len(pages) == 2, kind
        number = [one.tracking_number or "" for one in found[::-1]]
        assert [name in page for name, page in zip(number, pages, strict=True)] == [True, True], kind
        assert all("SAMPLE" in page for page in pages), kind


def test_documents_of_orders_are_their_own_or_their_shipments(app: App) -> None:
    order = ordered(app)
    one = covering(app, order)
    found = [orders.get_order(app, order.id)]
    assert "MUG Mug 2 1 1" in texts(builtin.make_order_documents(app, "slip", found))[0]
    assert str(one.tracking_number) in texts(builtin.make_order_documents(app, "return", found))[0]
    with pytest.raises(Invalid, match="nothing to make documents of"):
        builtin.make_order_documents(app, "invoice", [ordered(app, order_id="1002")])


@pytest.mark.parametrize("kind", ["invoice", "cn22", "cn23"])
def test_a_declaration_without_goods_is_refused_and_names_the_shipment(app: App, kind: str) -> None:
    full, empty = abroad(app, reference="A-1"), abroad(app, reference="A-2", customs=None)
    with pytest.raises(Invalid, match="A-2: no goods were declared") as refused:
        builtin.make_documents(app, kind, [full, empty])
    assert "A-1" not in str(refused.value)


@pytest.mark.parametrize("kind", ["cn22", "cn23"])
def test_a_parcel_that_stays_in_its_country_gets_no_customs_form(app: App, kind: str) -> None:
    parcel = {**PARCEL, "items": [GOODS]}
    with pytest.raises(Invalid, match=f"SO-1: it stays in US, so it needs no {kind.upper()}"):
        builtin.make_documents(app, kind, [bought(app, parcels=[parcel])])
    forces = {**RECIPIENT, "city": "APO", "state_code": "AE", "postal_code": "09096"}
    assert texts(
        builtin.make_documents(app, kind, [bought(app, "generic", parcels=[parcel], recipient=forces)])
    )


def test_container_codes_are_given_once(app: App) -> None:
    one = bought(app, "generic", parcels=[PARCEL, PARCEL])
    first = builtin.make_documents(app, "gs1", [one], "1234567")
    assert "(00)012345670000000015" in codes(first, 0)
    assert "(00)012345670000000022" in codes(first, 1)
    again = builtin.make_documents(app, "gs1", [shipments.get_shipment(app, one.id)])
    assert again == first
    assert builtin.list_codes(builtin.add_codes(app, bought(app, "generic"), "1234567")) == [
        "012345670000000039"
    ]


def test_a_logistic_label_needs_a_company_prefix(app: App) -> None:
    with pytest.raises(Invalid, match="gs1_prefix"):
        builtin.make_documents(app, "gs1", [bought(app, "generic")])


def test_an_unknown_kind_of_document_is_refused(app: App) -> None:
    with pytest.raises(Invalid, match="kind"):
        builtin.make_documents(app, "poem", [bought(app)])


# -- invoices at purchases


def stored_invoice(app: App, shipment: Shipment) -> bytes:
    assert shipment.invoice_url == f"/v1/shipments/{shipment.id}/invoice.pdf"
    assert shipments.get_shipment(app, shipment.id).invoice_url == shipment.invoice_url
    return labels.get_label(app, shipment, name=INVOICE).content


def test_a_shipment_without_an_invoice_has_no_address_of_one(app: App) -> None:
    assert bought(app).invoice_url is None
    assert abroad(app).invoice_url is None


def test_a_declaration_that_asks_for_an_invoice_gets_the_built_in_one(app: App) -> None:
    made = abroad(app, customs={**CUSTOMS, "commercial_invoice": True, "options": IDS})
    (text,) = texts(stored_invoice(app, made))
    assert all(
        words in text for words in ("INV-7", "19.00 USD", str(made.tracking_number), "SAMPLE", *IDS.values())
    )


def test_a_domestic_shipment_needs_no_invoice(app: App) -> None:
    assert bought(app, "generic", customs={**CUSTOMS, "commercial_invoice": True}).invoice_url is None


def test_an_invoice_template_makes_the_invoice(app: App) -> None:
    template(app, "mine", template="Mine: {{ shipment.tracking_number }} {{ carrier.carrier_id }}")
    made = bought(app, "generic", options={"invoice_template": "mine"})
    assert texts(stored_invoice(app, made)) == [f"Mine: {made.tracking_number} {made.carrier_id}"]
    assert made.messages == shipments.get_shipment(app, made.id).messages


def test_a_ready_made_template_makes_the_invoice(app: App) -> None:
    made = abroad(app, options={"invoice_template": "commercial_invoice"})
    assert "19.00 USD" in texts(stored_invoice(app, made))[0]


@pytest.mark.parametrize(("slug", "text"), [("nothing", ""), ("broken", "a\n{{ }"), ("loud", "{{ 1 / 0 }}")])
def test_an_invoice_that_fails_never_fails_the_purchase(app: App, slug: str, text: str) -> None:
    if text:
        template(app, slug, template=text)
    made = bought(app, "generic", options={"invoice_template": slug})
    assert (made.status, made.invoice_url) == ("purchased", None)
    (note,) = [one for one in made.messages if one.code == purchase_invoice.FAILED]
    assert "its invoice was not made" in str(note.message)
    assert shipments.get_shipment(app, made.id) == made


def test_a_paperless_carrier_gets_the_invoice_with_the_purchase(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    from shipcli.carriers.ups import Ups

    seen: list[Any] = []
    ship = Ups.ship

    def watched(self: Any, request: Any) -> Any:
        seen.append(request.options.get("doc_files"))
        return ship(self, request)

    monkeypatch.setattr(Ups, "ship", watched)
    template(app, "mine", template="Before: {{ shipment.reference }} {{ shipment.tracking_number }}")
    options = {"invoice_template": "mine", "paperless_trade": True}
    made = bought(app, "ups", options=options)
    ((file,),) = seen
    assert texts(base64.b64decode(file["doc_file"])) == ["Before: SO-1"]
    assert (file["doc_type"], file["doc_format"]) == ("commercial_invoice", "PDF")
    assert texts(stored_invoice(app, made)) == ["Before: SO-1"]
    assert "doc_files" not in made.options


def test_a_carrier_without_paperless_gets_no_file(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    template(app, "mine", template="After: {{ shipment.tracking_number }}")
    made = bought(app, "generic", options={"invoice_template": "mine"})
    assert texts(stored_invoice(app, made)) == [f"After: {made.tracking_number}"]


def test_a_refused_purchase_leaves_no_invoice(app: App) -> None:
    template(app, "mine", template="x")
    options = {"invoice_template": "mine", "paperless_trade": True}
    made = shipments.create_shipment(app, draft(carrier_ids=["ups"], options=options))
    with app.store.transaction() as tx:
        stored = tx.get("shipment", made.id)
        assert stored
        tx.put("shipment", {**stored, "options": {**stored["options"], "sandbox_scenario": "rate_limited"}})
    with pytest.raises(Refused):
        shipments.purchase_shipment(app, made.id, ShipmentPurchaseData(selected_rate_id=made.rates[0].id))
    assert app.store.file(made.id, INVOICE) is None


def test_the_remembered_answer_of_a_purchase_names_the_invoice(app: App) -> None:
    from shipcli.features.core import idempotency
    from tests.factories import body

    data = body(
        carrier_ids=["generic"],
        service="standard_service",
        options={"invoice_template": "commercial_invoice"},
        parcels=[{**PARCEL, "items": [GOODS]}],
    )
    once = idempotency.make_idempotency_key(app, "create_shipment", "k1", data)
    wanted = draft(**_changes(data))
    first = perform_keyed(app, once, shipments.create_shipment, wanted)
    assert first["invoice_url"]
    assert perform_keyed(app, once, shipments.create_shipment, wanted) == first


def _changes(data: dict[str, Any]) -> dict[str, Any]:
    return {name: data[name] for name in ("carrier_ids", "service", "options", "parcels")}


# -- kept files as one


def test_kept_labels_invoices_and_manifests_merge_in_the_order_named(app: App) -> None:
    template(app, "mine", template="Of {{ shipment.reference }}")
    found = [
        bought(app, "generic", reference=name, options={"invoice_template": "mine"}) for name in ("A", "B")
    ]
    merged = labels.merge_labels(app, found[::-1], "PDF", INVOICE)
    assert texts(merged) == ["Of B", "Of A"]
    assert len(texts(labels.merge_labels(app, found, "PDF"))) == 2
    assert labels.merge_labels(app, found, "ZPL").count(b"^XA") == 2
    with pytest.raises(Invalid, match="nothing to merge"):
        manifests.merge_forms(app, [])
