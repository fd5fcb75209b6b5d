"""Maps that are kept: the same as a fresh fit, told from any other, and never in the way."""

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

import dpspin
from dpspin.boundary.atoms import Atom
from dpspin.curator.assign import fit_cache, recipes
from dpspin.curator.assign.fit_cache import cache_folder, kept_or_fitted
from dpspin.curator.assign.recipes import MapKind, Recipe, fit_by_recipe
from dpspin.errors import RequestError
from restaurant_dictionary import UNIVERSE, exclusive_texts, restaurant

CUES = Recipe(MapKind.CUES)
TEXTS = pa.array(["We waited an hour, and the soup was cold.", "", None, "Der Kellner war unfreundlich.", "ok"])


class Fits:
    """A fit that counts how often it is made."""

    def __init__(self, recipe=CUES, universe=UNIVERSE):
        self.recipe, self.universe, self.made = recipe, universe, 0

    def __call__(self):
        self.made += 1
        return recipes._fit(self.recipe, self.universe, None)

    def asked(self):
        return kept_or_fitted(self.universe, [self.recipe.kind, self.recipe.atoms_per_record], self)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("DPSPIN_CACHE", str(tmp_path / "maps"))
    recipes._fit_on_dictionary.cache_clear()
    return tmp_path / "maps"


def one(folder):
    [kept] = folder.iterdir()
    return kept


@pytest.mark.parametrize("kind", [MapKind.HYBRID, MapKind.CUES, MapKind.PAPER])
@pytest.mark.parametrize("most", [None, 1])
def test_a_kept_map_is_the_fitted_one_to_the_bit(folder, kind, most):
    fits = Fits(Recipe(kind, most))
    fresh, kept = fits.asked(), fits.asked()
    assert fits.made == 1
    assert kept.statement == fresh.statement
    for part in ("offsets", "atoms", "ticks"):
        assert getattr(kept(TEXTS), part).tolist() == getattr(fresh(TEXTS), part).tolist()


def test_only_its_owner_reads_it(folder):
    Fits().asked()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(one(folder).stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[: len(content) // 2],
        lambda content: content[:-1],
        lambda content: b"not a map",
        lambda content: content[:400] + bytes([content[400] ^ 1]) + content[401:],
    ],
)
def test_a_damaged_file_is_fitted_anew_and_replaced(folder, damage):
    fits = Fits()
    fresh = fits.asked()
    kept = one(folder)
    whole = kept.read_bytes()
    kept.write_bytes(damage(whole))
    assert fits.asked().statement == fresh.statement
    assert (fits.made, kept.read_bytes()) == (2, whole)


def test_a_map_under_another_ones_name_is_not_used(folder):
    narrow, wide = Fits(Recipe(MapKind.CUES, 1)), Fits()
    narrow.asked()
    kept = one(folder)
    wide.asked()
    [other] = set(folder.iterdir()) - {kept}
    shutil.copy(other, kept)
    assert narrow.asked().statement.atoms_per_record == 1
    assert narrow.made == 2


@pytest.mark.parametrize("place", ["file", "folder"])
@pytest.mark.parametrize("mode", [0o020, 0o002])
def test_what_others_may_write_is_not_read(folder, place, mode):
    fits = Fits()
    fits.asked()
    path = folder if place == "folder" else one(folder)
    path.chmod(path.stat().st_mode | mode)
    fits.asked()
    assert fits.made == 2


def test_what_another_user_owns_is_neither_read_nor_written(folder, monkeypatch):
    fits = Fits()
    fits.asked()
    before = one(folder).stat().st_mtime_ns
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    fits.asked()
    assert (fits.made, one(folder).stat().st_mtime_ns) == (2, before)


def test_a_link_is_not_followed(folder, tmp_path):
    fits = Fits()
    fits.asked()
    kept = one(folder)
    kept.rename(tmp_path / "elsewhere")
    kept.symlink_to(tmp_path / "elsewhere")
    fits.asked()
    assert fits.made == 2
    assert not kept.is_symlink()


