import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { describeContracts, type JsonSchema } from '../src/api/contracts.ts'
import { routes } from '../src/api/registry.ts'
import { newId } from '../src/core/ids.ts'
import type { Route } from '../src/operation/operation.ts'
import { useTestApp, type Answer } from './app.ts'
import { edgesOf, idFieldsOf, withAwkwardTexts, withId, wrongValuesOf, type Wrong } from './field-values.ts'
import { onPostgres } from './dialects.ts'
import {
  asksForSecret,
  callAs,
  sendRaw,
  idsIn,
  inputFor,
  makeWorld,
  sharedWorldsOf,
  worldsOf,
  type World,
} from './sweep-world.ts'

/** Every field of every operation: limits, types, nulls, extra fields, and ids that belong to someone else. */

// A person may call 3,000 times a minute, which this test exceeds in one world: each reading of the clock advances it.
let at = Date.now()
const test = useTestApp({ now: () => (at += 10) })
const worldFor = worldsOf(test)
const sharedWorldFor = sharedWorldsOf(test)

const inputs = new Map(describeContracts(routes).contracts.map(({ operation, input }) => [operation, input] as const))
const schemaOf = (operation: Route): JsonSchema => inputs.get(operation) ?? {}
const fieldsOf = (operation: Route) => Object.entries(schemaOf(operation).properties ?? {})
const isOptional = (operation: Route, field: string) => !(schemaOf(operation).required ?? []).includes(field)
const takesBody = ({ method }: Route) => method === 'POST' || method === 'PATCH'

// Guesses are throttled and a setup happens once: their fields are tested like all others, but not their successes.
const operations = routes.filter(fieldsOf)
const repeatable = operations.filter((operation) => !asksForSecret(operation) && operation.name !== 'log-out')

/** Validated by more than a schema can say. */
const hasOwnRules = ({ name }: Route, field: string) =>
  ['password', 'path', 'folderPath'].includes(field) ||
  field === 'email' ||
  field === 'fromVersion' ||
  (name.endsWith('-vault') && field === 'name') ||
  (name === 'list-review' && (field === 'after' || field === 'id')) ||
  // How many depends on the kind.
  (name === 'decide-review' && field === 'ids') ||
  // Only the owner, and not about themselves.
  (name === 'update-user' && field === 'disabled') ||
  (name === 'read-usage' && field === 'from') ||
  (name === 'check-stored-data' && field === 'from')

/** An invalid memory of a checkpoint fails alone, and the call continues. */
const failsAlone = ({ name }: Route, path: string) => name === 'context-checkpoint' && path.startsWith('memories.')

/** Optional fields of which a call needs one: what the operation declares, so that its description says it. */
const alternativesOf = ({ name, needs }: Route): readonly string[] =>
  // Agents may send the run's id in a header instead.
  name === 'session-track' ? ['agentRunId'] : needs.flat()
const isAlternative = (operation: Route, field: string) => alternativesOf(operation).includes(field)
const withoutAlternatives = (operation: Route, field: string) =>
  isAlternative(operation, field)
    ? Object.fromEntries(alternativesOf(operation).map((other) => [other, undefined]))
    : {}

const namedBy = ({ body }: Answer, path: string) =>
  Object.keys(body.fields ?? {}).some((field) => path === field || path.startsWith(`${field}.`))

// One world for all: a rejected call changes nothing that the next call finds.
let unchanged: Promise<World> | undefined
const unchangedWorld = () => (unchanged ??= makeWorld(test()))

