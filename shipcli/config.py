"""Settings, read once: flag, then environment, then ./shipcli.toml, then the user's file, then the default.

A sandbox has its own file. Settings it leaves out come from the user's, except names of things in a store.
Secrets are never settings. Plain values only, so that reading them costs nothing at start-up.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from shipcli.models.basics.errors import Invalid
from shipcli.models.basics.problems import describe_unknown
from shipcli.models.basics.store_url import has_password, hide_password, is_store_url
from shipcli.models.basics.text import find_nearest

FILE = "config.toml"
PROJECT_FILE = "shipcli.toml"
PREFIX = "SHIPCLI_"
STORE_VARIABLE = "SHIPCLI_STORE"
TRUE = frozenset({"1", "true", "yes", "on"})
FALSE = frozenset({"0", "false", "no", "off", ""})
FOREVER = "0 keeps them forever"
WEIGHT_UNITS = ("", "KG", "LB", "OZ", "G")
LABEL_FORMATS = ("", "PDF", "ZPL", "PNG")
SHIPPER, PRINTER, PAPER, LOGO, STORE, SCALE = "shipper", "printer", "paper", "logo", "store", "scale"
ON_SHIPPED = "on_shipped"
NOT_SHARED = frozenset({SHIPPER, PRINTER, STORE, SCALE})  # a store, what is in it and beside it


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its type, its default, the values it may take, what it is for."""

    key: str
    type: type
    default: Any
    help: str
    choices: tuple[str, ...] = ()
    least: int | None = None


SETTINGS: tuple[Setting, ...] = (
    Setting(
        STORE,
        str,
        "",
        "where the store is, if not in a file of this machine: postgresql://USER@HOST/DATABASE?schema=NAME",
    ),
    Setting("mode", str, "test", "data and carrier hosts that commands use", ("test", "live")),
    Setting("address_validation", str, "off", "how validate_location is answered", ("off", "offline")),
    Setting("currency", str, "", "currency in which prices are compared when a command names none"),
    Setting(
        "exchange_rates",
        str,
        "",
        "rates at which goods are declared in the currency of a carrier's forms: JPY=0.0068USD,NOK=0.09USD",
    ),
    Setting("weight_unit", str, "", "unit of weights typed without one; unset, they need one", WEIGHT_UNITS),
    Setting("size_unit", str, "", "unit of sizes typed without one; unset, they need one", ("", "CM", "IN")),
    Setting(
        PAPER,
        str,
        "",
        "paper for documents; unless set, letter in North America and A4 elsewhere, 4x6 for what is stuck on",
        ("", "letter", "a4", "4x6"),
    ),
    Setting(LOGO, str, "", "PNG or JPEG file printed at the top of documents"),
    Setting(
        "label_type",
        str,
        "",
        "label format requested from carriers; unless set, that of the label printer: ZPL or PDF",
        LABEL_FORMATS,
    ),
    Setting("tracing", bool, True, "record what is sent to and received from carriers, without secrets"),
    Setting("tracking_interval", int, 7200, "seconds after which a tracker is asked again", least=1),
    Setting(SHIPPER, str, "", "id of the shipper's address when a command names none"),
    Setting(PRINTER, str, "", "default printer: its name, or a target such as tcp://192.0.2.7"),
    Setting("printer_format", str, "", "label format of a printer given as a target", LABEL_FORMATS),
    Setting(
        "printer_wait",
        int,
        2,
        "seconds to wait for a network printer to close the connection after it has received everything",
        least=0,
    ),
    Setting(
        SCALE, str, "", "scale of --weight scale and of the station: its name; unset, the only one there is"
    ),
    Setting("bench", str, "", "name of this packing bench; its printers are preferred"),
    Setting(
        "tracking_pause",
        int,
        10,
        "seconds between two batches of a carrier's trackers; no pause in a sandbox",
        least=0,
    ),
    Setting("rate_limit", int, 0, "requests per minute accepted from one caller; 0 for no limit", least=0),
    Setting("body_limit", int, 2621440, "largest request body that the server accepts, in bytes", least=1),
    Setting("upload_limit", int, 33554432, "largest upload that the server accepts, in bytes", least=1),
    Setting("key_limit", int, 200, "most keys of an object in a request, such as metadata", least=100),
    Setting("parcel_limit", int, 200, "most parcels of a shipment in a request", least=1),
    Setting("commodity_limit", int, 1000, "most commodities of a shipment or order", least=1),
    Setting("refusal_limit", int, 30, "wrong credentials per minute from one address before 429", least=1),
    Setting("connection_limit", int, 1000, "most connections that the server holds at once", least=2),
    Setting("request_timeout", int, 20, "seconds that the server waits for a request to begin", least=1),
    Setting("allowed_hosts", str, "", "further host names of the server, such as a proxy's; * for any"),
    Setting("allowed_origins", str, "", "origins whose web pages may read the server's answers; * for any"),
    Setting("trusted_proxies", str, "", "addresses whose X-Forwarded-For header the server believes"),
    Setting("access_token_life", int, 1800, "seconds that an access token is valid", least=1),
    Setting("refresh_token_life", int, 259200, "seconds that a refresh token is valid", least=1),
    Setting("order_retention_days", int, 0, f"days that finished orders are kept; {FOREVER}", least=0),
    Setting("shipment_retention_days", int, 0, f"days that finished shipments are kept; {FOREVER}", least=0),
    Setting("tracker_retention_days", int, 0, f"days that delivered trackers are kept; {FOREVER}", least=0),
    Setting("log_retention_days", int, 0, f"days that logs, traces and events are kept; {FOREVER}", least=0),
    Setting(
        "webhook_targets",
        str,
        "auto",
        "targets of webhooks and hosts of connections; auto: only public ones once others reach the server",
        ("auto", "any", "public"),
    ),
    Setting(
        "webhook_secret_header",
        bool,
        True,
        "send the secret of a webhook unencrypted in X-Event-Id, for consumers that compare it",
    ),
    Setting(
        ON_SHIPPED,
        str,
        "",
        "command that the worker runs once for each bought shipment, with JSON on standard input",
    ),
    Setting("check_credentials", bool, False, "check connections added through the API with the carrier"),
    Setting("gs1_prefix", str, "", "your GS1 company prefix, for container codes on logistic labels"),
    Setting("color", str, "auto", "colour on a terminal", ("auto", "always", "never")),
)

