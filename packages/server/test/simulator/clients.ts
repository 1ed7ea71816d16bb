// Clients that call operations at one server or another, and note what they were answered.

import { routes } from '../../src/api/registry.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { newId } from '../../src/core/ids.ts'
import type { Random } from '../fuzz/random.ts'
import { addTo, type HistoryLog } from './log.ts'
import type { TaskOp, TaskState } from './models.ts'
import type { Scheduler } from './scheduler.ts'
import type { Running } from './servers.ts'

export interface Calling {
  scheduler: Scheduler
  random: Random
  log: HistoryLog
  agentKey: string
  taskIds: readonly [string, ...string[]]
  /** Servers that run now. */
  running(): readonly Running[]
}

type Body = Record<string, unknown>

/** Undefined if no answer came, or one that doesn't say whether it had its effect. */
type Answer = { wasCreated: boolean; body: Body } | 'conflict' | undefined

const actions = [
  'write',
  'write',
  'write under a key',
  'write under a key',
  'archive',
  'search',
  'search',
  'send',
  'claim',
  'claim',
  'give back',
  'complete',
  'read task',
] as const

/** The word that a search finds them by. */
const word = 'harvest'

export async function callOften(calling: Calling, client: string): Promise<void> {
  const { scheduler, random } = calling
  for (let count = random.int(2, 6); count > 0; count--) {
    const action = random.pick(actions)
    await scheduler.step(`${client}: ${action}`)
    const server = await chooseServer(calling, client)
    if (action === 'write') await write(calling, client, server)
    else if (action === 'write under a key') await write(calling, client, server, `key ${random.int(1, 2)}`)
    else if (action === 'archive') await archive(calling, server)
    else if (action === 'search') await search(calling, server)
    else if (action === 'send') await send(calling, server)
    else if (action === 'read task') await readTask(calling, server, random.pick(calling.taskIds))
    else await changeTask(calling, { client, server, action })
  }
}

async function chooseServer({ scheduler, random, running }: Calling, client: string): Promise<Running> {
  for (;;) {
    const [first, ...rest] = running()
    if (first !== undefined) return random.pick([first, ...rest])
    await scheduler.step(`${client}: waits for a server`)
  }
}

const maxTries = 3

/** As a client does that wants to be sure: it repeats the call under its key until there is an answer. */
async function write(calling: Calling, client: string, first: Running, key?: string): Promise<void> {
  const { scheduler, log } = calling
  const text = `${word} ${client} ${log.writes.length}`
  const input = { content: text, ...(key !== undefined && { externalWriteId: key }) }
  for (let [tries, server] = [1, first]; ; tries++, server = await chooseServer(calling, client)) {
    const from = scheduler.tick()
    const answer = await call(calling, server, 'write-memory', input)
    const until = answer === undefined ? Infinity : scheduler.tick()
    const known = isAnswer(answer) ? { id: String(answer.body['memoryId']), wasCreated: answer.wasCreated } : undefined
    log.writes.push({ op: { text, key, answer: known }, from, until })
    if (key !== undefined) addTo(log.keys, `memory ${key}`, { op: { answer: known }, from, until })
    if (answer !== undefined || key === undefined || tries === maxTries) return
    await scheduler.step(`${client}: repeats`)
  }
}

const isAnswer = (answer: Answer): answer is Exclude<Answer, 'conflict' | undefined> => typeof answer === 'object'

async function archive(calling: Calling, server: Running): Promise<void> {
  const { scheduler, random, log } = calling
  const [first, ...rest] = log.writes.flatMap(({ op: { answer } }) => answer?.id ?? [])
  if (first === undefined) return
  const id = random.pick([first, ...rest])
  const from = scheduler.tick()
  const answer = await call(calling, server, 'archive-memory', { memoryId: id, reason: 'no longer needed' })
  const isAnswered = answer !== undefined
  log.archives.push({ op: { id, isAnswered }, from, until: isAnswered ? scheduler.tick() : Infinity })
}

