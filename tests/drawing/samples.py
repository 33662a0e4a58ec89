"""Labels and names that the drawing tests share, and how they look at what was drawn."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import zxingcpp
from PIL import Image

from shipcli.drawing import Block, LabelSpec, convert
from shipcli.drawing.elements import Page, Text
from shipcli.drawing.formats.pdf import write_pdf

SENDER = Block(
    "FROM", ("Harbour Goods", "Dock Two", "2600 Benjamin Franklin Pkwy", "Philadelphia PA 19130", "US")
)
RECIPIENT = Block("SHIP TO", ("Jane Doe", "Acme Inc", "1 Main Street", "Springfield IL 62701", "US"))
NUMBER = "1Z12345E0205271688"

# One name per script; each has a reference picture that was looked at.
NAMES = {
    "latin": "Nguyễn Łukasz Þóra Ț",
    "cyrillic": "Иван Петров, Њ ї",
    "greek": "Γιώργος Παπάς",
    "arabic": "محمد علي 12 (ب)",
    "hebrew": "יעל כהן 11",
    "thai": "สมชาย ใจดี น้ำผึ้ง",
    "devanagari": "प्रिया शर्मा दिल्ली",
    "japanese": "田中 太郎 ヤマダ ゆき",
    "chinese": "王小明 国家博物馆",
    "korean": "김민준 국립중앙박물관",
    "armenian": "Արամ Պատմության",
    "georgian": "გიორგი მუზეუმი",
    "bengali": "শ্রী রবীন্দ্রনাথ",
    "gurmukhi": "ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ",
    "gujarati": "શ્રી પટેલ ક્ષમા",
    "oriya": "ଶ୍ରୀ ଓଡ଼ିଶା",
    "tamil": "தமிழ் கோவிந்தன்",
    "telugu": "శ్రీ రామకృష్ణ",
    "kannada": "ಶ್ರೀ ಕೃಷ್ಣ",
    "malayalam": "ശ്രീ കൃഷ്ണൻ",
    "sinhala": "ශ්‍රී ලංකා",
    "lao": "ສົມສັກ ນ້ຳ",
    "khmer": "សុខ ព្រះរាជា",
    "myanmar": "မြန်မာ ကျော်",
    "ethiopic": "አበበ ቢቂላ",
}


def label(**changes: Any) -> LabelSpec:
    """A plain label with the changes asked for."""
    plain: dict[str, Any] = {
        "carrier": "Carrier Express",
        "service": "Ground",
        "sender": SENDER,
        "recipient": RECIPIENT,
        "tracking_number": NUMBER,
        "references": ("Ref: SO-1", "Weight: 1.2 kg", "1 of 2", "Invoice 7"),
        "code2d": ("qr", f"{NUMBER}|62701|US"),
    }
    return LabelSpec(**{**plain, **changes})


def to(name: str, *lines: str) -> Block:
    return Block("SHIP TO", (name, *lines))


def image(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data))


def scanned(data: bytes) -> dict[str, str]:
    """What a scanner reads on the label, text by kind of code."""
    picture = image(convert(data, "PNG"))
    # Plain text keeps the separators of the content instead of showing them as signs.
    found = zxingcpp.read_barcodes(picture, text_mode=zxingcpp.TextMode.Plain)
    return {code.format.name: code.text for code in found}


def name_picture(text: str) -> Image.Image:
    """A name as a grey picture of one line."""
    page = Page(520, 64, (Text(6, 8, 40, text),))
    return image(convert(write_pdf([page]), "PNG", size_in=None)).convert("L")


# Labels that differ in what a file of another may hold already.
SPECS = (
    label(),
    label(recipient=to("jane@doe.example; (c) 100% \\o/")),
    label(recipient=to("Zoë Ångström @ home")),
    label(recipient=to(NAMES["arabic"])),
    label(accent=(200, 30, 30)),
    label(accent=(250, 220, 60)),
    label(carrier="Other Express"),
    label(carrier="Özel Kargo"),
    label(service="Air @ Night"),
    label(sender=Block("FROM", ("Somebody Else",))),
    *(label(tracking_number=number) for number in ("1", "2", "9400111899223197428490", "W" * 35)),
)
