"""``frequency-reading``: support is a bounded, noisy aggregate, not a number or share of records or people.

A record spreads at most mass one over several atoms and a user is clipped, so a mass of 318.4 does not mean
that 318 records mention the theme (the paper's rule 5 for decoders).
"""

import re
from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.lexicon import people_words
from dpspin.public.stage3_narrate.verify.statements import Public
from dpspin.public.stage3_narrate.verify.text import Read, Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "frequency-reading"

_COUNTED = rf"(?:records?|people|persons?|users?|individuals?|texts|mentions|{'|'.join(people_words())})"
_QUANTITY = (
    r"(?:\d(?:[\d,.]*\d)?\s*(?:%|percent|per\s+cent)?|two|three|four|five|six|seven|eight|nine|ten|dozens|hundreds|thousands"
    r"|(?<!how\s)many|most|some|few|fewer|more|several|numerous|countless|lots|plenty|majority|minority|half|third|quarter|handful"
    r"|number|fraction|share|proportion|percentage|percent|portion)"
)
_SAYING = (
    r"(?:mention|report|complain|say|said|express|cite|note|discuss|describe|praise|feel|felt|think|thought|want|raise"
    r"|voice|share|experience|encounter|face|struggle|find|found|appreciate|enjoy|dislike|like|love|request|ask|talk"
    r"|wrote|write|speak|spoke|point|highlight|indicate|believe|agree|suffer|prefer|report)(?:s|es|d|ed|ing)?"
)
_OFTEN = r"(?:frequently|often|commonly|widely|repeatedly|rarely|seldom|occasionally|regularly)"
_TOLD = r"(?:mentioned|reported|discussed|raised|cited|expressed|described|noted|voiced|seen|shared)"

_READING = re.compile(
    rf"\b{_QUANTITY}\s+(?:of\s+)?(?:the\s+|all\s+|our\s+|its\s+|these\s+|those\s+|different\s+|protected\s+)*{_COUNTED}\b"
    r"(?!\s+(?:themes?|topics?|plans?|dictionary|categories)\b)"
    rf"|\b(?:\d+|one|two|three|four|nine)\s+(?:in|out\s+of)\s+(?:every\s+)?(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twenty|hundred)\b"
    rf"|\b{_COUNTED}\s+(?:(?:in|from|at|of)\s+\w+\s+)?(?:who\s+|also\s+|have\s+|had\s+|often\s+|frequently\s+)*{_SAYING}\b"
    rf"|\b{_TOLD}\s+by\s+(?:\w+\s+){{0,4}}{_COUNTED}\b"
    rf"|\b{_OFTEN}[\s-]+{_TOLD}\b|\b(?:most|more|less|least)[\s-]+(?:common|frequent)(?:ly)?\b"
    r"|%\s+of\s+(?:the\s+|all\s+)?(?:plan|list|release|summary|themes)\b"
    r"|\bunits?\s+of\s+(?:\w+\s+)?mass\s+(?:is|are|equals?|represents?|stands?\s+for|corresponds?\s+to|means?)\b"
    rf"|\b(?:frequency|prevalence)\s+of\b|\bhow\s+often\b|\bwidespread\b|\bprevalent\b",
    re.IGNORECASE,
)
_DENIAL = re.compile(r"\b(?:not|nothing|never|nor|neither|cannot|rather\s+than|instead\s+of)\b|n['’]t\b", re.IGNORECASE)
_DENOMINATOR = re.compile(r"\bdenominator\b[^.;,]{0,20}$", re.IGNORECASE)


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:  # noqa: ARG001  all checks have one shape
    """Report wording that turns support into counts, shares or frequencies."""
    for read in text.reads:
        sentence = read.passage
        for match in _READING.finditer(sentence.masked):
            if not _is_public_explanation(read, match):
                message = (
                    f"{match[0]!r} reads support as a number or share of records or people: "
                    "state the support bin or the noisy mass instead."
                )
                yield Violation(rule=RULE, message=message, span=sentence.at(match))


def _is_public_explanation(read: Read, match: re.Match[str]) -> bool:
    """Allow "support is not a share of users" and "the public denominator is 2,000 records"."""
    before = read.passage.masked[: match.start()]
    at = read.passage.start + match.start()
    denials = [statement.span[0] for statement in read.statements if isinstance(statement, Public)]
    general = not read.passage.references and (bool(denials) or bool(_DENIAL.search(before)))
    return general or bool(_DENOMINATOR.search(before)) or any(start < at for start in denials)
