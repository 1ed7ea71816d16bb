import { listUsers, userList } from '../accounts/list-users.ts'
import { commandLineHere } from '../core/program.ts'
import { listVaults, vaultList } from '../vaults/list-vaults.ts'
import type { Caller } from './caller.ts'
import { CommandError, exitCodes, readAnswer } from './exit-codes.ts'

/** The id of the user with this email address. Undefined, which means the owner, if no address is given. */
export async function findUserId(call: Caller['call'], email: string | undefined): Promise<string | undefined> {
  return email === undefined ? undefined : (await getUser(call, email)).userId
}

export async function getUser(call: Caller['call'], email: string) {
  const [user] = readAnswer(userList, await call(listUsers, { email })).users
  if (user !== undefined) return user
  throw new CommandError(
    exitCodes.notFound,
    `No user ${email}.`,
    `Check the address, or add the person with \`${commandLineHere} users add\`.`,
  )
}

/** The id of the only vault with this name or id. */
export async function findVaultId(call: Caller['call'], actAs: string | undefined, nameOrId: string): Promise<string> {
  const found: string[] = []
  for (let offset = 0, hasMore = true; hasMore; offset += 100) {
    const page = readAnswer(vaultList, await call(listVaults, { limit: 100, offset }, { actAs }))
    for (const { vaultId, name } of page.vaults) if (name === nameOrId || vaultId === nameOrId) found.push(vaultId)
    hasMore = page.hasMore
  }
  const [vaultId, ...others] = found
  if (vaultId === undefined) throw new CommandError(exitCodes.notFound, `No vault ${nameOrId}.`)
  if (others.length === 0) return vaultId
  throw new CommandError(exitCodes.usage, `Several vaults have the name ${nameOrId}.`, `Use an id: ${found.join(', ')}`)
}
