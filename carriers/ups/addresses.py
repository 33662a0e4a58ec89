"""Whether an address exists, what it may be, and whether it is a home. Pure.

Source: Address Validation (street level) v2: XAVRequest, XAVResponse.
"""

from __future__ import annotations

from shipcli.carrier.address_answers import AMBIGUOUS, NOT_FOUND, join_zip, make_address_answer
from shipcli.carrier.wire.address_parts import cut_text, wrap_lines
from shipcli.carrier.wire.json_paths import Json, as_list, drop_empty, get_path
from shipcli.models import Address, AddressValidationDetails, Invalid

VALIDATED_AND_CLASSIFIED, MOST_CANDIDATES = "3", "10"
SERVED = ("US", "PR")  # where UPS knows streets
NAME, LINE, CITY, STATE = 40, 100, 30, 30
KINDS = {"1": False, "2": True}  # a business, a home


def write_question(address: Address) -> Json:
    """Errors: Invalid for an address elsewhere."""
    if address.country_code not in SERVED:
        raise Invalid("address.country_code", "is not the United States, where alone UPS knows addresses")
    digits = (address.postal_code or "").replace("-", "")
    form = {
        "ConsigneeName": cut_text(address.name, NAME),
        "AddressLine": wrap_lines(address.lines, LINE, 3),
        "PoliticalDivision2": cut_text(address.city, CITY),
        "PoliticalDivision1": cut_text(address.state_code, STATE),
        "PostcodePrimaryLow": digits[:5],
        "PostcodeExtendedLow": digits[5:9],
        "CountryCode": address.country_code,
    }
    question = {
        "Request": {"RequestOption": VALIDATED_AND_CLASSIFIED},
        "MaximumCandidateListSize": MOST_CANDIDATES,
        "AddressKeyFormat": [drop_empty(form)],
    }
    return {"XAVRequest": question}


def read_answer(body: Json) -> AddressValidationDetails:
    """Shapes: an indicator is there or it is not, whatever it holds.

    Errors: LookupError for an answer that says none of the three.
    """
    answer = body["XAVResponse"]
    candidates = [read_candidate(row) for row in as_list(answer.get("Candidate"))]
    if "ValidAddressIndicator" in answer:
        return make_address_answer({}, candidates[0] if candidates else None)
    if "AmbiguousAddressIndicator" in answer:
        return make_address_answer(AMBIGUOUS, candidates=candidates)
    answer["NoCandidatesIndicator"]
    return make_address_answer(NOT_FOUND)


def read_candidate(row: Json) -> Address:
    form = as_list(row["AddressKeyFormat"])[0]
    lines = [str(line) for line in as_list(form.get("AddressLine"))]
    return Address(
        address_line1=lines[0] if lines else None,
        address_line2=", ".join(lines[1:]) or None,
        city=form.get("PoliticalDivision2"),
        state_code=form.get("PoliticalDivision1"),
        postal_code=join_zip(form.get("PostcodePrimaryLow"), form.get("PostcodeExtendedLow")),
        country_code=form.get("CountryCode"),
        residential=KINDS.get(str(get_path(row, "AddressClassification/Code"))),
    )
