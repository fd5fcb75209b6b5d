"""A small shop's dictionary that lacks two themes, and a list of candidates for them."""

from dpspin.boundary.atoms import Atom, AtomUniverse
from factories import universe_of

LATE = ("The parcel is late.", "My parcel came a week late.", "It arrived far too late.", "Still waiting, it is late.")
CRASH = ("The app crashes.", "It crashes whenever I open it.", "The app crashed again.", "Constant crashes of the app.")
GIFT = (
    "My gift card is refused.",
    "The gift card code fails.",
    "A gift card was empty.",
    "No balance on my gift card.",
)
MUSIC = ("The music is too loud.", "Loud music all night.", "I cannot hear for the music.", "Turn the music down.")
TAX = ("The tax on my bill is wrong.", "You charged tax twice.", "Which tax rate is this?", "Send a tax receipt.")
NOTHING = ("Hello there.", "Have a nice day.", "See you soon.", "All the best.", "Good morning.", "Many greetings.")


def _dictionary(name: str, themes: dict[str, tuple[str, ...]]) -> AtomUniverse:
    atoms = [
        Atom(id=1 + place, label=label, description=f"About {label}.", examples=told)
        for place, (label, told) in enumerate(themes.items())
    ]
    return universe_of(atoms).model_copy(update={"name": name, "background": NOTHING})


SHOP = _dictionary("shop", {"late parcel": LATE, "app crash": CRASH})
OTHERS = _dictionary("others", {"gift card trouble": GIFT, "loud music": MUSIC, "parcel late": LATE[::-1], "tax": TAX})
