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
