"""Keyboard layouts: what a scanner that types as on a US keyboard becomes where another layout is set.

Only the layout of this machine matters: a scanner sends the places of keys. Letters may change as well as
signs, so a text is only translated whole where a layout is known, or signs show that one is in the way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

US = (
    "`1234567890-=qwertyuiop[]\\asdfghjkl;'zxcvbnm,./",
    '~!@#$%^&*()_+QWERTYUIOP{}|ASDFGHJKL:"ZXCVBNM<>?',
)
# The same keys, without shift and with it.
LAYOUTS: Mapping[str, tuple[str, str]] = {
    "ch": (
        "§1234567890'^qwertzuiopü¨$asdfghjklöäyxcvbnm,.-",
        '°+"*ç%&/()=?`QWERTZUIOPè!£ASDFGHJKLéàYXCVBNM;:_',
    ),
    "de": (
        "^1234567890ß´qwertzuiopü+#asdfghjklöäyxcvbnm,.-",
        "°!\"§$%&/()=?`QWERTZUIOPÜ*'ASDFGHJKLÖÄYXCVBNM;:_",
    ),
    "es": (
        "º1234567890'¡qwertyuiop`+çasdfghjklñ´zxcvbnm,.-",
        'ª!"·$%&/()=?¿QWERTYUIOP^*ÇASDFGHJKLÑ¨ZXCVBNM;:_',
    ),
    "fr": (
        "²&é\"'(-è_çà)=azertyuiop^$*qsdfghjklmùwxcvbn,;:!",
        "~1234567890°+AZERTYUIOP¨£µQSDFGHJKLM%WXCVBN?./§",
    ),
    "it": (
        "\\1234567890'ìqwertyuiopè+ùasdfghjklòàzxcvbnm,.-",
        '|!"£$%&/()=?^QWERTYUIOPé*§ASDFGHJKLç°ZXCVBNM;:_',
    ),
    "se": (
        "§1234567890+´qwertyuiopå¨'asdfghjklöäzxcvbnm,.-",
        '½!"#¤%&/()=?`QWERTYUIOPÅ^*ASDFGHJKLÖÄZXCVBNM;:_',
    ),
    "uk": (
        "`1234567890-=qwertyuiop[]#asdfghjkl;'zxcvbnm,./",
        '¬!"£$%^&*()_+QWERTYUIOP{}~ASDFGHJKL:@ZXCVBNM<>?',
    ),
}  # fmt: skip
NAMES = ("us", *LAYOUTS)
_TABLES = {name: str.maketrans("".join(rows), "".join(US)) for name, rows in LAYOUTS.items()}
_USUAL = " -_./:#]()\x1d"  # signs in barcodes of ours


def translate(text: str, layout: str) -> str:
    """The text that a scanner meant, which became this one on a layout."""
    return text.translate(_TABLES[layout]) if layout in _TABLES else text


def list_translations(text: str) -> list[str]:
    """What a text may have been before some layout changed it; none unless its signs show that one did.

    Where one layout keeps its letters, those that change them are left out: else an order whose number has a
    Y could be taken for another one with a Z.
    """
    if not is_foreign(text):
        return []
    texts = dict.fromkeys(text.translate(table) for table in _TABLES.values())
    return prefer_same_letters(text, [each for each in texts if each != text and not is_foreign(each)])


def translate_known(text: str, layouts: Sequence[str]) -> list[str]:
    """What a text was before one of these layouts changed it."""
    texts = list(dict.fromkeys(translate(text, layout) for layout in layouts))
    return prefer_same_letters(text, texts)


def prefer_same_letters(text: str, candidates: list[str]) -> list[str]:
    """Of what a text may have been, that with its letters, if there is any."""
    letters = _list_letters(text)
    return [candidate for candidate in candidates if _list_letters(candidate) == letters] or candidates


def is_foreign(text: str) -> bool:
    """Whether a text has signs that no barcode of ours holds: a layout has changed it."""
    return any(not (letter.isascii() and (letter.isalnum() or letter in _USUAL)) for letter in text)


def _list_letters(text: str) -> list[str]:
    return [letter for letter in text if letter.isascii() and letter.isalnum()]


def find_layouts(text: str, meant: str) -> list[str]:
    """The layouts on which a known barcode becomes this text, with or without what scanners put before it."""
    return [name for name in LAYOUTS if translate(text, name).endswith(meant)]
