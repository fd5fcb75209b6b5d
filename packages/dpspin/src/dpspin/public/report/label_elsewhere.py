"""The privacy label in the words of others: NIST SP 800-226, and the public registry of deployments.

Each part is filled as far as the plan tells. What only the curator can tell is named, and so is what the others have no
field for: nothing is guessed. The components are those of figure 1 in the initial public draft (December 2023), the
fields those of the registry's schema as of September 2026.
"""

import json
import re
from typing import Any, Final

from dpspin.boundary.denominator import FreeTotal
from dpspin.boundary.model_base import digest_of
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.privacy import Adjacency
from dpspin.errors import RequestError
from dpspin.public.report.label import PrivacyLabel, privacy_label
from dpspin.public.wording.promise import spent_words, views_words

NIST: Final = "NIST SP 800-226, figure 1 (initial public draft, December 2023)"
REGISTRY: Final = "Differential Privacy Deployments Registry of OpenDP, schema of September 2026"
ONLY_THE_CURATOR: Final = "only the curator can tell"
LEFT_TO_THE_CURATOR: Final = (
    *("url_slug", "basic.data_curators.data_curator_type", "basic.intended_use", "basic.data_product_region"),
    *("basic.data_product_sector", "implementation.justification", "administrative.evidence_sources"),
    "administrative.registry_authors",
)
WITHOUT_COUNTERPART: Final = ("uncovered", "not_read", "denominator", "baseline", "separation", "account.head")
CENTRAL: Final = (
    "Central: the curator reads the records. The plan crosses to everybody else, and nothing besides it; whoever reads "
    "it may know anything else."
)
AFTERWARDS: Final = (
    "Ranks, bins, shares, certified intervals and every sentence follow from the noisy numbers and public rules; they "
    "cost nothing."
)
NOISE: Final = (
    "Sums are whole numbers, and noise is drawn by the exact integer samplers of OpenDP, so no rounding of "
    "floating-point numbers enters the guarantee."
)


def label_elsewhere(plan: SemanticPlan) -> str:
    """Return the label as others ask for it, as JSON; equal plans give equal text."""
    if not plan.is_private:
        raise RequestError("the numbers of this plan are simulated: there is no guarantee that a label could state")
    label = privacy_label(plan)
    entry, left = _registry(plan, label)
    told = {
        "nist_sp_800_226": {"source": NIST, "components": _nist(plan, label)},
        "deployments_registry": {"source": REGISTRY, "entry": entry, "left_to_the_curator": left},
        "without_counterpart": list(WITHOUT_COUNTERPART),
    }
    return json.dumps(told, indent=2, ensure_ascii=False) + "\n"


def _nist(plan: SemanticPlan, label: PrivacyLabel) -> dict[str, Any]:
    """Fill the components of the pyramid, from its top down."""
    return {
        "epsilon": {"epsilon": label.epsilon, "delta": label.delta, "meaning": label.headline},
        "unit_of_privacy": {"unit": label.unit, "neighbouring_datasets": label.adjacency},
        "algorithms_and_correctness": {"mechanism": label.mechanism, "randomness": label.randomness, "noise": NOISE},
        "utility": {"measured": label.quantity, "noise": label.noise_std.model_dump(), "sentences": _of_noise(label)},
        "bias": {
            "map": f"{label.map_name}, fitted on {label.map_fitted_on}",
            "precision": label.map_precision,
            "recall": label.map_recall,
            "open": f"how records were chosen, and whose voices they leave out: {ONLY_THE_CURATOR}",
        },
        "query_model": "not interactive: one plan is released, and questions are answered from it alone",
        "threat_model": " ".join(filter(None, (CENTRAL, label.map_trusts))),
        "side_channels": (
            "published files bear the day and no time; how long the work took, and what the machine shows to others "
            f"who use it: {ONLY_THE_CURATOR}"
        ),
        "security": ONLY_THE_CURATOR,
        "access_control": " ".join((f"to the records: {ONLY_THE_CURATOR}.", *spent_words(plan.account))),
        "data_collection_exposure": ONLY_THE_CURATOR,
    }


