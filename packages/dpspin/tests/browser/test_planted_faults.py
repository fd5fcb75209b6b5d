"""The laws of this folder can fail: each finds the fault that is planted for it, and nothing before."""

import pytest

from browsing import PHONE, seen

PLANTED = {
    "faint": "it.style.color = '#cccccc'",
    "cutOff": "it.style.marginLeft = '300px', it.style.whiteSpace = 'nowrap'",
    "overlapping": "it.style.marginBottom = '-2.5em'",
    "brokenWords": "it.style.width = '3ch'",
}


@pytest.mark.parametrize("law", PLANTED)
def test_a_planted_fault_is_found(show, law):
    page = show("rich", PHONE)
    arguments = (13,) if law == "brokenWords" else ()
    assert seen(page, law, *arguments) == []
    page.locator(".claims .claim").first.evaluate(f"it => {{ {PLANTED[law]} }}")
    assert seen(page, law, *arguments) != []
