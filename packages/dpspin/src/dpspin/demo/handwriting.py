"""How people type: slips of the finger, lost apostrophes, all lower case, or all capitals."""

from dataclasses import dataclass

from dpspin.demo.chance import Chance, pick

KEYBOARD = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
NEIGHBOURS = {
    letter: row[max(0, place - 1) : place] + row[place + 1 : place + 2]
    for row in KEYBOARD
    for place, letter in enumerate(row)
}
SHORTEST_SLIP = 4  # short words are rarely mistyped, and a slip in one often makes another word
SHOUTING = 0.02


@dataclass(frozen=True, slots=True)
class Handwriting:
    """The habits of one customer; ``slips`` is the chance of a slip per word."""

    slips: float
    apostrophes: bool
    lower_case: bool


CAREFUL = Handwriting(slips=0.0, apostrophes=True, lower_case=False)
HASTY = Handwriting(slips=0.03, apostrophes=True, lower_case=False)
SLOPPY = Handwriting(slips=0.05, apostrophes=False, lower_case=False)
THUMBS = Handwriting(slips=0.03, apostrophes=False, lower_case=True)
HABITS = (CAREFUL,) * 11 + (HASTY,) * 5 + (SLOPPY,) * 2 + (THUMBS,) * 2


def handwritten(text: str, habit: Handwriting, chance: Chance) -> str:
    """Return the text as that customer would have typed it.

    >>> from dpspin.demo.chance import chance_of
    >>> handwritten("It doesn't work.", THUMBS, chance_of(1))
    'it doesnt work'
    """
    if habit.slips:
        text = " ".join(_slip(word, chance) if chance.random() < habit.slips else word for word in text.split(" "))
    if not habit.apostrophes:
        text = text.replace("'", "")
    if habit.lower_case:
        return text.lower().rstrip(".")
    return text.upper() if chance.random() < SHOUTING else text


def _slip(word: str, chance: Chance) -> str:
    if len(word) < SHORTEST_SLIP or not word.isalpha():
        return word
    place = 1 + int(chance.random() * (len(word) - 2))  # first letters are seldom wrong
    before, letter, after = word[:place], word[place], word[place + 1 :]
    return pick(
        (
            before + after,
            before + letter + letter + after,
            before + after[0] + letter + after[1:],
            before + pick(NEIGHBOURS.get(letter, letter), chance) + after,
        ),
        chance,
    )
