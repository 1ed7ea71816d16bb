import type { CellAddress, CellPurpose, Sealed } from '../crypto/cell.ts'
import type { Tables } from '../db/schema.ts'

/**
 * Where every sealed column is, and the address that its cells are sealed to. Whoever seals rows again reads this list, so it must name
 * each sealed column of the schema: without one, this file doesn't compile. The stores that read and write the rows build the same
 * addresses.
 */

type SealedColumns<R> = { [C in keyof R]: [Extract<R[C], Sealed>] extends [never] ? never : C }[keyof R] & string

/** The tables with sealed columns. */
type SealedTable = { [T in keyof Tables]: SealedColumns<Tables[T]> extends never ? never : T }[keyof Tables]

/** A row, by column. Which ones it has depends on the table. */
export type Row = Readonly<Record<string, unknown>>

interface Cell<R> {
  /** The column with the cell's revision; 1 if the cell is never sealed again with another content. */
  revision: (keyof R & string) | 1
  /** If the cell's address names more than its column. */
  name?: (row: R) => string
  /** Default: content. */
  purpose?: CellPurpose
}

interface Place<R> {
  /** The rest of the primary key, after the owner. */
  key: readonly (keyof R & string)[]
  /** The column with the id of the row's scope. */
  scope: keyof R & string
  /** The column whose value stands for the row in addresses. */
  rowId: keyof R & string
  /** What addresses need besides. */
  more?: readonly (keyof R & string)[]
  cells: { [C in SealedColumns<R>]: Cell<R> }
}

/** Sealed under the instance key, which belongs to no user. */
const ofInstance = 'instance'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const byId = { key: ['id'], rowId: 'id' } as const
const once = { revision: 1 } as const
const perContent = { revision: 'contentRevision' } as const

const places: { [T in SealedTable]: Place<Tables[T]> | typeof ofInstance } = {
  users: ofInstance,
  integrations: ofInstance,
  agentKeys: ofInstance,
  oauthClients: ofInstance,
  oauthGrants: ofInstance,
  activity: ofInstance,
  vaultInvitations: ofInstance,
  dashboardCredentials: { ...byId, scope: 'userId', cells: { client: once } },
  secondFactors: { key: [], scope: 'userId', rowId: 'id', cells: { secret: once } },
  passkeys: { ...byId, scope: 'userId', cells: { credential: once, name: { revision: 'nameRevision' } } },
  webhooks: {
    ...byId,
    scope: 'userId',
    cells: { endpoint: { revision: 'endpointRevision' }, lastError: { revision: 'lastErrorRevision' } },
  },
  webhookDeliveries: { ...byId, scope: 'userId', cells: { attempts: { revision: 'attemptsRevision' } } },
  vaults: {
    ...byId,
    scope: 'id',
    cells: { profile: { revision: 'version' }, settings: { revision: 'settingsVersion' } },
  },
  documents: { ...byId, scope: 'vaultId', cells: { body: { revision: 'version' } } },
  documentVersions: {
    key: ['vaultId', 'documentId', 'version'],
    scope: 'vaultId',
    rowId: 'documentId',
    cells: { body: { revision: 'version' } },
  },
  memories: { ...byId, scope: 'vaultId', cells: { head: perContent, body: perContent } },
  memoryVersions: {
    key: ['memoryId', 'version'],
    scope: 'vaultId',
    rowId: 'memoryId',
    cells: { state: { revision: 'version' } },
  },
  vaultDigests: {
    key: ['vaultId', 'kind', 'fromAt', 'fromId'],
    scope: 'vaultId',
    rowId: 'vaultId',
    cells: {
      cell: { revision: 'revision', name: ({ kind, fromAt, fromId }) => `cell of ${kind} from ${fromAt} ${fromId}` },
    },
  },
  proposals: { key: ['vaultId', 'id'], scope: 'vaultId', rowId: 'id', cells: { body: once } },
  tasks: { ...byId, scope: 'vaultId', cells: { detail: { revision: 'revision' } } },
  notes: { ...byId, scope: 'vaultId', cells: { head: perContent, body: perContent } },
  noteVersions: {
    key: ['noteId', 'version'],
    scope: 'vaultId',
    rowId: 'noteId',
    cells: { state: { revision: 'version' } },
  },
  folders: { ...byId, scope: 'vaultId', cells: { name: { revision: 'version' } } },
  links: { ...byId, scope: 'vaultId', cells: { label: once } },
  messages: { ...byId, scope: 'vaultId', cells: { body: once } },
  messageAcks: {
    key: ['vaultId', 'messageId', 'recipientType', 'recipientId'],
    scope: 'vaultId',
    rowId: 'messageId',
    cells: { note: { revision: 1, name: ({ recipientType, recipientId }) => `note ${recipientType} ${recipientId}` } },
  },
  runs: { ...byId, scope: 'vaultId', cells: { head: { revision: 'headRevision' } } },
  runCalls: { key: ['vaultId', 'runId', 'id'], scope: 'vaultId', rowId: 'id', cells: { body: once } },
  agentSightings: {
    key: ['vaultId', 'agentTag'],
    scope: 'vaultId',
    rowId: 'vaultId',
    cells: { head: { revision: 'headRevision', name: ({ agentTag }) => `head ${hex(agentTag)}` } },
  },
  checkpoints: {
    key: ['vaultId', 'tag'],
    scope: 'vaultId',
    rowId: 'vaultId',
    cells: { answer: { revision: 1, name: ({ tag }) => `answer ${hex(tag)}` } },
  },
  turns: { ...byId, scope: 'vaultId', cells: { body: once } },
  imports: { key: ['vaultId', 'importId'], scope: 'vaultId', rowId: 'importId', cells: { origin: once } },
  indexEntries: {
    key: ['itemId'],
    scope: 'vaultId',
    rowId: 'itemId',
    cells: { entry: { revision: 'revision', purpose: 'index' } },
  },
  indexSnapshots: {
    key: ['vaultId', 'seq', 'segment'],
    scope: 'vaultId',
    rowId: 'vaultId',
    more: ['segments'],
    cells: {
      cell: { revision: 'segment', purpose: 'index', name: ({ seq, segments }) => `cell at ${seq} of ${segments}` },
    },
  },
}

