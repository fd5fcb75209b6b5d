"""Map texts until somebody kills this process: python killed_llm_run.py URL FOLDER TEXT…"""

import sys
from pathlib import Path

import pyarrow as pa

from dpspin.curator.assign.llm.kept_answers import Answers
from dpspin.curator.assign.llm.labeller import Labeller
from dpspin.curator.assign.llm.llm_map import LlmMap
from dpspin.curator.assign.llm.trusted_endpoint import Endpoint
from factories import PAPER_UNIVERSE

url, folder, *texts = sys.argv[1:]
LlmMap(Labeller(PAPER_UNIVERSE, Endpoint(url, "tiny"), Answers(Path(folder))))(pa.array(texts))
