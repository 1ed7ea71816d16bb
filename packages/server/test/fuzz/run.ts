import type { TestApp } from '../app.ts'
import { keyFor, makeWorld, type World } from '../sweep-world.ts'
import { drawRequest, type FuzzRequest } from './generate.ts'
import { createRandom } from './random.ts'

const requestsPerWorld = 150
const slowMs = 1000

export interface Findings {
  /** Failures, by the number of the request under its seed. */
  problems: string[]
  /** How often each status was returned. */
  statuses: Map<number, number>
}

/**
 * Sends this many requests, one after the other. Failures are a 5xx, an answer that violates its own contract, one that takes more than
 * a second of processor time, and a trace in the log.
 */
export async function fuzz(test: TestApp, seed: number, requests: number): Promise<Findings> {
  const random = createRandom(seed)
  const canary = `Qzvxcanary${seed}`
  const found: Findings = { problems: [], statuses: new Map() }
  let world = await makeWorld(test)
  for (let at = 0; at < requests; at++) {
    const refusalsBefore = refusals(found)
    const request = drawRequest(random, world, canary)
    const problem = await judge(test, world, request, found.statuses)
    const isRefused = refusals(found) > refusalsBefore
    if (at % requestsPerWorld === 0 || (isRefused && !(await canCall(test, world)))) world = await makeWorld(test)
    if (problem !== undefined) found.problems.push(`seed ${seed}, request ${at}: ${describe(request)} → ${problem}`)
  }
  const lines = test.log().split('\n')
  const leak = lines.find((line) => line.includes(canary))
  if (leak !== undefined) found.problems.push(`seed ${seed}: the log holds what was sent: ${leak.slice(0, 300)}`)
  return found
}

/** False for callers that revoked their own key or session, or paused their agent. Most refusals have other reasons, such as a wrong password. */
async function canCall(test: TestApp, { key, user }: World): Promise<boolean> {
  const answers = [
    await test.call('info', {}, { key }),
    await test.call('read-session', {}, { key: user.dashboardToken }),
  ]
  return answers.every(({ status }) => status === 200)
}

const refusals = ({ statuses }: Findings) => (statuses.get(401) ?? 0) + (statuses.get(403) ?? 0)

async function judge(
  test: TestApp,
  world: World,
  request: FuzzRequest,
  statuses: Map<number, number>,
): Promise<string | undefined> {
  try {
    const { status, text, ms } = await send(test, world, request)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (status >= 500) return `${status} ${text.slice(0, 200)}`
    return ms > slowMs ? `${Math.round(ms)} ms` : undefined
  } catch (error) {
    return error instanceof Error ? error.message.slice(0, 500) : 'no answer'
  }
}

async function send(test: TestApp, world: World, { operation, body, raw, headers }: FuzzRequest) {
  const key = keyFor(test, operation, world)
  // Processor time, because other tests use the machine too. With that of other threads, which hash passwords.
  const before = process.cpuUsage()
  const answer = await test.call(operation.name, forQuery(operation.method, body), {
    audience: operation.audience,
    headers,
    ...(key !== undefined && { key }),
    ...(raw !== undefined && { raw }),
  })
  const { user, system } = process.cpuUsage(before)
  return { ...answer, ms: (user + system) / 1_000 }
}

/** A query contains only texts. */
const forQuery = (method: string, body: Record<string, unknown>) =>
  method === 'GET' || method === 'DELETE'
    ? Object.fromEntries(
        Object.entries(body).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
      )
    : body

const describe = ({ operation, body, raw, headers }: FuzzRequest) =>
  `${operation.name} ${(raw ?? JSON.stringify(body)).slice(0, 600)} ${JSON.stringify(headers)}`

/** The percentage of successful answers: near 0 the requests would only test errors. */
export function successesInPercent({ statuses }: Findings): number {
  let [successes, all] = [0, 0]
  for (const [status, times] of statuses) {
    all += times
    if (status < 300) successes += times
  }
  return Math.round((100 * successes) / all)
}
