import type { VaultScope } from '../crypto/keys.ts'
import type { Reader } from '../db/dialect.ts'
import { linksIn } from '../links/store.ts'

/** More than anybody reads; each step is one query. */
const maxChain = 200

/**
 * The memory with all that it took the place of, what took its place, and what else that did: at most some 200, the newest
 * first. What was deleted for good is missing, and what only that led to.
 */
export async function listChain(db: Reader, scope: VaultScope, id: string): Promise<string[]> {
  const found = new Map<string, number>()
  let front = [id]
  while (front.length > 0 && found.size < maxChain) {
    const rows = await db
      .selectFrom('memories')
      .select(['id', 'createdAt', 'supersedesId', 'supersededById'])
      .where('userId', '=', scope.userId)
      .where('vaultId', '=', scope.id)
      .where('id', 'in', front)
      .execute()
    for (const row of rows) found.set(row.id, row.createdAt)
    const next = [
      ...rows.flatMap((row) => [row.supersedesId, row.supersededById]),
      ...(await targetsOf(db, scope, front)),
    ]
    front = [...new Set(next)].filter((each) => each !== null).filter((each) => !found.has(each))
    front = front.slice(0, maxChain)
  }
  return [...found].toSorted(([a, madeA], [b, madeB]) => madeB - madeA || (a < b ? 1 : -1)).map(([each]) => each)
}

/** A memory names one that it supersedes; links tell of all. */
async function targetsOf(db: Reader, scope: VaultScope, ids: readonly string[]): Promise<string[]> {
  const rows = await linksIn(db, scope)
    .select('targetId')
    .where('sourceId', 'in', ids)
    .where('relationType', '=', 'supersedes')
    .where('targetType', '=', 'memory')
    .limit(maxChain)
    .execute()
  return rows.map(({ targetId }) => targetId)
}
