/**
 * The word lists of rewordings: synonyms, phrases, fillers. Synonyms are in base form, one meaning per line. A line belongs here only if
 * swapping its words never changes an everyday sentence, and if none of them is a term, a command or a file name in software ("docs",
 * "auth", "film"). A missing word costs a duplicate, a wrong one costs a fact. `synonyms.ts` decides where they apply.
 */

export const verbs = `
  start begin
  finish complete
  buy purchase
  fix repair
  need require
  live reside
  allow permit
  forbid prohibit
  improve enhance`

export const nouns = `
  doctor physician
  lawyer attorney
  children kids
  colleague coworker
  bike bicycle
  photo photograph
  sofa couch
  fridge refrigerator
  repository repo
  configuration config
  environment env
  parameter param
  certificate cert
  department dept
  retrospective retro`

/** In the third person. */
export const foreignVerbs = `
  vive reside
  empieza comienza`

/** Phrases and their equivalent after `=`; articles were removed before. */
const phrases = `
  is able to = can
  are able to = can
  wishes to = wants to
  in order to = to
  because of = because-of
  prior to = before
  is located in = is in
  are located in = are in
  is head of = leads
  made decision to = decided to
  came to agreement about = agreed about
  takes walk = walks
  has preference for = prefers
  has allergy to = is allergic to
  has fear of = is afraid of
  base de données = bdd
  aime mieux = préfère`

/** The words of each row. */
export const rows = (table: string, between = '\n') =>
  table
    .split(between)
    .map((row) => row.trim().split(/\s+/))
    .filter(([first]) => first !== '')

const knownPhrases = Map.groupBy(
  rows(phrases).map((row) => ({ words: row.slice(0, row.indexOf('=')), to: row.slice(row.indexOf('=') + 1) })),
  ({ words: [first = ''] }) => first,
)

/** Phrases that start with this word. */
export const phrasesFrom = (word: string) => knownPhrases.get(word) ?? []

/** Phrases before a claim that add nothing to it, with or without a colon or comma. */
const openings =
  'note that, please note that, remember that, please remember that, keep in mind that, bear in mind that, just so you know, ' +
  'for your information, fyi, for the record, by the way, btw, as of now, so basically, please'
/** Only with a colon: "Info, docs" is not "Docs". */
const labels = 'note, important, reminder, info, remember, update'
/** Only with a colon or a comma: "Well water is safe" is not "Water is safe". */
const interjections =
  'so, well, okay, ok, for reference, for context, as discussed, as mentioned, as agreed, as a reminder'
const closings = 'for reference, for the record, as mentioned, as discussed, as agreed, by the way, btw, please, fyi'

const asPhrases = (list: string) => rows(list, ',').toSorted((a, b) => b.length - a.length)

export const openingPhrases = asPhrases(openings)
export const openingLabels = asPhrases(labels)
export const openingInterjections = asPhrases(interjections)
export const closingPhrases = asPhrases(closings)
/** Dropped anywhere in a plain sentence. */
export const fillerWords: ReadonlySet<string> = new Set(['really', 'actually', 'basically'])
