import { z } from 'zod'
import type { Scope } from '../auth/vault-access.ts'
import type { Role } from '../auth/vault-roles.ts'
import type { ErrorCode } from '../core/errors.ts'
import type { JsonValue } from '../core/json.ts'
import { type CalledOperation, classOfActivity, type ChangeType, classOf, type RequestClass } from '../calls/call.ts'
import type {
  AgentContext,
  AgentVaultContext,
  CallContext,
  PersonContext,
  PersonVaultContext,
  OpenContext,
  VaultContext,
} from './context.ts'
import { common, ownVault } from './fields.ts'
import type { CreatedKind, RecordRef } from '../calls/records.ts'

/**
 * An operation is one action: who may perform it, its contract, and what it does. Routes, OpenAPI, the typed clients, MCP tools, the
 * reference and the sweep tests derive from this object. Agents and people call the same operation.
 */
export interface Operation {
  name: string
  for: Access
  vault: VaultMode
  /** The least role of a person who calls it in a vault. The rest of what people have isn't shared. */
  leastRole: Role
  summary: string
  effect: Effect
  /** The lists of records that a successful call may change; empty exactly where the effect is `read`. */
  changes: readonly ChangeType[]
  /** Whether a call only shows what it would change. It is recorded as a read. */
  isDryRun: ((input: unknown) => boolean) | undefined
  /** The changes that make the answer outdated, so that a page that shows it asks again. */
  outdatedBy: readonly ChangeType[]
  /** The activity log shows it as an export. */
  isExport: boolean
  input: z.ZodObject
  output: z.ZodType
  examples: Examples
  /** Lists of fields, one of which every call must give as a whole. Empty if fields only depend on themselves. `run` checks it. */
  needs: readonly (readonly string[])[]
  /** The field for which `id` and `ids` are aliases. */
  alias: string | undefined
  bodyLimitBytes: number
  /** Errors that don't follow from the rest: a missing record without an id, a conflict without an expected version. */
  errors: readonly ErrorCode[]
  /** Whether callers can have parts of the answer as they come, as server-sent events. */
  isStreamed: boolean
  /** Whether the answer is about a new record: 201 instead of 200. */
  created: ((output: unknown) => boolean) | undefined
  /** The records that a call names and that must exist. Others are passed to `ctx.about` by `run`. */
  about: ((input: unknown) => readonly RecordRef[]) | undefined
  /** The records in the answer. A change by the operator, or without a credential, is in the activity of the user that is named here. */
  returns: ((output: unknown) => readonly RecordRef[]) | undefined
  run(input: unknown, ctx: unknown): Promise<unknown>
}

/**
 * Who may call an operation: agents with an agent key, always at `POST /api/agent/<name>`; a person with a session or dashboard token;
 * the operator with the token that a running server writes to its data folder; anyone without a credential.
 */
export interface Access {
  agent?: AgentAccess
  person?: Address
  operator?: Address
  anyone?: Address
}

export type Audience = keyof Access
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
type Address = `${Method} /api/${string}`

interface AgentAccess {
  /** The group of MCP tools in which agents find it. */
  toolset: Toolset
  /** What the key must hold, in the vault of the call. */
  scopes: readonly Scope[]
  /** Only `info` is a GET. */
  method?: 'GET'
  /** Hooks send it automatically while an agent works. It has separate limits, so that it can't use up the agent's writes. */
  isSentByHooks?: true
  /** It saves what a session learned: its run then counts as saved. */
  isCheckpoint?: true
  /** What its calls create for their run, so that reverting the run takes it back. Not for records that stay. */
  creates?: CreatedKind
  /** It records its run itself and doesn't count as one of the run's calls. */
  recordsOwnRun?: true
  /** The vault of a call without `vaultId`, determined by another field, which is not validated yet. */
  findVaultId?(raw: Readonly<Record<string, JsonValue>>, ctx: AgentContext): Promise<string | undefined>
}

/** The groups of MCP tools, by what they are about. `hooks` are not for models, but for hosts whose hooks can call tools. */
export const toolsets = [
  'session',
  'memory',
  'tasks',
  'notes',
  'graph',
  'messages',
  'documents',
  'vaults',
  'admin',
  'hooks',
] as const
type Toolset = (typeof toolsets)[number]

/**
 * Where an operation works: `resolved` in one vault, an agent's own unless the call names another; `required` in the vault that the call
 * names; `named` in the vault whose `id` the call gives; `all` across vaults, with the owner's key; `none` without encryption. People always
 * name the vault.
 */
export type VaultMode = 'resolved' | 'required' | 'named' | 'all' | 'none'
type Effect = 'read' | 'write' | 'destructive'

/** Whether `vault` is the mode of operations that work in one vault. */
const worksInVault = (mode: VaultMode | undefined): boolean =>
  mode === 'resolved' || mode === 'required' || mode === 'named'

interface Examples {
  input: unknown
  output: unknown
}

