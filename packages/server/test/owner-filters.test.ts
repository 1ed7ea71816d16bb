import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tableUsesIn, type TableUse } from './queries.ts'

/**
 * Every query on a table with an owner has a condition on the owner, and on a table of vaults one on the vault as well. Reads the source, so
 * a store that forgets the condition fails here, whoever calls it. A joined table needs only the owner, which may come from another
 * table in the query: what is joined to a vault's rows by key belongs to them. A table named by a variable needs both conditions.
 * Inserts need none, because the types of the tables require both columns; an upsert needs them among its conflicting columns.
 */

const root = join(import.meta.dirname, '../src')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const overAllOwners = 'a job works for all owners'
const givenRows = 'the variable is a list of rows that the query was given, not a table'
const byKey = 'the primary key is owner and id'

/** File, table and column, and why the condition may be missing. If there is more than one such query, their number. */
const exceptions = new Map<string, string | [number, string]>([
  ['accounts/store.ts indexEntries userId', 'the operator sees counts over all owners'],
  ['accounts/store.ts indexEntries vaultId', 'the operator sees counts over all owners'],
  ['accounts/store.ts (variable) userId', 'the operator sees counts over all owners'],
  ['accounts/store.ts (variable) vaultId', 'the operator sees counts over all owners'],
  ['auth/store.ts agentKeys userId', 'the hash of an API key shows who the owner is'],
  [
    'auth/store.ts integrations userId',
    [
      2,
      'belongs to the owner of the API key, whose hash is the condition; the operator counts damaged profiles of all owners',
    ],
  ],
  ['auth/store.ts vaultGrants userId', 'belongs to the owner of the API key, whose hash is the condition'],
  ['auth/store.ts dashboardCredentials userId', 'the hash of a cookie or token shows who the owner is'],
  ['auth/store.ts (variable) userId', [2, givenRows]],
  ['calls/rate-exchange-store.ts rateCounts userId', 'deletes outdated counts of all owners'],
  ['calls/usage-store.ts usage userId', 'the operator sees sums over all owners'],
  ['instance/wrap-store.ts integrations userId', 'a rotation of the root key reads the wrapped keys of all owners'],
  ['integrations/oauth/grant-store.ts agentKeys userId', [2, 'the hash of a code or token shows who the owner is']],
  ['integrations/oauth/grant-store.ts integrations userId', 'belongs to the owner of the code or token'],
  ['integrations/oauth/grant-store.ts oauthGrants userId', [2, 'the hash of a code or token shows who the owner is']],
  ['integrity/digest-store.ts (variable) vaultId', 'looks for a lost record in all vaults of its owner'],
  ['integrity/entry-store.ts indexEntries vaultId', 'an entry that names another vault makes way for a new one'],
  ['integrity/entry-store.ts memories vaultId', 'looks for a lost memory in all vaults of its owner'],
  ['integrity/entry-store.ts notes vaultId', 'looks for a lost note in all vaults of its owner'],
  ['integrity/entry-store.ts indexEntries vaultId', 'removes an entry whose vault is wrong'],
  ['integrity/memory-store.ts tasks vaultId', [2, 'brings back the state of a task whose vault is wrong']],
  ['integrity/row-store.ts (variable) vaultId', [6, 'reads and corrects the rows of all vaults of an owner, by scope']],
  ['integrity/row-store.ts (variable) userId', 'the operator sees counts over all owners'],
  ['integrity/row-store.ts vaults userId', 'the operator names a vault of any owner'],
  ['integrations/store.ts (variable) vaultId', 'an integration is deleted in all vaults'],
  ['integrations/store.ts reviewDecisions vaultId', 'an integration is deleted in all vaults'],
  ['integrations/store.ts vaultGrants vaultId', [2, 'an integration is listed or changed in all vaults']],
  ['jobs/sweep-store.ts vaultKeys userId', overAllOwners],
  ['machine/delete-user-store.ts (variable) vaultId', 'a user is deleted with all vaults'],
  ['memories/claim-store.ts claimedWrites vaultId', 'the ids are those of memories of the vault'],
  ['memories/claim-store.ts tasks vaultId', byKey],
  ['memories/cleanup-store.ts tasks vaultId', byKey],
  ['memories/purge-store.ts memories userId', overAllOwners],
  ['proposals/store.ts proposals userId', overAllOwners],
  ['proposals/store.ts proposals vaultId', overAllOwners],
  ['memories/purge-store.ts memories vaultId', [2, 'a job finds vaults, or the ids come from a subquery on the vault']],
  ['memories/read-store.ts (variable) userId', [2, givenRows]],
  ['messages/inbox-store.ts messages vaultId', 'an inbox spans the vaults of its owner'],
  ['rotation/damaged-store.ts (variable) vaultId', 'opens the rows of all vaults of an owner, by scope'],
  ['rotation/reseal-store.ts (variable) vaultId', [4, 'seals the rows of all vaults of an owner again, by scope']],
  ['rotation/rotation-progress-store.ts vaultKeys userId', [4, overAllOwners]],
  ['sign-in/passkey-store.ts passkeys userId', 'found by a keyed tag before the owner is known'],
  ['transfer/place-store.ts indexEntries vaultId', 'says in which vault of the owner a record is'],
  ['transfer/place-store.ts messages vaultId', 'says in which vault of the owner a message is'],
  ['turns/turn-store.ts extractionJobs userId', overAllOwners],
  ['turns/turn-store.ts extractionJobs vaultId', overAllOwners],
  ['usage/vault-size-store.ts (variable) vaultId', 'measures all vaults of an owner in one scan, if an index allows'],
  ['usage/vault-size-store.ts vaults userId', overAllOwners],
  ['usage/vault-size-store.ts vaultMeasures userId', overAllOwners],
  ['usage/vault-size-store.ts vaultMeasures vaultId', 'a job confirms those of all vaults of an owner'],
  ['usage/vault-size-store.ts vaultSizes vaultId', 'a job compares those of all vaults of an owner'],
  ['vault-index/stored/missing-store.ts indexEntries userId', overAllOwners],
  ['vault-index/stored/missing-store.ts indexEntries vaultId', overAllOwners],
  ['vault-index/stored/snapshot-store.ts indexSnapshots userId', overAllOwners],
  ['vault-index/stored/snapshot-store.ts indexSnapshots vaultId', overAllOwners],
  ['vault-index/stored/snapshot-store.ts vaults userId', overAllOwners],
  ['machine/delete-user-store.ts vaultMembers userId', 'a user leaves the vaults of all owners'],
  ['machine/delete-user-store.ts vaultMembers vaultId', 'a user leaves all vaults'],
  ['machine/delete-user-store.ts vaultInvitations userId', 'a user is invited to no vault of any owner any more'],
  ['machine/delete-user-store.ts vaultInvitations vaultId', 'a user is invited to no vault any more'],
  ['vaults/erase-store.ts vaults userId', overAllOwners],
  ['vaults/erase-store.ts vaultKeys userId', overAllOwners],
  ['vaults/member-store.ts vaultMembers userId', [3, 'the caller is the member, and looks for vaults of others']],
  ['vaults/member-store.ts vaultMembers vaultId', 'lists all vaults that are shared with the caller'],
  ['vaults/member-store.ts vaultInvitations userId', 'the caller is the invited person'],
  [
    'vaults/member-store.ts vaultInvitations vaultId',
    [2, 'lists all vaults that the caller is invited to, or counts what they sent in all vaults of an owner'],
  ],
  ['vaults/settings-store.ts vaults userId', overAllOwners],
  ['vaults/record-store.ts indexEntries vaultId', 'says in which vault of the owner a record is'],
  ['vaults/store.ts vaults userId', overAllOwners],
  [
    'webhooks/delivery-store.ts webhookDeliveries userId',
    [5, 'a job for all owners, or rows whose owners and ids were selected just before'],
  ],
  ['webhooks/backlog-store.ts webhookDeliveries userId', [2, 'the operator sees how many wait in all queues']],
  ['webhooks/backlog-store.ts webhooks userId', 'the operator sees how many wait in all queues'],
  ['webhooks/lease-store.ts webhookDeliveries userId', [2, overAllOwners]],
  ['webhooks/lease-store.ts webhooks userId', overAllOwners],
])

