import { invalid, vaultDenied } from '../core/errors.ts'
import type { AgentActor } from './actor.ts'

/** What a key may do. `admin` manages settings; the others do what their names say. */
export type Scope = 'read' | 'write' | 'search' | 'admin'

export const presetScopes = {
  read_only: ['read', 'search'],
  read_write: ['read', 'write', 'search'],
  admin: ['read', 'write', 'search', 'admin'],
} as const satisfies Record<string, readonly Scope[]>

export type Preset = keyof typeof presetScopes

export const presets = Object.keys(presetScopes) as [Preset, ...Preset[]]

export const isPreset = (text: string): text is Preset => Object.hasOwn(presetScopes, text)

/** An unknown preset grants nothing. A newer version may have stored one. */
export const scopesOf = (preset: string): readonly Scope[] => (isPreset(preset) ? presetScopes[preset] : [])

/** Which vaults and scopes a key has, as pure functions of the actor that was just read. */

/** The vaults that the actor is limited to; undefined if it may use all vaults of its user. */
export function confinedTo(actor: AgentActor): string[] | undefined {
  const granted = actor.restrictToVault ? [...actor.grants.keys()] : undefined
  if (actor.keyVaultId === undefined) return granted
  return granted === undefined || granted.includes(actor.keyVaultId) ? [actor.keyVaultId] : []
}

/** Scopes in one vault. A preset of the vault replaces the integration's preset completely, and may grant more or less. */
export const scopesIn = (actor: AgentActor, vaultId: string): readonly Scope[] =>
  scopesOf(actor.grants.get(vaultId) ?? actor.preset)

/** Whether the actor has this scope in any vault. Checked before the body is read, when the vault isn't known yet. */
export function holdsAnywhere(actor: AgentActor, scope: Scope): boolean {
  const confined = confinedTo(actor)
  if (confined !== undefined) return confined.some((vaultId) => scopesIn(actor, vaultId).includes(scope))
  return [actor.preset, ...actor.grants.values()].some(
    (preset) => preset !== undefined && scopesOf(preset).includes(scope),
  )
}

/** Used when a call doesn't name a vault: the primary vault if the actor may use it, otherwise the first granted one, if any. */
export function defaultVault(actor: AgentActor): string | undefined {
  const confined = confinedTo(actor)
  const { primaryVaultId } = actor
  const isUsable = primaryVaultId !== undefined && (confined?.includes(primaryVaultId) ?? true)
  return isUsable ? primaryVaultId : confined?.[0]
}

/**
 * The vault of a call: the requested one, which may turn out not to exist, or else the default. Throws if the actor may
 * not use it, or if there is no default.
 */
export function resolveVault(actor: AgentActor, requested: string | undefined): string {
  const confined = confinedTo(actor)
  if (requested === undefined) return defaultVault(actor) ?? (confined === undefined ? vaultNeeded() : refuse())
  return confined === undefined || confined.includes(requested) ? requested : refuse()
}

function vaultNeeded(): never {
  throw invalid({ vaultId: 'required: this integration has no default vault (call list-vaults to see the vaults)' })
}

function refuse(): never {
  throw vaultDenied()
}
