"""``dpspin check``, and the look that a release takes first where a person sits at a terminal."""

import csv
import json
from pathlib import Path

import pytest
import yaml

from dpspin.cli.check import text_lines
from dpspin.curator.check.look import TextLook
from dpspin.curator.ledger.ledger import open_ledger
from dpspin.public.atoms import dictionary_files
from person_at_terminal import at_a_terminal
from xlsx_files import write_workbook

TESTS = Path(__file__).parents[2]
FOREIGN = yaml.safe_load((TESTS / "languages" / "foreign.yaml").read_text())
ENGLISH = [record["text"] for record in yaml.safe_load((TESTS / "truth" / "support-tickets.yaml").read_text())]
ATOMS = TESTS / "golden" / "before-languages" / "atoms.yaml"
CANARY = "zqxvcanary"


def written(path, texts, encoding="utf-8", delimiter=",", users=50):
    with path.open("w", newline="", encoding=encoding, errors="replace") as file:
        rows = csv.writer(file, delimiter=delimiter)
        rows.writerow(["number", "day", "who", "text"])
        rows.writerows([i, f"2024-05-{i % 28 + 1:02}", f"u{i % users}", text] for i, text in enumerate(texts))
    return path


def test_a_language_that_hardly_any_text_has_is_no_line_of_zeros():
    mix = (("en", 0.96), ("de", 0.037), ("fr", 0.003))
    look = TextLook(records=300, closely=300, unreadable=0, empty=0, different=300, languages=mix)
    assert [line for line in text_lines(look) if line.startswith("Languages")] == ["Languages  English 96%, German 4%"]


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_rows_that_are_no_records_are_counted_and_look_wrong(suffix, tmp_path, dpspin):
    """They contribute nothing to a release, which says nothing of them: here a person is told."""
    row = {"csv": "u{0},{1}\n", "jsonl": '{{"who": "u{0}", "text": "{1}"}}\n'}[suffix]
    broken = {"csv": "u1,cells, with, commas\n", "jsonl": "no object\n"}[suffix]
    rows = [row.format(place, f"my parcel number {place} is late") for place in range(300)]
    path = tmp_path / f"tickets.{suffix}"
    path.write_text(("who,text\n" if suffix == "csv" else "") + "".join(rows) + broken * 900)
    ran = dpspin("check", path, "--text", "text")
    assert ran.code == 0, ran.err
    assert "Records    300; 900 more rows are no records" in ran.out
    assert "900 rows are left out, of 1,200" in ran.out
    assert "no records" not in dpspin("check", written(tmp_path / "fine.csv", ENGLISH), "--text", "text").out


def test_without_a_text_column_it_tells_the_columns_and_what_they_hold(tmp_path, dpspin):
    ran = dpspin("check", written(tmp_path / "tickets.csv", ENGLISH, delimiter=";"))
    assert ran.code == 0, ran.err
    assert "tickets.csv: csv, looks like utf-8, separated by semicolon" in ran.out
    lines = {line.split()[0]: line.split(maxsplit=1)[1] for line in ran.out.splitlines() if line.startswith("  ")}
    assert lines["number"], lines["day"] == ("numbers", "dates")
    assert lines["text"].startswith("text of about")


@pytest.mark.parametrize("suffix", ["jsonl", "parquet", "arrow", "xlsx"])
def test_every_format_shows_its_columns(suffix, tmp_path, dpspin):
    import pandas as pd

    frame, path = pd.DataFrame({"who": ["a", "b"] * 20, "text": ENGLISH[:40]}), tmp_path / f"data.{suffix}"
    match suffix:
        case "jsonl":
            frame.to_json(path, orient="records", lines=True)
        case "parquet":
            frame.to_parquet(path)
        case "arrow":
            frame.to_feather(path, compression="uncompressed")
        case "xlsx":
            write_workbook(path, {"Sheet1": [["who", "text"], *frame.to_numpy().tolist()]})
    ran = dpspin("check", path)
    assert ran.code == 0, ran.err
    assert "who" in ran.out
    assert "text of about" in ran.out


