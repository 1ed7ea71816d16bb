import { askAt, type Ask } from './call-server.ts'
import type { Receiver } from './receive-webhooks.ts'
import {
  agents,
  documents,
  memories,
  messages,
  nightReport,
  notes,
  proposals,
  questions,
  relationsOf,
  summaries,
  tasks,
  turns,
  type AgentName,
  type SeedMemory,
  type SeedMessage,
  type SeedNote,
  type SeedTask,
} from './seeds.ts'

/**
 * Replays a month in a few seconds: sets the server's clock to each moment and calls the operations that agents and people would
 * have called. Writes nothing else.
 */

const dayMs = 86_400_000
const minuteMs = 60_000
/** How many minutes before the current time of day an agent's session begins. */
const startsBefore: Record<AgentName, number> = {
  dispatch: 540,
  scout: 430,
  codex: 330,
  cursor: 210,
  'claude-code': 90,
}
const models: Record<AgentName, string> = {
  'claude-code': 'opus-5',
  codex: 'gpt-6',
  cursor: 'sonnet-5',
  scout: 'haiku-5',
  dispatch: 'haiku-5',
}

export interface Month {
  url: string
  owner: { vaultId: string; dashboardToken: string }
  receiver: Receiver
  /** Sets the server's clock. */
  setNow(ms: number): void
}

export async function liveAMonth(month: Month): Promise<void> {
  const world = new World(month)
  await world.begin()
  for (let day = 30; day >= 0; day--) await world.live(day)
}

type Keys = Record<AgentName, string>

class World {
  readonly #month: Month
  readonly #ask: Ask
  readonly #present = Date.now()
  readonly #ids = new Map<string, string>()
  readonly #sessions = new Map<AgentName, number>()
  #keys: Keys | undefined

  constructor(month: Month) {
    this.#month = month
    this.#ask = askAt(month.url)
  }

