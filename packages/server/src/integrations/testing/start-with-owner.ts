import { ownerPassword, type DashboardApp, type SetUp, textOf } from '../../../test/dashboard-app.ts'

export interface Integration {
  id: string
  version: number
  primaryVaultId: string | null
}

export async function startWithOwner(start: () => Promise<DashboardApp>) {
  const service = await start()
  const owner = await service.setUp()
  const as = (bearer: string) => (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
    service.send(method, path, { bearer, ...(body !== undefined && { body }) })
  const mine = as(owner.dashboardToken)
  const create = async (fields: object) => {
    const { body } = await mine('POST', '/api/integrations', { label: 'Desk', preset: 'read_write', ...fields })
    return body.integration as unknown as Integration
  }
  const addVault = async (name: string) => {
    const { body } = await mine('POST', '/api/vaults', { name })
    return textOf(body.vaultId)
  }
  const newKey = async (integrationId: string, fields: object = {}) => {
    const { body } = await mine('POST', '/api/keys', { integrationId, ...fields })
    return { ...(body.key as unknown as { id: string }), agentKey: textOf(body.agentKey) }
  }
  const write = (agentKey: string, vaultId?: string) =>
    as(agentKey)('POST', '/api/agent/write-memory', { content: 'Tea at four', memoryType: 'fact', vaultId })
  return { ...service, owner, as, mine, create, addVault, newKey, write }
}

export const addStranger = async ({ operator }: DashboardApp) =>
  (await operator('POST', '/api/operator/users', { email: 'eve@example.org', password: ownerPassword }))
    .body as unknown as Pick<SetUp, 'vaultId' | 'dashboardToken'>
