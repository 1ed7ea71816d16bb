import { z } from 'zod'
import type { ErrorCode } from '../core/errors.ts'
import type { Operation } from '../operation/operation.ts'
import { errorStatuses } from './responses.ts'

/** The registry, printed as an OpenAPI 3.1 document. */
export function openApiDocument(operations: readonly Operation[], version: string): Record<string, unknown> {
  const components: Components = {}
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations)
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describeOperation(operation, components),
    }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Holdfast',
      version,
      summary: 'Encrypted memory for software agents.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [
      { name: 'agent', description: 'For agents, with an agent key.' },
      { name: 'dashboard', description: 'For people, with a session or a dashboard token.' },
      { name: 'operator', description: "For the command line on the server's own machine." },
      { name: 'public', description: 'Before anybody is known.' },
    ],
    paths,
    components: {
      schemas: { ...components, Error: errorSchema },
      responses: Object.fromEntries(errorStatuses(allCodes).map((status) => [`Error${status}`, errorResponse(status)])),
      securitySchemes: {
        agentKey: { type: 'http', scheme: 'bearer', description: 'An agent key, `svc_…`.' },
        dashboardToken: { type: 'http', scheme: 'bearer', description: 'A dashboard token, `hfd_…`.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-holdfast',
          description: 'Set by login; writes also need `X-Requested-With`.',
        },
        operatorToken: { type: 'http', scheme: 'bearer', description: "The token in a running server's data folder." },
      },
    },
  }
}

type Components = Record<string, unknown>

const security: Record<Operation['audience'], Record<string, never[]>[]> = {
  agent: [{ agentKey: [] }],
  dashboard: [{ session: [] }, { dashboardToken: [] }, { operatorToken: [] }],
  operator: [{ operatorToken: [] }],
  public: [],
}

function describeOperation(operation: Operation, components: Components): Record<string, unknown> {
  const scopes = operation.scopes.length > 0 ? `Scopes: ${operation.scopes.join(', ')}.` : undefined
  const statuses = errorStatuses(codesOf(operation))
  const output = { schema: jsonSchema(operation.output, 'output', components), example: operation.examples.output }
  const created = { description: 'Created', content: { 'application/json': output } }
  return {
    operationId: operation.name,
    tags: [operation.audience],
    summary: operation.summary,
    ...(scopes !== undefined && { description: scopes }),
    security: security[operation.audience],
    ...describeInput(operation, components),
    responses: {
      '200': { description: 'Success', content: { 'application/json': output } },
      ...(operation.effect === 'write' && operation.method === 'POST' && { '201': created }),
      ...Object.fromEntries(
        statuses.map((status) => [String(status), { $ref: `#/components/responses/Error${status}` }]),
      ),
    },
  }
}

function describeInput(operation: Operation, components: Components): Record<string, unknown> {
  const schema = jsonSchema(operation.input, 'input', components)
  if (operation.method === 'POST' || operation.method === 'PATCH')
    return {
      requestBody: { required: true, content: { 'application/json': { schema, example: operation.examples.input } } },
    }
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, { description?: string }>
    required?: string[]
  }
  return {
    parameters: Object.entries(properties).map(([name, { description, ...rest }]) => ({
      name,
      in: 'query',
      required: required.includes(name),
      description,
      schema: rest,
    })),
  }
}

/** Schemas with an id become components; a pattern that a format already says is left out. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output', components: Components): Record<string, unknown> {
  const {
    $schema: _dialect,
    $defs = {},
    ...rest
  } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    override({ jsonSchema: node }) {
      if (node.format !== undefined) delete node.pattern
    },
  }) as Record<string, unknown> & { $defs?: Record<string, object> }
  for (const [id, definition] of Object.entries($defs)) components[id] = relocate(withoutId(definition))
  return relocate(rest) as Record<string, unknown>
}

const withoutId = ({ id: _id, ...definition }: { id?: unknown }) => definition

/** Points references at the document's components instead of the schema's own definitions. */
function relocate(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(relocate)
  if (node === null || typeof node !== 'object') return node
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string'
        ? value.replace('#/$defs/', '#/components/schemas/')
        : relocate(value),
    ]),
  )
}

const allCodes: ErrorCode[] = [
  'invalid',
  'unauthenticated',
  'forbidden',
  'not_found',
  'conflict',
  'too_large',
  'not_json',
  'rate_limited',
  'unavailable',
]

function codesOf({ audience, input }: Operation): ErrorCode[] {
  const codes: ErrorCode[] = ['invalid', 'too_large', 'not_json', 'unavailable', 'not_found']
  if (audience !== 'public') codes.push('unauthenticated', 'forbidden')
  if ('expectedVersion' in input.shape) codes.push('conflict')
  return codes
}

const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: { type: 'string', description: 'What went wrong, in words to act on.' },
    fields: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Only with 400: each field and its problem.',
    },
    retryAfter: { type: 'integer', description: 'Only with 429: seconds to wait.' },
  },
}

const errorTexts: Record<number, string> = {
  400: 'A field is wrong; `fields` names each',
  401: 'Invalid or missing credential',
  403: 'Not allowed; a missing scope begins with SCOPE_DENIED',
  404: 'Not found, or not visible to this caller',
  409: 'The record has another version than expected',
  413: 'The body is too large',
  415: 'The body is not JSON',
  429: 'Too many requests',
  503: 'Temporarily unavailable; try again after Retry-After seconds',
}

const errorResponse = (status: number) => ({
  description: errorTexts[status] ?? 'Error',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
})
