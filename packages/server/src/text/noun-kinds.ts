import type { Term } from './claim-terms.ts'

/** Nouns, by what may be said of them in two ways. */

/** What a thing has: "of" and "for" tell whose it is. */
export const attributes = new Set(
  (
    'budget quota limit size length height width weight depth color temperature version port timezone deadline timeout status title ' +
    'price capacity location origin logo license lifetime retention maintainer lead default pipeline repository branch cluster ' +
    'database endpoint dashboard standup'
  ).split(' '),
)
/** "Ann's picture" may be of Bob, her phone is hers; a phone for her is not hers yet. */
const possessions = new Set(
  (
    'owner manager boss name password address birthday mother father parent wife husband son daughter brother sister uncle aunt ' +
    'nephew niece cousin friend partner colleague neighbor doctor dentist lawyer teacher dog cat car house flat apartment home office ' +
    'phone laptop email account team company school job hobby age salary capital'
  ).split(' '),
)
/** Whether "of" tells whose one this is. */
export const isOwnable = ({ text, key }: Term): boolean =>
  [text, key].some((word) => attributes.has(word) || possessions.has(word))

/** Of a day: "Tuesday's outage", "the outage on Tuesday". */
export const events = new Set(
  'outage meeting incident lunch dinner breakfast call release review standup retrospective talk workshop party appointment game match flight lesson class session training demo'.split(
    ' ',
  ),
)
/** "A glass of wine" is no "wine glass". */
export const holders = new Set(
  'glass cup bottle box bag jar can pack packet basket number amount lot kind sort type pair piece bit part end start list set group'.split(
    ' ',
  ),
)
