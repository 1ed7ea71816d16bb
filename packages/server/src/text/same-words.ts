/**
 * What stands for the same in what agents write down, in base forms, one line a meaning. A line belongs here only if in no everyday
 * sentence one of its words for another tells another thing, and if none is a term, a command or a file of those who write software
 * ("docs", "auth", "film"): what is missing costs a copy, what is wrong costs a fact. Where they may stand is for `stand-ins.ts`.
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

/** What several words come to, behind `=`; articles are left out before. */
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

/** The words of each row of a table. */
export const rows = (table: string, between = '\n') =>
  table
    .split(between)
    .map((row) => row.trim().split(/\s+/))
    .filter(([first]) => first !== '')

const knownPhrases = Map.groupBy(
  rows(phrases).map((row) => ({ words: row.slice(0, row.indexOf('=')), to: row.slice(row.indexOf('=') + 1) })),
  ({ words: [first = ''] }) => first,
)

/** Phrases that begin with this word. */
export const phrasesFrom = (word: string) => knownPhrases.get(word) ?? []
