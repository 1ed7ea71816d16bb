import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentRoutes, webhookRoutes, type Field, type Route, type World } from './routes.ts'
import { eachService, newAgent, send } from './service.ts'
import { callRoute, makeWorld, removeWorld } from './world.ts'

/** Each route of the API, from the table: who may call it, its input with limits, and its answer. */

const all = [...agentRoutes, ...webhookRoutes]
const isAgents = ({ path }: Route) => path.startsWith('/api/agent/')

eachService('the routes', (service) => {
  let document: Document = { components: { schemas: {} }, paths: {} }
  let keys: Record<'read_only' | 'read_write', string> = { read_only: '', read_write: '' }
  /** For calls that are rejected or only read. */
  let untouched: World
  /** For calls that create or update records. */
  let changed: World
  beforeAll(async () => {
    untouched = await makeWorld(service())
    changed = await makeWorld(service())
    document = (await send(service(), { method: 'GET', path: '/openapi.json' })).body as unknown as Document
    const of = async (preset: 'read_only' | 'read_write') => (await newAgent(service(), { preset })).key
    keys = { read_only: await of('read_only'), read_write: await of('read_write') }
  })
  afterAll(async () => {
    for (const world of [untouched, changed]) await removeWorld(service(), world)
  })

  it('are those of the API, and no others', () => {
    const agents = Object.entries(document.paths)
      .filter(([path]) => path.startsWith('/api/agent/'))
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
    expect(new Set(agents)).toEqual(new Set(agentRoutes.map(({ method, path }) => `${method} ${path}`)))
    expect(Object.keys(document.paths['/api/webhooks'] ?? {}).toSorted()).toEqual(['delete', 'get', 'patch', 'post'])
  })

  describe.each(all)('$method $path ($name)', (route) => {
    const example = () => route.example(untouched)
    let ownWorld: World | undefined
    /** For calls that succeed. */
    const ownExample = async () => {
      if (onlyReads(route)) return example()
      if (!removes(route)) return route.example(changed)
      ownWorld ??= await makeWorld(service())
      return route.example(ownWorld)
    }
    afterAll(async () => {
      if (ownWorld !== undefined) await removeWorld(service(), ownWorld)
    })

    it('rejects a call without a key, with a wrong key, or without a scope', async () => {
      const credential = isAgents(route) ? 'agent key' : 'dashboard session'
      const foreign = isAgents(route) ? service().dashboardToken : service().key
      for (const key of ['', 'svc_0', `svc_${'x'.repeat(43)}`, foreign]) {
        const { status, body } = await callRoute(service(), route, example(), key)
        expect([status, body]).toEqual([401, { error: `Invalid or missing ${credential}` }])
      }
      for (const { key, scope } of refusals(route, keys)) {
        const { status, body } = await callRoute(service(), route, example(), key)
        expect([status, body['error']]).toEqual([403, expect.stringMatching(/^SCOPE_DENIED: /)])
        expect(body['error']).toContain(scope)
      }
    })

    it('returns all fields of the API', async () => {
      const { status, body, headers } = await callRoute(service(), route, await ownExample())
      expect(route.status, JSON.stringify(body)).toContain(status)
      expect(Object.keys(body)).toEqual(expect.arrayContaining([...route.answers]))
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
      expect(headers.get('cache-control')).toBe('no-store')
    })

    it('requires the required fields, and names missing ones', async () => {
      for (const [field] of Object.entries(route.fields).filter(([, { isRequired }]) => isRequired)) {
        const { [field]: _left, ...rest } = example()
        const { status, body } = await callRoute(service(), route, rest)
        expect([field, status, body]).toEqual([
          field,
          400,
          { error: expect.stringMatching(/^Validation failed: /), fields: { [field]: expect.any(String) } },
        ])
      }
    })

    it('rejects values beyond the limits and of another type, and names the field', async () => {
      for (const input of wrongInputs(route)) {
        let sent = input
        // The answer names all of these fields, except that some are validated before the others.
        while (Object.keys(sent).length > 0) {
          const { status, body } = await callRoute(service(), route, { ...example(), ...sent })
          const what = `${JSON.stringify(sent).slice(0, 500)} → ${JSON.stringify(body)}`
          expect(status, what).toBe(400)
          const named = new Set(Object.keys(body['fields'] as object).map((path) => path.split('.')[0] ?? ''))
          const left = Object.fromEntries(Object.entries(sent).filter(([field]) => !named.has(field)))
          expect(Object.keys(left).length, what).toBeLessThan(Object.keys(sent).length)
          sent = left
        }
      }
    })

    it('accepts values at the limits', async () => {
      for (const [field, limits] of Object.entries(route.fields))
        for (const value of edgeValues(limits)) {
          const { status, body } = await callRoute(service(), route, { ...(await ownExample()), [field]: value })
          const what = `${field} = ${JSON.stringify(value).slice(0, 60)} → ${JSON.stringify(body)}`
          expect(status, what).toBeLessThan(500)
          expect(status === 400 && field in (body['fields'] as object), what).toBe(false)
        }
    })

    it('has the defaults and limits of the API in its description', () => {
      const described = describedFields(document, route)
      for (const [field, limits] of Object.entries(route.fields)) {
        expect([field, described.get(field)]).toEqual([field, expect.objectContaining(asSchema(limits))])
        expect([field, described.get(field)?.isRequired]).toEqual([field, limits.isRequired ?? false])
      }
    })
  })
})

