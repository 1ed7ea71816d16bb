import { type JsonSchema, describeContracts } from '../../src/api/contracts.ts'
import type { Route } from '../../src/operation/operation.ts'
import { routes } from '../../src/api/registry.ts'
import { idsIn, inputFor, type World } from '../sweep-world.ts'
import { hostileJson, naughtyTexts } from './hostile.ts'
import type { Random } from './random.ts'

/** One request, generated from the contract of an operation: valid, nearly valid, or invalid. */
export interface FuzzRequest {
  operation: Route
  body: Record<string, unknown>
  /** Sent in place of the body. */
  raw: string | undefined
  headers: Record<string, string>
}

const { contracts, components } = describeContracts(routes)
const inputs = new Map(contracts.map(({ operation, input }) => [operation, input]))

// A test delivery really sends something.
const drawn = routes.filter(({ name }) => name !== 'test-webhook') as [Route, ...Route[]]

/** `canary` is in every generated text, and must be in no log. */
export function drawRequest(random: Random, world: World, canary: string): FuzzRequest {
  const operation = random.pick(drawn)
  const draw = createDrawer(random, world, canary)
  const body = random.percent(70)
    ? draw.near(operation, inputFor(operation, world))
    : (draw.value(inputs.get(operation) ?? {}) as Record<string, unknown>)
  return {
    operation,
    body: body !== null && typeof body === 'object' ? body : {},
    raw: random.percent(12) ? draw.raw(body) : undefined,
    headers: random.percent(5) ? draw.headers() : {},
  }
}

function createDrawer(random: Random, world: World, canary: string) {
  const ids = idsIn(world) as [string, ...string[]]

  const text = (length: number) =>
    `${canary} ${'lorem [[Cats]] ipsum '.repeat(Math.ceil(length / 20))}`.slice(0, length)

  function anything(depth = 0): unknown {
    const kind = random.int(0, depth > 3 ? 6 : 8)
    if (kind === 0) return null
    if (kind === 1) return random.percent(50)
    if (kind === 2) return random.pick([0, -1, 1.5, 1e308, -1e-308, 2 ** 53, Number.MIN_SAFE_INTEGER, 7])
    if (kind === 3) return random.pick(ids)
    if (kind <= 6) return random.percent(50) ? random.pick(naughtyTexts) : text(random.int(0, 300))
    if (kind === 7) return Array.from({ length: random.int(0, 5) }, () => anything(depth + 1))
    return Object.fromEntries(
      Array.from({ length: random.int(0, 4) }, () => [random.pick(naughtyTexts).slice(0, 50), anything(depth + 1)]),
    )
  }

  function drawText({ format, enum: names, minLength = 0, maxLength = 400 }: JsonSchema): unknown {
    if (names !== undefined) return random.pick(names as [unknown])
    if (format === 'uuid') return random.percent(80) ? random.pick(ids) : crypto.randomUUID()
    if (format === 'date-time') return new Date(random.int(0, 4_000_000_000_000)).toISOString()
    // Nothing is resolved or sent, because this address is rejected.
    if (format === 'uri') return 'http://127.0.0.1:9/'
    if (random.percent(25)) return random.pick(naughtyTexts)
    return text(random.percent(10) ? Math.min(maxLength, 20_000) : random.int(minLength, Math.min(maxLength, 400)))
  }

  function value(schema: JsonSchema): unknown {
    const [target] = schema.$ref?.split('/').slice(-1) ?? []
    if (target !== undefined) return value(components[target] ?? {})
    if (random.percent(6)) return anything()
    const branches = schema.anyOf ?? schema.oneOf
    if (branches !== undefined) return value(random.pick(branches as [JsonSchema]))
    if (schema.const !== undefined) return schema.const
    const { minimum = -5, maximum = 500, minItems = 0, maxItems = 6 } = schema
    switch (schema.enum === undefined ? String(schema.type) : 'string') {
      case 'string':
        return drawText(schema)
      case 'integer':
        return random.int(minimum, maximum)
      case 'number':
        return minimum + (random.int(0, 1000) / 1000) * (maximum - minimum)
      case 'boolean':
        return random.percent(50)
      case 'null':
        return null
      case 'array':
        return Array.from({ length: random.int(minItems, Math.min(maxItems, 6)) }, () => value(schema.items ?? {}))
      case 'object':
        return object(schema)
      default:
        return anything()
    }
  }

  function object({ properties = {}, required = [] }: JsonSchema): Record<string, unknown> {
    const given = Object.entries(properties).filter(([name]) => required.includes(name) || random.percent(40))
    return Object.fromEntries(given.map(([name, schema]) => [name, value(schema)]))
  }

  /** The operation's example with ids of this world, and a few fields generated again. */
  function near(operation: Route, example: Record<string, unknown>): Record<string, unknown> {
    const fields = Object.entries(inputs.get(operation)?.properties ?? {}) as [[string, JsonSchema]]
    const changed = { ...example }
    for (let change = random.int(0, 3); change > 0 && fields.length > 0; change--) {
      const [name, schema] = random.pick(fields)
      if (random.percent(8)) delete changed[name]
      else changed[name] = random.percent(12) ? anything() : value(schema)
    }
    return changed
  }

  function raw(body: unknown): string {
    const json = JSON.stringify(body ?? {})
    const kind = random.int(0, 3)
    if (kind === 0) return json.slice(0, random.int(0, json.length))
    if (kind === 1) return random.pick(hostileJson)
    const names = Object.keys(body ?? {})
    const name = names[random.int(0, Math.max(0, names.length - 1))] ?? 'content'
    if (kind === 2)
      return `${json.slice(0, -1)}${json === '{}' ? '' : ','}${JSON.stringify(name)}:${random.pick(hostileJson)}}`
    const at = random.int(0, json.length)
    return json.slice(0, at) + String.fromCodePoint(random.int(0, 0x2fff)) + json.slice(at + 1)
  }

  const headers = () =>
    random.pick<Record<string, string>>([
      { 'x-agent-run-id': canary },
      { 'x-agent-run-id': 'x'.repeat(5000) },
      { 'x-agent-run-id': '' },
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/json; charset=utf-16' },
      { 'content-encoding': 'gzip' },
      { 'x-holdfast-user': canary },
      { origin: 'https://evil.example' },
      { cookie: `holdfast=${canary}` },
    ])

  return { value, near, raw, headers }
}
