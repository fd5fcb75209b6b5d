"""Sketch files: private, whole or refused, and merged only with their like."""

import stat
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from dpspin.boundary.atoms import AuxiliaryText, Provenance
from dpspin.boundary.privacy import Adjacency, MissingUsers, RecordUnit, UserUnit
from dpspin.boundary.statement import Apart, MapStatement, Separation
from dpspin.curator.aggregate.local import Records, aggregate
from dpspin.curator.aggregate.pseudonyms import THIS_RUN, Pseudonyms, shared_pseudonyms, write_new_key
from dpspin.curator.aggregate.shards import merge_sketch_files, open_shards, sketch_shard
from dpspin.curator.aggregate.sketch import SketchOrigin
from dpspin.curator.aggregate.sketch_file import ShardFacts, read_header, read_sketch, write_sketch
from dpspin.curator.aggregate.totals import totals_for
from dpspin.curator.assign.contribution import Contributions
from dpspin.curator.records.columns import BadRows, Columns, RowPolicy
from dpspin.curator.records.corpus import ProtectedCorpus, digest_of_parts, open_corpus
from dpspin.errors import BoundViolation, InputError, RecordsRefused, RequestError, SourceError

STATEMENT = MapStatement(name="first letter", fitted_on="nothing", atoms_per_record=1, digest="sha256:first")


def stated(origin, *, map_text=Apart.COMPARED, dictionary_text=Apart.NO_TEXT):
    return replace(origin, separation=Separation(map_text=map_text, dictionary_text=dictionary_text))


USERS = SketchOrigin("sha256:two", 2, STATEMENT, UserUnit(1.5, MissingUsers.OWN_UNIT), Adjacency.ADD_DROP)
RECORDS = replace(USERS, unit=RecordUnit())
KEY = Pseudonyms(bytes(range(32)))
TABLES = [
    pa.table({"who": ["zqxvcanary1", "zqxvcanary2", None], "body": ["a one", "b two", "b three"]}),
    pa.table({"who": ["zqxvcanary1", "zqxvcanary1", "zqxvcanary3"], "body": ["a four", "b five", None]}),
]


class FirstLetter:
    def __init__(self, statement=STATEMENT):
        self.statement = statement

    def __call__(self, texts):
        known = [text is not None for text in texts.to_pylist()]
        atoms = np.array([text.startswith("b") for text in texts.to_pylist() if text is not None], np.int64)
        offsets = np.r_[0, np.cumsum(known)].astype(np.int64)
        return Contributions.from_weights(offsets, atoms, np.ones(len(atoms)), universe_size=2, atoms_per_record=1)


def corpus_of(table, origin, policy=None):
    columns = Columns("body", "who" if isinstance(origin.unit, UserUnit) else None)
    return open_corpus(table, columns, policy or RowPolicy(missing_users=MissingUsers.OWN_UNIT))


def write(path, table=TABLES[0], origin=USERS, pseudonyms=KEY, policy=None):
    records = Records(corpus_of(table, origin, policy), FirstLetter(origin.contribution_map), origin)
    sketch_shard(path, records, pseudonyms=pseudonyms)
    return path


@pytest.fixture(params=["record", "user"])
def origin(request):
    return {"record": RECORDS, "user": USERS}[request.param]


def test_a_file_is_for_its_owner_only_says_so_and_names_nobody(tmp_path, origin):
    path = write(tmp_path / "a.sketch", origin=origin)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_bytes().startswith(b"PRIVATE ")
    assert b"zqxvcanary" not in path.read_bytes()
    assert KEY.key not in path.read_bytes()
    assert list(tmp_path.iterdir()) == [path]
    assert "records=" not in repr(read_header(path))


def test_shards_give_the_sketch_of_the_whole_and_a_user_in_two_of_them_is_clipped_once(tmp_path, origin):
    files = [write(tmp_path / f"{number}.sketch", table, origin) for number, table in enumerate(TABLES)]
    sketch, seen = open_shards(files).measure()
    whole, counts = aggregate(corpus_of(pa.concat_tables(TABLES), origin), FirstLetter(), origin)
    assert sketch.ticks.tolist() == whole.ticks.tolist() == merge_sketch_files(files[::-1]).ticks.tolist()
    assert sketch.origin == origin
    assert seen == counts
    if origin is USERS:
        assert sketch.ticks.tolist() == [2**30, 2**29 + 2 * 2**30]  # canary1: 2 a + 1 b = mass 3, halved


