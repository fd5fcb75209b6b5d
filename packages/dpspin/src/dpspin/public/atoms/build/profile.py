"""Domain profiles: which phrases belong to a field, and under which label they are counted. Data, not code."""

from collections.abc import Iterable
from functools import cached_property
from importlib.resources import files
from pathlib import Path

from pydantic import Field

from dpspin.boundary.atoms import Line
from dpspin.boundary.model_base import FrozenModel, digest_of, explained_as
from dpspin.boundary.safe_files import read_plain_text
from dpspin.boundary.strict_yaml import YamlMistake, parse_yaml
from dpspin.errors import DictionaryError, RequestError
from dpspin.public.atoms.build.phrase_keys import Key, canonical, key_of

_PROFILES = files("dpspin.public.atoms.build") / "profiles"
_SUFFIX = ".yaml"
GENERIC = "generic"  # the profile of those who have none


class Topic(FrozenModel):
    """What a field speaks about: a phrase joins a word that names the topic to one that says something of it."""

    about: tuple[Line, ...] = Field(min_length=1)
    says: tuple[Line, ...] = Field(min_length=1)

    @cached_property
    def _families(self) -> tuple[frozenset[str], frozenset[str]]:
        return frozenset(map(canonical, self.about)), frozenset(map(canonical, self.says))

    def holds(self, key: Key) -> bool:
        """Tell whether the phrase speaks of this topic.

        >>> Topic(about=("hair",), says=("dry", "growth")).holds(key_of(["dry", "hair"]))
        True
        """
        about, says = self._families
        return any(word in about and says.issuperset(other for other in key if other != word) for word in key)


class Profile(FrozenModel):
    """The rules of one field.

    A phrase that is listed under ``labels`` is a theme by decision: no filter drops it, and it counts for its label.
    Without ``topics`` the field is open, as in the profile ``generic``: no phrase is outside it.
    """

    name: Line
    domain: Line
    min_support: int = Field(ge=1, le=2**53)
    topics: dict[Line, Topic] = Field(default_factory=dict)
    generic: tuple[Line, ...] = ()  # words of the field that say too little, beyond the general ones
    labels: dict[Line, tuple[Line, ...]] = Field(default_factory=dict)

    @cached_property
    def digest(self) -> str:
        """Identify the rules by content."""
        return digest_of(self.model_dump(mode="json"))

    @cached_property
    def label_of(self) -> dict[Key, str]:
        """The label of every phrase that the profile names, the label's own words included."""
        return {key_of(said.split()): label for label, forms in self.labels.items() for said in (label, *forms)}

    @cached_property
    def generic_words(self) -> frozenset[str]:
        """The families of the field's own generic words."""
        return frozenset(map(canonical, self.generic))

    @property
    def is_open(self) -> bool:
        """Whether no topics border the field."""
        return not self.topics

    def topic_of(self, keys: Iterable[Key]) -> str | None:
        """Return the first topic that one of the phrases speaks of; None outside the domain."""
        return next((name for key in keys for name, topic in self.topics.items() if topic.holds(key)), None)


def profile_names() -> list[str]:
    """Return the names of the ready profiles."""
    return sorted(entry.name.removesuffix(_SUFFIX) for entry in _PROFILES.iterdir() if entry.name.endswith(_SUFFIX))


def read_profile(name_or_path: str) -> Profile:
    """Load a ready profile by name, or one from a YAML file."""
    if name_or_path in profile_names():
        return _parsed((_PROFILES / f"{name_or_path}{_SUFFIX}").read_text(encoding="utf-8"), name_or_path)
    if not Path(name_or_path).is_file():
        raise RequestError(f"a profile is one of {', '.join(profile_names())} or a YAML file, not {name_or_path!r}")
    try:
        return _parsed(read_plain_text(name_or_path), name_or_path)
    except OSError as error:
        raise RequestError(f"the profile {name_or_path!r} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RequestError(f"the profile {name_or_path!r} is not UTF-8 text; save it as UTF-8") from None


def _parsed(text: str, origin: str) -> Profile:
    try:
        content = parse_yaml(text)
    except YamlMistake as mistake:
        raise DictionaryError(f"the profile {origin!r}, {mistake}") from None
    with explained_as(DictionaryError, f"the profile {origin!r}"):
        profile = Profile.model_validate(content)
    _require_one_label_each(profile)
    return profile


def _require_one_label_each(profile: Profile) -> None:
    """Refuse a phrase that counts for two labels: one of them would lose it in silence."""
    labels: dict[Key, str] = {}
    for label, forms in profile.labels.items():
        for said in (label, *forms):
            if labels.setdefault(key_of(said.split()), label) != label:
                raise DictionaryError(f"the profile {profile.name!r} counts {said!r} for two labels; keep one")
