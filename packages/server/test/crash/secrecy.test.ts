import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { eachDialect, type FreshStore } from '../dialects.ts'
import { agentOf, send } from './agent.ts'
import { canaryFor, filesUnder, findCanaries } from './canaries.ts'
import { change, query } from './raw-store.ts'
import { runCommand, setUp, siteFor, startServer, type RunningServer, type Site } from './server-process.ts'

/** Creates words and remembers them all. */
function createPlanter(): { word(field: string): string; planted: string[] } {
  const planted: string[] = []
  const word = (field: string) => {
    planted.push(canaryFor(field))
    return planted.at(-1) ?? ''
  }
  return { word, planted }
}

type Plant = (field: string) => string

/** Every operation that accepts text, with a separate word in each field. */
async function writeEverywhere(
  server: RunningServer,
  keys: { agent: string; dashboard: string; password: string },
  word: Plant,
) {
  const agent = agentOf(server, keys.agent)
  const who = () => ({ agentId: word('AgentId'), agentRunId: word('AgentRunId'), modelId: word('ModelId') })
  const whole = () => ({
    content: `${word('Content')} and ${word('Content')} in one text`,
    summary: word('Summary'),
    entities: [word('Entity'), word('Entity')],
    metadata: { [word('MetadataKey')]: { deep: [word('MetadataValue')] } },
    writeReason: word('WriteReason'),
    ...who(),
  })
  const first = await agent('write-memory', { ...whole(), externalWriteId: word('ExternalWriteId') })
  const memoryId = first.body['memoryId'] as string
  const { vaultId } = first.body
  const note = () => ({
    title: word('NoteTitle'),
    content: `${word('NoteContent')} [[${word('WikiTitle')}|${word('Alias')}]]`,
    tags: [word('NoteTag')],
    ...who(),
  })
  const place = { folderPath: `${word('Folder')}/${word('Folder')}` }
  const { noteId } = (await agent('create-note', { ...note(), ...place, externalWriteId: word('NoteKey') })).body
  const second = await agent('write-memory', {
    ...whole(),
    relatedMemoryIds: [{ memoryId, relationType: 'references', label: word('LinkLabel') }],
  })
  const task = () => ({
    title: word('TaskTitle'),
    description: word('TaskDescription'),
    assignedAgentId: word('Assignee'),
    doneWhen: word('DoneWhen'),
    blockedReason: word('BlockedReason'),
    metadata: { [word('MetadataKey')]: word('MetadataValue') },
    ...who(),
  })
  const { taskId } = (await agent('create-task', { ...task(), externalWriteId: word('TaskKey') })).body
  // Who writes to whom is not encrypted; what they say is.
  const said = { subject: word('Subject'), content: word('Message'), agentRunId: word('AgentRunId') }
  const sent = await agent('send-message', {
    targetId: '*',
    agentId: 'planner',
    externalWriteId: word('MessageKey'),
    ...said,
  })
  const { messageId } = sent.body
  const replies = [
    first,
    second,
    await agent('update-task', { taskId, ...task(), comment: word('Comment') }),
    await agent('list-tasks', { assignedAgentId: word('AssigneeFilter') }),
    await agent('write-memory', { ...whole(), dedup: true, externalWriteId: word('ExternalWriteId') }),
    await agent('update-memory', { memoryId, ...whole() }),
    await agent('search-memories', { query: word('Query'), entities: [word('QueryEntity')], ...who() }),
    await agent('add-link', {
      sourceType: 'memory',
      sourceId: memoryId,
      targetType: 'note',
      targetId: noteId,
      relationType: 'manual',
      label: word('LinkLabel'),
      externalWriteId: word('LinkKey'),
    }),
    await agent('archive-memory', { memoryId: second.body['memoryId'], reason: word('ArchiveReason'), ...who() }),
    await agent('update-note', { noteId, ...note() }),
    await agent('list-notes', { tags: [word('TagFilter')] }),
    await agent('update-document', { documentType: 'checks', vaultId, content: word('FormerDocument'), ...who() }),
    await agent('update-document', { documentType: 'checks', vaultId, content: word('Document'), ...who() }),
    await agent('update-settings', { settings: { customSignalKeywords: [word('SignalKeyword')] } }),
    await agent('session-track', {
      event: 'tool',
      toolName: word('Tool'),
      currentActivity: word('Activity'),
      ...who(),
    }),
    await agent('ingest-turn', {
      role: 'user',
      content: `Never touch ${word('Turn')}. I prefer ${word('Turn')}.`,
      customSignalKeywords: [word('OwnKeyword')],
      ...who(),
    }),
    sent,
    await agent('ack-message', { messageId, agentId: 'reader', note: word('AckNote') }),
    await agent('read-messages', { fromAgentId: word('SenderFilter') }),
    await agent('session-start', { query: word('SessionQuery'), ...who() }),
    await agent('context-checkpoint', {
      memories: [
        { content: word('Item'), metadata: { [word('MetadataKey')]: 1 } },
        { content: 7, summary: word('BadItem') },
      ],
      sessionSummary: word('SessionSummary'),
      ...who(),
    }),
    await agent('create-vault', { name: word('VaultName'), description: word('VaultDescription') }),
    await send(server, keys.dashboard, '/api/integrations', {
      method: 'POST',
      body: JSON.stringify({
        label: word('Label'),
        agentId: word('OwnAgentId'),
        actsAs: [word('OtherAgentId')],
        preset: 'read_write',
      }),
    }),
    ...(await writeForAllVaults(server, keys.dashboard, word)),
    await send(server, keys.dashboard, '/api/vaults/members', {
      method: 'POST',
      body: JSON.stringify({ vaultId, email: `${word('Invited')}@example.org`, role: 'viewer' }),
    }),
    await proposeChange(server, keys, { vaultId, ...whole() }),
    await send(server, keys.dashboard, '/api/auth/tokens', {
      method: 'POST',
      body: JSON.stringify({ password: keys.password, name: word('TokenName') }),
    }),
  ]
  expect(replies.map(({ status }) => status)).toEqual([
    201, 201, 200, 200, 201, 200, 200, 201, 200, 200, 200, 200, 200, 200, 200, 201, 201, 200, 200, 200, 201, 201, 201,
    200, 200, 200, 200, 201,
  ])
  return memoryId
}

