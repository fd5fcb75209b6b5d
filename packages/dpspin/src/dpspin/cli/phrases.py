"""``dpspin phrases``: what else people wrote about, in phrases that nobody listed; looked at before it is published."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli import flags
from dpspin.cli.terminal import say

if TYPE_CHECKING:
    from collections.abc import Callable

    from dpspin.curator.release.phrase_folder import PhraseFolder

app = typer.Typer(
    help="Phrases that nobody listed: what else people wrote about. For an epsilon with a delta only.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
FIRST = ("records.text", "records.unit", "records.user", "loss.epsilon", "atoms")
NOT_OF_PHRASES = frozenset(
    f"records.{name}"
    for name in (
        *("sampling", "adjacency", "views", "examples", "candidates", "quantity", "quantity.most_atoms", "unit.bound"),
        *("map.url", "map.model", "map.endpoint_is_trusted"),
    )
)
OF_PHRASES = (
    *FIRST,
    *(name for name in flags.OF_RECORDS if name not in {*FIRST, *NOT_OF_PHRASES}),
    *("account.dataset", "account.snapshot", "account.budget", "account.ledger"),
)
DeltaOption = Annotated[
    float,
    typer.Option(
        "--delta", help="About the probability with which a phrase of one writer alone comes out; at most 1/(40 N)."
    ),
]
DenominatorOption = Annotated[
    str, typer.Option("--denominator", help="A public number N of records or users, never counted from the data.")
]
PerUnitOption = Annotated[
    int, typer.Option("--per-unit", min=1, max=100, help="The most phrases that one record or user may count for.")
]
OutArgument = Annotated[Path, typer.Argument(metavar="OUT", help="The folder of `dpspin phrases find`.")]


@app.command("find")
@flags.takes(*OF_PHRASES, required=("records.text", "records.unit", "loss.epsilon"))
def find(
    given: dict[str, object],
    data: Annotated[str, typer.Argument(metavar="DATA", help="A file, a folder, a glob in quotes, or an address.")],
    delta: DeltaOption,
    denominator: DenominatorOption,
    out: Annotated[Path, typer.Option("--out", help="The folder of a release, or a new one; writes OUT/curator.")],
    per_unit: PerUnitOption = 3,
    ask_approval: flags.AskOption = None,
    note: flags.NoteOption = "",
) -> None:
    """Find phrases that many wrote and nobody listed; charged like a release, and not published yet.

    With --atoms only sentences that no theme of that dictionary took are read.

    As in: dpspin phrases find tickets.csv --text body --unit user --user customer --atoms support-tickets
    --epsilon 1 --delta 1e-6 --denominator 20000 --out march
    """
    from dpspin import phrasing
    from dpspin.cli.key import open_key
    from dpspin.cli.release import tell_filed
    from dpspin.cli.terminal import reading

    flags.require_no_model(given, "a search for phrases")
    told = {**flags.in_words(given), "records.data": data, "loss.delta": delta, "denominator": denominator}
    asked = phrasing.PhraseRequest.read({**told, "per_unit": per_unit})
    if ask_approval is not None:
        tell_filed(phrasing.ask(asked, open_key(ask_approval), note))
        return
    with reading("reading, counting and charging") as tell:
        folder, budget = phrasing.find(asked, out, tell)
    found = len(folder.release.phrases)
    say(f"{found:,} phrases stand clear of the threshold ({asked.terms.threshold:,}).", err=True)
    say(f"Budget of {asked.dataset}: spent {budget.words(budget.spent)} of {budget.words(budget.cap)}.", err=True)
    say(f"Nothing is published yet. Look at each of them: dpspin phrases review {out}", err=True)
    say(f"(or fill in the column publish of {folder.path / 'phrases.csv'} with yes or no, then run it)", err=True)


@app.command("review")
def review(out: OutArgument) -> None:
    """Look at released phrases one by one, keep or drop each, and publish what was kept. It can be taken up again."""
    from dpspin import phrasing
    from dpspin.curator.release.phrase_folder import open_phrases

    desk = ReviewDesk(open_phrases(out / "curator"))
    if desk.is_open:
        say(HOW, err=True)
    while desk.is_open:
        say(desk.shown(), err=True, nl=False)
        said = desk.hear(_line())
        if said:
            say(said, err=True)
    if desk.left():
        say(f"{desk.left():,} are left: dpspin phrases review {out}. Nothing is published yet.", err=True)
        return
    for file in phrasing.publish(out):
        say(f"wrote {file}", err=True)


HOW = (
    "Each phrase is differentially private, and is published only if you keep it. Drop what may point at a person.\n"
    "k keeps it, d drops it, Enter does what stands in brackets, u takes your last answer back, q stops for now."
)


def _line() -> str:
    try:
        return input()
    except (EOFError, KeyboardInterrupt):
        return "q"


@dataclass
class ReviewDesk:
    """Where somebody looks at phrases: the first one that is open lies there; answers can be taken back."""

    folder: "PhraseFolder"
    _stopped: bool = False
    _given: list[str] = field(default_factory=list)

    def left(self) -> int:
        """Return how many phrases nobody has looked at."""
        return sum(not decision for decision in self.folder.decisions().values())

    @property
    def is_open(self) -> bool:
        """Whether there is one more to look at."""
        return not self._stopped and self.left() > 0

    def shown(self) -> str:
        """Show the phrase, its number, and why to think twice."""
        from dpspin.text.phrases import MARKS, marks_of

        each = next(each for each in self.folder.release.phrases if each.phrase == self._at())
        why = "".join(f"\n   {MARKS[mark]}" for mark in marks_of(each.phrase))
        usual = "[k]/d" if self._usual() == "k" else "k/[d]"
        many = f"at least {self.folder.release.low(each):,} {self.folder.release.terms.unit}s"
        return f"\n“{each.phrase}”: {many} ({self.left():,} left){why}\n{usual}> "

    def hear(self, words: str) -> str:
        """Do what was typed, and return what there is to say."""
        orders: dict[str, Callable[[], str]] = {
            "k": lambda: self._decide("yes"),
            "d": lambda: self._decide("no"),
            "u": self._take_back,
            "q": self._stop,
        }
        order = orders.get(words.strip().lower() or self._usual())
        return "k, d, u or q." if order is None else order()

    def _at(self) -> str:
        return next(phrase for phrase, decision in self.folder.decisions().items() if not decision)

    def _usual(self) -> str:
        from dpspin.text.phrases import marks_of

        return "d" if marks_of(self._at()) else "k"

    def _decide(self, decision: str) -> str:
        phrase = self._at()
        self.folder.decide(phrase, decision)
        self._given.append(phrase)
        return ""

    def _take_back(self) -> str:
        if not self._given:
            return "Nothing was answered since you started."
        self.folder.decide(self._given.pop(), "")
        return "Taken back."

    def _stop(self) -> str:
        self._stopped = True
        return ""


@app.command("preview")
@flags.takes("records.unit", "loss.epsilon", required=("records.unit", "loss.epsilon"))
def preview(
    given: dict[str, object], delta: DeltaOption, denominator: DenominatorOption, per_unit: PerUnitOption = 3
) -> None:
    """Say how many must write a phrase for it to come out, from public numbers alone."""
    from dpspin.boundary.phrases import PhraseTerms
    from dpspin.boundary.privacy import PrivacyLoss
    from dpspin.boundary.request_terms import number_in_words, read_as

    loss = PrivacyLoss(float(str(given["loss.epsilon"])), delta)
    units = getattr(number_in_words(denominator), "value", None)
    told = {"loss": loss, "unit": given["records.unit"], "per_unit": per_unit, "denominator": units}
    terms = read_as(PhraseTerms, told)
    say(
        f"A phrase comes out if its noisy count is above {terms.threshold:,}: with a chance of at least 95 % where\n"
        f"{terms.reliably_shown:,} or more {terms.unit}s count for it. The noise has the scale {terms.scale:.3g}.\n"
        f"Of one that comes out it is said that at least its noisy count less {terms.below:,} {terms.unit}s have it.\n"
        f"Each {terms.unit} counts for at most {per_unit} of its phrases; with more, the threshold grows."
    )
