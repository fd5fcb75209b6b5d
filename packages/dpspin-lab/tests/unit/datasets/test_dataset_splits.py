import pytest

from dpspin.errors import RecordsRefused, RequestError
from dpspin_lab.datasets.corpus import Corpus
from dpspin_lab.datasets.split import Split, require_disjoint, split_by_hash, split_by_time

LETTER = "To whom it may concern: under section 611 of the act I dispute the accounts that are listed below."


def corpus_of(
    users: list[str] | None = None, days: list[str] | None = None, texts: list[str] | None = None, size: int = 0
) -> Corpus:
    count = size or len(users or days or texts or ())
    ids = tuple(f"id {place}" for place in range(count))
    blank = ("",) * count
    return Corpus(
        "made up", ids, tuple(texts or ids), None if users is None else tuple(users), tuple(days or blank), blank, blank
    )


def halves(corpus: Corpus, *, by_user: bool = False, salt: str = "1") -> Split:
    return split_by_hash(corpus, by_user=by_user, auxiliary_share=0.5, salt=salt)


def test_every_record_is_in_one_part_and_the_order_stays():
    split = halves(corpus_of(size=500))
    parts = (split.auxiliary.ids, split.target.ids)
    assert sorted(parts[0] + parts[1]) == sorted(corpus_of(size=500).ids)
    assert all(part == tuple(sorted(part, key=lambda name: int(name[3:]))) for part in parts)


def test_the_auxiliary_part_has_about_its_share():
    split = split_by_hash(corpus_of(size=4000), by_user=False, auxiliary_share=0.2, salt="1")
    assert len(split.auxiliary) == pytest.approx(800, abs=100)


def test_the_split_follows_the_salt():
    whole = corpus_of(size=100)
    assert halves(whole) == halves(whole)
    assert halves(whole) != halves(whole, salt="2")


def test_a_record_more_moves_no_other():
    smaller, larger = halves(corpus_of(size=200)), halves(corpus_of(size=201))
    assert set(smaller.auxiliary.ids) <= set(larger.auxiliary.ids)
    assert set(smaller.target.ids) <= set(larger.target.ids)


def test_at_user_level_all_records_of_a_user_are_in_one_part():
    split = halves(corpus_of(users=[f"user {place % 60}" for place in range(240)]), by_user=True)
    assert not set(split.auxiliary.users) & set(split.target.users)
    assert len(split.auxiliary) + len(split.target) == 240


def test_at_user_level_records_of_nobody_are_in_neither_part():
    split = halves(corpus_of(users=["", *(f"user {place}" for place in range(40)), ""]), by_user=True)
    assert len(split.auxiliary) + len(split.target) == 40


def test_form_letters_stay_together_whatever_their_ids():
    texts = [LETTER, LETTER.replace(" ", "  "), LETTER + "\n"] * 20 + [f"short {place}" for place in range(40)]
    split = halves(corpus_of(texts=texts))
    assert {sum(text.startswith("To") for text in part.texts) for part in (split.auxiliary, split.target)} == {0, 60}


def test_users_of_form_letters_can_be_left_out_of_the_target():
    users = [f"user {place // 2}" for place in range(400)]
    texts = [LETTER if place % 8 == 0 else f"{place} {LETTER}" for place in range(400)]
    with pytest.raises(RecordsRefused):
        halves(corpus_of(users=users, texts=texts), by_user=True)
    split = split_by_hash(
        corpus_of(users=users, texts=texts), by_user=True, auxiliary_share=0.5, salt="1", leave_out_copies=True
    )
    assert LETTER in split.auxiliary.texts
    assert LETTER not in split.target.texts
    gone = {user for user, text in zip(users, texts, strict=True) if text == LETTER}
    assert not gone & set(split.target.users)  # with all that they wrote
    assert set(split.target.users) | set(split.auxiliary.users) | gone == set(users)


def test_short_texts_that_coincide_are_split_like_any_others():
    split = halves(corpus_of(texts=["Great!"] * 100))
    assert min(len(split.auxiliary), len(split.target)) > 30


def test_a_record_of_the_day_itself_is_new_and_one_without_a_day_is_in_neither_part():
    split = split_by_time(corpus_of(days=["2023-01-02", "2022-12-31", "", "2023-01-01", "2021-06-30"]), "2023-01-01")
    assert (split.auxiliary.ids, split.target.ids) == (("id 1", "id 4"), ("id 0", "id 3"))


def test_by_time_a_known_user_is_not_protected_later():
    users = ["old", "old", "new", "", ""]
    days = ["2020-01-01", "2024-01-01", "2024-01-01", "2020-01-01", "2024-01-01"]
    whole = corpus_of(users=users, days=days)
    split = split_by_time(whole, "2023-01-01", by_user=True)
    assert (split.auxiliary.ids, split.target.ids) == (("id 0",), ("id 2",))
    with pytest.raises(RecordsRefused, match="some users are in both"):
        require_disjoint(split_by_time(whole, "2023-01-01"), by_user=True)


def test_parts_with_a_record_in_common_are_refused():
    whole = corpus_of(size=3)
    with pytest.raises(RecordsRefused, match="some records are in both"):
        require_disjoint(Split(whole.part([0, 1]), whole.part([1, 2])), by_user=False)


def letters(*numbers: int) -> list[str]:
    return [f"{LETTER} This is my letter number {number}, and I keep a copy." for number in numbers]


def test_texts_that_were_published_must_not_stand_in_the_target_under_another_id():
    whole = corpus_of(texts=[*letters(*range(200)), letters(0)[0].replace(" ", "\n"), *letters(*range(200, 220))])
    parts = Split(whole.part(range(200)), whole.part(range(200, 221)))
    require_disjoint(parts, by_user=False)  # one of two hundred may be chance
    with pytest.raises(RecordsRefused, match="word for word"):
        require_disjoint(parts, by_user=False, published=True)


def test_many_texts_in_common_are_refused_even_where_nothing_of_them_is_published():
    whole = corpus_of(texts=letters(*range(40), *range(20)), users=[f"user {place}" for place in range(60)])
    parts = Split(whole.part(range(40)), whole.part(range(40, 60)))
    for by_user in (False, True):
        with pytest.raises(RecordsRefused, match="word for word"):
            require_disjoint(parts, by_user=by_user)


def test_a_split_by_time_refuses_form_letters_that_go_on():
    days = ["2022-01-01"] * 20 + ["2024-01-01"] * 20
    with pytest.raises(RecordsRefused, match="word for word"):
        split_by_time(corpus_of(texts=letters(*range(20), *range(20)), days=days), "2023-01-01")


def test_a_corpus_without_users_has_no_user_level():
    with pytest.raises(RequestError, match="made up has no user ids"):
        halves(corpus_of(size=10), by_user=True)


@pytest.mark.parametrize("share", [0.0, 1.0, -0.1, float("nan")])
def test_both_parts_need_a_share(share):
    with pytest.raises(RequestError, match="between 0 and 1"):
        split_by_hash(corpus_of(size=10), by_user=False, auxiliary_share=share, salt="1")


def test_an_empty_part_is_refused():
    with pytest.raises(RequestError, match="would be empty"):
        split_by_time(corpus_of(days=["2022-01-01"]), "2023-01-01")
