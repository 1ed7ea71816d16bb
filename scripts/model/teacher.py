"""A BERT-like encoder with mean pooling, in numpy: the folder as it is published (config.json, vocab.txt, model.safetensors) is all it needs."""

import json
import struct
from math import sqrt
from pathlib import Path

import numpy as np

from word_pieces import WordPieces, words_of

Weights = dict[str, np.ndarray]


def read_safetensors(path: Path) -> Weights:
    data = path.read_bytes()
    (header_bytes,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + header_bytes])
    weights: Weights = {}
    for name, tensor in header.items():
        if name == "__metadata__" or tensor["dtype"] not in ("F32", "F16"):
            continue
        start, end = (8 + header_bytes + at for at in tensor["data_offsets"])
        numbers = np.frombuffer(data[start:end], "<f4" if tensor["dtype"] == "F32" else "<f2")
        weights[name.removeprefix("bert.")] = numbers.astype(np.float32).reshape(tensor["shape"])
    return weights


class Teacher:
    def __init__(self, folder: Path) -> None:
        config = json.loads((folder / "config.json").read_text())
        if config["hidden_act"] != "gelu" or config.get("position_embedding_type", "absolute") != "absolute":
            raise ValueError("This encoder is not built as BERT is")
        self.layers, self.heads, self.epsilon = (
            config["num_hidden_layers"],
            config["num_attention_heads"],
            config["layer_norm_eps"],
        )
        self.dims: int = config["hidden_size"]
        self.weights = read_safetensors(folder / "model.safetensors")
        self.vocabulary = (folder / "vocab.txt").read_text("utf-8").rstrip("\n").split("\n")
        self.word_pieces = WordPieces(self.vocabulary)
        self.first, self.last, self.unknown = (self.word_pieces.rows[token] for token in ("[CLS]", "[SEP]", "[UNK]"))

    def embed_texts(self, texts: list[str], max_tokens: int = 64) -> np.ndarray:
        """A vector of length 1 for each text."""
        rows = [[row for word in words_of(text) for row in self.word_pieces.word(word) or [self.unknown]] for text in texts]
        return self.embed_rows([each[:max_tokens] for each in rows])

    def embed_rows(self, texts: list[list[int]], batch_size: int = 256) -> np.ndarray:
        """Texts of one length go together, so that nothing is padded and nothing masked."""
        vectors = np.zeros((len(texts), self.dims), np.float32)
        by_length: dict[int, list[int]] = {}
        for at, rows in enumerate(texts):
            by_length.setdefault(len(rows), []).append(at)
        for places in by_length.values():
            for start in range(0, len(places), batch_size):
                batch = places[start : start + batch_size]
                rows = np.array([[self.first, *texts[at], self.last] for at in batch])
                mean = self._encode(rows).mean(axis=1)
                vectors[batch] = mean / np.linalg.norm(mean, axis=1, keepdims=True)
        return vectors

    def _encode(self, rows: np.ndarray) -> np.ndarray:
        count, length = rows.shape
        weights = self.weights
        x = (
            weights["embeddings.word_embeddings.weight"][rows]
            + weights["embeddings.position_embeddings.weight"][:length]
            + weights["embeddings.token_type_embeddings.weight"][0]
        )
        x = self._normalise(x, "embeddings.LayerNorm")
        for layer in range(self.layers):
            at = f"encoder.layer.{layer}"
            query, key, value = (
                self._linear(x, f"{at}.attention.self.{part}")
                .reshape(count, length, self.heads, -1)
                .transpose(0, 2, 1, 3)
                for part in ("query", "key", "value")
            )
            scores = query @ key.transpose(0, 1, 3, 2) / np.float32(sqrt(self.dims / self.heads))
            scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
            seen = (scores / scores.sum(axis=-1, keepdims=True)) @ value
            seen = seen.transpose(0, 2, 1, 3).reshape(count, length, self.dims)
            x = self._normalise(x + self._linear(seen, f"{at}.attention.output.dense"), f"{at}.attention.output.LayerNorm")
            inner = _gelu(self._linear(x, f"{at}.intermediate.dense"))
            x = self._normalise(x + self._linear(inner, f"{at}.output.dense"), f"{at}.output.LayerNorm")
        return x

    def _linear(self, x: np.ndarray, name: str) -> np.ndarray:
        # One product of two matrices is several times faster than one for each text.
        flat = x.reshape(-1, x.shape[-1]) @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]
        return flat.reshape(*x.shape[:-1], -1)

    def _normalise(self, x: np.ndarray, name: str) -> np.ndarray:
        centred = x - x.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + self.epsilon)
        return centred / spread * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]


def _gelu(x: np.ndarray) -> np.ndarray:
    """x Φ(x), with the error function by Abramowitz and Stegun 7.1.26 (off by at most 1.5e-7)."""
    z = np.abs(x) * np.float32(1 / sqrt(2))
    t = 1 / (1 + np.float32(0.3275911) * z)
    polynomial = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * np.float32(1.061405429)))))
    erf = np.sign(x) * (1 - polynomial * np.exp(-z * z))
    return 0.5 * x * (1 + erf)