def test_a_survey_shows_its_questions_and_a_file_without_a_header_nothing(tmp_path, dpspin):
    rows = [[7, "Answer the phone."], [3, "Shorter queues, please."]]
    write_workbook(
        tmp_path / "survey.xlsx", {"S": [["Would you come again (0 to 10)?", "What could be better?"], *rows]}
    )
    assert "What could be better?" in dpspin("check", tmp_path / "survey.xlsx").out
    write_workbook(tmp_path / "bare.xlsx", {"S": rows})
    assert "phone" not in dpspin("check", tmp_path / "bare.xlsx").out


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.csv", b"\x1f\x8b\x08", "is no csv file but compressed (.gz)"),
        ("t.csv", b"\x89PNG\r\n\x1a\n\x00\x00\n\x00", "is no csv file but a picture"),
        ("t.csv", b"", "is empty: there is no first line"),
        ("t.jsonl", b"[]\n", "none of the first lines of 't.jsonl' is a JSON object"),
        ("t.xlsx", b"who,body\n", "cannot be read as xlsx: it is damaged, cut short or of another format"),
    ],
)
def test_a_file_that_is_something_else_gets_the_words_of_a_release(tmp_path, dpspin, name, content, message):
    (tmp_path / name).write_bytes(content)
    ran = dpspin("check", tmp_path / name)
    assert (ran.code, message in ran.err) == (2, True), ran.err


def test_lines_may_end_in_any_way_and_noise_is_no_text(tmp_path, dpspin):
    (tmp_path / "old.csv").write_bytes(b"who,text\ra,Late again.\r")
    assert "text of about 11" in dpspin("check", tmp_path / "old.csv").out
    (tmp_path / "noise.csv").write_bytes(bytes(place * place % 251 for place in range(5, 9000)))
    assert "is no text, or in an encoding that is not known" in dpspin("check", tmp_path / "noise.csv").out


def test_files_that_are_written_differently_are_told_so(tmp_path, dpspin):
    for name, encoding in (("a.csv", "cp1252"), ("b.csv", "utf-8")):
        written(tmp_path / name, [f"Größe {text}" for text in ENGLISH[:50]], encoding)
    ran = dpspin("check", tmp_path)
    assert "The files are written differently: utf-8 and windows-1252." in ran.out
    assert "Add to the command" not in ran.out


def test_what_can_be_said_takes_a_denominator_as_a_release_does(tmp_path, dpspin):
    path = written(tmp_path / "t.csv", ENGLISH[:50])
    assert "Can say" in dpspin("check", path, "--atoms", ATOMS, "--epsilon", "1", "--denominator", "10,000").out
    for words in (["--epsilon", "1"], ["--denominator", "5"], ["--epsilon", "1", "--denominator", "5"]):
        assert "all three" in dpspin("check", path, *words).err


def test_it_counts_what_would_be_read_and_what_the_map_makes_of_it(tmp_path, dpspin):
    path = written(tmp_path / "tickets.csv", ENGLISH)
    words = ("--text", "text", "--user", "who", "--atoms", ATOMS, "--epsilon", "1", "--denominator", "1000", "--json")
    found = json.loads(dpspin("check", path, *words).out)
    assert (found["text"]["records"], found["text"]["users"]) == (len(ENGLISH), 50)
    assert found["text"]["languages"][0][0] == "en"
    assert 0 < found["map"]["recognised"] < 1
    assert found["can_say"][0].startswith("Detection limit")
    assert found["private"].startswith("For your eyes only")


def test_it_ends_with_what_may_and_what_must_not_be_decided(tmp_path, dpspin):
    last = dpspin("check", written(tmp_path / "tickets.csv", ENGLISH)).out.rstrip().splitlines()[-2:]
    assert last[0].startswith("You may decide by this whether to go on")
    assert last[1].startswith("Do not choose epsilon, the dictionary")


