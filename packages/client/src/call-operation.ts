import { Call, PagedCall } from './call.ts'
import type { Connection } from './connection.ts'
import { findVaultId } from './find-vault-id.ts'
import { routes, type Route } from './generated/routes.ts'
import type { CallOptions, Reply } from './method.ts'
import { newUuid } from './new-uuid.ts'
import { sendCall } from './request.ts'

/** What the calls of a client have in common. */
export interface Caller {
  connection: Connection
  /** Id or name. */
  vault?: string | undefined
  agentId?: string | undefined
  /** By name, as far as they were looked up. */
  vaultIds: Map<string, string>
}

type Fields = Readonly<Record<string, unknown>>

/** Sends at once. What the client itself knows (vault, agent, an id to write by) goes where the input says nothing of it. */
export function callOperation(
  caller: Caller,
  route: Route,
  input: Fields = {},
  options: CallOptions = {},
): Call<unknown> {
  const answer = complete(caller, route, input, options).then((fields) =>
    sendCall(caller.connection, route, fields, options),
  )
  const { items } = route
  if (items === undefined) return new Call(answer)
  const itemsOf = (page: unknown) => (page as Record<string, unknown[]>)[items] ?? []
  return new PagedCall(answer, itemsOf, (page) => {
    const { hasMore, offset } = page as { hasMore: boolean; offset: number }
    const count = itemsOf(page).length
    return hasMore && count > 0
      ? callOperation(caller, route, { ...input, offset: offset + count }, options)
      : undefined
  })
}

/** The id of a vault that is given by id or name; a name is looked up once. */
export async function vaultIdOf(caller: Caller, vault: string, options: CallOptions): Promise<string> {
  const known = caller.vaultIds.get(vault)
  if (known !== undefined) return known
  const list = () => callOperation(caller, routes['list-vaults'], { limit: 100 }, options) as Reply<'list-vaults'>
  const found = await findVaultId(list, vault)
  caller.vaultIds.set(vault, found)
  return found
}

async function complete(caller: Caller, route: Route, input: Fields, options: CallOptions): Promise<Fields> {
  const { vault, agentId } = caller
  const lacks = (field: string) => input[field] === undefined || input[field] === null
  // A reply lies in the vault of the message that it answers.
  const needsVault = route.inVault === true && lacks('vaultId') && lacks('parentMessageId')
  // The service keeps each such id: none is made that no second attempt would need.
  const mayRetry = (options.maxRetries ?? caller.connection.maxRetries) > 0
  const isInRun = 'x-agent-run-id' in caller.connection.headers || !lacks('agentRunId')
  return {
    ...input,
    ...(vault !== undefined && needsVault && { vaultId: await vaultIdOf(caller, vault, options) }),
    ...(agentId !== undefined && route.method === 'POST' && lacks('agentId') && { agentId }),
    ...(mayRetry && route.repeatable === 'withWriteId' && lacks('externalWriteId') && { externalWriteId: newUuid() }),
    ...(mayRetry && route.repeatable === 'asOneRun' && !isInRun && { agentRunId: newUuid() }),
  }
}

/** The route of a name that a caller without types may have made up. */
export function routeOf<Name extends string>(routesByName: Readonly<Record<Name, Route>>, name: Name): Route {
  if (!Object.hasOwn(routesByName, name)) throw new TypeError(`There is no operation ${name}`)
  return routesByName[name]
}
