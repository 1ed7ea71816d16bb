/**
 * WordPiece as BERT's uncased models cut it (Devlin et al. 2019, section 3; Wu et al. 2016): lower case, accents off, words
 * and single signs, each word cut greedily into the longest pieces of the vocabulary. A word that cannot be cut whole gives
 * nothing.
 */

/** Calls back with the row of each piece of the text, in order. Linear in the text, whatever it holds. */
export type WordPieces = (text: string, visit: (row: number) => void) => void

/** Longer words are no words. */
const maxWordChars = 100

// Signs, and the ideographs that BERT takes each for a word of its own.
const wordOrSign =
  /[\p{P}$+<=>^`|~\u{3400}-\u{4DBF}\u{4E00}-\u{9FFF}\u{F900}-\u{FAFF}\u{20000}-\u{2CEAF}\u{2F800}-\u{2FA1F}]|[^\s\p{P}$+<=>^`|~\u{3400}-\u{4DBF}\u{4E00}-\u{9FFF}\u{F900}-\u{FAFF}\u{20000}-\u{2CEAF}\u{2F800}-\u{2FA1F}]+/gu
// What is not seen is no part of a word. Nor is half a character.
const unseen = /[\p{Mn}\p{Cc}\p{Cf}\p{Co}\p{Cs}\uFFFD]/gu

export function createWordPieces(vocabulary: readonly string[]): WordPieces {
  const { findChild, rowOf } = buildTrie(vocabulary)
  const rows = new Int32Array(maxWordChars)

  /** Rows of the word's pieces into `rows`; returns how many, 0 where it cannot be cut. */
  function cutWord(word: string): number {
    let count = 0
    for (let start = 0; start < word.length;) {
      let node = start === 0 ? wordStart : wordInside
      let row = none
      let end = start
      for (let at = start; at < word.length; at++) {
        node = findChild(node, word.charCodeAt(at))
        if (node === none) break
        const found = rowOf[node] as number
        if (found !== none) [row, end] = [found, at + 1]
      }
      if (row === none) return 0
      rows[count++] = row
      start = end
    }
    return count
  }

  return (text, visit) => {
    for (const word of clean(text).match(wordOrSign) ?? []) {
      if (word.length > maxWordChars) continue
      const count = cutWord(word)
      for (let at = 0; at < count; at++) visit(rows[at] as number)
    }
  }
}

/**
 * Lower case, accents off. Each character is decomposed by itself: to put the marks of a whole text in order takes quadratic
 * time (100,000 marks: 26 s), and they go anyway.
 */
const clean = (text: string): string => text.toLowerCase().replaceAll(/[^ -~]/gu, cleanChar)

// White space among the control characters still parts words.
const cleanChar = (char: string): string =>
  '\t\n\r'.includes(char) ? ' ' : char.normalize('NFD').replaceAll(unseen, '')

const none = -1
// The roots: of what begins a word, and of what continues it (`##` in the vocabulary). All other nodes are slots, from 0 on.
const wordStart = -2
const wordInside = -3

interface Trie {
  /** The node that this character leads to, or `none`. */
  findChild(node: number, char: number): number
  /** By node: the row of the token that ends there, or `none`. */
  rowOf: Int32Array
}

/**
 * A node is its slot in one open hash table, found by its parent and its character: three flat arrays, 2.6 MB for 30,522
 * tokens. A Map from edges to nodes held a little more, left 10 MB of garbage when it was built, and took twice the time.
 */
function buildTrie(vocabulary: readonly string[]): Trie {
  const maxNodes = vocabulary.reduce((sum, token) => sum + token.length, 0)
  const hashBits = Math.ceil(Math.log2(maxNodes + 1))
  const parentOf = new Int32Array(2 ** hashBits).fill(none)
  const charOf = new Uint16Array(parentOf.length)
  const rowOf = new Int32Array(parentOf.length).fill(none)
  const lastSlot = parentOf.length - 1

  /** Where the child is, or the empty slot where it would be. */
  function findSlot(node: number, char: number): number {
    let slot = (Math.imul(node, 0x9e37_79b1) ^ Math.imul(char, 0x85eb_ca6b)) >>> (32 - hashBits)
    while (parentOf[slot] !== none && !(parentOf[slot] === node && charOf[slot] === char)) slot = (slot + 1) & lastSlot
    return slot
  }

  for (const [row, token] of vocabulary.entries()) {
    const isInside = token.length > 2 && token.startsWith('##')
    let node = isInside ? wordInside : wordStart
    for (let at = isInside ? 2 : 0; at < token.length; at++) {
      const slot = findSlot(node, token.charCodeAt(at))
      parentOf[slot] = node
      charOf[slot] = token.charCodeAt(at)
      node = slot
    }
    if (node >= 0) rowOf[node] = row
  }
  return {
    rowOf,
    findChild(node, char) {
      const slot = findSlot(node, char)
      return parentOf[slot] === none ? none : slot
    },
  }
}
