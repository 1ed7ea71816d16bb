/**
 * What of a text must agree to the letter with another that says the same: numbers, amounts, dates, versions, ids,
 * addresses, paths, identifiers of code, signs and pictures, in their order.
 */

/** Inside of these nothing is punctuation. */
const symbol = /[?€$£¥₹%°<>=≠≤≥→←↔⇒&|~^*@#§+]|!(?=[^\s!?.,;:)\]}"'])|-(?=[.\p{N}])|\p{Extended_Pictographic}/gu

/** A number, or what is written as one thing and is no word: a path, an address, an identifier. */
const isExact = (chunk: string): boolean => /\p{N}/u.test(chunk) || /[_/\\]|\p{Ll}\p{Lu}|\p{L}[.:@]\p{L}/u.test(chunk)

/** Where the letter case tells bits from bytes. */
const isAmountOfData = (chunk: string): boolean => /^[\d.]{0,20}[kmgt][bB](?:\/s|ps)?$/i.test(chunk)

/** Not a pattern: one that is bound to the end takes quadratic time on "x......x". */
const punctuation = new Set(`"'“”‘’«»„()[]{}<>,;:!?….¿¡*\``)

function trimPunctuation(chunk: string): string {
  let [start, end] = [0, chunk.length]
  while (start < end && punctuation.has(chunk[start] ?? '') && !isDecimal(chunk, start)) start++
  while (end > start && punctuation.has(chunk[end - 1] ?? '')) end--
  return chunk.slice(start, end)
}

const isDecimal = (chunk: string, at: number) => chunk[at] === '.' && /^\p{N}/u.test(chunk.slice(at + 1, at + 3))

const countWords =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen ' +
  'nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion dozen ' +
  'third fourth fifth sixth seventh eighth ninth tenth ' +
  'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig hundert tausend ' +
  'deux trois quatre cinq sept huit neuf dix onze douze vingt cent mille ' +
  'uno dos tres cuatro cinco seis siete ocho nueve diez once doce veinte cien mil'

const dateWords =
  'monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun ' +
  'january february march april may june july august september october november december ' +
  'jan feb mar apr jun jul aug sep sept oct nov dec today tomorrow yesterday tonight weekend ' +
  'spring summer autumn fall winter christmas easter century decade ' +
  'montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz mai juni juli oktober dezember ' +
  'heute morgen gestern lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril juin juillet août ' +
  'septembre octobre novembre décembre hier demain lunes martes miércoles jueves viernes sábado domingo enero febrero ' +
  'marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre hoy mañana ayer'

const units =
  'ms s sec second minute min h hour hr day week month quarter year km m cm mm mi mile feet foot ft inch yard ' +
  'kg g mg lb pound ounce oz ton b kb mb gb tb pb kib mib gib tib byte bit k bn percent euro dollar cent usd eur gbp chf jpy yen ' +
  'celsius fahrenheit kelvin am pm utc gmt cet est pst core cpu watt kw volt hz khz mhz ghz px pt em rem time'

const setOf = (words: string) => new Set(words.split(' '))
const [counted, dated, measured] = [setOf(countWords), setOf(dateWords), setOf(units)]

/** Whether a lower-case word is a number, a date or a unit in letters. */
export const isDetailWord = (word: string): boolean => isIn(counted, word) || isIn(dated, word)

const isIn = (words: ReadonlySet<string>, word: string) => words.has(word) || words.has(singular(word))

const singular = (word: string) => word.replace(/(?<=..)s$/, '')

export function detailsOf(text: string): string[] {
  const found: string[] = []
  let followsNumber = false
  for (const [chunk] of text.matchAll(/\S+/gu)) {
    const written = trimPunctuation(chunk)
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
