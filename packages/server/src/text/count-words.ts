/** How many words a person would count: runs of letters and digits, and each character of Chinese and Japanese writing. */
export function countWords(text: string): number {
  let words = 0
  for (const _ of text.matchAll(wordPattern)) words++
  return words
}

const ideograph = '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}]'
const wordPattern = new RegExp(
  `${ideograph}|(?!${ideograph})[\\p{L}\\p{N}](?:(?!${ideograph})[\\p{L}\\p{N}\\p{M}_'’-])*`,
  'gu',
)
