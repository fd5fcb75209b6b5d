"""Write ``reference/cli.md`` from the commands themselves, so that the page cannot say what they do not do.

Run it after any change of a command or option: ``python docs/generate_cli_page.py``. A test compares page and commands.
"""

import inspect
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from typer.main import get_command

from dpspin.cli.main import app

PAGE = Path(__file__).with_name("reference") / "cli.md"
OPENING = """\
# Commands

<!-- Written by docs/generate_cli_page.py. Do not edit: change the commands and run it again. -->

`stdout` is data, `stderr` is talk. Every command knows `-h` and `--help`.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | a finding: a text was rejected, a dictionary has findings, an audit failed |
| 2 | usage or bad input: an option, a file, a column, a dictionary, a plan, a ledger that cannot be used |
| 3 | the privacy budget does not cover the request |
| 70 | a bound on which the proof rests was broken: a bug in the software, please report it |
"""


def page() -> str:
    """Return the text of the whole page."""
    return "\n".join([OPENING, *(_section(name, command) for name, command in leaves(get_command(app), "dpspin"))])


def leaves(command: Any, name: str) -> Iterator[tuple[str, Any]]:  # noqa: ANN401  typer brings its own copy of click
    """Yield every command that does something, with its full name."""
    children = getattr(command, "commands", None)
    if children is None:
        yield name, command
        return
    for child, sub in children.items():
        yield from leaves(sub, f"{name} {child}")


def _section(name: str, command: Any) -> str:  # noqa: ANN401
    declared = inspect.unwrap(command.callback, stop=lambda each: hasattr(each, "__signature__"))
    hints = get_type_hints(declared)
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [p for p in command.params if p.param_type_name == "option" and "--help" not in p.opts]
    usage = " ".join([name, *(_placeholder(a) for a in arguments), *(["[OPTIONS]"] if options else [])])
    parts = [f"## {name}", "", _one_line(command.help), "", "```text", usage, "```", ""]
    for title, params in (("argument", arguments), ("option", options)):
        if params:
            parts += [f"| {title} | takes | default | meaning |", "|---|---|---|---|"]
            parts += [*(_row(param, hints[param.name]) for param in params), ""]
    return "\n".join(parts)


def _placeholder(argument: Any) -> str:  # noqa: ANN401
    name = _argument_name(argument)
    return name if argument.required else f"[{name}]"


def _argument_name(argument: Any) -> str:  # noqa: ANN401
    return (argument.metavar or argument.name).upper()


def _row(param: Any, hint: object) -> str:  # noqa: ANN401
    is_argument = param.param_type_name == "argument"
    names = [_argument_name(param)] if is_argument else param.opts
    shown = ", ".join(f"`{name}`" for name in names)
    return f"| {shown} | {_takes(hint)} | {_default(param)} | {_one_line(param.help)} |"


def _takes(hint: object) -> str:
    """Read the type off our own annotation: typer's inner types change between versions."""
    kinds = [kind for kind in get_args(hint) or (hint,) if kind is not type(None)]
    kind = hint if get_origin(hint) is Literal else kinds[0]
    if get_origin(kind) is Literal:
        return ", ".join(f"`{choice}`" for choice in get_args(kind))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return ", ".join(f"`{choice.value}`" for choice in kind)
    return {bool: "nothing", int: "whole number", float: "number", Path: "path"}.get(kind, "text")


def _default(param: Any) -> str:  # noqa: ANN401
    if param.required:
        return "**required**"
    if param.default is None or param.default is False or param.default == "":
        return ""
    return f"`{param.default.value if isinstance(param.default, Enum) else param.default}`"


def _one_line(text: str | None) -> str:
    return " ".join((text or "").split()).replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
