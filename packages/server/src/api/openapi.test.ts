import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { operation, routesOf } from '../operation/operation.ts'
import { describeContracts, type JsonSchema } from './contracts.ts'
import { openApiDocument } from './openapi.ts'
import { routes } from './registry.ts'

const document = JSON.parse(JSON.stringify(openApiDocument(routes, '1.2.3'))) as Node

type Node = { [key: string]: Node }

describe('the OpenAPI document of the registry', () => {
  it('is OpenAPI 3.1 without linter findings, including its examples', async () => {
    expect(document.openapi).toMatch(/^3\.1\./)
    expect(await lint(document)).toEqual([])
  })

  it('fails the linter if an example does not match its schema', async () => {
    const broken = structuredClone(document)
    const { example } =
      broken.paths?.['/api/agent/write-memory']?.post?.requestBody?.content?.['application/json'] ?? {}
    Object.assign(example ?? {}, { importance: 9 })
    expect(await lint(broken)).toEqual([expect.stringMatching(/^no-invalid-media-type-examples: /)])
  })

  it('has a target for every reference', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(([, target]) => target ?? '')
    expect(references.length).toBeGreaterThan(0)
    expect(references.filter((target) => resolve(target) === undefined)).toEqual([])
  })

  it('describes every operation under its own name', () => {
    const ids = Object.values(document.paths ?? {}).flatMap((path) =>
      Object.values(path).map((method) => method.operationId as unknown),
    )
    // An operation of several audiences has a route, and so a name, for each.
    const names = routes.map(({ name, audience, for: { agent, operator, anyone } }) => {
      const isSecond = audience === 'person' ? (agent ?? operator) !== undefined : audience === 'operator' && anyone
      return isSecond ? `${audience}-${name}` : name
    })
    expect(new Set(ids)).toEqual(new Set([...names, 'listen-to-events']))
    expect(ids).toHaveLength(new Set(ids).size)
  })

  it('allows later versions to add fields to every object', () => {
    expect(JSON.stringify(document)).not.toContain('"additionalProperties":false')
  })

  it('has a description for every input field', () => {
    const { contracts } = describeContracts(routes)
    const silent = contracts.flatMap(({ operation: { name }, input }) =>
      Object.entries(input.properties ?? {})
        .filter(([, field]) => (field.description ?? '') === '')
        .map(([field]) => `${name}.${field}`),
    )
    expect(silent).toEqual([])
  })

  it('says for every possible error how it is returned', () => {
    expect(responsesOf('/api/agent/write-memory', 'post')).toEqual([
      '200',
      '201',
      '400',
      '401',
      '403',
      '404',
      '408',
      '413',
      '415',
      '429',
      '431',
      '500',
      '503',
    ])
    expect(responsesOf('/api/agent/update-memory', 'post')).toEqual([
      '200',
      '400',
      '401',
      '403',
      '404',
      '408',
      '409',
      '413',
      '415',
      '429',
      '431',
      '500',
      '503',
    ])
    expect(responsesOf('/api/agent/info', 'get')).toEqual([
      '200',
      '400',
      '401',
      '403',
      '408',
      '429',
      '431',
      '500',
      '503',
    ])
  })
})

describe('the OpenAPI document, for generators of clients', () => {
  const schemas = document.components?.['schemas'] as unknown as Record<string, JsonSchema>
  const bodyOf = (path: string) => document.paths?.[path]?.post?.requestBody as unknown as { required: boolean }

  it('gives every enum one name, and each of its values a name that no other enum has', () => {
    const named = new Set<unknown>(Object.values(schemas))
    const inline = listNodes(document).filter((node) => 'enum' in node && node['type'] === 'string' && !named.has(node))
    expect(inline).toEqual([])
    const constants = Object.values(schemas).flatMap((schema) => schema['x-enum-varnames'] ?? [])
    expect(constants.length).toBeGreaterThan(200)
    expect(new Set(constants).size).toBe(constants.length)
    expect(schemas['TaskStatus']?.enum).toEqual(['backlog', 'todo', 'in_progress', 'done', 'blocked'])
  })

  it('says in words what a list of named values is by default', () => {
    const presets = listNodes(document).filter((node) => Array.isArray(node['default']) && node['default'].length > 0)
    expect(presets.filter((node) => '$ref' in ((node['items'] as object | undefined) ?? {}))).toEqual([])
    expect(schemas['PreviewSearchInput']?.properties?.['kinds']?.description).toMatch(/ Default: memory\.$/)
  })

  it('has a type beside each constant, and no constant that is true or false', () => {
    const constants = listNodes(document).filter((node) => 'const' in node)
    expect(constants.length).toBeGreaterThan(0)
    expect(constants.filter((node) => typeof node['const'] !== 'string' || node['type'] !== 'string')).toEqual([])
  })

  it('describes a repeated object once', () => {
    const objects = new Set<unknown>(Object.values(schemas))
    const inner = listNodes(document).filter(
      (node) => node['type'] === 'object' && Object.keys(node['properties'] ?? {}).length > 0 && !objects.has(node),
    )
    const texts = inner.map(({ description: _description, ...schema }) => JSON.stringify(schema))
    expect(texts.filter((text, at) => texts.indexOf(text) !== at)).toEqual([])
  })

  it('says what may be null, where the largest numbers end, and when a body is needed', () => {
    const { properties = {} } = schemas['ListTasksInput'] ?? {}
    expect(properties['q']?.type).toEqual(['string', 'null'])
    expect(properties['offset']).toMatchObject({ maximum: Number.MAX_SAFE_INTEGER, type: ['integer', 'null'] })
    expect(properties['sort']?.anyOf).toEqual([{ $ref: '#/components/schemas/ListTasksSort' }, { type: 'null' }])
    expect(schemas['WriteMemoryInput']?.properties?.['content']?.type).toBe('string')
    expect([bodyOf('/api/agent/list-tasks').required, bodyOf('/api/agent/write-memory').required]).toEqual([
      false,
      true,
    ])
    expect(document.paths?.['/api/agent/info']?.get?.parameters).toEqual([
      { $ref: '#/components/parameters/AgentRunId' },
    ])
  })

  it('says which fields are needed if it is one of several', () => {
    expect(schemas['AckMessageInput']).toMatchObject({
      if: { required: ['messageIds'] },
      else: { required: ['messageId'] },
    })
    expect(bodyOf('/api/agent/ack-message').required).toBe(true)
    expect(document.paths?.['/api/agent/ack-message']?.post?.description).toBe(
      'Scopes: write. One of these is needed: `messageId`, `messageIds`.',
    )
  })
})

