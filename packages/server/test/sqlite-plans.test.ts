import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CompiledQuery, createQueryId, sql, type KyselyPlugin, type RootOperationNode } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countRefusedSignIns, listEntries, type ActivityFilter } from '../src/calls/activity-store.ts'
import { newId } from '../src/core/ids.ts'
import { createRandomKey, scopeKeys } from '../src/crypto/keys.ts'
import type { Database, Reader, Tx } from '../src/db/dialect.ts'
import { migrate } from '../src/db/migrate.ts'
import { openSqlite } from '../src/db/sqlite.ts'
import { insertVaultRow } from './database.ts'
import type { Instance } from '../src/instance/instance.ts'
import { findLinks, listLinks, listNewestLinksFrom } from '../src/links/graph-store.ts'
import { countLinks, listLinksFrom } from '../src/links/store.ts'
import { findByExternalWriteId as findMessageByExternalWriteId, findEnvelopes } from '../src/messages/store.ts'
import { countMessages, listMessages, type Inbox, type MessageFilter } from '../src/messages/inbox-store.ts'
import { findSearchStart, listThreadPage } from '../src/messages/thread-store.ts'
import {
  countPlain,
  hasMoreThan,
  listFollowing,
  listMemoryIds,
  listSortedIds,
  memorySorts,
} from '../src/memories/list-store.ts'
import { listVaultsWithExpired } from '../src/memories/purge-store.ts'
import { findCallingUser } from '../src/auth/store.ts'
import { findByExternalWriteId } from '../src/memories/claim-store.ts'
import { addReads } from '../src/memories/read-store.ts'
import { findMemories } from '../src/memories/store.ts'
import { findPersonsTexts, listReplacedInRun as listReplacedMemories } from '../src/memories/version-store.ts'
import { countNotesIn, findChild, findWithAncestors, listDescendantIds } from '../src/notes/folder-store.ts'
import { listOutlines, type NoteFilter } from '../src/notes/list-store.ts'
import { findByExternalWriteId as findNoteByExternalWriteId, findNotes } from '../src/notes/store.ts'
import { listReplacedInRun as listReplacedNotes } from '../src/notes/version-store.ts'
import { findHolders, listNamers, listWikiLinksTo } from '../src/notes/wiki-store.ts'
import { countUnsure, listUnsureIds } from '../src/review/unsure-store.ts'
import { countChanged as countChangedMemories, listChangedIds } from '../src/review/changed-store.ts'
import { countRemoved, listRemovedIds } from '../src/review/removed-store.ts'
import { findByTag, listPending } from '../src/proposals/store.ts'
import { listReplacedInRun as listReplacedDocuments } from '../src/documents/store.ts'
import { listRemovals } from '../src/runs/removal-store.ts'
import { findMark, listSummaryIds } from '../src/sessions/mark-store.ts'
import { findRunIdOf, listRunTurnPage } from '../src/turns/turn-store.ts'
import { countChanged, listMostImportant, listNewest, listOpenTasks } from '../src/sessions/ranked-store.ts'
import { countPlainTasks, countTasks, findListed, listAssigned, listTaskIds } from '../src/tasks/store.ts'
import { countRecords } from '../src/vaults/count-store.ts'
import { findMembership, listInvitationsOf, listMemberships } from '../src/vaults/member-store.ts'
import { removalsSince, entriesSince, linksSince } from '../src/vault-index/stored/store.ts'
import { countEverything, hasOwner } from '../src/accounts/store.ts'
import {
  countMissingVectors,
  lacksVectors,
  listMissingVectors,
  listVaultsMissingVectors,
} from '../src/vault-index/stored/missing-store.ts'
import { measureBacklog } from '../src/webhooks/backlog-store.ts'
import { countDead, countDeadByWebhook, listDeliveries } from '../src/webhooks/delivery-store.ts'
import { leaseDue, listReady } from '../src/webhooks/lease-store.ts'

const dir = mkdtempSync(join(tmpdir(), 'holdfast-plans-'))
const vaultId = newId()
const keys = scopeKeys(vaultId, [{ generation: 1, key: createRandomKey() }])
const scope = { id: vaultId, userId: newId(), keys }
const ids = Array.from({ length: 50 }, newId)
let db: Database

