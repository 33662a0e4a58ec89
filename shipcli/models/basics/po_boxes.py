"""Post office boxes: which address lines name one, in the spellings of many countries.

Only the post delivers to a box; other carriers need a street. A line that merely holds such a word (Post
Office Rd, 1 Box Hill, Postbox Lane) names none.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable


def _read_codes(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Lines are in single spaces when they are searched, so none of these looks for more than one.
# What names a box: a number, one or two letters, or nothing more.
_ID = r"(?:[a-z]{0,2}[-/ ]?\d[\w/-]*|[a-z]{1,2}(?= ?(?:$|[,;)])))"
_NUMBER_WORD = r"(?:(?:no|nr|n|num|number)\b ?[.°º:]{0,3}|[#:°º])?"
_REST = rf" ?[.:]? ?(?:{_NUMBER_WORD} ?{_ID}|$|[,;)])"
_DIGITS = rf" ?[.:]? ?{_NUMBER_WORD} ?[a-z]?-?\d[\w/-]*"
_START = r"(?:^|[,;(/] ?| - )"

# Words that mean a box wherever they stand in a line.
_ANYWHERE = re.compile(
    r"\b(?:"
    r"(?:g\.? ?)?p[./ -]{0,4}o[./ -]{0,4}(?:box|drawer)|(?:general )?post ?office ?box"
    r"|p\.? ?box|postal box"
    r"|postfach|boite postale|case postale|caixa postal|casella postale|skrytka pocztowa"
    r"|skr\.? ?poczt\.?|casilla (?:de correos?|postal)|apartado (?:de correos?|postal|aereo)"
    r"|apdo\.?(?: ?(?:de correos|postal))?|postipokku|postilokero|posta kutusu|postafiok"
    r"|casuta postala|postovni prihradka|postovy priecinok|postni predal|postanski pretinac"
    r"|postholf|(?:locked|private|post|private mail) bag|абонентски[ий] ящик|私書箱|ص\.? ?ب|ת\.? ?ד"
    rf")(?:{_REST})"
    rf"|\b(?:post ?box|postbus|postboks|g\.?p\.?o\.?|а/[яс]|τ\.? ?θ){_DIGITS}"
    rf"|\bp\.? ?o\.? ?b\b\.?{_DIGITS}",
    re.IGNORECASE,
)
# Short words that mean a box at the start of a line, or after a comma; in some countries alone.
_FRENCH = _read_codes(
    "FR BE LU MC CH CA MA TN DZ SN CI CM GA ML BF BJ TG NE TD CF CG CD GN MG MU KM DJ RW BI HT LB MR "
    "GP MQ GF RE YT PM NC PF WF BL MF"
)
_BY_COUNTRY: tuple[tuple[str, frozenset[str] | None], ...] = (
    (r"casilla|apartado", None),
    (r"b\.? ?p\.?", _FRENCH),
    (r"c\.? ?p\.?", _read_codes("CA CH IT SM VA RO MD BR")),
    (r"p\.? ?k\.?", _read_codes("TR CY BG EE AZ MK")),
    (r"п\.? ?к\.?", _read_codes("BG")),
    (r"pb\.?", _read_codes("NO FI AX DK GL FO SE BE NL")),
    (r"p\.?m\.?b\.?", _read_codes("NG GH SL GM ZW")),
    (r"pl\.?", _read_codes("FI")),
    (r"pf\.?", _read_codes("DE AT CH LI HU")),
    (r"p\.? ?p\.?", _read_codes("HR SI RS BA ME")),
    (r"box", _read_codes("SE AX FI")),
)
_SHORT = tuple(
    (re.compile(rf"{_START}(?:{words}){_DIGITS}", re.IGNORECASE), countries)
    for words, countries in _BY_COUNTRY
)
_NO_POB = frozenset({"PH"})  # "Pob. 2" is a village centre there


def find_po_box(lines: Iterable[str | None], country: str | None = None) -> str | None:
    """Return the first address line that names a post office box, or None."""
    return next((line for line in lines if line and is_po_box(line, country)), None)


def is_po_box(line: str, country: str | None = None) -> bool:
    """Whether an address line names a post office box; without a country, in the words of any."""
    text = _fold(line)
    match = _ANYWHERE.search(text)
    if match and not (country in _NO_POB and match[0].lower().startswith("pob")):
        return True
    return any(
        pattern.search(text)
        for pattern, countries in _SHORT
        if not countries or not country or country in countries
    )


def _fold(line: str) -> str:
    """Return a line without accents, in single spaces."""
    decomposed = unicodedata.normalize("NFKD", line)
    return " ".join("".join(sign for sign in decomposed if not unicodedata.combining(sign)).split())
