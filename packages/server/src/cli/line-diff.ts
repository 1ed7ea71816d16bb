import { diffLines as compareLines } from 'diff'

/** The lines that an edit removed and added, marked with `-` and `+`, without the unchanged lines around them. */
export function diffLines(before: string, after: string): string[] {
  return compareLines(before, after, { ignoreNewlineAtEof: true }).flatMap(({ added, removed, value }) =>
    added || removed
      ? value
          .replace(/\n$/, '')
          .split('\n')
          .map((line) => `${added ? '+' : '-'} ${line}`)
      : [],
  )
}