def test_shards_tell_a_release_what_a_corpus_would(tmp_path):
    files = [write(tmp_path / f"{number}.sketch", table) for number, table in enumerate(TABLES)]
    shards = open_shards(files)
    assert shards.columns == Columns("body", "who")
    assert shards.policy == RowPolicy(BadRows.ZERO, MissingUsers.OWN_UNIT)
    assert shards.content_digest() == open_shards(files[::-1]).content_digest()
    assert shards.content_digest() != open_shards(files[:1]).content_digest()
    assert open_shards(files[:1]).content_digest() == corpus_of(TABLES[0], USERS).content_digest()


DIFFERENT = {
    "dictionary": {"origin": replace(USERS, universe_digest="sha256:other")},
    "map": {"origin": replace(USERS, contribution_map=STATEMENT.model_copy(update={"digest": "sha256:other"}))},
    "protected unit": {"origin": replace(USERS, unit=UserUnit(2.0, MissingUsers.OWN_UNIT))},
    "adjacency": {"origin": replace(USERS, adjacency=Adjacency.REPLACE)},
    "different keys": {"pseudonyms": Pseudonyms(bytes(32))},
    "bad rows": {"policy": RowPolicy(BadRows.REFUSE, MissingUsers.OWN_UNIT), "table": TABLES[1].slice(0, 2)},
}


@pytest.mark.parametrize("what", DIFFERENT)
def test_shards_that_differ_in_what_they_measure_are_refused(tmp_path, what):
    other = {"table": TABLES[1], **DIFFERENT[what]}
    files = [write(tmp_path / "a.sketch"), write(tmp_path / "b.sketch", **other)]
    with pytest.raises(RequestError, match=what):
        merge_sketch_files(files)


def test_the_same_shard_twice_is_refused_but_empty_shards_are_not(tmp_path, origin):
    files = [write(tmp_path / name, origin=origin) for name in ("a.sketch", "b.sketch")]
    with pytest.raises(RequestError, match="once"):
        merge_sketch_files(files)
    empty = [write(tmp_path / name, TABLES[0].slice(0, 0), origin) for name in ("c.sketch", "d.sketch")]
    assert merge_sketch_files([files[0], *empty]).ticks.tolist() == merge_sketch_files(files[:1]).ticks.tolist()
    with pytest.raises(RequestError, match="at least one"):
        open_shards([])


HEAD = "who,body\n"


def folder_of(place, **files):
    place.mkdir()
    for name, rows in files.items():
        (place / f"{name}.csv").write_text(HEAD + rows)
    return place


def test_a_file_that_is_part_of_two_shards_is_refused(tmp_path, origin):
    one = write(tmp_path / "1.sketch", folder_of(tmp_path / "one", a="u,a one\n"), origin)
    both = write(tmp_path / "2.sketch", folder_of(tmp_path / "two", a="u,a one\n", b="v,b two\n"), origin)
    other = write(tmp_path / "3.sketch", folder_of(tmp_path / "three", b="v,b two\n", c="w,a three\n"), origin)
    for files in ([one, both], [both, one], [both, other]):
        with pytest.raises(RequestError, match="would count twice"):
            merge_sketch_files(files)
    assert merge_sketch_files([one, other]).ticks.sum() == 3 * 2**30


def test_a_copy_inside_one_shard_is_what_it_is_in_a_folder_that_is_released(tmp_path, origin):
    folder = folder_of(tmp_path / "one", a="u,a one\n", copy="u,a one\n")
    shard = write(tmp_path / "1.sketch", folder, origin)
    assert (
        merge_sketch_files([shard]).ticks.tolist()
        == aggregate(corpus_of(folder, origin), FirstLetter(), origin)[0].ticks.tolist()
    )


def test_a_file_without_records_may_be_part_of_many_shards_where_it_is_known_to_have_none(tmp_path, origin):
    folders = {"one": {"empty": "", "a": "u,a one\n"}, "two": {"empty": ""}, "three": {"empty": ""}}
    with_a, *empty = (
        write(tmp_path / f"{name}.sketch", folder_of(tmp_path / name, **files), origin)
        for name, files in folders.items()
    )
    assert merge_sketch_files([with_a, *empty]).ticks.tolist() == [2**30, 0]
    with_b = write(tmp_path / "b.sketch", folder_of(tmp_path / "four", empty="", b="v,b two\n"), origin)
    with pytest.raises(RequestError, match="without records"):  # which file the two share is not known
        merge_sketch_files([with_a, with_b])
    assert merge_sketch_files([with_a, with_b, empty[0]]).ticks.tolist() == [2**30, 2**30]


