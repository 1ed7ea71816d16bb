import { PermissionError, type Client, type Vault } from '@holdfast/client'
import type { Connection } from './connections.ts'
import { nameOf } from './render/one-line.ts'
import { ToolProblem } from './tool-problem.ts'

/** The vaults that a key can see, and the one that it works in where nobody names one. */
export interface VaultDirectory {
  vaults: readonly { id: string; name: string }[]
  /** Held in some vault. */
  scopes: ReadonlySet<string>
  defaultId: string | undefined
}

export interface ChosenVault {
  id: string
  /** The id again where the key may not list vaults. */
  name: string
  /** Whether only the integration's default chose it. */
  isDefault: boolean
}

/** For so long a reading call may use what names meant; what a key may use is asked on every call. */
const directoryMs = 60_000
const pageSize = 100
const maxVaults = 1_000

interface Asker {
  connection: Connection
  client: Client
  now(): number
}

/** Fetched once for several calls. What fails is not kept. */
export function directoryOf({ connection, client, now }: Asker, maxAgeMs = directoryMs): Promise<VaultDirectory> {
  const known = connection.directory
  if (known !== undefined && now() - known.at < maxAgeMs) return known.found
  const found = readDirectory(client)
  const entry = { found, at: now() }
  connection.directory = entry
  found.catch(() => {
    if (connection.directory === entry) connection.directory = undefined
  })
  return found
}

/**
 * The vault that is meant, by id or name. What writes never goes by a name that was looked up before, since vaults are
 * renamed; and a name that is not known may be that of a new one.
 */
export async function findVault(
  asker: Asker,
  asked: string | undefined,
  isWrite: boolean,
): Promise<{ directory: VaultDirectory; vault: ChosenVault | undefined }> {
  const isName = asked !== undefined && !uuid.test(asked)
  const known = await directoryOf(asker, isName && isWrite ? 0 : directoryMs)
  const isUnknown = isName && !isWrite && namesakes(known, asked).length === 0
  const directory = isUnknown ? await directoryOf(asker, 0) : known
  return { directory, vault: chooseVault(directory, asked) }
}

async function readDirectory(client: Client): Promise<VaultDirectory> {
  const { vaultId, scopes } = await client.call('info')
  const vaults = await listVaults(client)
  return {
    vaults: vaults.map(({ vaultId: id, name }) => ({ id, name })),
    scopes: new Set<string>([...scopes, ...vaults.flatMap(({ scopePreset }) => presetScopes[scopePreset] ?? [])]),
    defaultId: vaultId ?? undefined,
  }
}

const presetScopes: Readonly<Record<string, readonly string[]>> = {
  read_only: ['read', 'search'],
  read_write: ['read', 'write', 'search'],
  admin: ['read', 'write', 'search', 'admin'],
}

async function listVaults(client: Client): Promise<Vault[]> {
  const vaults: Vault[] = []
  try {
    for await (const page of client.call('list-vaults', { limit: pageSize }).pages()) {
      vaults.push(...page.vaults)
      if (vaults.length >= maxVaults) break
    }
  } catch (error) {
    // What is not allowed is said by the operation that was meant.
    if (!(error instanceof PermissionError)) throw error
  }
  return vaults
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** With its name, as far as the key may know it. */
export const vaultNamed = ({ vaults }: VaultDirectory, id: string): { id: string; name: string } => ({
  id,
  name: vaults.find((vault) => vault.id === id)?.name ?? id,
})

/** By id or name; undefined where nobody names one and the integration has none. An id is not looked at: the service knows. */
export function chooseVault(directory: VaultDirectory, asked: string | undefined): ChosenVault | undefined {
  const { vaults, defaultId } = directory
  if (asked === undefined)
    return defaultId === undefined ? undefined : { ...vaultNamed(directory, defaultId), isDefault: true }
  if (uuid.test(asked)) return { ...vaultNamed(directory, asked.toLowerCase()), isDefault: false }
  const [found, ...more] = namesakes(directory, asked)
  if (found === undefined) throw new ToolProblem('NOT_FOUND', `no vault is called ${quoted(asked)}. ${namesOf(vaults)}`)
  if (more.length > 0)
    throw new ToolProblem(
      'VALIDATION',
      `several vaults are called ${quoted(asked)}: name one by its id, ${[found, ...more].map(({ id }) => id).join(' or ')}.`,
    )
  return { ...found, isDefault: false }
}

/** Those of exactly this name, else those of this name in other letters. */
function namesakes({ vaults }: VaultDirectory, asked: string) {
  const exact = vaults.filter(({ name }) => name === asked)
  return exact.length > 0 ? exact : vaults.filter(({ name }) => name.toLowerCase() === asked.toLowerCase())
}

/** How a call can name it: outside the marks a name that is more than words is not told. */
export const argumentFor = ({ id, name }: VaultDirectory['vaults'][number]): string =>
  /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._/-]{0,59}$/u.test(name) ? name : id

const quoted = (name: string) => JSON.stringify(nameOf(name))
const maxNamed = 20

function namesOf(vaults: VaultDirectory['vaults']): string {
  if (vaults.length === 0) return 'This key sees no vault by name; ask the user which one to use.'
  const names = vaults.slice(0, maxNamed).map((vault) => JSON.stringify(argumentFor(vault)))
  return `There are ${names.join(', ')}${vaults.length > maxNamed ? ', …' : ''}. Use one of these, or leave vault out.`
}
