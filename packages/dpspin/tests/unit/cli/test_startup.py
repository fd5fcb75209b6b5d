"""``dpspin --help`` must answer at once: it loads none of the heavy libraries."""

import subprocess
import sys

HEAVY = (
    "numpy",
    "scipy",
    "sklearn",
    "pyarrow",
    "opendp",
    "dp_accounting",
    "sqlalchemy",
    "pydantic",
    "jinja2",
    "wordfreq",
)


def test_help_loads_no_heavy_library():
    program = (
        "import sys; sys.argv = ['dpspin', '--help']\n"
        "from dpspin.cli.main import run\n"
        "try:\n    run()\nexcept SystemExit:\n    pass\n"
        f"print([name for name in {HEAVY} if name in sys.modules], file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stderr.strip() == "[]"
