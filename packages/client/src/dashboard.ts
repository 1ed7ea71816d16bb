import { callOperation, getRoute } from './call-operation.ts'
import { buildAuthorization, describeConnection, type ConnectionOptions } from './connection.ts'
import { dashboardRoutes, type DashboardOperationName, type DashboardOperations } from './generated/dashboard.ts'
import type { CallOptions, MethodOf, ReplyOf } from './method.ts'

export type * from './generated/dashboard.ts'
export { dashboardRoutes }

export interface DashboardClientOptions extends ConnectionOptions {
  /** A dashboard token, `hfd_…`. Default: `HOLDFAST_TOKEN`. */
  token?: string | undefined
}

export interface DashboardClient {
  /** Calls an operation by its name, such as `create-webhook`. */
  call<Name extends DashboardOperationName>(
    name: Name,
    ...args: Parameters<MethodOf<DashboardOperations[Name]>>
  ): ReplyOf<DashboardOperations[Name]>
}

/** Creates a client for programs that do what the dashboard does with integrations, keys, vaults and webhooks. */
export function createDashboardClient(options: DashboardClientOptions = {}): DashboardClient {
  const headers = { Authorization: buildAuthorization(options.token, 'token', 'HOLDFAST_TOKEN') }
  const caller = { connection: describeConnection(options, headers), vaultIds: new Map<string, string>() }
  const call = (name: DashboardOperationName, input: Readonly<Record<string, unknown>>, callOptions: CallOptions) =>
    callOperation(caller, getRoute(dashboardRoutes, name), input, callOptions)
  // Names, inputs and answers have types generated from the contracts.
  return { call } as unknown as DashboardClient
}
