"""Falsehoods made by changing one spot of a true text. Each edit returns None where the text has no such spot."""

import re
from collections.abc import Callable, Iterator

from dpspin.boundary.plan import PlanEntry
from dpspin.lab.datasets.chance import Chance, pick
from dpspin.lab.verifier.mutations.figures import is_released, wrong_number
from dpspin.lab.verifier.mutations.spots import Spot, bin_spots, replaced, theme_spots
from dpspin.lab.verifier.mutations.summary import Summary
from dpspin.lab.verifier.mutations.synonyms import INVENTED
from dpspin.lab.verifier.words import in_words

Edit = Callable[[Summary, Chance], str | None]
_MARKER = re.compile(r"\[atom:(\d+)\]")
_DECIMAL = re.compile(r"(?<![\w.:/,])\d+\.\d+(?!\w|\.\d)")
_HIGHER = re.compile(r"\b(higher|larger|more|greater) (support|noisy mass) than\b")
_LOWER = re.compile(r"\b(lower|smaller|less) (support|noisy mass) than\b")
_DENIALS = re.compile(r"\b(not?|nor|neither|none|cannot|without|whether|if|open|unclear|any)\b|n't", re.IGNORECASE)
_CYRILLIC = str.maketrans({"a": "а", "e": "е", "o": "о", "c": "с", "p": "р", "i": "і"})
_FULL_WIDTH = str.maketrans("0123456789.", "０１２３４５６７８９．")
_SENTENCE = re.compile(r"\S.*?(?:[.;!?](?=\s)|$)", re.MULTILINE)
_ZERO_WIDTH = "\u200b"


def wrong_figure(summary: Summary, chance: Chance) -> str | None:
    """Replace a released number by one that was not released."""
    return _figure(summary, chance, lambda number: f"{number:.1f}")


def wrong_figure_in_words(summary: Summary, chance: Chance) -> str | None:
    """Replace a released number by another one in words; it must be clear of every released one after rounding."""
    return _figure(
        summary, chance, lambda number: "" if is_released(summary.plan, round(number)) else in_words(round(number))
    )


def wrong_full_width_figure(summary: Summary, chance: Chance) -> str | None:
    """Replace a released number by another one in full-width digits."""
    return _figure(summary, chance, lambda number: f"{number:.1f}".translate(_FULL_WIDTH))


def _figure(summary: Summary, chance: Chance, written: Callable[[float], str]) -> str | None:
    found = [match for match in _DECIMAL.finditer(summary.text) if is_released(summary.plan, float(match[0]))]
    if not found:
        return None
    match = pick(found, chance)
    words = written(wrong_number(summary.plan, float(match[0]), chance))
    return replaced(summary.text, match.span(), words) if words else None


def other_marker(summary: Summary, chance: Chance) -> str | None:
    """Give a right label the marker of another listed theme."""
    return _marker(summary, chance, [entry.atom_id for entry in summary.entries])


def foreign_marker(summary: Summary, chance: Chance) -> str | None:
    """Give a right label a marker that is not in the plan: of an unlisted theme, or of none."""
    return _marker(summary, chance, [*(atom.id for atom in summary.hidden), 998, 4711])


def no_marker(summary: Summary, chance: Chance) -> str | None:
    """Take a marker away."""
    found = list(re.finditer(r" ?\[atom:\d+\]", summary.text))
    return replaced(summary.text, pick(found, chance).span(), "") if found else None


def _marker(summary: Summary, chance: Chance, numbers: list[int]) -> str | None:
    found = [(match, [n for n in numbers if n != int(match[1])]) for match in _MARKER.finditer(summary.text)]
    found = [(match, others) for match, others in found if others]
    if not found:
        return None
    match, others = pick(found, chance)
    return replaced(summary.text, match.span(), f"[atom:{pick(others, chance)}]")


def unlisted_for_listed(summary: Summary, chance: Chance) -> str | None:
    """Put an unlisted theme in the place of a listed one."""
    spots = theme_spots(summary)
    if not spots or not summary.hidden:
        return None
    hidden = pick(summary.hidden, chance)
    return pick(spots, chance).renamed(summary.text, hidden.label, hidden.id)


def invented_for_listed(summary: Summary, chance: Chance) -> str | None:
    """Put an invented theme in the place of a listed one; in audit mode the marker stays."""
    spots = theme_spots(summary)
    return pick(spots, chance).renamed(summary.text, pick(INVENTED, chance), None) if spots else None


def other_bin(summary: Summary, chance: Chance) -> str | None:
    """Give a theme that stands right beside its bin another bin."""
    return _rebinned(summary, chance, bin_spots(summary))


def denied_bin(summary: Summary, chance: Chance) -> str | None:
    """Deny the bin that a theme has."""
    spots = [spot for spot in bin_spots(summary) if spot.verb in {"has", "have"}]
    if not spots:
        return None
    spot = pick(spots, chance)
    do = "does not have" if spot.verb == "has" else "do not have"
    return replaced(summary.text, spot.verb_span, do)


def _rebinned(summary: Summary, chance: Chance, spots: list[Spot]) -> str | None:
    if not spots:
        return None
    spot = pick(spots, chance)
    others = [each.name for each in summary.plan.rules.bins if each.name != spot.bin]
    return replaced(summary.text, spot.span, pick(others, chance))


def stranger_in_list(summary: Summary, chance: Chance) -> str | None:
    """Put a theme of another bin into a sentence that names one bin and only themes of it."""
    swaps = list(_strangers(summary))
    if not swaps:
        return None
    spot, entry = pick(swaps, chance)
    return spot.renamed(summary.text, entry.label, entry.atom_id)


