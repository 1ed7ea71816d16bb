import { withoutHidden } from '@holdfast/transfer/text/hidden-characters'
import { usePage } from '../../api/queries.ts'
import { personBehind, you } from './people.ts'
import { withKey } from './writers.ts'

/** The name shown for the author, sender or assignee of a record. */
export function nameOfAgent(agentId: string | null): string {
  const person = personBehind(agentId)
  if (person === undefined) return withoutHidden(agentId ?? 'Unknown')
  return person === you ? 'You' : withoutHidden(person)
}

interface Source {
  keyLabel?: string | undefined
  route: string
}

/** The author of a record. The name that a file gives is only a claim, which could be that of an agent here. */
export function nameOfAuthor({ agentId, source }: { agentId: string | null; source: Source }): string {
  if (!source.route.startsWith('import')) return withKey(nameOfAgent(agentId), source)
  return agentId === null ? 'Imported' : `Imported, by ${withoutHidden(agentId)}`
}

/** Who moved a task or commented on it. The names in the history of an imported task are claims, too. */
export function nameOfMover(
  { source }: { source: { route: string } },
  { agentId, integrationId, keyLabel }: { agentId: string; integrationId?: string; keyLabel?: string },
): string {
  const isClaim = integrationId === undefined && personBehind(agentId) === undefined
  return isClaim
    ? nameOfAuthor({ agentId: agentId === 'imported' ? null : agentId, source })
    : withKey(nameOfAgent(agentId), { keyLabel })
}

const most = 100

/** The agents recently active in a vault, and the ones with access to it. Without `user`. */
export function useAgentNames(vaultId: string | undefined, others: readonly string[] = []): string[] {
  const input = { vaultId, withinDays: 90, limit: most }
  const { data: working } = usePage('list-active-agents', input, { enabled: vaultId !== undefined })
  const { data: allowed } = usePage('list-integrations', { limit: most })
  const names = [
    ...(working?.agents.map(({ agentId }) => agentId) ?? []),
    ...(allowed?.integrations.map(({ agentId, label }) => agentId ?? label) ?? []),
    ...others,
  ]
  return [...new Set(names)].filter((name) => personBehind(name) === undefined).toSorted((a, b) => a.localeCompare(b))
}
