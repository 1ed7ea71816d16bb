import type { Integration } from '@holdfast/client/dashboard'
import { nameWriter } from '../../components/records/writers.ts'

interface By {
  /** As the agent named itself. Null: by its own name. */
  agentId: string | null
  integrationId: string | null
}

/**
 * The agent that did or asks something. An agent chooses the name that it gives, so a name that isn't its own is followed by the label of
 * the key that it used. `integration`: the one of that key; undefined if it is deleted.
 */
export function nameAgent({ agentId, integrationId }: By, integration: Integration | undefined): string {
  const ownName = integration?.agentId ?? integration?.label
  const name = agentId ?? ownName
  if (name === undefined) return 'a deleted agent'
  const keyLabel = name === ownName ? undefined : integration?.label
  return nameWriter({ agentId: name, integrationId, keyLabel })
}