describe.each(operations)('$name', (operation) => {
  it('rejects every value beyond a limit and of a wrong type, and names the field', async () => {
    const world = await unchangedWorld()
    const base = inputFor(operation, world)
    const refuse = async (wrongs: FieldWrong[]) => {
      const values = Object.fromEntries(wrongs.map(({ field, value }) => [field, value]))
      const answer = await callAs(test(), operation, world, { ...base, ...values })
      expect(answer.status, `${JSON.stringify(values).slice(0, 300)} → ${answer.text}`).toBe(400)
      return wrongs.filter(({ path }) => !namedBy(answer, path))
    }
    for (const wrongs of roundsOf(operation)) {
      // An error may name the worst fields only, such as lists that are too long: the others must be refused on their own.
      const unnamed = wrongs.length > 1 ? await refuse(wrongs) : wrongs
      for (const wrong of unnamed) expect(await refuse([wrong])).toEqual([])
    }
  })

  it('rejects a missing required field, and null instead of it, and names it', async () => {
    if (!takesBody(operation)) return
    const world = await unchangedWorld()
    const base = inputFor(operation, world)
    for (const [field] of fieldsOf(operation).filter(([name]) => !isOptional(operation, name)))
      for (const value of [undefined, null]) {
        const answer = await callAs(test(), operation, world, { ...base, [field]: value })
        expect([answer.status, namedBy(answer, field)], `${field}: ${answer.text}`).toEqual([400, true])
      }
  })
})

type FieldWrong = Wrong & { field: string }

/** Wrong values to send together: one of each field that has any left. An agent's vault is resolved before other fields are read. */
function roundsOf(operation: Route): FieldWrong[][] {
  const wrongs = fieldsOf(operation).map(([field, schema]) =>
    wrongValuesFor(operation, schema, field).map((wrong) => ({ ...wrong, field })),
  )
  const [alone, together] = [
    wrongs.filter((values) => values[0]?.field === 'vaultId'),
    wrongs.filter((values) => values[0]?.field !== 'vaultId'),
  ]
  const rounds = Array.from({ length: Math.max(0, ...together.map(({ length }) => length)) }, (_, round) =>
    together.flatMap((values) => values.slice(round, round + 1)),
  )
  return [...rounds, ...alone.flat().map((wrong) => [wrong])]
}

/** In a query everything is text, so only the limits can be wrong. */
function wrongValuesFor(operation: Route, schema: JsonSchema, field: string): Wrong[] {
  const wrongs = wrongValuesOf(schema, field).filter(({ path }) => !failsAlone(operation, path))
  if (takesBody(operation)) return wrongs
  // A query contains only texts: one item of a list, and a word for a flag.
  if (schema.type === 'array') return wrongValuesFor(operation, schema.items ?? {}, `${field}.0`)
  if (schema.type === 'boolean') return [{ path: field, value: 'yes' }]
  const isNumber = schema.type === 'integer' || schema.type === 'number'
  const asText = wrongs.filter(({ value }) => typeof value === (isNumber ? 'number' : 'string'))
  return [...asText, ...(isNumber ? [{ path: field, value: 'abc' }] : [])]
}

/** Calls in the shared world, and in a new one if that fails: an earlier call may have made this one impossible there. */
async function succeed(operation: Route, call: (world: World) => Promise<Answer>): Promise<Answer> {
  const answer = await call(await sharedWorldFor(operation))
  return answer.status < 300 || operation.effect === 'destructive' ? answer : call(await makeWorld(test()))
}

/** The second of two equal calls may return 200 where the first returned 201. */
const outcomeOf = ({ status }: Answer) => (status < 300 ? 'done' : status)

