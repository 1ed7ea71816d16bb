import { toolsetNames } from './toolsets.ts'
import { closestTo } from './closest.ts'

/** The options of a connection, from the URL, headers, the environment, or flags. */
export interface Switches {
  /** Names of toolsets, in the given order. */
  toolsets: readonly string[]
  isReadOnly: boolean
  /** Id or name. */
  vault: string | undefined
  /** Whether answers include the server's JSON in addition to the text. */
  isStructured: boolean
}

/** An invalid option. The message is for the person who configured it. */
export class SwitchError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SwitchError'
  }
}

export const noSwitches: Switches = { toolsets: ['core'], isReadOnly: false, vault: undefined, isStructured: false }

/** Parses a list such as `core,documents`. Throws a SwitchError for an unknown toolset. */
export function parseToolsets(text: string | undefined): readonly string[] {
  const names = (text ?? '').split(/[\s,]+/).filter((name) => name !== '')
  for (const name of names)
    if (!(toolsetNames as readonly string[]).includes(name)) throw new SwitchError(unknown(name))
  return names.length === 0 ? noSwitches.toolsets : [...new Set(names)]
}

function unknown(name: string): string {
  const closest = closestTo(name, toolsetNames)
  const hint = closest === undefined ? '' : ` Did you mean ${closest}?`
  return `tools: unknown toolset ${JSON.stringify(name.slice(0, 40))}.${hint} Toolsets: ${toolsetNames.join(', ')}`
}

/**
 * Reads options. The URL's query wins over the headers, because people see it in their configuration. A connection is read-only
 * if either says so, because someone relies on it.
 */
export function readSwitches(query: URLSearchParams, header: (name: string) => string | undefined): Switches {
  const values = (name: string) => [...query].flatMap(([key, value]) => (key.toLowerCase() === name ? [value] : []))
  return {
    toolsets: parseToolsets(values('tools')[0] ?? header('x-tools')),
    isReadOnly: isOn('readonly', [...values('readonly'), header('x-readonly') ?? 'off']),
    vault: trimText(values('vault')[0] ?? header('x-vault-id')),
    isStructured: isOn('structured', values('structured')),
  }
}

/** Whether any value is on. A repeated header contains a comma. Throws a SwitchError for other values. */
function isOn(name: string, values: readonly string[]): boolean {
  const parts = values.flatMap((value) => value.split(',')).map((value) => value.trim())
  const invalid = parts.find((value) => !/^(?:1|true|yes|on|0|false|no|off|)$/i.test(value))
  if (invalid !== undefined)
    throw new SwitchError(`${name}: must be 1 or 0 (got ${JSON.stringify(invalid.slice(0, 40))})`)
  return parts.some((value) => /^(?:1|true|yes|on|)$/i.test(value))
}

const trimText = (text: string | undefined) => (text === undefined || text.trim() === '' ? undefined : text.trim())