# Each machine has its own; the others should be the same on all machines that share a store.
OF_MACHINE = frozenset(
    {
        STORE, "mode", "weight_unit", "size_unit", PAPER, LOGO, "label_type", PRINTER,
        "printer_format", "printer_wait",
        "bench", "rate_limit", "body_limit", "upload_limit", "refusal_limit", "connection_limit",
        "request_timeout", "allowed_hosts", "allowed_origins", "trusted_proxies", ON_SHIPPED, "color",
    }
)  # fmt: skip
# What is kept elsewhere: its name, where it is, what it belongs to.
KEPT_ELSEWHERE = (
    ("printers", "the store", "store; the target of one with a bench is a machine at that bench"),
    ("server keys", "keyring or servers.json", "machine"),
    ("master key", "keyring, master.key or SHIPCLI_MASTER_KEY", "store; each machine needs the same"),
)

BY_KEY: Mapping[str, Setting] = {setting.key: setting for setting in SETTINGS}


@dataclass(frozen=True)
class Value:
    """A setting's value and where it came from."""

    value: Any
    origin: str


@dataclass(frozen=True)
class Config:
    """All settings of a run of the program, and the home they belong to."""

    home: Path
    values: Mapping[str, Value] = field(default_factory=dict)

    def __getitem__(self, key: str) -> Any:
        return self.values[find_setting(key).key].value

    def origin(self, key: str) -> str:
        return self.values[find_setting(key).key].origin

    def with_flags(self, flags: Mapping[str, Any]) -> Config:
        """The same settings, overridden by those given on the command line."""
        flag_values = {k: Value(read(k, v, "flag"), "flag") for k, v in flags.items() if v is not None}
        return Config(self.home, {**self.values, **flag_values})


def find_setting(key: str) -> Setting:
    """The setting with a name.

    Errors: Invalid, suggesting the nearest one.
    """
    if key not in BY_KEY:
        raise Invalid("key", _describe_unknown_setting(key))
    return BY_KEY[key]


def _describe_unknown_setting(key: str) -> str:
    near = find_nearest(key, list(BY_KEY))
    hint = f"Did you mean {near}?" if near else f"Known: {', '.join(BY_KEY)}."
    return f"There is no setting {key!r}. {hint}"


def read(key: str, value: Any, where: str) -> Any:
    """A value converted to the type of its setting.

    Errors: Invalid naming the setting and the place it was read from.
    """
    row = find_setting(key)
    if isinstance(value, dict | list):
        raise Invalid(key, f"{value!r} ({where}) is not a single value")
    if row.type is bool:
        word = str(value).strip().lower()
        if word not in TRUE | FALSE:
            raise Invalid(key, f"{value!r} ({where}) is neither true nor false")
        return word in TRUE
    if row.type is int:
        return _read_whole_number(row, value, where)
    text = str(value)
    if key == "currency" and text:
        return _read_currency(text, where)
    if key == "exchange_rates" and text:
        return _read_exchange_rates(text, where)
    if key == STORE and text:
        return _read_store(text, where)
    text = next((choice for choice in row.choices if choice.lower() == text.lower()), text)
    if row.choices and text not in row.choices:
        raise Invalid(key, f"{text!r} ({where}) is none of {_list_choices(text, row.choices)}")
    return text


def _list_choices(text: str, choices: tuple[str, ...]) -> str:
    """The choices, then the one nearest to the text."""
    near = find_nearest(text, choices)
    return ", ".join(filter(None, choices)) + (f"; did you mean {near}?" if near else "")