export async function search(calling: Calling, server: Running): Promise<void> {
  const { scheduler, log } = calling
  const from = scheduler.tick()
  const answer = await call(calling, server, 'search-memories', { query: word, topK: 50 })
  if (!isAnswer(answer)) return
  const memories = answer.body['memories'] as { memoryId: string; content: string }[]
  const found = new Map(memories.map(({ memoryId, content }) => [memoryId, content]))
  log.searches.push({ op: { found }, from, until: scheduler.tick() })
}

async function send(calling: Calling, server: Running): Promise<void> {
  const { scheduler, random, log } = calling
  const key = `key ${random.int(1, 3)}`
  const from = scheduler.tick()
  const input = { targetId: 'planner', content: 'The beans are ripe.', externalWriteId: key }
  const answer = await call(calling, server, 'send-message', input)
  const until = answer === undefined ? Infinity : scheduler.tick()
  const known = isAnswer(answer) ? { id: String(answer.body['messageId']), wasCreated: answer.wasCreated } : undefined
  addTo(log.keys, `message ${key}`, { op: { answer: known }, from, until })
  if (known !== undefined) log.sent.push(known.id)
}

export async function readTask(calling: Calling, server: Running, taskId: string): Promise<void> {
  const { scheduler, log } = calling
  const from = scheduler.tick()
  const answer = await call(calling, server, 'list-tasks', { taskIds: [taskId] })
  if (!isAnswer(answer)) return
  const [task] = answer.body['tasks'] as {
    status: TaskState['status']
    assignedAgentId: string | null
    version: number
  }[]
  if (task === undefined) return void log.unexpected.push('a task is gone')
  const state = { status: task.status, assignee: task.assignedAgentId, version: task.version }
  addTo(log.tasks, taskId, { op: { kind: 'read', answer: state }, from, until: scheduler.tick() })
}

type TaskChange = Exclude<TaskOp['kind'], 'read'>

async function changeTask(
  calling: Calling,
  { client, server, action }: { client: string; server: Running; action: TaskChange },
): Promise<void> {
  const { scheduler, random, log } = calling
  const taskId = random.pick(calling.taskIds)
  // Only who has the task gives it back or completes it.
  if (action !== 'claim' && !hasClaimed(log, taskId, client)) return
  const input = {
    claim: { expectedStatus: 'todo', status: 'in_progress', assignedAgentId: client },
    'give back': { expectedStatus: 'in_progress', status: 'todo', assignedAgentId: null },
    complete: { expectedStatus: 'in_progress', status: 'done', assignedAgentId: client },
  }[action]
  const from = scheduler.tick()
  const answer = await call(calling, server, 'update-task', { taskId, ...input })
  const until = answer === undefined ? Infinity : scheduler.tick()
  const known = isAnswer(answer) ? { version: Number(answer.body['version']) } : answer
  addTo(log.tasks, taskId, { op: { kind: action, by: client, answer: known }, from, until })
}

function hasClaimed(log: HistoryLog, taskId: string, client: string): boolean {
  const last = log.tasks
    .get(taskId)
    ?.findLast(({ op }) => op.kind !== 'read' && op.by === client && op.answer !== 'conflict')
  return last?.op.kind === 'claim' && last.op.answer !== undefined
}

/** A call without HTTP, whose streams would wait for the process. */
async function call({ agentKey, log }: Calling, server: Running, name: string, input: object): Promise<Answer> {
  const route = routes.find((known) => known.name === name && known.audience === 'agent')
  if (route === undefined) throw new Error(`there is no operation ${name}`)
  const none = { session: undefined, sessionKey: undefined, requestedWith: undefined, origin: undefined }
  const answering = server.app.dispatch(route, {
    requestId: newId(),
    runId: undefined,
    clientAddress: '127.0.0.1',
    userAgent: undefined,
    credentials: { ...none, authorization: [`Bearer ${agentKey}`], host: undefined, actAs: undefined, isWrite: true },
    sessionCookie: { set() {}, clear() {} },
    input: () => Promise.resolve(input as never),
  })
  try {
    const answer = await Promise.race([answering, server.crashed])
    return typeof answer === 'object' ? { wasCreated: answer.wasCreated, body: answer.body as Body } : undefined
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'conflict') return 'conflict'
    const isFault = error instanceof ServiceError && error.code === 'unavailable'
    if (!isFault) log.unexpected.push(`${name}: ${String(error)}`)
    return undefined
  }
}
