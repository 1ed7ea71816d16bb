import { invalid, vaultDenied } from '../core/errors.ts'
import type { AgentActor } from './actor.ts'

/** What a key may do. `admin` manages settings; the others are what their names say. */
export type Scope = 'read' | 'write' | 'search' | 'admin'

export const presetScopes = {
  read_only: ['read', 'search'],
  read_write: ['read', 'write', 'search'],
  admin: ['read', 'write', 'search', 'admin'],
} as const satisfies Record<string, readonly Scope[]>

export type Preset = keyof typeof presetScopes

export const presets = Object.keys(presetScopes) as [Preset, ...Preset[]]

export const isPreset = (text: string): text is Preset => Object.hasOwn(presetScopes, text)

/** An unknown preset, as a newer version might have stored it, grants nothing. */
export const scopesOf = (preset: string): readonly Scope[] => (isPreset(preset) ? presetScopes[preset] : [])

/** Which vaults and scopes a key has, as pure functions of the actor that was just read. */

/** The vaults that the actor is confined to, or undefined for all vaults of the user. */
export function confinedTo(actor: AgentActor): string[] | undefined {
  const granted = actor.restrictToVault ? [...actor.grants.keys()] : undefined
  if (actor.keyVaultId === undefined) return granted
  return granted === undefined || granted.includes(actor.keyVaultId) ? [actor.keyVaultId] : []
}

/** Scopes in one vault: a preset of the vault's own fully replaces the integration's, and may give more or less. */
export const scopesIn = (actor: AgentActor, vaultId: string): readonly Scope[] =>
  scopesOf(actor.grants.get(vaultId) ?? actor.preset)

/** Whether the scope is held somewhere; asked before the body is read and the vault known. */
export function holdsAnywhere(actor: AgentActor, scope: Scope): boolean {
  const confined = confinedTo(actor)
  if (confined !== undefined) return confined.some((vaultId) => scopesIn(actor, vaultId).includes(scope))
  return [actor.preset, ...actor.grants.values()].some(
    (preset) => preset !== undefined && scopesOf(preset).includes(scope),
  )
}

/** The vault of calls that name none: the primary where it may be used, else the first granted; undefined for none. */
export function defaultVault(actor: AgentActor): string | undefined {
  const confined = confinedTo(actor)
  const { primaryVaultId } = actor
  const isUsable = primaryVaultId !== undefined && (confined?.includes(primaryVaultId) ?? true)
  return isUsable ? primaryVaultId : confined?.[0]
}

/**
 * The vault of a call. Confined: the requested one must be granted, else the primary, else the first granted. Free: the
 * requested one (which may turn out not to exist), else the primary.
 */
export function resolveVault(actor: AgentActor, requested: string | undefined): string {
  const confined = confinedTo(actor)
  if (requested === undefined) return defaultVault(actor) ?? (confined === undefined ? vaultNeeded() : refuse())
  return confined === undefined || confined.includes(requested) ? requested : refuse()
}

function vaultNeeded(): never {
  throw invalid({ vaultId: 'required: this integration has no default vault (list-vaults names the vaults)' })
}

function refuse(): never {
  throw vaultDenied()
}
