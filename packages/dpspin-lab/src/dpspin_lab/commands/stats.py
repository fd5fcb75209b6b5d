"""``dpspin lab stats``: the paper's statistics of a public data set."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli.options import JsonOption
from dpspin.cli.terminal import say
from dpspin_lab.commands.place import without_release

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dpspin_lab.datasets.statistics import DatasetReport, Statistics

MOST = 10  # categories on the screen


def stats(
    dataset: Annotated[str, typer.Argument(metavar="DATASET", help="cfpb, amazon or yelp.")],
    data: Annotated[Path, typer.Option("--data", help="The folder with cfpb/, amazon/ and yelp/.")],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", callback=without_release, help="Write DATASET/stats/ there too; never in or beside a release."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Describe a public data set and its auxiliary and target parts: records, users, lengths, categories."""
    from dpspin_lab.datasets import registry
    from dpspin_lab.datasets.statistics import report_of
    from dpspin_lab.not_private import write_not_private

    kind = registry.dataset(dataset)
    report = report_of(kind, kind.read(data))
    if out is not None:
        content = report.model_dump(mode="json")
        say(f"NOT PRIVATE: wrote {write_not_private(out / kind.name / 'stats', 'statistics', content)}", err=True)
    for line in [report.model_dump_json()] if as_json else _lines(report):
        say(line)


def _lines(report: "DatasetReport") -> "Iterator[str]":
    yield f"{report.title} (exact figures of public data)"
    yield from _whole(report.whole, report.category_field)
    for unit, split in report.splits.items():
        for name, part in (("auxiliary", split.auxiliary), ("target", split.target)):
            users = "" if part.users is None else f" of {part.users.users:,} users"
            yield f"{f'split by {unit}':<18}{name:<11}{part.records:,} records{users}"


def _whole(whole: "Statistics", category_field: str) -> "Iterator[str]":
    yield f"{'records':<18}{whole.records:,}, {whole.days.first or 'no days'} to {whole.days.last or 'no days'}"
    yield f"{'characters':<18}mean {whole.characters.mean:,.0f}, median {whole.characters.median:,.0f}"
    if whole.users is not None:
        several, most = whole.users.users_with_several_records, whole.users.records_per_user.max
        yield f"{'users':<18}{whole.users.users:,}, {several:,} with several records, at most {most:,}"
        yield f"{'':<18}{whole.users.records_with_user:,} records with a user id"
    yield f"{category_field:<18}" + "; ".join(
        f"{label or 'unknown'} {count:,}" for label, count in whole.categories[:MOST]
    )
