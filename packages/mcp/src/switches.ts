import { toolsetNames } from './toolsets.ts'
import { closestTo } from './closest.ts'

/** What a person configures about one connection: in the URL, in headers, in the environment, or by flags. */
export interface Switches {
  /** Names of toolsets, in the order asked. */
  toolsets: readonly string[]
  isReadOnly: boolean
  /** By id or name. */
  vault: string | undefined
  /** Whether answers carry the service's JSON beside the text. */
  isStructured: boolean
}

/** What nobody can have meant; said to the person who set it up. */
export class SwitchError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SwitchError'
  }
}

export const noSwitches: Switches = { toolsets: ['core'], isReadOnly: false, vault: undefined, isStructured: false }

/** `core,documents`: throws a SwitchError for a name that is no toolset's. */
export function parseToolsets(text: string | undefined): readonly string[] {
  const names = (text ?? '').split(/[\s,]+/).filter((name) => name !== '')
  for (const name of names)
    if (!(toolsetNames as readonly string[]).includes(name)) throw new SwitchError(unknown(name))
  return names.length === 0 ? noSwitches.toolsets : [...new Set(names)]
}

function unknown(name: string): string {
  const closest = closestTo(name, toolsetNames)
  const hint = closest === undefined ? 'there are' : `did you mean ${closest}? There are`
  return `tools: there is no toolset ${JSON.stringify(name.slice(0, 40))}; ${hint} ${toolsetNames.join(', ')}`
}

/**
 * The URL's query goes before the headers: it stands in the configuration that a person reads. Only reading holds where either
 * says so, since whoever set one of them relies on it.
 */
export function readSwitches(query: URLSearchParams, header: (name: string) => string | undefined): Switches {
  const values = (name: string) => [...query].flatMap(([key, value]) => (key.toLowerCase() === name ? [value] : []))
  return {
    toolsets: parseToolsets(values('tools')[0] ?? header('x-tools')),
    isReadOnly: isOn('readonly', [...values('readonly'), header('x-readonly') ?? 'off']),
    vault: textOf(values('vault')[0] ?? header('x-vault-id')),
    isStructured: isOn('structured', values('structured')),
  }
}

/** Whether any of them says so; a header that was sent twice has a comma within. Throws a SwitchError for what is neither. */
function isOn(name: string, values: readonly string[]): boolean {
  const said = values.flatMap((value) => value.split(',')).map((value) => value.trim())
  const odd = said.find((value) => !/^(?:1|true|yes|on|0|false|no|off|)$/i.test(value))
  if (odd !== undefined) throw new SwitchError(`${name}: must be 1 or 0 (got ${JSON.stringify(odd.slice(0, 40))})`)
  return said.some((value) => /^(?:1|true|yes|on|)$/i.test(value))
}

const textOf = (text: string | undefined) => (text === undefined || text.trim() === '' ? undefined : text.trim())
