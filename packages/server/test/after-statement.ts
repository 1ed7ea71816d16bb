import type { KyselyPlugin } from 'kysely'

/** Does the work once, right after the given statement of those that go through this plugin; the first is 1. */
export function afterStatement(number: number, work: () => Promise<unknown>): KyselyPlugin & { isDone(): boolean } {
  let count = 0
  return {
    isDone: () => count >= number,
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (++count === number) await work()
      return result
    },
  }
}
