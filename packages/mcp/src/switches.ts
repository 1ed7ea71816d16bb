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
  const hint = closest === undefined ? `there are ${toolsetNames.join(', ')}` : `did you mean ${closest}?`
  return `tools: there is no toolset ${JSON.stringify(name.slice(0, 40))}; ${hint}`
}

/** The URL's query goes before the headers: it stands in the configuration that a person reads. */
export function readSwitches(query: URLSearchParams, header: (name: string) => string | undefined): Switches {
  return {
    toolsets: parseToolsets(query.get('tools') ?? header('x-tools')),
    isReadOnly: isOn(query.get('readonly') ?? header('x-readonly')),
    vault: textOf(query.get('vault') ?? header('x-vault-id')),
    isStructured: isOn(query.get('structured')),
  }
}

export const isOn = (text: string | null | undefined): boolean => /^(1|true|yes|on)?$/i.test(text ?? '0')

const textOf = (text: string | undefined) => (text === undefined || text.trim() === '' ? undefined : text.trim())
