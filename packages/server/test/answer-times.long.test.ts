import { describe, expect, it } from 'vitest'
import { describeContracts } from '../src/api/contracts.ts'
import { routes } from '../src/api/registry.ts'
import { newId } from '../src/core/ids.ts'
import type { Route } from '../src/operation/operation.ts'
import { useTestApp } from './app.ts'
import { idFieldsOf, withId } from './field-values.ts'
import { measured, scaled } from './promises/measured.ts'
import { asksForSecret, inputFor, keyFor, makeWorld, type World } from './sweep-world.ts'

/** How long an answer takes must not tell whether the id of someone else exists. */

// A person may call 3,000 times a minute: each reading of the clock advances it.
let at = Date.now()
const test = useTestApp({ now: () => (at += 10), runsJobs: false })

const inputs = new Map(describeContracts(routes).contracts.map(({ operation, input }) => [operation, input] as const))

/** Every operation with an id that is refused with 404 if the id is unknown. Others answer as if it weren't given. */
const withIds = routes.filter(
  (route) =>
    (route.audience === 'agent' || route.audience === 'person') && !asksForSecret(route) && route.name !== 'log-out',
)

const samples = scaled(10_000)
/** In one of a thousand comparisons, chance alone makes a larger difference of the ranks. */
const significant = 3.3
/** What a network hides even in many calls. */
const relevantMs = 0.02

const idOf: Record<string, (world: World) => string> = {
  memory: ({ memoryId }) => memoryId,
  note: ({ noteId }) => noteId,
  message: ({ messageId }) => messageId,
  vault: ({ secondVaultId }) => secondVaultId,
  webhook: ({ webhookId }) => webhookId,
}

/** The kind of record that a field names, as far as its name says so. */
function kindOf({ path }: Route, field: string): string {
  const text = `${field} ${path}`.toLowerCase()
  return Object.keys(idOf).find((kind) => text.includes(kind)) ?? 'memory'
}

/** The times of both, taken in turns, so that both have the same conditions. */
async function timeBoth(ask: (id: string) => Promise<unknown>, foreign: string): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []]
  for (let sample = 0; sample < samples; sample++)
    for (const which of sample % 2 === 0 ? [0, 1] : [1, 0]) {
      const id = which === 0 ? foreign : newId()
      const began = performance.now()
      await ask(id)
      times[which]?.push(performance.now() - began)
    }
  return times
}

/** The Mann-Whitney test: by how many standard deviations the ranks of one list are above those of the other. */
function rankDifference(a: readonly number[], b: readonly number[]): number {
  const all = [...a.map((time) => ({ time, isA: 1 })), ...b.map((time) => ({ time, isA: 0 }))]
  all.sort((one, other) => one.time - other.time)
  const sum = all.reduce((ranks, { isA }, rank) => ranks + isA * (rank + 1), 0)
  const u = sum - (a.length * (a.length + 1)) / 2
  const mean = (a.length * b.length) / 2
  return (u - mean) / Math.sqrt((a.length * b.length * (a.length + b.length + 1)) / 12)
}

const medianOf = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

describe('the time of an answer', () => {
  it('does not differ between a foreign and an unknown id', { timeout: 14_400_000 }, async () => {
    const [world, victim] = [await makeWorld(test()), await makeWorld(test())]
    let compared = 0
    let largestMs = 0
    const telling: string[] = []
    for (const route of withIds)
      for (const field of idFieldsOf(inputs.get(route) ?? {})) {
        const schema = inputs.get(route)?.properties?.[field] ?? {}
        const key = keyFor(test(), route, world)
        const ask = (id: string) =>
          test().call(
            route.name,
            { ...inputFor(route, world), [field]: withId(schema, id) },
            { audience: route.audience, ...(key !== undefined && { key }) },
          )
        if ((await ask(newId())).status !== 404) continue
        const [foreign, unknown] = await timeBoth(ask, idOf[kindOf(route, field)]?.(victim) ?? victim.memoryId)
        const differsMs = Math.abs(medianOf(foreign) - medianOf(unknown))
        compared++
        largestMs = Math.max(largestMs, differsMs)
        const ranks = rankDifference(foreign, unknown)
        if (Math.abs(ranks) > significant && differsMs > relevantMs)
          telling.push(`${route.name} ${field}: ${differsMs.toFixed(3)} ms, ${ranks.toFixed(1)} standard deviations`)
      }
    expect(telling).toEqual([])
    measured({
      'operations and fields': compared,
      'calls of each': 2 * samples,
      'largest difference of medians, in µs': Math.round(largestMs * 1_000),
    })
  })
})
