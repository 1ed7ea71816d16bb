import { clipText } from './clip-summary.ts'

/** Below this a piece of a document is of no use. */
const leastChars = 100

export const cutMark = '\n… [cut: read-document gives all of it]'

/** The entry with only the beginning of its content and a mark behind it, so that its JSON has at most `roomChars` characters. */
export function cutContent<T extends { content: string }>(entry: T, roomChars: number): T | undefined {
  const of = (chars: number): T => ({
    ...entry,
    content: `${clipText(entry.content, chars)}${cutMark}`,
    truncated: true,
  })
  const fits = (chars: number) => JSON.stringify(of(chars)).length <= roomChars
  if (!fits(leastChars)) return undefined
  // Characters may take one place in JSON or six, so that how many fit has to be found.
  let [fitting, failing] = [leastChars, Math.min(entry.content.length, roomChars)]
  while (failing - fitting > 1) {
    const middle = Math.floor((fitting + failing) / 2)
    if (fits(middle)) fitting = middle
    else failing = middle
  }
  return of(fitting)
}
