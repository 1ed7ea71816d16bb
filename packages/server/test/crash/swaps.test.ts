import { expect, it } from 'vitest'
import { eachDialect } from '../dialects.ts'
import { agentOf, send, type Agent, type Reply } from './agent.ts'
import { change, query } from './raw-store.ts'
import {
  runCommand,
  setUp,
  siteFor,
  startServer,
  type Account,
  type RunningServer,
  type Site,
} from './server-process.ts'

/** SQL that swaps one column between two rows of a table, found by a unique column. */
const swap = (table: string, column: string, [a, b]: readonly [string, string], by = 'id') =>
  `update "${table}" as t set "${column}" = other."value"
   from (select "${by}" as "key", "${column}" as "value" from "${table}" where "${by}" in ('${a}', '${b}')) as other
   where t."${by}" in ('${a}', '${b}') and other."key" <> t."${by}"`

interface Agency {
  integrationId: string
  key: string
}

/** Another integration of the token's owner, and a key for it. */
async function addAgent(server: RunningServer, dashboardToken: string): Promise<Agency> {
  const post = async (path: string, body: object) => {
    const reply = await send(server, dashboardToken, path, { method: 'POST', body: JSON.stringify(body) })
    expect(reply.status).toBe(201)
    return reply.body
  }
  const { integration } = await post('/api/integrations', { label: secret, preset: 'admin' })
  const integrationId = (integration as { id: string }).id
  const { agentKey } = await post('/api/keys', { integrationId })
  return { integrationId, key: agentKey as string }
}

/** A second person, with their dashboard token. */
async function addPerson(site: Site): Promise<{ userId: string; dashboardToken: string }> {
  const args = ['users', 'add', '--email', 'second@example.org', '--password-stdin', '--json']
  return JSON.parse((await runCommand(site, args, 'another long and private sentence\n')).output) as Account
}

const secret = 'what only its own reader may see'

async function writeMany(agent: Agent, count: number, vaultId?: string): Promise<string[]> {
  const ids: string[] = []
  for (let number = 0; number < count; number++) {
    const related = ids.slice(-1).map((memoryId) => ({ memoryId, label: secret }))
    const { status, body } = await agent('write-memory', {
      content: `${secret} ${number}`,
      summary: secret,
      relatedMemoryIds: related,
      ...(vaultId !== undefined && { vaultId }),
    })
    expect(status).toBe(201)
    ids.push(body['memoryId'] as string)
  }
  return ids
}

async function newVault(agent: Agent): Promise<string> {
  return (await agent('create-vault', { name: secret })).body['vaultId'] as string
}

const refused = { status: 503, body: { error: expect.stringMatching(/is damaged; |a stored key can’t be opened/) } }

/** Two items of the list, starting at an index. */
const pair = (ids: readonly string[], at: number): [string, string] => [ids[at] ?? '', ids[at + 1] ?? '']