/** Columns of each table by its name in the schema. */
const tables = new Map(
  globSync('db/tables/*.ts', { cwd: root }).flatMap((path) =>
    [...read(path).matchAll(/export interface (\w)(\w*)Table[^{]*\{([^]*?)\n\}/g)].map(
      ([, first = '', rest = '', columns = '']) => [first.toLowerCase() + rest, columns] as const,
    ),
  ),
)

const filtersOf = ({ name, isJoined }: Pick<TableUse, 'name' | 'isJoined'>): string[] =>
  ['userId', 'vaultId'].filter(
    (column) =>
      !(isJoined && column === 'vaultId') &&
      (name === undefined || tables.get(name)?.includes(`\n  ${column}: string\n`) === true),
  )

const missingIn = (path: string, uses: readonly TableUse[]): string[] =>
  uses.flatMap((use) =>
    filtersOf(use)
      .filter((column) => !use.fixed.has(column))
      .map((column) => `${path} ${use.name ?? '(variable)'} ${column}`),
  )

const sources = globSync('**/*.ts', { cwd: root })
  .filter((path) => !/\.test\.ts$|testing\/|^db\/migrat/.test(path))
  .map((path) => ({ path, uses: tableUsesIn(path, read(path)) }))

describe('queries on tables with an owner', () => {
  it('have a condition on owner and vault, with few exceptions', () => {
    const counts = new Map<string, number>()
    for (const found of sources.flatMap(({ path, uses }) => missingIn(path, uses)))
      counts.set(found, (counts.get(found) ?? 0) + 1)
    const allowed = new Map([...exceptions].map(([found, why]) => [found, typeof why === 'string' ? 1 : why[0]]))
    expect(Object.fromEntries(counts)).toEqual(Object.fromEntries(allowed))
  })

  it('use tables of the schema only', () => {
    const uses = sources.flatMap((source) => source.uses)
    expect(uses.length).toBeGreaterThan(300)
    expect(uses.filter(({ name }) => name !== undefined && !tables.has(name))).toEqual([])
    expect([...tables.keys()].filter((name) => filtersOf({ name, isJoined: false }).length > 0).length).toBeGreaterThan(
      30,
    )
  })
})

const join3 = `join.onRef('note.userId', '=', 'version.userId')`

describe('a query has the conditions', () => {
  it.each([
    ['where', `db.selectFrom('notes').where('userId', '=', a).where('vaultId', 'in', b)`],
    ['$if', `db.selectFrom('notes').where('userId', '=', a).$if(c, (query) => query.where('vaultId', '=', b))`],
    ['a callback', `db.selectFrom('notes').where((eb) => eb.and([eb('userId', '=', a), eb('vaultId', '=', b)]))`],
    [
      'an inner join',
      `db.selectFrom('noteVersions as version').innerJoin('notes as note', (join) => ${join3})
         .where('note.userId', '=', a).where('version.vaultId', '=', b)`,
    ],
    [
      'a join of its table',
      `db.selectFrom('noteVersions as version').where('version.userId', '=', a).where('version.vaultId', '=', b)
         .leftJoin('notes as note', (join) => ${join3})`,
    ],
    [
      'the query around it',
      `exists(selectFrom('notes').whereRef('notes.userId', '=', 'o.userId').whereRef('o.id', '=', 'notes.vaultId'))`,
    ],
    ['a common table', `db.with('mine', f).selectFrom('mine')`],
    ['a variable table', `db.deleteFrom(table).where('userId', '=', a).where('vaultId', '=', b)`],
    ['SQL', 'sql`delete from ${sql.table(table)} where "userId" = ${a} and "vaultId" = ${b}`'],
    ['an insert', `db.insertInto('notes').values(row)`],
    [
      'an upsert',
      `const key = ['userId', 'vaultId'] as const
       db.insertInto('notes').onConflict((on) => on.columns(key).doUpdateSet({ version }))`,
    ],
  ])('of %s', (_, text) => {
    expect(missingIn('a.ts', tableUsesIn('a.ts', text))).toEqual([])
  })

  const both = ['a.ts notes userId', 'a.ts notes vaultId']

  it.each([
    ['a column that is only selected', `db.selectFrom('notes').select(['userId', 'vaultId']).orderBy('userId')`, both],
    ['a column that is only set', `db.updateTable('notes').set({ userId, vaultId }).where('id', '=', a)`, both],
    ['another comparison', `db.selectFrom('notes').where('userId', '!=', a).where('vaultId', '>', b)`, both],
    [
      'an alternative',
      `db.selectFrom('notes').where((eb) => eb.or([eb('userId', '=', a), eb('vaultId', '=', b)]))`,
      both,
    ],
    [
      'a negation',
      `db.selectFrom('notes').where((eb) => eb.not(eb.and([eb('userId', '=', a), eb('vaultId', '=', b)])))`,
      both,
    ],
    [
      'a subquery',
      `db.selectFrom('notes').where('id', 'in', (q) => q.selectFrom('users').where('userId', '=', a).where('vaultId', '=', b))`,
      both,
    ],
    [
      'a join without a value',
      `db.selectFrom('noteVersions as version').innerJoin('notes as note', (join) => ${join3}).where('version.vaultId', '=', b)`,
      ['a.ts noteVersions userId', 'a.ts notes userId'],
    ],
    [
      'a value for the other side of a left join',
      `db.selectFrom('noteVersions as version').where('version.vaultId', '=', b)
         .leftJoin('notes as note', (join) => ${join3}.on('note.userId', '=', a))`,
      ['a.ts noteVersions userId'],
    ],
    [
      'a joined table without the owner',
      `db.selectFrom('noteVersions').where('noteVersions.userId', '=', a).where('noteVersions.vaultId', '=', b)
         .innerJoin('notes', 'notes.id', 'noteVersions.noteId')`,
      ['a.ts notes userId'],
    ],
    ['a variable table', `db.selectFrom(table).where('userId', '=', a)`, ['a.ts (variable) vaultId']],
    [
      'SQL that may leave it out',
      'sql`select 1 from "notes" where "userId" = ${a} ${sql`and "vaultId" = ${b}`}`',
      both.slice(1),
    ],
    ['an upsert', `db.insertInto('notes').onConflict((on) => on.column('id').doUpdateSet({ userId, vaultId }))`, both],
  ])('but not of %s', (_, text, missing) => {
    expect(missingIn('a.ts', tableUsesIn('a.ts', text))).toEqual(missing)
  })
})
