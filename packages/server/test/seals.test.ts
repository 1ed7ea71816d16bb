import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { start } from '../src/webhooks/testing/start-delivery.ts'
import { eachDialect, type TestDialect } from './dialects.ts'
import { makePasskey } from './factories.ts'
import { startAgent, type TestAgent } from './scenarios.ts'
import { check } from './seeded-damages.ts'
import { startReceiver } from './webhook-receiver.ts'

/**
 * A cell opens only at the revision of its row under which it was sealed. Whoever can write to the database and puts a former cell back
 * into a row that has changed since gets an error, not the former value. Each sealed column of the schema is in one of the lists below.
 */

/** Never sealed again in the same row, and why. Such a cell has one revision. */
const sealedOnce = {
  'activity.address': 'an entry is added to, but keeps the address of its first call',
  'agentKeys.label': 'a key has no new label',
  'checkpoints.answer': 'an answer is kept as it was given',
  'dashboardCredentials.client': 'a session stays in the browser it began in, and a token keeps its name',
  'documentVersions.body': 'a former text',
  'imports.origin': 'the name from the first call',
  'indexSnapshots.cell': 'a new snapshot has new rows',
  'links.label': 'a link that is created again has a new id',
  'memoryVersions.state': 'a former text',
  'messageAcks.note': 'an acknowledgement is not repeated',
  'messages.body': 'a message does not change',
  'noteVersions.state': 'a former text',
  'passkeys.credential': 'another key of a device is another passkey',
  'oauthClients.metadata': 'a program that changes registers again',
  'oauthGrants.request': 'a program that wants something else asks again',
  'proposals.body': 'a proposal is settled or replaced',
  'runCalls.body': 'later calls have their own row',
  'secondFactors.secret': 'a new secret has a new id',
  'turns.body': 'a turn does not change',
  'vaultInvitations.email': 'a new invitation has a new id',
}

interface World {
  agent: TestAgent
  /** Calls as the person, in no vault. */
  person(name: string, body?: object): Promise<Record<string, unknown>>
  setting: Awaited<ReturnType<typeof start>>
}

/** A record with the column, a call that seals it again, and a call that opens it. */
interface Scenario {
  change(to: string): Promise<unknown>
  open(): Promise<unknown>
}

const refused = 'damaged'

const changed: Record<string, (world: World) => Promise<Scenario>> = {
  'agentSightings.head': async ({ agent }) => ({
    change: () => agent.call('list-vaults', {}),
    open: () => agent.call('list-active-agents'),
  }),
  'documents.body': async ({ person, agent }) => {
    const place = { documentType: 'soul', vaultId: agent.user.vaultId }
    const change = (content: string) => person('update-document', { ...place, content })
    await change('first')
    return { change, open: () => person('list-documents', { vaultId: place.vaultId }) }
  },
  'folders.name': async ({ agent, person }) => {
    const { folderId } = (await agent.call('create-folder', { name: 'first' })).body
    const { vaultId } = agent.user
    return {
      change: (name) => person('update-folder', { vaultId, folderId, name }),
      async open() {
        const [folder] = (await agent.call('list-folders')).body['folders'] as { name: string }[]
        return asDamaged(folder?.name.startsWith('Damaged'))
      },
    }
  },
  'indexEntries.entry': async ({ agent, setting }) => {
    const memoryId = await agent.write('first')
    return {
      change: (content) => agent.call('update-memory', { memoryId, content }),
      async open() {
        setting.test.app.services.indexes.forget(agent.user.vaultId)
        const { body } = await agent.call('search-memories', { query: 'second' })
        // Searches leave out what doesn't open, and say so.
        const isWhole = !JSON.stringify(body['degraded']).includes('damaged')
        return isWhole ? body : { error: refused }
      },
    }
  },
  'integrations.profile': async ({ person }) => {
    const [{ id } = { id: '' }] = (await person('list-integrations'))['integrations'] as { id: string }[]
    return {
      change: (label) => person('update-integration', { id, label }),
      async open() {
        const [one] = (await person('list-integrations'))['integrations'] as { isDamaged: boolean }[]
        return asDamaged(one?.isDamaged)
      },
    }
  },
  'memories.body': async ({ agent }) => {
    const memoryId = await agent.write('first')
    return {
      change: (content) => agent.call('update-memory', { memoryId, content }),
      open: () => agent.call('read-memories', { memoryIds: [memoryId] }),
    }
  },
  'memories.head': async ({ agent }) => {
    const memoryId = await agent.write({ content: 'x', summary: 'first' })
    return {
      change: (summary) => agent.call('update-memory', { memoryId, summary }),
      open: () => agent.call('read-memories', { memoryIds: [memoryId] }),
    }
  },
  'notes.body': async ({ agent }) => {
    const { noteId } = (await agent.call('create-note', { title: 'x', content: 'first' })).body
    return {
      change: (content) => agent.call('update-note', { noteId, content }),
      open: () => agent.call('read-note', { noteId }),
    }
  },
  'notes.head': async ({ agent }) => {
    const { noteId } = (await agent.call('create-note', { title: 'first', content: 'x' })).body
    return {
      change: (title) => agent.call('update-note', { noteId, title }),
      open: () => agent.call('read-note', { noteId }),
    }
  },
  'passkeys.name': async ({ agent, person, setting }) => {
    const id = await makePasskey(setting.test, agent.user)
    return {
      change: (name) => person('update-passkey', { id, name }),
      open: () => person('list-passkeys'),
    }
  },
  'runs.head': async ({ agent }) => {
    const track = (currentActivity: string) =>
      agent.call('session-track', { event: 'start', agentRunId: 'one', currentActivity })
    await track('first')
    return { change: track, open: () => agent.call('list-active-agents') }
  },
  'tasks.detail': async ({ agent }) => {
    const { taskId } = (await agent.call('create-task', { title: 'x', doneWhen: 'first' })).body
    return {
      change: (doneWhen) => agent.call('update-task', { taskId, doneWhen }),
      async open() {
        // Lists leave out what doesn't open, and say so.
        const { body } = await agent.call('list-tasks')
        return body['leftOut'] === undefined ? body : { error: refused }
      },
    }
  },
  'users.profile': async ({ person }) => ({
    change: (name) => person('update-user', { name }),
    open: async () => asDamaged(((await person('read-session'))['user'] as { isDamaged: boolean }).isDamaged),
  }),
  'vaultDigests.cell': async ({ agent, setting }) => {
    const memoryId = await agent.write('first')
    return {
      async change(content) {
        await agent.call('update-memory', { memoryId, content })
        await check(setting.test, false)
      },
      open: async () => asDamaged((await check(setting.test, false)).some(({ problem }) => problem === 'unreadable')),
    }
  },
  'vaults.profile': async ({ person, agent }) => ({
    change: (name) => person('update-vault', { id: agent.user.vaultId, name }),
    open: async () =>
      asDamaged(((await person('list-vaults'))['vaults'] as { isDamaged?: boolean }[]).some((one) => one.isDamaged)),
  }),
  'vaults.settings': async ({ agent }) => {
    const change = (word: string) => agent.call('update-settings', { settings: { customSignalKeywords: [word] } })
    await change('first')
    return { change, open: () => agent.call('get-settings') }
  },
  'webhookDeliveries.attempts': failingDelivery,
  'webhooks.endpoint': async ({ person, setting }) => {
    const { id } = await setting.subscribe('https://hooks.example.org/first')
    return {
      change: (name) => person('update-webhook', { id, url: `https://hooks.example.org/${name}` }),
      open: () => person('list-webhooks', { id }),
    }
  },
  'webhooks.lastError': failingDelivery,
}

