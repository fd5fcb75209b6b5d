"""Which worker runs a test: those that share something costly go to the same one, so that it is made once.

The groups of pytest-xdist itself (``--dist loadgroup``) do nothing under pytest 9.2: its issue 1386.
"""

from xdist.scheduler import LoadScopeScheduling

SHARED = {
    "the map of the ticket pack": (
        "test_truth_floor.py::",
        "test_docs.py::test_python_in_the_documentation_runs",
        "test_commands.py::test_demo_twice_gives_the_same_release",
        "test_api.py::test_from_a_frame_to_a_verified_text",
        "test_canary.py::test_no_record_content_is_in_the_traceback_of_an_error",
    ),
    "a Spark session": (
        "test_spark_contract.py::",
        "test_spark_faults.py::",
        "test_spark_canary.py::",
        "test_spark_command.py::",
        "test_spark_lineage.py::",
        "test_spark_lakes.py::",
        "test_spark_selection.py::",
        "test_spark_types.py::",
    ),
    "a Spark cluster": ("test_spark_cluster.py::",),
    "the server of a real model": ("real_model.py::",),
}


class OneWorkerForWhatIsShared(LoadScopeScheduling):
    """Give out single tests, but the tests of a group together; the largest groups come first."""

    def _split_scope(self, nodeid):
        return group_of(nodeid)


def group_of(nodeid):
    """Return the name of what a test shares with others, or its own name."""
    shared = (name for name, parts in SHARED.items() if any(part in nodeid for part in parts))
    return next(shared, nodeid)
