import { PermissionError, type Client, type Vault } from '@holdfast/client'
import type { Connection } from './connections.ts'
import { displayName } from './render/one-line.ts'
import { presetScopes } from './generated/words.ts'
import { ToolProblem } from './tool-problem.ts'

/** The vaults that a key can access, and its default vault. */
export interface VaultDirectory {
  vaults: readonly { id: string; name: string }[]
  /** The scopes that the key has in some vault. */
  scopes: ReadonlySet<string>
  defaultId: string | undefined
}

export interface ChosenVault {
  id: string
  /** The id if the key may not list vaults. */
  name: string
  /** Whether it is only the integration's default. */
  isDefault: boolean
}

/** How long reads may use cached names. Permissions are checked on every call. */
const directoryMs = 60_000
const pageSize = 100
const maxVaults = 1_000

interface Asker {
  connection: Connection
  client: Client
  now(): number
}

/** Returns the directory, cached for several calls. Failures are not cached. */
export function getDirectory({ connection, client, now }: Asker, maxAgeMs = directoryMs): Promise<VaultDirectory> {
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
 * Finds a vault by id or name. Writes always look a name up again, because vaults are renamed. Reads look up an unknown name
 * again, because it may belong to a new vault.
 */
export async function findVault(
  asker: Asker,
  asked: string | undefined,
  isWrite: boolean,
): Promise<{ directory: VaultDirectory; vault: ChosenVault | undefined }> {
  const isName = asked !== undefined && !uuid.test(asked)
  const known = await getDirectory(asker, isName && isWrite ? 0 : directoryMs)
  const isUnknown = isName && !isWrite && findByName(known, asked).length === 0
  const directory = isUnknown ? await getDirectory(asker, 0) : known
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

async function listVaults(client: Client): Promise<Vault[]> {
  const vaults: Vault[] = []
  try {
    for await (const page of client.call('list-vaults', { limit: pageSize }).pages()) {
      vaults.push(...page.vaults)
      if (vaults.length >= maxVaults) break
    }
  } catch (error) {
    // The requested operation reports missing permissions.
    if (!(error instanceof PermissionError)) throw error
  }
  return vaults
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Returns a vault with its name, if the key may see it. */
export const withName = ({ vaults }: VaultDirectory, id: string): { id: string; name: string } => ({
  id,
  name: vaults.find((vault) => vault.id === id)?.name ?? id,
})

/** Chooses the vault by id or name, or the default. Undefined if there is none. The server checks ids. */
export function chooseVault(directory: VaultDirectory, asked: string | undefined): ChosenVault | undefined {
  const { vaults, defaultId } = directory
  if (asked === undefined)
    return defaultId === undefined ? undefined : { ...withName(directory, defaultId), isDefault: true }
  if (uuid.test(asked)) return { ...withName(directory, asked.toLowerCase()), isDefault: false }
  const [found, ...more] = findByName(directory, asked)
  if (found === undefined)
    throw new ToolProblem('NOT_FOUND', `no vault has the name ${quoted(asked)}. ${listNames(vaults)}`)
  if (more.length > 0)
    throw new ToolProblem(
      'VALIDATION',
      `several vaults have the name ${quoted(asked)}. Use an id: ${[found, ...more].map(({ id }) => id).join(' or ')}.`,
    )
  return { ...found, isDefault: false }
}

/** Finds vaults with exactly this name, or with this name in another case. */
function findByName({ vaults }: VaultDirectory, asked: string) {
  const exact = vaults.filter(({ name }) => name === asked)
  return exact.length > 0 ? exact : vaults.filter(({ name }) => name.toLowerCase() === asked.toLowerCase())
}

/** Returns the name for a call, or the id if the name has unusual characters, because it appears outside the marks. */
export const argumentFor = ({ id, name }: VaultDirectory['vaults'][number]): string =>
  /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._/-]{0,59}$/u.test(name) ? name : id

const quoted = (name: string) => JSON.stringify(displayName(name))
const maxNamed = 20

function listNames(vaults: VaultDirectory['vaults']): string {
  if (vaults.length === 0) return 'This key cannot list vaults; ask the user which one to use.'
  const names = vaults.slice(0, maxNamed).map((vault) => JSON.stringify(argumentFor(vault)))
  return `Vaults: ${names.join(', ')}${vaults.length > maxNamed ? ', …' : ''}. Use one of these, or leave out vault.`
}
