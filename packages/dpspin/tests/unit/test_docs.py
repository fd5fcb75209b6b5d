"""The documentation says what the software does: fresh pages, links that lead somewhere, commands and code that run."""

import ast
import re
import runpy
import shlex
from itertools import takewhile
from pathlib import Path

import pytest
import yaml
from typer.main import get_command

from dpspin.boundary.mechanisms import MECHANISMS
from dpspin.cli.main import app
from dpspin.demo.synthetic import generate_tickets, write_csv
from dpspin.public.narrate.decoders.menu import subjects_of
from dpspin.public.narrate.forms import CLAIM_KINDS
from dpspin.public.narrate.verify import verify
from dpspin.request import KEYWORDS, ReleaseRequest
from factories import PAPER_PLAN, PAPER_UNIVERSE

ROOT = Path(__file__).parents[4]
PAGES = sorted(
    page for where in ("*.md", "docs/**/*.md", "changes/*.md", "packages/*/*.md") for page in ROOT.glob(where)
)
RUNNABLE = [ROOT / name for name in ("README.md", "packages/dpspin/README.md", "docs/how-to/use-from-python.md")]
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
SHELLS = {"", "sh", "bash", "console"}
END_OF_COMMAND = {"|", ">", "2>", ">>", "&&", "||", ";"}


def name_of(page):
    return str(page.relative_to(ROOT))


def blocks(page, languages):
    return [code for language, code in FENCE.findall(page.read_text(encoding="utf-8")) if language in languages]


def links(page):
    prose = re.sub(r"`[^`\n]*`", "", FENCE.sub("", page.read_text(encoding="utf-8")))
    return [target for target in LINK.findall(prose) if "://" not in target]


def commands(page):
    """Yield every ``dpspin …`` line of the shell blocks, continued lines joined."""
    for block in blocks(page, SHELLS):
        for line in block.replace("\\\n", " ").splitlines():
            words = re.sub(r"^docker run .*? dpspin ", "dpspin ", line.strip().removeprefix("$ "))
            if words.startswith("dpspin "):
                yield list(takewhile(lambda word: word not in END_OF_COMMAND, shlex.split(words, comments=True)))


def unknown_options(words):
    """Walk from ``dpspin`` to the command that is meant, and return the words it does not know."""
    command, rest = get_command(app), words[1:]
    while (children := getattr(command, "commands", None)) is not None and rest and not rest[0].startswith("-"):
        if rest[0] not in children:
            return [rest[0]]
        command, rest = children[rest[0]], rest[1:]
    known = {"-h", "--help"}.union(*(param.opts for param in command.params if param.param_type_name == "option"))
    return [word for word in rest if re.match(r"--?[a-zA-Z]", word) and word.partition("=")[0] not in known]


def headings(page):
    lines = re.findall(r"^#+ (.+)$", FENCE.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", line).strip().lower().replace(" ", "-") for line in lines}


def test_the_page_of_commands_is_fresh():
    generator = runpy.run_path(str(ROOT / "docs" / "generate_cli_page.py"))
    assert generator["PAGE"].read_text(encoding="utf-8") == generator["page"](), "run: python docs/generate_cli_page.py"


def test_the_picture_of_a_forecast_is_what_its_command_draws(dpspin, tmp_path):
    folder = ROOT / "docs" / "how-to"
    (words,) = [words for words in commands(folder / "choose-a-budget.md") if "--picture" in words]
    drawn = tmp_path / "preview.svg"
    assert dpspin(*words[1:-1], drawn).code == 0
    assert (folder / words[-1]).read_text(encoding="utf-8") == drawn.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_relative_links_lead_to_existing_files_and_headings(page):
    for target in links(page):
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), f"{name_of(page)} links to {target}"
        assert not anchor or anchor in headings(file), f"{name_of(page)} links to {target}: no such heading"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_commands_in_the_documentation_exist_with_their_options(page):
    for words in commands(page):
        assert unknown_options(words) == [], " ".join(words)


def test_a_misspelt_command_or_option_would_be_found():
    assert unknown_options(shlex.split("dpspin release t.csv --epsilom 1")) == ["--epsilom"]
    assert unknown_options(shlex.split("dpspin ledger shwo")) == ["shwo"]
    assert unknown_options(shlex.split("dpspin ledger init --dataset d --epsilon 1")) == []


def test_the_readme_shows_commands_and_code():
    readme = ROOT / "README.md"
    assert any(words[1] == "release" for words in commands(readme))
    assert blocks(readme, {"python"})


@pytest.mark.parametrize("page", RUNNABLE, ids=name_of)
def test_python_in_the_documentation_runs(page, tmp_path, monkeypatch):
    """Blocks of one page share their names, as a reader would run them one after the other."""
    write_csv(generate_tickets(400, seed=7), tmp_path / "tickets.csv")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DPSPIN_LEDGER", str(tmp_path / "ledger.db"))
    names = {}
    for code in blocks(page, {"python"}):
        exec(compile(code, name_of(page), "exec"), names)
    assert "plan" in names


