import { wrappedUnder } from '../crypto/keys.ts'
import type { Database, Reader } from '../db/dialect.ts'

/** The MEKs that are wrapped under root keys, one wrap for the user and one for each integration. The instance key is not included. */

/** A wrapped MEK of a user, for the user or for one of their integrations. During a rotation of the MEK, each has two. */
export interface WrappedMek {
  column: 'wrappedMek' | 'nextWrappedMek'
  holder: 'user' | 'integration'
  userId: string
  /** The id of the user or the integration. */
  id: string
  wrappedMek: Uint8Array
  mekVersion: number
}

const pageSize = 200

/** All MEKs wrapped under the root key with this id, in pages. */
export async function* listWrapsUnder(db: Reader, rootKeyId: string): AsyncGenerator<WrappedMek[]> {
  for (const pages of [listOfUsers(db), listOfIntegrations(db)])
    for await (const page of pages) {
      const found = page.filter(({ wrappedMek }) => isUnder(wrappedMek, rootKeyId))
      if (found.length > 0) yield found
    }
}

async function* listOfUsers(db: Reader): AsyncGenerator<WrappedMek[]> {
  for (let after = ''; ;) {
    const rows = await db
      .selectFrom('users')
      .select(['id', 'wrappedMek', 'nextWrappedMek', 'mekVersion'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(pageSize)
      .execute()
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
    yield rows.flatMap((row) => wrapsIn({ holder: 'user', userId: row.id, id: row.id }, row))
  }
}

async function* listOfIntegrations(db: Reader): AsyncGenerator<WrappedMek[]> {
  for (let after = { userId: '', id: '' }; ;) {
    const rows = await db
      .selectFrom('integrations')
      .select(['userId', 'id', 'wrappedMek', 'nextWrappedMek', 'mekVersion'])
      .where((where) => where(where.refTuple('userId', 'id'), '>', where.tuple(after.userId, after.id)))
      .orderBy('userId')
      .orderBy('id')
      .limit(pageSize)
      .execute()
    const last = rows.at(-1)
    if (last === undefined) return
    after = last
    yield rows.flatMap(({ userId, id, ...row }) => wrapsIn({ holder: 'integration', userId, id }, row))
  }
}

function wrapsIn(
  holder: Pick<WrappedMek, 'holder' | 'userId' | 'id'>,
  row: { wrappedMek: Uint8Array | null; nextWrappedMek: Uint8Array | null; mekVersion: number },
): WrappedMek[] {
  const wrap = (column: WrappedMek['column'], mekVersion: number) =>
    row[column] === null ? [] : [{ ...holder, column, wrappedMek: row[column], mekVersion }]
  return [...wrap('wrappedMek', row.mekVersion), ...wrap('nextWrappedMek', row.mekVersion + 1)]
}

// A damaged wrap has no key id.
function isUnder(wrapped: Uint8Array, rootKeyId: string): boolean {
  try {
    return wrappedUnder(wrapped) === rootKeyId
  } catch {
    return false
  }
}

export async function countWrapsUnder(db: Reader, rootKeyId: string): Promise<number> {
  let count = 0
  for await (const page of listWrapsUnder(db, rootKeyId)) count += page.length
  return count
}

/** Replaces each wrap, unless it was changed or deleted since it was read. */
export async function replaceWraps(db: Database, wraps: readonly { seen: WrappedMek; wrappedMek: Buffer }[]) {
  if (wraps.length === 0) return
  await db.write(async (tx) => {
    for (const { seen, wrappedMek } of wraps)
      if (seen.holder === 'user')
        await tx
          .updateTable('users')
          .set({ [seen.column]: wrappedMek })
          .where('id', '=', seen.id)
          .where(seen.column, '=', seen.wrappedMek)
          .execute()
      else
        await tx
          .updateTable('integrations')
          .set({ [seen.column]: wrappedMek })
          .where('userId', '=', seen.userId)
          .where('id', '=', seen.id)
          .where(seen.column, '=', seen.wrappedMek)
          .execute()
  })
}
