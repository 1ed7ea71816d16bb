import { rows } from './same-words.ts'

/** Said before or after a claim, it tells nothing of it: with a colon or comma behind it, or none. */
const openings =
  'note that, please note that, remember that, please remember that, keep in mind that, bear in mind that, just so you know, ' +
  'for your information, fyi, for the record, by the way, btw, as of now, so basically, please'
/** Only with a colon behind them: "Well water is safe" is not "Water is safe", nor are "Info, docs" the docs. */
const labels = 'note, important, reminder, info, remember, update'
/** With a comma too. */
const interjections =
  'so, well, okay, ok, for reference, for context, as discussed, as mentioned, as agreed, as a reminder'
const closings = 'for reference, for the record, as mentioned, as discussed, as agreed, by the way, btw, please, fyi'

const asPhrases = (list: string) => rows(list, ',').toSorted((a, b) => b.length - a.length)

export const openingPhrases = asPhrases(openings)
export const openingLabels = asPhrases(labels)
export const openingInterjections = asPhrases(interjections)
export const closingPhrases = asPhrases(closings)
/** Left out of a plain sentence wherever they stand. */
export const fillerWords: ReadonlySet<string> = new Set(['really', 'actually', 'basically'])
