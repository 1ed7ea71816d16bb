import type { Term } from './claim-terms.ts'
import { copulas, isPlain, isSimple, mayShareOut, isPartial } from './plain-terms.ts'
import { keyOf, participleOf } from './word-forms.ts'

/** "CI builds the image" and "The image is built by CI", "Ann must sign" and "must be signed by Ann". */

const modals = new Set('must can could will would shall should may might'.split(' '))
const particles = new Set('over up down out off away back'.split(' '))
const maxParts = 8

interface Passive {
  done: readonly Term[]
  /** What stands before the verb: "must", "must not". */
  auxiliary: readonly Term[]
  tense: 'present' | 'past' | 'base' | 'perfect'
  isDenied: boolean
  adverbs: readonly Term[]
  participle: Term
  particle: readonly Term[]
  /** Between the verb and "by". */
  between: readonly Term[]
  afterBy: readonly Term[]
}

/** What the passive says in the active voice, with the verb of `active` and each length that the doer may have. */
export function activesOf(passive: readonly Term[], active: readonly Term[]): Term[][] {
  const read = readPassive(passive)
  if (read === undefined || !mayTurn(passive, read)) return []
  const { done, auxiliary, isDenied, tense, adverbs, particle, between, afterBy } = read
  const found: Term[][] = []
  for (const [at, verb] of active.entries()) {
    if (at === 0 || at > maxParts * 2 || !isDoing(verb, read)) continue
    const helpers =
      isDenied && auxiliary.length === 0
        ? doNot(active, at, tense)
        : tense === 'perfect'
          ? active.slice(at - 1, at)
          : auxiliary
    if (helpers === undefined) continue
    for (let length = 1; length <= Math.min(maxParts, afterBy.length); length++)
      found.push([
        ...afterBy.slice(0, length),
        ...helpers,
        ...adverbs,
        verb,
        ...particle,
        ...done,
        ...between,
        ...afterBy.slice(length),
      ])
  }
  return found
}

function readPassive(terms: readonly Term[]): Passive | undefined {
  const by = terms.findIndex(({ key }) => key === 'by')
  const be = terms.findIndex(({ key }, at) => at > 0 && at < by && at >= by - maxParts && isBe(key))
  if (be < 1) return undefined
  const form = terms[be]?.key ?? ''
  let next = be + 1
  const isDenied = terms[next]?.key === 'not' || terms[be - 1]?.key === 'not'
  if (terms[next]?.key === 'not') next++
  const firstAdverb = next
  while (terms[next]?.text.endsWith('ly') === true) next++
  const participle = terms[next]
  const isPerfect = form === 'been' && /^(?:has|have)$/.test(terms[be - 1]?.key ?? '')
  const start = be - (form === 'be' ? (isDenied ? 2 : 1) : isPerfect ? 1 : 0)
  if (participle === undefined || next >= by || start < 1) return undefined
  if (form === 'be' && !modals.has(terms[start]?.key ?? '')) return undefined
  if (form === 'been' && !isPerfect) return undefined
  let behind = next + 1
  const particle = particles.has(terms[behind]?.key ?? '') ? terms.slice(behind, ++behind) : []
  const lateAdverb = behind < by && terms[behind]?.text.endsWith('ly') === true ? terms.slice(behind, ++behind) : []
  return {
    done: terms.slice(0, start),
    auxiliary: form === 'be' ? terms.slice(start, be) : [],
    tense: form === 'be' ? 'base' : isPerfect ? 'perfect' : form.startsWith('w') ? 'past' : 'present',
    isDenied,
    adverbs: [...terms.slice(firstAdverb, next), ...lateAdverb],
    participle,
    particle,
    between: terms.slice(behind, by),
    afterBy: terms.slice(by + 1),
  }
}

const isBe = (key: string) => copulas.has(key) || key === 'be' || key === 'been'

/** Of what is denied or said of each, only where all else is certain: "every file is owned by a user". */
function mayTurn(terms: readonly Term[], { isDenied, participle }: Passive): boolean {
  const said = terms.filter(
    (term) =>
      term.key !== 'to' && !(isDenied && term.key === 'not') && !(term === participle && term.key === 'need past'),
  )
  return isDenied ? isPlain(said) : isSimple(said) && !said.some(isPartial) && !mayShareOut(said)
}

/** "Does not" before the verb. */
function doNot(active: readonly Term[], at: number, tense: Passive['tense']): readonly Term[] | undefined {
  const [helper, not] = [active[at - 2]?.key ?? '', active[at - 1]?.key]
  const isFitting = tense === 'past' ? helper === 'did' : helper === 'does' || helper === 'do'
  return not === 'not' && isFitting ? active.slice(at - 2, at) : undefined
}

function isDoing(verb: Term, { participle, tense, isDenied }: Passive): boolean {
  if (tense === 'perfect') return verb.key === participle.key && !isDenied
  if (tense === 'past' && !isDenied)
    return verb.key === participle.key.replace(' participle', ' past') && /ed$|past$/.test(verb.key)
  return keyOf(participleOf(verb.text)) === participle.key
}