def test_it_writes_nothing_and_makes_no_ledger(tmp_path, dpspin):
    path = written(tmp_path / "tickets.csv", ENGLISH)
    dpspin("check", path, "--text", "text", "--atoms", ATOMS, "--ledger", tmp_path / "ledger.db")
    assert [each.name for each in tmp_path.iterdir()] == ["tickets.csv"]


@pytest.mark.parametrize("encoding", ["windows-1252", "latin-1"])
def test_an_encoding_that_must_be_declared_is_suggested(encoding, tmp_path, dpspin):
    path = written(tmp_path / "export.csv", FOREIGN["de"], "cp1252", ";")
    ran = dpspin("check", path, "--text", "text")
    assert "Add to the command: --encoding windows-1252" in ran.out
    assert "of the records have no readable text" in ran.out
    declared = json.loads(dpspin("check", path, "--text", "text", "--encoding", encoding, "--json").out)
    assert declared["text"]["unreadable"] == 0


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_an_encoding_that_the_file_tells_needs_no_word(encoding, tmp_path, dpspin):
    found = json.loads(
        dpspin("check", written(tmp_path / "export.csv", ENGLISH, encoding, "|"), "--text", "text", "--json").out
    )
    assert found["add"] == []
    assert found["text"]["unreadable"] == 0


DOUBTS = {
    "another language": (FOREIGN["de"], {}, "of the text is not in English"),
    "an empty column": ([""] * 300 + ENGLISH[:20], {}, "of the texts in 'text' are empty"),
    "a category": (["yes", "no"] * 200, {}, "holds the same few texts again and again"),
    "a row number for a user": (ENGLISH, {"users": 10**6}, "Every record has another user in 'who'"),
    "one user for all": (ENGLISH, {"users": 1}, "One user has 100% of the records"),
    "codes for words": ([f"c{n}" for n in range(300)], {}, "'text' holds single words or codes, not sentences"),
    "numbers for words": ([str(n) for n in range(300)], {}, "'text' holds numbers, not sentences"),
    "no record": ([], {}, "There is no record"),
}


@pytest.mark.parametrize("case", DOUBTS)
def test_what_looks_wrong_is_said(case, tmp_path, dpspin):
    texts, more, expected = DOUBTS[case]
    path = written(tmp_path / "data.csv", texts, **more)
    ran = dpspin("check", path, "--text", "text", "--user", "who", "--atoms", ATOMS)
    assert ran.code == 0, ran.err
    assert expected in ran.out


def test_a_declared_encoding_that_the_file_contradicts_is_said(tmp_path, dpspin):
    path = written(tmp_path / "data.csv", [f"{text} – café" for text in ENGLISH])
    ran = dpspin("check", path, "--text", "text", "--encoding", "windows-1252")
    assert "is declared to be windows-1252, and it looks like utf-8" in ran.out


def test_an_account_that_cannot_pay_is_said(tmp_path, dpspin):
    path = written(tmp_path / "data.csv", ENGLISH)
    paid = ("--text", "text", "--atoms", ATOMS, "--epsilon", "1", "--denominator", "300", "--ledger", tmp_path / "l.db")
    assert dpspin("release", path, *paid, "--unit", "record", "--out", tmp_path / "out").code == 0
    assert "The account has epsilon 0 left: the release would be refused" in dpspin("check", path, *paid).out


def test_english_tickets_raise_no_doubt_about_their_text(tmp_path, dpspin):
    words = ("--text", "text", "--user", "who", "--atoms", ATOMS, "--json")
    of_its_themes = [text for atom in dictionary_files.load(ATOMS).atoms for text in atom.examples]
    found = json.loads(dpspin("check", written(tmp_path / "tickets.csv", of_its_themes), *words).out)
    assert found["looks_wrong"] == []


