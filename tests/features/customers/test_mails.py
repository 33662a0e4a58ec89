"""Mail to customers: once for an event, whatever happens meanwhile, and nothing leaves a sandbox."""

from __future__ import annotations

import re
import time
from base64 import b64decode
from contextlib import nullcontext
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage

import pytest

from shipcli.features.connections.service import add_connection
from shipcli.features.core.app import App
from shipcli.features.customers.delivery import send_mail
from shipcli.features.customers.outbox import get_mail, list_mails, retry_mail
from shipcli.features.customers.settings import change_settings
from shipcli.features.customers.smtp import MailDelayed, MailServer, hand_over
from shipcli.features.customers.templates import change_template
from shipcli.features.orders import changes
from shipcli.features.shipments.voids import cancel_shipment
from shipcli.models import Conflict, ConnectionData, OrderCombineData, OrderSplitData
from shipcli.models.customers import Mail
from tests.features.customers.mail_server import MailBox
from tests.features.customers.parcels import CUSTOMER, VAN, report, sell, watch, work
from tests.features.orders.samples import made, pack


def only(app: App) -> Mail:
    (mail,) = list_mails(app).mails
    return mail


def test_a_customer_is_told_of_a_purchase(shop: App, mailbox: MailBox) -> None:
    sold = sell(shop)
    assert mailbox.raw == []
    work(shop)
    (message,) = mailbox.messages
    assert (message["from"], message["to"]) == ("Corner Shop <orders@example.com>", "ana@example.org")
    assert message["subject"] == "Your order 1042 is on its way"
    assert message["auto-submitted"] == "auto-generated"
    assert message["message-id"] == f"<{only(shop).id}@example.com>"
    assert message["date"].datetime <= shop.now() + timedelta(seconds=1)
    for kind in ("plain", "html"):
        part = message.get_body((kind,))
        assert part
        text = part.get_content()
        assert str(sold.tracking_number) in text
        assert "Our Van will take it" in text
        assert "https://parcels.example.com/track/" in text
        assert "expected on" not in text, "a line whose placeholders are all empty is left out"
        assert "{" not in text
    assert (only(shop).state, only(shop).subject, only(shop).text) == ("sent", message["subject"], None)


def test_a_customer_is_told_the_order_that_was_placed_whatever_became_of_it(
    shop: App, mailbox: MailBox
) -> None:
    first, second = (made(shop, order_id=number) for number in ("1001", "1002"))
    moved = OrderSplitData.model_validate({"line_items": [{"id": first.line_items[1].id}]})
    part = changes.split_order(shop, first.id, moved)
    sell(shop, parcels=[pack(part, 1)], reference=part.order_id)
    host = changes.combine_orders(shop, first.id, OrderCombineData(orders=[second.id]))
    sell(shop, parcels=[pack(host, 2, 2, 1)])
    work(shop)
    subjects = [f"Your order {numbers} is on its way" for numbers in ("1001", "1001, 1002")]
    assert sorted(message["subject"] for message in mailbox.messages) == sorted(subjects)


def test_each_event_is_told_once_however_often_a_carrier_says_so(shop: App, mailbox: MailBox) -> None:
    tracker = watch(shop, sell(shop))
    for status in ("in_transit", "on_hold", "in_transit", "delivery_failed", "out_for_delivery",
                   "delivery_delayed", "out_for_delivery", "delivered"):  # fmt: skip
        report(shop, tracker, status)
        report(shop, tracker, status)
        work(shop)
    subjects = ["is on its way", "is held up", "arrives today"]
    assert [message["subject"] for message in mailbox.messages] == [f"Your order 1042 {s}" for s in subjects]


def test_nobody_is_told_by_default_nor_without_an_address(shop: App, mailbox: MailBox) -> None:
    sell(shop, recipient={**CUSTOMER, "email": None})
    change_settings(shop, {"events": []})
    sell(shop)
    work(shop)
    assert (list_mails(shop).mails, mailbox.raw) == ([], [])


def test_a_return_is_the_shops_own_affair(sandbox: App) -> None:
    sell(sandbox, "usps", options={"is_return": True})
    assert list_mails(sandbox).mails == []


@pytest.mark.parametrize(
    "address", ["ana", "ana@x", "a@b.c,d@e.f", "ana@example.org\r\nBcc: eve@example.org", "<ana>@x.y"]
)
def test_what_is_no_address_is_left_out_and_said(shop: App, mailbox: MailBox, address: str) -> None:
    sell(shop, recipient={**CUSTOMER, "email": address})
    work(shop)
    assert ([mail.state for mail in list_mails(shop).mails], mailbox.lines) == (["skipped"], [])