beforeAll(async () => {
  // Like a newly installed server: without statistics of the tables.
  db = openSqlite(dir)
  await migrate(db)
})
afterAll(async () => {
  await db.close()
  rmSync(dir, { recursive: true, force: true })
})

/** SQLite's plan for each query that `work` sends. */
async function plansOf(work: (reader: Reader) => Promise<unknown>): Promise<string[]> {
  const sent: RootOperationNode[] = []
  const note: KyselyPlugin = {
    transformQuery({ node }) {
      sent.push(node)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  await work(db.read.withPlugin(note))
  return Promise.all(sent.map(explain))
}

async function explain(node: RootOperationNode): Promise<string> {
  const { sql: text, parameters } = db.read.getExecutor().compileQuery(node, createQueryId())
  // A prepared query has placeholders for its values; a plan needs none of them.
  const values = parameters.map((value) => (isPlaceholder(value) ? null : value))
  const query = CompiledQuery.raw(`EXPLAIN QUERY PLAN ${text}`, values)
  const { rows } = await db.read.executeQuery<{ detail: string }>(query)
  return rows.map(({ detail }) => detail).join('\n')
}

const isPlaceholder = (value: unknown) => typeof value === 'object' && !(value instanceof Uint8Array)

it('the column of each partial index for one value is compared with literals, because SQLite doesn’t see parameters', async () => {
  const conditions = sql<{ column: string }>`
    select distinct substr("sql", instr("sql", ' WHERE ') + 7) as "column" from "sqlite_schema" where "type" = 'index'`
  const { rows } = await conditions.execute(db.read)
  const columns = rows.flatMap(({ column }) => /^"(\w+)" = \S+$/.exec(column)?.[1] ?? [])
  expect(new Set(columns)).toEqual(new Set(['isOwner', 'vectorsMissing', 'state']))
  const compared = new RegExp(`'(\\w+\\.)?(${columns.join('|')})', '=', (?!.*\\blit\\b).*`, 'g')
  const sources = join(import.meta.dirname, '../src')
  const files = globSync('**/*.ts', { cwd: sources, exclude: (name) => name.endsWith('.test.ts') })
  const found = files.map((file) => [file, readFileSync(join(sources, file), 'utf8').match(compared)] as const)
  expect(found.filter(([, matches]) => matches !== null)).toEqual([])
  expect(files.length).toBeGreaterThan(500)
})

describe('in a large vault', () => {
  it('memories are found by their ids', async () => {
    const [plan] = await plansOf((reader) => findMemories(reader, scope, ids))
    expect(plan).toContain('SEARCH memories USING INDEX sqlite_autoindex_memories_1 (userId=? AND id=?)')
  })

  it('reads are counted by the keys of their rows', async () => {
    const used = [{ userId: scope.userId, vaultId, id: ids[0] ?? '', at: 1, count: 1 }]
    await insertVaultRow(db, scope)
    const [counted, , first] = await plansOf((reader) =>
      addReads({ ...db, read: reader, write: (work) => work(reader as Tx) }, used),
    )
    expect(counted).toContain('SEARCH memoryReads USING PRIMARY KEY (userId=? AND vaultId=? AND memoryId=?)')
    expect(first).toContain('SEARCH memories USING INDEX sqlite_autoindex_memories_1 (userId=? AND id=?)')
  })

  it('links are found by their sources', async () => {
    for (const list of [listLinksFrom, listNewestLinksFrom]) {
      const [plan] = await plansOf((reader) => list(reader, scope, ids))
      expect(plan).toMatch(/SEARCH links USING INDEX links_\w+ \(userId=\? AND vaultId=\? AND sourceId=\?\)/)
    }
  })

  it('links are found by their ends and relation', async () => {
    const triples = ids.map((id) => ({ sourceId: id, targetId: newId(), relationType: 'refines' as const }))
    const [plan] = await plansOf((reader) => findLinks(reader, scope, triples))
    expect(plan).toContain(
      'USING INDEX links_triple (userId=? AND vaultId=? AND sourceId=? AND targetId=? AND relationType=?)',
    )
  })

  it('the links of a node are listed and counted from the index, without reading other links or rows', async () => {
    const query = { nodeId: ids[0] ?? '', direction: 'both' } as const
    const listed = await plansOf((reader) => listLinks(reader, scope, query, { limit: 20, offset: 0 }))
    const counted = await plansOf((reader) => countLinks(reader, scope, ids))
    for (const plans of [listed, counted])
      for (const end of ['source', 'target'])
        expect(plans.join('\n')).toContain(
          `USING COVERING INDEX links_by_${end} (userId=? AND vaultId=? AND ${end}Id=?)`,
        )
  })

  it('shared vaults are found by the member, and invitations by the invited', async () => {
    const memberId = newId()
    const [opened] = await plansOf((reader) => findMembership(reader, memberId, vaultId))
    const [listed] = await plansOf((reader) => listMemberships(reader, memberId))
    for (const plan of [opened, listed]) expect(plan).toContain('INDEX vaultMembers_member (memberId=?)')
    const instance = { id: newId(), keys } as Instance
    const [invited] = await plansOf((reader) => listInvitationsOf(reader, instance, memberId))
    expect(invited).toContain('vaultInvitations_invited (invitedId=?)')
  })

  it('activity is read in its own order without sorting, and the entries that are few by an index', async () => {
    const instance = { id: newId(), keys } as Instance
    const narrowings = [
      { actor: 'agent' },
      { integrationId: newId() },
      { operation: 'write-memory', failed: false },
      { integrationId: newId(), since: Date.now() },
      { heartbeats: false },
      { class: 'content' },
      { recordId: newId() },
    ] as const
    // A page after the end is counted too.
    const page = { limit: 50, offset: 50 }
    const planOf = async (filter: ActivityFilter) => {
      const plans = await plansOf((reader) => listEntries(reader, instance, scope.userId, { filter, ...page }))
      expect(plans).toHaveLength(2)
      expect(plans[0]).toBe(plans[1])
      return plans[0]
    }
    for (const filter of narrowings) expect(await planOf(filter)).toMatch(/^SEARCH entry USING PRIMARY KEY \(userId=\?/)
    // The few: of rare classes, by people, and failed ones.
    expect(await planOf({ class: 'sign-in' })).toBe(
      'SEARCH entry USING COVERING INDEX activity_class (userId=? AND class=?)',
    )
    expect(await planOf({ actor: 'stranger' })).toBe(
      'SEARCH entry USING COVERING INDEX activity_people (userId=? AND actor=?)',
    )
    const asked = { operation: 'login', status: 401, since: 5 }
    expect(await plansOf((reader) => countRefusedSignIns(reader, scope.userId, asked))).toEqual([
      expect.stringMatching(/SEARCH entry USING INDEX activity_(class|failed) \(userId=\?/),
    ])
    for (const filter of [{ failed: true }, { failed: true, operation: 'write-memory' }])
      expect(await planOf(filter)).toBe('SEARCH entry USING COVERING INDEX activity_failed (userId=?)')
  })

  it('records without vectors are found and counted by an index of these', async () => {
    const plans = await plansOf(async (reader) => {
      await listVaultsMissingVectors(reader)
      await lacksVectors(reader, scope)
      await listMissingVectors(reader, scope, '', 10)
      await countMissingVectors(reader, scope)
      await countEverything(reader)
    })
    expect(plans.length).toBeGreaterThan(5)
    for (const plan of plans.slice(0, 5)) expect(plan).toContain('INDEX indexEntries_noVectors')
  })

  it('the owner is found by an index of owners', async () => {
    for (const find of [hasOwner, (reader: Reader) => findCallingUser(reader, undefined)])
      expect(await plansOf(find)).toEqual([expect.stringContaining('INDEX users_owner')])
  })

  it('memories are counted without reading their rows', async () => {
    const [memories, tasks, notes] = await plansOf((reader) => countRecords(reader, scope.userId, [vaultId], 5))
    expect(memories).toContain('SEARCH memories USING COVERING INDEX memories_browse (userId=? AND vaultId=?)')
    expect(tasks).toContain('SEARCH memories USING COVERING INDEX memories_tasks (userId=? AND vaultId=? AND type=?)')
    expect(notes).toMatch(/SEARCH notes USING COVERING INDEX \w+ \(userId=\? AND vaultId=\?\)/)
  })

  it('memories are listed and counted for people by one covering index', async () => {
    const plans = await plansOf(async (reader) => {
      for (const state of ['live', 'archived', 'all'] as const) {
        const filter = { state, now: 5, types: ['fact'], importanceMin: 3, neverRecalled: true }
        for (const sort of memorySorts.filter((each) => each !== 'recalled'))
          await listMemoryIds(reader, scope, filter, { sort, limit: 20, offset: 0 })
      }
      await countPlain(reader, scope, 5)
    })
    expect(plans).toHaveLength(25)
    for (const plan of plans)
      expect(plan).toContain('SEARCH memories USING COVERING INDEX memories_browse (userId=? AND vaultId=?')
    const neverRecalled = 'SEARCH reads USING PRIMARY KEY (userId=? AND vaultId=? AND memoryId=?)'
    expect(plans.filter((plan) => plan.includes(neverRecalled))).toHaveLength(24)
    const recalled = await plansOf((reader) =>
      listSortedIds(reader, scope, { state: 'live', now: 5 }, { sort: 'recalled', limit: 20, offset: 0 }),
    )
    expect(recalled[0]).toBe(
      'SEARCH memoryReads USING PRIMARY KEY (userId=? AND vaultId=?)\nUSE TEMP B-TREE FOR ORDER BY',
    )
    const [newest] = await plansOf((reader) =>
      listMemoryIds(reader, scope, { state: 'live', now: 5, createdFrom: 1 }, { sort: 'newest', limit: 20, offset: 0 }),
    )
    expect(newest).toMatch(/memories_browse \(userId=\? AND vaultId=\? AND createdAt>\?\)$/)
    const [followed] = await plansOf((reader) =>
      listFollowing(reader, scope, { state: 'live', now: 5 }, { limit: 25, after: { createdAt: 5, id: ids[0] ?? '' } }),
    )
    expect(followed).toMatch(/COVERING INDEX memories_browse \(userId=\? AND vaultId=\? AND createdAt<\?\)$/)
  })

  it('whether a vault has more than a few memories is seen from the same index, without sorting', async () => {
    const [plan] = await plansOf((reader) => hasMoreThan(reader, scope, { state: 'live', now: 5 }, 500))
    expect(plan).toBe('SEARCH memories USING COVERING INDEX memories_browse (userId=? AND vaultId=?)')
  })

  it('memories with low confidence are found by a small index of their own', async () => {
    const plans = await plansOf(async (reader) => {
      await listUnsureIds(reader, scope, 5, { limit: 20, offset: 0 })
      await countUnsure(reader, scope, 5)
    })
    for (const plan of plans) expect(plan).toContain('USING INDEX memories_unsure (userId=? AND vaultId=?)')
    expect(plans[0]).not.toContain('TEMP B-TREE')
  })

  it('memories that agents changed are listed and counted from their own index, and former texts by their memory', async () => {
    const [listed, counted, persons] = await plansOf(async (reader) => {
      await listChangedIds(reader, scope, 5, { limit: 20, offset: 0 })
      await countChangedMemories(reader, scope, 5)
      await findPersonsTexts(reader, scope, ids)
    })
    for (const plan of [listed, counted])
      expect(plan).toContain('USING INDEX memories_changed (userId=? AND vaultId=?)')
    expect(listed).not.toContain('TEMP B-TREE')
    expect(persons).toContain(
      'SEARCH memoryVersions USING INDEX sqlite_autoindex_memoryVersions_1 (userId=? AND memoryId=?)',
    )
  })

  it('what agents removed or propose is listed and counted from indexes of their own, and proposals by their vault', async () => {
    // The parts of a union are sent before it.
    const lastPlan = async (work: Parameters<typeof plansOf>[0]) => (await plansOf(work)).at(-1)
    const listed = await lastPlan((reader) => listRemovedIds(reader, scope, 5, { limit: 20, offset: 0 }))
    const counted = await lastPlan((reader) => countRemoved(reader, scope, 5))
    const pending = await lastPlan((reader) => listPending(reader, scope, { limit: 20, offset: 0 }))
    const known = await lastPlan((reader) => findByTag(reader, scope, Buffer.alloc(16)))
    for (const plan of [listed, counted]) {
      expect(plan).toContain('USING INDEX memories_removed (userId=? AND vaultId=?)')
      expect(plan).toMatch(/notes USING (COVERING )?INDEX notes_removed \(userId=\? AND vaultId=\?\)/)
    }
    expect(pending).toContain('proposals USING INDEX sqlite_autoindex_proposals_1 (userId=? AND vaultId=?)')
    expect(pending).not.toContain('TEMP B-TREE')
    expect(known).toContain('proposals USING INDEX proposals_tag (userId=? AND vaultId=? AND tag=?)')
  })

  it('texts that a run replaced are found by indexes of their own, and those of documents within their vault', async () => {
    const [memories, notes, documents] = await plansOf(async (reader) => {
      for (const list of [listReplacedMemories, listReplacedNotes, listReplacedDocuments])
        await list(reader, scope, Buffer.alloc(16))
    })
    const by = '(userId=? AND vaultId=? AND replacedInRun=?)'
    expect(memories).toBe(`SEARCH memoryVersions USING COVERING INDEX memoryVersions_run ${by}`)
    expect(notes).toBe(`SEARCH noteVersions USING COVERING INDEX noteVersions_run ${by}`)
    expect(documents).toContain(
      'SEARCH documentVersions USING INDEX sqlite_autoindex_documentVersions_1 (userId=? AND vaultId=?)',
    )
  })

  it('what an integration removed of what people wrote is found among what was removed', async () => {
    const [memories, notes] = await plansOf((reader) =>
      listRemovals(reader, scope, { integrationId: newId(), since: 1 }),
    )
    expect(memories).toContain('memories USING INDEX memories_archived (userId=? AND vaultId=? AND archivedAt>?)')
    expect(notes).toBe('SEARCH notes USING INDEX notes_removed (userId=? AND vaultId=?)')
  })

  it('tasks are counted, and listed in their order, without reading rows; claimed writes are found by their tags', async () => {
    const filter = { assignedAgentId: 'a', state: 'live', now: 5 } as const
    const page = { limit: 20, offset: 0 }
    const [counted, listed, urgent, latest, , claimed] = await plansOf(async (reader) => {
      await countTasks(reader, scope, filter)
      await listTaskIds(reader, scope, { ...filter, statuses: ['todo', 'done'] }, { ...page, sort: 'urgent' })
      const urgentOnes = { ...filter, priorityMin: 4, statuses: ['todo'] } as const
      await listTaskIds(reader, scope, urgentOnes, { ...page, sort: 'urgent' })
      await listTaskIds(reader, scope, { ...filter, statuses: ['todo'] }, { ...page, sort: 'updated' })
      await findByExternalWriteId(reader, scope, 'x')
    })
    const walk = 'SEARCH memories USING COVERING INDEX memories_tasks (userId=? AND vaultId=? AND type=?'
    for (const plan of [counted, listed, urgent, latest]) expect(plan).toContain(walk)
    for (const plan of [listed, urgent]) expect(plan).not.toContain('TEMP B-TREE')
    expect(claimed).toContain('SEARCH memories USING INDEX sqlite_autoindex_memories_1 (userId=? AND id=?)')
    expect(claimed).toContain('SEARCH claimedWrites USING INDEX')
  })

  it('notes are found by their ids, titles and idempotency keys', async () => {
    const plans = await plansOf(async (reader) => {
      await findNotes(reader, scope, ids)
      await findHolders(reader, scope, ['a', 'b'])
      await findNoteByExternalWriteId(reader, scope, 'x')
    })
    expect(plans[0]).toContain('SEARCH notes USING INDEX notes_newest (userId=? AND vaultId=? AND id=?)')
    expect(plans[2]).toContain('SEARCH notes USING COVERING INDEX notes_title (userId=? AND vaultId=? AND titleTag=?)')
    expect(plans[3]).toContain('USING INDEX notes_external (userId=? AND vaultId=? AND externalTag=?)')
  })

  it('notes are listed by folder and tag, and in page order if there is no filter', async () => {
    const listed = (filter: NoteFilter) =>
      plansOf((reader) => listOutlines(reader, scope, filter, { limit: 20, offset: 0 }))
    const [all, count] = await listed({})
    expect(all).toContain('USING INDEX notes_newest (userId=? AND vaultId=?)')
    expect(all).not.toContain('TEMP B-TREE')
    expect(count).toContain('SEARCH notes USING COVERING INDEX')
    const [changedLast] = await listed({ sort: 'updated' })
    expect(changedLast).toContain('USING INDEX notes_updated (userId=? AND vaultId=?)')
    expect(changedLast).not.toContain('TEMP B-TREE')
    const [inFolders] = await listed({ folderIds: ids.slice(0, 1) })
    expect(inFolders).toContain('USING INDEX notes_live (userId=? AND vaultId=? AND folderId=?)')
    const [tagged] = await listed({ tags: ['a'] })
    expect(tagged).toContain(
      'noteTags USING COVERING INDEX sqlite_autoindex_noteTags_1 (userId=? AND vaultId=? AND tag=?)',
    )
  })

  it('notes that link to a title, or are linked by a text, are found by an index', async () => {
    const [namers, links] = await plansOf(async (reader) => {
      await listNamers(reader, scope, 'a', 10)
      await listWikiLinksTo(reader, scope, newId(), 10)
    })
    expect(namers).toContain('sqlite_autoindex_wikiTargets_1 (userId=? AND vaultId=? AND titleTag=?)')
    expect(namers).toContain('SEARCH note USING INDEX sqlite_autoindex_notes_1 (userId=? AND id=?)')
    expect(links).toContain('USING INDEX links_by_target (userId=? AND vaultId=? AND targetId=?)')
  })

  it('folders are found by name, and with their parents and subfolders', async () => {
    const [child, above, below, counts] = await plansOf(async (reader) => {
      await findChild(reader, scope, undefined, 'a')
      await findWithAncestors(reader, scope, ids)
      await listDescendantIds(reader, scope, newId())
      await countNotesIn(reader, scope, ids)
    })
    expect(child).toContain('USING INDEX folders_name (userId=? AND vaultId=? AND nameTag=?)')
    expect(above?.match(/sqlite_autoindex_folders_1 \(userId=\? AND id=\?\)/g)).toHaveLength(2)
    expect(below).toContain('USING COVERING INDEX folders_parent (userId=? AND vaultId=? AND parentId=?)')
    expect(counts).toContain('USING COVERING INDEX notes_live (userId=? AND vaultId=? AND folderId=?)')
  })

  it('expired records are found without reading others', async () => {
    const [plan] = await plansOf((reader) => listVaultsWithExpired(reader, 5))
    expect(plan).toContain('SEARCH memories USING COVERING INDEX memories_expiring (expiresAt<?)')
  })

  it('deleted records are found by their change numbers', async () => {
    const [plan] = await plansOf((reader) => removalsSince(reader, scope, 5).next())
    expect(plan).toContain('sqlite_autoindex_indexRemovals_1 (userId=? AND vaultId=? AND (seq,itemId)>(?,?))')
  })

  it('changed entries are found by their change numbers', async () => {
    const [plan] = await plansOf((reader) => entriesSince(reader, scope, 5).next())
    expect(plan).toContain('USING INDEX indexEntries_changes (vaultId=? AND seq>?)')
  })

  it('changed links are found by their change numbers', async () => {
    const [plan] = await plansOf((reader) => linksSince(reader, scope, 5).next())
    expect(plan).toContain('USING INDEX links_changes (userId=? AND vaultId=? AND seq>?)')
  })

  it('due deliveries of a webhook are found without reading others', async () => {
    const webhook = { userId: scope.userId, webhookId: vaultId, heldUntil: undefined }
    const plans = await plansOf(async (reader) => {
      await listReady(reader, 5)
      await leaseDue(reader as Tx, webhook, 4, { owner: 'x', now: 5, untilMs: 6 })
    })
    expect(plans).toHaveLength(2)
    for (const plan of plans)
      expect(plan).toContain('INDEX webhookDeliveries_due (userId=? AND webhookId=? AND dueAt<?)')
    const [ready] = plans
    expect(ready).toContain('COVERING INDEX webhookDeliveries_waiting (webhookId>?)')
    expect(ready).toContain('SEARCH webhook USING INDEX webhooks_id (id=?)')
    expect(ready).not.toMatch(/SCAN (webhook|webhooks)\b/)
  })

  it('the queue of deliveries is counted without reading what was delivered', async () => {
    const [pending, dead] = await plansOf(measureBacklog)
    expect(pending).toMatch(/(SCAN|SEARCH) delivery USING INDEX webhookDeliveries_(waiting|due)/)
    expect(dead).toMatch(/SCAN webhookDeliveries USING COVERING INDEX webhookDeliveries_dead/)
  })

  it('failed deliveries are found without reading others', async () => {
    const query = { state: 'dead', limit: 20, offset: 0 } as const
    const all = await plansOf((reader) => listDeliveries(reader, undefined, scope.userId, query))
    for (const plan of all) expect(plan).toContain('INDEX webhookDeliveries_dead (userId=?)')
    const counts = await plansOf(async (reader) => {
      await countDead(reader, scope.userId)
      await countDeadByWebhook(reader, scope.userId)
    })
    for (const plan of counts) expect(plan).toContain('INDEX webhookDeliveries_dead (userId=?)')
    const ofOne = { ...query, webhookId: vaultId }
    const plans = await plansOf((reader) => listDeliveries(reader, undefined, scope.userId, ofOne))
    for (const plan of plans) expect(plan).toContain('INDEX webhookDeliveries_dead (userId=? AND webhookId=?)')
    expect([...all, ...plans]).toHaveLength(4)
  })

  it('deliveries are listed in the order of their index', async () => {
    const [all, ofOne] = await plansOf(async (reader) => {
      await listDeliveries(reader, undefined, scope.userId, { limit: 20, offset: 0 })
      await listDeliveries(reader, undefined, scope.userId, { webhookId: vaultId, limit: 20, offset: 0 })
    })
    for (const plan of [all, ofOne]) expect(plan).not.toContain('TEMP B-TREE')
  })

  it('an inbox is read by its recipient, without reading expired messages or those of others', async () => {
    const inbox: Inbox = { userId: scope.userId, vaultIds: ids, reader: { type: 'agent', id: 'ada' }, at: 5 }
    const page = { order: 'urgent', limit: 20, offset: 0 } as const
    const received = 'USING INDEX messages_inbox (userId=? AND targetId=? AND expiresAt>?)'
    for (const status of ['pending', 'acknowledged', 'all'] as const) {
      const filter = { status, box: 'received' as const }
      const list = await plansOf((reader) => listMessages(reader, inbox, filter, page))
      const count = await plansOf((reader) => countMessages(reader, inbox, filter))
      // Ends of ranges, for each of the two ways to address the reader; then what is in the range.
      for (const plan of [list, count].flatMap((plans) => plans.slice(0, 2)))
        expect(plan).toBe(`SEARCH messages ${received.replace('USING', 'USING COVERING')}`)
      for (const plan of [list, count].flatMap((plans) => plans.slice(2))) {
        expect(plan).toContain(received)
        expect(plan).not.toContain('SCAN messages')
      }
    }
    const [, , , withSent] = await plansOf((reader) =>
      listMessages(reader, inbox, { status: 'pending', box: 'both' }, page),
    )
    expect(withSent).toContain(received)
    expect(withSent).toContain('USING INDEX messages_sent (userId=? AND fromAgentId=? AND expiresAt>?)')
    expect(withSent).toContain('messageAcks_1 (userId=? AND vaultId=? AND messageId=?)')
  })

  it('threads of a vault are read by the time they were sent, and those of an inbox by its recipient', async () => {
    const inbox: Inbox = { userId: scope.userId, vaultIds: [vaultId], reader: { type: 'user', id: 'user' }, at: 5 }
    const plansIn = (box: MessageFilter['box']) =>
      plansOf((reader) => listThreadPage(reader, inbox, { status: 'all', box }, { limit: 20, offset: 0 }))
    for (const box of ['agents', 'all'] as const) {
      const [end, threads] = await plansIn(box)
      expect(end).toBe('SEARCH messages USING COVERING INDEX messages_age (userId=? AND vaultId=? AND createdAt>?)')
      expect(threads).toContain('USING INDEX messages_age (userId=? AND vaultId=? AND createdAt>?)')
    }
    const [start] = await plansOf((reader) => findSearchStart(reader, inbox))
    expect(start).toBe('SEARCH messages USING COVERING INDEX messages_age (userId=? AND vaultId=?)')
    const received = await plansIn('received')
    expect(received[2]).toContain('USING INDEX messages_inbox (userId=? AND targetId=? AND expiresAt>?)')
  })

  it('tasks selected by their words are found by their ids, and counted by a covering index', async () => {
    const plans = await plansOf(async (reader) => {
      await findListed(reader, scope, { state: 'live', now: 5 }, ids)
      await countPlainTasks(reader, scope, 5)
      await listAssigned(reader, scope, { state: 'live', now: 5 }, 50)
    })
    expect(plans[0]).toMatch(/USING (COVERING )?INDEX \w+ \(userId=\? AND (vaultId=\? AND type=\?|id=\?)/)
    for (const plan of plans.slice(1))
      expect(plan).toContain('USING COVERING INDEX memories_tasks (userId=? AND vaultId=?')
  })

  it('the turns of a run are read in their order, and counted, by an index', async () => {
    const [listed, counted, run] = await plansOf(async (reader) => {
      await listRunTurnPage(reader, scope, Buffer.alloc(16), { limit: 20, offset: 0 })
      await findRunIdOf(reader, scope, newId())
    })
    expect(listed).toBe('SEARCH turns USING INDEX turns_run (userId=? AND vaultId=? AND runTag=?)')
    expect(counted).toBe('SEARCH turns USING COVERING INDEX turns_run (userId=? AND vaultId=? AND runTag=?)')
    expect(run).toContain('SEARCH turn USING INDEX sqlite_autoindex_turns_1 (userId=? AND id=?)')
    expect(run).toContain('USING INDEX runs_tag (userId=? AND vaultId=? AND runTag=?)')
  })

  it('messages are found by their ids and idempotency keys', async () => {
    const found = { userId: scope.userId, vaultIds: ids, at: 5 }
    const [byId] = await plansOf((reader) => findEnvelopes(reader, found, ids))
    expect(byId).toContain('USING INDEX sqlite_autoindex_messages_1 (userId=? AND id=?)')
    const [byKey] = await plansOf((reader) => findMessageByExternalWriteId(reader, scope, 'k'))
    expect(byKey).toContain('USING INDEX messages_external (userId=? AND vaultId=? AND externalTag=?)')
  })

  it('the content of a session start is found only by indexes', async () => {
    const plans = await plansOf(async (reader) => {
      await listMostImportant(reader, scope, ['fact'], { limit: 10, at: 5 })
      await listMostImportant(reader, scope, ['constraint'], { limit: 10, at: 5, byPeople: true })
      await listNewest(reader, scope, ['episodic'], { limit: 10, at: 5 })
    })
    const columns = '(userId=? AND vaultId=? AND type=? AND importance=?)'
    expect(plans).toEqual([
      `SEARCH memories USING INDEX memories_ranked ${columns}`,
      `SEARCH memories USING INDEX memories_peoples ${columns}`,
    ])
    const tasks = await plansOf((reader) => listOpenTasks(reader, scope, 5, 10))
    expect(tasks).toHaveLength(8)
    for (const plan of tasks)
      expect(plan).toContain('USING COVERING INDEX tasks_status (userId=? AND vaultId=? AND status=?)')
    const joined = 'USING INDEX sqlite_autoindex_memories_1 (userId=? AND id=?)'
    expect(tasks.filter((plan) => plan.includes(joined))).toHaveLength(4)
    const [changes] = await plansOf((reader) => countChanged(reader, scope, 5, 5))
    expect(changes).toContain('USING INDEX indexEntries_changes (vaultId=? AND seq>?)')
    const [mark, summaries] = await plansOf(async (reader) => {
      await findMark(reader, scope, { integrationId: newId(), agentId: 'ada' }, 'run')
      await listSummaryIds(reader, scope, 1, 5)
    })
    expect(mark).toContain('sqlite_autoindex_sessionMarks_1 (userId=? AND vaultId=? AND agentTag=?)')
    expect(summaries).toContain('sessionMarks_summaries (userId=? AND vaultId=? AND summaryAt>?)')
  })
})
