"""The API from Python: ask for prices, buy a label once, save it, track it.

shipcli sandbox up --seed demo            # prints the address and a key
SHIPCLI_API_URL=... SHIPCLI_API_KEY=... python examples/api_client.py [LABEL_FILE]
"""

import os
import sys
import time
import uuid
from pathlib import Path

import httpx

SHIPPER = {
    "person_name": "Dock One", "address_line1": "400 Market St", "city": "Philadelphia", "state_code": "PA",
    "postal_code": "19106", "country_code": "US",
}  # fmt: skip
RECIPIENT = {
    "person_name": "Ada Brooks", "address_line1": "123 Main St", "city": "Boston", "state_code": "MA",
    "postal_code": "02134", "country_code": "US",
}  # fmt: skip
PARCEL = {"weight": 2, "weight_unit": "LB", "length": 12, "width": 8, "height": 4, "dimension_unit": "IN"}


def post(client: httpx.Client, path: str, body: dict, key: str | None = None) -> dict:
    """The answer to a POST. With a key it is sent again if the answer is lost, and carried out only once."""
    headers = {"Idempotency-Key": key} if key else {}
    for pause_s in (1, 4, None):
        try:
            answer = client.post(path, json=body, headers=headers)
            break
        except httpx.TransportError:
            if key is None or pause_s is None:  # without a key nobody knows whether it was carried out
                raise
            time.sleep(pause_s)
    if answer.is_error:
        # {"errors": [{"code": ..., "message": ...}]}; if a carrier refused, {"messages": [...]}
        raise SystemExit(f"{answer.status_code}: {answer.text}")
    return answer.json()


def main() -> None:
    label = Path(sys.argv[1] if len(sys.argv) > 1 else "label.pdf")
    headers = {"Authorization": f"Token {os.environ['SHIPCLI_API_KEY']}"}
    with httpx.Client(base_url=os.environ["SHIPCLI_API_URL"], headers=headers, timeout=60) as client:
        body = {"shipper": SHIPPER, "recipient": RECIPIENT, "parcels": [PARCEL]}
        shipment = post(client, "/v1/shipments", {**body, "label_type": "PDF"})
        rates = [rate for rate in shipment["rates"] if rate["currency"] == "USD"]
        cheapest = min(rates, key=lambda rate: rate["total_charge"])
        print(f"{len(rates)} prices; {cheapest['service']} costs {cheapest['total_charge']} USD")

        purchase = {"selected_rate_id": cheapest["id"]}
        bought = post(client, f"/v1/shipments/{shipment['id']}/purchase", purchase, key=str(uuid.uuid4()))
        label.write_bytes(client.get(bought["label_url"]).raise_for_status().content)
        print(f"{bought['tracking_number']} is on {label}")

        tracker = client.get(f"/v1/trackers/{bought['tracker_id']}").raise_for_status().json()
        print(f"it is {tracker['status']}")


if __name__ == "__main__":
    main()