def test_records_of_another_account_are_named(tmp_path, dpspin):
    first = written(tmp_path / "may.csv", ENGLISH)
    spent = ("--text", "text", "--atoms", ATOMS, "--unit", "record", "--epsilon", "1", "--denominator", "300")
    assert dpspin("release", first, *spent, "--out", tmp_path / "out", "--ledger", tmp_path / "ledger.db").code == 0
    copy = written(tmp_path / "copy.csv", ENGLISH[:-1])
    ran = dpspin("check", copy, "--text", "text", "--ledger", tmp_path / "ledger.db")
    assert f"The ledger knows many of these records as {str(first)!r}" in ran.out


def with_channels(path, cells):
    """Write records whose cells in the column "channel" are these, again and again."""
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["day", "channel", "text"])
        rows.writerows([f"2026-{i % 3 + 1:02}-15", cells[i % len(cells)], text] for i, text in enumerate(ENGLISH[:300]))
    return path


def test_views_are_counted_by_value_and_what_is_other_is_not_shown(tmp_path, dpspin):
    path = with_channels(tmp_path / "t.csv", ["app", "app", "web", CANARY, ""])
    words = ("check", path, "--text", "text", "--by", "channel=app,web", "--by", "day=month:2026-01..2026-02")
    channel, day = json.loads(dpspin(*words, "--json").out)["views"]
    records = len(ENGLISH[:300])
    counts = channel["records"]
    assert (channel["by"], sum(counts.values()), sum(day["records"].values())) == ("channel", records, records)
    assert counts["app"] == sum(i % 5 < 2 for i in range(records))
    assert counts["other"] == sum(i % 5 == 3 for i in range(records))
    assert counts["missing"] == sum(i % 5 == 4 for i in range(records))
    assert day["records"]["other"] == sum(i % 3 == 2 for i in range(records))
    ran = dpspin(*words)
    assert ran.code == 0
    assert f"  app                          {counts['app']}" in ran.out
    assert "Looks wrong" not in ran.out
    assert CANARY not in ran.out + ran.err


VIEWS_IN_DOUBT = {
    "a misspelt value": ("channel=App,web", "By 'channel', no record has 'App'."),
    "hardly any declared": ("channel=fax", "of the records are in 'other'"),
    "another column": ("day=cut:3", "Cells there that are no plain numbers are other"),
    "another calendar": ("day=month:2020-01..2020-03", "or lie outside of it, are other"),
    "other languages": ("language:fr", "Are these the languages of the text"),
}


@pytest.mark.parametrize("case", VIEWS_IN_DOUBT)
def test_a_view_that_hardly_fits_looks_wrong(case, tmp_path, dpspin):
    told, expected = VIEWS_IN_DOUBT[case]
    ran = dpspin("check", with_channels(tmp_path / "t.csv", ["app", "web"]), "--text", "text", "--by", told)
    assert (ran.code, expected in ran.out) == (0, True), ran.out + ran.err


def test_an_empty_column_looks_wrong(tmp_path, dpspin):
    path = with_channels(tmp_path / "t.csv", ["", "", "app"])
    assert "of the records have nothing there" in dpspin("check", path, "--text", "text", "--by", "channel=app").out


def test_a_view_needs_the_words_and_its_column_and_takes_its_part_of_epsilon(tmp_path, dpspin):
    path = with_channels(tmp_path / "t.csv", ["app", "web"])
    assert "name --text too" in dpspin("check", path, "--by", "channel=app").err
    ran = dpspin("check", path, "--text", "text", "--by", "chanel=app")
    assert (ran.code, "Did you mean 'channel'?" in ran.err) == (2, True)
    priced = ("check", path, "--text", "text", "--atoms", ATOMS, "--epsilon", "1", "--denominator", "300", "--json")
    alone, beside = (json.loads(dpspin(*priced, *more).out)["can_say"] for more in ((), ("--by", "channel=app,web")))
    assert alone[0] != beside[0]


