"""``dpspin preview``: what a budget buys, before anything is spent. No private file is opened."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpspin.cli import flags
from dpspin.cli.terminal import fitting_words, reading, say, working
from dpspin.errors import InputError, RequestError

if TYPE_CHECKING:
    from dpspin.boundary.atoms import AtomUniverse
    from dpspin.boundary.facets import CandidateFacet
    from dpspin.boundary.request_terms import Protection
    from dpspin.curator.assign.chosen_map import Fitting
    from dpspin.curator.assign.contribution import ContributionMap
    from dpspin.curator.records.auxiliary import Auxiliary
    from dpspin.curator.records.corpus import ProtectedCorpus
    from dpspin.public.preview.forecast import Forecast
    from dpspin.public.preview.public_inputs import PublicInputs
    from dpspin.public.preview.reading_forecast import ReadingForecast
    from dpspin.public.preview.rehearsed import Rehearsal

AUXILIARY = ("source", "text", "user", "label")
PAPER, HYBRID, LLM = "paper", "hybrid", "llm"


@flags.takes(
    *("atoms", "records.unit", "denominator", "loss.epsilon", "loss.delta", "records.unit.bound", "mechanism"),
    *("mechanism.value_fraction", "mechanism.monotone", "mechanism.accounting"),
    *("mechanism.value_noise", "mechanism.selection_shares"),
    *("records.quantity", "records.quantity.most_atoms", "records.sampling", "records.adjacency", "size", "beta"),
    *flags.OF_VIEWS,
    *("records.map", "records.auxiliary.source", "records.auxiliary.text", "records.auxiliary.user"),
    "records.auxiliary.label",
    required=("atoms", "records.unit", "denominator"),
)
def preview(
    given: dict[str, Any],
    count_share: Annotated[
        float | None,
        typer.Option(
            "--count-share", help="The part of epsilon that buys a noisy count; --denominator is then a guess at it."
        ),
    ] = None,
    see: Annotated[
        float | None,
        typer.Option("--see", help="A support, e.g. 0.01: say which epsilon lets one see such a theme reliably."),
    ] = None,
    picture: Annotated[
        Path | None, typer.Option("--picture", help="With --epsilon: draw the chances to this SVG file.")
    ] = None,
    read: Annotated[
        int | None,
        typer.Option(
            "--read",
            min=1,
            help="With --epsilon: what it buys to read a secret sample of about so many (dpspin sample).",
        ),
    ] = None,
    of: Annotated[
        int | None,
        typer.Option("--of", min=2, help="With --read: about how many there are (default: --denominator)."),
    ] = None,
    agreement: Annotated[
        float, typer.Option("--agreement", help="With --read: the share of mass that the map puts where a reader does.")
    ] = 0.7,
    as_json: flags.JsonOption = False,
) -> None:
    """Forecast a release from public inputs alone: noise, chances, gaps, mechanisms, and what each choice costs.

    Without --epsilon several are compared. With auxiliary text (--aux: public or separate records, NEVER the protected
    ones) the release is also rehearsed on it: what clipping takes, which themes would be listed.
    """
    from dpspin.boundary.privacy import EVERYONE, MASS, PrivacyLoss
    from dpspin.boundary.request_terms import placed, read_as
    from dpspin.public.atoms.packs import load_named
    from dpspin.public.preview.forecast import EPSILONS, forecast
    from dpspin.public.preview.public_inputs import PreviewRequest
    from dpspin.public.preview.reading_forecast import forecast_reading

    auxiliary = aux_options({name: given.pop(f"records.auxiliary.{name}", None) for name in AUXILIARY})
    chosen = MapOptions(given.pop("records.map", HYBRID))
    epsilon = given.pop("loss.epsilon", None)
    if epsilon is None and (picture or auxiliary or read):
        raise RequestError("--picture, --aux and --read show one release: say at which epsilon (--epsilon)")
    if of is not None and read is None:
        raise RequestError("--of goes with --read, which says how many are read")
    universe = load_named(given.pop("atoms"))
    asked = read_as(PreviewRequest, placed({**given, "loss.epsilon": EPSILONS[0] if epsilon is None else epsilon}))
    if auxiliary and (asked.records.quantity != MASS or asked.records.sampling != EVERYONE or count_share is not None):
        raise RequestError(
            "a rehearsal on auxiliary text is of masses, of everyone and without a count: leave --aux out"
        )
    views = asked.records.views_with((*asked.records.example_facets(universe), *_candidates(asked.records)))
    if views and (auxiliary or read):
        raise RequestError("views are rehearsed on no text and read in no sample: leave them out, or --aux and --read")
    if count_share is not None and not 0 < count_share < 1:
        raise RequestError(f"--count-share is the part of epsilon for the count, between 0 and 1, not {count_share}")
    forecasts = tuple(
        forecast(
            asked.records.unit,
            asked.records.adjacency,
            PrivacyLoss(each, asked.loss.delta),
            asked.mechanism,
            atoms=universe.size,
            size=asked.size_of(universe.size),
            denominator=asked.denominator.value,
            beta=asked.beta,
            besides=chosen.besides(universe),
            quantity=asked.records.quantity,
            sampling=asked.records.sampling,
            views=views,
            count_share=count_share,
            see=see,
        )
        for each in (EPSILONS if epsilon is None else (asked.loss.epsilon,))
    )
    if picture is not None:
        _draw(forecasts[0], picture)
    rehearsal = auxiliary.rehearsal(chosen, universe, forecasts[0].request) if auxiliary else None
    sample = (
        None if read is None else forecast_reading(forecasts[0].request, read, of or asked.denominator.value, agreement)
    )
    if as_json:
        answers = [_as_data(each, rehearsal, sample) for each in forecasts]
        say(flags.in_options(json.dumps(answers if epsilon is None else answers[0], indent=2)))
    else:
        say(flags.in_options(_as_text(forecasts, rehearsal, sample)))


def _as_data(
    forecast: "Forecast", rehearsal: "Rehearsal | None", sample: "ReadingForecast | None"
) -> dict[str, object]:
    rehearsed = {} if rehearsal is None else {"rehearsal": rehearsal.model_dump(mode="json", exclude={"request"})}
    sampled = {} if sample is None else {"reading": sample.model_dump(mode="json")}
    return forecast.model_dump(mode="json") | rehearsed | sampled


def _as_text(forecasts: "tuple[Forecast, ...]", rehearsal: "Rehearsal | None", sample: "ReadingForecast | None") -> str:
    from dpspin.public.preview.reading_forecast import render_reading
    from dpspin.public.preview.rehearsed import render_rehearsal
    from dpspin.public.preview.render import render_forecast, render_forecast_table

    told = [render_forecast(forecasts[0]) if len(forecasts) == 1 else render_forecast_table(forecasts)]
    told += [] if sample is None else [render_reading(sample, forecasts[0].request.unit.kind)]
    told += [] if rehearsal is None else [render_rehearsal(rehearsal)]
    return "\n".join(told)


def _candidates(asked: "Protection") -> "tuple[CandidateFacet, ...]":
    """Return the candidates that are asked for, whose number decides the forecast; no map is fitted."""
    from dpspin.boundary.facets import CandidateFacet
    from dpspin.public.atoms.candidates import candidates_in

    themes = candidates_in(asked.candidates)
    names = () if themes is None else tuple(atom.label for atom in themes.atoms)
    return (CandidateFacet(names=names, dictionary="", contribution_map=""),) if names else ()


def _draw(forecast: "Forecast", path: Path) -> None:
    from dpspin.public.preview.picture import picture

    try:
        path.write_text(picture(forecast), encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {str(path)!r}: {error.strerror}; change --picture") from None


@dataclass(frozen=True, slots=True)
class MapOptions:
    """The map that the release would use; the auxiliary text that it would learn from, if any."""

    name: str

    def besides(self, atoms: "AtomUniverse") -> int:
        """Count what the map measures besides the atoms: none, and other languages. Nothing is fitted for it."""
        from dpspin.public.preview.public_inputs import besides_usual

        if self.name in {PAPER, HYBRID, LLM}:  # without the curator's code: a preview needs none of it
            return {PAPER: 0, LLM: 1}.get(self.name, besides_usual(atoms))
        from dpspin.curator.assign.chosen_map import SavedMap

        asked = self.asked()
        return asked.fitted(atoms).statement.besides if isinstance(asked.map, SavedMap) else besides_usual(atoms)

    def asked(self, auxiliary: "Auxiliary | None" = None) -> "Fitting":
        """Return the map as a request asks for it."""
        from dpspin.boundary.request_terms import read_as
        from dpspin.curator.assign.chosen_map import Fitting

        return read_as(Fitting, {"map": self.name, "auxiliary": auxiliary})

    @property
    def is_papers(self) -> bool:
        """Whether it is the paper's map, which takes word frequencies from auxiliary text."""
        return self.name == PAPER


