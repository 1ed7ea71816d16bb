// A process that migrates a store and kills itself, as `kill -9` would, before it sends its n-th statement or after a commit.
// Arguments: the store as JSON, and n. Without a kill it ends with exit code 0.

import type { KyselyPlugin } from 'kysely'
import { migrate } from '../../src/db/migrate.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { openSqlite } from '../../src/db/sqlite.ts'
import type { FreshStore } from '../dialects.ts'

const [, , place = '', moment = ''] = process.argv
const store = JSON.parse(place) as FreshStore
const db = store.kind === 'sqlite' ? openSqlite(store.dir) : await openPostgres(store.url)

let moments = 0
function mayDie(): void {
  if (moments++ === Number(moment)) process.kill(process.pid, 'SIGKILL')
}

const beforeEach: KyselyPlugin = {
  transformQuery({ node }) {
    mayDie()
    return node
  },
  transformResult: ({ result }) => Promise.resolve(result),
}

const { write } = db
db.write = async (work) => {
  const result = await write((tx) => work(tx.withPlugin(beforeEach)))
  mayDie()
  return result
}
await migrate(db)
await db.close()
