"""The screen of a station, driven without a terminal."""

from __future__ import annotations

from shipcli.cli.station.crew import Crew
from shipcli.cli.station.screen import StationScreen
from shipcli.cli.station.views import BenchFacts
from shipcli.features.core.app import App
from shipcli.gateway.local import LocalGateway
from shipcli.workflows.station.desk import StationDesk
from shipcli.workflows.station.label_printing import LabelPrinting
from shipcli.workflows.station.state import StationOptions
from shipcli.workflows.station.station import Station


def make_screen(app: App, options: StationOptions | None = None) -> StationScreen:
    """The screen of a station on the store of an app, without a scale line: a test says what is weighed."""
    gateway = LocalGateway(app)
    desk = StationDesk(gateway, LabelPrinting(gateway, app), "bench7")
    return StationScreen(
        Station(lambda: app.new_id(""), lambda: app.now().astimezone().date(), options),
        BenchFacts("bench7", "zebra ZPL 4x6", "SANDBOX"),
        lambda tell: Crew(lambda: desk, tell),
        lambda tell: None,
    )


def read_screen(screen: StationScreen) -> list[str]:
    """The lines that are shown."""
    strips = screen.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip).rstrip() for strip in strips]
