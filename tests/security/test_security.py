"""The master key and what is sealed with it."""

from __future__ import annotations

import base64
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends.chainer import ChainerBackend
from keyring.backends.fail import Keyring as FailingKeyring
from keyring.errors import KeyringLocked

from shipcli.bootstrap import open_app
from shipcli.features.connections import service as connections
from shipcli.features.core.app import App, read_fact
from shipcli.models import ConnectionData
from shipcli.security import master_key
from shipcli.security.master_key import MasterKeyError
from shipcli.security.vault import Vault

KEY, OTHER = bytes(range(32)), bytes(32)
UPS = {"client_id": "me", "client_secret": "hush-hush-1234", "account_number": "A1B2C3"}
DATA = ConnectionData(carrier_name="ups", carrier_id="main", credentials=UPS)


def text_of(key: bytes) -> str:
    return base64.urlsafe_b64encode(key).decode()


class RealKeyring(KeyringBackend):
    """A backend as an operating system has one."""

    priority = 5.0

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password


class LockedKeyring(RealKeyring):
    def get_password(self, service: str, username: str) -> str | None:
        raise KeyringLocked("locked")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise KeyringLocked("locked")


class PlainKeyring(RealKeyring):
    """Stands for the backends that write plain text."""

    __module__ = "keyrings.alt.file"


class Chain(ChainerBackend):
    """Several backends behind one."""

    backends = ()  # type: ignore[assignment]  # a property of the library, fixed here

    def __init__(self, *backends: KeyringBackend) -> None:
        super().__init__()
        self.backends = list(backends)  # type: ignore[assignment]


@pytest.fixture(autouse=True)
def use() -> Iterator[Any]:
    before = keyring.get_keyring()
    keyring.set_keyring(FailingKeyring())
    yield keyring.set_keyring
    keyring.set_keyring(before)


def opened(home: Path, **environ: str) -> App:
    return open_app(home, environ=environ)


def with_a_secret(home: Path, **environ: str) -> str:
    """A home that holds a connection; its id."""
    app = opened(home, **environ)
    made = connections.add_connection(app, DATA)
    app.close()
    return made.id


def secret_of(home: Path, connection_id: str, **environ: str) -> Any:
    app = opened(home, **environ)
    try:
        return (connections.get_connection(app, connection_id).credentials or {})["client_secret"]
    finally:
        app.close()


def place_of(home: Path) -> str:
    app = opened(home)
    try:
        return str(read_fact(app.store, "master_key")["place"])
    finally:
        app.close()


# -- the vault ---------------------------------------------------------------------------------


def test_what_is_sealed_is_opened_for_its_record_only() -> None:
    vault = Vault(lambda: KEY)
    sealed = vault.seal("car_1", b"secret")
    assert vault.open("car_1", sealed) == b"secret"
    assert b"secret" not in sealed
    assert vault.seal("car_1", b"secret") != sealed
    with pytest.raises(MasterKeyError):
        vault.open("car_2", sealed)


@pytest.mark.parametrize(
    "change", [lambda s: s[:-1], lambda s: s[:5], lambda s: b"", lambda s: b"\x02" + s[1:]]
)
def test_a_damaged_secret_is_an_error(change: Any) -> None:
    vault = Vault(lambda: KEY)
    with pytest.raises(MasterKeyError, match="car_1"):
        vault.open("car_1", change(vault.seal("car_1", b"secret")))


def test_another_key_opens_nothing() -> None:
    with pytest.raises(MasterKeyError):
        Vault(lambda: OTHER).open("car_1", Vault(lambda: KEY).seal("car_1", b"secret"))


def test_a_vault_shows_nothing_of_its_key() -> None:
    assert repr(Vault(lambda: KEY)) == "Vault(***)"


# -- the key file ------------------------------------------------------------------------------


def test_without_a_keyring_the_key_is_a_file_of_the_owners_alone(tmp_path: Path) -> None:
    made = with_a_secret(tmp_path / "home")
    path = tmp_path / "home" / master_key.FILE
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert secret_of(tmp_path / "home", made) == UPS["client_secret"]
    assert place_of(tmp_path / "home") == master_key.KEY_FILE
    assert [one.name for one in (tmp_path / "home").glob("*.part")] == []


def test_a_missing_key_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    made = with_a_secret(tmp_path)
    (tmp_path / master_key.FILE).unlink()
    with pytest.raises(MasterKeyError, match=r"missing from .*master\.key.*restore it"):
        secret_of(tmp_path, made)
    assert not (tmp_path / master_key.FILE).exists()


def test_another_key_is_an_error_that_names_the_fingerprint(tmp_path: Path) -> None:
    made = with_a_secret(tmp_path)
    (tmp_path / master_key.FILE).write_text(text_of(OTHER))
    with pytest.raises(MasterKeyError, match="not the one this store was sealed with"):
        secret_of(tmp_path, made)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such modes")