describe.each(repeatable)('$name', (operation) => {
  it('accepts every value at its limits', async () => {
    const world = await sharedWorldFor(operation)
    const base = inputFor(operation, world)
    for (const [field, schema] of fieldsOf(operation).filter(([name]) => !hasOwnRules(operation, name)))
      for (const value of edgesOf(schema)) {
        const answer = await callAs(test(), operation, world, { ...base, [field]: value })
        const what = `${field} = ${JSON.stringify(value)?.slice(0, 80)} → ${answer.text.slice(0, 300)}`
        expect(answer.status, what).toBeLessThan(500)
        expect(answer.status === 400 && namedBy(answer, field), what).toBe(false)
      }
  })

  it('treats null for an optional field as missing', async () => {
    if (!takesBody(operation)) return
    const optional = fieldsOf(operation).flatMap(([field]) => (isOptional(operation, field) ? [field] : []))
    const callWith = (value: null | undefined, names: readonly string[]) => {
      const values = Object.fromEntries(names.map((field) => [field, value]))
      return succeed(operation, (world) =>
        callAs(test(), operation, world, { ...inputFor(operation, world), ...values }),
      )
    }
    const free = optional.filter((field) => !isAlternative(operation, field))
    const oneNeeded = optional.filter((field) => isAlternative(operation, field))
    for (const names of [free, ...oneNeeded.map((field) => [field])]) {
      const [without, withNull] = [await callWith(undefined, names), await callWith(null, names)]
      expect([names, outcomeOf(withNull), withNull.text]).toEqual([names, outcomeOf(without), expect.any(String)])
      expect(names !== free || withNull.status < 300, withNull.text).toBe(true)
    }
  })

  it('ignores unknown fields, whatever their names', async () => {
    if (!takesBody(operation)) return
    const foreign = 'userId' in operation.input.shape ? '' : ',"userId":7'
    const extras = `"zzz":1,"toString":"x","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}${foreign}`
    const answer = await succeed(operation, (world) => {
      const own = JSON.stringify(inputFor(operation, world)).slice(1, -1)
      return sendRaw(test(), operation, world, `{${own}${own === '' ? '' : ','}${extras}}`)
    })
    expect(answer.status, answer.text).toBeLessThan(300)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
})

// SQLite stores any character; PostgreSQL doesn't.
onPostgres('a text of any characters', (dialect) => {
  const store = useTestApp({ dialect })
  const storedWorldFor = sharedWorldsOf(store)

  it.each(repeatable)('is accepted or refused by $name', async (operation) => {
    const world = await storedWorldFor(operation)
    const base = inputFor(operation, world)
    for (const [field, schema] of fieldsOf(operation))
      for (const value of withAwkwardTexts(schema)) {
        const answer = await callAs(store(), operation, world, { ...base, [field]: value })
        expect(answer.status, `${field} = ${JSON.stringify(value)} → ${answer.text.slice(0, 300)}`).toBeLessThan(500)
      }
  })
})

// One world for all: other users' calls must not change it.
let neighbour: Promise<World> | undefined
const stranger = () => (neighbour ??= makeWorld(test()))

/** An agent's vaultId is restricted by its key, not only by its owner: see routes.test.ts. */
const foreignFieldsOf = (operation: Route) =>
  // The operator may name any vault.
  idFieldsOf(schemaOf(operation)).filter((field) => field !== 'vaultId' || operation.audience === 'person')

describe.each(repeatable.filter((operation) => foreignFieldsOf(operation).length > 0))('$name', (operation) => {
  // Created again only after a call that changed it.
  let world: World | undefined
  const answerTo = async (field: string, id: string, isRepeatable = false) => {
    const schema = schemaOf(operation).properties?.[field] ?? {}
    world ??= await worldFor(operation)
    const own = world
    const { status, text } = await callAs(test(), operation, own, {
      ...inputFor(operation, own),
      ...withoutAlternatives(operation, field),
      [field]: withId(schema, id),
    })
    if (operation.effect !== 'read' && status < 300 && !isRepeatable) world = undefined
    return { status, text: text.replaceAll(id, '<id>').replaceAll(own.user.vaultId, '<own vault>') }
  }

  it.each(foreignFieldsOf(operation))("returns the same for someone else's %s as for an unknown id", async (field) => {
    const unknown = await answerTo(field, newId(), true)
    // If a second call returns the same, the first one changed nothing visible.
    const isRepeatable = isDeepStrictEqual(await answerTo(field, newId()), unknown)
    for (const id of idsIn(await stranger())) expect(await answerTo(field, id, isRepeatable)).toEqual(unknown)
  })
})

describe('a memory of another vault of the same person', () => {
  it.each(repeatable.filter(({ audience, vault }) => audience === 'agent' && vault === 'resolved'))(
    'is an unknown id to $name',
    async (operation) => {
      for (const field of idFieldsOf(schemaOf(operation)).filter((name) => name !== 'vaultId')) {
        const world = await sharedWorldFor(operation)
        const schema = schemaOf(operation).properties?.[field] ?? {}
        const answerTo = async (id: string) => {
          const body = { ...inputFor(operation, world), [field]: withId(schema, id) }
          const { status, text } = await callAs(test(), operation, world, body)
          return [field, status, text.replaceAll(id, '<id>')]
        }
        expect(await answerTo(world.memoryElsewhereId)).toEqual(await answerTo(newId()))
      }
    },
  )
})
