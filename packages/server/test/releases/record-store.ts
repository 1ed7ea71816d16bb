// Fills a store with records of each kind, and asks for all of them. A release keeps the result: see CONTRIBUTING.md.

import { expect } from 'vitest'
import { routes } from '../../src/api/registry.ts'
import { ensurePrivateScope } from '../../src/auth/private-scope-store.ts'
import { newId } from '../../src/core/ids.ts'
import { unlockVault } from '../../src/jobs/each-vault.ts'
import type { Route } from '../../src/operation/operation.ts'
import { insertFactor, replaceRecoveryCodes } from '../../src/sign-in/factor-store.ts'
import { kinds } from '../../src/transfer/record.ts'
import type { TestApp } from '../app.ts'
import { asksForSecret, inputFor, makeWorld, type World } from '../sweep-world.ts'
import type { StoredAnswer } from './store-file.ts'

type Make = (name: string, body: object) => Promise<Record<string, unknown>>

/** On top of a world of the sweeps: more fields, and more than one writer. */
export async function fillStore(test: TestApp): Promise<World> {
  const world = await makeWorld(test)
  const as =
    (key: string): Make =>
    async (name, body) => {
      const { status, body: answer, text } = await test.call(name, body, { key })
      expect(status, `${name}: ${text}`).toBeLessThan(300)
      return answer
    }
  const [agent, person] = [as(world.key), as(world.user.dashboardToken)]
  await writeMemories(agent, person, world)
  await writeNotes(agent, person, world)
  await writeTasks(agent, world)
  await writeRest(agent, person, world)
  await storeRest(test, world)
  return world
}

const who = { agentId: 'ada', agentRunId: 'run-of-kestrels', modelId: 'model-1' }

async function writeMemories(agent: Make, person: Make, { user: { vaultId }, memoryId, archivedMemoryId }: World) {
  await agent('session-start', who)
  const { memoryId: first } = await agent('write-memory', {
    content: 'The kestrel nests in the old harbour crane.',
    summary: 'A kestrel nests.',
    memoryType: 'fact',
    importance: 5,
    confidence: 4,
    entities: ['Kestrel', 'Harbour'],
    metadata: { source: { page: 4 } },
    writeReason: 'Someone asked for it.',
    externalWriteId: 'birds-1',
    expiresAt: '2030-01-01T00:00:00.000Z',
    occurredAt: '2026-11-19T09:00:00.000Z',
    ...who,
  })
  const link = { memoryId: first, relationType: 'references', label: 'the same crane' }
  await agent('write-memory', { content: 'The crane is painted blue in spring.', relatedMemoryIds: [link], ...who })
  await agent('update-memory', { memoryId, content: 'The cat is gone.', ...who })
  await person('update-memory', { vaultId, memoryId, content: 'The cat is awake now.' })
  // The agent only proposes it.
  await agent('update-memory', { memoryId, content: 'The cat sleeps again.', ...who })
  await person('update-memories', { vaultId, ids: [first], importance: 4 })
  await person('decide-review', { vaultId, kind: 'unsure', ids: [first], decision: 'keep' })
  await person('erase-memory', { vaultId, id: archivedMemoryId })
}

async function writeNotes(agent: Make, person: Make, { user: { vaultId }, noteId, memoryId }: World) {
  const cranes = { title: 'Cranes', content: 'Steel, 30 m. See [[Birds]].', tags: ['harbour', 'steel'] }
  const { noteId: targetId } = await agent('create-note', { ...cranes, folderPath: 'Port/Machines', ...who })
  const birds = {
    title: 'Birds',
    content: 'Kestrels like [[Cranes|tall cranes]] and [[Missing note]].',
    tags: ['birds'],
  }
  await agent('create-note', { ...birds, ...who })
  await agent('update-note', { noteId, content: 'Cats sleep beside [[Birds]].', ...who })
  await person('update-note', { vaultId, noteId: targetId, content: 'Steel, 31 m. See [[Birds]].' })
  const link = { sourceType: 'memory', sourceId: memoryId, targetType: 'note', targetId }
  await agent('add-link', { ...link, relationType: 'references', label: 'where it sleeps' })
  const records = [
    { kind: 'note', title: 'Ospreys', content: 'They fish.', createdAt: '2024-05-01T00:00:00.000Z' },
    { kind: 'memory', content: 'An osprey was seen in May.', createdAt: '2024-05-02T00:00:00.000Z' },
  ]
  const origin = { source: 'obsidian', name: 'Ornithology' }
  await person('import-records', { vaultId, importId: newId(), origin, records })
}

