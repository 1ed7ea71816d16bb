import type { Parser, Tree } from '@lezer/common'

/** Short enough for the page to answer a key in time. */
export const stepMs = 8

/** Parses a long text with pauses in which the page can answer keys. Undefined once `signal` aborts. */
export async function parseInSteps(parser: Parser, text: string, signal: AbortSignal): Promise<Tree | undefined> {
  const parse = parser.startParse(text)
  for (let until = performance.now() + stepMs; ;) {
    const tree = parse.advance()
    if (tree !== null) return signal.aborted ? undefined : tree
    if (performance.now() < until) continue
    await nextTask()
    if (signal.aborted) return undefined
    until = performance.now() + stepMs
  }
}

export const nextTask = (): Promise<void> => new Promise((done) => setTimeout(done))