def _strangers(summary: Summary) -> Iterator[tuple[Spot, PlanEntry]]:
    everywhere = theme_spots(summary)
    for line in _SENTENCE.finditer(summary.text):
        spots = [spot for spot in everywhere if line.start() <= spot.span[0] < line.end()]
        bins = {
            name.name
            for name in summary.plan.rules.bins
            if re.search(rf"\b{name.name} ?-?(support|bin)", line[0], re.IGNORECASE)
        }
        if len(spots) < 2 or len(bins) != 1 or {spot.bin for spot in spots} != bins or _DENIALS.search(line[0]):  # noqa: PLR2004
            continue
        named = {spot.label for spot in spots}
        if len(named) < len(spots):  # the second naming refers to the first
            continue
        outside = [entry for entry in summary.entries if entry.bin not in bins and entry.label not in named]
        yield from ((spot, entry) for spot in spots for entry in outside)


def wrong_cell(summary: Summary, chance: Chance) -> str | None:
    """Change the bin or the number in one row of a table."""
    cells: list[str] = []
    for row in re.finditer(r"^\|.*\|$", summary.text, re.MULTILINE):
        cells += _changed_rows(summary, row, chance)
    return pick(cells, chance) if cells else None


def _changed_rows(summary: Summary, row: re.Match[str], chance: Chance) -> Iterator[str]:
    entry = next(
        (each for each in summary.entries if re.search(rf"\| *\W*{re.escape(each.label)}\W", row[0], re.IGNORECASE)),
        None,
    )
    if entry is None:
        return
    others = [each.name for each in summary.plan.rules.bins if each.name != entry.bin]
    for cell in re.finditer(rf"(?<=\| ){re.escape(entry.bin)}(?= *\|)", row[0], re.IGNORECASE):
        yield replaced(summary.text, row.span(), replaced(row[0], cell.span(), pick(others, chance)))
    for cell in re.finditer(r"(?<=\| )\d+\.\d+", row[0]):
        wrong = f"{wrong_number(summary.plan, float(cell[0]), chance):.1f}"
        yield replaced(summary.text, row.span(), replaced(row[0], cell.span(), wrong))


def turned_comparison(summary: Summary, chance: Chance) -> str | None:
    """Turn “higher than” into “lower than”, where nothing in the sentence is denied."""
    return _turned(summary, chance, _HIGHER, "lower")


def turned_inverse(summary: Summary, chance: Chance) -> str | None:
    """Turn “lower than” into “higher than”, where nothing in the sentence is denied."""
    return _turned(summary, chance, _LOWER, "higher")


def _turned(summary: Summary, chance: Chance, pattern: re.Pattern[str], word: str) -> str | None:
    found = [match for match in pattern.finditer(summary.text) if not _DENIALS.search(_sentence(summary.text, match))]
    return replaced(summary.text, pick(found, chance).span(1), word) if found else None


def _sentence(text: str, match: re.Match[str]) -> str:
    begin = max(text.rfind(mark, 0, match.start()) for mark in (". ", "\n", "; "))
    end = re.compile(r"\.\s|\n|;|$").search(text, match.end())
    return text[begin + 1 : end.start() if end else len(text)]


def miscounted(summary: Summary, chance: Chance) -> str | None:
    """Change the number of listed themes, where a text counts them."""
    number = len(summary.entries)
    counted = re.search(rf"\b({in_words(number)}|{number}) (released |listed )?themes\b", summary.text, re.IGNORECASE)
    if number == 0 or counted is None or _DENIALS.search(_sentence(summary.text, counted)):
        return None
    wrong = number + pick((-2, -1, 1, 2), chance)
    if wrong in (0, summary.plan.dictionary.size):
        return None
    return replaced(summary.text, counted.span(1), in_words(wrong) if counted[1].isalpha() else str(wrong))


def cyrillic_letter(summary: Summary, chance: Chance) -> str | None:
    """Put a look-alike letter into a theme's name."""
    spots = [
        spot
        for spot in theme_spots(summary)
        if spot.found(summary.text).translate(_CYRILLIC) != spot.found(summary.text)
    ]
    if not spots:
        return None
    spot = pick(spots, chance)
    letter = pick([n for n, each in enumerate(spot.found(summary.text)) if ord(each) in _CYRILLIC], chance)
    place = spot.span[0] + letter
    return replaced(summary.text, (place, place + 1), summary.text[place].translate(_CYRILLIC))


def zero_width(summary: Summary, chance: Chance) -> str | None:
    """Put an invisible character into a word."""
    inside = [match.end() for match in re.finditer(r"(?<=[a-z])[a-z](?=[a-z]{2})", summary.text)]
    if not inside:
        return None
    place = pick(inside, chance)
    return replaced(summary.text, (place, place), _ZERO_WIDTH)


EDITS: dict[str, tuple[Edit, ...]] = {
    "unreleased-label": (unlisted_for_listed,),
    "invented-theme": (invented_for_listed,),
    "wrong-bin": (other_bin,),
    "wrong-number": (wrong_figure,),
    "number-word": (wrong_figure_in_words,),
    "wrong-comparison": (turned_comparison,),
    "inverse-comparison": (turned_inverse,),
    "negation": (denied_bin,),
    "wrong-marker": (other_marker,),
    "unknown-marker": (foreign_marker,),
    "missing-marker": (no_marker,),
    "list-item": (stranger_in_list,),
    "table-cell": (wrong_cell,),
    "wrong-count": (miscounted,),
    "lookalike": (cyrillic_letter, zero_width, wrong_full_width_figure),
}