@pytest.mark.parametrize("place", [0.0, 0.2, 0.5, 0.8, 0.95, 1.0])
def test_a_damaged_file_is_refused_wherever_the_damage_is(tmp_path, origin, place):
    path = write(tmp_path / "a.sketch", origin=origin)
    content = bytearray(path.read_bytes())
    content[int(place * (len(content) - 1))] ^= 1
    path.write_bytes(content)
    with pytest.raises(SourceError):
        merge_sketch_files([path])


@pytest.mark.parametrize("kept", [0.0, 0.1, 0.5, 0.99])
def test_a_cut_file_is_refused(tmp_path, origin, kept):
    path = write(tmp_path / "a.sketch", origin=origin)
    path.write_bytes(path.read_bytes()[: int(kept * path.stat().st_size)])
    with pytest.raises(SourceError):
        merge_sketch_files([path])


def test_other_files_and_other_versions_are_refused(tmp_path):
    (tmp_path / "tickets.csv").write_text("who,body\n")
    for name in ("tickets.csv", "missing.sketch"):
        with pytest.raises(SourceError):
            read_header(tmp_path / name)
    path = write(tmp_path / "a.sketch")
    path.write_bytes(path.read_bytes().replace(b'"version":4', b'"version":3'))
    with pytest.raises(SourceError, match="another version"):
        read_header(path)


def test_a_file_that_changes_between_header_and_totals_is_refused(tmp_path):
    path = write(tmp_path / "a.sketch")
    shards = open_shards([path])
    write(path, TABLES[1])
    with pytest.raises(RequestError, match="changed"):
        shards.measure()


def test_a_run_that_fails_leaves_the_old_file_and_no_half_one(tmp_path):
    path = write(tmp_path / "a.sketch")
    before = path.read_bytes()

    class Broken(FirstLetter):
        def __call__(self, texts):
            return super().__call__(texts.slice(1))

    with pytest.raises(BoundViolation):
        sketch_shard(path, Records(corpus_of(TABLES[1], USERS), Broken(), USERS), pseudonyms=KEY)
    assert path.read_bytes() == before
    with pytest.raises(SourceError, match="cannot be written"):
        write(tmp_path / "no-such-folder" / "a.sketch")
    assert list(tmp_path.iterdir()) == [path]


def test_per_user_totals_are_kept_before_clipping(tmp_path):
    table = pa.table({"who": ["u"] * 5, "body": ["a"] * 5})
    with read_sketch(write(tmp_path / "a.sketch", table)) as saved:
        assert [row["ticks"] for batch in saved.user_rows for row in batch.to_pylist()] == [5 * 2**30]
        assert saved.settled.tolist() == [0, 0]


def test_users_need_a_key_that_the_shards_share(tmp_path):
    with pytest.raises(RequestError, match="same user key"):
        write(tmp_path / "a.sketch", pseudonyms=None)
    key = tmp_path / "key"
    with pytest.raises(SourceError, match="--new-user-key"):
        shared_pseudonyms(key)
    write_new_key(key)
    made = shared_pseudonyms(key)
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert shared_pseudonyms(key) == made != THIS_RUN
    assert made.key.hex() not in repr(made)
    with pytest.raises(SourceError, match="File exists"):
        write_new_key(key)
    assert shared_pseudonyms(key) == made
    key.write_text("too short")
    with pytest.raises(SourceError, match="not a user key"):
        shared_pseudonyms(key)


def test_a_shard_is_refused_if_the_map_was_fitted_on_it_or_is_not_the_stated_one(tmp_path):
    corpus = corpus_of(TABLES[0], USERS)
    with pytest.raises(RecordsRefused, match="auxiliary"):
        sketch_shard(
            tmp_path / "a.sketch", Records(corpus, FirstLetter(), stated(USERS), auxiliary=corpus), pseudonyms=KEY
        )
    with pytest.raises(RequestError, match="another map"):
        sketch_shard(tmp_path / "a.sketch", Records(corpus, FirstLetter(), DIFFERENT["map"]["origin"]), pseudonyms=KEY)
    assert not list(tmp_path.iterdir())


