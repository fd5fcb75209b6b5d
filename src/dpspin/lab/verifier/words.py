"""Numbers in words, as writers spell them."""

_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh")
_HUNDRED, _THOUSAND = 100, 1000


def in_words(number: int) -> str:
    """Spell a number below ten thousand.

    >>> in_words(8), in_words(42), in_words(318), in_words(1204)
    ('eight', 'forty-two', 'three hundred and eighteen', 'one thousand two hundred and four')
    """
    if number < len(_SMALL):
        return _SMALL[number]
    if number < _HUNDRED:
        tens, ones = divmod(number, 10)
        return _TENS[tens] + (f"-{_SMALL[ones]}" if ones else "")
    size, name = (_HUNDRED, "hundred") if number < _THOUSAND else (_THOUSAND, "thousand")
    many, rest = divmod(number, size)
    joint = " and " if rest < _HUNDRED else " "
    return f"{in_words(many)} {name}" + (joint + in_words(rest) if rest else "")


def ordinal(rank: int) -> str:
    """Spell a rank.

    >>> ordinal(2)
    'second'
    """
    return _ORDINALS[rank - 1]