interface Spec<I extends z.ZodObject, O extends z.ZodType, F extends Access, V extends VaultMode> {
  name: string
  for: F
  /** Default: `none`. */
  vault?: V
  /** Default in vaults: `viewer` to read, `editor` for everything else. */
  leastRole?: Role
  summary: string
  effect: Effect
  changes?: readonly ChangeType[]
  isDryRun?(input: z.output<I>): boolean
  outdatedBy?: readonly ChangeType[]
  isExport?: true
  /** What agents send. A person's route takes the same without the fields that only agents have. */
  input: I
  output: O
  examples: { input: z.input<I>; output: z.input<O> }
  needs?: readonly (readonly (keyof z.input<I> & string)[])[]
  alias?: keyof z.input<I> & string
  bodyLimitBytes?: number
  errors?: readonly ErrorCode[]
  isStreamed?: true
  created?(output: z.input<O>): boolean
  about?(input: z.output<I>): readonly RecordRef[]
  returns?(output: z.input<O>): readonly RecordRef[]
  run(input: z.output<I>, ctx: Contexts[CallersOf<F>][V]): Promise<z.input<O>>
}

/** What `run` receives, by who calls and by vault mode. People always have their key; agents where they work across vaults. */
interface Contexts {
  agents: InVault<AgentVaultContext> & { all: AgentContext & OwnKey; none: AgentContext }
  people: InVault<PersonVaultContext> & { all: PersonContext; none: PersonContext }
  both: InVault<VaultContext> & { all: CallContext & OwnKey; none: CallContext }
  others: Record<VaultMode, OpenContext>
}

type InVault<C> = Record<'resolved' | 'required' | 'named', C>
type OwnKey = Pick<PersonContext, 'mek'>

type CallersOf<F extends Access> = F extends { agent: object; person: string }
  ? 'both'
  : F extends { agent: object }
    ? 'agents'
    : F extends { person: string }
      ? 'people'
      : 'others'

const defaultBodyLimitBytes = 1024 * 1024

// The one place where types are widened: the registry holds operations of all shapes, and dispatch calls each with what its own input
// schema has parsed and the context of its own audience.
export const operation = <
  I extends z.ZodObject,
  O extends z.ZodType,
  const F extends Access,
  const V extends VaultMode = 'none',
>(
  spec: Spec<I, O, F, V>,
): Operation => ({
  vault: 'none',
  leastRole: !worksInVault(spec.vault) ? 'owner' : spec.effect === 'read' ? 'viewer' : 'editor',
  changes: [],
  isDryRun: undefined,
  outdatedBy: [],
  isExport: false,
  needs: [],
  alias: undefined,
  errors: [],
  bodyLimitBytes: defaultBodyLimitBytes,
  isStreamed: false,
  created: undefined,
  about: undefined,
  returns: undefined,
  ...(spec as Partial<Operation> &
    Pick<Operation, 'name' | 'for' | 'summary' | 'effect' | 'input' | 'output' | 'examples' | 'run'>),
})

/** An operation as one audience calls it: where, with which scopes, and with which fields. */
export interface Route extends Operation {
  audience: Audience
  method: Method
  path: string
  /** Whether it works in one vault, which dispatch opens. */
  isInVault: boolean
  scopes: readonly Scope[]
  /** What the call log keeps of it. */
  called: CalledOperation
  /** The limits that count its calls; undefined without limits. */
  limitedAs: RequestClass | undefined
}

const audiences = ['agent', 'person', 'operator', 'anyone'] as const

export const routesOf = (one: Operation): Route[] =>
  audiences.flatMap((audience) => {
    const access = one.for[audience]
    if (access === undefined) return []
    const { method, path, scopes } = typeof access === 'string' ? addressOf(access) : agentAddress(one, access)
    const { name, effect, changes } = one
    const isCheckpoint = one.for.agent?.isCheckpoint ?? false
    const called = { name, isWrite: effect !== 'read', isCheckpoint, changes, class: classOfActivity(one) }
    const limitedAs = classOf({ audience, scopes, effect, isSentByHooks: one.for.agent?.isSentByHooks ?? false })
    const isInVault = worksInVault(one.vault)
    const route = { ...one, audience, method, path, isInVault, scopes, called, limitedAs }
    return [audience === 'person' && one.for.agent !== undefined ? withPersonsFields(route) : route]
  })

/** `needs` as a sentence for readers. */
export const describeNeeds = ({ needs }: Pick<Route, 'needs'>): string =>
  `One of these is needed: ${needs.map((fields) => fields.map((field) => `\`${field}\``).join(' with ')).join(', ')}.`

/** What the operations create in runs, by their names, as the calls of a run are stored. */
export const listCreatedKinds = (operations: readonly Operation[]): ReadonlyMap<string, CreatedKind> =>
  new Map(
    operations.flatMap(({ name, for: { agent } }) => (agent?.creates === undefined ? [] : [[name, agent.creates]])),
  )

function addressOf(address: Address): Pick<Route, 'method' | 'path' | 'scopes'> {
  const [method, path] = address.split(' ') as [Method, string]
  return { method, path, scopes: [] }
}

const agentAddress = ({ name }: Operation, { scopes, method }: AgentAccess) => ({
  method: method ?? ('POST' as const),
  path: `/api/agent/${name}`,
  scopes,
})

/** People don't send the fields in which agents describe themselves, and always name the vault. */
function withPersonsFields(route: Route): Route {
  const shape = Object.fromEntries(Object.entries(route.input.shape).filter(([name]) => !(name in common)))
  const example = Object.fromEntries(
    Object.entries(route.examples.input as object).filter(([name]) => !(name in common)),
  )
  return {
    ...route,
    input: z.object(route.isInVault ? { ...ownVault, ...shape, ...ownVault } : shape),
    examples: {
      ...route.examples,
      input: route.isInVault ? { vaultId: '0198c5f0-0000-7000-8000-000000000001', ...example } : example,
    },
  }
}