async function writeTasks(agent: Make, { taskId: otherId }: World) {
  const task = { title: 'Count the kestrels', description: 'At dawn, from the pier.', doneWhen: 'three counts agree' }
  const more = { assignedAgentId: 'ada', metadata: { tool: 'binoculars' } }
  const { taskId } = await agent('create-task', { ...task, ...more, ...who })
  await agent('update-task', { taskId, status: 'in_progress', ...who })
  await agent('update-task', { taskId, status: 'blocked', blockedReason: 'fog', ...who })
  await agent('update-task', { taskId: otherId, doneWhen: 'the bowl is empty', ...who })
}

async function writeRest(agent: Make, person: Make, { user: { vaultId }, messageId }: World) {
  await agent('send-message', { targetId: 'grace', subject: 'Fog', content: 'The pier is closed until noon.', ...who })
  await agent('ack-message', { messageId, note: 'seen', agentId: 'ada' })
  await agent('update-settings', { settings: { customSignalKeywords: ['kestrel'] } })
  const memories = [{ content: 'Two kestrels were seen at dawn.' }]
  await agent('context-checkpoint', { sessionSummary: 'Counted the kestrels.', memories, ...who })
  await agent('ingest-turn', { role: 'user', content: 'Remember that the pier opens at noon. I prefer tea.', ...who })
  for (const content of ['Be kind.', 'Be kind to birds.']) {
    await person('update-document', { documentType: 'soul', vaultId, content })
    await person('update-default-document', { documentType: 'soul', content })
  }
  await agent('session-track', { event: 'end', ...who })
  const vaults = [{ vaultId, preset: 'read_write' }]
  await person('create-integration', { label: 'Port', preset: 'read_only', vaults })
}

/** What only a device, a job or time would write. */
async function storeRest({ app: { services } }: TestApp, { user }: World): Promise<void> {
  const { db, keyring, now, indexes, runs } = services
  const { userId, vaultId } = user
  await db.write(async (tx) => {
    const keys = await ensurePrivateScope(tx, keyring, user, now())
    await insertFactor(tx, keys, { userId, secret: 'JBSWY3DPEHPK3PXP', at: now(), openSince: 0 })
    await replaceRecoveryCodes(tx, userId, { hashes: [Buffer.alloc(32, 1)], at: now() })
  })
  await runs.flush()
  const vault = await unlockVault(services, userId, vaultId)
  if (vault !== undefined) await indexes.save(vault)
}

/** What they return isn't stored, or depends on the version, the machine or the calls before. */
const notAsked = new Set(
  (
    'connect info session-start preview-context list-activity list-active-agents ' +
    'read-overview read-session list-sessions get-setup read-system check-system list-backups read-encryption-keys'
  ).split(' '),
)

/** What each operation that reads returns, to agents and to people. */
export async function askAll(test: TestApp, world: World): Promise<StoredAnswer[]> {
  const reads = routes.filter(
    (route) =>
      route.effect === 'read' &&
      (route.audience === 'agent' || route.audience === 'person') &&
      !asksForSecret(route) &&
      !notAsked.has(route.name),
  )
  const answers: StoredAnswer[] = []
  for (const route of reads)
    for (const input of inputsOf(route, world)) {
      const { name: operation, audience } = route
      const key = audience === 'agent' ? world.key : world.user.dashboardToken
      const { status, body: answer, text } = await test.call(operation, input, { audience, key })
      expect(status, `${operation}: ${text}`).toBe(200)
      answers.push({ operation, audience, input, answer })
    }
  return answers
}

const inputsOf = (route: Route, world: World): Record<string, unknown>[] =>
  ({
    'export-records': kinds.map((kind) => ({ vaultId: world.user.vaultId, kind })),
    // `storage` is measured by a job, which doesn't run.
    'read-usage': [inputFor(route, world), { parts: ['storage'] }],
    'search-memories': ['kestrel', 'osprey May', 'crane painted blue'].map((query) => ({ query, topK: 2 })),
    'search-notes': ['tall', 'ospreys'].map((query) => ({ query })),
  })[route.name] ?? [inputFor(route, world)]
