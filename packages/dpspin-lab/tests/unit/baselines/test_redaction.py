import pytest

from dpspin_lab.baselines.redaction import found, redacted


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("write to a.b+c@example.co.uk now", "write to [EMAIL] now"),
        ("see https://example.org/a?b=1 or example.com", "see [URL] or [URL]"),
        ("ask @someone there", "ask [HANDLE] there"),
        ("on XX/XX/XXXX and XXXX XXXX called", "on [REDACTED] and [REDACTED] called"),
        ("since March 3rd, 2021 and 4 May 2020", "since [DATE] and [DATE]"),
        ("every Monday, 2021-05-06", "every [DATE], [DATE]"),
        ("call (555) 010-9999 please", "call [PHONE] please"),
        ("at 12 Long Hill Road today", "at [ADDRESS] today"),
        ("then Maria and Mrs. O'Neil came", "then [NAME] and [NAME] came"),
        ("it cost {$240.00} or $5", "it cost [AMOUNT] or [AMOUNT]"),
        ("order AB-12345 with #77", "order [IDENTIFIER] with [IDENTIFIER]"),
        ("waited 45 minutes", "waited [NUMBER] minutes"),
    ],
)
def test_what_looks_like_an_identifier_is_replaced_by_its_kind(text, expected):
    assert redacted(text) == expected
    assert found(expected) == {}


def test_what_does_not_look_like_one_stays():
    spoken = "I told maria that my rare illness is back. The agent was rude."
    assert redacted(spoken) == spoken
