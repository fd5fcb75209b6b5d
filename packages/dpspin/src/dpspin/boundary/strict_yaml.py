"""A safe YAML loader that also refuses what a reader of the file would overlook: repeated keys and references."""

from collections.abc import Hashable
from typing import Any

import yaml
from yaml.composer import Composer
from yaml.constructor import SafeConstructor
from yaml.cyaml import CParser  # type: ignore[attr-defined]  # it is there, and the stub forgets to say so
from yaml.resolver import Resolver


class StrictLoader(Composer, CParser, SafeConstructor, Resolver):
    """Plain data only. Repeated keys hide a value; references can make a small file expand without end.

    The letters are read by libyaml, which is ten times as fast, and the nodes put together here, where each is seen.
    """

    def __init__(self, text: str) -> None:
        CParser.__init__(self, text)
        for part in (Composer, SafeConstructor, Resolver):
            part.__init__(self)

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Refuse ``*name``."""
        if self.check_event(yaml.AliasEvent):
            alias: Any = self.peek_event()
            problem = "references (*name) are not allowed; write it out"
            raise yaml.composer.ComposerError(None, None, problem, alias.start_mark)
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:  # noqa: FBT001, FBT002
        """Refuse a key that stands twice."""
        seen: set[str] = set()
        for key, _ in node.value:
            if str(key.value) in seen:
                problem = f"the key {key.value!r} stands twice in one place; keep one"
                raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
            seen.add(str(key.value))
        return super().construct_mapping(node, deep)


class YamlMistake(ValueError):
    """Says where and what."""


def parse_yaml(text: str) -> object:
    r"""Return the plain data of one YAML document, or say what is wrong with it.

    >>> parse_yaml("name: themes\natoms: [a, b]")
    {'name': 'themes', 'atoms': ['a', 'b']}
    """
    try:
        return StrictLoader(text).get_single_data()
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise YamlMistake(f"line {line}: {error.problem}") from None
    except (yaml.YAMLError, RecursionError, ValueError, OverflowError):
        raise YamlMistake(
            "it holds an impossible date, number, character or nesting; put dates in quotes, and save it as plain text"
        ) from None
