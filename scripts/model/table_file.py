"""The file of a table: "HFE1", rows, dims, bytes of vocabulary (uint32 each), vocabulary, a float32 scale a row, int8 rows; little endian."""

import struct
from pathlib import Path

import numpy as np


def quantise(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """int8 numbers and one scale a row; the largest number of a row becomes 127 or -127, a row of zeros stays so."""
    scales = (np.abs(table).max(axis=1) / 127).astype("<f4")
    numbers = np.rint(table / np.where(scales == 0, 1, scales)[:, None]).astype(np.int8)
    return scales, numbers


def restore(scales: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    return numbers.astype(np.float32) * scales[:, None]


def write_table(path: Path, vocabulary: list[str], scales: np.ndarray, numbers: np.ndarray) -> None:
    if len(vocabulary) != len(numbers) or len(scales) != len(numbers):
        raise ValueError("A row and a scale for each token, please")
    text = "\n".join(vocabulary).encode()
    text += b" " * (-len(text) % 4)
    header = b"HFE1" + struct.pack("<3I", *numbers.shape, len(text))
    path.write_bytes(header + text + scales.astype("<f4").tobytes() + numbers.astype(np.int8).tobytes())


def read_table(path: Path) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Vocabulary, scales, numbers."""
    data = path.read_bytes()
    if data[:4] != b"HFE1":
        raise ValueError(f"{path.name} is no table of vectors")
    rows, dims, vocabulary_bytes = struct.unpack_from("<3I", data, 4)
    scales_at = 16 + vocabulary_bytes
    rows_at = scales_at + rows * 4
    vocabulary = data[16:scales_at].decode().rstrip().split("\n")
    if len(data) != rows_at + rows * dims or len(vocabulary) != rows:
        raise ValueError(f"{path.name} is cut off")
    scales = np.frombuffer(data, "<f4", rows, scales_at)
    return vocabulary, scales, np.frombuffer(data, np.int8, rows * dims, rows_at).reshape(rows, dims)
