import { expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { eachDialect } from '../dialects.ts'
import { makeAgent, makeUser, makeUserWithAgent, makeVault, type TestUser } from '../factories.ts'
import type { RecordOf, TransferRecord } from '../../src/transfer/record.ts'
import { everythingIn, exportZip, fileWith, importPath, type Holder } from './passing.ts'

/** A vault with everything that a vault can contain, in all states, and with texts that are difficult for file formats. */

type Agent = TestUser & { key: string }

const odd = 'He said: "no" – \u2028 a line\u2029 and more\r\n---\nholdfast: {}\n---\n\ttabs, 😀, ｗｉｄｅ, \u0000 end'

async function fill(test: TestApp, user: Agent): Promise<void> {
  const call = async (name: string, body: Record<string, unknown>) => {
    const answer = await test.call(name, body, { key: user.key })
    expect([name, answer.status, answer.text]).toEqual([name, expect.toBeOneOf([200, 201]), expect.anything()])
    return answer.body
  }
  await call('create-folder', { path: 'Empty/Inside' })
  const backups = await call('create-note', { title: 'Backups', content: odd, tags: ['ops', 'a b'], folderPath: 'Ops' })
  const deploy = await call('create-note', {
    title: 'What/is: this? [draft] #1',
    content: '---\ntitle: x\n---\nSee [[Backups]] and [[Nowhere|there]].',
    externalWriteId: 'deploy',
    folderPath: 'Ops/Deep: one',
  })
  await call('create-note', { title: 'backups', content: 'The same title: [[Backups]].', folderPath: 'ops' })
  await call('update-note', { noteId: backups.noteId, content: `${odd} changed`, tags: ['ops'] })
  await call('update-note', { noteId: backups.noteId, title: 'Back-ups' })
  const asPerson = { key: user.dashboardToken }
  const { vaultId } = user
  await test.call('update-note', { vaultId, id: deploy.noteId, content: 'Edited: [[Back-ups]]' }, asPerson)
  const gone = await call('create-note', { title: 'Gone', content: 'Links to [[Back-ups]].' })
  await call('delete-note', { noteId: gone.noteId })
  const topics: [topic: string, text: string][] = [
    ['tabs', 'Indent with tabs in Go, never with spaces; the formatter of the team insists on it.'],
    ['deploys', 'Deploys go out on Tuesday mornings once the staging checks are green.'],
    ['the cat', 'The cat is fed twice a day, and only half a cup since the vet said so.'],
    ['Postgres', 'Postgres 18 runs on the old server in the cellar and is dumped at night.'],
    ['billing', 'Billing rounds half cents up, which tax law here demands of every invoice.'],
    ['holidays', 'Nobody of the office works between Christmas and the sixth of January, which are holidays.'],
    ['release notes', 'Write release notes for people: what they can do now, then what was mended.'],
    ['the printer', 'The printer on the second floor jams unless paper is fanned first.'],
  ]
  const ids: unknown[] = []
  for (const [at, [topic, content]] of topics.entries())
    ids.push(
      (
        await call('write-memory', {
          content,
          memoryType: ['fact', 'preference', 'constraint', 'episodic'][at % 4],
          importance: (at % 5) + 1,
          entities: [topic],
          summary: at % 2 === 0 ? `Rule ${at}` : undefined,
          metadata: { at, nested: { odd } },
          writeReason: 'a test',
          occurredAt: `2026-0${at + 1}-03T10:00:00.000Z`,
          sourceNoteIds: at === 2 ? [deploy.noteId] : undefined,
          externalWriteId: `rule-${at}`,
          agentRunId: 'run-1',
        })
      ).memoryId,
    )
  const rules = await call('create-note', { title: 'Rules', content: `See [[memory:${String(ids[3])}|the cellar]].` })
  await call('update-note', { noteId: rules.noteId, content: `And [[memory:${String(ids[4])}]].`, mode: 'append' })
  await call('write-memory', { content: odd, expiresAt: '2020-01-01T00:00:00.000Z' })
  await call('write-memory', { content: 'About tabs: spaces now.', supersededById: ids[0], entities: ['tabs'] })
  await call('archive-memory', { memoryId: ids[1], reason: 'not true' })
  await call('update-memory', { memoryId: ids[2], importance: 5, content: 'About the cat: it sleeps.' })
  await call('read-memories', { memoryIds: [ids[3]] })
  await call('add-link', {
    sourceType: 'memory',
    sourceId: ids[4],
    targetType: 'note',
    targetId: backups.noteId,
    relationType: 'contradicts',
    label: odd.slice(0, 30),
  })
  const task = await call('create-task', {
    title: 'Feed the cat\nsoon',
    description: odd,
    priority: 5,
    assignedAgentId: 'helper',
    doneWhen: 'fed',
    externalWriteId: 'rule-1',
  })
  await call('update-task', { taskId: task.taskId, status: 'done', comment: 'fed it' })
  await call('write-memory', { content: 'A plain task', memoryType: 'task' })
  await changeByOthers(test, user, { memoryId: ids[5], taskId: task.taskId })
  const sent = await call('send-message', { targetId: '*', content: odd, subject: 'Hello', agentId: 'other' })
  await call('ack-message', { messageId: sent.messageId, note: 'seen' })
  await call('send-message', { targetId: 'other', content: 'A reply', parentMessageId: sent.messageId })
  await call('update-document', { documentType: 'skills', vaultId: user.vaultId, content: odd, mode: 'replace' })
  await call('update-document', {
    documentType: 'skills',
    vaultId: user.vaultId,
    content: 'more words to keep',
    mode: 'append',
  })
  for (const content of ['A check that was taken away.', ''])
    await call('update-document', { documentType: 'checks', vaultId: user.vaultId, content, mode: 'replace' })
  await test.call(
    'update-document',
    { vaultId, documentType: 'skills', content: 'more words to keep, edited' },
    asPerson,
  )
  await call('update-settings', { settings: { threshold: 0.3, customSignalKeywords: ['ticket'] } })
}

/** Another agent and the person change what the agent wrote. */
async function changeByOthers(
  test: TestApp,
  user: Agent,
  { memoryId, taskId }: { memoryId: unknown; taskId: unknown },
): Promise<void> {
  const other = await makeAgent(test, user)
  const changes = [
    ['update-memory', { memoryId, summary: `Dates, ${odd}`, expiresAt: '2030-01-01T00:00:00.000Z' }, other],
    ['update-memory', { memoryId, importance: 4, metadata: { at: null } }, user.dashboardToken],
    ['update-task', { taskId, doneWhen: 'fed twice', title: 'Feed both cats' }, other],
  ] as const
  for (const [name, body, key] of changes) {
    const { status, text } = await test.call(name, { vaultId: user.vaultId, ...body }, { key })
    expect([status, text]).toEqual([200, text])
  }
}

const questions = [
  'tabs',
  'deploys',
  'the cat',
  'Postgres',
  'billing',
  'holidays',
  'release notes',
  'the printer',
  'rule',
  'spaces',
].flatMap((word) => [word, `what about ${word}`, `${word} in march`])

/** The ten best hits for each question, and the best one. */
async function answers(test: TestApp, key: string): Promise<unknown[]> {
  const found: unknown[] = []
  for (const query of questions) {
    const asOf = '2027-01-01T00:00:00.000Z'
    const { body } = await test.call('search-memories', { query, topK: 10, asOf }, { key })
    const memories = body.memories as { memoryId: string }[]
    const notes = (await test.call('search-notes', { query, limit: 10 }, { key })).body.notes as { noteId: string }[]
    const ids = [memories.map(({ memoryId }) => memoryId), notes.map(({ noteId }) => noteId)]
    // Of hits with equal scores, the one indexed last comes first, and an import indexes in its own order.
    found.push([query, ids[0]?.[0], ...ids.map((list) => list.toSorted())])
  }
  return found
}

/** Links get new ids, which determine their order. */
const withoutIds = (links: readonly TransferRecord[]) =>
  links.map((link) => JSON.stringify({ ...link, id: undefined, signature: undefined })).toSorted()

/** Records with new ids have other signatures. */
const unsigned = (records: readonly TransferRecord[]): TransferRecord[] =>
  records.map((record) => JSON.parse(JSON.stringify({ ...record, signature: undefined })) as TransferRecord)

/** No file can claim that the person changed a text. */
const claimedWriter = (writer: RecordOf<'memory'>['changedBy']) =>
  writer && {
    ...writer,
    integrationId: undefined,
    agentId: writer.agentId === 'user' ? undefined : writer.agentId,
    route: 'import',
  }

/** Another instance doesn't know who wrote the records, only the names that they claim. */
function asImported(record: TransferRecord): TransferRecord {
  switch (record.kind) {
    case 'memory':
      return {
        ...record,
        integrationId: undefined,
        task: record.task && {
          ...record.task,
          statusHistory: record.task.statusHistory?.map((change) => ({ ...change, integrationId: undefined })) ?? [],
        },
        route: record.route === 'create-task' ? 'import-task' : 'import',
        changedBy: claimedWriter(record.changedBy),
        trust: 'imported',
      }
    case 'memoryVersion':
      return {
        ...record,
        changedBy: claimedWriter(record.changedBy),
        trust: 'imported',
      }
    case 'note':
      return {
        ...record,
        integrationId: undefined,
        route: 'import',
        changedBy: claimedWriter(record.changedBy),
        trust: 'imported',
      }
    case 'noteVersion':
      return { ...record, writer: claimedWriter(record.writer), trust: 'imported' }
    case 'message':
      return {
        ...record,
        isImported: true,
        integrationId: undefined,
        acks: record.acks?.map(({ note, ...ack }) => ({
          ...ack,
          integrationId: undefined,
          ...(ack.type === 'agent' && { note }),
        })),
      }
    case 'document':
      return {
        ...record,
        author: { ...record.author, integrationId: undefined, route: 'import' },
        changedBy: claimedWriter(record.changedBy),
        trust: 'imported',
      }
    case 'documentVersion':
      return {
        ...record,
        author: { ...record.author, integrationId: undefined, route: 'import' },
        trust: 'imported',
      }
    case 'settings':
    case 'folder':
    case 'link':
      return record
  }
}

eachDialect('an export that is imported elsewhere', (dialect) => {
  it('is the same vault: records, history, links and search results', async () => {
    const [one, other] = [
      await startTestApp({ dialect, config: { embeddings: { provider: 'static' } }, runsJobs: false }),
      await startTestApp({ dialect, config: { embeddings: { provider: 'static' } }, runsJobs: false }),
    ]
    const [ada, grace] = [
      await makeUserWithAgent(one, { preset: 'admin' }),
      await makeUserWithAgent(other, { preset: 'admin' }),
    ]
    await fill(one, ada)
    const from: Holder = { test: one, ...ada }
    const to: Holder = { test: other, ...grace }
    const before = await everythingIn(from)
    for (const records of [before.note, before.document])
      expect(records).toContainEqual(expect.objectContaining({ hasOtherWriters: true, trust: 'agent_authored' }))
    const zip = await fileWith('export.zip', await exportZip(from))

    const report = await importPath(to, zip)
    expect(report.problems).toEqual([])
    const after = await everythingIn(to)
    for (const kind of [
      'settings',
      'folder',
      'note',
      'noteVersion',
      'memory',
      'memoryVersion',
      'message',
      'document',
      'documentVersion',
    ] as const) {
      expect(before[kind].length).toBeGreaterThan(0)
      expect(unsigned(after[kind])).toEqual(unsigned(before[kind].map(asImported)))
    }
    expect(before.link.length).toBeGreaterThan(4)
    expect(withoutIds(after.link)).toEqual(withoutIds(before.link))
    const found = await answers(one, ada.key)
    expect(found.filter((answer) => JSON.stringify(answer).includes('-')).length).toBeGreaterThan(20)
    expect(await answers(other, grace.key)).toEqual(found)

    const dry = await importPath(to, zip, { dryRun: true })
    const again = await importPath(to, zip)
    for (const kind of ['noteVersion', 'memoryVersion', 'documentVersion'] as const)
      expect([kind, dry.counts[kind]]).toEqual([kind, again.counts[kind]])
    expect(Object.values(again.counts).every(({ created, failed }) => created === 0 && failed === 0)).toBe(true)
    expect((await everythingIn(to)).memory).toEqual(after.memory)
  })

  it('keeps its links if another vault of the same person uses its ids', async () => {
    const test = await startTestApp({ dialect, runsJobs: false })
    const ada = await makeUserWithAgent(test, { preset: 'admin' })
    await fill(test, ada)
    const from: Holder = { test, ...ada }
    const zip = await fileWith('export.zip', await exportZip(from))
    const { body } = await test.call('create-vault', { name: 'Copy' }, { key: ada.key })
    const to: Holder = { ...from, vaultId: String(body.vaultId) }
    expect((await importPath(to, zip)).problems).toEqual([])
    const [before, after] = [await everythingIn(from), await everythingIn(to)]
    const idOf = new Map<string, string>()
    for (const kind of ['note', 'memory', 'message'] as const)
      for (const [at, record] of before[kind].entries()) idOf.set(idOfRecord(record), idOfRecord(after[kind][at]))
    const mapped = (records: readonly TransferRecord[]) =>
      JSON.parse(
        JSON.stringify(unsigned(records)).replaceAll(
          /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
          (id) => idOf.get(id) ?? id,
        ),
      ) as TransferRecord[]
    expect(new Set(idOf.values()).size).toBe(idOf.size)
    expect([...idOf].every(([old, now]) => old !== now && now !== '')).toBe(true)
    for (const kind of ['note', 'noteVersion', 'memory', 'memoryVersion', 'message'] as const)
      expect(unsigned(after[kind])).toEqual(mapped(before[kind]))
    expect(withoutIds(after.link)).toEqual(withoutIds(mapped(before.link)))
    expect((await importPath(to, zip)).counts.memory).toMatchObject({ created: 0, existing: before.memory.length })
  })

  it('keeps its order in another vault of the same person, even of records from one millisecond', async () => {
    const test = await startTestApp({ dialect, runsJobs: false })
    const ada = await makeUser(test)
    const contents = Array.from({ length: 20 }, (_, at) => `Rule ${at}.`)
    const records = contents.map((content) => ({ kind: 'memory', id: newId(), content }))
    for (const vaultId of [ada.vaultId, await makeVault(test, ada)]) {
      const asked = { vaultId, importId: newId(), records }
      expect((await test.call('import-records', asked, { key: ada.dashboardToken })).status).toBe(200)
      const { memory } = await everythingIn({ test, ...ada, vaultId })
      expect(memory.map((record) => 'content' in record && record.content)).toEqual(contents)
    }
  })
})

const idOfRecord = (record: TransferRecord | undefined): string =>
  record !== undefined && 'id' in record ? (record.id ?? '') : ''
