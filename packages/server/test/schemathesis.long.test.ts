import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hasBody, openApiDocument, operationIdOf } from '../src/api/openapi.ts'
import { routes } from '../src/api/registry.ts'
import type { Audience, Route } from '../src/operation/operation.ts'
import { useTestApp } from './app.ts'
import { ownerPassword, ownerPasswordHash } from './dashboard-app.ts'
import { openSession } from './factories.ts'
import { inputFor, makeWorld, type World } from './sweep-world.ts'

/** Schemathesis makes requests from the OpenAPI document and compares what the server answers with it. Skipped where it can't be had. */

/**
 * Left out: `positive_data_acceptance`, because rules about two fields, such as "folderId or folderPath, not both", are in no schema;
 * and what other tests cover for each route: methods, headers and credentials.
 */
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
]

/** Requests per operation, besides its own example. With 3, all runs together take about four minutes on two cores. */
const maxExamples = 3

/** Routes that would end the run's own session or account, so that all others would answer 401. */
const leftOut: Record<string, string> = {
  'log-out': 'ends the session that makes the requests',
  'delete-user': 'can delete the account that makes the requests',
  'update-sign-in': 'changes the password that other requests send',
}

/** The rest are made up, and mostly answered by the same 404. */
const shareOfKnownIds = 0.9

let folder: string
let url: string
let whyNot: string | undefined
const execute = promisify(execFile)
const test = useTestApp({ config: { dashboardRateLimit: 0 } })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-schemathesis-'))
  url = await test().app.listen()
  try {
    await run('python3', '-m', 'venv', 'venv')
    await run('venv/bin/pip', 'install', '--quiet', 'schemathesis==4.32.5')
  } catch (error) {
    whyNot = `Schemathesis cannot be installed here: ${String(error).slice(-500)}`
  }
}, 600_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

const run = (command: string, ...args: string[]) => execute(command, args, { cwd: folder, maxBuffer: 256 * 2 ** 20 })

// People before the operator, whose set-up would create another owner.
const audiences: Audience[] = ['agent', 'person', 'operator', 'anyone']

it.for(audiences)(
  'routes for %s answer as the OpenAPI document says',
  { timeout: 1_200_000 },
  async (audience, ctx) => {
    ctx.skip(whyNot !== undefined, whyNot)
    const world = await makeWorld(test(), { isOwner: audience === 'person', passwordHash: ownerPasswordHash })
    const headers = (await headersOf(audience, world)).flatMap((header) => ['--header', header])
    const own = routes.filter((route) => route.audience === audience && leftOut[route.name] === undefined)
    // Reads come first, while the records of the world are all there.
    const isRead = ({ effect }: Route) => effect === 'read'
    for (const part of [own.filter(isRead), own.filter((route) => !isRead(route))])
      expect(await testRoutes(part, world, headers)).toContain('No issues found')
  },
)

async function testRoutes(part: readonly Route[], world: World, headers: readonly string[]): Promise<string> {
  if (part.length === 0) return 'No issues found'
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(documentOf(part, world)))
  await writeFile(join(folder, 'schemathesis.toml'), settingsOf(part, world))
  const caller = ['--url', url, ...headers, '--generation-with-security-parameters', 'false']
  const extent = ['--phases', 'examples,fuzzing', '--max-examples', String(maxExamples), '--checks', checks.join(',')]
  const form = ['--continue-on-failure', '--warnings', 'off', '--no-color']
  const { stdout } = await run('venv/bin/schemathesis', 'run', 'openapi.json', ...caller, ...extent, ...form).catch(
    (error: { stdout: string }) => error,
  )
  return stdout
}

async function headersOf(audience: Audience, { key, user }: World): Promise<string[]> {
  if (audience === 'agent') return [`Authorization: Bearer ${key}`]
  if (audience === 'operator') return [`Authorization: Bearer ${test().app.operatorToken.token}`]
  if (audience === 'anyone') return []
  const { cookie, sessionKey } = await openSession(test(), user)
  return [`Cookie: holdfast=${cookie}`, `X-Session-Key: ${sessionKey}`, 'X-Requested-With: holdfast', `Origin: ${url}`]
}

/** The document with these routes only, and with examples about records of this world. */
function documentOf(part: readonly Route[], world: World): object {
  const document = openApiDocument(routes, '0.1.0') as unknown as { paths: Record<string, Record<string, Described>> }
  const paths: typeof document.paths = {}
  for (const route of part) {
    const method = route.method.toLowerCase()
    const described = document.paths[route.path]?.[method]
    if (described === undefined) throw new Error(`${route.name} is not described`)
    const example = exampleOf(route, world)
    for (const parameter of described.parameters ?? [])
      if (parameter.name !== undefined && parameter.name in example) parameter.example = example[parameter.name]
    if (described.requestBody !== undefined) described.requestBody.content['application/json'].example = example
    paths[route.path] = { ...paths[route.path], [method]: described }
  }
  return { ...document, paths }
}

interface Described {
  parameters?: { name?: string; example?: unknown }[]
  requestBody?: { content: { 'application/json': { example: unknown } } }
}

/** The operation's own example, about records of this world and with its password. */
function exampleOf(route: Route, world: World): Record<string, unknown> {
  const input = inputFor(route, world)
  return {
    ...input,
    ...('password' in input && { password: ownerPassword }),
    ...(route.name === 'log-in' && { email: world.user.email }),
  }
}

/** Lets most made-up requests have the ids and the password of the example. */
function settingsOf(part: readonly Route[], world: World): string {
  const dictionaries = new Map<string, string>()
  const settings = part.flatMap((route) => {
    const known = Object.entries(exampleOf(route, world)).flatMap(([field, value]) => {
      const [first] = [value].flat()
      if (typeof first !== 'string' || !(isId.test(first) || field === 'password')) return []
      const place = `${hasBody(route) ? 'body' : 'query'}.${field}${Array.isArray(value) ? '[*]' : ''}`
      const name = dictionaries.get(first) ?? `known${dictionaries.size}`
      dictionaries.set(first, name)
      return [`"${place}" = { dictionary = "${name}", probability = ${shareOfKnownIds} }`]
    })
    return [
      '[[operations]]',
      `include-operation-id = "${operationIdOf(route)}"`,
      '[operations.parameters]',
      ...known,
      // `null` counts as omitted. The schema doesn't allow it for a field of which one is needed, since generators don't understand that.
      ...(route.needs.length > 0 ? ['[operations.checks.negative_data_rejection]', 'enabled = false'] : []),
    ]
  })
  const lists = [...dictionaries].flatMap(([value, name]) => [`[dictionaries.${name}]`, `values = ["${value}"]`])
  return [...statuses, ...lists, ...settings, ''].join('\n')
}

/** How invalid input is refused. 431 because a query is a part of the headers. */
const statuses = [
  '[checks.negative_data_rejection]',
  'expected-statuses = [400, 401, 403, 404, 409, 413, 415, 429, 431]',
]

const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
