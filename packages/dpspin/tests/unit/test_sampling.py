"""A sample from Python: drawn, read, released; and what is refused, by its code and before any charge."""

import pyarrow as pa
import pytest

import dpspin
from dpspin.curator.ledger.ledger import open_ledger
from dpspin.errors import DictionaryError, DpSpinError, RequestError
from reading_desk import NUMBER, about_records, read_all, write_records


@pytest.fixture
def told(tmp_path):
    write_records(tmp_path)
    return about_records(tmp_path)


@pytest.fixture
def folder(told, tmp_path):
    drawn = dpspin.sample(**told, read=60, out=tmp_path / "reading")
    read_all(drawn)
    return drawn


def spent(told):
    budget = open_ledger(told["ledger"]).budget("tickets")
    return 0 if budget is None else budget.spent.epsilon


def test_a_request_draws_its_own_sample(told, folder, tmp_path):
    request = dpspin.ReleaseRequest.of(**told, epsilon=1, reading=folder.path)
    again = dpspin.sample(request, read=60, out=tmp_path / "again")
    assert [record.id for record in again.records()] == [record.id for record in folder.records()]
    plan = dpspin.release(request)
    assert plan.grounded is not None
    assert dpspin.release(request) == plan
    assert spent(told) == 1


def test_more_people_in_the_file_are_other_people_in_the_sample(told, folder, tmp_path):
    write_records(tmp_path, number=NUMBER + 1)
    other = dpspin.sample(**told, read=60, out=tmp_path / "other")
    assert not {record.id for record in other.records()} & {record.id for record in folder.records()}


def test_a_table_in_memory_has_a_sample_too(told, tmp_path):
    table = pa.table({"text": ["my parcel is late", "hello"] * 100})
    told = {**told, "data": table, "denominator": 200}
    drawn = dpspin.sample(**told, read=40, out=tmp_path / "reading")
    read_all(drawn)
    assert (
        dpspin.release(**told, epsilon=1, reading={"folder": drawn.path, "share": 0.5}).statement.grounding.share == 0.5
    )


REFUSED = {
    "request.another-drawing": {"snapshot": "may"},
    "request.read-sampled": {"sampling": 0.5},
    "request.read-replaced": {"adjacency": "replace"},
    "request.read-selected": {"mechanism": "set_em"},
    "request.invalid": {"reading": {"folder": "x", "share": 1.0}},
    "input": {"reading": "nowhere"},
}


@pytest.mark.parametrize("code", REFUSED)
def test_a_release_refuses_what_its_reading_does_not_fit(told, folder, code):
    with pytest.raises(DpSpinError) as refused:
        dpspin.release(**{**told, "epsilon": 1, "reading": str(folder.path), **REFUSED[code]})
    assert refused.value.code == code
    assert spent(told) == 0


def test_a_release_refuses_what_was_not_drawn_or_not_read(told, folder, tmp_path):
    table, codes = folder.path / "reading.csv", []
    whole = table.read_bytes()
    first = folder.records()[0].id

    def refusal():
        with pytest.raises(DpSpinError) as refused:
            dpspin.release(**told, epsilon=1, reading=folder.path)
        codes.append(refused.value.code)
        table.write_bytes(whole)

    folder.read(first, "")
    refusal()
    table.write_bytes(whole.replace(first.encode(), b"r0"))
    refusal()
    table.write_bytes(whole.replace(b",none", b",nonesuch"))
    refusal()
    write_records(tmp_path, number=NUMBER - 1)
    refusal()
    kinds = ("unread", "not-the-sample", "unknown-theme", "changed-since-drawn")
    assert codes == [f"records-refused.{kind}" for kind in kinds]
    assert spent(told) == 0


def test_sketch_files_are_refused_by_the_request(told):
    sketches = {"sketches": ["a.sketch"], "atoms": told["atoms"], "denominator": 9, "dataset": "tickets", "epsilon": 1}
    with pytest.raises(RequestError) as refused:
        dpspin.ReleaseRequest.of(**sketches, reading="reading")
    assert refused.value.code == "request.read-sketches"
    with pytest.raises(RequestError) as refused:
        dpspin.sample(dpspin.ReleaseRequest.of(**sketches), read=3, out="reading")
    assert refused.value.code == "request.read-sketches"


@pytest.mark.parametrize(
    "more",
    [{"sampling": 0.5}, {"adjacency": "replace"}, {"of": 10}, {"denominator": "total"}, {"epsilon": 1}],
    ids=lambda more: next(iter(more)),
)
def test_no_sample_is_drawn_that_no_release_could_use(told, tmp_path, more):
    with pytest.raises(RequestError):
        dpspin.sample(**{**told, **more}, read=60, out=tmp_path / "reading")
    assert not (tmp_path / "reading").exists()


def test_a_request_that_would_be_refused_draws_nothing(told, tmp_path):
    for code, more in REFUSED.items():
        if code.startswith("request.read-"):
            with pytest.raises(RequestError) as refused:
                dpspin.sample(dpspin.ReleaseRequest.of(**told, **more, epsilon=1), read=60, out=tmp_path / "reading")
            assert refused.value.code == code
    assert not (tmp_path / "reading").exists()


def test_none_must_mean_that_no_theme_fits(told, tmp_path):
    (tmp_path / "atoms.txt").write_text("late parcel\nNone\n")
    with pytest.raises(DictionaryError, match="no atom fits"):
        dpspin.sample(**told, read=60, out=tmp_path / "reading")


def test_text_that_the_map_must_not_have_seen_is_found_before_anybody_reads(told, tmp_path):
    with pytest.raises(DpSpinError, match="auxiliary"):
        dpspin.sample(
            **told, auxiliary=dpspin.Auxiliary(told["data"], "text"), map="paper", read=60, out=tmp_path / "reading"
        )
    assert not (tmp_path / "reading").exists()