def _of_noise(label: PrivacyLabel) -> list[str]:
    return [each for each in label.sentences if each.startswith(("Before the noise", "The noise on each"))]


def _registry(plan: SemanticPlan, label: PrivacyLabel) -> tuple[dict[str, Any], list[str]]:
    """Fill an entry of the registry; return with it the fields that its author must add."""
    parts = {
        "basic": _basic(plan),
        "dp_variant": _variant(plan, label),
        "privacy_loss": _privacy_loss(plan, label),
        "deployment_model": _model(plan, label),
        "implementation": _implementation(plan, label),
        "administrative": {"status": "Draft", "tier": 3},
    }
    known = {name: {key: value for key, value in part.items() if value} for name, part in parts.items()}
    unknown = [f"{name}.{key}" for name, part in parts.items() for key, value in part.items() if not value]
    return {"deployment": known}, [*unknown, *LEFT_TO_THE_CURATOR]


def _basic(plan: SemanticPlan) -> dict[str, Any]:
    about = plan.about
    parts = (f"Themes of text records, by the dictionary {plan.dictionary.name!r}", about.period, about.source)
    is_a_day = re.fullmatch(r"\d{4}-\d{2}-\d{2}", about.date)
    return {
        "name": plan.title.strip() or plan.dictionary.name,
        "data_curators": [{"data_curator_name": about.owner}] if about.owner else None,
        "description": "; ".join(filter(None, parts)),
        "data_product_type": "Summary statistics",
        "publication_date": about.date if is_a_day else None,
    }


def _variant(plan: SemanticPlan, label: PrivacyLabel) -> dict[str, Any]:
    kind = plan.statement.unit.kind
    number = f"; the number of {kind}s is not hidden" if plan.statement.adjacency is Adjacency.REPLACE else ""
    return {
        "variant_name": "Approximate DP" if label.delta else "Pure DP",
        "data_domain": f"collections of text records; measured: {label.sampling}",
        "unprotected_quantities": (
            "nothing that was computed from the records. Title, period, source, owner and date are declared by the "
            f"curator, the dictionary is public{number}"
        ),
    }


def _privacy_loss(plan: SemanticPlan, label: PrivacyLabel) -> dict[str, Any]:
    counted = plan.has_shares and not isinstance(plan.denominator, FreeTotal)
    delta = {"delta": label.delta} if label.delta else {}
    return {
        "privacy_unit": f"{plan.statement.unit.kind}-level".capitalize(),
        "privacy_unit_details": f"{label.unit}. Adjacent: {label.adjacency}",
        "number_of_privacy_units": round(plan.denominator.value) if counted else None,
        "privacy_parameters": {"epsilon": label.epsilon, **delta},
        "privacy_parameters_details": label.headline,
    }


def _model(plan: SemanticPlan, label: PrivacyLabel) -> dict[str, Any]:
    many = plan.statement.series is not None
    return {
        "model_name": "Central",
        "trust_assumptions": " ".join(filter(None, (CENTRAL, label.map_trusts))),
        "release_type": "Many releases" if many else "One release",
        "release_type_details": " ".join(spent_words(plan.account)),
        "data_source_type": "Dynamic" if many else None,
        "access_type": "Non-interactive",
    }


def _implementation(plan: SemanticPlan, label: PrivacyLabel) -> dict[str, Any]:
    return {
        "preprocessing_and_hyperparameter_tuning": (
            f"Text behind the map: {label.map_text_words}. Text behind the dictionary: {label.dictionary_text_words}."
        ),
        "mechanisms": f"{label.mechanism}. Randomness: {label.randomness}. {NOISE}",
        "composition": " ".join((*views_words(plan.statement), *spent_words(plan.account))),
        "post_processing": AFTERWARDS,
        "utility": " ".join(_of_noise(label)),
        "additional_information": f"made by {plan.software}; plan {digest_of(plan.model_dump(mode='json'))}",
    }
