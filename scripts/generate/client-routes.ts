import { describeContracts, type Contract } from '../../packages/server/src/api/contracts.ts'
import type { Route } from '../../packages/server/src/operation/operation.ts'
import { escapeComment, findItems, printClientTypes } from './client-types.ts'

/**
 * The client's methods, by noun. `info` has none. An operation that isn't listed here gets a method from its name: `pin-memory`
 * becomes `memories.pin`. The generator fails if a listed operation doesn't exist.
 */
const listed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  session: {
    start: 'session-start',
    checkpoint: 'context-checkpoint',
    ingestTurn: 'ingest-turn',
    track: 'session-track',
    activeAgents: 'list-active-agents',
  },
  memories: {
    write: 'write-memory',
    search: 'search-memories',
    read: 'read-memories',
    update: 'update-memory',
    archive: 'archive-memory',
    cleanup: 'cleanup-memories',
    related: 'get-related-memories',
  },
  tasks: { create: 'create-task', list: 'list-tasks', update: 'update-task' },
  notes: {
    create: 'create-note',
    read: 'read-note',
    readMany: 'read-notes',
    update: 'update-note',
    delete: 'delete-note',
    move: 'move-note',
    list: 'list-notes',
    search: 'search-notes',
    semanticSearch: 'semantic-search',
    searchAndRead: 'search-and-read',
  },
  folders: { create: 'create-folder', list: 'list-folders' },
  graph: { addLink: 'add-link', removeLink: 'remove-link', links: 'get-links', explore: 'explore-graph' },
  messages: {
    send: 'send-message',
    list: 'read-messages',
    pending: 'pending-messages',
    acknowledge: 'ack-message',
  },
  documents: { read: 'read-document', update: 'update-document' },
  settings: { get: 'get-settings', update: 'update-settings' },
  vaults: { create: 'create-vault', list: 'list-vaults' },
}

const withoutNoun = 'info'

export function printClientRoutes(routes: readonly Route[]): string {
  const methods = completeMethods(routes.map(({ name }) => name))
  const { contracts } = describeContracts(routes)
  const summaries = new Map(routes.map(({ name, summary }) => [name, summary]))
  return `// Written by \`npm run generate\` from the registry of operations; do not edit.

import type { Method } from '../method.ts'
import type { OperationName } from './operations.ts'

export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  /** When a second call changes nothing: never, always, with an externalWriteId, in a run, or in the same new run. */
  repeatable: 'never' | 'always' | 'withWriteId' | 'withRunId' | 'asOneRun'
  /** Whether the client's vault applies if the input names none. */
  inVault?: true
  /** The list in a paged answer. */
  items?: string
}

export const routes: Readonly<Record<OperationName, Route>> = ${printRouteTable(contracts)}

/** The operations by noun. */
export interface Methods {
${nouns(methods, (noun, names) => `  readonly ${noun}: {\n${names.map(([method, name]) => `    /** ${escapeComment(summaries.get(name) ?? '')} */\n    ${method}: Method<'${name}'>`).join('\n')}\n  }`)}
}

export const methodNames: { readonly [Noun in keyof Methods]: Readonly<Record<keyof Methods[Noun], OperationName>> } = {
${nouns(methods, (noun, names) => `  ${noun}: { ${names.map(([method, name]) => `${method}: '${name}'`).join(', ')} },`)}
}
`
}

/** Prints types and routes of the dashboard operations, which have no methods. */
export function printDashboardRoutes(routes: readonly Route[]): string {
  const { contracts } = describeContracts(routes)
  return `${printClientTypes(routes, { prefix: 'Dashboard' })}
import type { Route } from './routes.ts'

export const dashboardRoutes: Readonly<Record<DashboardOperationName, Route>> = ${printRouteTable(contracts)}
`
}

const printRouteTable = (contracts: readonly Contract[]) =>
  `{\n${contracts.map((contract) => `  '${contract.operation.name}': ${printRoute(contract)},`).join('\n')}\n}`

type MethodTable = Readonly<Record<string, Readonly<Record<string, string>>>>

const nouns = (methods: MethodTable, print: (noun: string, names: [string, string][]) => string) =>
  Object.entries(methods)
    .map(([noun, names]) => print(noun, Object.entries(names)))
    .join('\n')

/** Adds methods for the operations that aren't listed. */
function completeMethods(names: readonly string[]): MethodTable {
  const placed = [withoutNoun, ...Object.values(listed).flatMap((ones) => Object.values(ones))]
  const methods: Record<string, Record<string, string>> = structuredClone(listed)
  const wrong = [
    ...placed.filter((name) => !names.includes(name)).map((name) => `${name} is not an operation`),
    ...placed.filter((name, at) => placed.indexOf(name) !== at).map((name) => `${name} has two methods`),
  ]
  for (const name of names.filter((each) => !placed.includes(each))) {
    const [noun, method] = methodOf(name)
    if (methods[noun]?.[method] !== undefined) wrong.push(`${noun}.${method} is taken; list another method for ${name}`)
    methods[noun] = { ...methods[noun], [method]: name }
  }
  if (wrong.length > 0) throw new Error(`scripts/generate/client-routes.ts: ${wrong.join(', ')}`)
  return methods
}

/** `pin-memory`: the method `pin` of `memories`. */
function methodOf(name: string): [noun: string, method: string] {
  const [verb = name, ...rest] = name.split('-')
  const words = rest.map((word, at) => (at === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join('')
  const noun = words.endsWith('y') ? `${words.slice(0, -1)}ies` : words.endsWith('s') ? words : `${words}s`
  return [noun, verb]
}

function printRoute(contract: Contract): string {
  const { operation } = contract
  const items = findItems(contract)
  const inVault = ['resolved', 'required'].includes(operation.vault)
  return `{ method: '${operation.method}', path: '${operation.path}', repeatable: '${describeRepeatability(operation)}'${
    inVault ? ', inVault: true' : ''
  }${items === undefined ? '' : `, items: '${items}'`} }`
}

export function describeRepeatability({ name, effect, input }: Route): string {
  // Without a run, the server starts a new one each time.
  if (name === 'session-start') return 'asOneRun'
  if (effect === 'read') return 'always'
  // In a run, the server recognizes a repeated call and stores nothing twice.
  if (name === 'context-checkpoint') return 'withRunId'
  return 'externalWriteId' in input.shape ? 'withWriteId' : 'never'
}
