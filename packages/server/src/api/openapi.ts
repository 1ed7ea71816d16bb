import { z } from 'zod'
import type { ErrorCode } from '../core/errors.ts'
import { common, maxRunIdChars } from '../operation/fields.ts'
import { describeNeeds, type Route } from '../operation/operation.ts'
import { describeContracts, type Contract, type JsonSchema } from './contracts.ts'
import { nameParts } from './openapi-names.ts'
import { writeOut } from './openapi-schemas.ts'
import { describeEventStream, eventsPath } from './events.ts'
import { errorStatuses } from './payloads.ts'
import { eventNames, messageEvents, type EventName } from '../webhooks/event.ts'

/**
 * The registry as an OpenAPI 3.1 document. Without the `webhooks` that the format allows: openapi-generator 7 prints Python for them that
 * is no Python. docs/webhooks.md describes deliveries.
 */
export function openApiDocument(routes: readonly Route[], version: string): Record<string, unknown> {
  const { contracts, components } = describeContracts(routes)
  const bodies = new Bodies(contracts, components)
  const paths: Record<string, Record<string, unknown>> = {}
  for (const { operation } of contracts) {
    const { path, method } = operation
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(operation, bodies) }
  }
  paths[eventsPath] = { get: describeEventStream() }
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
      { name: 'person', description: 'For people, with a session or a dashboard token.' },
      { name: 'operator', description: "For the command line on the server's own machine." },
      { name: 'anyone', description: 'Without a credential.' },
    ],
    paths,
    components: {
      schemas: { ...bodies.components, Error: errorSchema },
      responses: Object.fromEntries(
        // No operation answers 405: its path does, with another method.
        Object.keys(errorTexts).flatMap((status) =>
          status === '405' ? [] : [[`Error${status}`, errorResponse(Number(status))]],
        ),
      ),
      headers: commonHeaders,
      parameters: { AgentRunId: agentRunId },
      securitySchemes: {
        agentKey: { type: 'http', scheme: 'bearer', description: 'An agent key, `svc_…`.' },
        dashboardToken: { type: 'http', scheme: 'bearer', description: 'A dashboard token, `hfd_…`.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-holdfast',
          description:
            'Set by login; writes also need `X-Requested-With`. Without TLS its name is `holdfast`. At another port than 443 or 80, the name ends with it: `holdfast-8420`.',
        },
        sessionKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Session-Key',
          description:
            'The other half of the session: `sessionKey` in the answer of login. The cookie alone opens nothing.',
        },
        operatorToken: { type: 'http', scheme: 'bearer', description: "The token in a running server's data folder." },
      },
    },
  }
}

const security: Record<Route['audience'], Record<string, never[]>[]> = {
  agent: [{ agentKey: [] }],
  person: [{ session: [], sessionKey: [] }, { dashboardToken: [] }, { operatorToken: [] }],
  operator: [{ operatorToken: [] }],
  anyone: [],
}

/** The bodies of requests and answers as components, each once under the name of its operation, and the fields of queries. */
class Bodies {
  readonly components: Readonly<Record<string, JsonSchema>>
  readonly #queries: Readonly<Record<string, JsonSchema>>
  readonly #references = new Map<string, JsonSchema>()

  constructor(contracts: readonly Contract[], components: Readonly<Record<string, JsonSchema>>) {
    const owners = new Map(
      Object.entries(components).map(([name, schema]) => [name, writeOut(schema, { sent: false })]),
    )
    const names = new Map<string, string>()
    const add = (name: string, schema: JsonSchema) => {
      const key = JSON.stringify(schema)
      const known = names.get(key) ?? name
      names.set(key, known)
      if (schema.$ref === undefined) owners.set(known, schema)
      this.#references.set(name, schema.$ref === undefined ? { $ref: `#/components/schemas/${known}` } : schema)
    }
    for (const { operation, input, output } of contracts) {
      const name = bodyName(operation)
      if (hasBody(operation)) add(`${name}Input`, writeInput(operation, input))
      else owners.set(`${name}Query`, writeOut(input, { sent: false }))
      add(`${name}Output`, writeOut(output, { sent: false }))
    }
    const named = Object.entries(nameParts(Object.fromEntries(owners)))
    this.components = Object.fromEntries(named.filter(([name]) => !name.endsWith('Query')))
    this.#queries = Object.fromEntries(named.filter(([name]) => name.endsWith('Query')))
  }

