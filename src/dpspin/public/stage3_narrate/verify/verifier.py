"""The public verifier: all checks, one verdict. It sees a plan and a text, never a record."""

from dataclasses import dataclass

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.policy import Mode, mode_of
from dpspin.public.stage3_narrate.stated import without_stated
from dpspin.public.stage3_narrate.verify.check import Check, entries_by_id
from dpspin.public.stage3_narrate.verify.checks import (
    frequency_reading,
    importance_ordering,
    malformed_marker,
    marker_in_display,
    marker_label_mismatch,
    missing_marker,
    no_theme,
    not_private,
    raw_record_pattern,
    unknown_marker,
    unreadable_text,
    unsupported_clearance,
    unsupported_comparison,
    unsupported_coverage,
    unsupported_label,
    unsupported_negation,
    unsupported_number,
    unsupported_quantifier,
    unsupported_superlative,
    unsupported_theme,
    unsupported_word,
    wrong_bin,
)
from dpspin.public.stage3_narrate.verify.comparisons import comparisons_of
from dpspin.public.stage3_narrate.verify.superlatives import superlatives_of
from dpspin.public.stage3_narrate.verify.text import Text, parse
from dpspin.public.stage3_narrate.verify.verdict import Verdict, rate


@dataclass(frozen=True, slots=True)
class Rule:
    """A named check; the name is public API: it stands in feedback, metrics and documentation."""

    name: str
    check: Check


CHECKS = (
    Rule(unreadable_text.RULE, unreadable_text.check),
    Rule(unknown_marker.RULE, unknown_marker.check),
    Rule(malformed_marker.RULE, malformed_marker.check),
    Rule(marker_label_mismatch.RULE, marker_label_mismatch.check),
    Rule(missing_marker.RULE, missing_marker.check),
    Rule(marker_in_display.RULE, marker_in_display.check),
    Rule(unsupported_label.RULE, unsupported_label.check),
    Rule(wrong_bin.RULE, wrong_bin.check),
    Rule(unsupported_number.RULE, unsupported_number.check),
    Rule(frequency_reading.RULE, frequency_reading.check),
    Rule(unsupported_coverage.RULE, unsupported_coverage.check),
    Rule(unsupported_comparison.RULE, unsupported_comparison.check),
    Rule(unsupported_superlative.RULE, unsupported_superlative.check),
    Rule(unsupported_clearance.RULE, unsupported_clearance.check),
    Rule(unsupported_negation.RULE, unsupported_negation.check),
    Rule(unsupported_quantifier.RULE, unsupported_quantifier.check),
    Rule(not_private.RULE, not_private.check),
    Rule(importance_ordering.RULE, importance_ordering.check),
    Rule(raw_record_pattern.RULE, raw_record_pattern.check),
    Rule(unsupported_word.RULE, unsupported_word.check),
    Rule(unsupported_theme.RULE, unsupported_theme.check),
    Rule(no_theme.RULE, no_theme.check),
)


def verify(
    plan: SemanticPlan, text: str, mode: Mode | str = Mode.DISPLAY, atoms: AtomUniverse | None = None
) -> Verdict:
    """Check a text against a plan; with ``atoms`` also for labels of the dictionary that the plan does not admit."""
    if unreadable := tuple(unreadable_text.found_in(text)):
        return Verdict(
            accepted=False,
            violations=unreadable,
            unsupported_atom_rate=0.0,
            unsupported_comparison_rate=0.0,
            comparisons=0,
        )
    parsed = parse(without_stated(text, plan), plan, mode_of(mode), atoms)
    violations = (violation for rule in CHECKS for violation in rule.check(parsed, plan))
    in_order = tuple(sorted(violations, key=lambda violation: violation.span))
    records = (*comparisons_of(parsed, plan), *superlatives_of(parsed, plan))
    return Verdict(
        accepted=not in_order,
        violations=in_order,
        unsupported_atom_rate=_unsupported_atom_rate(parsed, plan),
        unsupported_comparison_rate=rate(sum(record.problem is not None for record in records), len(records)),
        comparisons=len(records),
    )


def _unsupported_atom_rate(text: Text, plan: SemanticPlan) -> float:
    marked = {marker.atom_id for marker in text.markers}
    return rate(len(marked - set(entries_by_id(plan))), len(marked))