LEARNED = replace(
    stated(RECORDS), contribution_map=STATEMENT.model_copy(update={"learned_from_auxiliary": True})
)  # and was compared with it
LETTERS = [
    f"a letter number {place} that is long enough to be told from all other letters of this kind"
    for place in range(300)
]


def letters(*places):
    return open_corpus(pa.table({"body": [LETTERS[place] for place in places]}), Columns("body"))


def checked(path, corpus, auxiliary=None, apart=Apart.COMPARED):
    """Sketch a shard of letters with a map that has learned from auxiliary letters."""
    origin = stated(LEARNED, map_text=apart)
    sketch_shard(path, Records(corpus, FirstLetter(LEARNED.contribution_map), origin, auxiliary=auxiliary))
    return path


def test_a_map_that_learned_from_text_measures_nothing_until_that_text_is_named_or_declared_public():
    with pytest.raises(RequestError, match=r"`records.auxiliary_is_public`"):
        Records(letters(0), FirstLetter(LEARNED.contribution_map), LEARNED)
    with pytest.raises(RequestError, match=r"`records.auxiliary_is_public`"):
        stated(LEARNED, map_text=Apart.NO_TEXT)


def built(path, corpus, behind_dictionary=None, apart=Apart.COMPARED):
    """Sketch a shard of letters with a dictionary that was built from auxiliary letters."""
    origin = stated(RECORDS, map_text=Apart.NO_TEXT, dictionary_text=apart)
    records = Records(corpus, FirstLetter(RECORDS.contribution_map), origin, behind_dictionary=behind_dictionary)
    sketch_shard(path, records)
    return path


def test_shards_that_were_not_all_compared_with_the_records_behind_the_dictionary_are_refused(tmp_path):
    aux = {"behind_dictionary": letters(*range(20, 40))}
    compared = [built(tmp_path / f"{place}", letters(place), **aux) for place in range(2)]
    assert merge_sketch_files(compared)
    for apart in (Apart.NO_TEXT, Apart.DECLARED_PUBLIC):
        with pytest.raises(RequestError, match="differ in the auxiliary text that was named or declared"):
            open_shards([*compared, built(tmp_path / "odd", letters(5), apart=apart)])
    with pytest.raises(
        RequestError, match=r"same `records.atoms_auxiliary`, or all with `records.atoms_auxiliary_is_public`"
    ):
        open_shards([*compared, built(tmp_path / "odd", letters(5), letters(30, 31))])


def test_shards_of_which_none_was_compared_are_refused_where_the_dictionary_was_built_from_records(tmp_path):
    shards = open_shards([built(tmp_path / "a", letters(1), apart=Apart.NO_TEXT)])
    shards.require_compared(Provenance(source="handwritten", note="ours"))
    with pytest.raises(RequestError, match=r"`records.atoms_auxiliary`"):
        shards.require_compared(Provenance(source="auxiliary", note="phrases"))


def test_shards_that_are_together_what_their_dictionary_was_built_from_are_refused_whatever_is_declared(tmp_path):
    parts = [letters(1, 2), letters(3)]
    files = [built(tmp_path / str(i), part, apart=Apart.DECLARED_PUBLIC) for i, part in enumerate(parts)]
    whole = AuxiliaryText(content=digest_of_parts(one for part in parts for one in part.content_parts()), text="body")
    behind = Provenance(source="auxiliary", note="phrases", auxiliary=whole)
    with pytest.raises(RecordsRefused, match="built from the protected data"):
        open_shards(files).require_compared(behind)
    open_shards(files[:1]).require_compared(behind)


def test_compared_shards_are_not_released_with_a_dictionary_that_would_tell_of_its_records(tmp_path):
    shards = open_shards([built(tmp_path / "a", letters(1), letters(20, 21))])
    named = {"content": "0" * 64, "text": "body"}
    told = Provenance(source="auxiliary", note="phrases", auxiliary=AuxiliaryText(**named))
    with pytest.raises(RequestError, match="readers could test guesses"):
        shards.require_compared(told)
    shards.require_compared(told.model_copy(update={"auxiliary": AuxiliaryText(**named, salt="1" * 64)}))
    shards.require_compared(Provenance(source="handwritten", note="another one, which the desk refuses as such"))