@pytest.mark.parametrize("mode", [0o644, 0o640, 0o602])
def test_a_key_file_that_others_may_read_is_refused_with_the_fix(tmp_path: Path, mode: int) -> None:
    made = with_a_secret(tmp_path)
    path = tmp_path / master_key.FILE
    path.chmod(mode)
    with pytest.raises(MasterKeyError, match=rf"chmod 600 {path}"):
        secret_of(tmp_path, made)
    path.chmod(0o600)
    assert secret_of(tmp_path, made)


@pytest.mark.parametrize("text", ["", "short", "é" * 44, text_of(KEY)[:20]])
def test_a_key_file_that_holds_no_key_is_an_error(tmp_path: Path, text: str) -> None:
    made = with_a_secret(tmp_path)
    (tmp_path / master_key.FILE).write_text(text, "utf-8")
    with pytest.raises(MasterKeyError, match="32 bytes in base64"):
        secret_of(tmp_path, made)


def test_a_key_that_lies_there_already_is_taken(tmp_path: Path) -> None:
    """A process was killed after it wrote the key and before the store knew of it."""
    path = tmp_path / master_key.FILE
    path.touch(0o600)
    path.write_text(text_of(KEY))
    made = with_a_secret(tmp_path)
    assert (tmp_path / master_key.FILE).read_text() == text_of(KEY)
    assert secret_of(tmp_path, made) == UPS["client_secret"]


def test_two_processes_make_one_key(tmp_path: Path) -> None:
    apps = [opened(tmp_path) for _ in range(2)]
    made = [connections.add_connection(app, DATA) for app in apps]
    for app in apps:
        app.close()
    assert {secret_of(tmp_path, one.id) for one in made} == {UPS["client_secret"]}


# -- the environment ---------------------------------------------------------------------------


def test_a_key_from_the_environment_is_written_nowhere(tmp_path: Path) -> None:
    environ = {master_key.VARIABLE: text_of(KEY)}
    made = with_a_secret(tmp_path, **environ)
    assert secret_of(tmp_path, made, **environ) == UPS["client_secret"]
    assert not (tmp_path / master_key.FILE).exists()
    held = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert KEY not in held
    assert text_of(KEY).encode() not in held


def test_a_key_from_the_environment_must_be_given_again(tmp_path: Path) -> None:
    made = with_a_secret(tmp_path, **{master_key.VARIABLE: text_of(KEY)})
    with pytest.raises(MasterKeyError, match=master_key.VARIABLE):
        secret_of(tmp_path, made)
    with pytest.raises(MasterKeyError, match="not the one"):
        secret_of(tmp_path, made, **{master_key.VARIABLE: text_of(OTHER)})


@pytest.mark.parametrize("text", ["x", text_of(KEY[:16])])
def test_a_variable_that_is_no_key_is_an_error(tmp_path: Path, text: str) -> None:
    with pytest.raises(MasterKeyError, match=master_key.VARIABLE):
        with_a_secret(tmp_path, **{master_key.VARIABLE: text})


# -- the keyring -------------------------------------------------------------------------------


def test_a_real_keyring_keeps_the_key(tmp_path: Path, use: Any) -> None:
    backend = RealKeyring()
    use(backend)
    made = with_a_secret(tmp_path)
    assert list(backend.kept) == [("shipcli", str(tmp_path))]
    assert not (tmp_path / master_key.FILE).exists()
    assert place_of(tmp_path) == master_key.KEYRING
    assert secret_of(tmp_path, made) == UPS["client_secret"]


def test_a_key_gone_from_the_keyring_is_an_error_and_no_new_key_is_made(tmp_path: Path, use: Any) -> None:
    backend = RealKeyring()
    use(backend)
    made = with_a_secret(tmp_path)
    backend.kept.clear()
    with pytest.raises(MasterKeyError, match="missing from the system keyring"):
        secret_of(tmp_path, made)
    assert backend.kept == {}


def test_a_locked_keyring_is_an_error(tmp_path: Path, use: Any) -> None:
    use(RealKeyring())
    made = with_a_secret(tmp_path)
    use(LockedKeyring())
    with pytest.raises(MasterKeyError, match="can't be opened"):
        secret_of(tmp_path, made)


@pytest.mark.parametrize(
    "backend",
    [PlainKeyring, LockedKeyring, lambda: Chain(RealKeyring(), PlainKeyring())],
    ids=["plain", "locked", "chain"],
)
def test_a_keyring_that_is_plain_or_locked_is_not_used_for_a_new_key(
    tmp_path: Path, use: Any, backend: Any
) -> None:
    chosen = backend()
    use(chosen)
    with_a_secret(tmp_path)
    assert place_of(tmp_path) == master_key.KEY_FILE
    assert all(one.kept == {} for one in getattr(chosen, "backends", [chosen]))


def test_a_chain_of_real_keyrings_is_used(tmp_path: Path, use: Any) -> None:
    use(Chain(RealKeyring()))
    with_a_secret(tmp_path)
    assert place_of(tmp_path) == master_key.KEYRING


def test_a_sandbox_asks_no_keyring(tmp_path: Path, use: Any) -> None:
    backend = RealKeyring()
    use(backend)
    app = open_app(tmp_path, sandbox=True, environ={})
    app.close()
    assert backend.kept == {}
    assert (tmp_path / "sandbox" / master_key.FILE).is_file()
