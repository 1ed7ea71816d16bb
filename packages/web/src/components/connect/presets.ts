/** What a key may do, in words. */
export const presets = [
  { value: 'read_only', label: 'Read only: search and read' },
  { value: 'read_write', label: 'Read and write' },
  { value: 'admin', label: 'Admin: also settings and vaults' },
] as const

export type Preset = (typeof presets)[number]['value']

const shortNames: Readonly<Record<string, string>> = {
  read_only: 'Read only',
  read_write: 'Read & write',
  admin: 'Admin',
}

export const nameOfPreset = (preset: string) => shortNames[preset] ?? preset
