"""Run a notebook in a kernel of this environment, over sockets of the file system; fail where one of its cells does."""

import sys
from pathlib import Path

import nbformat
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

SECONDS_PER_CELL = 600  # against a cell that never ends; a busy machine is no finding


def main(notebook: Path) -> None:
    book = nbformat.read(notebook, as_version=4)
    kernel = AsyncKernelManager(kernel_name="python3", transport="ipc")
    NotebookClient(book, timeout=SECONDS_PER_CELL, km=kernel).execute()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
