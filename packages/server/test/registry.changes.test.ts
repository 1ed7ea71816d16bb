import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { operations, routes } from '../src/api/registry.ts'
import type { Operation } from '../src/operation/operation.ts'
import { optionalIdFromBytes } from '../src/db/binary-ids.ts'
import { changeTypes, classOfActivity } from '../src/calls/call.ts'
import { newId } from '../src/core/ids.ts'
import type { ChangeNews } from '../src/calls/news.ts'
import { useTestApp } from './app.ts'
import { makeUser, watchRecords } from './factories.ts'
import { watchSeals } from './fenced-writes.ts'
import { asksForSecret, callAs, inputFor, makeWorld, type World } from './sweep-world.ts'

/** The live events and activity entries of each operation that changes something, and who receives them. */

const test = useTestApp()

let unchecked: string[] = []
beforeAll(() => void (unchecked = watchSeals(test().app.services.db)))

// Passwords and codes are unknown here.
const changing = routes.filter(
  (operation) =>
    operation.effect !== 'read' && ['agent', 'person'].includes(operation.audience) && !asksForSecret(operation),
)

/** Not a dry run, which changes nothing. */
const changingInput = (operation: (typeof routes)[number], world: World) => ({
  ...inputFor(operation, world),
  ...(operation.isDryRun !== undefined && { dryRun: false }),
})

/** Longer than events are collected, and than the minimum time between two of them. */
const newsMs = 1_200

/** Lists in which people see changes, by record type. */
const lists = { memories: 'list-memories', tasks: 'list-tasks', notes: 'list-notes' } as const
type Listed = keyof typeof lists

async function readLists({ user }: World): Promise<Map<Listed, string>> {
  const read = async (type: Listed) => {
    const input = { vaultId: user.vaultId, state: 'all', limit: 100 }
    const { status, text } = await test().call(lists[type], input, { key: user.dashboardToken })
    expect(status, text).toBe(200)
    return [type, text] as const
  }
  return new Map(await Promise.all((Object.keys(lists) as Listed[]).map(read)))
}

/** The versions of all memories and notes, by id. */
async function readVersions({ user: { userId } }: World): Promise<Map<string, number>> {
  const { read } = test().app.services.db
  const memories = await read.selectFrom('memories').select(['id', 'version']).where('userId', '=', userId).execute()
  const notes = await read.selectFrom('notes').select(['id', 'version']).where('userId', '=', userId).execute()
  return new Map([...memories, ...notes].map(({ id, version }) => [id, version]))
}

/** They send webhooks no events, because they change thousands of records. */
const silent = new Set(['import-records', 'revert-import', 'delete-vault'])

interface Seen {
  before: ReadonlyMap<string, number>
  after: ReadonlyMap<string, number>
  queued: readonly { event: string; recordId: string }[]
}

/** Every memory, task and note that changed has an event, and no other. */
function expectEvents({ name }: Pick<Operation, 'name'>, { before, after, queued }: Seen): void {
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter((id) => before.get(id) !== after.get(id))
  const told = queued.filter(({ event }) => !event.startsWith('message.')).map(({ recordId }) => recordId)
  expect(told.toSorted()).toEqual(silent.has(name) ? [] : changed.toSorted())
}

/** Calls it. Returns which lists changed, and the events until they cover the changes. */
async function callAndListen(operation: (typeof routes)[number], world: World, input: object) {
  const told: ChangeNews[] = []
  const { leave } = test().app.services.news.listen(world.user.userId, (one) => told.push(one), undefined)
  const queued = await watchRecords(test(), world.user)
  const [before, versions] = [await readLists(world), await readVersions(world)]
  const answer = await callAs(test(), operation, world, input)
  expect(answer.status, answer.text).toBeLessThan(300)
  const after = await readLists(world)
  expectEvents(operation, { before: versions, after: await readVersions(world), queued: await queued() })
  const changed = [...after].filter(([type, text]) => text !== before.get(type)).map(([type]) => type)
  const types = () => told.flatMap((one) => one.types)
  const deadline = Date.now() + newsMs
  while (!changed.every((type) => types().includes(type)) && Date.now() < deadline) await pause(5)
  leave()
  expect(unchecked.splice(0)).toEqual([])
  return { changed, told: types() }
}

const toTask = (world: World, input: object) =>
  JSON.parse(JSON.stringify(input).replaceAll(world.memoryId, world.taskId)) as object