  inputOf = (operation: Route): JsonSchema => this.#references.get(`${bodyName(operation)}Input`) ?? {}
  outputOf = (operation: Route): JsonSchema => this.#references.get(`${bodyName(operation)}Output`) ?? {}
  queryOf = (operation: Route): JsonSchema => this.#queries[`${bodyName(operation)}Query`] ?? {}
}

const bodyName = (operation: Route) =>
  operationIdOf(operation).replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())

/** A field that may be the only one needed must have a value. */
function writeInput({ needs }: Route, schema: JsonSchema): JsonSchema {
  const { required = [], ...rest } = schema
  const written = writeOut({ ...rest, required: [...required, ...needs.flat()] }, { sent: true })
  return {
    ...written,
    required,
    ...oneNeeded(needs),
  }
}

/** Generators take `anyOf` for different types, and then forget the fields; they don't read `if`. */
function oneNeeded([first, ...others]: Route['needs']): JsonSchema {
  if (first === undefined) return {}
  const [second, ...more] = others.map(asRequired)
  if (second === undefined) return asRequired(first)
  return { if: more.length === 0 ? second : { anyOf: [second, ...more] }, else: asRequired(first) }
}

const asRequired = (fields: readonly string[]): JsonSchema => ({ required: [...fields] })

function describeOperation(operation: Route, bodies: Bodies): Record<string, unknown> {
  const scopes = operation.scopes.length > 0 ? [`Scopes: ${operation.scopes.join(', ')}.`] : []
  const needs = operation.needs.length > 0 ? [describeNeeds(operation)] : []
  const description = [...scopes, ...needs].join(' ')
  return {
    operationId: operationIdOf(operation),
    tags: [operation.audience],
    summary: operation.summary,
    ...(description !== '' && { description }),
    security: security[operation.audience],
    ...describeInput(operation, bodies),
    responses: {
      ...describeSuccess(operation, bodies.outputOf(operation)),
      ...Object.fromEntries(
        statusesOf(operation).map((status) => [String(status), { $ref: `#/components/responses/Error${status}` }]),
      ),
    },
  }
}

/** Unique per route: of an operation that two audiences share, the person's route or else the operator's has its own id. */
export function operationIdOf({ name, audience, for: { agent, operator, anyone } }: Route): string {
  const isShared = audience === 'person' ? agent !== undefined || operator !== undefined : anyone !== undefined
  return isShared && (audience === 'person' || audience === 'operator') ? `${audience}-${name}` : name
}

export const hasBody = ({ method }: Route) => method === 'POST' || method === 'PATCH'

function describeInput(operation: Route, bodies: Bodies): Record<string, unknown> {
  const header = operation.audience === 'agent' ? [{ $ref: '#/components/parameters/AgentRunId' }] : []
  if (!hasBody(operation)) {
    const { properties = {}, required = [] } = bodies.queryOf(operation)
    const fields = Object.entries(properties).map(([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      required: required.includes(name),
      description,
      schema,
    }))
    return { parameters: [...header, ...fields] }
  }
  return {
    ...(header.length > 0 && { parameters: header }),
    requestBody: {
      required: !operation.input.safeParse({}).success || operation.needs.length > 0,
      content: { 'application/json': { schema: bodies.inputOf(operation), example: operation.examples.input } },
    },
  }
}

const agentRunId = {
  name: 'X-Agent-Run-Id',
  in: 'header',
  required: false,
  description: 'The session or run that a call belongs to. `agentRunId` in the body takes precedence.',
  schema: { type: 'string', maxLength: maxRunIdChars },
}

/** The example shows whether a call creates a record. If the answer has a `created` field, the record may also exist already. */
function describeSuccess(
  { created, examples, output, isStreamed }: Route,
  schema: JsonSchema,
): Record<string, unknown> {
  const answer = (description: string) => ({
    description,
    headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } },
    content: {
      'application/json': { schema, example: examples.output },
      ...(isStreamed && { 'text/event-stream': { schema: { type: 'string', description: partsOf } } }),
    },
  })
  if (created?.(examples.output) !== true) return { '200': answer('Success') }
  const mayExist = output instanceof z.ZodObject && 'created' in output.shape
  return { ...(mayExist && { '200': answer('It already existed') }), '201': answer('Created') }
}

const partsOf =
  'With `Accept: text/event-stream`: `event: part` while the answer is made, then `event: answer` with the whole answer, or `event: error`.'