def test_no_text_and_no_id_is_shown(tmp_path, dpspin):
    texts = [f"{text} {CANARY}{i}" for i, text in enumerate(ENGLISH)]
    path = written(tmp_path / "tickets.csv", texts)
    for words in ((), ("--text", "text", "--user", "who", "--atoms", ATOMS), ("--text", "text", "--json")):
        ran = dpspin("check", path, *words)
        assert CANARY not in ran.out + ran.err
    headless = tmp_path / "headless.csv"
    headless.write_text("".join(f'"{text}",{CANARY}\n' for text in texts))
    ran = dpspin("check", headless)
    assert CANARY not in ran.out + ran.err
    assert "does not look like names of columns" in ran.out


RELEASE = ("--atoms", ATOMS, "--text", "text", "--unit", "record", "--epsilon", "1", "--denominator", "300")


def test_at_a_terminal_a_release_asks_before_it_pays_and_a_no_costs_nothing(tmp_path):
    path = written(tmp_path / "german.csv", FOREIGN["de"])
    words = ("release", path, *RELEASE, "--out", "out", "--ledger", "ledger.db")
    code, screen = at_a_terminal(words, "n\n", tmp_path)
    assert code == 2, screen
    assert "of the text is not in English" in screen
    assert "stopped before anything was charged" in screen
    assert not (tmp_path / "ledger.db").exists() or not open_ledger(tmp_path / "ledger.db").history()


def test_at_a_terminal_a_view_that_does_not_fit_is_asked_about(tmp_path):
    path = with_channels(tmp_path / "t.csv", ["app", "web"])
    words = ("release", path, *RELEASE, "--by", "channel=App,Web", "--out", "out", "--ledger", "ledger.db")
    code, screen = at_a_terminal(words, "n\n", tmp_path)
    assert (code, "no record has 'App', 'Web'" in screen) == (2, True), screen
    assert not (tmp_path / "ledger.db").exists() or not open_ledger(tmp_path / "ledger.db").history()


def test_a_file_that_ends_inside_a_quotation_mark_looks_wrong_and_costs_nothing(tmp_path, dpspin):
    path = written(tmp_path / "open.csv", ENGLISH)
    with path.open("a") as file:
        file.write(f'9,2024-05-01,u1,"{CANARY}\n' + f"10,2024-05-01,u2,{CANARY}\n" * 50)
    looked = dpspin("check", path, "--text", "text", "--atoms", ATOMS, "--ledger", tmp_path / "ledger.db")
    assert looked.code == 0, looked.err
    assert "'open.csv' ends inside of a quotation mark that is never closed" in looked.out
    ran = dpspin("release", path, *RELEASE, "--out", tmp_path / "out", "--ledger", tmp_path / "ledger.db")
    assert (ran.code, "never closed" in ran.err) == (2, True), ran.err
    assert CANARY not in looked.out + looked.err + ran.out + ran.err
    assert not (tmp_path / "ledger.db").exists() or not open_ledger(tmp_path / "ledger.db").history()


def test_at_a_terminal_leaving_is_a_no(tmp_path):
    path = written(tmp_path / "german.csv", FOREIGN["de"])
    code, screen = at_a_terminal(("release", path, *RELEASE, "--out", "out", "--ledger", "l.db"), "\x04", tmp_path)
    assert code == 2, screen
    assert "stopped before anything was charged" in screen


def test_at_a_terminal_a_yes_goes_on(tmp_path):
    path = written(tmp_path / "german.csv", FOREIGN["de"])
    code, screen = at_a_terminal(
        ("release", path, *RELEASE, "--out", "out", "--ledger", "ledger.db"), "y\ny\n", tmp_path
    )
    assert code == 0, screen
    assert "Text that was recognised as not in English was not read" in screen


def test_unattended_nothing_is_decided_by_the_data(tmp_path, dpspin):
    path = written(tmp_path / "german.csv", FOREIGN["de"])
    ran = dpspin("release", path, *RELEASE, "--out", tmp_path / "out", "--ledger", tmp_path / "ledger.db")
    assert ran.code == 0, ran.err
    assert "Looks wrong" not in ran.err
