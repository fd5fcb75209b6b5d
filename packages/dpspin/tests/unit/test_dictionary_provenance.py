"""A dictionary that was built from protected records is refused, whoever asks, and whatever else is said."""

import pandas as pd
import pytest

import dpspin
from dpspin.boundary.statement import TOLERANCE, Separation
from dpspin.building import build_phrases, build_taxonomy
from dpspin.errors import RecordsRefused, RequestError
from dpspin.public.wording.promise import on_trust
from dpspin.request import ReleaseRequest

REVIEWS = [
    f"Review {i}: such dry skin after all, and the {i}th bottle of the lotion had no effect on it." for i in range(40)
]


def table_of(first, last, user="u"):
    rows = range(first, last)
    return pd.DataFrame({"text": [REVIEWS[row] for row in rows], "who": [f"{user}{row}" for row in rows]})


def atoms_from(table, user=None):
    return build_phrases(table, "amazon-beauty", text="text", user=user, min_support=2).universe


def asked(tmp_path, data, atoms, **options):
    return dpspin.release(
        data,
        text="text",
        atoms=atoms,
        loss=dpspin.PrivacyLoss(1.0),
        denominator=100,
        ledger=tmp_path / "ledger.db",
        size=1,
        map=dpspin.Recipe(dpspin.MapKind.PAPER, 1),
        **{"unit": dpspin.RecordUnit(), **options},
    )


def test_separate_records_are_compared_and_pass(tmp_path):
    old = table_of(0, 20)
    plan = asked(tmp_path, table_of(20, 40), atoms_from(old), atoms_auxiliary=old)
    assert plan.is_private
    assert plan.statement.separation == Separation(map_text="no_text", dictionary_text="compared", tolerance=TOLERANCE)


def test_overlapping_records_are_refused(tmp_path):
    old = table_of(0, 25)
    with pytest.raises(RecordsRefused, match="word for word"):
        asked(tmp_path, table_of(20, 40), atoms_from(old), atoms_auxiliary=old)


def test_one_longer_text_in_common_is_too_many_as_a_dictionary_is_published(tmp_path):
    old, new = table_of(0, 21), table_of(20, 40)
    with pytest.raises(RecordsRefused, match="word for word"):
        asked(tmp_path, new, atoms_from(old), atoms_auxiliary=old)


def test_one_user_in_common_is_refused_though_no_text_is(tmp_path):
    old, new = table_of(0, 20), table_of(20, 40)
    new.loc[0, "who"] = old.loc[0, "who"]
    users = {"unit": dpspin.UserUnit(bound=1.0), "user": "who"}
    atoms = atoms_from(old, user="who")
    with pytest.raises(RecordsRefused, match="split them by user"):
        asked(tmp_path, new, atoms, atoms_auxiliary=old, **users)
    assert asked(tmp_path, table_of(20, 40), atoms, atoms_auxiliary=old, **users).is_private


def test_users_cannot_be_protected_with_a_dictionary_that_names_none(tmp_path):
    old = table_of(0, 20)
    with pytest.raises(RequestError, match="user column"):
        asked(
            tmp_path,
            table_of(20, 40),
            atoms_from(old),
            unit=dpspin.UserUnit(bound=1.0),
            user="who",
            atoms_auxiliary=old,
        )


def test_the_records_behind_the_dictionary_must_be_named(tmp_path):
    with pytest.raises(RequestError, match="name them again"):
        asked(tmp_path, table_of(20, 40), atoms_from(table_of(0, 20)))


def test_other_records_do_not_stand_in_for_them(tmp_path):
    with pytest.raises(RequestError, match="not the auxiliary records"):
        asked(tmp_path, table_of(20, 40), atoms_from(table_of(0, 25)), atoms_auxiliary=table_of(0, 20))


def test_the_maps_auxiliary_text_is_taken_where_it_is_the_same(tmp_path):
    old = table_of(0, 20)
    aux = dpspin.Auxiliary(old, text="text")
    assert asked(tmp_path, table_of(20, 40), atoms_from(old), auxiliary=aux).is_private


def test_public_records_need_not_be_named(tmp_path):
    plan = asked(tmp_path, table_of(20, 40), atoms_from(table_of(0, 25)), atoms_auxiliary_is_public=True)
    assert plan.statement.separation == Separation(map_text="no_text", dictionary_text="declared_public")


def test_a_declaration_about_the_maps_text_says_nothing_about_the_dictionarys(tmp_path):
    old = table_of(0, 25)  # some of these are protected
    both = {"auxiliary": dpspin.Auxiliary(old, text="text"), "auxiliary_is_public": True}
    with pytest.raises(RecordsRefused, match="word for word"):
        asked(tmp_path, table_of(20, 40), atoms_from(old), **both)
    plan = asked(tmp_path, table_of(20, 40), atoms_from(old), **both, atoms_auxiliary_is_public=True)
    assert plan.statement.separation == Separation(map_text="declared_public", dictionary_text="declared_public")


def test_a_declaration_about_the_dictionarys_text_says_nothing_about_the_maps(tmp_path):
    old = table_of(0, 25)
    aux = dpspin.Auxiliary(old, text="text")
    with pytest.raises(RecordsRefused, match="word for word"):
        asked(tmp_path, table_of(20, 40), atoms_from(old), auxiliary=aux, atoms_auxiliary_is_public=True)


def test_numbers_that_are_read_again_keep_the_statement_under_which_they_were_released(tmp_path):
    old, new = table_of(0, 20), table_of(20, 40)
    atoms = atoms_from(old)
    first = asked(tmp_path, new, atoms, atoms_auxiliary=old)
    again = asked(tmp_path, new, atoms, atoms_auxiliary_is_public=True)
    assert again == first  # nothing was drawn or charged anew, so nothing else can be said of it


