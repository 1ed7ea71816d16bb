import { PermissionError, type Client, type Vault } from '@holdfast/client'
import type { Connection } from './connections.ts'
import { ToolProblem } from './tool-problem.ts'

/** The vaults that a key can see, and the one that it works in where nobody names one. */
export interface VaultDirectory {
  vaults: readonly { id: string; name: string }[]
  /** Held in some vault. */
  scopes: ReadonlySet<string>
  defaultId: string | undefined
  /** What messages call this agent where the integration gives it a name of its own. */
  agentId: string | undefined
}

export interface ChosenVault {
  id: string
  /** The id again where the key may not list vaults. */
  name: string
  /** Whether only the integration's default chose it. */
  isDefault: boolean
}

/** A vault that was renamed is called by its old name for so long; what a key may use is asked on every call. */
const directoryMs = 60_000
const pageSize = 100
const maxVaults = 1_000

/** Fetched once for several calls. What fails is not kept. */
export function directoryOf(connection: Connection, client: Client, now: number): Promise<VaultDirectory> {
  const known = connection.directory
  if (known !== undefined && now - known.at <= directoryMs) return known.found
  const found = readDirectory(client)
  const entry = { found, at: now }
  connection.directory = entry
  found.catch(() => {
    if (connection.directory === entry) connection.directory = undefined
  })
  return found
}

async function readDirectory(client: Client): Promise<VaultDirectory> {
  const { vaultId, agentId, scopes } = await client.call('info')
  const vaults = await listVaults(client)
  return {
    vaults: vaults.map(({ vaultId: id, name }) => ({ id, name })),
    scopes: new Set<string>([...scopes, ...vaults.flatMap(({ scopePreset }) => presetScopes[scopePreset] ?? [])]),
    defaultId: vaultId ?? undefined,
    agentId: agentId ?? undefined,
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

/** By id or name; undefined where nobody names one and the integration has none. An id is not looked at: the service knows. */
export function chooseVault({ vaults, defaultId }: VaultDirectory, asked: string | undefined): ChosenVault | undefined {
  const nameOf = (id: string) => vaults.find((vault) => vault.id === id)?.name ?? id
  if (asked === undefined)
    return defaultId === undefined ? undefined : { id: defaultId, name: nameOf(defaultId), isDefault: true }
  if (uuid.test(asked)) return { id: asked.toLowerCase(), name: nameOf(asked.toLowerCase()), isDefault: false }
  const exact = vaults.filter(({ name }) => name === asked)
  const alike = exact.length > 0 ? exact : vaults.filter(({ name }) => name.toLowerCase() === asked.toLowerCase())
  const [found, ...more] = alike
  if (found === undefined)
    throw new ToolProblem('NOT_FOUND', `no vault is called ${JSON.stringify(asked)}. ${namesOf(vaults)}`)
  if (more.length > 0)
    throw new ToolProblem(
      'VALIDATION',
      `several vaults are called ${JSON.stringify(asked)}: name one by its id, ${alike.map(({ id }) => id).join(' or ')}.`,
    )
  return { ...found, isDefault: false }
}

const maxNamed = 20

function namesOf(vaults: VaultDirectory['vaults']): string {
  if (vaults.length === 0) return 'This key sees no vault by name; ask the user which one to use.'
  const names = vaults.slice(0, maxNamed).map(({ name }) => JSON.stringify(name))
  return `There are ${names.join(', ')}${vaults.length > maxNamed ? ', …' : ''}. Use one of these, or leave vault out.`
}
