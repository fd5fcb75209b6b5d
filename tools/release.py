"""Build both distributions into a folder and show that they work: ``make release``.

Nothing is uploaded and no tag is made; CONTRIBUTING.md says what a person does with the files.
"""

import argparse
import hashlib
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

from packaging.metadata import Metadata

ROOT = Path(__file__).parents[1]
PACKAGES = ("dpspin", "dpspin-lab")
UV = Path(sys.executable).with_name("uv")
OF_THE_LAB = re.compile(r"dpspin_lab|/(datasets|baselines|judge|verifier|runs|studies|results)/")
Ran = tuple[int, str]
USAGE = 2


class NotReady(Exception):
    """What was built, or is about to be, is not fit for a release."""


def run(*command: object, **options: object) -> Ran:
    """Run a program; return its exit code and all it printed."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, **options)
    return done.returncode, done.stdout + done.stderr


def must(*command: object, **options: object) -> str:
    """Run a program that has to succeed; return what it printed."""
    code, told = run(*command, **options)
    require(code == 0, f"{' '.join(map(str, command))} ended with {code}:\n{told}")
    return told


def require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise NotReady(otherwise)


def changes_are_told(version: str) -> None:
    """See that the changelog has the version, and that no fragment waits for the next one."""
    told = re.search(rf"^## {re.escape(version)}\b", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    require(told is not None, f"CHANGELOG.md has no heading for {version}: make changelog")
    waiting = sorted(file.name for file in (ROOT / "changes").glob("*.*.md"))
    require(not waiting, f"changes/ has fragments that no version tells: {', '.join(waiting)}")


def build(package: str, folder: Path) -> tuple[Path, Path]:
    """Build the wheel and the source distribution of one package, the wheel a second time from the source."""
    hatchling = (sys.executable, "-m", "hatchling", "build")
    for target in ("wheel", "sdist"):
        must(*hatchling, "-t", target, "-d", folder, cwd=ROOT / "packages" / package)
    stem = package.replace("-", "_")
    wheel, source = next(folder.glob(f"{stem}-[0-9]*.whl")), next(folder.glob(f"{stem}-[0-9]*.tar.gz"))
    with tempfile.TemporaryDirectory() as name, tarfile.open(source) as packed:
        packed.extractall(name, filter="data")
        must(*hatchling, "-t", "wheel", "-d", name, cwd=Path(name) / source.name.removesuffix(".tar.gz"))
        again = Path(name) / wheel.name
        require(again.read_bytes() == wheel.read_bytes(), f"{source.name} does not build the same {wheel.name}")
    return wheel, source


def check(wheel: Path) -> None:
    """See that metadata, licence and types are there, and no address, no test, and no lab in the product."""
    with ZipFile(wheel) as opened:
        inside = opened.namelist()
        raw = next(name for name in inside if name.endswith("/METADATA"))
        metadata = Metadata.from_email(opened.read(raw))
    require(
        bool(metadata.description and metadata.summary and metadata.classifiers),
        f"{wheel.name} does not say what it is",
    )
    require(not metadata.project_urls and not metadata.home_page, f"{wheel.name} names addresses")
    require(any(name.endswith("licenses/LICENSE") for name in inside), f"{wheel.name} has no licence")
    require(any(name.endswith("/py.typed") for name in inside), f"{wheel.name} hides its types")
    require(not [name for name in inside if "tests/" in name], f"{wheel.name} has tests in it")
    strange = [name for name in inside if metadata.name == "dpspin" and OF_THE_LAB.search(name)]
    require(not strange, f"{wheel.name} has parts of the laboratory in it: {strange[:3]}")


def empty_environment(folder: Path) -> tuple[Callable[..., None], Callable[..., Ran]]:
    """Make an environment with the product's pinned dependencies alone; return how to install, and how to run."""
    python = folder / "empty" / "bin" / "python"
    must(UV, "venv", "-q", "--python", sys.executable, folder / "empty")
    clean = {"PATH": os.environ["PATH"], "HOME": str(folder), "DPSPIN_LEDGER": str(folder / "ledger.db")}

    def install(*what: object) -> None:
        must(UV, "pip", "install", "-q", "--python", python, *what)

    def dpspin(*words: object) -> Ran:
        return run(python.with_name("dpspin"), *words, cwd=folder, env=clean)

    install("--require-hashes", "-r", ROOT / "requirements" / "core.txt")
    return install, dpspin


def try_out(product: Path, lab: Path, folder: Path, tickets: int = 2000) -> None:
    """See that the first wheel works alone in an empty environment, and that the second adds ``dpspin lab`` to it."""
    install, dpspin = empty_environment(folder)

    def works(*words: object) -> str:
        code, told = dpspin(*words)
        require(code == 0, f"dpspin {' '.join(map(str, words))} ended with {code}:\n{told}")
        return told

    install("--no-deps", product)
    require("release" in works("--help"), "dpspin --help does not speak of releases")
    works("demo", "--tickets", tickets, "--out", "demo")
    told = ("--atoms", "support-tickets", "--unit", "user", "--epsilon", 1, "--denominator", tickets)
    works("preview", *told)
    works("release", "demo/corpus/tickets.csv", *told, "--text", "text", "--user", "user_id", "--out", "out")
    works("report", "out/release", "--out", "again.html")
    for page in ("demo/release/report.html", "out/release/report.html", "again.html"):
        require((folder / page).stat().st_size > 0, f"no {page}")
    code, said = dpspin("lab", "verifier")
    require(
        code == USAGE and "pip install dpspin-lab" in said,
        "without the laboratory, dpspin lab does not say what to install",
    )
    install("--no-deps", lab)
    require("verifier" in works("lab", "--help"), "the laboratory does not add its command")


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--dist", type=Path, default=ROOT / "dist")
    dist = asked.parse_args().dist.resolve()
    dist.mkdir(exist_ok=True)
    require(not list(dist.iterdir()), f"{dist} is not empty: what lies there may be of another version")
    built = {package: build(package, dist) for package in PACKAGES}
    version = built["dpspin"][0].name.split("-")[1]
    changes_are_told(version)
    for wheel, _ in built.values():
        check(wheel)
    with tempfile.TemporaryDirectory() as name:
        try_out(*(built[package][0] for package in PACKAGES), Path(name))
    files = sorted(dist.iterdir())
    sums = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    (dist / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    print("".join(sums) + f"{version} is built in {dist.name}/ and works in an empty environment.")


if __name__ == "__main__":
    try:
        main()
    except NotReady as problem:
        sys.exit(f"not ready: {problem}")
