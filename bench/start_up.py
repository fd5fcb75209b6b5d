"""CPU seconds of an import and of commands that read no records, each in its own process; the smallest of several runs.

    python bench/start_up.py [--runs 5]

The plan is one of the verifier's benchmark: Laplace noise, a public denominator, no baseline. The first run, which
writes bytecode, is not counted. User and system time of the child are added up: waiting for other processes is not in
it, though a busy machine still slows what it measures.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from dpspin.public.atoms.dictionary_files import dumps
from dpspin.public.narrate.decoders.template import TemplateDecoder
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.modes import Mode
from dpspin_lab.verifier.benchmark import benchmark_plans

COMMAND = "from dpspin.cli.main import run; run()"
PREVIEW = ("preview", "--atoms", "support-tickets", "--unit", "record", "--denominator", "20000")
MEASURED = {
    "import dpspin; dpspin.PrivacyLoss": (("import dpspin; dpspin.PrivacyLoss",), 0.3),
    "dpspin --version": ((COMMAND, "--version"), None),
    "dpspin atoms packs": ((COMMAND, "atoms", "packs"), 0.6),
    "dpspin preview": ((COMMAND, *PREVIEW), 0.6),
    "dpspin preview --epsilon 1": ((COMMAND, *PREVIEW, "--epsilon", "1"), 0.6),
    "dpspin verify": ((COMMAND, "verify", "plan.json", "text.txt"), 0.6),
    "dpspin narrate": ((COMMAND, "narrate", "plan.json"), None),
    "dpspin report": ((COMMAND, "report", "plan.json", "--out", "report.html"), None),
}  # what runs, and its bar in CPU seconds


def cpu_seconds(program, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-c", *program]
    subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)  # noqa: S603  our own command
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def write_release(folder):
    plan, atoms = benchmark_plans()["support-tickets"]
    (folder / "plan.json").write_text(plan.to_json())
    (folder / "atoms.json").write_text(dumps(atoms))
    (folder / "text.txt").write_text(TemplateDecoder(Mode.DISPLAY)(Facts(plan, atoms)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        write_release(Path(folder))
        for name, (program, bar) in MEASURED.items():
            least = min([cpu_seconds(program, folder) for _ in range(runs + 1)][1:])
            print(f"{name:34} {least:.2f} s of CPU{f' (bar: {bar})' if bar else ''}")


if __name__ == "__main__":
    main()
