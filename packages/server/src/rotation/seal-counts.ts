import type { SealedCells } from '../auth/keyring.ts'
import { WriteBehind } from '../calls/write-behind.ts'
import type { Log } from '../core/log.ts'
import type { Database } from '../db/dialect.ts'
import { addSeals } from './scope-key-store.ts'

/** What a crash loses is little next to the limit. */
const minuteMs = 60_000

/** How much this server seals with each key. A key is replaced before it has sealed too much. */
export const createSealCounts = (db: Database, log: Log): WriteBehind<SealedCells> =>
  new WriteBehind({
    db,
    write: (some) => addSeals(db, some),
    join: (sum, more) => void (sum.cells += more.cells),
    everyMs: minuteMs,
    warning: 'sealed values were not counted yet',
    log,
  })
