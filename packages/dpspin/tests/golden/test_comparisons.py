"""What two plans of earlier versions say of a change, in the file for programs: a format that does not move.

``DPSPIN_RENEW=1`` writes the text anew, after its words have changed on purpose; the files of data stay.
"""

import json
import os
from pathlib import Path

import pytest

from dpspin.boundary.comparison_fields import Comparison
from dpspin.boundary.software import SOFTWARE
from dpspin.public.atoms.dictionary_files import load
from dpspin.public.compare.compare import compare

HERE = Path(__file__).parent
OLD = HERE / "before-languages"
ATOMS = load(OLD / "atoms.yaml")
PAIRS = {
    "chosen": (OLD / "set-em-replace.plan.json", OLD / "topl-record-paper.plan.json"),
    "of-a-number": (OLD / "laplace-record.plan.json", HERE / "comparisons" / "laplace-record-later.plan.json"),
    "of-a-count": (OLD / "laplace-user-count.plan.json", HERE / "comparisons" / "laplace-user-count-later.plan.json"),
}


def read(text):
    """Read a file; the last digits of a quantile differ between processors."""
    return json.loads(text, parse_float=lambda number: f"{float(number):.9g}")


@pytest.mark.parametrize("name", PAIRS)
def test_a_comparison_is_the_same_file(name):
    compared = compare(*PAIRS[name], ATOMS)
    data = (HERE / "comparisons" / f"{name}.json").read_text(encoding="utf-8")
    assert read(compared.to_json()) == read(data) | {"software": SOFTWARE}
    assert Comparison.model_validate_json(data).to_json() == data


@pytest.mark.parametrize("name", PAIRS)
def test_a_comparison_is_told_word_for_word(name):
    told = HERE / "reports" / f"comparison-{name}.txt"
    page = compare(*PAIRS[name], ATOMS).on_terminal(90) + "\n"
    if os.environ.get("DPSPIN_RENEW"):
        told.write_text(page, encoding="utf-8")
    assert page == told.read_text(encoding="utf-8")
