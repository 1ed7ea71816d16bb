/** How many words a person would count: runs of letters and digits, and each character of Chinese and Japanese writing. */
export function countWords(text: string): number {
  let words = 0
  for (const { 0: run, 1: ideographs } of text.matchAll(wordPattern))
    words += ideographs === undefined ? 1 : run.length - (run.match(secondHalf)?.length ?? 0)
  return words
}

/** Of a character that is two to JavaScript. */
const secondHalf = /[\udc00-\udfff]/g
const ideograph = '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}]'
const wordPattern = new RegExp(
  `(${ideograph}+)|(?!${ideograph})[\\p{L}\\p{N}](?:(?!${ideograph})[\\p{L}\\p{N}\\p{M}_'’-])*`,
  'gu',
)
