"""What a commit must not do and no linter sees: called by the pre-commit hooks, and by the tests for the whole tree."""

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
RENEWED = "help|reports"  # what is said today, to be looked at when it changes; all else is what was written then
GOLDEN = re.compile(rf"packages/[^/]+/tests/golden/(?!(?:{RENEWED})/)[^/]+/")  # the tests beside the folders may change


def outputs_in_notebooks(root: Path = ROOT) -> Iterator[str]:
    """Yield the notebooks that were saved with what they printed: outputs are data, and nobody reviews them."""
    for file in sorted(root.glob("examples/*.ipynb")):
        cells = json.loads(file.read_text(encoding="utf-8"))["cells"]
        if any(cell.get("outputs") or cell.get("execution_count") for cell in cells):
            yield f"{file.name} has outputs: clear them before you commit"


def strange_fragments(root: Path = ROOT) -> Iterator[str]:
    """Yield the files of changes/ that would not get into the changelog."""
    kinds = [
        kind["directory"] for kind in tomllib.loads((root / "pyproject.toml").read_text())["tool"]["towncrier"]["type"]
    ]
    for file in sorted((root / "changes").iterdir()):
        if file.name != "README.md" and not re.fullmatch(rf"\+[\w-]+\.({'|'.join(kinds)})\.md", file.name):
            yield f"changes/{file.name} is none of +<words>.<kind>.md, kinds: {', '.join(kinds)}"


def changed_golden_files(status: str) -> Iterator[str]:
    """Yield what ``git diff --name-status`` says was changed or removed among the golden files; new ones may come."""
    for line in status.splitlines():
        kind, *paths = line.split("\t")
        if kind != "A" and GOLDEN.match(paths[0]):
            yield f"{paths[0]}: golden files prove that old files mean the same; never change one"


def main() -> int:
    staged = subprocess.run(
        ["git", "diff", "--cached", "--name-status"], capture_output=True, text=True, check=True, cwd=ROOT
    )
    problems = [*outputs_in_notebooks(), *strange_fragments(), *changed_golden_files(staged.stdout)]
    print("\n".join(problems), file=sys.stderr)
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
