import { counterOf, type SealedCells } from '../auth/keyring.ts'
import { WriteBehind } from '../calls/write-behind.ts'
import type { Services } from '../operation/context.ts'
import { addInstanceSeals } from './instance-key-store.ts'
import { addSeals } from './rotation-progress-store.ts'
import { maxSealsPerKey } from './stored-keys.ts'

/** What a crash loses is little next to the limit. */
const minuteMs = 60_000

/** How much this server seals with each key. A key is replaced before it has sealed too much. From now on, those of the instance count, too. */
export function createSealCounts(
  { db, instance, log }: Pick<Services, 'db' | 'instance' | 'log'>,
  maxInstanceSeals = maxSealsPerKey,
): WriteBehind<SealedCells> {
  const { id } = instance
  const isInstance = ({ scopeId }: SealedCells) => scopeId === id
  const seals = new WriteBehind<SealedCells>({
    db,
    write: (some) => (some.every(isInstance) ? addInstanceSeals(db, some, maxInstanceSeals) : addSeals(db, some)),
    // A rotation that holds keys of scopes may wait for the instance's row.
    groupOf: (sum) => (isInstance(sum) ? 'instance' : 'scopes'),
    join: (sum, more) => void (sum.cells += more.cells),
    everyMs: minuteMs,
    warning: 'sealed values were not counted yet',
    log,
  })
  instance.keys = instance.keys.countingWith((generation) => counterOf(seals, { userId: id, scopeId: id }, generation))
  return seals
}