def test_a_disk_that_cannot_be_written_is_no_error(folder, tmp_path, monkeypatch):
    (tmp_path / "a file").write_text("")
    monkeypatch.setenv("DPSPIN_CACHE", str(tmp_path / "a file" / "maps"))
    assert Fits().asked().statement.name == "cues"

    def full(*_args):
        raise OSError(28, "No space left on device")

    monkeypatch.setenv("DPSPIN_CACHE", str(folder))
    monkeypatch.setattr(fit_cache, "save_map", full)
    assert Fits().asked().statement.name == "cues"
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("changed", ["dpspin 9", "numpy 9"])
def test_other_software_fits_its_own(folder, monkeypatch, changed):
    fits = Fits()
    fits.asked()
    monkeypatch.setattr(fit_cache, "deciding_versions", lambda: (changed,))
    fits.asked()
    assert (fits.made, len(list(folder.iterdir()))) == (2, 2)


def test_another_dictionary_or_recipe_has_another_name(folder):
    for kind, most, languages in [(MapKind.CUES, None, None), (MapKind.CUES, 1, None), (MapKind.CUES, None, ("de",))]:
        fit_by_recipe(Recipe(kind, most, None, languages), UNIVERSE, None)
    fit_by_recipe(Recipe(MapKind.CUES), restaurant(version="2"), None)
    assert len(list(folder.iterdir())) == 4


def test_the_oldest_go(folder, monkeypatch):
    monkeypatch.setattr(fit_cache, "MOST_KEPT", 2)
    for number in range(3):
        Fits(universe=restaurant(version=str(number))).asked()
        os.utime(max(folder.iterdir(), key=lambda path: path.stat().st_mtime_ns), ns=(number, number))
    assert len(list(folder.iterdir())) == 2


def test_it_can_be_put_elsewhere_or_switched_off(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("DPSPIN_CACHE")
    assert cache_folder() == tmp_path / "dpspin"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder() == Path.home() / ".cache" / "dpspin"
    monkeypatch.setenv("DPSPIN_CACHE", "off")
    assert cache_folder() is None
    fits = Fits()
    fits.asked()
    fits.asked()
    assert fits.made == 2


def test_nothing_of_records_or_auxiliary_text_is_in_it(folder, tmp_path, monkeypatch):
    """Whatever the records: the same name and the same bytes. Labelled text leaves no file at all."""
    bare = restaurant((Atom(id=1, label="long wait"), Atom(id=2, label="cold food")), background=())
    contents = []
    for place, texts in (("a", ["CANARY-7 we had a long wait"] * 60), ("b", ["cold food", "fine"] * 40)):
        monkeypatch.setenv("DPSPIN_CACHE", str(folder / place))
        recipes._fit_on_dictionary.cache_clear()
        account = {"dataset": place, "ledger": tmp_path / f"{place}.db", "epsilon": 1.0, "denominator": 100}
        dpspin.release(pa.table({"text": texts}), text="text", atoms=bare, unit=dpspin.RecordUnit(), **account)
        kept = one(folder / place)
        contents.append((kept.name, kept.read_bytes()))
    assert contents[0] == contents[1]
    labelled = exclusive_texts()
    monkeypatch.setenv("DPSPIN_CACHE", str(folder / "none"))
    labels = [UNIVERSE.atoms[min(atoms)].label if atoms else "" for atoms in labelled.atoms]
    auxiliary = dpspin.Auxiliary(pa.table({"text": list(labelled.texts), "label": labels}), text="text", label="label")
    dpspin.fit_map(UNIVERSE, auxiliary=auxiliary)
    with pytest.raises(RequestError):
        fit_by_recipe(Recipe(MapKind.TAUGHT), UNIVERSE, None)
    assert not (folder / "none").exists()


def test_two_processes_at_once_are_fine(folder):
    program = (
        "from restaurant_dictionary import UNIVERSE; from dpspin import fit_map; "
        "print(fit_map(UNIVERSE).statement.digest)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", program]
    running = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    digests = {process.communicate()[0] for process in running}
    assert len(digests) == 1
    assert one(folder).suffix == ".map"
