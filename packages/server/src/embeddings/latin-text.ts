const letter = /\p{L}/u
const latin = /\p{Script=Latin}/u

/**
 * Whether at least half of a text's letters are Latin; true where it has no letters. One that is not says nothing to a model
 * whose table was made from English: it knows other scripts letter by letter. Linear.
 */
export function isMostlyLatin(text: string): boolean {
  let others = 0
  let all = 0
  for (const char of text) {
    if (!letter.test(char)) continue
    all++
    if (!latin.test(char)) others++
  }
  return others * 2 <= all
}
