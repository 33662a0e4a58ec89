"""The language of templates: Jinja2 without anything that reaches outside, and with exact numbers.

What it must refuse is listed in tests/documents/test_escapes.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from jinja2 import Template, TemplateError, TemplateSyntaxError, Undefined
from jinja2.exceptions import SecurityError
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup

MOST_BITS = 4096  # of a whole number that a power may give
LONGEST = 1 << 20  # characters or items that a repetition may give
GLOBALS = ("range", "dict", "cycler", "joiner", "namespace")
FILE = "<template>"


class OutputTooLarge(Exception):
    """A template wrote more than a document may hold."""


class Language(ImmutableSandboxedEnvironment):
    """What templates are written in. Values are escaped; numbers of the data are exact decimals."""

    intercepted_binops = frozenset(["+", "-", "*", "/", "//", "%", "**"])

    def __init__(self) -> None:
        super().__init__(autoescape=True, undefined=Lenient, finalize=_show)
        self.globals = {name: self.globals[name] for name in GLOBALS}

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Names that begin with an underscore are no attributes, nor is the way to the classes above."""
        hidden = attr.startswith("_") or attr in ("mro", "format_map")
        return not hidden and super().is_safe_attribute(obj, attr, value)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """A key of an object before its methods (`parcel.items` are its goods); no name of Python's own."""
        _check_name(attribute)
        if isinstance(obj, dict) and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """No name of Python's own."""
        _check_name(argument)
        return super().getitem(obj, argument)

    def unsafe_undefined(self, obj: Any, attribute: str) -> Any:
        """What is refused is said at once; it is not just empty."""
        raise SecurityError(f"{attribute!r} of {type(obj).__name__} can't be seen by a template")

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Decimals count with numbers as they are written; nothing grows without bounds."""
        if operator == "**":
            _check_power(left, right)
        if operator == "*":
            _check_repetition(left, right)
            _check_repetition(right, left)
        return super().call_binop(context, operator, _convert_float(left, right), _convert_float(right, left))


def _check_name(name: Any) -> None:
    if isinstance(name, str) and name.startswith("__"):
        raise SecurityError(f"{name!r} can't be seen by a template")


def _show(value: Any) -> Any:
    return "" if value is None else value


class Lenient(Undefined):
    """A name that is not there: empty when it is printed, however deep; wrong when it is counted with."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __getitem__(self, name: Any) -> Any:
        _check_name(name)
        return self


def _convert_float(value: Any, other: Any) -> Any:
    is_float = isinstance(value, float) and isinstance(other, Decimal)
    return Decimal(repr(value)) if is_float else value


def _check_power(base: Any, power: Any) -> None:
    """Errors: SecurityError for a number of more digits than any document needs."""
    numbers = isinstance(base, int | float | Decimal) and isinstance(power, int | float | Decimal)
    bits = base.bit_length() if isinstance(base, int) else 1
    if numbers and abs(power) * max(bits, 1) > MOST_BITS:
        raise SecurityError("the power is too large")


def _check_repetition(text: Any, times: Any) -> None:
    if (
        isinstance(text, str | bytes | list | tuple)
        and isinstance(times, int)
        and len(text) * times > LONGEST
    ):
        raise SecurityError("the repetition is too long")


# -- rendering -------------------------------------------------------------------------------------


class Failure(Exception):
    """A template that can't be rendered: why, at which line, and which template."""

    def __init__(self, reason: str, line: int | None, where: str = "template") -> None:
        super().__init__(reason)
        self.reason, self.line, self.where = reason, line, where


def render(template: str, prefetch: Mapping[str, str], context: Mapping[str, Any], most: int) -> str:
    """The text of a template with what its prefetched parts give.

    Errors: Failure.
    """
    language = Language()
    parts: dict[str, Markup] = {}
    for name, text in prefetch.items():
        variables = {**context, "prefetch": parts}
        parts[name] = Markup(_render(language, text, variables, most, f"options.prefetch.{name}"))
    return _render(language, template, {**context, "prefetch": parts}, most, "template")


def _render(language: Language, text: str, context: Mapping[str, Any], most: int, where: str) -> str:
    try:
        compiled = language.from_string(text)
        return _render_limited(compiled, context, most)
    except TemplateSyntaxError as error:
        raise Failure(error.message or "is no template", error.lineno, where) from None
    except OutputTooLarge:
        raise Failure(f"writes more than {most} characters", None, where) from None
    except MemoryError:
        raise Failure("needs more memory than a document may take", None, where) from None
    except RecursionError:
        raise Failure("calls itself too often", None, where) from None
    except Exception as error:  # noqa: BLE001  # a template may fail in any way; it is told what happened
        raise Failure(_describe_error(error), _find_line(error), where) from None


def _render_limited(compiled: Template, context: Mapping[str, Any], most: int) -> str:
    pieces, size = [], 0
    for piece in compiled.generate(context):
        size += len(piece)
        if size > most:
            raise OutputTooLarge
        pieces.append(piece)
    return "".join(pieces)


def _describe_error(error: Exception) -> str:
    if isinstance(error, TypeError) and "no loader" in str(error):
        return "a template can't load another one"
    if isinstance(error, TemplateError):
        return error.message or type(error).__name__
    return str(error) or type(error).__name__


def _find_line(error: BaseException) -> int | None:
    """The line of the template that was at work."""
    line, trace = None, error.__traceback__
    while trace:
        if trace.tb_frame.f_code.co_filename == FILE:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
