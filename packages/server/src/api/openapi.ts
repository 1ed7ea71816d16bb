import type { ErrorCode } from '../core/errors.ts'
import { common } from '../operation/fields.ts'
import type { Route } from '../operation/operation.ts'
import { describeContracts, type Contract, type JsonSchema } from './contracts.ts'
import { describeEventStream, eventsPath } from './events.ts'
import { errorStatuses } from './payloads.ts'
import { eventNames, type EventName } from '../webhooks/event.ts'

/** The registry as an OpenAPI 3.1 document. */
export function openApiDocument(routes: readonly Route[], version: string): Record<string, unknown> {
  const { contracts, components } = describeContracts(routes)
  const paths: Record<string, Record<string, unknown>> = {}
  for (const contract of contracts) {
    const { path, method } = contract.operation
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(contract) }
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
    webhooks: describeEvents(),
    components: {
      schemas: { ...components, Error: errorSchema },
      responses: Object.fromEntries(
        Object.keys(errorTexts).map((status) => [`Error${status}`, errorResponse(Number(status))]),
      ),
      headers: commonHeaders,
      securitySchemes: {
        agentKey: { type: 'http', scheme: 'bearer', description: 'An agent key, `svc_…`.' },
        dashboardToken: { type: 'http', scheme: 'bearer', description: 'A dashboard token, `hfd_…`.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-holdfast',
          description: 'Set by login; writes also need `X-Requested-With`. Without TLS its name is `holdfast`.',
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

function describeOperation({ operation, input, output }: Contract): Record<string, unknown> {
  const scopes = operation.scopes.length > 0 ? `Scopes: ${operation.scopes.join(', ')}.` : undefined
  return {
    operationId: operationIdOf(operation),
    tags: [operation.audience],
    summary: operation.summary,
    ...(scopes !== undefined && { description: scopes }),
    security: security[operation.audience],
    ...describeInput(operation, input),
    responses: {
      ...describeSuccess(operation, output),
      ...Object.fromEntries(
        statusesOf(operation).map((status) => [String(status), { $ref: `#/components/responses/Error${status}` }]),
      ),
    },
  }
}

/** Unique per route: the person's route of an operation that agents or the operator share has its own id. */
export const operationIdOf = ({ name, audience, for: { agent, operator } }: Route) =>
  audience === 'person' && (agent !== undefined || operator !== undefined) ? `person-${name}` : name

export const hasBody = ({ method }: Route) => method === 'POST' || method === 'PATCH'

function describeInput(operation: Route, schema: JsonSchema): Record<string, unknown> {
  if (hasBody(operation))
    return {
      requestBody: {
        required: true,
        content: { 'application/json': { schema, example: operation.examples.input } },
      },
    }
  return {
    parameters: Object.entries(schema.properties ?? {}).map(([name, { description, ...rest }]) => ({
      name,
      in: 'query',
      required: schema.required?.includes(name) ?? false,
      description,
      schema: rest,
    })),
  }
}

/** The example shows whether a call creates a record. If the answer has a `created` field, the record may also exist already. */
function describeSuccess({ created, examples }: Route, schema: JsonSchema): Record<string, unknown> {
  const answer = (description: string) => ({
    description,
    headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } },
    content: { 'application/json': { schema, example: examples.output } },
  })
  if (created?.(examples.output) !== true) return { '200': answer('Success') }
  const mayExist = schema.properties?.created !== undefined
  return { ...(mayExist && { '200': answer('It already existed') }), '201': answer('Created') }
}

/** Of errors. */
export function statusesOf(operation: Route): number[] {
  const codes: ErrorCode[] = ['invalid', 'rate_limited', 'unavailable', ...operation.errors]
  if (hasBody(operation)) codes.push('too_large', 'not_json')
  // Writes for anyone still need a password or a token in their input.
  if (operation.audience !== 'anyone' || operation.effect !== 'read') codes.push('unauthenticated', 'forbidden')
  if (namesObjects(operation)) codes.push('not_found')
  if ('expectedVersion' in operation.input.shape || 'expectedStatus' in operation.input.shape) codes.push('conflict')
  return [...errorStatuses(codes), 500].toSorted((a, b) => a - b)
}

const isId = (name: string) => !(name in common) && /^id$|Ids?$/.test(name)

function namesObjects({ vault, input }: Route): boolean {
  return vault === 'resolved' || vault === 'required' || Object.keys(input.shape).some(isId)
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
  409: 'The record has a different version than expected, or the current state does not allow this',
  413: 'The body is too large',
  415: 'The body is not JSON',
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

/** The events for subscribers, as the document's `webhooks`. The tests of delivery compare it with the code. */
export const describeEvents = (): Record<string, unknown> =>
  Object.fromEntries(eventNames.map((name) => [name, { post: describeEvent(name) }]))

const summaries: Record<EventName, string> = {
  'message.created': 'A message was sent.',
  'message.acknowledged': 'A recipient acknowledged a message.',
}

const text = (description: string) => ({ type: 'string', description })
const id = (description: string) => ({ ...text(description), format: 'uuid' })

function describeEvent(name: EventName): Record<string, unknown> {
  const acknowledgedBy = name === 'message.acknowledged'
  const properties = {
    event: { const: name },
    messageId: id('Id of the message. Read its content with an agent key.'),
    userId: id('Id of the user who owns the message.'),
    timestamp: { ...text('When it happened.'), format: 'date-time' },
    ...(acknowledgedBy && { acknowledgedBy: text('Who acknowledged it, by the name that the agent gave.') }),
  }
  return {
    operationId: name,
    tags: ['person'],
    // No credential; the signature identifies the sender.
    security: [],
    summary: summaries[name],
    description: 'Delivered at least once and in any order; the same `webhook-id` means the same event.',
    parameters: Object.entries(headers).map(([header, description]) => ({
      name: header,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { type: 'object', required: Object.keys(properties), properties } } },
    },
    responses: {
      '2XX': { description: 'Accepted. Any other status, including redirects, is retried.' },
    },
  }
}

const headers = {
  'X-Service-Signature': '`sha256=` and the HMAC-SHA256 of the body, keyed with the whole secret.',
  'X-Service-Event': 'The name of the event.',
  'X-Service-Attempt': '1 for the first attempt.',
  'webhook-id': 'Identifies the event; the same for each attempt.',
  'webhook-timestamp': 'When this attempt was made, in seconds since 1970.',
  'webhook-signature':
    'Signature as defined by Standard Webhooks. After a rotation there are several, separated by spaces.',
}