describe.each(routes)('the example of $name', ({ input, output, examples }) => {
  it('is valid under its own contract', () => {
    expect(input.safeParse(examples.input).error).toBeUndefined()
    expect(output.safeParse(examples.output).error).toBeUndefined()
  })
})

describe('schemas', () => {
  it('prints any JSON value as the empty schema', () => {
    const [contract] = describeContracts(
      routesOf(taking(z.object({ anything: z.json().describe('Whatever.') }))),
    ).contracts
    expect(contract?.input.properties).toEqual({ anything: { description: 'Whatever.' } })
  })

  it('rejects two schemas with the same id', () => {
    const first = z.object({ thing: z.looseObject({ size: z.int() }).meta({ id: 'Thing' }) })
    const second = z.object({ thing: z.looseObject({ size: z.string() }).meta({ id: 'Thing' }) })
    expect(() => describeContracts([taking(first), taking(second)].flatMap(routesOf))).toThrow(
      'Two different schemas have the id "Thing"',
    )
  })

  it('rejects a schema that refers to itself without an id', () => {
    const tree: z.ZodType = z.lazy(() => z.object({ children: z.array(tree) }))
    expect(() => describeContracts(routesOf(taking(z.object({ tree }))))).toThrow('A recursive schema needs an id')
  })

  it('keeps limits, defaults and formats, and drops what repeats them', () => {
    const input = z.object({
      when: z.iso.datetime({ offset: true }).describe('When.'),
      count: z.int().min(1).default(3).describe('How many.'),
    })
    expect(describeContracts(routesOf(taking(input))).contracts[0]?.input).toEqual({
      type: 'object',
      properties: {
        when: { type: 'string', format: 'date-time', description: 'When.' },
        count: { type: 'integer', minimum: 1, default: 3, description: 'How many.' },
      },
      required: ['when'],
    })
  })

  it('gives a nullable field the description of its value', () => {
    const input = z.object({ size: z.uuid().describe('Which one.').nullable() })
    expect(describeContracts(routesOf(taking(input))).contracts[0]?.input.properties).toMatchObject({
      size: { description: 'Which one.' },
    })
  })

  it('prints the input of a GET as query parameters', () => {
    const list = operation({
      name: 'list-things',
      for: { anyone: 'GET /api/things' },
      summary: 'List things.',
      effect: 'read',
      input: z.object({ limit: z.coerce.number().int().max(9).default(2).describe('How many.') }),
      output: z.looseObject({}),
      examples: { input: {}, output: {} },
      run: async () => ({}),
    })
    const { paths } = openApiDocument(routesOf(list), '1.2.3') as { paths: Record<string, unknown> }
    expect(paths['/api/things']).toMatchObject({
      get: {
        security: [],
        parameters: [
          {
            name: 'limit',
            in: 'query',
            required: false,
            description: 'How many.',
            schema: { type: 'integer', format: 'int64', minimum: Number.MIN_SAFE_INTEGER, maximum: 9, default: 2 },
          },
        ],
      },
    })
  })
})

async function lint(node: Node): Promise<string[]> {
  const config = await createConfig({
    extends: ['recommended-strict'],
    // What `if` and `else` require is defined next to them, where this rule doesn't look.
    rules: { 'no-required-schema-properties-undefined': 'off' },
  })
  const problems = await lintFromString({ source: JSON.stringify(node), config })
  return problems.map(({ ruleId, message, location: [place] }) => `${ruleId}: ${message} (${place?.pointer})`)
}

const taking = (input: z.ZodObject) =>
  operation({
    name: 'take',
    for: { agent: { toolset: 'admin', scopes: [] } },
    summary: 'Take something.',
    effect: 'write',
    changes: ['notes'],
    input,
    output: z.looseObject({}),
    examples: { input: {}, output: {} },
    run: async () => ({}),
  })

/** All objects in it, except examples. */
function listNodes(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(listNodes)
  const own = Object.entries(value).filter(([name]) => name !== 'example')
  return [value as Record<string, unknown>, ...own.flatMap(([, inner]) => listNodes(inner))]
}

const responsesOf = (path: string, method: string) => Object.keys(document.paths?.[path]?.[method]?.responses ?? {})

const resolve = (reference: string) =>
  reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<Node | undefined>((node, key) => node?.[key], document)
