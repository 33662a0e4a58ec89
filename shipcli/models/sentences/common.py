"""Fields that mean the same in many models."""

SENTENCES = {
    "id": (
        "Identifies the object: a prefix for its kind and 32 hexadecimal digits; null where nothing is "
        "stored."
    ),
    "object_type": "Says what kind of object this is, for programs that receive several kinds.",
    "carrier_name": "The carrier, by its slug such as `ups` or `canadapost`; `GET /v1/carriers` lists them.",
    "carrier_id": (
        "The connection with the carrier, by the name that you gave it; several of one carrier differ in it."
    ),
    "created_at": "When it was stored, in UTC (ISO 8601).",
    "updated_at": "When it last changed, in UTC (ISO 8601).",
    "test_mode": "True for objects of test mode; test and live objects never see each other.",
    "metadata": (
        "Your own notes on the object, any JSON object. Sensitive data does not belong here. In a change, "
        "keys are merged and null removes one."
    ),
    "meta": (
        "What the server and the carrier add: the carrier's own numbers, names and links. Read only; keys "
        "vary."
    ),
    "messages": "Remarks and refusals of carriers, also beside a success; empty if there was nothing to say.",
    "options": "Further wishes by name; keys that a carrier does not know are stored and not sent.",
    "errors": "What was wrong, one entry for each problem.",
    "reference": "Your own number, printed on labels where the carrier has room, and searched by `keyword`.",
    "currency": "ISO 4217 code of the money beside it, such as USD.",
    "services": (
        "Only rates of these services are asked for, by names such as `usps_ground_advantage`; empty for all."
    ),
    "carrier_ids": "Only these connections are asked, by `carrier_id`; empty for all that can do it.",
    "count": "How many results there are on all pages together.",
    "next": "Address of the next page; null on the last one.",
    "previous": "Address of the page before; null on the first one.",
    "results": "The objects of this page, newest first.",
    "APIError.message": "What is wrong and what to do about it, for people; do not compare it in code.",
    "APIError.code": "A word for the kind of error that programs can rely on, such as `not_found`.",
    "APIError.details": "More by field: with `validation`, the names of fields and what is wrong with each.",
    "Message.message": "What the carrier said, or what was noticed on its behalf.",
    "Message.code": "The carrier's own code, or one of this server's such as `customs_required`.",
    "Message.details": "More that the carrier said, as it said it; null if there was no more.",
    "Message.carrier_name": "The carrier that said it, by its slug; left out if it concerns none.",
    "Message.carrier_id": "The connection that was used, so that you know which account is meant.",
}