def test_records_name_the_text_behind_their_dictionary_or_declare_it_public():
    text = AuxiliaryText(content="0" * 64, text="text")
    with pytest.raises(RequestError, match=r"`records.atoms_auxiliary`"):
        Records(letters(0), FirstLetter(RECORDS.contribution_map), RECORDS, built_from=(text,))


def test_a_shard_of_records_behind_the_dictionary_is_refused(tmp_path):
    with pytest.raises(RecordsRefused, match="word for word"):
        built(tmp_path / "a", letters(*range(10)), behind_dictionary=letters(*range(5, 20)))


def test_shards_are_merged_if_all_were_compared_with_the_same_auxiliary_text_or_all_declared_it_public(tmp_path):
    aux = {"auxiliary": letters(*range(20, 40))}
    assert merge_sketch_files([checked(tmp_path / f"{place}", letters(place), **aux) for place in range(2)])
    public = {"apart": Apart.DECLARED_PUBLIC}
    files = [checked(tmp_path / f"{place}", letters(place), **public) for place in range(2)]
    assert merge_sketch_files(files).origin.separation.map_text is Apart.DECLARED_PUBLIC


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({"auxiliary": letters(*range(30, 40))}, "not all compared"),
        ({"apart": Apart.DECLARED_PUBLIC}, "differ in the auxiliary text that was named or declared"),
    ],
)
def test_shards_with_different_checks_of_auxiliary_text_are_refused(tmp_path, other, why):
    one = checked(tmp_path / "a.sketch", letters(0), auxiliary=letters(*range(20, 40)))
    with pytest.raises(RequestError, match=why):
        open_shards([one, checked(tmp_path / "b.sketch", letters(1), **other)])


def test_a_shard_that_was_never_compared_is_refused_even_alone(tmp_path):
    facts = ShardFacts(
        columns=("body",),
        bad_rows=BadRows.ZERO,
        parts=("x",),
        auxiliary=None,
        records=0,
        without_text=0,
        without_atom=0,
    )
    write_sketch(tmp_path / "a.sketch", totals_for(LEARNED), facts)
    with pytest.raises(RequestError, match="not all compared"):
        open_shards([tmp_path / "a.sketch"])


def test_shards_must_not_share_more_with_auxiliary_text_together_than_one_corpus_may(tmp_path):
    aux = letters(*range(20, 220))  # one of two hundred may coincide
    files = [checked(tmp_path / f"{place}", letters(place, 20 + place), auxiliary=aux) for place in range(2)]
    assert all(merge_sketch_files([file]) for file in files)
    with pytest.raises(RecordsRefused, match="word for word"):
        merge_sketch_files(files)


def test_a_shard_is_not_written_among_results_of_the_lab(tmp_path):
    (tmp_path / "NOT-PRIVATE.txt").touch()
    with pytest.raises(InputError, match="results of the lab"):
        checked(tmp_path / "a.sketch", letters(0), auxiliary=letters(20))
    assert not (tmp_path / "a.sketch").exists()


def test_a_shard_that_changes_while_it_is_read_is_refused(tmp_path):
    digests = iter([["before"], ["after"]])
    still = TABLES[0].select(["body"]).to_batches
    moving = ProtectedCorpus(lambda: iter(still()), lambda: next(digests), Columns("body"), RowPolicy())
    with pytest.raises(RecordsRefused, match="changed while"):
        sketch_shard(tmp_path / "a.sketch", Records(moving, FirstLetter(), RECORDS))
    assert not list(tmp_path.iterdir())


def test_progress_tells_the_records_of_each_shard_as_it_is_added(tmp_path):
    told = []
    files = [write(tmp_path / f"{number}.sketch", table) for number, table in enumerate(TABLES)]
    open_shards(files).watched(told.append).measure()
    assert told == [3, 3]


def test_a_column_that_a_sketch_file_does_not_keep_is_refused_and_not_taken_for_the_users(tmp_path):
    table = pa.table({"body": ["a one"], "theme": ["first"]})
    labelled = Records(open_corpus(table, Columns("body", label="theme"), RowPolicy()), FirstLetter(), RECORDS)
    with pytest.raises(RequestError, match="label"):
        sketch_shard(tmp_path / "a.sketch", labelled)
    assert not (tmp_path / "a.sketch").exists()
