"""How large the house is, and how many rooms one release walks through: the figures of decision 18.

    python bench/house.py

Lines and modules of both distributions; module names used more than once; imports that lie on a circle; how many
modules `pipeline` imports; and the walk of one release. That walk is `dpspin release` of 50 records with a map that was
kept, from the command until the first word is written about the plan. A module is *passed* if it hands work on to
another one; those that only answer are told beside it, and what is merely imported does not count.
"""

import io
import sys
from collections import Counter
from collections.abc import Iterable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType

import grimp

from dpspin.cli.main import run

SOURCES = Path(__file__).resolve().parent.parent / "packages"
BARS = {"dpspin": (29_000, 280), "dpspin_lab": (13_000, None)}
FAN_OUT, PASSED = 15, 45  # bars
RECORDS = 50
WRITING = ("dpspin.public.narrate", "dpspin.public.report", "dpspin.public.wording")


def main() -> None:
    for package, (most_lines, most_modules) in BARS.items():
        files = list((SOURCES / package.replace("_", "-") / "src" / package).rglob("*.py"))
        lines = sum(len(file.read_text("utf-8").splitlines()) for file in files)
        print(f"{package}: {lines:,} lines (bar {most_lines:,}), {len(files)} modules (bar {most_modules or 'none'})")
        names = Counter(file.stem for file in files if file.stem != "__init__")
        print("  names used more than once:", ", ".join(sorted(name for name in names if names[name] > 1)) or "none")
        print(f"  imports on a circle: {len(circles(grimp.build_graph(package)))}")
    pipeline = grimp.build_graph("dpspin").find_modules_directly_imported_by("dpspin.pipeline")
    print(f"pipeline imports {len(pipeline)} modules (bar {FAN_OUT})")
    run_release()  # everything is imported, and the map is kept
    passed, entered = walk()
    print(f"a release of {RECORDS} records passes {len(passed)} modules (bar {PASSED}) and enters {len(entered)}:")
    print(*(f"  {name}" for name in sorted(passed)), sep="\n")


def circles(graph: grimp.ImportGraph) -> list[tuple[str, str]]:
    """Return the imports that lie on a circle of modules."""
    return [
        (importer, imported)
        for importer in graph.modules
        for imported in graph.find_modules_directly_imported_by(importer)
        if graph.chain_exists(importer=imported, imported=importer)
    ]


def walk() -> tuple[set[str], set[str]]:
    """Run one release; return the modules that hand work on to others, and all in which a function ran."""
    passed: set[str] = set()
    entered: set[str] = set()

    def watch(frame: FrameType, event: str, _arg: object) -> None:
        module = module_of(frame)
        if event != "call" or module is None:
            return
        if module.startswith(WRITING):
            sys.setprofile(None)
            return
        entered.add(module)
        if (caller := caller_of(frame)) not in {None, module}:
            passed.add(str(caller))

    sys.setprofile(watch)
    run_release()
    sys.setprofile(None)
    return passed, entered


def module_of(frame: FrameType) -> str | None:
    name = str(frame.f_globals.get("__name__"))
    return name if name.startswith("dpspin.") else None


def caller_of(frame: FrameType) -> str | None:
    """Return the nearest module of the product below a frame: libraries that call back lie between."""
    below = frame.f_back
    while below is not None and module_of(below) is None:
        below = below.f_back
    return None if below is None else module_of(below)


def run_release() -> None:
    """Run `dpspin release` in this process, and say nothing."""
    with TemporaryDirectory() as folder, redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        sys.argv = ["dpspin", *release_arguments(Path(folder))]
        try:
            run()
        except SystemExit as done:
            if done.code:
                raise RuntimeError("the release failed") from done


def release_arguments(folder: Path) -> Iterable[str]:
    rows = [f"c{number},my parcel number {number} is late and nobody answers" for number in range(RECORDS)]
    (folder / "tickets.csv").write_text("\n".join(["customer,text", *rows]), "utf-8")
    return [
        *("release", str(folder / "tickets.csv"), "--atoms", "support-tickets", "--text", "text"),
        *("--unit", "user", "--user", "customer", "--epsilon", "1", "--denominator", "50"),
        *("--out", str(folder / "out"), "--ledger", str(folder / "ledger.db")),
    ]


if __name__ == "__main__":
    main()
