import { months } from '../text/calendar.ts'
import { isExact, trimmed } from './written-words.ts'
import { singular } from './word-forms.ts'
import { unifiedUnits } from './written-values.ts'

/**
 * The parts of a text that must match to the letter in any text that says the same: numbers, amounts, dates, versions, ids,
 * addresses, paths, code identifiers, signs and emoji, in their order.
 */

/** Signs that carry meaning, unlike punctuation. */
const symbol = /[?€$£¥₹%°<>=≠≤≥→←↔⇒&|~^*@#§+]|!(?=[^\s!?.,;:)\]}"'])|-(?=[.\p{N}])|\p{Extended_Pictographic}/gu

/** Here the letter case distinguishes bits from bytes. */
const isAmountOfData = (chunk: string): boolean => /^[\d.]{0,20}[kmgt][bB](?:\/s|ps)?$/i.test(chunk)

// English numbers up to 99 have become digits before this runs.
const countWords =
  'hundred thousand million billion dozen ' +
  'third fourth fifth sixth seventh eighth ninth tenth ' +
  'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig hundert tausend ' +
  'deux trois quatre cinq sept huit neuf dix onze douze vingt cent mille ' +
  'uno dos tres cuatro cinco seis siete ocho nueve diez once doce veinte cien mil'

const dateWords =
  'monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun ' +
  'today tomorrow yesterday tonight weekend ' +
  'spring summer autumn fall winter christmas easter century decade ' +
  'montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz mai juni juli oktober dezember ' +
  'heute morgen gestern lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril juin juillet août ' +
  'septembre octobre novembre décembre hier demain lunes martes miércoles jueves viernes sábado domingo enero febrero ' +
  'marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre hoy mañana ayer'

const units =
  'day week month quarter year m mi mile feet foot ft inch yard g mg lb lbs pound ounce oz ton ' +
  'b kb mb gb tb pb kib mib gib tib byte kilobyte megabyte gigabyte terabyte bit k bn percent cent gbp chf jpy yen ' +
  'celsius fahrenheit kelvin am pm utc gmt cet est pst core cpu watt kw volt hz khz mhz ghz px pt em rem time'

const setOf = (words: string) => new Set(words.split(' '))
const [counted, dated] = [setOf(countWords), new Set([...dateWords.split(' '), ...months])]
const measured = new Set([...units.split(' '), ...unifiedUnits])

const isIn = (words: ReadonlySet<string>, word: string) => words.has(word) || words.has(singular(word))

/** Whether a lower-case word is a number, a date or a unit in letters. */
const isDetailWord = (word: string): boolean => isIn(counted, word) || isIn(dated, word)

/** Expects the output of `unifyValues`. */
export function detailsOf(text: string): string[] {
  const found: string[] = []
  let followsNumber = false
  for (const [chunk] of text.matchAll(/\S+/gu)) {
    const written = chunk.slice(...trimmed(chunk))
    const bare = written.toLowerCase()
    for (const [sign] of chunk.matchAll(symbol)) found.push(sign)
    if (isAmountOfData(written)) found.push(bare.replace('b', /b/.test(written) ? 'bit' : 'byte'))
    else if (isExact(written)) found.push(bare)
    else if (isDetailWord(bare) || (followsNumber && isIn(measured, bare))) found.push(singular(bare))
    else for (const part of bare.split(/\P{L}+/u)) if (isDetailWord(part)) found.push(singular(part))
    followsNumber = /\p{N}/u.test(bare) || counted.has(bare)
  }
  return found
}
