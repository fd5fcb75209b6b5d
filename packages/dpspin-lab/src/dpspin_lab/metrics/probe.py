"""Controlled probe atoms: admitted into the plan, mentioned in the text, and where they stood without noise."""

import re
import unicodedata
from collections.abc import Collection, Sequence

from dpspin.errors import RequestError


def probe_admission(probes: Collection[int], admitted: Collection[int]) -> float:
    """Return Adm_plan, the part of the probe atoms that the release admitted; for one probe 0 or 1.

    >>> probe_admission({3}, admitted={1, 3}), probe_admission({3, 4}, admitted={1, 3})
    (1.0, 0.5)
    """
    return _part([probe in admitted for probe in set(probes)])


def probe_mention(strings: Collection[str], text: str) -> float:
    """Return Mention_text, the part of the probe strings that a text contains.

    The public rule: in compatibility form, whatever the case and the white space, and as whole words.

    >>> probe_mention({"glass kettle", "kettle"}, "A Glass  kettle is named."), probe_mention({"kettle"}, "Kettles.")
    (1.0, 0.0)
    """
    words = _plain(text)
    return _part([_contains(words, string) for string in {_plain(string) for string in strings}])


def non_private_rank(masses: Sequence[float], probe: int) -> int:
    """Return Rank_NP: one, plus the larger masses, plus the equal ones that come first in the dictionary.

    >>> [non_private_rank([2.0, 5.0, 2.0, 2.0], probe) for probe in range(4)]
    [2, 1, 3, 4]
    """
    larger = sum(mass > masses[probe] for mass in masses)
    return 1 + larger + sum(mass == masses[probe] for mass in masses[:probe])


def _part(found: Sequence[bool]) -> float:
    if not found:
        raise RequestError("a probe experiment needs at least one probe")
    return sum(found) / len(found)


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _contains(text: str, string: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(string)}(?!\w)", text) is not None