  /** Agents with keys, a second vault, and a webhook for messages. */
  async begin(): Promise<void> {
    this.#at(31, 600)
    const keys: [AgentName, string][] = []
    for (const label of agents) {
      const preset = label === 'scout' ? 'read_write' : 'admin'
      const made = await this.#mine('POST', '/api/integrations', { label, agentType: label, agentId: label, preset })
      const { id: integrationId } = made['integration'] as { id: string }
      const { agentKey } = await this.#mine('POST', '/api/keys', { integrationId, label: `${label} on Ada’s machine` })
      keys.push([label, agentKey as string])
    }
    this.#keys = Object.fromEntries(keys) as Keys
    await this.#mine('POST', '/api/vaults', {
      name: 'Harbour office',
      description: 'What Ingrid and her people share.',
    })
    const { host } = this.#month.receiver
    await this.#mine('POST', '/api/webhooks', {
      url: `http://${host}/board`,
      events: ['message.created', 'message.acknowledged'],
    })
    await this.#mine('POST', '/api/webhooks', {
      url: `http://${host}/chat`,
      events: ['message.created'],
      filters: { priority_gte: 3 },
    })
  }

  async live(day: number): Promise<void> {
    this.#month.receiver.breakChat(day <= 12)
    this.#at(day, 600)
    await this.#livePerson(day)
    for (const agent of agents.toSorted((one, other) => startsBefore[other] - startsBefore[one]))
      if (this.#isAtWork(agent, day)) await this.#liveSession(agent, day)
    await this.#answer(day)
  }

  #isAtWork(agent: AgentName, day: number): boolean {
    const hasWork =
      memories.some((one) => one.agent === agent && one.day === day) ||
      notes.some((one) => one.by === agent && one.day === day) ||
      tasks.some((one) => one.by === agent && one.day === day) ||
      proposals.some((one) => one.by === agent && one.day === day)
    return agent === 'dispatch' || hasWork || (day + agents.indexOf(agent)) % 3 === 0
  }

  #countSessions = (agent: AgentName) =>
    Array.from({ length: 31 }, (_, day) => day).filter((day) => this.#isAtWork(agent, day)).length

  async #livePerson(day: number): Promise<void> {
    for (const document of documents.filter((one) => one.day === day))
      await this.#mine('PATCH', '/api/documents', { documentType: document.documentType, content: document.content })
    for (const note of notes.filter((one) => one.day === day && one.by === 'user')) await this.#write(note)
    for (const task of tasks.filter((one) => one.day === day && one.by === 'user')) await this.#plan(task)
    for (const message of this.#saidByUser(day)) if (message.answers === undefined) await this.#tell(message)
  }

  /** The person answers after the day's questions were asked. */
  async #answer(day: number): Promise<void> {
    this.#at(day, 30)
    for (const message of this.#saidByUser(day)) if (message.answers !== undefined) await this.#tell(message)
  }

  #saidByUser = (day: number) => messages.filter((one) => one.day === day && one.from === 'user')

  async #liveSession(agent: AgentName, day: number): Promise<void> {
    let minute = 0
    const later = (minutes: number) => this.#at(day, startsBefore[agent] - (minute += minutes))
    const run = { agentRunId: `${agent}-${31 - day}`, agentId: agent, modelId: models[agent] }
    const call = (operation: string, input: object) => this.#agent(agent, operation, { ...run, ...input })
    const own = questions[agent]
    const question = own[day % own.length] ?? ''
    later(0)
    await call('session-start', { query: question })
    await call('session-track', { event: 'start', currentActivity: question })
    later(2)
    await call('search-memories', { query: question, topK: 5 })
    if (day % 2 === 0) await call('semantic-search', { query: own[(day + 1) % own.length] ?? question })
    for (const turn of turns.filter((one) => one.agent === agent && one.day === day)) {
      later(3)
      await call('ingest-turn', { content: turn.content, role: turn.role })
    }
    for (const memory of memories.filter((one) => one.agent === agent && one.day === day)) {
      later(6)
      await this.#remember(memory, run)
    }
    for (const note of notes.filter((one) => one.day === day && one.by === agent)) {
      later(9)
      await this.#write(note, run)
    }
    for (const { note, find, replace } of proposals.filter((one) => one.day === day && one.by === agent)) {
      later(3)
      await call('update-note', { noteId: this.#idOf(`note ${note}`), edits: [{ find, replace }] })
    }
    for (const task of tasks.filter((one) => one.day === day && one.by === agent)) {
      later(2)
      await this.#plan(task, run)
    }
    await this.#work(agent, day, run, later)
    later(5)
    await call('session-track', { event: 'tool', toolName: 'edit-file' })
    await this.#sumUp(agent, day, run)
  }

  /** Moves the agent's tasks on and sends its messages. */
  async #work(agent: AgentName, day: number, run: object, later: (minutes: number) => void): Promise<void> {
    for (const task of tasks.filter(
      ({ by, assignedTo = by }) => assignedTo === agent || (assignedTo === 'user' && agent === 'claude-code'),
    ))
      for (const step of task.steps.filter((one) => one.day === day)) {
        later(7)
        await this.#agent(agent, 'update-task', {
          ...run,
          taskId: this.#idOf(`task ${task.title}`),
          status: step.status,
          ...(step.comment !== undefined && { comment: step.comment }),
          ...(step.status === 'blocked' && { blockedReason: task.blockedReason }),
        })
      }
    for (const message of messages.filter((one) => one.day === day && one.from === agent)) {
      later(1)
      await this.#tell(message, run)
    }
  }

  async #sumUp(agent: AgentName, day: number, run: object): Promise<void> {
    const done = this.#sessions.get(agent) ?? 0
    this.#sessions.set(agent, done + 1)
    // The latest sessions have one: the first ones of a busy agent end without.
    const texts = summaries[agent]
    const sessionSummary =
      agent === 'dispatch' ? nightReport(day) : texts[done - (this.#countSessions(agent) - texts.length)]
    if (sessionSummary !== undefined)
      await this.#agent(agent, 'context-checkpoint', { ...run, sessionSummary, memories: [] })
    // The current session is still active.
    if (day > 0 || agent !== 'claude-code') await this.#agent(agent, 'session-track', { ...run, event: 'end' })
  }

  async #remember(memory: SeedMemory, run: object): Promise<void> {
    const { agent, memoryType, importance, confidence, content, entities, key, supersedes, why, from, expiresInDays } =
      memory
    const relatedMemoryIds = relationsOf(memory).map(([name, relationType]) => ({
      memoryId: this.#idOf(name),
      relationType,
      ...(relationType === 'contradicts' && memory.label !== undefined && { label: memory.label }),
    }))
    const sourceNoteIds = (from ?? []).flatMap((title) => this.#ids.get(`note ${title}`) ?? [])
    const { memoryId } = await this.#agent(agent, 'write-memory', {
      ...run,
      memoryType,
      importance,
      confidence,
      content,
      entities,
      ...(relatedMemoryIds.length > 0 && { relatedMemoryIds }),
      ...(sourceNoteIds.length > 0 && { sourceNoteIds }),
      ...(supersedes !== undefined && { supersededById: this.#idOf(supersedes) }),
      ...(why !== undefined && { writeReason: why }),
      ...(expiresInDays !== undefined && { expiresAt: new Date(this.#present + expiresInDays * dayMs).toISOString() }),
    })
    if (key !== undefined) this.#ids.set(key, memoryId as string)
  }

  async #write(note: SeedNote, run: object = {}): Promise<void> {
    const { by, title, folderPath, tags, content, formerly } = note
    const first = { title, folderPath, tags, content: formerly ?? content }
    const made =
      by === 'user'
        ? await this.#mine('POST', '/api/notes', first)
        : await this.#agent(by, 'create-note', { ...run, ...first })
    const noteId = idIn(made, 'note')
    this.#ids.set(`note ${title}`, noteId)
    if (formerly !== undefined && by !== 'user') await this.#agent(by, 'update-note', { ...run, noteId, content })
  }

  async #plan(task: SeedTask, run: object = {}): Promise<void> {
    const { by, title, description, doneWhen, priority, assignedTo, steps } = task
    const draft = {
      title,
      priority,
      ...(steps[0]?.status === 'backlog' && { status: 'backlog' }),
      ...(description !== undefined && { description }),
      ...(doneWhen !== undefined && { doneWhen }),
      ...(assignedTo !== undefined && { assignedAgentId: assignedTo }),
    }
    const made =
      by === 'user'
        ? await this.#mine('POST', '/api/tasks', draft)
        : await this.#agent(by, 'create-task', { ...run, ...draft })
    this.#ids.set(`task ${title}`, idIn(made, 'task'))
  }

  async #tell(message: SeedMessage, run: object = {}): Promise<void> {
    const { from, to, category, priority, subject, content, key, answers, acknowledged } = message
    const draft = {
      targetId: to,
      category,
      priority,
      content,
      ...(subject !== undefined && { subject }),
      ...(answers !== undefined && { parentMessageId: this.#idOf(answers) }),
    }
    const made =
      from === 'user'
        ? await this.#mine('POST', '/api/messages', draft)
        : await this.#agent(from, 'send-message', { ...run, ...draft })
    const messageId = idIn(made, 'message')
    if (key !== undefined) this.#ids.set(key, messageId)
    if (acknowledged === undefined) return this.#month.receiver.settle()
    if (to === 'user') await this.#mine('POST', '/api/messages/ack', { messageIds: [messageId], note: acknowledged })
    else await this.#agent(to === '*' ? 'claude-code' : to, 'ack-message', { messageId, note: acknowledged })
    // Deliver what is queued before the clock moves on.
    await this.#month.receiver.settle()
  }

  #at(day: number, minutesBefore: number): void {
    this.#month.setNow(this.#present - day * dayMs - minutesBefore * minuteMs)
  }

  #mine(method: 'POST' | 'PATCH', path: string, body: object): Promise<Record<string, unknown>> {
    const { vaultId, dashboardToken } = this.#month.owner
    const isOfVault = /notes|tasks|messages$|documents/.test(path)
    return this.#ask(dashboardToken, method, path, isOfVault ? { vaultId, ...body } : body)
  }

  #agent(agent: AgentName, operation: string, input: object): Promise<Record<string, unknown>> {
    return this.#ask(this.#keys?.[agent] ?? '', 'POST', `/api/agent/${operation}`, input)
  }

  #idOf(key: string): string {
    const id = this.#ids.get(key)
    if (id === undefined) throw new Error(`Nothing is called ${key} yet.`)
    return id
  }
}

/** Responses to agents contain the id, responses to people the whole record. */
const idIn = (made: Record<string, unknown>, name: 'note' | 'task' | 'message'): string => {
  const record = (made[name] ?? made) as Record<string, string>
  return record[`${name}Id`] ?? record['id'] ?? ''
}
