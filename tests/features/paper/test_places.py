"""What may be printed to: printers, spool folders and files of the user's own, and nothing else."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from shipcli.features.core.app import App
from shipcli.features.paper.printing import printers
from shipcli.features.paper.printing.printers import Printer
from shipcli.features.paper.printing.sheet import PrinterError, PrintSheet
from shipcli.features.paper.printing.transports import send

LABEL = PrintSheet(b"^XA^XZ", "ZPL")
AS_ROOT = pytest.mark.skipif(
    os.name != "posix" or os.geteuid() != 0, reason="only root makes what others own"
)
OF_THE_SYSTEM = [
    "file:/etc/passwd", "file:/etc/cron.d/labels", "file:/usr/bin/env", "file:/dev/null", "file:/dev/printer",
    "file:/proc/self/mem", "file:/etc/../etc/hosts", "file:~/../../../../../etc/passwd", "spool:/etc",
    "spool:/etc/cron.d/", "spool:/usr", "spool:/proc/self", "spool:/dev", "spool://etc",
]  # fmt: skip


def add(app: App, target: str) -> Printer:
    return printers.add_printer(app, Printer("dock", target, "ZPL"))


def check_refused(app: App, target: str) -> None:
    """It can't be added, not named once, and nothing is sent to it."""
    with pytest.raises(PrinterError):
        add(app, target)
    with pytest.raises(PrinterError):
        printers.get_printer_named(app, target)
    with pytest.raises(PrinterError) as caught:
        send(target, LABEL)
    assert not caught.value.begun


@pytest.mark.parametrize("target", OF_THE_SYSTEM)
def test_what_belongs_to_the_system_is_no_printer(app: App, target: str) -> None:
    check_refused(app, target)


@pytest.mark.parametrize(
    ("kind", "place"), [("file", "/etc/passwd"), ("spool", "/etc"), ("file", "/dev/null")]
)
def test_a_link_is_what_it_leads_to(app: App, tmp_path: Path, kind: str, place: str) -> None:
    link = tmp_path / "link"
    link.symlink_to(place)
    check_refused(app, f"{kind}:{link}")


def test_a_link_into_itself_is_refused(app: App, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "link")
    check_refused(app, f"file:{tmp_path / 'link'}")


@AS_ROOT
def test_what_another_user_owns_is_refused(app: App, tmp_path: Path) -> None:
    folder, file = tmp_path / "theirs", tmp_path / "labels.zpl"
    folder.mkdir()
    file.touch()
    for path in (folder, file):
        os.chown(path, 12345, 12345)
    for target in (f"spool:{folder}", f"file:{file}", f"file:{folder}/new.zpl"):
        check_refused(app, target)
    assert (file.read_bytes(), list(folder.iterdir())) == (b"", [])


@AS_ROOT
def test_a_folder_shared_with_a_group_of_the_user_is_taken(app: App, tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    os.chown(folder, 12345, os.getegid())
    folder.chmod(0o775)
    send(add(app, f"spool:{folder}").target, LABEL)
    assert len(list(folder.iterdir())) == 1


@AS_ROOT
@pytest.mark.parametrize(
    ("name", "kind", "taken"),
    [("lp0", stat.S_IFCHR, True), ("ttyUSB0", stat.S_IFCHR, True), ("mem", stat.S_IFCHR, False),
     ("sda", stat.S_IFBLK, False), ("lp1", stat.S_IFBLK, False)],
)  # fmt: skip
def test_a_device_is_taken_if_a_printer_hangs_there(
    app: App, tmp_path: Path, name: str, kind: int, taken: bool
) -> None:
    try:
        os.mknod(tmp_path / name, kind | 0o600, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("this container makes no devices")
    target = f"file:{tmp_path / name}"
    if taken:
        assert add(app, target).target == target
    else:
        check_refused(app, target)


@pytest.mark.parametrize("place", ["/dev/usb/lp9", "/dev/ttyUSB99", "/dev/lp97"])
def test_a_printer_that_is_unplugged_is_taken_and_never_becomes_a_file(app: App, place: str) -> None:
    target = add(app, f"file:{place}").target
    with pytest.raises(PrinterError, match="can't be written"):
        send(target, LABEL)
    assert not Path(place).exists()


@pytest.mark.parametrize("target", ["spool:{here}/none", "file:{here}/none/out.zpl"])
def test_a_folder_that_is_not_there_is_named_when_a_printer_is_added(
    app: App, tmp_path: Path, target: str
) -> None:
    with pytest.raises(PrinterError, match="there is no folder") as caught:
        add(app, target.format(here=tmp_path))
    assert caught.value.hint == f"make it: mkdir -p {tmp_path}/none"


@pytest.mark.parametrize(
    "target", ["spool:{here}", "file:{here}/out.zpl", "file:{here}/old.zpl", "spool:{here}/link"]
)
def test_what_is_the_users_own_is_taken(app: App, tmp_path: Path, target: str) -> None:
    (tmp_path / "old.zpl").touch()
    (tmp_path / "tray").mkdir()
    (tmp_path / "link").symlink_to("tray")
    send(add(app, target.format(here=tmp_path)).target, LABEL)


def test_a_folder_is_looked_at_again_when_something_is_printed(app: App, tmp_path: Path) -> None:
    folder = tmp_path / "tray"
    folder.mkdir()
    target = add(app, f"spool:{folder}").target
    folder.rmdir()
    folder.symlink_to("/etc")
    with pytest.raises(PrinterError, match="can't be printed to"):
        send(target, LABEL)
