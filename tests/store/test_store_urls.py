"""URLs of stores, and what is said when a server can't be used: clear, and without the password."""

from __future__ import annotations

import psycopg
import pytest

from shipcli.models.basics.store_url import has_password, hide_password
from shipcli.store.errors import StoreBusy, StoreError
from shipcli.store.places import choose_engine
from shipcli.store.postgres.errors import explain_closed

PLACE = "postgresql://shipcli@db/shipping"
AT = 'connection failed: connection to server at "db", port 5432 failed: '


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://a:b@h/d", "postgresql://a@h/d"),
        ("postgresql://a@h/d?password=b&schema=c", "postgresql://a@h/d?schema=c"),
        ("postgresql://a@h/d?sslpassword=b&schema=c", "postgresql://a@h/d?schema=c"),
        ("postgresql://a@h/d?PassWord=b#x&y&schema=c", "postgresql://a@h/d?schema=c"),
        ("postgresql://a:b@h1:1,h2:2/d?schema=c", "postgresql://a@h1:1,h2:2/d?schema=c"),
        ("postgresql:///d?host=/run", "postgresql:///d?host=/run"),
        ("postgresql://h:5432/d?user=me@corp", "postgresql://h:5432/d?user=me@corp"),
        *[(f"postgresql://a:b{sign}c@h:1/d", "postgresql://a@h:1/d") for sign in "@/?#:[ "],
        ("postgresql://a:12/b@h/d", "postgresql://a@h/d"),
    ],
)
def test_a_url_is_shown_without_its_password(url: str, shown: str) -> None:
    assert hide_password(url) == shown
    assert has_password(url) == (url != shown)


@pytest.mark.parametrize("password", ["s3@cret", "s3/cret", "s3?cret", "s3#cret", "s3%cret", "s3 cret"])
def test_a_password_that_is_not_quoted_is_refused_and_not_told(password: str) -> None:
    with pytest.raises(StoreError, match="quote") as caught:
        choose_engine(PLACE).open_inspection(f"postgresql://a:{password}@h/d")
    assert "cret" not in str(caught.value)
    assert "s3" not in str(caught.value)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("pool=yes", "there is no option pool"),
        ("pooler=maybe", "yes or no"),
        ("connections=x", "whole number"),
    ],
)
def test_an_option_of_a_url_that_is_wrong_is_named(query: str, said: str) -> None:
    with pytest.raises(StoreError, match=said):
        choose_engine(PLACE).open_inspection(f"{PLACE}?{query}")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('FATAL:  password authentication failed for user "a"', "refused the user or the password"),
        ("fe_sendauth: no password supplied", "asks for a password: give it in PGPASSWORD"),
        ('FATAL:  no pg_hba.conf entry for host "1.2.3.4"', "does not let this user in"),
        ("FATAL:  unsupported startup parameter in options: search_path", "add pooler=yes to the URL"),
    ],
)
def test_a_server_that_refuses_says_what_to_do(text: str, said: str) -> None:
    error = explain_closed(psycopg.OperationalError(AT + text), PLACE)
    assert said in str(error)
    assert PLACE in str(error)
    assert not isinstance(error, StoreBusy), "waiting does not mend it"


def test_each_of_several_servers_is_told() -> None:
    attempts = (
        "- host: 'db1', port: '5432', hostaddr: '1.2.3.4': connection failed: connection to server at "
        '"db1", port 5432 failed: session is read-only',
        "- host: 'db2', port: '5432', hostaddr: '1.2.3.5': connection failed: connection to server at "
        '"db2", port 5432 failed: Connection refused\n\tIs the server running on that host?',
    )
    text = f"{AT}Connection refused\nMultiple connection attempts failed. All failures were:\n"
    error = explain_closed(psycopg.OperationalError(text + "\n".join(attempts)), PLACE)
    assert isinstance(error, StoreBusy), "one may be promoted"
    assert "db1:5432 is a standby, or set to read only; " in str(error)
    assert str(error).endswith('"db2", port 5432 failed: Connection refused')