@dataclass(frozen=True, slots=True)
class AuxOptions:
    """Where the auxiliary text lies."""

    source: str
    text: str
    user: str | None
    label: str | None

    def rehearsal(self, chosen: MapOptions, atoms: "AtomUniverse", request: "PublicInputs") -> "Rehearsal":
        """Fit the map as the release would, map the text, and rehearse the release on it."""
        from dpspin.rehearse import rehearse

        if chosen.name == LLM:
            raise RequestError("a rehearsal does not ask a language model; choose another --map")
        corpus = self._corpus(request)
        say("Fitting the map, then rehearsing on auxiliary text (never on protected records).", err=True)
        learns = self.label is not None or chosen.is_papers
        fitted = self._fitted(chosen, atoms, learns=learns)
        with reading("mapping auxiliary text") as tell:
            return rehearse(corpus.watched(tell), fitted, atoms, request, learned_from_it=chosen.is_papers)

    def _fitted(self, chosen: MapOptions, atoms: "AtomUniverse", *, learns: bool) -> "ContributionMap":
        from dpspin.curator.records.auxiliary import Auxiliary

        with working(fitting_words(atoms)):
            return chosen.asked(Auxiliary(self.source, self.text, label=self.label) if learns else None).fitted(atoms)

    def _corpus(self, request: "PublicInputs") -> "ProtectedCorpus":
        """Open the text to rehearse on; a user column goes with the user unit. Records without a user are left out."""
        from dpspin.boundary.privacy import MissingUsers, RecordUnit, UserUnit
        from dpspin.curator.records.columns import Columns, RowPolicy
        from dpspin.curator.records.corpus import open_corpus

        if isinstance(request.unit, UserUnit) and self.user is None:
            raise RequestError("users are protected, so name the column with the auxiliary users' ids (--aux-user)")
        if isinstance(request.unit, RecordUnit) and self.user is not None:
            raise RequestError(
                "a user column goes with the user unit: leave --aux-user out, or protect users (--unit user)"
            )
        return open_corpus(self.source, Columns(self.text, self.user), RowPolicy(missing_users=MissingUsers.DROP))


def aux_options(told: Mapping[str, str | None]) -> AuxOptions | None:
    """Read the options on auxiliary text; they go together."""
    source, text = told["source"], told["text"]
    if source is None and any(told.values()):
        raise RequestError("--aux-text, --aux-user and --aux-label describe --aux; name its file as well")
    if source is None:
        return None
    if text is None:
        raise RequestError("name the column with the auxiliary records' words (--aux-text)")
    return AuxOptions(source, text, told["user"], told["label"])
