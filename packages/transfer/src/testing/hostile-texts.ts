/** Texts that try to slow down a parser. Each has about `size` characters. */
export type MakeText = (size: number) => string

const repeated =
  (piece: string): MakeText =>
  (size) =>
    piece.repeat(Math.ceil(size / piece.length))

/** Repeats different pieces, so caches do not help. */
const numbered =
  (pieceOf: (at: number) => string): MakeText =>
  (size) => {
    let text = ''
    for (let at = 0; text.length < size; at++) text += pieceOf(at)
    return text
  }

export const hostileTexts: Readonly<Record<string, MakeText>> = {
  'spaces in a heading': (size) => `# a${' '.repeat(size)}x`,
  'spaces in a line': (size) => `a${' '.repeat(size)}x`,
  'spaces in the rule of a table': (size) => `a|\n|${'-'.repeat(size / 2)}${' '.repeat(size / 2)}x`,
  'marks behind a heading': (size) => `# a${' #'.repeat(size / 2)}x`,
  'short rows below many columns': (size) =>
    `${'|a'.repeat(size / 10)}\n${'|-'.repeat(size / 10)}\n${'|x\n'.repeat(size / 3)}`,
  'rows of a table': (size) => `|a|b|\n|-|-|\n${'|c|d|\n'.repeat(size / 6)}`,
  brackets: repeated('['),
  'closed brackets': repeated('[a]'),
  'links that are not closed': repeated('[a]('),
  'titles that are not closed': repeated('[[a'),
  'links to one title': repeated('[[a]]'),
  'links to many titles': numbered((at) => `[[b${at}]]`),
  'links to a long title': repeated(`[[${'é'.repeat(400)}]]`),
  'a bracket that closes nothing, often': (size) => '*a'.repeat(size / 4) + ']'.repeat(size / 2),
  'runs of backticks, each of another length': numbered((at) => `${'`'.repeat(at)}x `),
  'backticks by ones and twos': repeated('` `` '),
  backslashes: repeated('\\'),
  fences: repeated('```\n'),
  'fences in fences': repeated('~~~\n```\n'),
  'a fence that a backtick spoils': (size) => `${'~'.repeat(size)}\``,
  'marks of quotes': (size) => `${'> '.repeat(size / 2)}x`,
  'marks of lists': (size) => `${'- '.repeat(size / 2)}x`,
  'lists that go in and out': numbered((at) => `${' '.repeat(at % 200)}- x\n`),
  'items of a list': repeated('- a\n\n'),
  headings: repeated('# a\n'),
  'emphasis that is not closed': repeated('*a **b '),
  'marks of tags': repeated('#a '),
  'tags of a page': repeated('<a '),
  comments: repeated('<!--'),
  addresses: repeated('https://a '),
  quotation: repeated('"'),
  'short sentences': repeated('A. '),
  'joined words': repeated('a.'),
  'a word': repeated('a'),
  'words without spaces': repeated('漢'),
  accents: (size) => `a${'\u0301'.repeat(size)}`,
  'line breaks': repeated('\n'),
  'blank lines': repeated(' \n'),
}

/** A text 4 times as long may take 6 times as long. Linear time is 4, quadratic time is 16. */
const [times, most] = [4, 6]
/** Anything faster is noise and always passes. */
const quickMs = 100
/** Uses the best of several tries, because other programs only make it slower. */
const tries = 6

/** Describes by how much a longer text takes too long, or returns undefined. */
export function findExcess(read: (text: string) => unknown, make: MakeText, size = 20_000): string | undefined {
  const [short, long] = [make(size), make(size * times)]
  let [shortMs, longMs] = [Infinity, Infinity]
  for (let at = 0; at < tries; at++) {
    shortMs = Math.min(shortMs, measureMs(read, short))
    longMs = Math.min(longMs, measureMs(read, long))
    if (longMs <= Math.max(quickMs, shortMs * most)) return undefined
  }
  return `A text ${times} times as long takes ${(longMs / shortMs).toFixed(1)} times as much time: ${longMs.toFixed(0)} ms`
}

/** The processor time of the quickest of several tries, until one is within the limit. */
export function measureBestMs(read: (text: string) => unknown, text: string, limitMs: number): number {
  let best = Infinity
  for (let at = 0; at < tries && best > limitMs; at++) best = Math.min(best, measureMs(read, text))
  return best
}

/** Measures this thread's processor time in milliseconds. */
function measureMs(read: (text: string) => unknown, text: string): number {
  const before = process.threadCpuUsage()
  read(text)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}
