import json


def test_an_audit_shows_its_trials_and_fails_when_a_mutant_is_missed(dpspin):
    """So few releases prove little: all that is shipped stands, some mutants are missed, and that is code 1."""
    ran = dpspin("audit", "--mechanism", "laplace", "--releases", "100", "--jobs", "1")
    assert ran.code == 1
    assert ran.out.count("stands") == 4
    assert "MISSED: noise halved" in ran.out
    assert "2e-08" in ran.out


def test_json_leaves_nothing_else_on_stdout(dpspin):
    ran = dpspin("audit", "--mechanism", "gaussian", "--releases", "100", "--jobs", "1", "--json")
    answer = json.loads(ran.out)
    assert answer["passed"] is False
    assert {trial["adjacency"] for trial in answer["trials"]} == {"add_drop", "replace"}
    assert {trial["fault"] for trial in answer["trials"]} >= {None, "clipping removed"}


def test_a_read_sample_is_tried_exactly_and_by_counting(dpspin):
    ran = dpspin("audit", "--mechanism", "grounding", "--releases", "100", "--jobs", "1", "--json")
    samples = json.loads(ran.out)["read_samples"]
    assert [each["verdict"] for each in samples if each["fault"] is None] == ["stands", "stands"]
    assert {each["exact_loss"] <= 1 for each in samples if each["fault"] is None} == {True}
    summed = [each for each in samples if each["exact_loss"] > 1]
    assert {each["fault"] for each in summed} == {
        "read and mapped: other records",
        "divided by the sample's size",
        "squares without the half",
        "users not clipped",
    }
    assert {each["verdict"] for each in summed} == {"flagged"}


def test_an_unknown_mechanism_is_named(dpspin):
    ran = dpspin("audit", "--mechanism", "staircase")
    assert ran.code == 2
    assert "there are: gaussian; grounding, laplace; laplace" in ran.err


def test_a_reader_is_tried_from_the_file_on(dpspin):
    ran = dpspin("audit", "--reader", "arrow table", "--releases", "100", "--jobs", "1")
    assert ran.code == 0, ran.err
    assert ran.out.count("stands") == 2
    assert "flagged: encoding guessed from the rows" in ran.out
    assert "discrete Laplace" not in ran.out


def test_an_unknown_reader_is_named(dpspin):
    ran = dpspin("audit", "--reader", "fax")
    assert ran.code == 2
    assert "there are: arrow file; arrow table; csv" in ran.err
