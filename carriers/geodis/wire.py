"""Between our models and the web services of GEODIS.

Units: kilograms and centimetres to the hundredth, cubic metres to the thousandth.
Source: web services of Espace Client: enregistrement-envois, suppression-envois, recherche-envoi.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, time
from decimal import Decimal
from typing import Any

from shipcli.carrier import RequestOptions, load_catalogue
from shipcli.carrier.contents import choose_terms, join_words, sum_goods
from shipcli.carrier.currencies import name_declared_currency
from shipcli.carrier.duties import read_terms
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty, get_path
from shipcli.carrier.wire.rounding import round_half_up, round_measure
from shipcli.carrier.wire.rows import read_each
from shipcli.carrier.wire.times import CLOCK
from shipcli.models import (
    Address,
    Customs,
    Invalid,
    Label,
    Message,
    Parcel,
    ShipmentRequest,
    Tracking,
    TrackingEvent,
    TrackingInfo,
)

CATALOGUE = load_catalogue(__file__)
LITRE = Decimal("0.001")
CARRIAGE_PAID, PALLET, PLANNED = "P", "pallet", "prévu"
# What GEODIS says of a shipment that it did not register, validate or delete; without its label it stands.
REFUSALS = ("msgErreurEnregistrement", "msgErreurValidation", "msgErreurSuppression")
PROBLEMS = (*REFUSALS, "msgErreurEtiquette")


def label_name(name: str | None) -> str:
    """The kind of label that is asked for, in our words; PDF for what GEODIS does not print."""
    label_types = CATALOGUE.table("label_types")
    return name if name and name in label_types else "PDF"


# -- the order -------------------------------------------------------------------------------------


def write_order(
    request: ShipmentRequest, options: RequestOptions, day: date, sender: Mapping[str, str | None]
) -> Json:
    """The order of one shipment; what is registered and can't be validated is deleted again.

    Errors: Invalid for two ways of delivery at once.
    """
    body: Json = drop_empty(
        {
            "impressionEtiquette": True,
            "typeImpressionEtiquette": CATALOGUE.table("label_types")[label_name(request.label_type)],
            "formatEtiquette": "1",
            "validationEnvoi": options.value("geodis_validate_envoi"),
            "suppressionSiEchecValidation": True,
            "impressionBordereau": False,
            "impressionRecapitulatif": True,
            "listEnvois": [{**sender, **_shipment(request, options, day)}],
        }
    )
    return body


def _shipment(request: ShipmentRequest, options: RequestOptions, day: date) -> Json:
    goods, customs = request.parcels, request.customs
    terms = CATALOGUE.table("incoterms")
    incoterm = choose_terms("GEODIS", {term: term for term in terms}, read_terms(customs), CARRIAGE_PAID)
    return {
        "noRecepisse": options.text("geodis_no_recepisse"),
        "codeProduit": CATALOGUE.services.wire_code(request.service),
        "reference1": request.reference,
        "expediteur": _address(request.shipper),
        "dateDepartEnlevement": day.isoformat(),
        "instructionEnlevement": options.text("geodis_instruction_enlevement"),
        "destinataire": _address(request.recipient),
        "listUmgs": [_unit(parcel) for parcel in goods],
        "poidsTotal": round_measure(sum((article.weight_in("KG") for article in goods), Decimal(0))),
        "volumeTotal": _volume(sum((article.volume_in("M") or Decimal(0) for article in goods), Decimal(0))),
        "optionLivraison": _delivery(options),
        "dateLivraison": options.text("geodis_date_livraison"),
        "heureLivraison": options.text("geodis_heure_livraison"),
        "instructionLivraison": options.text("geodis_instruction_livraison"),
        "natureMarchandise": _nature(customs) if customs else None,
        "valeurDeclaree": _amount(options.insurance(), options),
        "contreRemboursement": _amount(options.amount("cash_on_delivery"), options),
        "codeIncotermConditionLivraison": incoterm if customs else CARRIAGE_PAID,
        "emailNotificationDestinataire": options.notify_email(),
        "smsNotificationDestinataire": request.recipient.phone_number,
        "emailNotificationExpediteur": request.shipper.email,
        "informationDouane": _declaration(request, customs, options) if customs else None,
    }


def _address(address: Address) -> Json:
    return {
        "nom": address.company_name or address.person_name,
        "adresse1": address.street,
        "adresse2": address.address_line2,
        "codePostal": address.postal_code,
        "ville": address.city,
        "codePays": address.country_code,
        "nomContact": address.person_name,
        "email": address.email,
        "telFixe": address.phone_number,
        "particulier": bool(address.residential),
    }


def _unit(parcel: Parcel) -> Json:
    volume = parcel.volume_in("M")
    return {
        "palette": parcel.packaging_type == PALLET,
        "quantite": 1,
        "poids": round_measure(parcel.weight_in("KG")),
        "volume": _volume(volume),
        "longueurUnitaire": _side(parcel.length_in("CM")),
        "largeurUnitaire": _side(parcel.width_in("CM")),
        "hauteurUnitaire": _side(parcel.height_in("CM")),
        "referenceColis": parcel.reference_number,
    }


def _side(value: Decimal | None) -> Decimal | None:
    return round_measure(value) if value else None


def _volume(value: Decimal | None) -> Decimal | None:
    return round_measure(value, LITRE) if value else None


def _delivery(options: RequestOptions) -> str | None:
    """The code of the way of delivery: an appointment, an agency, a day, a Saturday.

    Errors: Invalid naming the second one, as GEODIS takes one.
    """
    ways = CATALOGUE.table("ways_of_delivery")
    chosen = [choice for choice in options.list_chosen() if choice.code in ways]
    if len(chosen) > 1:
        raise Invalid(f"options.{chosen[1].slug}", f"GEODIS takes no other way beside {chosen[0].slug}")
    return chosen[0].code if chosen else None


def _amount(value: Decimal | None, options: RequestOptions) -> Json | None:
    return {"quantite": round_half_up(value), "codeUnite": options.currency()} if value else None


def _nature(customs: Customs) -> str | None:
    names = [item.title or item.description for item in customs.commodities]
    return join_words(names, [customs.content_description])


def _declaration(request: ShipmentRequest, customs: Customs, options: RequestOptions) -> Json:
    """The invoice of goods that cross a border; its amount is what they are worth together."""
    customs_options, goods = RequestOptions.of_customs(CATALOGUE, customs), customs.commodities
    weight = sum(((item.weight_in("KG") or Decimal(0)) * item.quantity for item in goods), Decimal(0))
    return {
        "poidsNetTotal": round_measure(weight) if weight else None,
        "eoriExpediteur": customs_options.text("eori_number"),
        "emailExpediteurDouane": request.shipper.email,
        "telExpediteurDouane": request.shipper.phone_number,
        "listFactures": [
            {
                "noFacture": customs.invoice,
                "montantFacture": {
                    "quantite": round_half_up(sum_goods(goods)),
                    "codeUnite": name_declared_currency(request, options),
                },
                "dateFacture": customs.invoice_date,
            }
        ],
    }


# -- answers ---------------------------------------------------------------------------------------


def is_refused(body: Json) -> bool:
    refused = any(shipment.get(name) for shipment in _shipments(body) for name in REFUSALS)
    return body.get("ok") is False or refused


def read_messages(body: Json) -> list[Message]:
    """What GEODIS says of the call, or of a shipment in it; the latter has no code but where it stands."""
    if body.get("ok") is False:
        return [Message(code=body.get("codeErreur"), message=body.get("texteErreur"))]
    return [
        Message(code=name, message=shipment[name])
        for shipment in _shipments(body)
        for name in PROBLEMS
        if shipment.get(name)
    ]


def _shipments(body: Json) -> list[Json]:
    return as_list(get_path(body, "contenu/listRetoursEnvois"))


def read_label(body: Json, name: str) -> Label:
    """The label of all parcels, which go under one number.

    Errors: LookupError when nothing was registered.
    """
    content = body["contenu"]
    [made] = content["listRetoursEnvois"]
    number = made["noSuivi"]
    file = get_path(made, "docEtiquette/contenu") or get_path(content, "docEtiquette/contenu")
    meta = {"carrier_tracking_link": made.get("urlSuiviDestinataire")}
    return Label(
        tracking_number=number,
        shipment_identifier=number,
        label_type=name,
        docs={"label": file} if file else {},
        meta=drop_empty({**meta, **{key: made.get(key) for key in ("noRecepisse", "codeProduit")}}),
    )


def read_tracking(record: Json) -> Tracking:
    """Shapes: `libelleLivraison` says when it was delivered; events come with the latest first."""
    delivery_text = str(record.get("libelleLivraison") or "")
    delivered = bool(delivery_text) and PLANNED not in delivery_text.lower()
    return Tracking(
        tracking_number=record["noSuivi"],
        status="delivered" if delivered else "in_transit",
        delivered=delivered,
        estimated_delivery=record.get("dateLivraisonPrevue"),
        events=read_each(as_list(record.get("listSuivis")), _read_event),
        info=_read_info(record),
        meta=drop_empty({key: record.get(key) for key in CATALOGUE.table("tracking_meta")}),
    )


def _read_info(record: Json) -> TrackingInfo:
    def text(path: str) -> str | None:
        value = get_path(record, path)
        return None if value in (None, "") else str(value)

    return TrackingInfo(**{name: text(path) for name, path in CATALOGUE.table("tracking_info").items()})


def _read_event(event: Mapping[str, Any]) -> TrackingEvent:
    at = event.get("heureSuivi")
    return TrackingEvent(
        date=event.get("dateSuivi"),
        time=time.fromisoformat(at).strftime(CLOCK) if at else None,
        code=event.get("codeSituationJustification"),
        description=event.get("libelleSuivi"),
        location=event.get("libelleCentre"),
    )
