"""Beside the paper's start there is a split by time and, on the same atoms, both maps."""

from dataclasses import replace

import pytest

from dpspin.boundary.atoms import Atom
from dpspin.errors import RequestError
from dpspin_lab.datasets import phrase_labels
from dpspin_lab.datasets.corpus import Corpus
from dpspin_lab.datasets.phrase_labels import published_labels
from dpspin_lab.datasets.registry import AMAZON, CFPB, YELP
from dpspin_lab.datasets.split import median_day
from dpspin_lab.runs.config import Source
from dpspin_lab.runs.prepared import read_prepared
from dpspin_lab.runs.workspace import SUPPORTED, Workspace, other_starts
from factories import universe_of
from labelled_runs import labelled_split
from tiny_runs import THEMES


def corpus(*, dated=True):
    """Return the small corpus in one piece, half of it older."""
    parts = (labelled_split().auxiliary, labelled_split().target)
    columns = {
        name: sum((getattr(part, name) for part in parts), ())
        for name in ("ids", "texts", "users", "days", "categories", "paths")
    }
    days = tuple(f"20{10 + number % 20}-01-01" if dated else "" for number in range(len(columns["ids"])))
    return replace(parts[0], **{**columns, "days": days})


def with_examples():
    said = ("{} again", "there was {} once more", "it was {} this time", "I had {} here", "only {} to tell of")
    return universe_of(
        [
            Atom(id=place, label=theme, examples=tuple(each.format(theme) for each in said))
            for place, theme in enumerate(THEMES)
        ]
    )


def test_labelled_records_teach_the_hybrid(tmp_path):
    kind = replace(CFPB, m=(5,), new_era="2020-01-01")
    workspace = Workspace(kind, "record", corpus(), tmp_path)
    variants, files = other_starts(workspace, 2)
    assert [one.source for one in variants] == [
        Source(5, 2, split="time"),
        Source(5, 2, assignment_map="hybrid"),
        Source(5, 5, assignment_map="hybrid"),
        Source(5, 2, split="time", assignment_map="hybrid"),
        Source(5, 5, split="time", assignment_map="hybrid"),
    ]
    later, taught, _, both, uncut = (read_prepared(files[one.source]) for one in variants)
    assert (both.statement.atoms_per_record, uncut.statement.atoms_per_record) == (2, 5)
    assert both.people.ids == uncut.people.ids == later.people.ids
    assert len(later.people) == 120 == variants[0].n
    assert (later.statement.name, taught.statement.name) == ("ngram", "hybrid")
    assert taught.truth.records == taught.target.records


def test_without_labels_the_written_dictionary_teaches_and_both_maps_are_on_it(tmp_path):
    kind = replace(CFPB, m=(5,), labelled=False, new_era=None, written=with_examples)
    variants, files = other_starts(Workspace(kind, "record", corpus(), tmp_path), 2)
    written = {one.source.assignment_map for one in variants if one.source.dictionary == "written"}
    assert written == {"hybrid", "ngram"}
    kept = [read_prepared(files[one.source]) for one in variants if one.source.dictionary == "written"]
    assert {one.universe.digest for one in kept} == {with_examples().digest}
    assert all(one.truth is None for one in kept)


def test_the_labels_that_the_paper_printed_are_a_start_of_both_maps_that_need_no_more(tmp_path):
    kind = replace(CFPB, m=(5,), published=AMAZON.published)
    variants, files = other_starts(Workspace(kind, "record", corpus(), tmp_path), 2)
    printed = [one.source for one in variants if one.source.dictionary == "published"]
    assert [(source.m, source.assignment_map) for source in printed] == [(46, "ngram"), (46, "names")]
    assert {read_prepared(files[source]).universe.digest for source in printed} == {AMAZON.published().digest}
    assert [read_prepared(files[source]).statement.name for source in printed] == ["ngram", "names"]


def reviews(times):
    """Return reviews in which the first phrases of the paper stand so many times each, in either part alike."""
    phrases = [each.label for each in published_labels(phrase_labels.AMAZON)[: len(times)]]
    texts = [
        f"Really {phrase} here, number {n}" for phrase, most in zip(phrases, times, strict=True) for n in range(most)
    ]
    empty = ("",) * len(texts)
    return Corpus("amazon", tuple(map(str, range(len(texts)))), tuple(texts), empty, empty, empty, empty)


def test_by_the_papers_rule_for_amazon_every_candidate_with_enough_support_is_an_atom(tmp_path):
    """Appendix “Atom and plan parameters”: auxiliary document support of at least 25, and m is what comes out."""
    workspace = Workspace(AMAZON, "record", reviews((120, 110, 100, 12)), tmp_path, dictionary="supported")
    assert SUPPORTED == 25
    assert workspace.largest.size == 3
    assert list(workspace.dictionaries) == [3]
    assert replace(workspace, dictionary="built").largest.size == 4


def test_a_dictionary_of_a_size_that_the_paper_fixes_has_no_such_rule(tmp_path):
    with pytest.raises(RequestError, match="set dictionary to built"):
        _ = Workspace(CFPB, "record", corpus(), tmp_path, dictionary="supported").largest
    with pytest.raises(RequestError, match="no published dictionary"):
        _ = Workspace(CFPB, "record", corpus(), tmp_path, dictionary="published").largest


def test_the_day_is_the_registrys_or_the_median():
    assert CFPB.day_of(corpus()) == "2023-01-01"
    assert AMAZON.day_of(corpus()) == YELP.day_of(corpus()) == median_day(corpus()) == "2020-01-01"
    with pytest.raises(RequestError, match="has no days"):
        AMAZON.day_of(corpus(dated=False))


@pytest.mark.parametrize(("dated", "new_era"), [(False, None), (True, "1990-01-01"), (True, "2090-01-01")])
def test_records_that_time_does_not_part_have_the_other_starts_only(tmp_path, dated, new_era):
    kind = replace(CFPB, m=(5,), new_era=new_era)
    variants, files = other_starts(Workspace(kind, "record", corpus(dated=dated), tmp_path), 2)
    assert [one.source for one in variants] == list(files)
    assert {(one.split, one.assignment_map) for one in files} == {("hash", "hybrid")}