const onlyReads = ({ scopes }: Route) => scopes.length > 0 && !scopes.includes('write') && !scopes.includes('admin')

/** Whether other calls then find less. */
const removes = ({ name }: Route) => /^(archive|cleanup|delete|trash|remove|move)\b/.test(name)

/** Presets without a scope of the route. All presets include reading and searching. */
function refusals({ scopes }: Route, keys: Record<'read_only' | 'read_write', string>) {
  if (scopes.includes('admin')) return Object.values(keys).map((key) => ({ key, scope: 'admin' }))
  return scopes.includes('write') ? [{ key: keys.read_only, scope: 'write' }] : []
}

/** Each wrong value of each field, in as few inputs as possible. */
function wrongInputs(route: Route): Record<string, unknown>[] {
  const inputs: Record<string, unknown>[] = []
  for (const [field, limits] of Object.entries(route.fields))
    for (const [at, value] of wrongValues(limits, route).entries()) (inputs[at] ??= {})[field] = value
  return inputs
}

function wrongValues({ type, min, max, oneOf }: Field, { method }: Route): unknown[] {
  const isQuery = method === 'GET' || method === 'DELETE'
  const beyond = [min === undefined ? undefined : min - 1, max === undefined ? undefined : max + 1]
  const wrong = beyond.filter((limit) => limit !== undefined && (limit >= 0 || type === 'integer' || type === 'number'))
  const numbers = wrong.map(Number)
  switch (type) {
    case 'integer':
      return isQuery ? [...numbers, 'x', 1.5] : [...numbers, 'x', 1.5, true]
    case 'number':
      return [...numbers, 'x', true]
    case 'string':
      if (oneOf !== undefined) return ['none of these', '', 7]
      return [...numbers.map((length) => 'x'.repeat(length)), 7, ['x']]
    case 'url':
      return ['x', `https://example.org/${'x'.repeat((max ?? 0) - 19)}`, 7]
    case 'array':
      return [...numbers.map((length) => Array.from({ length }, () => crypto.randomUUID())), 'x', 7]
    case 'uuid':
      return isQuery ? ['x'] : ['x', 7, '']
    case 'boolean':
      return ['true', 1]
    case 'object':
      return ['x', 7, []]
  }
}

function edgeValues({ type, min, max, oneOf }: Field): unknown[] {
  const limits = [min, max].filter((limit) => limit !== undefined)
  if (oneOf !== undefined) return [...oneOf]
  if (type === 'url') return limits.map((length) => `https://example.org/${'x'.repeat(length - 20)}`)
  if (type === 'string') return limits.map((length) => 'x'.repeat(length))
  return type === 'integer' || type === 'number' ? limits : []
}

interface Schema {
  type?: string
  format?: string
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  $ref?: string
}

interface Document {
  components: { schemas: Record<string, Schema> }
  paths: Record<string, Record<string, Described>>
}

interface Described {
  requestBody?: { content: { 'application/json': { schema: Schema } } }
  /** References are to headers. */
  parameters?: ({ name: string; required?: boolean; schema: Schema } | { $ref: string })[]
}

function describedFields(document: Document, { path, method }: Route): Map<string, Schema & { isRequired: boolean }> {
  const described = document.paths[path]?.[method.toLowerCase()]
  const body = described?.requestBody?.content['application/json'].schema ?? {}
  const { properties = {}, required = [] } = resolved(document, body)
  const inBody = Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    required: required.includes(name),
  }))
  const inQuery = (described?.parameters ?? []).filter((parameter) => 'schema' in parameter)
  const fields = [...inBody, ...inQuery]
  return new Map(
    fields.map(({ name, schema, required: isRequired = false }) => [
      name,
      { ...unwrapped(document, schema), isRequired },
    ]),
  )
}

/** The first type, for a value that may be null or have several types. */
function unwrapped(document: Document, schema: Schema): Schema {
  const whole = resolved(document, schema)
  const [first] = whole.anyOf ?? []
  return first === undefined ? whole : { ...whole, ...resolved(document, first) }
}

/** With what the schema refers to. */
const resolved = ({ components }: Document, schema: Schema): Schema => ({
  ...components.schemas[schema.$ref?.replace('#/components/schemas/', '') ?? ''],
  ...schema,
})

function asSchema({ type, min, max, oneOf, default: preset }: Field): object {
  const names =
    { string: 'Length', url: 'Length', array: 'Items', integer: 'imum', number: 'imum' }[type as 'string'] ?? ''
  const limit = (which: 'min' | 'max', value: number | undefined) =>
    value === undefined ? {} : { [`${which}${names}`]: value }
  return {
    ...(type === 'uuid' ? { format: 'uuid' } : {}),
    ...limit('min', min),
    ...limit('max', max),
    ...(oneOf !== undefined && { enum: [...oneOf] }),
    ...(preset !== undefined && { default: preset }),
  }
}
