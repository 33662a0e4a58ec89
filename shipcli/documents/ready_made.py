"""Ready-made templates. They render from data alone, or from a stored shipment.

Shapes: the shipment is `shipment`, else `data.shipment`, else `data` itself, with the fields of the API.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class ReadyMade(NamedTuple):
    """A template by its slug."""

    slug: str
    name: str
    description: str
    template: str
    related_object: str = "shipment"


_PARTY = """{% macro party(one) %}
{% if one.company_name %}<b>{{ one.company_name }}</b><br/>{% endif %}
{% if one.person_name %}{{ one.person_name }}<br/>{% endif %}
{{ one.street_number }} {{ one.address_line1 }}<br/>
{% if one.address_line2 %}{{ one.address_line2 }}<br/>{% endif %}
{{ one.city }} {{ one.state_code or "" }} {{ one.postal_code or "" }}<br/>
{{ units.countries[one.country_code] or one.country_code }}
{% endmacro %}"""

_LABEL = (
    """{% set s = shipment or data.shipment or data %}"""
    + _PARTY
    + """
<html><head><style>
@page { size: 4in 6in; margin: 0.18in }
body { font-size: 8pt }
p { margin: 1pt }
hr { margin: 2pt }
.bar { background-color: #000000; color: #ffffff; font-size: 14pt; padding: 4pt }
.to { font-size: 11pt }
.small { font-size: 7pt }
.middle { text-align: center }
hr { color: #000000 }
</style></head><body>
{% for parcel in s.parcels or [{}] %}
{% set number = parcel.reference_number if loop.index0 and parcel.reference_number else s.tracking_number %}
{% set carrier = (s.carrier_name or data.carrier or "")|replace("_", " ")|upper %}
{% set service = (s.meta.service_name or s.service or "")|replace("_", " ")|upper %}
<div class="bar">{% if not service.startswith(carrier) %}{{ carrier }} {% endif %}{{ service or carrier
}}</div>
<p class="small">FROM</p><p>{{ party(s.shipper) }}</p><hr/>
<p class="small">SHIP TO</p><p class="to">{{ party(s.recipient) }}</p><hr/>
<p>{% if s.reference %}Reference: {{ s.reference }}<br/>{% endif %}
{% if parcel.weight %}Weight: {{ parcel.weight }} {{ parcel.weight_unit }}<br/>{% endif %}
Parcel {{ loop.index }} of {{ loop.length }}</p>
{% if number or s.reference %}
{% set code = utils.create_barcode(number or s.reference, {"height": 70}) %}
<div class="middle"><img src="data:image/png;base64,{{ code }}" style="width: 3.5in; height: 0.95in"/></div>
<div class="middle"><b>{{ number or s.reference }}</b></div>
{% endif %}
{% if not loop.last %}{{ units.PAGE_SEPARATOR }}{% endif %}
{% endfor %}
</body></html>
"""
)

_INVOICE = (
    """{% set s = shipment or data.shipment or data %}
{% set customs = s.customs or data.customs or {} %}
{% set goods = customs.commodities or data.line_items or data.commodities or [] %}
{% if not goods %}{% set goods = s.parcels|map(attribute="items")|sum(start=[]) if s.parcels else [] %}{%
endif %}
{% if not goods %}{{ utils.refuse("no goods are declared, so the invoice would list nothing") }}{% endif %}
{% set currency = data.currency or customs.duty.currency or (goods|first).value_currency or
s.options.currency %}
{% set totals = utils.sum_values(goods, currency) %}
{% set sum = namespace(pieces=0, known=true) %}"""
    + _PARTY
    + """
<html><head><style>
@page { size: {{ sheet }};
        @frame body { left: 1.4cm; right: 1.4cm; top: 1.4cm; bottom: 1.8cm }
        @frame foot { -pdf-frame-content: foot; left: 1.4cm; right: 1.4cm; bottom: 0.8cm; height: 0.8cm } }
body { font-size: 8pt }
h1 { font-size: 16pt; margin: 0 }
td { vertical-align: top; padding: 1.5pt }
.goods td { border-bottom: 0.4pt solid #888888 }
.goods th { background-color: #e8e8e8; padding: 3pt; text-align: left }
.goods th.number, .number { text-align: right }
.total { font-size: 12pt }
.small { font-size: 7pt }
</style></head><body>
<div id="foot" class="small">Commercial invoice {{ customs.invoice or s.reference }} &#160;
<pdf:pagenumber/> / <pdf:pagecount/></div>
<h1>Commercial invoice</h1>
<table><tr><td width="34%"><span class="small">Exporter</span><br/>{{ party(s.shipper) }}
{% if s.shipper.federal_tax_id %}<br/>Tax ID: {{ s.shipper.federal_tax_id }}{% endif %}</td>
<td width="33%"><span class="small">Consignee</span><br/>{{ party(s.recipient) }}
{% if s.recipient.federal_tax_id %}<br/>Tax ID: {{ s.recipient.federal_tax_id }}{% endif %}</td>
<td width="33%">Invoice: <b>{{ customs.invoice or s.reference }}</b><br/>
Date: <b>{{ customs.invoice_date or utils.date_format(utils.datetime.now()) }}</b><br/>
{% if s.tracking_number %}Tracking number: <b>{{ s.tracking_number }}</b><br/>{% endif %}
{% if customs.incoterm %}Terms: <b>{{ customs.incoterm }} ({{ units.incoterms[customs.incoterm]
}})</b><br/>{% endif %}
{% if customs.content_type %}Reason: <b>{{ customs.content_type|replace("_", " ") }}</b><br/>{% endif %}
{% for name, value in (customs.options or {}).items() %}
{{ name|replace("_", " ") }}: <b>{{ value }}</b><br/>{% endfor %}</td></tr></table>
<p></p>
<table class="goods" repeat="1"><tr><th width="40%">Description</th><th width="14%">HS code</th>
<th width="8%">Origin</th><th width="10%" class="number">Pieces</th><th width="13%" class="number">Unit
value</th>
<th width="15%" class="number">Total</th></tr>
{% for item in goods %}
{% set pieces = item.quantity or 1 %}
{% set sum.pieces = sum.pieces + pieces %}
{% set code = item.value_currency or currency %}
{% set known = item.value_amount is defined and item.value_amount is not none %}
{% if not known %}{% set sum.known = false %}{% endif %}
{% set whole = item.metadata or {} %}
<tr><td>{{ whole.title or item.title or item.description }}
{% if whole.variant %}<br/>{{ whole.variant }}{% endif %}
{% if item.sku %}<br/><span class="small">{{ whole.sku or item.sku }}</span>{% endif %}</td>
<td>{{ item.hs_code or "" }}</td><td>{{ item.origin_country or "" }}</td><td class="number">{{ pieces }}</td>
<td class="number">{% if known %}{{ utils.money(item.value_amount, code) }}{% endif %}</td>
<td class="number">{% if known %}{{ utils.money(item.value_amount * pieces, code) }}
{%- if totals|length > 1 %} {{ code }}{% endif %}{% else %}not stated{% endif %}</td></tr>
{% endfor %}</table>
<p class="number total">{{ sum.pieces }} pieces{% if not sum.known %} &#160;&#160; <b>total value not
stated</b>{% else %}{% for code, total in totals.items() %} &#160;&#160;
<b>{{ utils.money(total, code) }} {{ code }}</b>{% endfor %}{% endif %}</p>
<p>I declare that all information on this invoice is true and correct.</p>
<p><br/>______________________________<br/>{{ customs.signer or s.shipper.person_name }}</p>
</body></html>
"""
)

READY_MADE: Mapping[str, ReadyMade] = {
    template.slug: template
    for template in (
        ReadyMade(
            "shipping_label", "Shipping label", "A 4x6 inch label with a barcode of its number", _LABEL
        ),
        ReadyMade(
            "commercial_invoice", "Commercial invoice", "An invoice for customs, with totals", _INVOICE
        ),
    )
}
