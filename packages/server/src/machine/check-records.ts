import { listUserIds } from '../accounts/store.ts'
import { type Finding, failed, ok, warning } from '../core/finding.ts'
import type { Services } from '../operation/context.ts'
import { openAllRows, type Opened } from '../rotation/damaged-store.ts'

export const recordsCheck = 'records'

/** Less than the command line waits for an answer. */
const maxMs = 20_000

/** Named at most of each kind. */
const maxNamed = 10

/** Opens everything that the users have stored, and names what is damaged. */
export async function checkRecords({ db, keyring }: Pick<Services, 'db' | 'keyring'>): Promise<Finding> {
  const stopAt = performance.now() + maxMs
  const damaged = new Map<string, Set<string>>()
  let rows = 0
  const isLate = () => performance.now() > stopAt
  for (const userId of await listUserIds(db.read)) {
    for await (const row of openAllRows({ db: db.read, keyring }, userId)) {
      rows++
      if (row.isDamaged) addTo(damaged, row)
      if (isLate()) break
    }
    if (isLate()) break
  }
  const rest = isLate() ? ` Only the first ${rows} stored rows were opened.` : ''
  if (damaged.size > 0)
    return failed(
      recordsCheck,
      `Damaged: ${[...damaged].map(describe).join('; ')}.${rest}`,
      'Run `holdfast check --repair`. For what it can’t repair, restore a backup, or delete damaged memories and notes permanently (`DELETE /api/memories`, `POST /api/notes/erase`).',
    )
  if (isLate())
    return warning(
      recordsCheck,
      `Only the first ${rows} stored rows were opened; all are intact.`,
      'Run it again when the server is less busy.',
    )
  return ok(recordsCheck, `everything stored can be opened (${rows} rows)`)
}

function addTo(damaged: Map<string, Set<string>>, { table, rowId }: Opened): void {
  const ids = damaged.get(table) ?? new Set()
  damaged.set(table, ids.add(rowId))
}

function describe([table, ids]: [string, ReadonlySet<string>]): string {
  const named = [...ids].slice(0, maxNamed)
  return `${table} ${ids.size} (${named.join(', ')}${named.length < ids.size ? ', …' : ''})`
}
