import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

/**
 * Every query on a table with an owner filters by that owner, and on a table of vaults by the vault as well. Reads the source, so a
 * store that forgets the filter fails here, whoever calls it.
 */

const root = join(import.meta.dirname, '../src')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const overAllOwners = 'a job works for all owners'
const byRow = 'the rows were selected with their owner just before'
const byKey = 'the primary key is owner and id'

/** File, table and column, and why the filter may be missing. If there is more than one such query, their number. */
const exceptions = new Map<string, string | [number, string]>([
  ['accounts/store.ts indexEntries userId', 'the operator sees counts over all owners'],
  ['accounts/store.ts indexEntries vaultId', 'the operator sees counts over all owners'],
  ['calls/rate-exchange-store.ts rateCounts userId', 'deletes outdated counts of all owners'],
  ['calls/usage-store.ts usage userId', 'the operator sees sums over all owners'],
  ['integrations/store.ts reviewDecisions vaultId', 'an integration is deleted in all vaults'],
  ['integrations/store.ts vaultGrants vaultId', [2, 'an integration is changed or deleted in all vaults']],
  ['memories/claim-store.ts claimedWrites vaultId', byKey],
  ['memories/claim-store.ts tasks vaultId', byKey],
  ['memories/cleanup-store.ts tasks vaultId', 'joined to memories, which are filtered by vault'],
  ['memories/purge-store.ts memories userId', overAllOwners],
  ['memories/purge-store.ts memories vaultId', overAllOwners],
  ['transfer/place-store.ts indexEntries vaultId', 'says in which vault of the owner a record is'],
  ['transfer/place-store.ts messages vaultId', 'says in which vault of the owner a message is'],
  ['vault-index/stored/missing-store.ts indexEntries vaultId', overAllOwners],
  ['vault-index/stored/snapshot-store.ts indexSnapshots userId', overAllOwners],
  ['vault-index/stored/snapshot-store.ts indexSnapshots vaultId', overAllOwners],
  ['messages/inbox-store.ts messages vaultId', 'an inbox spans the vaults of its owner'],
  ['sign-in/passkey-store.ts passkeys userId', 'found by a keyed tag before the owner is known'],
  ['turns/turn-store.ts extractionJobs userId', overAllOwners],
  ['turns/turn-store.ts extractionJobs vaultId', overAllOwners],
  ['vault-index/stored/missing-store.ts indexEntries userId', overAllOwners],
  ['vault-index/stored/snapshot-store.ts vaults userId', overAllOwners],
  ['vaults/settings-store.ts vaults userId', overAllOwners],
  ['vaults/store.ts vaults userId', overAllOwners],
  ['webhooks/delivery-store.ts webhookDeliveries userId', [5, byRow]],
  ['webhooks/lease-store.ts webhookDeliveries userId', overAllOwners],
])

/** Columns of each table by its name in the schema. */
const tables = new Map(
  globSync('db/tables/*.ts', { cwd: root }).flatMap((path) =>
    [...read(path).matchAll(/export interface (\w)(\w*)Table[^{]*\{([^]*?)\n\}/g)].map(
      ([, first = '', rest = '', columns = '']) => [first.toLowerCase() + rest, columns] as const,
    ),
  ),
)

const filtersOf = (table: string): string[] => {
  const columns = tables.get(table) ?? ''
  return ['userId', 'vaultId'].filter((column) => columns.includes(`\n  ${column}: string\n`))
}

/** The calls chained from `at` on, without those that only name columns. */
function chainFrom(text: string, at: number): string {
  let chain = ''
  let from = at
  for (;;) {
    const call = /^\s*(?:\/\/.*\n\s*)*\.([\w$]+)(?:<[^(]*>)?\(/.exec(text.slice(from))
    if (call === null) return chain
    let end = from + call[0].length
    for (let depth = 1; depth > 0 && end < text.length; end++) {
      if (text[end] === '(') depth++
      if (text[end] === ')') depth--
    }
    if (!/^(select|returning|orderBy|groupBy|set)$/.test(call[1] ?? '')) chain += text.slice(from, end)
    from = end
  }
}

const unfiltered = globSync('**/*.ts', { cwd: root })
  .filter((path) => !/\.test\.ts$|testing\/|^db\/migrations/.test(path))
  .flatMap((path) => {
    const text = read(path)
    return [...text.matchAll(/\.(?:selectFrom|updateTable|deleteFrom)\(\s*'(\w+)/g)].flatMap((query) => {
      const table = query[1] ?? ''
      const chain = chainFrom(text, query.index)
      return filtersOf(table)
        .filter((column) => !chain.includes(column))
        .map((column) => `${path} ${table} ${column}`)
    })
  })

describe('queries on tables with an owner', () => {
  it('are found in the source', () => {
    expect([...tables.keys()].filter((table) => filtersOf(table).includes('userId')).length).toBeGreaterThan(30)
    expect(filtersOf('memories')).toEqual(['userId', 'vaultId'])
    expect(chainFrom(`.selectFrom('notes').select(['userId']).where('id', '=', id).execute()`, 0)).not.toContain(
      'userId',
    )
  })

  it('filter by owner and vault, with few exceptions', () => {
    const counts = new Map<string, number>()
    for (const found of unfiltered) counts.set(found, (counts.get(found) ?? 0) + 1)
    const allowed = new Map([...exceptions].map(([found, why]) => [found, typeof why === 'string' ? 1 : why[0]]))
    expect(Object.fromEntries(counts)).toEqual(Object.fromEntries(allowed))
  })
})
