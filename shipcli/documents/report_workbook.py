"""A report as a workbook: a sheet per section, with frozen heads, widths and number formats."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

from shipcli.documents.report_cells import TOTAL, list_lines, read_number
from shipcli.models.basics.reference import count_decimals

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

    from shipcli.models.report import Report, ReportColumn, ReportSection

FORBIDDEN = re.compile(r"[\[\]:*?/\\]")  # in names of sheets
LONGEST_NAME = 31
HEAD_ROW = 3
WIDEST = 40
BAND, INK, LINE = "1F4E79", "FFFFFF", "BFBFBF"


def write_workbook(report: Report) -> bytes:
    """The file; a report without figures has one sheet that says so."""
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.worksheets[0])
    for section in report.sections:
        _write_section(book, report, section)
    if not report.sections:
        book.create_sheet(report.title[:LONGEST_NAME])["A1"] = " ".join(report.notes)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _write_section(book: Workbook, report: Report, section: ReportSection) -> None:
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

    sheet = book.create_sheet(_name_sheet(section.title))
    sheet["A1"] = f"{report.title}: {section.title}"
    sheet["A1"].font = Font(bold=True, size=14)
    sheet["A2"] = f"{report.first} to {report.last}"
    _write_head(sheet, section)
    for place, row in enumerate(section.rows, HEAD_ROW + 1):
        for number, column in enumerate(section.columns, 1):
            _write_cell(sheet, place, number, column, row.get(column.name), section.currency)
    last = HEAD_ROW + len(section.rows)
    if section.total:
        _write_total(sheet, last + 1, section)
    sheet.freeze_panes = f"A{HEAD_ROW + 1}"
    sheet.auto_filter.ref = f"A{HEAD_ROW}:{get_column_letter(len(section.columns))}{last}"
    _set_widths(sheet, section)
    _set_page(sheet)


def _name_sheet(title: str) -> str:
    return FORBIDDEN.sub(" -", title)[:LONGEST_NAME]


def _write_head(sheet: Worksheet, section: ReportSection) -> None:
    from openpyxl.styles import Alignment, Font, PatternFill

    for number, column in enumerate(section.columns, 1):
        cell = sheet.cell(HEAD_ROW, number, column.title)
        cell.font = Font(bold=True, color=INK)
        cell.fill = PatternFill("solid", fgColor=BAND)
        cell.alignment = Alignment(horizontal="left" if column.kind == "text" else "right")


def _write_cell(
    sheet: Worksheet, row: int, place: int, column: ReportColumn, value: Any, currency: str
) -> None:
    cell = sheet.cell(row, place)
    if column.kind == "text":
        cell.value = str(value if value is not None else "") or None
        cell.data_type = "s"  # whatever it looks like
        return
    number = read_number(value)
    if number is not None:
        cell.value = number
    cell.number_format = _choose_format(column, currency)


def _choose_format(column: ReportColumn, currency: str) -> str:
    if column.kind == "money":
        places = count_decimals(currency) if currency else 2
        return f"#,##0.{'0' * places}" if places else "#,##0"
    return "0.0%" if column.kind == "share" else "#,##0"


def _write_total(sheet: Worksheet, row: int, section: ReportSection) -> None:
    from openpyxl.styles import Border, Font, Side

    for place, column in enumerate(section.columns, 1):
        if column.name in section.total:
            _write_cell(sheet, row, place, column, section.total[column.name], section.currency)
        elif place == 1:
            sheet.cell(row, place, TOTAL)
        cell = sheet.cell(row, place)
        cell.font, cell.border = Font(bold=True), Border(top=Side("thin", color=LINE))


def _set_widths(sheet: Worksheet, section: ReportSection) -> None:
    """As wide as what is written, so that no cell shows ####."""
    from openpyxl.utils import get_column_letter

    heads = [[column.title for column in section.columns]]
    for number, texts in enumerate(zip(*heads, *list_lines(section), strict=True), 1):
        width = min(max(map(len, texts)), WIDEST) + 4
        sheet.column_dimensions[get_column_letter(number)].width = width


def _set_page(sheet: Worksheet) -> None:
    from openpyxl.worksheet.properties import PageSetupProperties

    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = 1, 0
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.print_title_rows = f"{HEAD_ROW}:{HEAD_ROW}"
