"""One run, in the paper's field names: it is made by its configuration and its prepared records alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, Self

import yaml
from pydantic import Field, model_validator

from dpspin.boundary.mechanisms import AnyMechanism
from dpspin.boundary.mechanisms.gaussian import Gaussian
from dpspin.boundary.mechanisms.laplace import Laplace
from dpspin.boundary.mechanisms.private_top_l import Accounting, PrivateTopL, Shares, ValueNoise
from dpspin.boundary.mechanisms.set_em import SetSelection
from dpspin.boundary.model_base import GrownModel, explained_as
from dpspin.boundary.planner import Auto
from dpspin.boundary.privacy import Adjacency, PrivacyLoss, RecordUnit, UserUnit
from dpspin.boundary.request_terms import MOST_UNITS
from dpspin.boundary.safe_files import read_plain_text
from dpspin.boundary.strict_yaml import YamlMistake, parse_yaml
from dpspin.errors import InputError
from dpspin_lab.not_private import RANDOMNESS

NOTICE: Final = f"# {RANDOMNESS}: an experiment of the lab on public or generated records.\n"
_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)  # the compiled one where it is built: a grid writes thousands
Unit = Literal["record", "user"]
Backend = Literal["none", "template", "claims", "llm"]
Contract = Literal["legacy_text", "audit_text", "structured_claims"]
EmbedderName = Literal["none", "static", "minilm"]
SplitName = Literal["hash", "time"]
DictionaryName = Literal["built", "supported", "written", "published"]
MapName = Literal["ngram", "hybrid", "names"]

OF_A_MODEL: Final = ("decoder_model", "decoder_temperature", "decoder_seed", "decoder_attempts", "decoder_max_tokens")
OF_A_WRITER: Final = ("decoder_backend", "decoder_contract_mode", *OF_A_MODEL)  # texts of two are never pooled
WRITTEN_BY_A_MODEL: Final = frozenset(("claims", "llm"))


class MechanismName(StrEnum):
    """How a plan comes about. The first three are the paper's and have its names.

    ``private_topL_tight`` is the paper's admission with the monotone exponent and joint zCDP accounting; ``set_em``
    admits a whole set in one draw; ``auto`` lets public numbers choose; ``laplace_eb`` reads the Laplace sketch beside
    the auxiliary shares (empirical Bayes, free); ``public_only`` lists the auxiliary top L and never asks the records.
    """

    LAPLACE = "laplace"
    GAUSSIAN = "gaussian"
    PRIVATE_TOP_L = "private_topL"
    TIGHT_TOP_L = "private_topL_tight"
    SET_EM = "set_em"
    AUTO = "auto"
    LAPLACE_EB = "laplace_eb"
    PUBLIC_ONLY = "public_only"


PAPERS: Final = (MechanismName.LAPLACE, MechanismName.GAUSSIAN, MechanismName.PRIVATE_TOP_L)
WITHOUT_WORDS: Final = frozenset((MechanismName.LAPLACE_EB, MechanismName.PUBLIC_ONLY))

TITLES: Final = {
    MechanismName.LAPLACE: "Laplace sketch + top-L",
    MechanismName.GAUSSIAN: "Gaussian sketch + top-L",
    MechanismName.PRIVATE_TOP_L: "Private top-L admission + Gaussian values",
    MechanismName.TIGHT_TOP_L: "Private top-L, tight accounting",
    MechanismName.SET_EM: "Set selection + Laplace values",
    MechanismName.AUTO: "Chosen by the planner",
    MechanismName.LAPLACE_EB: "Laplace sketch + empirical Bayes",
    MechanismName.PUBLIC_ONLY: "Public-only plan (no records)",
}


def mechanism_of(
    name: MechanismName, rho: float, values: ValueNoise = ValueNoise.GAUSSIAN, shares: tuple[float, ...] | None = None
) -> AnyMechanism | Auto | None:
    """Return what is asked of Stage II; None where nothing is asked.

    ``values`` is the noise on what was admitted, ``shares`` what each round of the admission pays of its part.

    >>> mechanism_of(MechanismName.PRIVATE_TOP_L, rho=0.5).value_fraction
    0.5
    """
    asked: dict[MechanismName, AnyMechanism | Auto | None] = {
        MechanismName.LAPLACE: Laplace(),
        MechanismName.GAUSSIAN: Gaussian(),
        MechanismName.PRIVATE_TOP_L: PrivateTopL(value_fraction=rho, value_noise=values, selection_shares=shares),
        MechanismName.TIGHT_TOP_L: PrivateTopL(value_fraction=rho, monotone=True, accounting=Accounting.ZCDP),
        MechanismName.SET_EM: SetSelection(value_fraction=rho),
        MechanismName.AUTO: Auto(),
        MechanismName.LAPLACE_EB: Laplace(),
        MechanismName.PUBLIC_ONLY: None,
    }
    return asked[name]


def effective_loss(
    name: MechanismName, epsilon: float, delta: float, values: ValueNoise = ValueNoise.GAUSSIAN
) -> PrivacyLoss | None:
    """Return the paper's (eps_eff, delta_eff): pure mechanisms spend no delta, the public-only plan nothing at all.

    >>> effective_loss(MechanismName.LAPLACE, 1.0, 1e-6)
    PrivacyLoss(epsilon=1.0, delta=0.0)
    """
    if name is MechanismName.PUBLIC_ONLY:
        return None
    pure = {MechanismName.LAPLACE, MechanismName.LAPLACE_EB, MechanismName.SET_EM}
    spends_none = name in pure or values is ValueNoise.LAPLACE
    return PrivacyLoss(epsilon) if spends_none else PrivacyLoss(epsilon, delta)


@dataclass(frozen=True, slots=True)
class Source:
    """Which prepared records a run starts from: of which split, mapped to which atoms, by which map."""

    m: int
    K: int
    probe: bool = False
    split: SplitName = "hash"
    dictionary: DictionaryName = "built"
    assignment_map: MapName = "ngram"


class RunConfig(GrownModel):
    """What the paper's per-run YAML holds. Fields with one possible value state a fact that the paper's key names.

    ``decoder_backend: none`` stops at the plan: no text, no verifier, no text measures. ``llm`` and ``claims`` ask a
    language model, which the run names; where it is served is no part of a run. ``legacy_text`` is the paper's
    contract: what its verifier accepts is taken whole. ``audit_text`` is ours: what is shown reads back, sentence by
    sentence. ``comparison_margin`` is the paper's fixed public one; left out, margins are certified by the noise.
    ``probe_support`` is the paper's s; the base corpus is then fixed, and the seed moves the noise alone.
    ``split``, ``dictionary`` and ``assignment_map`` go beyond the paper, whose choices are the defaults. Dictionaries:
    ``built`` has the m best supported candidates, ``supported`` all with the support that the paper asks of Amazon (m
    is what comes out), ``published`` the labels that the paper printed, ``written`` the same with words of ours.
    """

    later: ClassVar = (*OF_A_MODEL, "selection_shares", "comparison_margin")

    dataset: str = Field(min_length=1)
    protected_unit: Unit = "record"
    n_records: int | None = Field(None, ge=1)
    n_users: int | None = Field(None, ge=1)
    user_id_field: str | None = None
    public_denominator: int = Field(ge=1, le=MOST_UNITS)
    strict_sample_size: bool = True
    m: int = Field(ge=1)
    K: int = Field(3, ge=1)
    L: int = Field(10, ge=1)
    B: float | None = Field(None, gt=0)
    mechanism: MechanismName
    epsilon: float = Field(gt=0)
    delta: float = Field(1e-6, gt=0, lt=1)
    rho: float = Field(0.5, gt=0, lt=1)
    adjacency: Adjacency = Adjacency.ADD_DROP
    gaussian_calibration: Literal["analytic"] = "analytic"
    selected_value_mechanism: ValueNoise = ValueNoise.GAUSSIAN
    selection_shares: Shares = None
    comparison_margin: float | None = Field(None, ge=0, allow_inf_nan=False)
    seed: int = Field(0, ge=0)
    probe_support: int | None = Field(None, ge=0)
    decoder_backend: Backend = "template"
    decoder_contract_mode: Contract = "audit_text"
    clean_reference_decoder_backend: Backend = "template"
    summary_embedding_backend: EmbedderName = "none"
    decoder_model: str | None = Field(None, min_length=1)
    decoder_temperature: float = Field(0.0, ge=0, le=2)
    decoder_seed: int = Field(0, ge=0)
    decoder_attempts: int = Field(3, ge=1)
    decoder_max_tokens: int = Field(300, ge=1)
    split: SplitName = "hash"
    dictionary: DictionaryName = "built"
    assignment_map: MapName = "ngram"

    @model_validator(mode="before")
    @classmethod
    def _denominator_is_the_configured_size(cls, given: Any) -> Any:  # noqa: ANN401  pydantic's own shape
        """Fill in d_public = n_records or n_users, as the paper does: never a number counted from the records."""
        if not isinstance(given, Mapping) or given.get("public_denominator") is not None:
            return given
        size = given.get("n_users") or given.get("n_records")
        if size is None:
            raise ValueError("a run needs n_records or, at user level, n_users")
        return {**given, "public_denominator": size}

    @model_validator(mode="before")
    @classmethod
    def _what_the_decoder_implies(cls, given: Any) -> Any:  # noqa: ANN401  pydantic's own shape
        """Fill in what is left out: the contract of claims, and a reference by the same decoder."""
        if not isinstance(given, Mapping) or "decoder_backend" not in given:
            return given
        writes = given["decoder_backend"]
        contract = {"decoder_contract_mode": "structured_claims"} if writes == "claims" else {}
        return {**contract, "clean_reference_decoder_backend": writes, **given}

    @model_validator(mode="after")
    def _sizes_fit_the_unit(self) -> Self:
        by_user = self.protected_unit == "user"
        if (self.n_users is not None) != by_user or (self.n_records is not None) == by_user:
            raise ValueError("a record-level run has n_records, a user-level run n_users, and neither has both")
        if (self.B is not None) != by_user or (self.user_id_field is not None) != by_user:
            raise ValueError("a user-level run needs B and user_id_field, and a record-level run has neither")
        if self.probe_support is not None and (self.assignment_map != "ngram" or self.dictionary != "built"):
            raise ValueError("the probe is an atom of the built dictionary, and measured with the paper's map")
        return self

    @model_validator(mode="after")
    def _options_fit_the_mechanism(self) -> Self:
        laplace, shares = self.selected_value_mechanism is ValueNoise.LAPLACE, self.selection_shares
        if (laplace or shares is not None) and self.mechanism is not MechanismName.PRIVATE_TOP_L:
            raise ValueError("Laplace noise on selected values, and selection_shares, go with mechanism private_topL")
        if shares is not None and len(shares) != self.L:
            raise ValueError(f"selection_shares names {len(shares)} rounds, and L is {self.L}: name one share for each")
        if shares is not None:
            self.asked()  # whether they add up is checked there: now, before any record is read
        return self

    @model_validator(mode="after")
    def _words_fit_together(self) -> Self:
        writes, compared = self.decoder_backend, self.clean_reference_decoder_backend
        if writes == "none" != compared:
            raise ValueError("without a decoded summary there is nothing to compare with a reference summary")
        if compared not in {"none", writes}:
            raise ValueError(
                "texts of two decoders are not comparable: clean_reference_decoder_backend is the same as "
                "decoder_backend, or none"
            )
        if writes != "none" and self.mechanism in WITHOUT_WORDS:
            raise ValueError(
                "a best guess and a public-only plan are no releases, so no decoder may write about them: "
                "set decoder_backend to none"
            )
        if (writes == "claims") != (self.decoder_contract_mode == "structured_claims"):
            raise ValueError("structured_claims is the contract of the decoder claims, and of no other")
        if not self.asks_a_model and any(getattr(self, name) != _default(name) for name in OF_A_MODEL):
            raise ValueError(f"{', '.join(OF_A_MODEL)} are for runs in which a model writes (llm or claims)")
        if self.asks_a_model and self.decoder_model is None:
            raise ValueError("a run in which a model writes names it: decoder_model")
        return self

    @property
    def asks_a_model(self) -> bool:
        """Whether a language model writes."""
        return self.decoder_backend in WRITTEN_BY_A_MODEL

    @property
    def n(self) -> int:
        """The configured number of protected units."""
        return self.n_users or self.n_records or 0

    @property
    def source(self) -> Source:
        """The prepared records it starts from."""
        probe = self.probe_support is not None
        return Source(self.m, self.K, probe, self.split, self.dictionary, self.assignment_map)

    @property
    def unit(self) -> RecordUnit | UserUnit:
        """Whom the release protects."""
        return RecordUnit() if self.B is None else UserUnit(bound=self.B)

    def asked(self) -> AnyMechanism | Auto | None:
        """Return what the run asks of Stage II."""
        return mechanism_of(self.mechanism, self.rho, self.selected_value_mechanism, self.selection_shares)

    def to_yaml(self) -> str:
        """Return the text of ``config.yaml``."""
        return NOTICE + yaml.dump(self.model_dump(mode="json"), Dumper=_DUMPER, sort_keys=False)


def _default(name: str) -> object:
    return RunConfig.model_fields[name].default


def read_config(path: Path) -> RunConfig:
    """Read a run's YAML file."""
    try:
        content = parse_yaml(read_plain_text(path))
    except (OSError, UnicodeDecodeError, YamlMistake) as error:
        why = "it is no UTF-8 text" if isinstance(error, UnicodeDecodeError) else getattr(error, "strerror", error)
        raise InputError(f"the run {str(path)!r} cannot be read: {why}") from None
    if not isinstance(content, dict):
        raise InputError(
            f"the run {str(path)!r} cannot be read: it is no mapping of fields to values; dpspin lab template prints "
            "one"
        )
    with explained_as(InputError, f"the run in {path.name}"):
        return RunConfig.model_validate(content)
