"""Words in documents: what a person reads is searched, the digits of our own ids are not."""

from __future__ import annotations

from typing import Any

import pytest

from shipcli.features.admin.search import has_words

ID = "shp_0193a1042bc" + "f" * 21
SHIPMENT: dict[str, Any] = {
    "id": ID,
    "label_url": f"/v1/shipments/{ID}/label.pdf",
    "order_id": "W1077",
    "recipient": {"person_name": "Ada Brooks"},
    "parcels": [{"id": "pcl_" + "1042" * 8, "items": [{"title": "Enamel mug"}]}],
}


@pytest.mark.parametrize("words", [["brooks"], ["MUG", "ada"], ["1077"], [ID], [ID[:12]], ["pcl_1042"]])
def test_words_people_read_and_beginnings_of_ids_are_found(words: list[str]) -> None:
    assert has_words(SHIPMENT, words)


@pytest.mark.parametrize("word", ["1042", "a1042bc", ID[8:]])
def test_digits_that_are_in_an_id_by_chance_are_not_found(word: str) -> None:
    assert not has_words(SHIPMENT, [word])