def rows(page, first_heading):
    """Return the cells of a table, by the heading of its first column."""
    lines = takewhile(str.strip, page.read_text(encoding="utf-8").partition(f"| {first_heading} |")[2].splitlines()[2:])
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def rules_in(folder):
    """Return the rules that the code can give: those by which problems and what is missing are named."""
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in {"Problem", "broken", "Missing"}:
                named = [*node.args[:1], *(keyword.value for keyword in node.keywords if keyword.arg == "rule")]
                yield from (each.value for each in named if isinstance(each, ast.Constant))


RULES = ROOT / "docs" / "reference" / "verifier-rules.md"


def test_the_page_of_rules_lists_every_rule_that_the_code_can_give_and_no_other():
    listed = [cells[0].strip("`") for cells in rows(RULES, "rule")]
    assert sorted(listed) == sorted(
        set(rules_in(ROOT / "packages" / "dpspin" / "src" / "dpspin" / "public" / "narrate"))
    )


@pytest.mark.parametrize(
    "cells", [cells for cells in rows(RULES, "rule") if cells[-1].startswith("`")], ids=lambda c: c[0]
)
def test_an_example_on_the_page_of_rules_breaks_its_rule(cells):
    said = cells[-1].strip("`")
    assert cells[0].strip("`") in verify(PAPER_PLAN, said, "display", PAPER_UNIVERSE).rules()


def test_the_table_of_claims_is_that_of_the_code():
    told = {cells[0].strip("`"): cells[1:] for cells in rows(ROOT / "docs" / "reference" / "decoders.md", "claim")}
    assert list(told) == list(CLAIM_KINDS)
    for name, kind in CLAIM_KINDS.items():
        named = ", ".join(f"`{field}`" for field in subjects_of(kind))
        says = kind.__doc__.splitlines()[0].rstrip(".") + " (audit mode only)" * kind.audit_only
        assert told[name] == [named, says]


REQUEST = ROOT / "docs" / "reference" / "request.md"
SCHEMA = ReleaseRequest.model_json_schema()


def fields_of(node, path=""):
    """Yield the path of every field that holds a value, whichever kind it belongs to."""
    node = SCHEMA["$defs"][node["$ref"].rpartition("/")[2]] if "$ref" in node else node
    kinds, parts = [*node.get("anyOf", ()), *node.get("oneOf", ())], node.get("properties", {})
    for kind in kinds:
        yield from fields_of(kind, path)
    for name, part in parts.items():
        yield from fields_of(part, f"{path}.{name}".strip("."))
    if not kinds and not parts and node.get("type") != "null":
        yield path


def test_the_page_of_the_request_file_names_every_field_and_no_other():
    named = [field for cells in rows(REQUEST, "field") for field in re.findall(r"`([a-z_.]+)`", cells[0])]
    in_python = {"records.map"}  # there a map itself may be given
    assert sorted(named) == sorted({*fields_of(SCHEMA), "preset"} - in_python)


def test_the_request_on_its_page_is_one():
    (text,) = blocks(REQUEST, {"yaml"})
    request = ReleaseRequest.read(yaml.safe_load(text))
    assert (request.loss.epsilon, request.account.budget.epsilon) == (1, 3)


def test_the_page_of_python_names_every_argument_of_a_release():
    page = ROOT / "docs" / "reference" / "python.md"
    told = {name for cells in rows(page, "argument") for name in re.findall(r"`(\w+)`", cells[0])}
    parts = {"records", "account", "about"}
    assert told == {*KEYWORDS, *ReleaseRequest.model_fields, "preset"} - parts


def test_the_break_even_on_the_page_of_engines_follows_from_its_own_figures():
    told = {cells[0]: cells[1:] for cells in rows(ROOT / "docs" / "how-to" / "which-engine.md", "cost")}

    def figure(row, column):
        low, high = re.match(r"([\d.]+)(?: to ([\d.]+))?", told[row][column]).groups()
        return (float(low) + float(high or low)) / 2

    later = figure("to start, CPU-s", 2) - figure("to start, CPU-s", 0)
    here, spark = (figure("a record, user level", column) for column in (0, 2))
    for cores, millions in re.findall(r"(\d+) cores: ([\d.]+) million", told[list(told)[-1]][-1]):
        assert later / (here / 4 - spark / int(cores)) == pytest.approx(float(millions), abs=0.051)


AUTOMATE = (ROOT / "docs" / "how-to" / "automate.md").read_text(encoding="utf-8")


def test_the_commands_that_answer_in_json_are_listed():
    generator = runpy.run_path(str(ROOT / "docs" / "generate_cli_page.py"))
    every = dict(generator["leaves"](get_command(app), "dpspin"))
    answering = {name for name, command in every.items() if any("--json" in param.opts for param in command.params)}
    (line,) = (line for line in AUTOMATE.splitlines() if line.startswith("- **`--json`**"))
    listed = re.findall(r"`([a-z ]+)`", line.partition("** on ")[2].partition(".")[0])
    assert sorted(f"dpspin {name}" for name in listed) == sorted(name for name in answering if "dpspin lab" not in name)


def test_the_mechanisms_that_select_are_named_where_another_size_is_said_to_be_free():
    (named,) = re.findall(r"mechanisms\nthat select \((.*?)\)", AUTOMATE)
    assert re.findall(r"`(\w+)`", named) == [each().kind for each in MECHANISMS if each().selects]