describe.each(changing)('$name', (operation) => {
  it('sends an event for each list of people that changed', async () => {
    const world = await makeWorld(test())
    const { changed, told } = await callAndListen(operation, world, changingInput(operation, world))
    expect(told).toEqual(expect.arrayContaining(changed))
  })

  it('tells those who may see it what it changed, and adds it to the activity', async () => {
    const [world, stranger] = await Promise.all([makeWorld(test()), makeUser(test())])
    const { news, activity, db } = test().app.services
    const told: ChangeNews[] = []
    const toldStranger: ChangeNews[] = []
    const own = news.listen(world.user.userId, (one) => told.push(one), undefined)
    const other = news.listen(stranger.userId, (one) => toldStranger.push(one), undefined)
    const answer = await callAs(test(), operation, world, changingInput(operation, world))
    expect(answer.status, answer.text).toBeLessThan(300)
    const deadline = Date.now() + newsMs
    while (told.length === 0 && Date.now() < deadline) await pause(5)
    own.leave()
    other.leave()
    const types = operation.changes
    expect(types).not.toEqual([])
    expect(told.flatMap((one) => one.types)).toEqual(expect.arrayContaining([...types]))
    expect(toldStranger).toEqual([])

    await activity.flush()
    const rows = await db.read
      .selectFrom('activity')
      .selectAll()
      .where('userId', '=', world.user.userId)
      .where('operation', '=', operation.name)
      .orderBy('id', 'desc')
      .execute()
    expect(rows[0]).toMatchObject({
      actor: operation.audience === 'agent' ? 'agent' : 'person',
      class: classOfActivity(operation),
      status: 200,
      calls: 1,
    })
    const created = answer.status === 201 ? (operation.returns?.(answer.body) ?? []) : []
    expect(
      created.length === 0 || created.some(({ id }) => id === optionalIdFromBytes(rows[0]?.recordId ?? null)),
    ).toBe(true)
    const all = await test().call('list-activity', {}, { key: stranger.dashboardToken })
    expect(all.body).toMatchObject({ total: 0 })
  })
})

const byAgents = changing.filter(({ audience }) => audience === 'agent')

it.each(byAgents)(
  '$name declares the memories or notes that it creates, so that its run can be reverted',
  async (operation) => {
    const world = await makeWorld(test())
    const before = await countRecords(world)
    const answer = await callAs(test(), operation, world, changingInput(operation, world))
    expect(answer.status, answer.text).toBeLessThan(300)
    const after = await countRecords(world)
    const created = (['memory', 'note'] as const).filter((kind) => after[kind] > before[kind])
    expect(created).toEqual([operation.for.agent?.creates].filter((kind) => kind !== undefined))
  },
)

async function countRecords({ user: { userId } }: World) {
  const { read } = test().app.services.db
  const [memories, notes] = await Promise.all([
    read.selectFrom('memories').select('id').where('userId', '=', userId).execute(),
    read.selectFrom('notes').select('id').where('userId', '=', userId).execute(),
  ])
  return { memory: memories.length, note: notes.length }
}

// A task is a memory, and is accepted where memories are.
const ofMemories = changing.filter(({ name }) => /memor/.test(name) && name !== 'merge-memories')

describe.each(ofMemories)('$name of a task', (operation) => {
  it('sends an event for each list of people that changed', async () => {
    const world = await makeWorld(test())
    const input = toTask(world, changingInput(operation, world))
    const asked = operation.name === 'write-memory' ? { ...input, memoryType: 'task' } : input
    const { changed, told } = await callAndListen(operation, world, asked)
    expect(told).toEqual(expect.arrayContaining(changed))
  })
})

/** The input with a second id in each list of ids. */
const withTwoIds = (input: unknown): unknown =>
  Object.fromEntries(
    Object.entries(input as object).map(([field, value]: [string, unknown]) => [
      field,
      Array.isArray(value) && /^ids$|Ids$/.test(field) ? [...(value as unknown[]), newId()] : value,
    ]),
  )

describe('what operations change', () => {
  it('is nothing for read operations, and declared for all others', () => {
    for (const operation of routes) {
      const types = operation.changes
      expect([operation.name, types.length > 0]).toEqual([operation.name, operation.effect !== 'read'])
      expect(changeTypes).toEqual(expect.arrayContaining([...types]))
    }
  })

  it('is recorded for the user in the answer, also if the caller is not known', () => {
    const byUnknown = operations
      .filter((one) => one.for.operator !== undefined || one.for.anyone !== undefined)
      // It records its repairs for the owner of each vault.
      .filter((one) => one.name !== 'check-stored-data')
    for (const { name, returns, examples } of byUnknown.filter(({ effect }) => effect !== 'read'))
      expect([name, returns?.(examples.output).map(({ kind }) => kind)]).toEqual([name, ['user']])
  })

  it('is nothing in a dry run, which each operation with such a field declares', () => {
    for (const { name, input, isDryRun } of operations)
      expect([name, isDryRun !== undefined]).toEqual([name, 'dryRun' in input.shape])
  })

  it('is never a list of ids that the caller sent, because some may not exist', () => {
    // It answers 404 if one doesn't exist.
    for (const { name, about, examples } of operations.filter((one) => one.name !== 'decide-review')) {
      const records = about?.(withTwoIds(examples.input)) ?? []
      expect([name, records.length]).toEqual([name, Math.min(records.length, 1)])
    }
  })

  it('includes each list that makes an answer outdated', () => {
    const changed = new Set(operations.flatMap(({ changes }) => changes))
    for (const { name, outdatedBy } of operations)
      expect([name, outdatedBy.filter((type) => !changed.has(type))]).toEqual([name, []])
  })
})
