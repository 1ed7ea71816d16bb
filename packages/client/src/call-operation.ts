import { Call, PagedCall } from './call.ts'
import type { Connection } from './connection.ts'
import { findVaultId } from './find-vault-id.ts'
import { routes, type Route } from './generated/routes.ts'
import type { CallOptions, Reply } from './method.ts'
import { newUuid } from './new-uuid.ts'
import { sendCall } from './request.ts'

/** What all calls of a client share. */
export interface Caller {
  connection: Connection
  /** Id or name. */
  vault?: string | undefined
  agentId?: string | undefined
  /** Known vault ids by name. */
  vaultIds: Map<string, string>
}

type Fields = Readonly<Record<string, unknown>>

/** Sends a call at once. Fields that the input leaves out (vault, agent, externalWriteId) come from the client. */
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
  const getItems = (page: unknown) => (page as Record<string, unknown[]>)[items] ?? []
  return new PagedCall(answer, getItems, (page) => {
    const { hasMore, offset } = page as { hasMore: boolean; offset: number }
    const count = getItems(page).length
    return hasMore && count > 0
      ? callOperation(caller, route, { ...input, offset: offset + count }, options)
      : undefined
  })
}

/** Returns the id of a vault given by id or name. Each name is looked up once. */
export async function resolveVaultId(caller: Caller, vault: string, options: CallOptions): Promise<string> {
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
  // A reply goes to the vault of the message that it answers.
  const needsVault = route.inVault === true && lacks('vaultId') && lacks('parentMessageId')
  // The server stores every such id, so create one only if there may be a second attempt.
  const mayRetry = (options.maxRetries ?? caller.connection.maxRetries) > 0
  const isInRun = 'x-agent-run-id' in caller.connection.headers || !lacks('agentRunId')
  return {
    ...input,
    ...(vault !== undefined && needsVault && { vaultId: await resolveVaultId(caller, vault, options) }),
    ...(agentId !== undefined && route.method === 'POST' && lacks('agentId') && { agentId }),
    ...(mayRetry && route.repeatable === 'withWriteId' && lacks('externalWriteId') && { externalWriteId: newUuid() }),
    ...(mayRetry && route.repeatable === 'asOneRun' && !isInRun && { agentRunId: newUuid() }),
  }
}

/** Returns the route of an operation. Throws for an unknown name, which a caller without types may pass. */
export function getRoute<Name extends string>(routesByName: Readonly<Record<Name, Route>>, name: Name): Route {
  if (!Object.hasOwn(routesByName, name)) throw new TypeError(`Unknown operation ${name}`)
  return routesByName[name]
}