def _read_whole_number(row: Setting, value: Any, where: str) -> int:
    try:
        number = int(str(value))
    except ValueError:
        raise Invalid(row.key, f"{value!r} ({where}) is not a whole number") from None
    if row.least is not None and number < row.least:
        raise Invalid(row.key, f"{value!r} ({where}) must be at least {row.least}")
    return number


def _read_currency(text: str, where: str) -> str:
    from shipcli.models.basics.reference import list_currencies

    if text.upper() not in list_currencies():
        raise Invalid(
            "currency", f"{describe_unknown(text, list_currencies())} ({where}); a code such as USD is meant"
        )
    return text.upper()


def _read_exchange_rates(text: str, where: str) -> str:
    from shipcli.models.parts.exchange import read_exchange_rates

    return ",".join(map(str, read_exchange_rates(text, f"exchange_rates ({where})")))


def _read_store(text: str, where: str) -> str:
    """The URL without its password, which is no setting; a variable may contain one, a file may not."""
    if not is_store_url(text):
        raise Invalid(STORE, f"{where} must be a URL such as postgresql://USER@HOST/DATABASE")
    if has_password(text) and where != STORE_VARIABLE:
        place = f"in {STORE_VARIABLE}, in PGPASSWORD, in ~/.pgpass or in the keyring"
        raise Invalid(STORE, f"{where} must not contain a password; give it {place}")
    return hide_password(text)


def load(
    home: Path,
    environ: Mapping[str, str] = os.environ,
    folder: Path | None = None,
    *,
    sandbox_of: Path | None = None,
) -> Config:
    """The settings of a run in a home, or in its sandbox.

    Errors: Invalid naming the file or variable with a wrong value.
    """
    values = {row.key: Value(row.default, "default") for row in SETTINGS}
    if sandbox_of is not None:
        path = sandbox_of / FILE
        shared = {key: value for key, value in _read_file(path).items() if key not in NOT_SHARED}
        values |= {key: Value(value, str(path)) for key, value in shared.items()}
    for path in (home / FILE, (folder or Path.cwd()) / PROJECT_FILE):
        values |= {key: Value(value, str(path)) for key, value in _read_file(path).items()}
    for row in SETTINGS:
        name = PREFIX + row.key.upper()
        if environ.get(name):  # an empty variable counts as not set
            values[row.key] = Value(read(row.key, environ[name], name), name)
    return Config(home, values)


def _read_file(path: Path) -> dict[str, Any]:
    """The settings in a file; empty if there is no such file.

    Errors: Invalid naming the file.
    """
    if not path.is_file():
        return {}
    import tomllib

    try:
        document = tomllib.loads(path.read_text("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise Invalid(str(path), f"not a settings file: {error}") from None
    unknown = [key for key in document if key not in BY_KEY]
    if unknown:
        raise Invalid(str(path), _describe_unknown_setting(unknown[0]))
    return {key: read(key, value, str(path)) for key, value in document.items()}


def is_written(home: Path, key: str) -> bool:
    """Whether the file of a home sets a key.

    Errors: Invalid naming the file.
    """
    return key in _read_file(home / FILE)


def write(home: Path, key: str, value: Any | None) -> Path:
    """Set a key in the file of a home, or remove it if the value is None.

    Errors: Invalid if the value is not allowed.
    """
    return write_all(home, {key: value})


def write_all(home: Path, changes: Mapping[str, Any | None]) -> Path:
    """Set and remove keys in the file of a home, all or none; comments and order are kept.

    Errors: Invalid if a value is not allowed.
    """
    import tomlkit
    from tomlkit.exceptions import ParseError

    path = home / FILE
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        document = tomlkit.parse(path.read_text("utf-8-sig")) if path.is_file() else tomlkit.document()
    except (ParseError, UnicodeDecodeError) as error:
        raise Invalid(str(path), f"not a settings file: {error}") from None
    for key, value in changes.items():
        if value is None:
            document.pop(find_setting(key).key, None)
        else:
            document[find_setting(key).key] = read(key, value, "given value")
    partial = path.with_name(f"{FILE}.{os.getpid()}.{threading.get_ident()}.part")  # others may write as well
    partial.write_text(tomlkit.dumps(document), "utf-8")
    partial.replace(path)
    return path


def find_default_home(environ: Mapping[str, str] = os.environ) -> Path:
    """The default folder of the store: `SHIPCLI_HOME`, else the platform's folder for user data."""
    if environ.get("SHIPCLI_HOME"):
        return Path(environ["SHIPCLI_HOME"]).expanduser()
    if sys.platform == "linux":  # the platform's rule, without the library's import at every start
        data = environ.get("XDG_DATA_HOME") or "~/.local/share"
        return Path(data).expanduser() / "shipcli"
    import platformdirs

    return Path(platformdirs.user_data_dir("shipcli", appauthor=False))
