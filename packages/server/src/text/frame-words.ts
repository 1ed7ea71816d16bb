import { rows } from './same-words.ts'

/** What leads to a claim, away from it, or fills it. */

/** Said before or after a claim, it tells nothing of it. */
const openings =
  'note that, please note that, please note, remember that, please remember that, keep in mind that, bear in mind that, ' +
  'just so you know, for your information, fyi, for the record, by the way, btw, as of now, so basically, please, ' +
  'it is worth noting that, it should be noted that, it turns out that, just a reminder that, do note that'
/** These do so only with a colon behind them: "Well water is safe" is not "Water is safe", nor are "Info, docs" the docs. */
const labels = 'note, important, reminder, info, nb, remember, update, heads up'
/** These with a comma too. */
const interjections =
  'so, well, okay, ok, for reference, for context, good to know, worth knowing, as discussed, as mentioned, as agreed, as a reminder, ' +
  'as far as the code goes, just to confirm, just confirmed, confirmed, just learned, just learnt, quick note, quick update, side note, note to self, ' +
  'for future reference, as a side note, to be clear, in short, important note, small note, as you know, as already mentioned, it turns out'
const closings =
  'for reference, for the record, as mentioned, as discussed, as agreed, as a reminder, ' +
  'by the way, btw, please, just so you know, fyi, for your information, as of now'

/** Left out of a plain sentence wherever they stand. */
const colourless = 'please really basically actually'
/** Left out of a plain sentence beside a verb that tells how something stands: "now lives", but "Do not call now". */
const present = 'now currently presently'

const asPhrases = (list: string) => rows(list, ',').toSorted((a, b) => b.length - a.length)

export const openingPhrases = asPhrases(openings)
export const openingLabels = asPhrases(labels)
export const openingInterjections = asPhrases(interjections)
export const closingPhrases = asPhrases(closings)
export const fillerWords: ReadonlySet<string> = new Set(colourless.split(' '))
export const presentWords: ReadonlySet<string> = new Set(present.split(' '))
