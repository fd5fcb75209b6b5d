"""Names that a text can speak of: in quotation marks, nothing in a name may end them, hide, or look like another name.

What is refused is refused by the dictionary alone, before a release is paid for. The signs are those that are allowed,
and not those that are known to harm: no list of the latter can be closed.
"""

import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.facets import AnyFacet
from dpspin.boundary.printable import FILLERS, JOINERS
from dpspin.errors import DictionaryError, RequestError

SIGNS: Final = frozenset(" -–—/&+(),.:;!?%#$€£¥@_°*=")
APOSTROPHES: Final = "'’"  # between letters only (or guests' needs): elsewhere they look like quotation marks
# The scripts of everyday writing, as Unicode calls their letters. Others are full of letters that look like these.
SCRIPTS: Final = frozenset(
    {
        *("LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "GEORGIAN", "HEBREW", "ARABIC", "ETHIOPIC", "DEVANAGARI"),
        *("BENGALI", "GURMUKHI", "GUJARATI", "ORIYA", "TAMIL", "TELUGU", "KANNADA", "MALAYALAM", "SINHALA"),
        *("THAI", "LAO", "TIBETAN", "MYANMAR", "KHMER", "HANGUL", "CJK", "HIRAGANA", "KATAKANA", "BOPOMOFO"),
    }
)
WRITTEN_TOGETHER: Final = frozenset(("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"))
REPEATING: Final = "ـๆໆ々ゝゞーヽヾ"  # letters that lengthen or repeat the one before
NOT_EVERYDAY: Final = "\u05f0\u05f1\u05f2\u115f\u1160\u3164\uffa0"  # letters without a shape, or with that of quotes
LAST_LATIN: Final = "\u024f"  # beyond are letters of phonetics, but for those of Vietnamese
VIETNAMESE: Final = ("\u1e00", "\u1eff")
# What letters and digits look like, small and capital ones each by themselves.
LOOKS: Final = str.maketrans(
    "I1|0ıſȷƿАВЕЅІЈКМНОРСТХУҮЗԜҺӀаеѕіјорсухѵԁһԛԝӏкмтвԍΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹανορτυικϲօսոհզցյաՍՏՕ",
    "llloisjpABESlJKMHOPCTXYY3WhlaesijopcyxvdhqwlkmtbgABEZHlKMNOPTYXCavoptuikcounhqgjwUSO",
)
# More letters that look like the first of their group: rare Latin, Greek and Cyrillic ones, then kana, kanji, bopomofo
# and strokes of hangul, which one word may mix.
ALIKE: Final = (
    *("βß", "ÐĐƉ", "kĸƙ", "bЬьƅ", "lƖ", "5Ƽƽ", "2Ƨƨ", "3Ʒз", "6б", "ΛɅ", "εƐ", "ΣƩ", "θΘƟӨө", "nƞη", "fƒ", "FϜ", "pƥ"),
    *("CƇ", "cƈ", "TƬ", "tƫƭ", "yγүƴ", "wω", "xχ", "VѴ", "QԚ", "GԌ", "JͿ", "jϳ", "ÞϷ", "þϸ", "MϺ"),
    *("-一ーㄧ\u1173", "/ノ丿", "l丨\u1175", "T丅ㄒ", "+十", "ニ二", "カ力", "ロ口囗", "ハ八", "エ工", "ト卜", "タ夕"),
    *("チ千", "オ才", "ヒ匕", "ム厶ㄙ", "サ卄", "メ乂ㄨ", "ミ彡", "日曰", "ヘへ", "リり", "くㄑ", "勹ㄅ", "冂ㄇ"),
    *("丂ㄎ", "丩ㄐ", "厂ㄏ", "丫ㄚ", "幺ㄠ"),
)
LOOKS.update({ord(twin): ord(group[0]) for group in ALIKE for twin in group[1:]})
LOOK_LIKE_ONE: Final = (("rn", "m"), ("vv", "w"), ("cl", "d"))
ACCENTS: Final = "\u0300\u0301\u0302\u0303\u0304\u0306\u0308\u030a\u030b\u030c\u0323\u0327\u0328\u0331"


def require_speakable(atoms: AtomUniverse) -> None:
    """Refuse names that no text could tell from each other, or that seem to end a quotation."""
    labels, areas = [atom.label for atom in atoms.atoms], {atom.parent for atom in atoms.atoms if atom.parent}
    for name in (*labels, *areas):
        wrong = not_speakable(name)
        if wrong:
            raise DictionaryError(f"no text can speak of {name!r}, because it holds {wrong}: write it without")
    for names in (labels, sorted(areas)):
        for look in (spelling_of, look_of):
            _require_different(names, look)


def require_speakable_views(facets: Iterable[AnyFacet]) -> None:
    """Refuse names of facets and of their values that no text could tell from each other."""
    for facet in facets:
        for name in (facet.title, *facet.places):
            wrong = not_speakable(name)
            if wrong:
                raise RequestError(
                    f"no text can speak of {name!r}, because it holds {wrong}: write it without",
                    code="request.view-names",
                    field="records.views",
                )
        try:
            _require_different(list(facet.places), look_of)
        except DictionaryError as alike:
            raise RequestError(str(alike), code="request.view-names", field="records.views") from None


def _require_different(names: list[str], look: Callable[[str], str]) -> None:
    seen: dict[str, str] = {}
    for name in names:
        twin = seen.setdefault(look(name), name)
        if twin != name:
            raise DictionaryError(f"the names {twin!r} and {name!r} look alike: rename one of them")


@lru_cache(maxsize=2**14)
def not_speakable(name: str) -> str:
    """Say what a name holds that none may hold; nothing where a text can speak of it.

    >>> not_speakable("Can't pay (24/7)"), not_speakable("لغو سفارش"), not_speakable("ダウンロードの遅さ")
    ('', '', '')
    >>> not_speakable("lost data’ or ‘slow"), not_speakable("dat\u0430"), not_speakable("slow [atom:3]")
    ('an apostrophe that is not between letters', 'a word of two alphabets', "the sign '['")
    """
    name = unicodedata.normalize("NFC", name)
    for place, sign in enumerate(name):
        around = before, after = name[place - 1 : place], name[place + 1 : place + 2]
        if sign in APOSTROPHES and not (before.isalpha() and (after.isalpha() or sign + after == "' ")):
            return "an apostrophe that is not between letters"
        if sign not in SIGNS and sign not in APOSTROPHES and not _is_letter_or_digit(sign, around):
            return f"the sign {sign!r}"
    words = "".join(sign if _script(sign) else " " for sign in name).split()
    return "a word of two alphabets" if any(map(_is_mixed, words)) else ""


def _is_letter_or_digit(sign: str, around: tuple[str, str]) -> bool:
    category = unicodedata.category(sign)
    if sign in JOINERS:
        return all(_category(each) in "LM" and _script(each) != "LATIN" for each in around)
    if category[0] == "M":  # accents and vowels, on a letter of their own script
        own = sign in ACCENTS or _name(sign).split(" ")[0] == _name(around[0] or " ").split(" ")[0]
        return _category(around[0]) in "LM" and own and sign not in FILLERS and "VARIATION" not in _name(sign)
    if category == "Nd":
        return sign.isascii()
    return sign in REPEATING or (category in {"Ll", "Lu", "Lt", "Lo"} and _script(sign) in SCRIPTS)


def _category(sign: str) -> str:
    return unicodedata.category(sign)[0] if sign else "no sign"


@lru_cache(maxsize=2**12)
def _script(sign: str) -> str:
    """Return the alphabet of a letter of everyday writing; nothing for other signs."""
    if not sign.isalpha() or sign in NOT_EVERYDAY or sign in REPEATING:
        return ""
    script = _name(sign).split(" ")[0]
    if script == "LATIN" and sign > LAST_LATIN and not VIETNAMESE[0] <= sign <= VIETNAMESE[1]:
        return ""
    return "" if "CLICK" in _name(sign) else script


def _name(sign: str) -> str:
    return unicodedata.name(sign, "")


def _is_mixed(word: str) -> bool:
    """Tell whether a word has letters of two alphabets; Chinese, Japanese and Korean mix theirs with Latin ones."""
    scripts = set(map(_script, word))
    return len(scripts) > 1 and not (scripts & WRITTEN_TOGETHER and scripts <= {*WRITTEN_TOGETHER, "LATIN"})


def is_right_to_left(name: str) -> bool:
    """Tell whether a name would turn the numbers after it round, unless it is set apart."""
    return any(unicodedata.bidirectional(sign) in ("R", "AL") for sign in name)


def spelling_of(name: str) -> str:
    """Return the letters of a name, whatever their case and width.

    >>> spelling_of("Refund  FINE") == spelling_of("refund fine")
    True
    """
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def look_of(name: str) -> str:
    """Return what a reader sees of a name, whatever signs it is made of.

    >>> look_of("сору") == look_of("copy"), look_of("BilI 0") == look_of("bill O"), look_of("modern")
    (True, True, 'modem')
    >>> look_of("カ二ロ") == look_of("力ニ口"), look_of("カード") == look_of("カ一ド")
    (True, True)
    """
    seen = unicodedata.normalize("NFKD", name).translate(LOOKS).casefold().translate(LOOKS)
    dashed = "".join("-" if sign in "–—" else sign for sign in seen if sign not in JOINERS).replace("’", "'")
    for letters, one in LOOK_LIKE_ONE:
        dashed = dashed.replace(letters, one)
    return " ".join(dashed.split()).rstrip(".,;:")