async function failingDelivery({ person, setting }: World): Promise<Scenario> {
  const receiver = await startReceiver((response) => response.writeHead(503).end())
  const { id } = await setting.subscribe(receiver.url)
  await setting.queue()
  const deliverer = setting.deliverer()
  await deliverer.settle()
  return {
    async change() {
      setting.clock.advance(60_000)
      await deliverer.settle()
    },
    async open() {
      const { error } = await person('list-webhook-deliveries')
      return error === undefined ? person('list-webhooks', { id }) : { error }
    },
  }
}

/** Types don't exist at run time, so this reads the source of the tables. */
function listSealedColumns(): string[] {
  const folder = join(import.meta.dirname, '../src/db/tables')
  const text = globSync('*.ts', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'))
  const tables = text.join('\n').matchAll(/^export interface (\w)(\w+)Table\b[^]*?^\}/gm)
  return Array.from(tables, ([body, first = '', rest = '']) =>
    Array.from(body.matchAll(/^  (\w+): Sealed\b/gm), ([, column]) => `${first.toLowerCase()}${rest}.${column}`),
  ).flat()
}

it('all sealed columns are known', () => {
  const known = [...Object.keys(sealedOnce), ...Object.keys(changed)]
  expect(listSealedColumns().toSorted()).toEqual(known.toSorted())
})

async function makeWorld(dialect: TestDialect): Promise<World> {
  const setting = await start(dialect)
  const { test, user } = setting
  const agent = await startAgent(test, { user, preset: 'admin', agentId: 'ada' })
  const person: World['person'] = async (name, body) => (await test.call(name, body, { key: user.dashboardToken })).body
  return { setting, agent, person }
}

/** A profile or name that doesn't open is shown as damaged, so that its owner can still work. */
const asDamaged = (isDamaged: boolean | undefined) => ({ error: isDamaged === false ? undefined : refused })

eachDialect('a former cell', (dialect) => {
  it.each(Object.keys(changed))('of %s does not open in a row that has changed since', async (place) => {
    const [table = '', column = ''] = place.split('.')
    const world = await makeWorld(dialect)
    const scenario = await changed[place]?.(world)
    if (scenario === undefined) throw new Error('the place is a key of the list')
    const errorOf = async () => {
      const { body = {}, error = body.error } = (await scenario.open()) as {
        body?: { error?: unknown }
        error?: unknown
      }
      return error
    }
    const { db } = world.setting.test.app.services
    const read = async () => {
      const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db.read)
      // Both have one row of the kind, or none of the others changes.
      return new Map(rows.map((row) => [String(row['id'] ?? row['itemId'] ?? row['agentTag']), row[column]]))
    }
    expect(await errorOf()).toBeUndefined()
    const before = await read()
    await scenario.change('second')
    expect(await errorOf()).toBeUndefined()
    const after = await read()
    const [id] =
      [...before].find(([key, cell]) => !Buffer.from(cell as Uint8Array).equals(after.get(key) as Uint8Array)) ?? []
    expect(id).toBeDefined()
    const [former, current] = [before.get(id ?? ''), after.get(id ?? '')]
    await db.write((tx) =>
      sql`update ${sql.table(table)} set ${sql.ref(column)} = ${former} where ${sql.ref(column)} = ${current}`.execute(
        tx,
      ),
    )
    expect(await errorOf()).toContain(refused)
  })
})
