"""The words and kinds of phrases that steer the reading: verbs, lead-ins, and what may follow a bin."""

import re


def words_of(text: str) -> frozenset[str]:
    """Return the words of a list that is written as a line.

    >>> sorted(words_of("has have"))
    ['has', 'have']
    """
    return frozenset(text.split())


RELATIONS = {"above": True, "below": False, "more": True, "less": False}
PREDICATES = words_of(
    "bin clear buried highest lowest ranked_last ranked_first top_set nth_highest rank list_end tie baseline_above "
    "baseline_below "
    "same_bin order_certain leads_alone descending upper_end lower_end"
)
VERBAL = words_of("rank ranked_first above below highest lowest clear tie leads_alone follows then")
HEADING_KINDS = words_of("bin sign highest lowest top_set tie upper_end lower_end")

VERBS = words_of(
    "has have had is are was were shows show carries carry receives receive sits sit falls fall remains remain holds "
    "hold ranks rank comes come stands stand reaches reach leads lead exceeds exceed lies lie follows trails belongs "
    "belong appears appear attracts attract registers register gets get reached fell ranked also both takes take "
    "occupies occupy enjoys earns places obtained received makes make forms stays does do cannot can"
)
PLAN_VERBS = words_of(
    "lists list assigns places puts names gives reports shows includes settles contains identifies covers records "
    "states provides describes summarises summarizes does was highlights suggests indicates presents groups"
)
LEAD_IN = words_of("also theme themes support bin the a in of and with under noise mass rank b c")
INTRODUCING = words_of(
    ", : ( namely are is of the themes theme include includes comprise contain contains in plan this being i.e they"
)
VALUES = (
    "other value",
    "single value",
    *words_of(
        "value figure number mass percentage bin interval estimate released noisy result measure support theme rank "
        "label statement row differentially private clear"
    ),
)

ANNOUNCES = re.compile(
    r"[\s-]+(?:semantic\s+|released\s+)?(?:support(?:ed)?|bin|tier|group|category|level|mass|one|cluster|set|class|band)?\s*"
    r"(?:themes?|ones?|pair|label)?\s*(?:\(\d+\)\s*)?"
    r"(?:is|are|was|were|for|to|:|goes|go|belongs?|contains?|holds?|includes?|including|comprises?|consists?|"
    r"attach\w*|appl\w+|among|on|by|with|made\s+up\s+of|formed\s+by|consisting|composed|containing|—|–|-|,\s*(?:namely|in|such|meaning|to|for)|\.?\s*$)",
    re.IGNORECASE,
)
STARTS_AT = re.compile(
    r"[\s-]+(?:support\s+)?bin\s+(?:(?:starts?|begins?|is\s+set|runs?|covers)\s+)?(?:at|from)\s+\d", re.IGNORECASE
)
OR_BEYOND = re.compile(
    r"[\s-]+(?:support\s+|bin\s+)*or\s+(?:(?P<up>above|higher|better|more|stronger)|(?:below|lower|less|weaker))\b",
    re.IGNORECASE,
)
MAKES_UP = re.compile(r"\b(?:ma(?:k|d)es? up|forms?|constitutes?|fills?|exhausts?)\s+(?:the\s+)?$", re.IGNORECASE)
CONSISTS_OF = re.compile(
    r"[\s-]+(?:support\s+)?(?:bin|tier|group|category|support)?\s*"
    r"(?:consists?\s+of|comprises?|is\s+made\s+up\s+of|is\s+(?:limited|restricted|confined)\s+to)\b",
    re.IGNORECASE,
)
WITHIN = re.compile(
    r"\b(?:of|among|amongst|within|between)\s+(?:the|these|all|both|those|its|\w+\s+the)?\s*"
    r"(?:themes\s+)?(?:in\s+the\s+|with\s+)?$",
    re.IGNORECASE,
)
OF_THE_DICTIONARY = re.compile(r"\s+(?:of|in|from)\s+(?:the|its)\s+(?:\w+\s+)?dictionary\b", re.IGNORECASE)
RANGE_OF_RANKS = re.compile(r"\b(?:to|through)\b|–")
PLACING = re.compile(r"\b(?:plac|put|rank|list|position)\w*\b", re.IGNORECASE)
ORDERING = re.compile(r"\b(?:order|ordering|ranking)\b", re.IGNORECASE)
ASKING = re.compile(r"\b(?:whether|which|if)\b", re.IGNORECASE)
THEMES = re.compile(r"\bthemes\b", re.IGNORECASE)
BETWEEN_ENDS = re.compile(r"\s*(?:%|percent)?\s*(?:to|and|through|–|—|-|,|up to)\s*", re.IGNORECASE)
INTERVAL = re.compile(r"(?:interval|between|from|range|ranges|ranging|runs|lies|reaches|\[)[^.;]*$", re.IGNORECASE)
