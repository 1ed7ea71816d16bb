import type { ServerResponse } from 'node:http'
import type { Watch } from '@holdfast/mcp/subscriptions'
import type { Watched } from '@holdfast/mcp/watched'
import type { AgentActor } from '../auth/actor.ts'
import type { Authenticator, Credentials } from '../auth/authenticate.ts'
import { confinedTo, holdsAnywhere, scopesIn } from '../auth/vault-access.ts'
import type { ChangeType } from '../calls/call.ts'
import type { ChangeNews } from '../calls/news.ts'
import { rateLimited, ServiceError } from '../core/errors.ts'
import { listMemoryStates } from '../memories/list-store.ts'
import { openInbox } from '../messages/inbox.ts'
import { listMessages } from '../messages/inbox-store.ts'
import { listNoteStates } from '../notes/list-store.ts'
import type { Services } from '../operation/context.ts'
import { listVaultIds } from '../vaults/store.ts'

/**
 * Tells agents that listen over MCP which resources may have changed. It contains URIs that they named, never content. The news is that of
 * the dashboard's pages: types of records in vaults. Before anything is sent, the key is read again: a stream ends as soon as its key is
 * revoked, expired or paused, or may no longer read one of its resources.
 */

/** Streams per person, over all their agents. */
const maxStreams = 16
const retryAfterSeconds = 30
/** Also notices what isn't news, such as a key that expires. */
const recheckMs = 15_000

/** What can change a resource of each kind. Messages have their own resource. */
const changedBy: Readonly<Record<Watched['kind'], readonly ChangeType[]>> = {
  context: ['memories', 'tasks', 'documents', 'vaults', 'settings'],
  tasks: ['tasks'],
  document: ['documents'],
  inbox: ['messages'],
  note: ['notes'],
  memory: ['memories'],
  list: ['notes', 'vaults'],
}

type Deps = Pick<Services, 'db' | 'instance' | 'news' | 'log' | 'now'> & { authenticator: Authenticator }

/** One listening request. */
export interface Listener {
  actor: AgentActor
  credentials: Credentials
  connection: ServerResponse
}

export function createResourceWatch(deps: Deps): (listener: Listener) => Watch {
  const take = createStreamCount()
  return (listener) => {
    let states: States = new Map()
    return {
      async admit(watched) {
        take(listener)
        const { actor } = listener
        const own = await listVaultIds(deps.db.read, actor.userId)
        const readable = watched.filter(
          (one) => mayRead(actor, one) && (one.vaultId === undefined || own.includes(one.vaultId)),
        )
        states = await readStates(deps, actor, readable)
        return readable.filter((one) => !hasState(one) || states.has(one))
      },
      follow: (watched, tell, end) => follow({ deps, listener, watched, states, tell, end }),
    }
  }
}

/** Counts each stream until its connection ends. */
function createStreamCount() {
  const counts = new Map<string, number>()
  return ({ actor: { userId }, connection }: Listener): void => {
    const count = counts.get(userId) ?? 0
    if (count >= maxStreams) throw rateLimited(retryAfterSeconds)
    counts.set(userId, count + 1)
    connection.once('close', () => {
      const left = (counts.get(userId) ?? 1) - 1
      if (left > 0) counts.set(userId, left)
      else counts.delete(userId)
    })
  }
}

interface Following {
  deps: Deps
  listener: Listener
  watched: readonly Watched[]
  /** As of the last look. */
  states: States
  tell(changed: Watched): void
  end(): void
}

/** Returns how to stop. */
function follow(following: Following): () => void {
  const { deps, listener, end } = following
  let isOver = false
  const lookAt = async (news: ChangeNews | undefined): Promise<void> => {
    if (isOver) return
    try {
      const changed = await findChanged(following, news)
      if (isOver) return
      if (changed === undefined) end()
      // It has read nothing since the last news, a second ago or more.
      else if (listener.connection.writableNeedDrain) listener.connection.destroy()
      else for (const one of changed) following.tell(one)
    } catch (error) {
      deps.log.debug('a listener over MCP could not be told', { error })
      // It has missed this news. Without news, the next look asks again.
      if (news !== undefined && !isOver) end()
    }
  }
  // One after the other, because each compares with the states of the one before.
  let looking = Promise.resolve()
  const look = (news?: ChangeNews) => void (looking = looking.then(() => lookAt(news)))
  const { leave } = deps.news.listen(listener.actor.userId, look, undefined)
  const timer = setInterval(look, recheckMs).unref()
  return () => {
    isOver = true
    leave()
    clearInterval(timer)
  }
}