/** An agent's change of a person's memory, which waits for the person. */
async function proposeChange(
  server: RunningServer,
  keys: { agent: string; dashboard: string },
  texts: Record<string, unknown>,
) {
  const memory = { method: 'POST', body: JSON.stringify({ vaultId: texts['vaultId'], content: 'Tea at four.' }) }
  const { memoryId } = (await send(server, keys.dashboard, '/api/memories', memory)).body
  const reply = await agentOf(server, keys.agent)('update-memory', { ...texts, memoryId })
  expect(reply.body).toMatchObject({ proposal: { status: 'pending' } })
  return reply
}

/** The person's own documents, one after another: the first then becomes an earlier version. */
async function writeForAllVaults(server: RunningServer, key: string, word: Plant) {
  const write = (content: string) =>
    send(server, key, '/api/documents/defaults', {
      method: 'PATCH',
      body: JSON.stringify({ documentType: 'soul', content }),
    })
  return [await write(word('FormerDefault')), await write(word('Default'))]
}

/** Every kind of error, caused with words that must not appear in a log. */
async function provokeErrors(server: RunningServer, key: string, memoryId: string, word: Plant): Promise<void> {
  const agent = agentOf(server, key)
  const post = (path: string, body: string, headers = {}, as = key) =>
    send(server, as, path, { method: 'POST', body, headers })
  const replies = [
    await agent('write-memory', {
      content: word('WrongType'),
      memoryType: word('WrongEnum'),
      entities: word('NoList'),
    }),
    await agent('write-memory', { content: word('NoDate'), expiresAt: word('WrongDate') }),
    await post('/api/agent/write-memory', `{"content": "${word('NoJson')}`),
    await post('/api/agent/write-memory', JSON.stringify(word('NoObject')), { 'X-Agent-Run-Id': word('RunHeader') }),
    await agent('read-memories', { memoryIds: [word('NoId')] }),
    await post(`/api/agent/${word('NoRoute')}?${word('QueryString')}`, '{}'),
    await agent('update-memory', { memoryId, content: word('Conflict'), expectedVersion: 77 }),
    await agent('create-note', { title: word('NoteRefused'), folderPath: `${word('LongName')}/${'x'.repeat(201)}` }),
    await post('/api/agent/info', '{}', {}, `svc_${word('WrongKey')}`),
    await post('/api/auth/login', JSON.stringify({ email: `${word('LogIn')}@example.org`, password: word('Guess') })),
  ]
  expect(replies.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 404, 409, 400, 405, 401])
}