/** Of errors. */
export function statusesOf(operation: Route): number[] {
  const codes: ErrorCode[] = ['invalid', 'rate_limited', 'unavailable', ...operation.errors]
  if (hasBody(operation)) codes.push('too_large', 'not_json')
  // Writes for anyone still need a password or a token in their input.
  if (operation.audience !== 'anyone' || operation.effect !== 'read') codes.push('unauthenticated', 'forbidden')
  if (namesObjects(operation)) codes.push('not_found')
  if ('expectedVersion' in operation.input.shape || 'expectedStatus' in operation.input.shape) codes.push('conflict')
  return [...errorStatuses(codes), ...brokenRequests, 500].toSorted((a, b) => a - b)
}

/** For requests that arrive too slowly, or with too many headers. */
const brokenRequests = [408, 431]

const isId = (name: string) => !(name in common) && /^id$|Ids?$/.test(name)

function namesObjects({ isInVault, input }: Route): boolean {
  return isInVault || Object.keys(input.shape).some(isId)
}

const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: { type: 'string', description: 'What went wrong and what to do.' },
    fields: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Only with 400: each field and its problem.',
    },
    retryAfter: { type: 'integer', description: 'Only with 429: seconds to wait.' },
  },
}

export const errorTexts: Record<number, string> = {
  400: 'Invalid input; `fields` lists each problem',
  401: 'Invalid or missing credential',
  403: 'Not allowed; a missing scope begins with SCOPE_DENIED',
  404: 'Not found, or not visible to this caller',
  405: 'This path exists, but not with this method; `Allow` lists its methods',
  408: 'The request did not arrive in time',
  409: 'The record has a different version than expected, or the current state does not allow this',
  413: 'The body is too large',
  415: 'The body is not JSON',
  431: 'The headers are too large',
  429: 'Too many requests; try again after Retry-After seconds',
  500: 'Internal server error; `X-Request-Id` identifies its log line',
  503: 'Temporarily unavailable; try again after Retry-After seconds',
}

const commonHeaders = {
  RequestId: { description: "Identifies this request in the server's log.", schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds to wait before trying again.', schema: { type: 'integer' } },
}

const errorResponse = (status: number) => ({
  description: errorTexts[status] ?? 'Error',
  headers: {
    'X-Request-Id': { $ref: '#/components/headers/RequestId' },
    ...((status === 429 || status === 503) && { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }),
  },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
})

/** The bodies of events for subscribers. The tests of delivery compare them with the code. */
export const describeEvents = (): { name: EventName; summary: string; schema: JsonSchema }[] =>
  eventNames.map((name) => ({ name, summary: summaries[name], schema: eventSchema(name) }))

const summaries: Record<EventName, string> = {
  'message.created': 'A message was sent.',
  'message.acknowledged': 'A recipient acknowledged a message.',
  'memory.created': 'A memory was created.',
  'memory.updated': 'A memory was updated, restored, superseded or moved here from another vault.',
  'memory.archived': 'A memory was archived.',
  'memory.deleted': 'A memory was deleted permanently.',
  'task.created': 'A task was created.',
  'task.updated': 'A task was updated or restored.',
  'task.completed': 'A task was done.',
  'task.archived': 'A task was archived.',
  'task.deleted': 'A task was deleted permanently.',
  'note.created': 'A note was created.',
  'note.updated': 'A note was updated, moved or restored.',
  'note.trashed': 'A note was moved to the trash.',
  'note.deleted': 'A note was deleted permanently.',
}

const text = (description: string) => ({ type: 'string', description })
const id = (description: string) => ({ ...text(description), format: 'uuid' })

const isAboutMessage = (name: EventName): boolean => messageEvents.some((one) => one === name)

function eventSchema(name: EventName): JsonSchema {
  const acknowledgedBy = name === 'message.acknowledged'
  const [kind = ''] = name.split('.')
  const properties = {
    event: { type: 'string', const: name },
    [`${kind}Id`]: id(
      name.endsWith('.deleted') ? `Id of the ${kind}.` : `Id of the ${kind}. Read its content with an agent key.`,
    ),
    ...(!isAboutMessage(name) && { vaultId: id(`Id of the vault that holds the ${kind}.`) }),
    userId: id('Id of the user who owns the record.'),
    timestamp: { ...text('When it happened.'), format: 'date-time' },
    ...(acknowledgedBy && { acknowledgedBy: text('Who acknowledged it, by the name that the agent gave.') }),
  }
  return { type: 'object', required: Object.keys(properties), properties }
}
