import { NotFoundError } from './errors.ts'
import type { ListVaultsOutput } from './generated/operations.ts'

type Vault = ListVaultsOutput['vaults'][number]

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Finds a vault by id or by its exact name. */
export async function findVaultId(listVaults: () => AsyncIterable<Vault>, idOrName: string): Promise<string> {
  if (uuid.test(idOrName)) return idOrName
  const found: string[] = []
  for await (const { name, vaultId } of listVaults()) if (name === idOrName) found.push(vaultId)
  const [vaultId, ...others] = found
  if (vaultId !== undefined && others.length === 0) return vaultId
  const problem = vaultId === undefined ? 'No vault has' : 'Several vaults have'
  throw new NotFoundError(`${problem} the name "${idOrName}". Call list-vaults for names and ids`, { status: 404 })
}
