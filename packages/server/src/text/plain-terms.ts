import type { Term } from './claim-terms.ts'
import { isNegation } from './negations.ts'
import { wordKey } from './opposites.ts'

/** Where a sentence holds nothing that its parts may belong to, they may stand elsewhere in it and it says the same. */

/** Where one of these stands, or a denial, what a part of the sentence belongs to changes with its place; verbs in all regular forms. */
const embedding = new Set(
  (
    'to and or but if when while until unless since because that which who whom what where how whether ? ' +
    'say said tell told think thought know knew believe hope fear expect decide agree promise ask see saw hear heard watch let make made ' +
    'want wish like love hate prefer enjoy need plan schedule book reserve intend try propose suggest recommend consider announce ' +
    'mention claim describe explain remember forget forgot mean meant avoid miss dislike start stop help'
  )
    .split(' ')
    .map(wordKey),
)
const universal = new Set(['all', 'every', 'each'])
const partial = new Set('any some no few many most both only one'.split(' '))

/** Nouns of such verbs hold nothing: "the recommendation engine". */
export const isEmbedding = ({ text, key }: Term): boolean =>
  !/-|tions?$/.test(key) && (embedding.has(wordKey(text)) || embedding.has(key.split(' ', 1)[0] ?? ''))
const isUniversal = ({ text }: Term) => universal.has(text)
export const isPartial = ({ text }: Term): boolean => partial.has(text)
/** "To" before a name or an article leads to no verb. */
const isPlace = ({ key }: Term, next: Term | undefined) =>
  key === 'to' && next !== undefined && (next.isName === true || next.article !== undefined)

export const isSimple = (terms: readonly Term[]): boolean =>
  terms.every((term, at) => (!isEmbedding(term) || isPlace(term, terms[at + 1])) && !isNegation(term.text))
export const isPlain = (terms: readonly Term[]): boolean =>
  isSimple(terms) && !terms.some((term) => isPartial(term) || isUniversal(term))

/** "Each user rests on a day" tells of several days. */
export const mayShareOut = (terms: readonly Term[]): boolean =>
  terms.some(isPartial) || (terms.some(isUniversal) && terms.some(({ article }) => article === 'a'))

const termOf = (key: string): Term => ({ key, text: key, isName: false, article: undefined, sign: undefined })
export const ofTerm: Term = termOf('of')
export const isTerm: Term = termOf('is')
export const hasTerm: Term = termOf('has')

export const copulas: ReadonlySet<string> = new Set(['is', 'are', 'was', 'were'])

const agrees = <T>(a: T | undefined, b: T | undefined) => a === undefined || b === undefined || a === b

/** Whatever its article, and the comma behind it. */
export const isSameWord = (a: Term | undefined, b: Term | undefined): boolean =>
  a !== undefined && b !== undefined && a.key === b.key && agrees(a.isName, b.isName)

export const hasSameArticle = (a: Term | undefined, b: Term | undefined): boolean => agrees(a?.article, b?.article)

export const isSameTerm = (a: Term | undefined, b: Term | undefined): boolean =>
  isSameWord(a, b) && hasSameArticle(a, b) && a?.sign === b?.sign

export const isSameList = (a: readonly Term[], b: readonly Term[], isSame = isSameTerm): boolean =>
  a.length === b.length && a.every((term, at) => isSame(term, b[at]))
