/**
 * From Unicode's confusables, in lower case: each letter of "holdfast", and the letters of related alphabets that look like it without being
 * that letter with an accent or in another font.
 */
const lookAlikes = [
  'hħɦⱨηнһћңһӈӊꚕհ',
  'o0øɵᴏᴑꝋꬽꬾθοσоѳөօ',
  'l1i|łƚǀɨɩɫɭιіӏ∣│',
  'dðđƌɖɗԁ',
  'fƒᵮẝꞙꬵϝք',
  'aɑαа',
  'sƽʂᵴꜱѕտ',
  'tŧƭʈᵵⱦτтҭ',
]
const meant = new Map(lookAlikes.flatMap(([letter = '', ...others]) => others.map((one) => [one, letter])))

// Seven characters are “holdfast” with its last two letters as one. Reading shorter texts too would take 400 ms for 100,000 brackets.
const afterBracket = /[<﹤＜˂ᐸᚲ❮]([^<﹤＜˂ᐸᚲ❮]{7,})/g
/** Our marks, also without their dash, which may be invisible. */
const mark = /^[/\\⁄∕╱⟋⧸∖⟍⧵⧹]*holdfast([\p{Pd}_˗۔⁃−➖]|recall|item|document)/u
/** Nothing to see, or only on another letter: white space, control characters, ignorable characters, accents. */
const unseen = /[\s\p{C}\p{M}\p{DI}]+/gu

/** Changes stored text so it can neither open nor close one of our marks, or look as if. Keeps its length. Runs in linear time. */
export const defuseMarks = (text: string): string =>
  text.replaceAll(afterBracket, (all, after: string) => (mark.test(readText(after)) ? `‹${after}` : all))

/** What a reader takes a text for. Removes accents first, because sorting a long row of them isn't linear. */
function readText(text: string): string {
  const letters = text.replaceAll(unseen, '').normalize('NFKD').toLowerCase().replaceAll(unseen, '')
  return Array.from(letters, (letter) => meant.get(letter) ?? letter).join('')
}