export interface SealedPlace {
  table: SealedTable
  key: readonly string[]
  scope: string
  /** The sealed columns. */
  columns: readonly string[]
  /** All columns that `addressOf` reads. */
  read: readonly string[]
  purposeOf(column: string): CellPurpose
  /** The column with the revision of the cell; 1 if it has none. */
  revisionOf(column: string): string | 1
  addressOf(userId: string, row: Row, column: string): CellAddress
}

/** All tables with cells of scopes of users: vaults, and users' data outside of vaults. */
export const sealedPlaces: readonly SealedPlace[] = Object.entries(places).flatMap(([table, place]) =>
  place === ofInstance ? [] : [describe(table as SealedTable, place as unknown as Place<Row>)],
)

function describe(table: SealedTable, { key, scope, rowId, more = [], cells }: Place<Row>): SealedPlace {
  const byColumn = cells as Readonly<Record<string, Cell<Row>>>
  const cellOf = (column: string): Cell<Row> => {
    const cell = byColumn[column]
    if (cell === undefined) throw new Error(`${table}.${column} is not a sealed column`)
    return cell
  }
  const revisions = Object.values(byColumn).flatMap(({ revision }) => (revision === 1 ? [] : [revision]))
  return {
    table,
    key,
    scope,
    columns: Object.keys(byColumn),
    read: [...new Set([...key, scope, rowId, ...more, ...revisions])],
    purposeOf: (column) => cellOf(column).purpose ?? 'content',
    revisionOf: (column) => cellOf(column).revision,
    addressOf(userId, row, column) {
      const { revision, name } = cellOf(column)
      return {
        userId,
        scopeId: String(row[scope]),
        table,
        rowId: String(row[rowId]),
        column: name?.(row) ?? column,
        revision: revision === 1 ? 1 : Number(row[revision]),
      }
    },
  }
}
