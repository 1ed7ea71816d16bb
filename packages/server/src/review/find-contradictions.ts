import { keyedIn } from '../memories/find-page.ts'
import type { VaultContext } from '../operation/context.ts'
import { choiceTest, relatedPairs } from '../vault-index/choose-items.ts'
import { isDecided, listDecided, nameOf } from './decision-store.ts'

type Context = Pick<VaultContext, 'db' | 'vault' | 'indexes' | 'now'>

/** Undecided pairs of live memories with a `contradicts` link, newest first. */
export async function findContradictions({ db, vault, indexes, now }: Context): Promise<[string, string][]> {
  const decided = await listDecided(db.read, vault, 'contradiction')
  const pairs = await indexes.read(vault, (index) =>
    relatedPairs(
      index,
      'contradicts',
      choiceTest(index, { state: 'live', at: now(), kinds: ['memory'] }, keyedIn(vault)),
    ),
  )
  const open = new Map<string, [string, string]>()
  for (const pair of pairs) {
    const name = nameOf(pair)
    // The link may go in either direction.
    if (!isDecided(decided, pair) && !open.has(name)) open.set(name, pair)
  }
  return [...open.values()].toSorted((one, other) => (newerOf(one) < newerOf(other) ? 1 : -1))
}

/** Ids begin with their time of creation. */
const newerOf = ([one, other]: [string, string]) => (one > other ? one : other)
