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
// What is not seen is no part of a word.
const unseen = /[\p{Mn}\p{Cc}\p{Cf}\p{Co}\uFFFD]/gu

export function createWordPieces(vocabulary: readonly string[]): WordPieces {
  const { next, rowOf } = buildTrie(vocabulary)
  const rows = new Int32Array(maxWordChars)

  /** Rows of the word's pieces into `rows`; returns how many, 0 where it cannot be cut. */
  function cutWord(word: string): number {
    let count = 0
    for (let start = 0; start < word.length;) {
      let node = start === 0 ? wordStart : wordInside
      let row = -1
      let end = start
      for (let at = start; at < word.length; at++) {
        const child = next.get(node * charCodes + word.charCodeAt(at))
        if (child === undefined) break
        node = child
        const found = rowOf[node] ?? -1
        if (found >= 0) [row, end] = [found, at + 1]
      }
      if (row < 0) return 0
      rows[count++] = row
      start = end
    }
    return count
  }

  return (text, visit) => {
    for (const [word] of clean(text).matchAll(wordOrSign)) {
      if (word.length > maxWordChars) continue
      const count = cutWord(word)
      for (let at = 0; at < count; at++) visit(rows[at] as number)
    }
  }
}

// White space among the control characters still parts words.
const clean = (text: string): string =>
  text
    .replaceAll(/[\t\n\r]/g, ' ')
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(unseen, '')

const charCodes = 0x1_0000
const wordStart = 0
const wordInside = 1

/** The vocabulary as a trie: one root for what begins a word, one for what continues it (`##` in the vocabulary). */
function buildTrie(vocabulary: readonly string[]): { next: Map<number, number>; rowOf: number[] } {
  const next = new Map<number, number>()
  const rowOf = [-1, -1]
  for (const [row, token] of vocabulary.entries()) {
    const isInside = token.length > 2 && token.startsWith('##')
    let node = isInside ? wordInside : wordStart
    for (let at = isInside ? 2 : 0; at < token.length; at++) {
      const edge = node * charCodes + token.charCodeAt(at)
      const known = next.get(edge)
      node = known ?? rowOf.push(-1) - 1
      if (known === undefined) next.set(edge, node)
    }
    if (node > wordInside) rowOf[node] = row
  }
  return { next, rowOf }
}