const tables = [
  'instance',
  'users',
  'dashboardCredentials',
  'integrations',
  'vaultGrants',
  'agentKeys',
  'oauthClients',
  'oauthGrants',
  'vaults',
  'vaultKeys',
  'vaultMembers',
  'vaultInvitations',
  'memories',
  'memoryReads',
  'memoryVersions',
  'proposals',
  'notes',
  'noteTags',
  'noteVersions',
  'wikiTargets',
  'folders',
  'links',
  'indexEntries',
  'indexSnapshots',
  'documents',
  'documentVersions',
  'runs',
  'agentSightings',
  'turns',
]

/** Everything that a thief could take, apart from the memory of the running process. */
async function readEverything(site: Site, outputs: string[]): Promise<Map<string, Buffer>> {
  const places = new Map([...filesUnder(site.dataDir), ...filesUnder(site.keyDir)])
  outputs.forEach((output, at) => places.set(`output of server ${at + 1}`, Buffer.from(output)))
  if (site.store.kind === 'sqlite') return places
  for (const table of tables) places.set(`table ${table}`, await rowsAsText(site.store, table))
  const log = databaseLog()
  if (log !== undefined) places.set('log of the database', log)
  return places
}

async function rowsAsText(store: FreshStore, table: string): Promise<Buffer> {
  const rows = await query(store, `select t::text as "row" from "${table}" t`)
  return Buffer.from(rows.map(({ row }) => String(row)).join('\n'))
}

function databaseLog(): Buffer | undefined {
  const server = inject('postgres')
  const dir = 'missing' in server ? null : new URL(server.url).searchParams.get('host')
  return dir === null ? undefined : readFileSync(join(dir, 'log'))
}

eachDialect('a server with secrets', (dialect) => {
  it('leaves none of them in its files, its tables or its output, however it ends', { timeout: 120_000 }, async () => {
    const { word, planted } = createPlanter()
    const site = siteFor(await dialect.freshUrl())
    site.env = {
      ...site.env,
      HOLDFAST_LOG_LEVEL: 'debug',
      NODE_OPTIONS: `--import ${join(import.meta.dirname, 'last-words.ts')}`,
      LAST_WORDS: word('LastWords'),
    }
    const password = word('Password')
    const account = await setUp(site, {
      email: `${word('Email')}@example.org`,
      password,
      flags: ['--vault', word('FirstVault'), '--label', word('FirstLabel'), '--preset', 'admin'],
    })
    const outputs: string[] = []
    const tell = async (signal: NodeJS.Signals) => {
      const server = await startServer(site)
      const keys = { agent: account.agentKey, dashboard: account.dashboardToken, password }
      const memoryId = await writeEverywhere(server, keys, word)
      await provokeErrors(server, account.agentKey, memoryId, word)
      const exit = await server.kill(signal)
      outputs.push(server.output())
      return { memoryId, exit }
    }

    const { memoryId, exit } = await tell('SIGABRT')
    expect(exit).toEqual({ code: null, signal: 'SIGABRT' })
    expect(findCanaries(planted, await readEverything(site, outputs))).toEqual([])

    expect((await tell('SIGUSR2')).exit).toEqual({ code: 1, signal: null })
    expect(outputs.at(-1)).toContain('stopping at once after an unexpected error')

    await change(site.store, `update "memories" set "head" = "body" where "id" = '${memoryId}'`)
    const server = await startServer(site)
    const { status, body } = await agentOf(server, account.agentKey)('read-memories', { memoryIds: [memoryId] })
    expect([status, body]).toEqual([503, { error: expect.stringContaining(`memory ${memoryId} is damaged`) }])
    const user = ['users', 'add', '--email', `${word('SecondEmail')}@example.org`, '--password-stdin']
    expect((await runCommand(site, user, `${word('SecondPassword')}\n`)).code).toBe(0)
    await server.kill('SIGTERM')
    outputs.push(server.output())
    // PostgreSQL has its own tools.
    expect((await runCommand(site, ['backup'])).code).toBe(site.store.kind === 'sqlite' ? 0 : 2)
    const places = await readEverything(site, outputs)
    expect(findCanaries(planted, places)).toEqual([])
    // What is stored unencrypted is found, which shows that the search covers stored data.
    expect(findCanaries([account.userId], places)).not.toEqual([])
  })
})
