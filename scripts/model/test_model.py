"""python -m unittest, in this folder."""

import struct
import tempfile
import unittest
from pathlib import Path

import numpy as np

from pairs import Source, Texts, read_pairs, read_sources
from table_file import quantise, read_table, restore, write_table
from train import spearman, to_unit
from training import Table, info_nce, one_minus_cosine
from word_pieces import WordPieces, words_of

draw = np.random.default_rng(7)


class TableFile(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "table.bin"

    def test_comes_back_as_it_was_written(self):
        vocabulary = ["[PAD]", "the", "##é", "中"]
        scales, numbers = quantise(draw.normal(size=(4, 6)))
        write_table(self.path, vocabulary, scales, numbers)
        read = read_table(self.path)
        self.assertEqual(read[0], vocabulary)
        np.testing.assert_array_equal(read[1], scales)
        np.testing.assert_array_equal(read[2], numbers)

    def test_lies_as_the_product_reads_it(self):
        write_table(self.path, ["a", "bc"], np.array([0.5, 1], np.float32), np.array([[2, 0], [0, -2]], np.int8))
        header = b"HFE1" + struct.pack("<3I", 2, 2, 4)
        self.assertEqual(self.path.read_bytes(), header + b"a\nbc" + struct.pack("<2f", 0.5, 1) + b"\x02\x00\x00\xfe")

    def test_pads_the_vocabulary_to_whole_words_of_four_bytes(self):
        write_table(self.path, ["a"], np.ones(1), np.ones((1, 2)))
        self.assertEqual(self.path.read_bytes()[12:20], struct.pack("<I", 4) + b"a   ")
        self.assertEqual(read_table(self.path)[0], ["a"])

    def test_is_refused_where_it_is_cut_off_or_something_else(self):
        write_table(self.path, ["a", "b"], np.ones(2), np.ones((2, 2)))
        whole = self.path.read_bytes()
        for wrong in (whole[:-1], whole + b"\0", b"GIF8" + whole[4:]):
            self.path.write_bytes(wrong)
            self.assertRaises(ValueError, read_table, self.path)
        self.assertRaises(ValueError, write_table, self.path, ["a"], np.ones(2), np.ones((2, 2)))


class Quantising(unittest.TestCase):
    def test_is_off_by_half_a_step_at_most(self):
        table = draw.normal(size=(200, 256)) * draw.uniform(1e-4, 10, size=(200, 1))
        scales, numbers = quantise(table)
        self.assertTrue(np.all(np.abs(restore(scales, numbers) - table) <= scales[:, None] * 0.5001))
        self.assertEqual(np.abs(numbers.astype(int)).max(), 127)

    def test_leaves_a_row_of_zeros(self):
        scales, numbers = quantise(np.zeros((1, 4)))
        self.assertEqual((scales.tolist(), numbers.tolist()), ([0], [[0, 0, 0, 0]]))

    def test_keeps_the_direction_of_a_row(self):
        table = draw.normal(size=(100, 256))
        one, other = to_unit(table)[0], to_unit(restore(*quantise(table)))[0]
        self.assertGreater((one * other).sum(axis=1).min(), 0.9999)


class CuttingWords(unittest.TestCase):
    word_pieces = WordPieces(["ab", "##cd", "abc", "##d", ".", "中"])

    def test_folds_and_parts_as_the_product_does(self):
        self.assertEqual(words_of("ÀB  c\u0301\td.中中\u200be"), ["ab", "c", "d", ".", "中", "中", "e"])
        self.assertEqual(words_of("a\u00ad\u0000b\ufffd \u2028c$d"), ["ab", "c", "$", "d"])

    def test_takes_the_longest_pieces_and_nothing_of_an_unknown_word(self):
        self.assertEqual(self.word_pieces("abcd abxcd ab."), [2, 3, 0, 4])
        self.assertEqual(self.word_pieces("ab" + "cd" * 49), [2, 3] + [1] * 48)
        self.assertEqual(self.word_pieces("ab" + "cd" * 49 + "d"), [])

    def test_cuts_plain_english_as_any_text(self):
        for code in range(128):
            text = f"a{chr(code)}B {chr(code)}"
            # A letter outside of ASCII takes the other way.
            self.assertEqual([*words_of(text), "é".translate({233: "e"})], words_of(text + " é"), repr(text))


class Pairs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_are_read_from_both_kinds_of_file(self):
        (self.folder / "one.jsonl").write_text('["a b", "c\\td"]\n')
        (self.folder / "two.tsv").write_text("a b\tc\n")
        self.assertEqual(read_pairs(self.folder / "one.jsonl"), [("a b", "c\td")])
        self.assertEqual(read_pairs(self.folder / "two.tsv"), [("a b", "c")])

    def test_are_refused_where_a_line_is_no_pair_or_nothing_can_be_used(self):
        for text in ('["a"]\n', '["a", 1]\n'):
            (self.folder / "one.jsonl").write_text(text)
            self.assertRaisesRegex(ValueError, "line 1", read_pairs, self.folder / "one.jsonl")
        (self.folder / "one.jsonl").write_text('["unknown", "words"]\n')
        self.assertRaisesRegex(ValueError, "one", read_sources, self.folder, CuttingWords.word_pieces, 1)

    def test_hold_a_hundredth_back_and_leave_out_what_cannot_be_used(self):
        word_pieces = WordPieces([str(number) for number in range(400)])
        pairs = [(str(number), str(number + 200)) for number in range(200)]
        source = Source("numbers", [*pairs, ("1", "1"), ("x", "1"), pairs[0]], word_pieces, seed=1)
        self.assertEqual((len(source.held_out), len(source.pairs)), (2, 198))
        self.assertEqual(sorted(source.held_out + source.pairs), sorted(pairs))

    def test_are_gathered_in_the_order_asked_for(self):
        rows, lengths = Texts([[1], [2, 3], [4, 5, 6]]).batch(np.array([2, 0, 2, 1]))
        self.assertEqual((rows.tolist(), lengths.tolist()), ([4, 5, 6, 1, 4, 5, 6, 2, 3], [3, 1, 3, 2]))


def slope_by_trying(loss, vectors, step=1e-5):
    slopes = np.zeros_like(vectors)
    for place in np.ndindex(vectors.shape):
        moved = [vectors.copy(), vectors.copy()]
        moved[0][place] += step
        moved[1][place] -= step
        slopes[place] = (loss(moved[0]) - loss(moved[1])) / (2 * step)
    return slopes


class Training(unittest.TestCase):
    def test_goes_down_the_slope_of_both_losses(self):
        one, other = draw.normal(size=(2, 5, 4))
        _, one_slope, other_slope = info_nce(one, other)
        np.testing.assert_allclose(one_slope, slope_by_trying(lambda x: info_nce(x, other)[0], one), atol=1e-6)
        np.testing.assert_allclose(other_slope, slope_by_trying(lambda x: info_nce(one, x)[0], other), atol=1e-6)
        wanted, _ = to_unit(other)
        slope = one_minus_cosine(one, wanted)[1]
        np.testing.assert_allclose(slope, slope_by_trying(lambda x: one_minus_cosine(x, wanted)[0], one), atol=1e-6)

    def test_moves_the_rows_of_a_batch_alone_each_by_the_rate_at_first(self):
        table = Table(np.zeros((4, 2)))
        table.step([(np.array([1, 1, 3]), np.array([2, 1]), np.array([[1.0, -1.0], [2.0, 0.0]]))], 0.01)
        np.testing.assert_allclose(table.rows, [[0, 0], [-0.01, 0.01], [0, 0], [-0.01, 0]], atol=1e-6)

    def test_ranks_equal_values_alike(self):
        self.assertAlmostEqual(spearman(np.array([1, 2, 2, 9]), np.array([10, 20, 20, 21])), 1)
        self.assertAlmostEqual(spearman(np.array([1, 2, 3]), np.array([3, 2, 1])), -1)


if __name__ == "__main__":
    unittest.main()
