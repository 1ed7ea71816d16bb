import { abbreviated, phrasesFrom } from './same-words.ts'
import { isParticiple } from './word-forms.ts'
import type { Written } from './written-words.ts'

/** Several words that stand for one. */

/** "Gets rebuilt" for "is rebuilt"; "gets married" is not "is married". */
export const readGets = (words: readonly Written[]): Written[] =>
  words.map((word, at) => {
    const be = word.lower === 'gets' ? 'is' : word.lower === 'get' ? 'are' : undefined
    const next = words[at + 1]?.lower ?? ''
    return be === undefined || !isParticiple(next) || becoming.has(next) ? word : { ...word, text: be, lower: be }
  })

const becoming = new Set('married divorced engaged tired bored excited lost used stuck involved started'.split(' '))

export function mergePhrases(words: readonly Written[]): Written[] {
  const merged: Written[] = []
  for (let at = 0; at < words.length;) {
    const word = words[at] as Written
    const phrase = phrasesFrom(word.lower).find((each) => matchesPhrase(words, each.words, at))
    const length = phrase?.words.length ?? 1
    const last = words[at + length - 1] as Written
    const isPlural = phrase !== undefined && last.lower !== phrase.words.at(-1)
    const slot = words[at + (phrase?.words.indexOf('*') ?? 0)] as Written
    if (phrase === undefined) merged.push(word)
    for (const [place, part] of (phrase?.to ?? []).entries()) {
      const lower = isPlural && place === (phrase?.to.length ?? 0) - 1 ? `${part}s` : part
      merged.push(
        part === '*'
          ? { ...slot, article: undefined, sign: undefined }
          : {
              ...word,
              article: place === 0 ? word.article : undefined,
              text: lower,
              lower,
              sign: undefined,
              isMerged: true,
            },
      )
    }
    at += length
    merged[merged.length - 1] = { ...(merged.at(-1) as Written), sign: last.sign }
  }
  return merged
}

/** `*` is any word; the last noun of an abbreviated phrase may be in the plural. */
const matchesPhrase = (words: readonly Written[], phrase: readonly string[], from: number) =>
  phrase.every((part, at) => {
    const { lower } = words[from + at] ?? {}
    return (
      lower === part ||
      (part === '*' && lower !== undefined) ||
      (lower === `${part}s` && abbreviated.has(phrase.join(' ')))
    )
  })
