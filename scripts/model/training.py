"""The table's training: texts of a pair near to each other and far from the batch's others, and no text far from what the teacher makes of it."""

import math
from collections.abc import Callable

import numpy as np

from pairs import Source, Texts

# A batch counts at its full width and at these: so that the first numbers of a row are a smaller model.
WIDTHS = (256, 128, 64)
SCALE = 20.0
TEACHER_WEIGHT = 5.0
PEAK_RATE = 4e-3
WARM_UP_STEPS = 50

Gradient = np.ndarray


def to_unit(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """At length 1, and the lengths they had."""
    lengths = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    return vectors / lengths, lengths


def through_unit(gradient: Gradient, unit: np.ndarray, lengths: np.ndarray) -> Gradient:
    """The gradient before `to_unit` from the one after it."""
    return (gradient - unit * (unit * gradient).sum(axis=1, keepdims=True)) / lengths


def info_nce(one: np.ndarray, other: np.ndarray) -> tuple[float, Gradient, Gradient]:
    """Cross-entropy of finding each text's partner among the batch's, both ways (van den Oord et al. 2018), and its gradients."""
    count = len(one)
    (one_unit, one_lengths), (other_unit, other_lengths) = to_unit(one), to_unit(other)
    scores = SCALE * one_unit @ other_unit.T
    rows = np.exp(scores - scores.max(axis=1, keepdims=True))
    rows /= rows.sum(axis=1, keepdims=True)
    columns = np.exp(scores - scores.max(axis=0, keepdims=True))
    columns /= columns.sum(axis=0, keepdims=True)
    loss = -0.5 * float(np.mean(np.log(np.maximum(np.diag(rows), 1e-30)) + np.log(np.maximum(np.diag(columns), 1e-30))))
    slope = rows + columns
    slope[np.diag_indices(count)] -= 2
    slope *= SCALE / (2 * count)
    return (
        loss,
        through_unit(slope @ other_unit, one_unit, one_lengths),
        through_unit(slope.T @ one_unit, other_unit, other_lengths),
    )


def one_minus_cosine(vectors: np.ndarray, wanted_unit: np.ndarray) -> tuple[float, Gradient]:
    unit, lengths = to_unit(vectors)
    loss = float(np.mean(1 - (unit * wanted_unit).sum(axis=1)))
    return loss, through_unit(-wanted_unit / len(vectors), unit, lengths)


class Table:
    """Rows and Adam's moments of each; a step changes the rows of its batch alone."""

    def __init__(self, rows: np.ndarray) -> None:
        self.rows = rows.astype(np.float32)
        self._mean, self._square = np.zeros_like(self.rows), np.zeros_like(self.rows)
        self._step = 0

    def means(self, rows: np.ndarray, lengths: np.ndarray) -> np.ndarray:
        """The mean of each text's rows; no text may be empty."""
        starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        return np.add.reduceat(self.rows[rows], starts, axis=0) / lengths[:, None].astype(np.float32)

    def step(self, parts: list[tuple[np.ndarray, np.ndarray, Gradient]], rate: float) -> None:
        """Adam (Kingma and Ba 2015) from the gradients of texts' means: rows, lengths and gradient of each part of the batch."""
        rows = np.concatenate([part[0] for part in parts])
        shares = np.concatenate([np.repeat(gradient / lengths[:, None].astype(np.float32), lengths, axis=0) for _, lengths, gradient in parts])
        order = np.argsort(rows, kind="stable")
        touched, starts = np.unique(rows[order], return_index=True)
        gradient = np.add.reduceat(shares[order], starts, axis=0)
        self._step += 1
        mean = self._mean[touched] = 0.9 * self._mean[touched] + 0.1 * gradient
        square = self._square[touched] = 0.999 * self._square[touched] + 0.001 * gradient * gradient
        mean_share, square_share = 1 - 0.9**self._step, 1 - 0.999**self._step
        self.rows[touched] -= rate * (mean / mean_share) / (np.sqrt(square / square_share) + 1e-8)


def rate_at(step: int, steps: int) -> float:
    """Up in a line, then down along half a cosine."""
    if step < WARM_UP_STEPS:
        return PEAK_RATE * (step + 1) / WARM_UP_STEPS
    return PEAK_RATE * 0.5 * (1 + math.cos(math.pi * (step - WARM_UP_STEPS) / max(1, steps - WARM_UP_STEPS)))


def train(
    table: Table,
    sources: list[Source],
    taught: Texts,
    wanted: np.ndarray,
    *,
    steps: int,
    batch_size: int,
    random: np.random.Generator,
    say: Callable[[str], None],
) -> list[tuple[float, float]]:
    """Loss of the pairs and of the teacher at each step. A batch is of one source, drawn by the root of its size."""
    weights = np.sqrt([len(source.pairs) for source in sources])
    losses: list[tuple[float, float]] = []
    for step in range(steps):
        source = sources[random.choice(len(sources), p=weights / weights.sum())]
        places = random.choice(len(source.pairs), min(batch_size, len(source.pairs)), replace=False)
        sides = [side.batch(places) for side in source.sides]
        vectors = [table.means(*side) for side in sides]
        gradients = [np.zeros_like(vectors[0]), np.zeros_like(vectors[1])]
        pair_loss = 0.0
        for width in WIDTHS:
            loss, *slopes = info_nce(vectors[0][:, :width], vectors[1][:, :width])
            pair_loss += loss
            for gradient, slope in zip(gradients, slopes, strict=True):
                gradient[:, :width] += slope
        taught_places = random.choice(len(taught.lengths), min(batch_size, len(taught.lengths)), replace=False)
        taught_batch = taught.batch(taught_places)
        teacher_loss, slope = one_minus_cosine(table.means(*taught_batch), wanted[taught_places])
        table.step(
            [(*side, gradient) for side, gradient in zip(sides, gradients, strict=True)]
            + [(*taught_batch, TEACHER_WEIGHT * slope)],
            rate_at(step, steps),
        )
        losses.append((pair_loss / len(WIDTHS), teacher_loss))
        if len(losses) % 100 == 0:
            pairs, taught_texts = np.mean(losses[-100:], axis=0)
            say(f"step {len(losses)}: loss of pairs {pairs:.3f}, of teacher {taught_texts:.3f}")
    return losses
