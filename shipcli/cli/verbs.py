"""The functions of a module that are commands, and how their parameters become options."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from inspect import Parameter, Signature, signature
from typing import Any, TypeVar, get_type_hints, overload

Command = Callable[..., None]
F = TypeVar("F", bound=Command)


class Verbs(dict[str, Command]):
    """The commands of a module by verb: `@verb`, or `@verb("list")` where a Python name must differ."""

    @overload
    def __call__(self, name: str) -> Callable[[F], F]:
        """Register under this name."""

    @overload
    def __call__(self, name: F) -> F:
        """Register under the function's own name."""

    def __call__(self, name: str | F) -> F | Callable[[F], F]:
        if not isinstance(name, str):
            self[name.__name__.replace("_", "-")] = name
            return name

        def register(function: F) -> F:
            self[name] = function
            return function

        return register


def set_parameters(function: Callable[..., None], parameters: Iterable[Parameter]) -> Command:
    """Give a function these parameters, in the form that typer reads."""
    signature = Signature(list(parameters))
    function.__signature__ = signature  # type: ignore[attr-defined]  # what inspect, and so typer, asks for first
    function.__annotations__ = {
        name: parameter.annotation for name, parameter in signature.parameters.items()
    }
    return function


def spread_options(function: Command) -> Command:
    """A command in which each field of a parameter that is a dataclass is an option of its own."""
    hints = get_type_hints(function, include_extras=True)
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    if not groups:
        return function

    def run(**values: Any) -> None:
        made = {name: group(**{field.name: values.pop(field.name) for field in fields(group)})
                for name, group in groups.items()}  # fmt: skip
        function(**values, **made)

    options = [
        option.replace(kind=Parameter.KEYWORD_ONLY)
        for name, param in signature(function).parameters.items()
        for option in (
            _list_fields(groups[name]) if name in groups else [param.replace(annotation=hints[name])]
        )
    ]
    return set_parameters(run, options)


def _list_fields(group: Any) -> list[Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return [
        Parameter(field.name, Parameter.KEYWORD_ONLY, default=field.default, annotation=hints[field.name])
        for field in fields(group)
    ]
