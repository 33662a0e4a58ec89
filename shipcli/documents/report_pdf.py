"""A report as pages: per section its picture, then its table; the head of a table is on every page of it."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from reportlab.lib.colors import HexColor
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import inch
from reportlab.platypus import KeepTogether, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

from shipcli.documents.html import register_font
from shipcli.documents.report_cells import list_bars, list_lines
from shipcli.documents.report_charts import draw_chart
from shipcli.documents.report_text import mark_fonts
from shipcli.drawing.text.typefaces import LATIN, LATIN_BOLD

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

    from shipcli.drawing.paper import PaperSize
    from shipcli.models.report import Report, ReportSection

BAND, RULE, SHADE, GREY = HexColor("#1F4E79"), HexColor("#BFBFBF"), HexColor("#F3F6FA"), HexColor("#666666")
MARGIN = 0.6 * inch
PADDING = 12.0  # of the frame, both sides together
TOGETHER = 30  # rows of a table that stay on the page of their picture
SIZE = 8.5  # points of a table's text


def write_report_pdf(report: Report, paper: PaperSize, printed: str) -> bytes:
    """The pages of a report; `printed` is when, for the foot."""
    fonts = {name: register_font(name) for name in (LATIN, LATIN_BOLD)}
    file = io.BytesIO()
    document = SimpleDocTemplate(
        file, pagesize=(paper.wide_in * inch, paper.high_in * inch), leftMargin=MARGIN, rightMargin=MARGIN,
        topMargin=MARGIN, bottomMargin=MARGIN, title=report.title, author="shipcli",
    )  # fmt: skip
    story: list[Any] = _write_title(report, fonts)
    for section in report.sections:
        story += _write_section(section, document.width - PADDING, fonts)
    foot = f"{report.title}, {report.first} to {report.last}; printed {printed}"

    def draw_foot(canvas: Canvas, _: Any) -> None:
        canvas.setFont(fonts[LATIN], 7.5)
        canvas.setFillColor(GREY)
        canvas.drawString(MARGIN, MARGIN * 0.6, foot)
        canvas.drawRightString(paper.wide_in * inch - MARGIN, MARGIN * 0.6, f"Page {canvas.getPageNumber()}")

    document.build(story, onFirstPage=draw_foot, onLaterPages=draw_foot)
    return file.getvalue()


def _write_title(report: Report, fonts: dict[str, str]) -> list[Any]:
    title = ParagraphStyle("title", fontName=fonts[LATIN_BOLD], fontSize=20, leading=25, textColor=BAND)
    below = ParagraphStyle("below", fontName=fonts[LATIN], fontSize=10, leading=14, textColor=GREY)
    days = report.first if report.first == report.last else f"{report.first} to {report.last}"
    notes = [Paragraph(note, below) for note in report.notes]
    return [Paragraph(report.title, title), Paragraph(days, below), *notes]


def _write_section(section: ReportSection, width: float, fonts: dict[str, str]) -> list[Any]:
    head = ParagraphStyle("head", fontName=fonts[LATIN_BOLD], fontSize=13, leading=18)
    bars = list_bars(section)
    picture = [draw_chart(section.chart, bars, width)] if section.chart and len(bars) > 1 else []
    head_parts = [Spacer(1, 14), Paragraph(section.title, head), Spacer(1, 4), *picture]
    table = _make_table(section, width, fonts)
    if len(section.rows) <= TOGETHER:
        return [KeepTogether([*head_parts, table])]
    return [KeepTogether(head_parts), table]


def _make_table(section: ReportSection, width: float, fonts: dict[str, str]) -> Table:
    cell = ParagraphStyle(
        "cell", fontName=fonts[LATIN], fontSize=SIZE, leading=SIZE * 1.3, splitLongWords=True
    )
    right = ParagraphStyle("right", parent=cell, alignment=2)
    styles = [cell if column.kind == "text" else right for column in section.columns]
    bold = {"fontName": fonts[LATIN_BOLD], "textColor": HexColor("#FFFFFF")}
    white = [ParagraphStyle("white", parent=style, **bold) for style in styles]
    heads = [Paragraph(column.title, style) for column, style in zip(section.columns, white, strict=True)]
    lines = [
        [Paragraph(mark_fonts(text), style) for text, style in zip(line, styles, strict=True)]
        for line in list_lines(section)
    ]
    table = Table([heads, *lines], colWidths=_measure_columns(section, width), repeatRows=1)
    table.setStyle(TableStyle(_list_rules(section, len(lines))))
    return table


def _measure_columns(section: ReportSection, width: float) -> list[float]:
    """Wide enough for the longest text of each, in proportion; texts that are too long wrap."""
    rows = [[column.title for column in section.columns], *list_lines(section)]
    longest = [min(max(map(len, texts)), 34) + 3 for texts in zip(*rows, strict=True)]
    return [width * part / sum(longest) for part in longest]


def _list_rules(section: ReportSection, lines: int) -> list[Any]:
    rules: list[Any] = [
        ("BACKGROUND", (0, 0), (-1, 0), BAND),
        ("ROWBACKGROUNDS", (0, 1), (-1, -1), [HexColor("#FFFFFF"), SHADE]),
        ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
        ("TOPPADDING", (0, 0), (-1, -1), 2),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
        ("LINEBELOW", (0, -1), (-1, -1), 0.5, RULE),
    ]
    return [*rules, ("LINEABOVE", (0, lines), (-1, lines), 1, BAND)] if section.total else rules
