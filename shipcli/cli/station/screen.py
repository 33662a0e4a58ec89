"""The screen of the packing station, in Textual: no decision is made here.

Imported only by `shipcli station`, as Textual comes with an extra and takes a while.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.containers import Horizontal, Vertical
from textual.events import Key, Paste, Resize
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Digits, Static

from shipcli.cli.station import goods_view, views
from shipcli.cli.station.bursts import BurstReader
from shipcli.cli.station.crew import Crew, ScaleWatch, Tell
from shipcli.cli.station.keys import ENDS, KEYS, SEPARATOR
from shipcli.workflows.station.loads import Load
from shipcli.workflows.station.scans import SEPARATOR as GS
from shipcli.workflows.station.scans import StationCommand
from shipcli.workflows.station.station import Station
from shipcli.workflows.station.steps import Event, Pressed

MINUTE_S = 60.0
HANG_UP_S = 2.0
MakeScale = Callable[[Tell], ScaleWatch | None]


class StationEvent(Message):
    """Something happened elsewhere: in a thread, or at the scale."""

    def __init__(self, event: Event) -> None:
        super().__init__()
        self.event = event


class GoodsList(Widget):
    """What goes into the box: as much of it as there is room for."""

    _load: Load | None = None

    def show(self, load: Load | None) -> None:
        """Show the goods of a load, if it is another one than before or changed."""
        if load is not self._load:
            self._load = load
            self.refresh()

    def render(self) -> Text:
        """The lines that fit."""
        return goods_view.show_goods(self._load, self.size.height, self.size.width)


class StationScreen(App[None]):
    """Shows a station, and passes on keys and scans."""

    ENABLE_COMMAND_PALETTE = False
    CSS: ClassVar[str] = """
    Screen { layout: vertical; }
    #head, #phase, #goods, #entry { text-wrap: nowrap; text-overflow: ellipsis; }
    #head { height: 1; }
    #phase { height: 1; margin: 0 0 1 0; text-style: bold; }
    #body { height: 1fr; }
    #left { width: 1fr; padding: 0 1; }
    #right { width: 1fr; padding: 0 1; border-left: solid $primary; }
    #address { height: auto; min-height: 6; }
    #goods { height: 1fr; }
    #weights { height: 3; }
    #weight { width: auto; min-width: 12; }
    #scale { width: 1fr; padding: 0 0 0 1; }
    #box { height: 3; }
    #rates { height: 1fr; }
    #news { height: auto; min-height: 2; max-height: 6; padding: 0 1; }
    #entry { height: 1; padding: 0 1; }
    #keys { height: auto; }
    .large #address { padding: 1 2; min-height: 10; }
    .large #box { padding: 1 0; height: 5; }
    """

    def __init__(
        self,
        station: Station,
        facts: views.BenchFacts,
        make_crew: Callable[[Tell], Crew],
        make_scale: MakeScale,
    ) -> None:
        super().__init__()
        self.station, self._facts, self._bursts = station, facts, BurstReader()
        self._crew = make_crew(self.tell)
        self._scale = make_scale(self.tell)
        self._shown: dict[str, object] = {}
        self._rung = 0

    def compose(self) -> ComposeResult:
        """The parts of the screen."""
        yield Static(id="head")
        yield Static(id="phase")
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield Static(id="address")
                yield GoodsList(id="goods")
            with Vertical(id="right"):
                with Horizontal(id="weights"):
                    yield Digits("", id="weight")
                    yield Static(id="scale")
                yield Static(id="box")
                yield Static(id="rates")
        yield Static(id="news")
        yield Static(id="entry")
        yield Static(id="keys")

    def on_mount(self) -> None:
        """Begin."""
        self._show()
        self.set_interval(MINUTE_S, self._show)  # today ends at midnight
        if not self.is_headless:
            self.set_interval(HANG_UP_S, self._end_without_terminal)
        self._crew.begin()
        if self._scale:
            self._scale.begin()

    def _end_without_terminal(self) -> None:
        """End once the terminal is gone: the library would ask it for keys on and on."""
        if not sys.stdin.isatty():
            self.exit()

    def on_unmount(self) -> None:
        """End: what is under way is waited for."""
        if self._scale:
            self._scale.close()
        self._crew.close()

    def on_resize(self, event: Resize) -> None:
        """Use what room there is."""
        self.screen.set_class(event.size.height >= 32, "large")
        self._update("keys", views.show_keys(event.size.width))

    # -- what happens ------------------------------------------------------------------------------

    def tell(self, event: Event) -> None:
        """Something happened; from any thread."""
        self.post_message(StationEvent(event))

    def on_station_event(self, message: StationEvent) -> None:
        """Pass it on."""
        self._take(message.event, message.time)

    def on_key(self, event: Key) -> None:
        """A key was pressed, or a scanner typed."""
        if event.key in KEYS:
            self._press(event)
        elif event.key in ENDS:
            self._end(event.time)
        elif event.key == "backspace" and self._bursts.text:
            self._bursts.drop_last()
        elif event.key == "backspace":
            self._take(Pressed(StationCommand.UNDO), event.time)
        elif event.key == SEPARATOR:
            self._bursts.add(GS, event.time)
        elif event.character and event.is_printable:
            self._bursts.add(event.character, event.time)
        else:
            return
        event.prevent_default()
        event.stop()
        self._show_entry()

    def on_paste(self, event: Paste) -> None:
        """Text was pasted: it came as fast as a scan."""
        for letter in event.text:
            if letter in "\r\n\t":
                self._end(event.time)
            elif letter.isprintable() or letter == GS:
                self._bursts.add(letter, event.time)
        event.stop()
        self._show_entry()

    def _end(self, at: float) -> None:
        entered = self._bursts.end(at)
        if entered:
            self._take(entered, at)

    def _press(self, event: Key) -> None:
        if event.key == "escape" and self._bursts.text:
            self._bursts.clear()
        else:
            self._take(Pressed(KEYS[event.key]), event.time)

    def _take(self, event: Event, at: float) -> None:
        for effect in self.station.handle(event, at):
            self._crew.carry_out(effect)
        self._show()

    # -- what is shown -----------------------------------------------------------------------------

    def _show(self) -> None:
        station, load = self.station, self.station.load
        self._update("head", views.show_head(station, self._facts))
        self._update("phase", views.show_phase(station))
        self._update("address", views.show_address(load))
        self.query_one(GoodsList).show(load)
        self._update("scale", views.show_scale(station))
        self._update("weight", views.show_weight(station))
        self._update("box", views.show_box(station))
        shown = views.show_customs(load) if station.shows_customs else views.show_rates(load)
        self._update("rates", shown)
        self._update("news", views.show_news(station))
        self._show_entry()
        self._update("keys", views.show_keys(self.size.width))
        self._ring()

    def _show_entry(self) -> None:
        self._update("entry", views.show_entry(self._bursts.text, self.station.pending))

    def _update(self, id: str, shown: Text | str) -> None:
        """Draw a part anew if it changed."""
        if self._shown.get(id) == shown:
            return
        self._shown[id] = shown
        if isinstance(shown, str):
            self.query_one(f"#{id}", Digits).update(shown)
        else:
            self.query_one(f"#{id}", Static).update(shown)

    def _ring(self) -> None:
        """Ring for what went wrong; what went well is told by the scanner itself."""
        bad = self.station.sounds[1]
        if bad != self._rung:
            self._rung = bad
            self.bell()
