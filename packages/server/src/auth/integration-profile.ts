import { openJson, sealJson, type CellAddress, type Sealed } from '../crypto/cell.ts'
import type { Instance } from '../instance/instance.ts'

/** How an integration is called; sealed under the instance key, since it is shown before any vault is unlocked. */
export interface IntegrationProfile {
  label: string
  agentType: string | undefined
  agentId: string | undefined
}

interface Holder {
  userId: string
  integrationId: string
}

export const sealProfile = (instance: Instance, holder: Holder, profile: IntegrationProfile): Sealed =>
  sealJson(instance.keys, 'content', address(instance, holder), profile)

export const openProfile = (instance: Instance, holder: Holder, profile: Sealed): IntegrationProfile =>
  openJson(instance.keys, 'content', address(instance, holder), profile) as IntegrationProfile

// The revision stays 1: a profile is one cell, so that there is nothing to mix it with.
const address = (instance: Instance, { userId, integrationId }: Holder): CellAddress => ({
  userId,
  scopeId: instance.id,
  table: 'integrations',
  rowId: integrationId,
  column: 'profile',
  revision: 1,
})
