"""The page and the terminal where a sample was read: no word means two things, and what is not sure is told apart."""

from dpspin.public.narrate.facts import Facts
from dpspin.public.report.on_terminal import terminal_page
from dpspin.public.report.tiles import tiles_of
from grounded_plans import BY_A_PERSON, grounded
from pages import page_of, words
from shop_plans import MENTIONED, SHOP, SURVEY, read_by, shop

TRUTH = [700.0, 300.0, 160.0, 120.0, 60.0, 60.0, 0.0, 500.0]  # none last
READ = grounded(read_by(shop(none=700.0, not_read=90.0), baseline=SURVEY), SHOP, [*TRUTH, 0.0], randomness="os-csprng")
COUNTED = grounded(MENTIONED, SHOP, TRUTH[:7], grounding=BY_A_PERSON)
PAGE = words(page_of(READ, atoms=SHOP))


def test_a_reader_is_who_reads_the_sample_and_nobody_else():
    privacy = tiles_of(Facts(READ, SHOP))[-1]
    assert "somebody" in privacy.note
    assert not any("reader" in part for part in (privacy.heading, privacy.of, privacy.note))
    assert "In other languages" in PAGE
    assert "Not read" not in PAGE


def test_noise_sample_and_reader_are_told_apart():
    parts = ("The privacy noise is known.", "The sorting was checked on a sample.", "The reader may err as well.")
    places = [PAGE.index(part) for part in parts]
    assert places == sorted(places)
    assert "cannot be told from one that nobody wrote of" not in PAGE  # the noise's own limit is far below the ranges


def test_most_is_not_more_than_half():
    assert tiles_of(Facts(READ, SHOP))[0].heading == "Largest by the reading"
    assert "file most" not in PAGE


def test_what_the_reading_does_not_correct_says_so():
    assert "This section is about what the map alone filed" in PAGE


def test_bars_say_what_they_are():
    _, _, table, *_ = terminal_page(Facts(READ, SHOP), (), 100).split("\n\n")
    assert table.splitlines()[0].split("  ")[-1] == "best guess"
    assert "best guess, certified by nothing" in PAGE


def test_units_are_found_and_mass_is_filed():
    counted = words(page_of(COUNTED, atoms=SHOP))
    assert "A reader would find it in" in counted
    assert "with text filed under it" not in counted
    assert "A reader would file" not in counted
    assert "a reader would find it in" in terminal_page(Facts(COUNTED, SHOP), (), 100)