def test_no_field_can_add_a_header_or_markup(shop: App, mailbox: MailBox) -> None:
    name = "Ana\u2028Bcc: eve@example.org <b>"
    sell(shop, recipient={**CUSTOMER, "person_name": name}, reference="7\u0085X: y")
    work(shop)
    (message,) = mailbox.messages
    assert set(message.keys()) == {"From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted",
                                   "MIME-Version", "Content-Type"}  # fmt: skip
    assert "<b>" not in message.get_body(("html",)).get_content()  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("address", "recipient"),
    [
        ("ana@straße.example", "ana@xn--strae-oqa.example"),
        ("ana@BÜCHER.example", "ana@xn--bcher-kva.example"),
        ("añá@bücher.example", "añá@xn--bcher-kva.example"),
    ],
)
def test_a_mail_goes_to_the_domain_that_is_written_and_no_other(
    shop: App, mailbox: MailBox, address: str, recipient: str
) -> None:
    """The rules of 2003 took ß for ss, which is the domain of somebody else."""
    sell(shop, recipient={**CUSTOMER, "email": address})
    work(shop)
    named = [line.partition(":")[2] for line in mailbox.lines if line.lower().startswith("rcpt")]
    assert named == [f"<{recipient}>"]
    assert [message["to"] for message in mailbox.messages] == [recipient]


def test_a_body_is_taken_by_servers_of_ascii_alone(shop: App, mailbox: MailBox) -> None:
    mailbox.answers["EHLO"] = "250 mail.example"
    change_template(shop, "purchased", {"text": "Für {customer_name}", "html": "<p>Für {customer_name}"})
    sell(shop, recipient={**CUSTOMER, "person_name": "Zoë"})
    work(shop)
    assert [content.isascii() for content in mailbox.raw] == [True]
    body = mailbox.messages[0].get_body(("plain",))
    assert body
    assert body.get_content().strip() == "Für Zoë"


@pytest.mark.parametrize("changes", [{"sender": "Shop <bücher@example.com>"}, {"reply_to": "ä@example.com"}])
def test_a_shop_with_letters_beyond_ascii_needs_a_server_that_takes_them(
    shop: App, mailbox: MailBox, changes: dict[str, str]
) -> None:
    change_settings(shop, changes)
    sell(shop)
    work(shop)
    assert (only(shop).state, "SMTPUTF8" in mailbox.lines[1]) == ("sent", True)
    mailbox.answers["EHLO"] = "250 mail.example"
    sell(shop)
    work(shop)
    mail = list_mails(shop).mails[0]
    assert (mail.state, "beyond ASCII" in str(mail.reason)) == ("waiting", True)


def test_mails_that_wait_are_left_out_once_they_are_switched_off(shop: App, mailbox: MailBox) -> None:
    sell(shop)
    change_settings(shop, {"events": ["exception"]})
    work(shop)
    mail = only(shop)
    assert (mail.state, "switched off" in str(mail.reason), mailbox.lines) == ("skipped", True, [])
    change_settings(shop, {"events": ["purchased"]})
    retry_mail(shop, only(shop).id)
    work(shop)
    assert (only(shop).state, len(mailbox.raw)) == ("sent", 1)


def test_what_a_server_says_is_kept_as_one_plain_line(shop: App, mailbox: MailBox) -> None:
    mailbox.answers["RCPT"] = "550-\x1b[31mno\r\n550 such box"
    sell(shop)
    work(shop)
    assert only(shop).reason == "550 [31mno such box"


def test_a_server_may_take_its_time_to_confirm_a_message(mailbox: MailBox) -> None:
    """Who looks for viruses answers late; one that is slow before has no message yet."""
    mailbox.at["message"] = lambda: time.sleep(1)
    server = MailServer("127.0.0.1", mailbox.port, "none", timeout_s=0.5)
    hand_over(server, EmailMessage(), "orders@example.com", "ana@example.org", lambda: None)
    assert len(mailbox.raw) == 1
    mailbox.at = {"DATA": lambda: time.sleep(1)}
    with pytest.raises(MailDelayed):
        hand_over(server, EmailMessage(), "orders@example.com", "ana@example.org", lambda: None)


@pytest.mark.parametrize(
    ("methods", "said"),
    [("PLAIN LOGIN", ""), ("CRAM-MD5", "no password with letters beyond ASCII"), ("PLAIN", "535 wrong ***")],
)
def test_a_password_may_have_letters_beyond_ascii(mailbox: MailBox, methods: str, said: str) -> None:
    mailbox.answers["EHLO"] = f"250-mail.example\r\n250 AUTH {methods}"
    mailbox.answers["AUTH"] = "535 wrong pässwort" if said.startswith("535") else "235 welcome"
    server = MailServer("127.0.0.1", mailbox.port, "none", "shop", "pässwort")
    refusal = pytest.raises(MailDelayed, match=re.escape(said)) if said else nullcontext()
    with refusal:
        hand_over(server, EmailMessage(), "orders@example.com", "ana@example.org", lambda: None)
    told = [line.removeprefix("AUTH PLAIN ") for line in mailbox.lines if line.startswith("AUTH")]
    assert [b64decode(text).decode() for text in told] == ([] if "CRAM" in methods else ["\0shop\0pässwort"])


