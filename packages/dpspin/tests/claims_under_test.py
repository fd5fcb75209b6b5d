"""Claims of a kind about anything, and sentences with one thing changed: what the laws of the language are tried on."""

import re
from dataclasses import fields
from itertools import combinations, pairwise

from hypothesis import strategies as st

from dpspin.public.narrate.claims import over_time
from dpspin.public.narrate.claims.changes import PARTS, REMARKS
from dpspin.public.narrate.claims.release import Saying


def subjects(kind, facts):
    """Return claims of a kind about anything in the plan and beside it, with no figures yet."""
    ids, areas = [*facts.labels], [*facts.areas, "unknown"]
    segments = [*dict.fromkeys(value for table in facts.views.values() for value in table.values), "unknown"]
    periods = ["2026-01", *(() if facts.time is None else facts.time.periods)]
    values = {
        "theme": ids,
        "other": ids,
        "themes": [(), *((each,) for each in ids), *pairwise(ids), tuple(ids), facts.ranked],
        "items": [(), *(((each, None),) for each in ids), *(tuple((each, None) for each in facts.listed),)]
        + [tuple((each, None) for each in [*facts.listed][1 : 1 + size]) for size in (1, 2, 3)],
        "area": areas,
        "areas": [*combinations(areas, 2), tuple(facts.areas)],
        "area_items": [tuple((each, None) for each in facts.areas), *(((each, None),) for each in areas)],
        "saying": list(Saying),
        "remark": [*dict.fromkeys((*REMARKS, *over_time.REMARKS))],
        "part": PARTS,
        "candidate": [*(() if facts.candidates is None else facts.candidates.facet.names), "unknown"],
        "period": periods,
        "earlier": periods,
        "facet": [*facts.views, "unknown"],
        "segment": segments,
        "rival": segments,
    }
    named = [field.name for field in fields(kind) if field.name in values and field.default is not None][:4]
    made = [{}]
    for name in named:
        made = [{**one, name: value} for one in made for value in values[name]]
    return [kind(**one) for one in made]


@st.composite
def changes(draw, sentence, facts):
    """Change one thing: a digit, a name, a word, or a sign anywhere."""
    kind = draw(st.sampled_from(("digit", "name", "word", "sign", "leave out")))
    places = [
        m.span() for m in re.finditer({"digit": r"\d", "word": r"\w+", "leave out": r"\w+ ?"}.get(kind, r"."), sentence)
    ]
    if kind == "name":
        labels = [label for label in facts.labels.values() if label in sentence]
        if not labels:
            return sentence
        return sentence.replace(draw(st.sampled_from(labels)), draw(st.sampled_from(sorted(facts.labels.values()))), 1)
    if not places:
        return sentence
    start, end = draw(st.sampled_from(places))
    new = {
        "digit": st.sampled_from("0123456789"),
        "word": st.sampled_from(("not", "no", "all", "most", "largest", "smallest", "never", "100", "users", "above")),
        "sign": st.sampled_from("↑%.,;:()[]“”\u200b*-5é "),
        "leave out": st.just(""),
    }[kind]
    return sentence[:start] + draw(new) + sentence[start if kind == "sign" else end :]
