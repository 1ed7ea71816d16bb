import { NotFoundError } from './errors.ts'
import type { ListVaultsOutput } from './generated/operations.ts'

type Vault = ListVaultsOutput['vaults'][number]

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The id of the vault that has this id or, letter for letter, this name. */
export async function findVaultId(listVaults: () => AsyncIterable<Vault>, idOrName: string): Promise<string> {
  if (uuid.test(idOrName)) return idOrName
  const found: string[] = []
  for await (const { name, vaultId } of listVaults()) if (name === idOrName) found.push(vaultId)
  const [vaultId, ...others] = found
  if (vaultId !== undefined && others.length === 0) return vaultId
  const how = vaultId === undefined ? 'No vault has' : 'Several vaults have'
  throw new NotFoundError(`${how} the name "${idOrName}"; list-vaults tells names and ids`, { status: 404 })
}
