import type { Term } from './claim-terms.ts'
import { isSimple, mayShareOut } from './plain-terms.ts'
import { participleOf } from './word-forms.ts'

const tenses: ReadonlyMap<string, 'present' | 'past'> = new Map([
  ['is', 'present'],
  ['are', 'present'],
  ['was', 'past'],
  ['were', 'past'],
])
const linking = new Set(
  "of for from in on at with without than about as to by under over near into through after before during until 's".split(
    ' ',
  ),
)

/** "CI builds the image" of "The image is built by CI", with the verb as the `active` sentence has it. */
export function activeOf(terms: readonly Term[], active: readonly Term[]): Term[] | undefined {
  const [by, be] = [terms.findIndex(({ key }) => key === 'by'), terms.findIndex(({ key }) => tenses.has(key))]
  const [done, participle, between, doer] = [
    terms.slice(0, be),
    terms[be + 1],
    terms.slice(be + 2, by),
    terms.slice(by + 1),
  ]
  const [verb, tense] = [active[doer.length], tenses.get(terms[be]?.key ?? '')]
  if (tense === undefined || verb === undefined || be < 1 || by < be + 2) return undefined
  // "Seen by Bob with a telescope".
  if (doer.some(({ key }) => linking.has(key)) || participleOf(verb.text, tense) !== participle?.text) return undefined
  // "Every file is owned by a user".
  const said = terms.filter(({ key }) => key !== 'to')
  return isSimple(said) && !mayShareOut(said) ? [...doer, verb, ...done, ...between] : undefined
}