def test_what_is_declared_public_must_be_there_and_is_not_compared_as_well(tmp_path):
    old, new = table_of(0, 20), table_of(20, 40)
    written = dpspin.packs.load(dpspin.packs.names()[0])
    with pytest.raises(RequestError, match=r"`records.atoms_auxiliary_is_public`"):
        asked(tmp_path, new, written, atoms_auxiliary_is_public=True)
    with pytest.raises(RequestError, match=r"`records.auxiliary_is_public`"):
        asked(tmp_path, new, written, auxiliary_is_public=True)
    with pytest.raises(RequestError, match="is not compared"):
        asked(tmp_path, new, atoms_from(old), atoms_auxiliary=old, atoms_auxiliary_is_public=True)


def test_records_that_a_dictionary_does_not_name_are_refused_and_not_passed_over(tmp_path):
    written = dpspin.packs.load(dpspin.packs.names()[0])
    with pytest.raises(RequestError, match="atoms_auxiliary"):
        asked(tmp_path, table_of(20, 40), written, atoms_auxiliary=table_of(0, 20))
    assert asked(tmp_path, table_of(20, 40), written, auxiliary=dpspin.Auxiliary(table_of(0, 20), "text")).is_private


def test_the_protected_data_themselves_are_refused_even_if_declared_public(tmp_path):
    file = tmp_path / "reviews.parquet"
    table_of(0, 20).to_parquet(file)
    with pytest.raises(RecordsRefused, match="built from the protected data"):
        asked(tmp_path, file, atoms_from(file), atoms_auxiliary_is_public=True)


def test_a_dictionary_that_hides_its_records_is_refused(tmp_path):
    atoms = atoms_from(table_of(0, 20))
    hidden = atoms.model_copy(update={"provenance": atoms.provenance.model_copy(update={"auxiliary": None})})
    with pytest.raises(RequestError, match="but not from which"):
        asked(tmp_path, table_of(20, 40), hidden, atoms_auxiliary=table_of(0, 20))


def test_a_taxonomy_is_compared_by_the_words_of_its_records(tmp_path):
    old = table_of(0, 25).assign(Product="skin", Issue=["dry", "red"] * 12 + ["dry"])
    built = build_taxonomy(old, text="text", size=2, name="skin", levels=["Product", "Issue"])
    assert [(one.label, one.support) for one in built.manifest.supports] == [("skin / dry", 13), ("skin / red", 12)]
    with pytest.raises(RecordsRefused, match="word for word"):
        asked(tmp_path, table_of(20, 40), built.universe, atoms_auxiliary=old)


def copied(old, new):
    """Return new records of which one user wrote word for word what an auxiliary one did."""
    return pd.concat([new, pd.DataFrame({"text": [old["text"][0]], "who": ["a new user"]})], ignore_index=True)


def of_users(tmp_path, old, new, **options):
    atoms = atoms_from(old, user="who")
    protected = {"unit": "user", "user": "who", "atoms_auxiliary": old, **options}
    return asked(tmp_path, new, atoms, **protected)


def test_a_copied_text_is_refused_and_the_refusal_names_the_other_rule(tmp_path):
    old = table_of(0, 20)
    with pytest.raises(
        RecordsRefused, match=r"users alone may be compared, as in the paper \(`records.apart_by: users"
    ):
        of_users(tmp_path, old, copied(old, table_of(20, 40, user="v")))


def test_users_alone_are_compared_where_that_was_decided(tmp_path):
    """The paper's protocol: auxiliary and target are user-disjoint, whatever their texts have in common."""
    old = table_of(0, 20)
    plan = of_users(tmp_path, old, copied(old, table_of(20, 40, user="v")), apart_by="users")
    stated = plan.statement.separation
    assert stated == Separation(map_text="no_text", dictionary_text="users_compared", tolerance=TOLERANCE)
    assert any("copied review" in words for words in on_trust(plan.statement))


def test_a_user_in_common_is_refused_by_either_rule(tmp_path):
    old = table_of(0, 20)
    for rule in ("words", "users"):
        with pytest.raises(RecordsRefused, match="split them by user"):
            of_users(tmp_path, old, table_of(19, 40), apart_by=rule)


def test_records_without_a_user_are_still_compared_word_for_word(tmp_path):
    """Who wrote them is unknown, so that no id tells them apart."""
    old = table_of(0, 20)
    new = copied(old, table_of(20, 40, user="v"))
    new.loc[3, "who"] = None
    missing = {"kind": "user", "missing": "own_unit"}
    with pytest.raises(RecordsRefused, match="word for word"):
        of_users(tmp_path, old, new, apart_by="users", unit=missing)


def test_users_alone_go_with_protected_users(tmp_path):
    old = table_of(0, 20)
    with pytest.raises(RequestError, match=r"leave `records\.apart_by` out"):
        asked(tmp_path, table_of(20, 40), atoms_from(old), atoms_auxiliary=old, apart_by="users")


def test_the_usual_rule_leaves_no_trace_in_a_request():
    told = {"text": "t", "user": "u", "unit": "user", "atoms": "support-tickets", "epsilon": 1, "denominator": 9}
    usual, said = (ReleaseRequest.of("r.csv", **told, **rule) for rule in ({}, {"apart_by": "words"}))
    assert usual.digest == said.digest
    assert "apart_by" not in usual.as_told()["records"]
    assert ReleaseRequest.of("r.csv", **told, apart_by="users").digest != usual.digest
