import { isDamage } from '../auth/scope-key-store.ts'
import { ServiceError, unavailable } from '../core/errors.ts'
import { CellError } from '../crypto/cell.ts'
import { KeyWrapError } from '../crypto/keys.ts'
import type { Database } from '../db/dialect.ts'

/** Turns store failures and damage into 503 with a reason. Any other error that isn't a ServiceError is a bug and is not changed. */
export async function explainFailure(error: unknown, db: Database): Promise<unknown> {
  if (error instanceof ServiceError) return error
  if (error instanceof CellError) return explainCell(error, db)
  if (error instanceof KeyWrapError)
    return unavailable('a stored key can’t be opened; restore a backup if this continues', { cause: error })
  const failure = db.explainFailure(error)
  return failure === undefined ? error : unavailable(failure.reason, { cause: error })
}

/** What people can delete permanently if it is damaged, by the table. */
const erasable: Readonly<Record<string, string>> = {
  memories: 'memory',
  tasks: 'task',
  notes: 'note',
  turns: 'turn',
  webhooks: 'webhook',
}

async function explainCell(error: CellError, db: Database): Promise<unknown> {
  const { table, rowId } = error.place.address
  const kind = erasable[table]
  const fix = kind === undefined ? 'restore a backup' : 'delete it permanently, or restore a backup'
  try {
    await isDamage(db.read, error)
    return unavailable(`${kind ?? `a row of ${table}`} ${rowId} is damaged; ${fix}`, { cause: error })
  } catch (other) {
    return explainFailure(other, db)
  }
}
