import { z } from 'zod'
import { ServiceError } from '../core/errors.ts'
import { collectDamage } from '../crypto/cell.ts'
import { type DocumentRecord, readDocuments } from '../documents/document.ts'
import type { Memory } from '../memories/memory.ts'
import type { TaskState } from '../memories/task-state.ts'
import type { MessageRecord } from '../messages/message.ts'
import { countMessages, type Inbox } from '../messages/inbox-store.ts'
import { readPending } from '../messages/inbox.ts'
import type { VaultContext } from '../operation/context.ts'
import type { DocumentType, SessionMode } from '../vaults/settings.ts'
import { degradedBy, type SearchContext } from '../search/search-vault.ts'
import { type Integrations, nameIntegrations } from '../operation/sent-by.ts'
import { openVaults } from '../vaults/vault.ts'
import { type AgentRecord, recentAgents } from '../runs/list-active-agents.ts'
import {
  type Choice,
  chooseConstraints,
  chooseEpisodes,
  chooseFacts,
  chooseTasks,
  searchFacts,
} from './choose-records.ts'
import { findMark, type Marker, setMark } from './mark-store.ts'
import { isoTime } from '../core/time.ts'
import * as fields from '../operation/fields.ts'
import { type ChangeCount, countChanged, maxChanges } from './ranked-store.ts'

export interface SessionRequest {
  mode: SessionMode
  query: string | undefined
  summaryOnly: boolean
  maxEpisodic: number
  maxFacts: number
  maxTasks: number
  maxConstraints: number
  includeDocuments: readonly DocumentType[]
  maxResponseChars: number
  decayHalfLifeDays: number
  agentRunId: string
  /** Whose last session the changes are counted from; undefined if nobody's. */
  marker: Marker | undefined
  /** Whether the next session counts from this one. Not for a preview, nor for a key that can't write. */
  movesMark: boolean
  vaultId: string
  at: number
}

export interface VaultEntry {
  vaultId: string
  name: string
  isDefault: boolean
}

/** The full content for an answer, before it is cut to size. */
export interface Parts {
  vault: VaultEntry | undefined
  vaults: { listed: VaultEntry[]; total: number }
  constraints: Memory[]
  facts: Memory[]
  episodic: { episodes: Memory[]; lastSummary: Memory | undefined }
  tasks: { memory: Memory; state: TaskState }[]
  documents: DocumentRecord[]
  recentAgents: AgentRecord[]
  pending: { messages: MessageRecord[]; total: number } | undefined
  changes: Changes | undefined
  /** The integrations that wrote or changed the memories and tasks. */
  integrations: Integrations
  degraded: Degraded[]
}

interface Degraded {
  part: string
  reason: string
}

const maxPending = 20
const maxVaults = 100
const maxAgents = 20
const recentMinutes = 60

type Context = SearchContext & Pick<VaultContext, 'actor' | 'keyring' | 'instance' | 'runs'>

/**
 * Reads each part separately. A part that fails is left out and listed as degraded, unless the database is down: an agent that
 * starts without its tasks is better off than one that can't start. `inbox`: the reader of messages, and the vaults.
 */
export async function gatherParts(ctx: Context, request: SessionRequest, inbox: Inbox): Promise<Parts> {
  const degraded: Degraded[] = []
  const part = readerOf(ctx, degraded)
  const damage = collectDamage(ctx.instance.onDamage)
  const choosing = { ...ctx, onDamage: damage.onDamage }
  const choice = (limit: number): Choice => ({ ...request, limit })
  const search = await part('search', undefined, () => answerQuery(ctx, request, choice(request.maxFacts)))
  for (const { leg, reason } of search?.degraded ?? [])
    // Without an embedding provider, that its leg is missing isn't a failure.
    if (leg !== 'semantic' || ctx.embeddings !== undefined) degraded.push({ part: `search: ${leg}`, reason })
  // Mode `none` returns the vaults, the number of pending messages, and only what the call asks for explicitly.
  const isBare = request.mode === 'none'
  const noVaults = { vault: undefined, vaults: { listed: [], total: 0 } }
  const noEpisodes = { episodes: [], lastSummary: undefined }
  const [vaults, constraints, facts, episodic, tasks, documents, agents, pending, changes] = await Promise.all([
    part('vaults', noVaults, () => listReadableVaults(ctx, inbox.vaultIds)),
    part('constraints', [], () => chooseConstraints(choosing, choice(request.maxConstraints))),
    part('facts', [], () => chooseFacts(choosing, choice(request.maxFacts), search)),
    part('episodic', noEpisodes, () => chooseEpisodes(choosing, choice(request.maxEpisodic))),
    part('tasks', [], () => chooseTasks(choosing, choice(request.maxTasks))),
    part('documents', [], () => readDocuments(ctx, request.includeDocuments)),
    part('recentAgents', [], async () =>
      isBare ? [] : recentAgents(ctx, { withinMinutes: recentMinutes, limit: maxAgents }),
    ),
    part('pendingMessages', undefined, () => readPending(ctx, inbox, { limit: isBare ? 0 : maxPending })),
    part('changes', undefined, async () => (isBare ? undefined : countChanges(ctx, inbox, request))),
  ])
  for (const { reason } of degradedBy(damage.ids)) degraded.push({ part: 'damaged records', reason })
  if (request.movesMark) await moveMark(ctx, request, degraded)
  const shown = [...constraints, ...facts, ...episodic.episodes, ...tasks.map(({ memory }) => memory)]
  const integrations = await part('names of integrations', new Map(), () =>
    nameIntegrations(ctx, [
      ...shown.flatMap(({ integrationId, head }) => [integrationId, head.changedBy?.integrationId]),
      ...tasks.map(({ state }) => state.detail.blockedBy?.integrationId),
    ]),
  )
  return {
    ...vaults,
    constraints,
    facts,
    episodic,
    tasks,
    documents,
    recentAgents: agents,
    pending,
    changes,
    integrations,
    degraded,
  }
}