eachDialect('ciphertext that was moved in the database', (dialect) => {
  it('of memories and links is rejected wherever it was moved to', async () => {
    const site = siteFor(await dialect.freshUrl())
    const { agentKey } = await setUp(site)
    const second = await addPerson(site)
    const before = await startServer(site)
    const { key: theirKey } = await addAgent(before, second.dashboardToken)
    const [agent, other] = [agentOf(before, agentKey), agentOf(before, theirKey)]
    const vault = await newVault(agent)
    const ids = await writeMany(agent, 16)
    const elsewhere = await writeMany(agent, 2, vault)
    const theirs = await writeMany(other, 1)
    await before.kill('SIGTERM')
    const links = await query(site.store, `select "id" from "links" where "sourceId" in ('${ids[13]}', '${ids[14]}')`)
    await change(
      site.store,
      swap('memories', 'body', pair(ids, 0)),
      swap('memories', 'head', pair(ids, 2)),
      `update "memories" set "body" = "head" where "id" = '${ids[4]}'`,
      swap('memories', 'body', [ids[5] ?? '', elsewhere[0] ?? '']),
      swap('memories', 'body', [ids[6] ?? '', theirs[0] ?? '']),
      `update "memories" set "vaultId" = '${vault}' where "id" = '${ids[7]}'`,
      `update "memories" set "contentRevision" = 2 where "id" = '${ids[8]}'`,
      `update "memories" set "body" = substr("body", 1, length("body") - 1) where "id" = '${ids[9]}'`,
      swap('links', 'label', [String(links[0]?.['id']), String(links[1]?.['id'])]),
      swap('indexEntries', 'entry', [elsewhere[0] ?? '', elsewhere[1] ?? ''], 'itemId'),
    )
    const after = await startServer(site)
    const read = (key: string, id: string | undefined, vaultId?: string) =>
      agentOf(after, key)('read-memories', { memoryIds: [id], ...(vaultId !== undefined && { vaultId }) })
    for (const at of [0, 1, 2, 3, 4, 5, 6, 8, 9, 13, 14])
      expect([at, await read(agentKey, ids[at])]).toMatchObject([at, refused])
    expect(await read(agentKey, ids[7], vault)).toMatchObject(refused)
    expect(await read(agentKey, elsewhere[0], vault)).toMatchObject(refused)
    expect(await read(theirKey, theirs[0])).toMatchObject(refused)
    const { body: found } = await agentOf(after, agentKey)('search-memories', { query: secret, vaultId: vault })
    expect(found).toMatchObject({
      memories: [],
      degraded: [{ leg: 'blind', reason: expect.stringContaining('damaged: 2') }],
    })
    expect((await read(agentKey, ids[10])).body).toMatchObject({ memories: [{ content: `${secret} 10` }] })
    await after.kill('SIGTERM')
    expect(after.output()).toContain('"name":"CellError"')
    expect(after.output()).not.toContain(secret)
  })

  it('of keys, profiles and wraps opens nothing for the owner of the other row', async () => {
    const site = siteFor(await dialect.freshUrl())
    const owner = await setUp(site)
    const second = await addPerson(site)
    const before = await startServer(site)
    const mine = (await Promise.all([1, 2, 3, 4, 5].map(() => addAgent(before, owner.dashboardToken)))) as Five
    const theirs = await addAgent(before, second.dashboardToken)
    const agent = agentOf(before, owner.agentKey)
    const vaults = (await Promise.all([1, 2, 3, 4].map(() => newVault(agent)))) as Four
    const ids = await Promise.all(vaults.map((vaultId) => writeMany(agent, 1, vaultId)))
    const idsOf = (agencies: Agency[]) => agencies.map(({ integrationId }) => integrationId) as [string, string]
    const attempts = (server: RunningServer): Promise<Reply>[] => [
      ...[0, 1].map((at) =>
        agentOf(server, owner.agentKey)('read-memories', { memoryIds: ids[at], vaultId: vaults[at] }),
      ),
      agentOf(server, owner.agentKey)('list-vaults', {}),
      ...[...mine.slice(0, 3), theirs].map(({ key }) => agentOf(server, key)('list-vaults', {})),
      ...[owner, second].map((person) => send(server, person.dashboardToken, '/api/vaults', { method: 'GET' })),
    ]
    for (const reply of await Promise.all(attempts(before))) expect(reply.status).toBe(200)

    await before.kill('SIGTERM')
    await change(
      site.store,
      swap('vaultKeys', 'wrappedKey', [vaults[0], vaults[1]], 'scopeId'),
      swap('vaults', 'profile', [vaults[2], vaults[3]]),
      swap('integrations', 'wrappedMek', idsOf([mine[0], mine[1]])),
      swap('integrations', 'wrappedMek', idsOf([mine[2], theirs])),
      swap('integrations', 'profile', idsOf([mine[3], mine[4]])),
      swap('users', 'wrappedMek', [owner.userId, second.userId]),
    )
    const after = await startServer(site)
    const replies = await Promise.all(attempts(after))
    // Who can open some vaults gets a list of all, without the names of those that don't open.
    const [listed] = replies.splice(2, 1)
    const unnamed = vaults.map((id) => expect.objectContaining({ id, name: id }) as unknown)
    expect(listed?.body['vaults']).toEqual(expect.arrayContaining(unnamed))
    for (const [at, reply] of replies.entries()) expect([at, reply]).toMatchObject([at, refused])
    // A profile that doesn't open is replaced by one with nothing of the other row.
    for (const { key, integrationId } of mine.slice(3)) {
      const { status, body } = await send(after, key, '/api/agent/info', { method: 'GET' })
      const writePolicy = { persons: 'no', agents: 'no' }
      expect([status, body]).toMatchObject([200, { label: `Damaged ${integrationId.slice(-12)}`, writePolicy }])
    }
    const untouched = { memoryIds: ids[2], vaultId: vaults[2] }
    expect((await agentOf(after, owner.agentKey)('read-memories', untouched)).status).toBe(200)
    await after.kill('SIGTERM')
    expect(after.output()).not.toContain(secret)
  })
})

type Four = [string, string, string, string]
type Five = [Agency, Agency, Agency, Agency, Agency]
