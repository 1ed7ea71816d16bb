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
    'mention claim describe explain remember forget forgot mean meant avoid miss dislike start stop help ' +
    'move cancel reschedule postpone order request invite offer'
  )
    .split(' ')
    .map(wordKey),
)
const universal = new Set(['all', 'every', 'each'])
const partial = new Set('any some no few many most both only one'.split(' '))

export const isEmbedding = ({ text }: Term): boolean => embedding.has(wordKey(text))
const isUniversal = ({ text }: Term) => universal.has(text)
export const isPartial = ({ text }: Term): boolean => partial.has(text)

export const isSimple = (terms: readonly Term[]): boolean =>
  !terms.some((term) => isEmbedding(term) || isNegation(term.text))
export const isPlain = (terms: readonly Term[]): boolean =>
  isSimple(terms) && !terms.some((term) => isPartial(term) || isUniversal(term))

/** "Each user rests on a day" tells of several days. */
export const mayShareOut = (terms: readonly Term[]): boolean =>
  terms.some(isPartial) || (terms.some(isUniversal) && terms.some(({ article }) => article === 'a'))

const agrees = <T>(a: T | undefined, b: T | undefined) => a === undefined || b === undefined || a === b

const isSameTerm = (a: Term, b: Term | undefined): boolean =>
  b !== undefined && a.key === b.key && agrees(a.isName, b.isName) && agrees(a.article, b.article) && a.sign === b.sign

export const isSameList = (a: readonly Term[], b: readonly Term[]): boolean =>
  a.length === b.length && a.every((term, at) => isSameTerm(term, b[at]))