/** If the mark can't be written, for example because the disk is full, the agent still gets its answer. */
async function moveMark(
  { db, vault, log }: Pick<VaultContext, 'db' | 'vault' | 'log'>,
  { marker, agentRunId, at }: SessionRequest,
  degraded: Degraded[],
): Promise<void> {
  if (marker === undefined) return
  try {
    await db.write((tx) => setMark(tx, vault, marker, { at, seq: vault.seq, by: { run: agentRunId } }))
  } catch (error) {
    log.warn('could not record the start of a session', { error })
    degraded.push({ part: 'changes', reason: 'this start was not noted for the next' })
  }
}

type PartReader = <T>(name: string, fallback: T, read: () => Promise<T>) => Promise<T>

const readerOf =
  ({ db, log }: Pick<VaultContext, 'db' | 'log'>, degraded: Degraded[]): PartReader =>
  async (name, fallback, read) => {
    try {
      return await read()
    } catch (error) {
      // An outage must be reported. An empty answer would look like an empty vault.
      if (db.explainFailure(error) !== undefined) throw error
      log.warn(`session-start leaves out ${name}`, { error })
      degraded.push({ part: name, reason: error instanceof ServiceError ? error.message : 'could not be read' })
      return fallback
    }
  }

async function answerQuery(ctx: SearchContext, { query, maxFacts }: SessionRequest, choice: Choice) {
  return query === undefined || maxFacts === 0 ? undefined : searchFacts(ctx, query, choice)
}

async function listReadableVaults(
  { actor, db, instance, keyring, vault }: Pick<VaultContext, 'db' | 'instance' | 'vault' | 'keyring' | 'actor'>,
  vaultIds: readonly string[],
): Promise<Pick<Parts, 'vault' | 'vaults'>> {
  const ids = new Set([...vaultIds.slice(0, maxVaults), vault.id])
  const opened = await openVaults(db.read, { keyring, actor, mek: keyring.mek(actor), instance }, [...ids])
  const entries = opened.map(({ vaultId, profile, isDefault }) => ({ vaultId, name: profile.name, isDefault }))
  return {
    vault: entries.find(({ vaultId }) => vaultId === vault.id),
    vaults: { listed: entries, total: vaultIds.length },
  }
}

export const changesRecord = z.looseObject({
  since: fields.timestamp,
  created: z.int().describe('Memories other than tasks.'),
  updated: z.int(),
  archived: z.int(),
  tasksChanged: z.int(),
  notesChanged: z.int(),
  messages: z.int().describe('Received in this vault.'),
  isPartial: z.boolean().describe('True if more has changed than was counted.'),
})

type Changes = z.input<typeof changesRecord>

/** Counts changes in the vault since this agent last started or saved a session in another run; undefined if it never has. */
async function countChanges(
  ctx: Pick<VaultContext, 'db' | 'vault'>,
  inbox: Inbox,
  { marker, agentRunId }: SessionRequest,
): Promise<Changes | undefined> {
  const { db, vault } = ctx
  const mark = marker && (await findMark(db.read, vault, marker, agentRunId))
  if (mark === undefined) return undefined
  const counts = await countChanged(db.read, vault, mark.seq, mark.at)
  const sum = (passes: (change: ChangeCount) => boolean) =>
    counts.filter((change) => passes(change)).reduce((total, { count }) => total + count, 0)
  const isMemory = ({ kind, type }: ChangeCount) => kind === 'memory' && type !== 'task'
  // Messages from the mark's own millisecond were already included then.
  const filter = { status: 'all', box: 'received', since: mark.at + 1 } as const
  return {
    since: isoTime(mark.at),
    created: sum((change) => isMemory(change) && change.archived === 0 && change.isCreated === 1),
    updated: sum((change) => isMemory(change) && change.archived === 0 && change.isCreated === 0),
    archived: sum((change) => isMemory(change) && change.archived === 1),
    tasksChanged: sum(({ kind, type }) => kind === 'memory' && type === 'task'),
    notesChanged: sum(({ kind }) => kind === 'note'),
    messages: await countMessages(db.read, { ...inbox, vaultIds: [vault.id] }, filter),
    isPartial: sum(() => true) > maxChanges,
  }
}
