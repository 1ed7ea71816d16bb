import { phrasesFrom } from './same-words.ts'
import type { Written } from './written-words.ts'

/** With one word, or few, for several that say the same. */
export function mergePhrases(words: readonly Written[]): Written[] {
  const merged: Written[] = []
  for (let at = 0; at < words.length;) {
    const word = words[at] as Written
    const phrase = phrasesFrom(word.lower).find((each) =>
      each.words.every((part, index) => words[at + index]?.lower === part),
    )
    if (phrase === undefined) merged.push(word)
    else
      for (const [place, lower] of phrase.to.entries()) {
        const article = place === 0 ? word.article : undefined
        merged.push({ ...word, article, text: lower, lower, sign: undefined, isMerged: true })
      }
    at += phrase?.words.length ?? 1
    merged[merged.length - 1] = { ...(merged.at(-1) as Written), sign: words[at - 1]?.sign }
  }
  return merged
}
