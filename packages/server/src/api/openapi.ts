import type { ErrorCode } from '../core/errors.ts'
import { common } from '../operation/fields.ts'
import type { Route } from '../operation/operation.ts'
import { describeContracts, type Contract, type JsonSchema } from './contract-schemas.ts'
import { describeEventStream, eventsPath } from './describe-event-stream.ts'
import { describeEvents } from './describe-events.ts'
import { errorStatuses } from './responses.ts'

/** The registry, printed as an OpenAPI 3.1 document. */
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
        operatorToken: { type: 'http', scheme: 'bearer', description: "The token in a running server's data folder." },
      },
    },
  }
}

const security: Record<Route['audience'], Record<string, never[]>[]> = {
  agent: [{ agentKey: [] }],
  person: [{ session: [] }, { dashboardToken: [] }, { operatorToken: [] }],
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

/** Of an operation that agents and people share, the person's route has a name of its own. */
const operationIdOf = ({ name, audience, for: { agent } }: Route) =>
  audience === 'person' && agent !== undefined ? `person-${name}` : name

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

/** The example tells whether a call creates something; where the answer says so itself, a call may also find it there. */
function describeSuccess({ created, examples }: Route, schema: JsonSchema): Record<string, unknown> {
  const answer = (description: string) => ({
    description,
    headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } },
    content: { 'application/json': { schema, example: examples.output } },
  })
  if (!created(examples.output)) return { '200': answer('Success') }
  const mayExist = schema.properties?.created !== undefined
  return { ...(mayExist && { '200': answer('It was there already') }), '201': answer('Created') }
}

function statusesOf(operation: Route): number[] {
  const codes: ErrorCode[] = ['invalid', 'rate_limited', 'unavailable']
  if (hasBody(operation)) codes.push('too_large', 'not_json')
  // What anybody may change still asks for a password or a token in its input.
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
    error: { type: 'string', description: 'What went wrong, in words to act on.' },
    fields: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Only with 400: each field and its problem.',
    },
    retryAfter: { type: 'integer', description: 'Only with 429: seconds to wait.' },
  },
}

export const errorTexts: Record<number, string> = {
  400: 'A field is wrong; `fields` names each',
  401: 'Invalid or missing credential',
  403: 'Not allowed; a missing scope begins with SCOPE_DENIED',
  404: 'Not found, or not visible to this caller',
  409: 'The record has another version than expected',
  413: 'The body is too large',
  415: 'The body is not JSON',
  429: 'Too many requests; try again after Retry-After seconds',
  500: 'A mistake of the server; `X-Request-Id` leads to its log',
  503: 'Temporarily unavailable; try again after Retry-After seconds',
}

const commonHeaders = {
  RequestId: { description: 'Names this request in the log of the server.', schema: { type: 'string' } },
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
