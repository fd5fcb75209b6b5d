"""Show a text with its violations marked in place, for a terminal."""

from dpspin.public.stage3_narrate.verify.verdict import Span, Verdict


def marked(text: str, verdict: Verdict) -> str:
    """Put every violated span between arrows, with the numbers of the violations behind it.

    >>> from dpspin.public.stage3_narrate.verify.verdict import Violation
    >>> broken = Violation(rule="wrong-bin", message="say high support", span=(14, 17))
    >>> verdict = Verdict(accepted=False, violations=(broken,), unsupported_atom_rate=0.0,
    ...                   unsupported_comparison_rate=0.0, comparisons=0)
    >>> marked("Long wait has low support.", verdict)
    'Long wait has →low←[1] support.'
    """
    numbers: dict[Span, list[int]] = {}
    for number, violation in enumerate(verdict.violations, start=1):
        numbers.setdefault(violation.span, []).append(number)
    opening = {start: 0 for start, _ in numbers}
    closing: dict[int, list[int]] = {}
    for (start, end), which in numbers.items():
        opening[start] += 1
        closing.setdefault(end, []).extend(which)
    pieces = [_before(place, opening, closing) + text[place : place + 1] for place in range(len(text) + 1)]
    return "".join(pieces)


def _before(place: int, opening: dict[int, int], closing: dict[int, list[int]]) -> str:
    closed = f"←[{', '.join(map(str, closing[place]))}]" if place in closing else ""
    return closed + "→" * min(1, opening.get(place, 0))


def explained(verdict: Verdict) -> str:
    """List the violations by number: the rule and how to mend it."""
    lines = [
        f"[{number}] {violation.rule}: {violation.message}"
        for number, violation in enumerate(verdict.violations, start=1)
    ]
    return "\n".join(lines)