@pytest.mark.parametrize("mode", ["sandbox", "test"])
def test_what_is_no_live_parcel_is_kept_and_sent_nowhere(
    shop: App, sandbox: App, mailbox: MailBox, mode: str
) -> None:
    app = replace(shop, test_mode=True) if mode == "test" else sandbox
    add_connection(app, ConnectionData.model_validate(VAN))
    change_settings(app, {"host": "127.0.0.1", "port": mailbox.port, "sender": "orders@example.com"})
    sell(app)
    work(app)
    mail = only(app)
    assert (mail.state, mailbox.lines) == ("kept", [])
    assert (mail.subject, "Ana Ruiz" in str(mail.text), "<p>" in str(mail.html)) == (
        "Your order 1042 is on its way",
        True,
        True,
    )


@pytest.mark.parametrize(
    ("step", "answer", "state"),
    [
        ("RCPT", "550 no such box", "failed"),
        ("END", "554 we take no such thing", "failed"),
        ("RCPT", "451 come back", "waiting"),
        ("MAIL", "550 who are you", "waiting"),
        ("RCPT", "530 log in first", "waiting"),
        ("DATA", "421 too busy", "waiting"),
        ("DATA", "554 no valid recipients", "failed"),
        ("EHLO", "no mail server", "waiting"),
        ("END", "452 full", "waiting"),
        ("RCPT", "", "waiting"),
        ("DATA", "", "waiting"),
        ("END", "", "unclear"),
    ],
)  # fmt: skip
def test_what_a_server_says_decides_what_becomes_of_a_mail(
    shop: App, mailbox: MailBox, step: str, answer: str, state: str
) -> None:
    mailbox.answers[step] = answer
    sell(shop)
    work(shop)
    mail = only(shop)
    assert (mail.state, bool(mail.reason)) == (state, True)
    assert (answer if answer[:1].isdigit() else "") in str(mail.reason)
    assert "-1" not in str(mail.reason)
    handed_over = len(mailbox.raw)
    mailbox.answers.clear()
    work(shop)
    assert len(mailbox.raw) == handed_over, "it is tried again after a pause, or not at all"
    retry_mail(shop, mail.id)
    work(shop)
    assert (only(shop).state, len(mailbox.raw)) == ("sent", handed_over + 1)
    with pytest.raises(Conflict):
        retry_mail(shop, mail.id)


def test_a_server_that_is_not_there_is_asked_again(shop: App) -> None:
    change_settings(shop, {"port": 1})
    sell(shop)
    work(shop)
    assert (only(shop).state, "127.0.0.1:1" in str(only(shop).reason)) == ("waiting", True)
    (job,) = shop.jobs.find(queue="mails")
    assert (job.attempts, job.state) == (1, "ready")


def test_a_mail_that_was_marked_and_not_confirmed_is_said_and_not_repeated(
    shop: App, mailbox: MailBox
) -> None:
    sell(shop)
    with shop.store.transaction() as tx:
        tx.update("mails", {"id": only(shop).id}, {"state": "sending"})
    work(shop)
    assert (only(shop).state, mailbox.raw) == ("unclear", [])
    assert "may have arrived" in str(only(shop).reason)
    assert shop.jobs.find(queue="mails") == []


def test_two_workers_send_a_mail_once(shop: App, mailbox: MailBox) -> None:
    """The second takes the mail for interrupted while the first is still sending it."""
    sell(shop)
    (job,) = shop.jobs.claim({"mails": 1})
    states = []

    def meddle() -> None:
        send_mail(shop, job)
        states.append(only(shop).state)

    mailbox.at["message"] = meddle
    send_mail(shop, job)
    assert (states, only(shop).state, len(mailbox.raw)) == (["unclear"], "sent", 1)


def test_a_voided_label_and_old_news_are_not_told(shop: App, mailbox: MailBox) -> None:
    first, second = sell(shop), sell(shop)
    cancel_shipment(shop, first.id)
    report(shop, watch(shop, second), "out_for_delivery")
    later = replace(shop, clock=lambda: shop.now() + timedelta(days=1))
    later.shared.pop("jobs", None)
    work(later)
    states = {(mail.shipment_id, mail.event): mail.state for mail in list_mails(shop).mails}
    assert states == {(first.id, "purchased"): "skipped", (second.id, "purchased"): "sent",
                      (second.id, "out_for_delivery"): "skipped"}  # fmt: skip
    assert get_mail(shop, list_mails(shop).mails[0].id).reason
