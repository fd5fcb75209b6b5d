"""A safe YAML loader that also refuses what a reader of the file would overlook: repeated keys and references."""

from collections.abc import Hashable
from typing import Any

import yaml


class StrictLoader(yaml.SafeLoader):
    """Plain data only. Repeated keys hide a value; references can make a small file expand without end."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Refuse ``*name``."""
        if self.check_event(yaml.AliasEvent):
            mark = self.get_mark()
            raise yaml.composer.ComposerError(None, None, "references (*name) are not allowed; write it out", mark)
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


def parse_yaml(text: str) -> object:
    r"""Return the plain data of one YAML document.

    >>> parse_yaml("name: themes\natoms: [a, b]")
    {'name': 'themes', 'atoms': ['a', 'b']}
    """
    return yaml.load(text, Loader=StrictLoader)  # noqa: S506  a subclass of the safe loader
