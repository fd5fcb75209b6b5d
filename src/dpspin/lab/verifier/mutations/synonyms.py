"""Themes that are in no plan: unreleased ones in other words, and invented ones. Public knowledge of language only."""

INVENTED = (
    *("sustainability", "loyalty points", "gift wrapping", "seasonal specials", "data security"),
    *("accessibility", "weekend staffing", "the mobile website", "cultural diversity", "mental well-being"),
)

_SYNONYMS = {
    "restaurants": ("nowhere to leave the car", "hygiene", "blaring background songs", "plant-based dishes"),
    "bank-complaints": ("trouble with a college loan servicer", "scams in wire transfers", "deceptive remittances"),
    "support-tickets": ("vouchers", "repairs covered by guarantee", "prepaid shopping balances"),
    "app-reviews": ("commercials", "use without a connection", "power consumption", "advertising banners"),
    "hospital-survey": ("meals on the ward", "the times for family visits", "catering"),
    "employee-survey": ("wages during illness", "lunch at the workplace", "the cafeteria"),
    "city-services": ("spray paint on walls", "ownerless dogs", "pruning of branches", "vandalism"),
    "assistant-chats": ("cooking instructions", "algebra exercises", "school assignments"),
    "hotel-guests": ("the bath and sauna area", "transfers to the airport", "swimming"),
    "insurance-claims": ("extending a contract", "storm dents", "prolongation of cover"),
    "telecom-disputes": ("poor bandwidth", "ending a subscription", "costs abroad", "sluggish connections"),
    "library-survey": ("closing times", "penalties for overdue books", "quiet study space", "the search portal"),
    "course-evaluation": ("heating in the lecture hall", "compulsory presence", "hot rooms"),
}


def synonyms_of(plan: str) -> tuple[str, ...]:
    """Return other words for themes that this plan of the benchmark does not list.

    >>> synonyms_of("restaurants")[1]
    'hygiene'
    """
    return _SYNONYMS[plan]
