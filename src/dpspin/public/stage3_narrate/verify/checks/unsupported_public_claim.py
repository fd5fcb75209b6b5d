"""``unsupported-public-claim``: what is said of how a release or a text came about must be so of every release.

A text is written from the plan. Nobody read the records for it, nothing in it was taken from them or checked against
them, and what its noise does is not known. Words for all of this are public, so their claims are looked for here.
"""

import re
from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.lexicon import people_words
from dpspin.public.stage3_narrate.verify.statements import Public
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "unsupported-public-claim"

_RECORDS = rf"(?:records?|data|dataset|corpus|texts|people|users?|persons?|individuals?|{'|'.join(people_words())})"
_PATTERNS = (
    (
        r"\b(?:read|reading|access(?:ed|ing)?|look(?:ed|ing)?\s+at|check(?:ed|ing)?|verif(?:y|ied|ying)|confirm(?:ed|ing)?|consult(?:ed|ing)?"
        r"|examin(?:ed|ing)|inspect(?:ed|ing)?|built(?!\s+to)|taken|generated|excerpts?|quot(?:ed|ing|es?)|determined|written\s+by|answers?\s+of)\b"
        rf"(?:(?!\bplan\b|\brelease\b)[^.;:]){{0,40}}?\b{_RECORDS}\b"
    ),
    r"\bnoise\b[^.;]{0,30}\b(?:removed|small|negligible|bounded|little|cancel\w*|matter\w*|gone|undone)\b",
    r"\b(?:always|every|all|any)\b[^.;]{0,40}\btrue\s+(?:values?|order|ones?|masses)\b|\btrue\s+(?:order|ranking)\b[^.;]{0,20}\b(?:is|the\s+one)\b",
    rf"\b(?:shares?|number|percentages?|part|portion|fraction)\s+of\s+(?:the\s+|all\s+)?{_RECORDS}\b",
    rf"\b{_RECORDS}\s+(?:concern|are\s+about|is\s+about|mention|speak|do\s+not|cannot|gave|give|said|say)\b",
    rf"\bas\s+(?:one|an?|another|some|many)\s+{_RECORDS}\b",
    r"\b(?:used?\s+up|uses?|spends?|spent|costs?)\b(?![^.;]{0,20}\bno\b)[^.;]{0,40}\bbudget\b",
    r"\b(?:it|this|that|these|they)\s+(?:is|are|was|were|has|have)?\s*(?:due\s+to|caused|because\s+of(?!\s+(?:the\s+|added\s+|random\s+|privacy\s+)*noise)|changed|higher\s+in|lower\s+in|better|worse|good|bad)\b",
    r"\b(?:should|must|ought\s+to|needs?\s+to)\s+(?:be\s+)?(?:chang\w+|improv\w+|fix\w*|add(?:ed)?|review\w*|help\w*)\b",
    r"\b(?:now|future|past|then)\b[^.;]{0,20}\b(?:than|will|was|were)\b|\b(?:in|over)\s+(?:the\s+)?(?:past|future|time|long\s+term)\b",
    r"\b(?:missing|unlisted|omitted|not\s+listed)\b[^.;]{0,30}\b(?:ha(?:s|d|ve)\s+(?:no|less|little|lower)|missing\s+from\s+the\s+(?!plan|list|table))\b",
    r"\bguarantee[sd]?\b[^.;]{0,30}\b(?:every|all|full|complete|absolute|total)\b",
    r"\bprotection\s+is\s+(?:strong|complete|full|perfect)\b|\bguarantee\s+holds\s+for\s+groups\b",
)
_EVEN_DENIED = (
    r"\bguarantees?\b[^.;]{0,20}\b(?:no|nothing|nobody|none)\b",
    rf"\bas\s+(?:one|an?|another|some|many)\s+{_RECORDS}\b",
    r"\b(?:missing|unlisted|omitted|not\s+listed)\b[^.;]{0,30}\bha(?:s|d|ve)\s+no\b",
    r"\b(?:information|(?<!of\s)people)\b[^.;]{0,30}\b(?:not|cannot)\b",
)
_CLAIM = re.compile("|".join(_PATTERNS), re.IGNORECASE)
_DENIAL = re.compile("|".join(_EVEN_DENIED), re.IGNORECASE)


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:  # noqa: ARG001  all checks have one shape
    """Report such claims in sentences that name no theme, unless they are denied."""
    for read in text.reads:
        denied = any(isinstance(statement, Public) for statement in read.statements)
        for clause in read.passage.clauses():
            if clause.references:
                continue
            for match in (_DENIAL if denied else _CLAIM).finditer(clause.masked):
                message = "This is not so of every release: say only what noise, bins and support are, or remove it."
                yield Violation(rule=RULE, message=message, span=clause.at(match))
