import os
from contextlib import ExitStack
from pathlib import Path

import pytest

from spark_corpora import A_FILE_EACH
from spark_sessions import NoSpark, spark_session

HERE = Path(__file__).parent
OWN = {
    **A_FILE_EACH,
    "spark.broadcast.compress": "false",  # what lies on the disk is searched
    "spark.shuffle.compress": "false",
    "spark.shuffle.spill.compress": "false",
}


def pytest_collection_modifyitems(items):
    """Java takes long to start and talks with Python over loopback; PySpark warns of pandas, which plays no part."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.long)
            item.add_marker(pytest.mark.enable_socket)
            item.add_marker(pytest.mark.filterwarnings("ignore::FutureWarning"))
            item.add_marker(pytest.mark.filterwarnings("ignore::ResourceWarning"))


@pytest.fixture(scope="session")
def written(tmp_path_factory):
    """The folder with all that Spark writes."""
    return tmp_path_factory.mktemp("spark")


@pytest.fixture(scope="session")
def spark(written):
    """One session for all tests of a worker. Left out where there is no Spark, and never in CI."""
    with ExitStack() as stack:
        try:
            started = stack.enter_context(spark_session(written, **OWN))
        except NoSpark as missing:
            if os.environ.get("CI"):
                raise
            pytest.skip(str(missing))
        yield started
