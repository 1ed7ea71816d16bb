import type { Caller } from './call-tool.ts'
import { documentTypes, splitPath } from './resources.ts'
import { ToolProblem } from './tool-problem.ts'
import { findVault } from './vault-directory.ts'

/** A resource that a client wants to hear about, or the list of resources. */
export interface Watched {
  kind: 'context' | 'tasks' | 'document' | 'inbox' | 'note' | 'memory' | 'list'
  /** As the client wrote it. Undefined for the list. */
  uri?: string
  /** Undefined for the inbox, which spans the vaults of its reader. */
  vaultId?: string
  /** The note or memory. */
  recordId?: string
}

/** The resources that these URIs may lead to, in vaults that the key can list. Whether it may read them, the server decides. */
export async function findWatched(uris: readonly string[], caller: Caller): Promise<Watched[]> {
  const found = await Promise.all([...new Set(uris)].map((uri) => findOne(uri, caller)))
  return found.filter((watched) => watched !== undefined)
}

/** The list of resources, which is that of the connection's vault. Undefined if there is no vault. */
export async function findList(caller: Caller): Promise<Watched | undefined> {
  const vaultId = await findVaultId(undefined, caller)
  return vaultId === undefined ? undefined : { kind: 'list', vaultId }
}

async function findOne(uri: string, caller: Caller): Promise<Watched | undefined> {
  const parts = splitPath(uri)
  const [kind, name = '', type] = parts
  if (kind === 'inbox') return parts.length === 1 ? { kind, uri } : undefined
  if (kind === 'note' || kind === 'memory') {
    // Records are read in the vault of the connection.
    const vaultId = parts.length === 2 && uuid.test(name) ? await findVaultId(undefined, caller) : undefined
    return vaultId === undefined ? undefined : { kind, uri, vaultId, recordId: name.toLowerCase() }
  }
  const isDocument = kind === 'document' && parts.length === 3 && documentTypes.some((known) => known === type)
  const isList = (kind === 'context' || kind === 'tasks') && parts.length === 2
  if (!isDocument && !isList) return undefined
  const vaultId = await findVaultId(name, caller)
  return vaultId === undefined ? undefined : { kind, uri, vaultId }
}

/** The vault with this id or name, or the connection's. Undefined if the key can't list it. */
async function findVaultId(asked: string | undefined, caller: Caller): Promise<string | undefined> {
  try {
    const { directory, vault } = await findVault(caller, asked ?? caller.switches.vault, false)
    return directory.vaults.find(({ id }) => id === vault?.id)?.id
  } catch (error) {
    if (error instanceof ToolProblem) return undefined
    throw error
  }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