/** What this news changed. Undefined if the key no longer may read all that is watched. */
async function findChanged(following: Following, news: ChangeNews | undefined): Promise<Watched[] | undefined> {
  const { deps, listener, watched, states } = following
  const actor = await deps.authenticator.findAgent(listener.credentials)
  if (actor?.isActive !== true || !watched.every((one) => mayRead(actor, one))) return undefined
  if (news === undefined) return []
  const concerned = watched.filter((one) => concerns(news, one, actor))
  const now = await readStates(deps, actor, concerned)
  const changed = concerned.filter((one) => !hasState(one) || states.get(one) !== now.get(one))
  for (const one of concerned) setOrDelete(states, one, now.get(one))
  return changed
}

function setOrDelete(states: States, one: Watched, state: string | undefined): void {
  if (state === undefined) states.delete(one)
  else states.set(one, state)
}

function mayRead(actor: AgentActor, { vaultId }: Watched): boolean {
  return vaultId === undefined ? holdsAnywhere(actor, 'read') : mayReadIn(actor, vaultId)
}

const mayReadIn = (actor: AgentActor, vaultId: string): boolean =>
  (confinedTo(actor)?.includes(vaultId) ?? true) && scopesIn(actor, vaultId).includes('read')

/** News without a vault is about all vaults, such as the documents that a person gives all their agents. */
function concerns({ vaultId, types }: ChangeNews, { kind, vaultId: where }: Watched, actor: AgentActor): boolean {
  if (!changedBy[kind].some((type) => types.includes(type))) return false
  return vaultId === null || (where === undefined ? mayReadIn(actor, vaultId) : vaultId === where)
}

/** News doesn't say which note, memory or recipient it is about, so these have a state that is compared. */
const hasState = ({ kind }: Watched) => kind === 'note' || kind === 'memory' || kind === 'inbox'

/** What differs after a change. */
type States = Map<Watched, string>

/** None for a record that doesn't exist. */
async function readStates(deps: Deps, actor: AgentActor, watched: readonly Watched[]): Promise<States> {
  const states: States = new Map()
  for (const kind of ['note', 'memory'] as const) {
    const list = kind === 'note' ? listNoteStates : listMemoryStates
    const records = watched.filter((one) => one.kind === kind)
    for (const [vaultId = '', inVault] of Map.groupBy(records, (one) => one.vaultId)) {
      const ids = inVault.map(({ recordId = '' }) => recordId)
      const rows = await list(deps.db.read, { id: vaultId, userId: actor.userId }, ids)
      const byId = new Map(rows.map((row) => [row.id, JSON.stringify(row)]))
      for (const one of inVault) setOrDelete(states, one, byId.get(one.recordId ?? ''))
    }
  }
  for (const one of watched) if (one.kind === 'inbox') setOrDelete(states, one, await readInboxState(deps, actor))
  return states
}

/** As many messages as the resource shows. */
const shownMessages = 20

async function readInboxState(deps: Deps, actor: AgentActor): Promise<string | undefined> {
  try {
    const inbox = await openInbox({ ...deps, actor }, 'read', {})
    const { rows, total } = await listMessages(
      deps.db.read,
      inbox,
      { status: 'pending', box: 'received' },
      { order: 'urgent', limit: shownMessages, offset: 0 },
    )
    return JSON.stringify([total, ...rows.map(({ id }) => id)])
  } catch (error) {
    // An agent without a name of its own can't read an inbox either.
    if (error instanceof ServiceError && error.code === 'invalid') return undefined
    throw error
  }
}
