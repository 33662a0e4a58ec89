"""Settings, passwords and templates: what is wrong is named when it is set, and no secret is shown."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest

from shipcli.features.core.app import App
from shipcli.features.customers import look, settings, templates
from shipcli.features.customers.outbox import list_mails
from shipcli.features.customers.trial import preview_mail, try_mail
from shipcli.models import Invalid, NotFound
from tests.features.customers.mail_server import MailBox
from tests.features.customers.parcels import CUSTOMER, sell, work


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"events": ["sold"]}, "events"),
        ({"security": "ssl"}, "security"),
        ({"host": "smtp.example.com/x"}, "host"),
        ({"host": "smtp.example.com\r\nX"}, "host"),
        ({"port": 0}, "port"),
        ({"port": 65536}, "port"),
        ({"sender": "orders"}, "from"),
        ({"sender": "Shop <orders@example.com>\r\nBcc: eve@example.org"}, "from"),
        ({"sender": "Shop\nBcc: x <orders@example.com>"}, "from"),
        ({"reply_to": "a@example.com, b@example.com"}, "reply_to"),
        ({"host": "smtp.example.com", "user": "shop"}, "security"),
        ({"host": ""}, "host"),
    ],
)
def test_what_can_not_be_used_is_named(shop: App, changes: dict[str, Any], field: str) -> None:
    before = settings.read_settings(shop.store)
    with pytest.raises(Invalid) as refused:
        settings.change_settings(shop, changes)
    assert (refused.value.problems[0].field, settings.read_settings(shop.store)) == (field, before)


@pytest.mark.parametrize(
    "sender", ["orders@example.com", "Müller & Söhne <orders@müller.example>", '"A, B" <a@b.example>']
)
def test_usual_senders_are_taken(shop: App, mailbox: MailBox, sender: str) -> None:
    settings.change_settings(shop, {"sender": sender, "reply_to": "help@example.com"})
    sell(shop)
    work(shop)
    (message,) = mailbox.messages
    assert message["from"].addresses[0].display_name == sender.rpartition(" <")[0].strip('"')
    assert message["reply-to"] == "help@example.com"


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"color": "red"}, "color"),
        ({"color": "#12"}, "color"),
        ({"color": "#fff;background:url(x)"}, "color"),
        ({"url": "javascript:alert(1)"}, "url"),
        ({"url": "https://user@example.com"}, "url"),
        ({"url": 'https://example.com/"x'}, "url"),
        ({"url": "https://example.com?x=1"}, "url"),
        ({"url": "parcels.example.com"}, "url"),
        ({"name": "x" * 61}, "name"),
    ],
)
def test_a_look_that_can_not_be_shown_is_named(sandbox: App, changes: dict[str, Any], field: str) -> None:
    with pytest.raises(Invalid) as refused:
        look.change_look(sandbox, changes)
    assert refused.value.problems[0].field == field


def test_a_logo_is_a_picture_of_moderate_size() -> None:
    png = b"\x89PNG\r\n\x1a\n" + bytes(100)
    assert look.read_logo(png) == f"data:image/png;base64,{base64.b64encode(png).decode()}"
    for content in (b"<svg/>", b"%PDF-1.7", png + bytes(200_000), b""):
        with pytest.raises(Invalid):
            look.read_logo(content)


# -- passwords -----------------------------------------------------------------------------------------


def test_the_password_is_of_the_environment_of_a_file_or_kept(shop: App, tmp_path: Path) -> None:
    account = settings.change_settings(shop, {"user": "shop"})
    settings.keep_password(shop, account, "kept")
    environ = dict(shop.environ)
    assert settings.find_password(shop, account) == "s3cr3t"
    del shop.environ["SHIPCLI_MAIL_PASSWORD"]  # type: ignore[attr-defined]
    assert settings.find_password(shop, account) == "kept"
    file = tmp_path / "password"
    file.write_text("of a file\nsecond line\n")
    shop.environ["SHIPCLI_MAIL_PASSWORD_FILE"] = str(file)  # type: ignore[index]
    assert settings.find_password(shop, account) == "of a file"
    file.unlink()
    assert not settings.has_password(shop, account)
    shop.environ.clear()  # type: ignore[attr-defined]
    elsewhere = account.model_copy(update={"host": "smtp.example.net"})
    assert settings.find_password(shop, elsewhere) is None, "that of one server is never sent to another"
    assert environ


def test_the_password_is_sent_and_never_shown(
    shop: App, mailbox: MailBox, caplog: pytest.LogCaptureFixture
) -> None:
    settings.change_settings(shop, {"user": "shop"})
    mailbox.answers.update({"EHLO": "250-mail.example\r\n250 AUTH PLAIN", "AUTH": "535 no: s3cr3t"})
    sell(shop)
    work(shop)
    (mail,) = list_mails(shop).mails
    assert (mail.state, mailbox.raw) == ("waiting", [])
    sent = base64.b64decode(next(line for line in mailbox.lines if line.startswith("AUTH")).split()[2])
    assert sent == b"\0shop\0s3cr3t"
    (job,) = shop.jobs.find(queue="mails")
    assert "s3cr3t" not in f"{mail} {job} {caplog.text}"


def test_nothing_is_sent_unencrypted_to_a_server_that_lost_starttls(shop: App, mailbox: MailBox) -> None:
    settings.change_settings(shop, {"user": "shop", "security": "starttls"})
    sell(shop)
    work(shop)
    (mail,) = list_mails(shop).mails
    assert (mail.state, "STARTTLS" in str(mail.reason)) == ("waiting", True)
    assert [line for line in mailbox.lines if not line.upper().startswith(("EHLO", "STARTTLS", "QUIT"))] == []


def test_an_account_without_a_password_waits_for_one(shop: App, mailbox: MailBox) -> None:
    settings.change_settings(shop, {"user": "shop"})
    shop.environ.clear()  # type: ignore[attr-defined]
    sell(shop)
    work(shop)
    (mail,) = list_mails(shop).mails
    assert (mail.state, "no password" in str(mail.reason), mailbox.lines) == ("waiting", True, [])


# -- templates -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "text", "said"),
    [
        ("text", "Hi {traking_number}", "{tracking_number}"),
        ("subject", "{Shop_Name}", "{shop_name}"),
        ("html", "<p>{tracking number}</p>", "{tracking_number}"),
        ("html", "<p>{zzz}</p>", "there are"),
        ("subject", "  ", "is empty"),
        ("text", "x" * 100_001, "room"),
    ],
)
def test_a_placeholder_that_is_not_known_is_named(sandbox: App, part: str, text: str, said: str) -> None:
    with pytest.raises(Invalid, match="known|empty|room") as refused:
        templates.change_template(sandbox, "purchased", {part: text})
    assert (refused.value.problems[0].field, said in refused.value.message) == (part, True)
    assert templates.read_template(sandbox.store, "purchased") == templates.read_ready_made("purchased")


@pytest.mark.parametrize(
    "torn",
    ["{{order_number}}", "{{ news }}", "{order_number", "order_number}", "{order_number:>8}"],
)
def test_a_placeholder_that_would_not_be_filled_in_is_named(sandbox: App, torn: str) -> None:
    with pytest.raises(Invalid, match="one pair of braces"):
        templates.change_template(sandbox, "purchased", {"text": f"Order {torn} of {{shop_name}}"})


@pytest.mark.parametrize(
    "style", ["p{color:{color}}", "p{ color: {color};background:{ink}}", "a{transition:color}", "{}"]
)
def test_braces_of_a_style_sheet_are_left_alone(sandbox: App, style: str) -> None:
    page = f"<style>{style}</style><p>{{news}}"
    assert templates.change_template(sandbox, "purchased", {"html": page}).html == page


def test_a_shop_replaces_a_text_and_goes_back(sandbox: App) -> None:
    own = {"subject": "{ order_number } ist unterwegs",
           "text": "{carrier}: {news}\nbis {estimated_delivery}\n{}",
           "html": "<style>p{color:red}</style><p>{customer_name}</p>"}  # fmt: skip
    templates.change_template(sandbox, "purchased", own)
    to = {**CUSTOMER, "person_name": "A & <b>"}
    mail = preview_mail(sandbox, "purchased", sell(sandbox, "generic", recipient=to).id)
    assert mail.subject == "1042 ist unterwegs"
    assert str(mail.text).endswith("\n{}\n")
    assert "bis" not in str(mail.text)
    assert mail.html == "<style>p{color:red}</style><p>A &amp; &lt;b&gt;</p>"
    templates.restore_template(sandbox, "purchased")
    assert preview_mail(sandbox, "purchased").subject == "Your order 1042 is on its way"


@pytest.mark.parametrize("event", ["purchased", "out_for_delivery", "exception"])
def test_the_ready_made_texts_hold_what_they_promise(sandbox: App, event: str) -> None:
    templates.check_template(templates.read_ready_made(event))
    mail = preview_mail(sandbox, event)
    for text in (str(mail.text), str(mail.html)):
        assert "{" not in text
        assert "https://parcels.example.com/track/sample" in text
        assert "Corner Shop" in text
    with pytest.raises(NotFound):
        preview_mail(sandbox, event, "shp_none")


def test_a_sample_is_sent_at_once_but_not_from_a_sandbox(shop: App, sandbox: App, mailbox: MailBox) -> None:
    assert try_mail(shop, "me@example.com", "exception").state == "sent"
    assert mailbox.messages[0]["to"] == "me@example.com"
    settings.change_settings(sandbox, {"host": "127.0.0.1", "port": mailbox.port, "sender": "a@example.com"})
    assert try_mail(sandbox, "me@example.com", "exception").state == "kept"
    assert len(mailbox.raw) == 1
    with pytest.raises(Invalid):
        try_mail(shop, "me@example.com\r\nRCPT TO:<eve@example.org>", "exception")
