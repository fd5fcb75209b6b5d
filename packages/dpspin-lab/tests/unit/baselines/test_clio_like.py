"""The Clio-like pipeline step by step, and the leak that its thresholds leave."""

import json

import numpy as np
import pytest

from dpspin.errors import EndpointError, RequestError
from dpspin.llm.chat import Chat
from dpspin.llm.endpoint import Endpoint
from dpspin_lab.baselines.clio import (
    Name,
    Thresholds,
    Tools,
    clio,
    model_auditor,
    model_facets,
    model_namer,
    pattern_mark,
    report_source,
    with_model,
)
from dpspin_lab.baselines.clio_membership import difference_trial, leak_of, planted_trial
from dpspin_lab.baselines.grouping import grouped, term_points
from dpspin_lab.baselines.references import refer
from fake_llm import FakeWriter

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
TEXTS = ["The parcel was late and the driver lost."] * 12 + ["A rude agent with a bad temper."] * 8
USERS = [f"u{number}" for number in range(12)] + ["one"] * 8
SMALL = Thresholds(records=5, users=5, per_group=10)


def test_groups_are_named_sized_and_placed_under_a_parent():
    report = clio(TEXTS, thresholds=SMALL)
    assert [group.records for group in report.groups] == [12, 8]
    assert "parcel" in report.groups[0].title + report.groups[0].description
    assert "agent" in report.groups[1].title + report.groups[1].description
    assert all(group.parent for group in report.groups)
    assert refer(report_source(report)).private is False


def test_a_group_of_too_few_records_or_users_is_held_back():
    assert clio(TEXTS, thresholds=Thresholds(records=9, users=1, per_group=10)).too_small == 1
    by_user = clio(TEXTS, USERS, thresholds=SMALL)
    assert ([group.records for group in by_user.groups], by_user.too_small) == ([12], 1)


def test_a_name_that_fails_the_audit_is_held_back():
    report = clio(TEXTS, thresholds=SMALL, tools=Tools(auditor=lambda name: 1 if "agent" in name.description else 5))
    assert ([group.records for group in report.groups], report.failed_audit) == ([12], 1)


@pytest.mark.parametrize(
    ("title", "mark"), [("late parcel", 5), ("waited 45 minutes", 3), ("letters of Maria Lopez", 1), ("zxqqwv", 1)]
)
def test_the_audit_by_patterns(title, mark):
    assert pattern_mark(Name(title, "Records.")) == mark


def test_a_name_in_lower_case_passes_the_audit_by_patterns():
    assert pattern_mark(Name("letters of maria lopez", "Records.")) == 5


def test_a_model_writes_facets_names_and_marks_and_answers_that_cannot_be_read_are_refusals():
    name = json.dumps({"title": "late parcels", "description": "They came late."})
    with FakeWriter(["a late parcel", name, json.dumps({"mark": 4}), name]) as server:  # of equal words asked once
        tools = with_model(Chat(Endpoint(server.url, "tiny")), term_points)
        report = clio(["Where is it?"] * 6, thresholds=SMALL, tools=tools)
    (group,) = report.groups
    assert (group.title, group.records, group.mark, group.parent) == ("late parcels", 6, 4, "late parcels")
    with FakeWriter(["no json"]) as server:
        chat = Chat(Endpoint(server.url, "tiny"))
        assert model_namer(chat)(["a"], ["b"]).title == "unnamed"
        assert model_auditor(chat)(Name("a", "b")) == 1


def test_a_model_elsewhere_sees_nothing():
    chat = Chat(Endpoint("https://models.example.org/v1", "big", retries=0))
    with pytest.raises(RequestError, match="do not leave this machine"):
        with_model(chat, term_points)
    with pytest.raises(RequestError, match="do not leave this machine"):
        model_facets(chat)(TEXTS)
    with pytest.raises(EndpointError):  # public records may go there, where no server answers
        clio(TEXTS, tools=with_model(chat, term_points, records_are_public=True))


def test_there_are_no_more_groups_than_points_and_none_from_nothing():
    assert grouped(np.eye(3), count=9).sizes == [1, 1, 1]
    with pytest.raises(RequestError, match="at least one record"):
        grouped(np.zeros((0, 2)), count=1)


def test_one_record_more_is_seen_by_who_knows_the_others():
    assert difference_trial(0, 200, Tools()) == (True, False)


def test_a_planted_theme_is_published_only_with_the_persons_record():
    assert planted_trial(1, 200, Tools()) == (True, False)


def test_the_bound_on_epsilon_follows_from_the_counts():
    leak = leak_of("sure", [(True, False)] * 40)
    assert (leak.with_record, leak.without_record) == (1.0, 0.0)
    assert leak.epsilon_at_least == pytest.approx(2.337, abs=0.001)
    assert leak_of("no", [(True, True)] * 40).epsilon_at_least == 0.0


def test_the_command_writes_one_marked_file(tmp_path, dpspin):
    (tmp_path / "records.csv").write_text(
        "text,user\n" + "".join(f"{t},{u}\n" for t, u in zip(TEXTS, USERS, strict=True))
    )
    ran = dpspin(
        *("lab", "clio", tmp_path / "records.csv", "--text", "text", "--user", "user", "--out", tmp_path / "lab"),
        *("--min-records", "5", "--min-users", "5", "--per-group", "10"),
    )
    assert ran.code == 0, ran.err
    assert "NOT PRIVATE" in ran.err
    assert "1 too small" in ran.out
    assert [path.name for path in (tmp_path / "lab").iterdir()] == ["NOT-PRIVATE-clio-like.json"]
