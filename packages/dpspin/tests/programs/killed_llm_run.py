"""Map texts until somebody kills this process: python killed_llm_run.py URL FOLDER TEXT…"""

import sys
from pathlib import Path

import pyarrow as pa

from dpspin.curator.assign.llm.cache import Answers
from dpspin.curator.assign.llm.endpoint import Endpoint
from dpspin.curator.assign.llm.labeller import Labeller
from dpspin.curator.assign.llm.map import LlmMap
from factories import PAPER_UNIVERSE

url, folder, *texts = sys.argv[1:]
LlmMap(Labeller(PAPER_UNIVERSE, Endpoint(url, "tiny"), Answers(Path(folder))))(pa.array(texts))
