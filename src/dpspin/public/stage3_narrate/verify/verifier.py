"""The public verifier: all checks, one verdict. It sees a plan and a text, never a record."""

from collections.abc import Sequence
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
    overclaimed_precision,
    raw_record_pattern,
    unclear_reference,
    unknown_marker,
    unreadable_text,
    unsupported_baseline,
    unsupported_clearance,
    unsupported_comparison,
    unsupported_completeness,
    unsupported_coverage,
    unsupported_label,
    unsupported_negation,
    unsupported_number,
    unsupported_public_claim,
    unsupported_quantifier,
    unsupported_superlative,
    unsupported_theme,
    unsupported_word,
    wrong_bin,
    wrong_parameter,
)
from dpspin.public.stage3_narrate.verify.lexicon import lexicon_digest
from dpspin.public.stage3_narrate.verify.text import Text, parse
from dpspin.public.stage3_narrate.verify.verdict import Verdict, Violation, rate


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
    Rule(unsupported_baseline.RULE, unsupported_baseline.check),
    Rule(unsupported_comparison.RULE, unsupported_comparison.check),
    Rule(unsupported_superlative.RULE, unsupported_superlative.check),
    Rule(unsupported_clearance.RULE, unsupported_clearance.check),
    Rule(unsupported_negation.RULE, unsupported_negation.check),
    Rule(unsupported_quantifier.RULE, unsupported_quantifier.check),
    Rule(unsupported_completeness.RULE, unsupported_completeness.check),
    Rule(overclaimed_precision.RULE, overclaimed_precision.check),
    Rule(unsupported_public_claim.RULE, unsupported_public_claim.check),
    Rule(unclear_reference.RULE, unclear_reference.check),
    Rule(wrong_parameter.RULE, wrong_parameter.check),
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
    if unreadable := tuple(unreadable_text.found_in(text, plan)):
        return _verdict(unreadable)
    parsed = parse(without_stated(text, plan) if text.strip() else "", plan, mode_of(mode), atoms)
    violations = (violation for rule in CHECKS for violation in rule.check(parsed, plan))
    in_order = tuple(sorted(violations, key=lambda violation: violation.span))
    return _verdict(in_order, _comparisons(parsed, plan), _unsupported_atom_rate(parsed, plan))


def _verdict(
    violations: tuple[Violation, ...], comparisons: Sequence[bool] = (), unsupported_atom_rate: float = 0.0
) -> Verdict:
    return Verdict(
        accepted=not violations,
        violations=violations,
        unsupported_atom_rate=unsupported_atom_rate,
        unsupported_comparison_rate=rate(comparisons.count(False), len(comparisons)),
        comparisons=len(comparisons),
        lexicon=lexicon_digest(),
    )


def _comparisons(text: Text, plan: SemanticPlan) -> list[bool]:
    """Return the paper's comparison records, valid or not: orders, ties, superlatives and ranks."""
    ordering = (unsupported_comparison.COMPARISONS, unsupported_comparison.problem_of)
    extremes = (unsupported_superlative.SUPERLATIVES, unsupported_superlative.problem_of)
    return [
        problem_of(statement, plan) is None
        for kinds, problem_of in (ordering, extremes)
        for statement in text.statements
        if isinstance(statement, kinds)
    ]


def _unsupported_atom_rate(text: Text, plan: SemanticPlan) -> float:
    marked = {marker.atom_id for marker in text.markers}
    return rate(len(marked - set(entries_by_id(plan))), len(marked))
