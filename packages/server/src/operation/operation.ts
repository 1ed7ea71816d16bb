import type { z } from 'zod'
import type { JsonValue } from '../core/json.ts'
import type { Scope } from '../auth/presets.ts'
import type {
  AgentContext,
  AgentVaultContext,
  AgentVaultsContext,
  DashboardContext,
  DashboardVaultContext,
  PublicContext,
} from './context.ts'
import type { ownVault } from './fields.ts'

/**
 * An operation is everything that one route is: its contract, what a caller must hold, and what it does. Route, OpenAPI,
 * typed client, documentation and the sweep tests are read off this object.
 *
 * - audience: `agent` operations take an agent key, `dashboard` ones a session or dashboard token, `operator` ones the
 *   token that a running server leaves in its data folder, `public` ones nothing.
 * - vault mode: `resolved` falls back to the integration's vault, `required` does not, `all` works
 *   across vaults and needs only the owner's key, `none` needs no encryption at all. People name the vault, or work in none.
 * - effect: what a call changes; `created` tells a 201 from a 200.
 */
export interface Operation {
  name: string
  audience: 'agent' | 'dashboard' | 'operator' | 'public'
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  summary: string
  scopes: readonly Scope[]
  vault: VaultMode
  effect: Effect
  input: z.ZodObject
  output: z.ZodType
  examples: { input: unknown; output: unknown }
  /** The field that `id` or `ids` stand for. */
  alias: string | undefined
  bodyLimitBytes: number
  /**
   * What hooks send by themselves while an agent works. Counted apart, so that they cannot use up the writes that the agent itself
   * wants to make.
   */
  isSentByHooks: boolean
  /** The vault of a call that names none, where something else in its input, not validated yet, tells it. */
  findVaultId:
    | ((raw: Readonly<Record<string, JsonValue>>, ctx: AgentContext) => Promise<string | undefined>)
    | undefined
  created(output: unknown): boolean
  run(input: unknown, ctx: unknown): Promise<unknown>
}

export type VaultMode = 'resolved' | 'required' | 'all' | 'none'
export type Effect = 'read' | 'write' | 'destructive'

interface Contract<I extends z.ZodObject, O extends z.ZodType> {
  name: string
  summary: string
  input: I
  output: O
  examples: { input: z.input<I>; output: z.input<O> }
  effect: Effect
  alias?: keyof z.input<I> & string
  bodyLimitBytes?: number
  created?(output: z.input<O>): boolean
}

interface AgentSpec<I extends z.ZodObject, O extends z.ZodType, V extends VaultMode> extends Contract<I, O> {
  scopes: readonly Scope[]
  vault: V
  findVaultId?: NonNullable<Operation['findVaultId']>
  isSentByHooks?: true
  /** Only `info` is a GET. */
  method?: 'GET'
  run(input: z.output<I>, ctx: ContextOf<V>): Promise<z.input<O>>
}

type ContextOf<V extends VaultMode> = V extends 'none'
  ? AgentContext
  : V extends 'all'
    ? AgentVaultsContext
    : AgentVaultContext

interface RoutedSpec<I extends z.ZodObject, O extends z.ZodType, C> extends Contract<I, O> {
  method: Operation['method']
  path: string
  run(input: z.output<I>, ctx: C): Promise<z.input<O>>
}

const defaultBodyLimitBytes = 1024 * 1024

/** `POST /api/agent/<name>`. */
export const operation = <I extends z.ZodObject, O extends z.ZodType, const V extends VaultMode>(
  spec: AgentSpec<I, O, V>,
): Operation =>
  seal(spec, {
    audience: 'agent',
    method: spec.method ?? 'POST',
    path: `/api/agent/${spec.name}`,
    scopes: spec.scopes,
    vault: spec.vault,
    findVaultId: spec.findVaultId,
    isSentByHooks: spec.isSentByHooks,
  })

export const dashboardOperation = <I extends z.ZodObject, O extends z.ZodType>(
  spec: RoutedSpec<I, O, DashboardContext>,
): Operation => seal(spec, { audience: 'dashboard', method: spec.method, path: spec.path, scopes: [], vault: 'none' })

/** In one of the person's vaults. */
export const dashboardVaultOperation = <I extends z.ZodObject<typeof ownVault>, O extends z.ZodType>(
  spec: RoutedSpec<I, O, DashboardVaultContext>,
): Operation =>
  seal(spec, { audience: 'dashboard', method: spec.method, path: spec.path, scopes: [], vault: 'required' })

export const operatorOperation = <I extends z.ZodObject, O extends z.ZodType>(
  spec: RoutedSpec<I, O, PublicContext>,
): Operation => seal(spec, { audience: 'operator', method: spec.method, path: spec.path, scopes: [], vault: 'none' })

export const publicOperation = <I extends z.ZodObject, O extends z.ZodType>(
  spec: RoutedSpec<I, O, PublicContext>,
): Operation => seal(spec, { audience: 'public', method: spec.method, path: spec.path, scopes: [], vault: 'none' })

type Fixed = Pick<Operation, 'audience' | 'method' | 'path' | 'scopes' | 'vault'> &
  Partial<Pick<Operation, 'findVaultId'>> & { isSentByHooks?: true | undefined }
type Runnable<I extends z.ZodObject, O extends z.ZodType> = Contract<I, O> & {
  run(input: never, ctx: never): Promise<unknown>
}

// The one place where types are widened: the registry holds operations of all shapes, and dispatch calls each with what
// its own input schema has parsed and the context of its own audience.
function seal<I extends z.ZodObject, O extends z.ZodType>(spec: Runnable<I, O>, fixed: Fixed): Operation {
  return {
    ...fixed,
    name: spec.name,
    summary: spec.summary,
    effect: spec.effect,
    input: spec.input,
    output: spec.output,
    examples: spec.examples,
    alias: spec.alias,
    findVaultId: fixed.findVaultId,
    isSentByHooks: fixed.isSentByHooks ?? false,
    bodyLimitBytes: spec.bodyLimitBytes ?? defaultBodyLimitBytes,
    created: spec.created ?? (() => false),
    run: spec.run,
  }
}
