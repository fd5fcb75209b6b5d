"""``frequency-reading``: support is a bounded, noisy aggregate, not a number or share of records or people.

A record spreads at most mass one over several atoms and a user is clipped, so a mass of 318.4 does not mean
that 318 records mention the theme (the paper's rule 5 for decoders).
"""

import re
from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.passages import Passage
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "frequency-reading"

_COUNTED = (
    r"(?:records?|people|persons?|users?|customers?|clients?|tickets?|guests?|patients?|respondents?|reviewers?|reviews?"
    r"|complaints?|complainants?|comments?|messages?|posts?|documents?|texts|employees?|individuals?|consumers?|participants?"
    r"|students?|cases|responses|visitors?|diners?|members?|households?|conversations?|chats?|calls?|emails?|submissions?"
    r"|callers?|shoppers?|buyers?|workers?|patrons?|residents?|citizens?|writers?|authors?)"
)
_QUANTITY = (
    r"(?:\d[\d,.]*\s*(?:%|percent|per\s+cent)?|two|three|four|five|six|seven|eight|nine|ten|dozens|hundreds|thousands"
    r"|many|most|some|few|fewer|more|several|numerous|countless|lots|plenty|majority|minority|half|third|quarter|handful"
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
    rf"|\b(?:\d+|one|two|three|four|nine)\s+(?:in|out\s+of)\s+(?:every\s+)?(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twenty|hundred)\b"
    rf"|\b{_COUNTED}\s+(?:(?:in|from|at|of)\s+\w+\s+)?(?:who\s+|also\s+|have\s+|had\s+|often\s+|frequently\s+)*{_SAYING}\b"
    rf"|\b{_TOLD}\s+by\s+(?:\w+\s+){{0,4}}{_COUNTED}\b"
    rf"|\b{_OFTEN}[\s-]+{_TOLD}\b|\b(?:most|more|less|least)[\s-]+(?:common|frequent)(?:ly)?\b"
    rf"|\b(?:frequency|prevalence)\s+of\b|\bhow\s+often\b|\bwidespread\b|\bprevalent\b",
    re.IGNORECASE,
)
_DENIAL = re.compile(r"\b(?:not|never|nor|neither|cannot|rather\s+than|instead\s+of)\b|n['’]t\b", re.IGNORECASE)
_DENOMINATOR = re.compile(r"\bdenominator\b[^.;,]{0,20}$", re.IGNORECASE)


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:  # noqa: ARG001  all checks have one shape
    """Report wording that turns support into counts, shares or frequencies."""
    for sentence in text.sentences:
        for match in _READING.finditer(sentence.masked):
            if not _is_public_explanation(sentence, match):
                message = (
                    f"{match[0]!r} reads support as a number or share of records or people: "
                    "state the support bin or the noisy mass instead."
                )
                yield Violation(rule=RULE, message=message, span=sentence.at(match))


def _is_public_explanation(sentence: Passage, match: re.Match[str]) -> bool:
    """Allow "support is not a share of users" and "the public denominator is 2,000 records"."""
    before = sentence.masked[: match.start()]
    return bool(_DENOMINATOR.search(before) or (not sentence.references and _DENIAL.search(before)))
