import { imitatesReservedName } from '../core/reserved-names.ts'
import { externalKindOf } from '../memories/claim-store.ts'
import { importRoutes } from '../operation/writer.ts'
import type { CheckedOf, CheckedRecord } from './record.ts'

/**
 * What a record without a valid signature may say about who wrote it: only a name, which is shown as a claim. It has no integration, its
 * route says that it was imported, and no text of it passes for the person's.
 */
export function disown(record: CheckedRecord): CheckedRecord {
  switch (record.kind) {
    case 'memory':
      return { ...disownMemory(record), ...byClaim(record) }
    case 'memoryVersion':
      return { ...record, changedBy: claimedWriter(record.changedBy), trust: 'imported' }
    case 'note':
      return {
        ...record,
        ...byClaim(record),
        integrationId: undefined,
        route: importRoute,
        changedBy: claimedWriter(record.changedBy),
        trust: 'imported',
      }
    case 'noteVersion':
      return { ...record, writer: claimedWriter(record.writer), trust: 'imported' }
    case 'message':
      return disownMessage(record)
    case 'document':
      return {
        ...record,
        author: { ...byClaim(record.author), route: importRoute },
        changedBy: claimedWriter(record.changedBy),
        trust: 'imported',
      }
    case 'documentVersion':
      return {
        ...record,
        author: { ...byClaim(record.author), route: importRoute, at: record.author.at },
        firstAuthor: record.firstAuthor && { ...byClaim(record.firstAuthor), route: importRoute },
        trust: 'imported',
      }
    case 'settings':
    case 'folder':
    case 'link':
      return record
  }
}

const importRoute = importRoutes.memory

/** The sender of a message without a name that it may claim. No agent can have this name. */
const importedName = 'imported'

const byClaim = ({ agentId, agentRunId }: { agentId?: string | undefined; agentRunId?: string | undefined }) => ({
  agentId: claimedName(agentId),
  agentRunId,
})

const claimedWriter = (writer: CheckedOf<'memory'>['changedBy']): CheckedOf<'memory'>['changedBy'] =>
  writer && { ...byClaim(writer), route: importRoute, at: writer.at }

const claimedName = (name: string | undefined): string | undefined =>
  name === undefined || imitatesReservedName(name) ? undefined : name

function disownMemory({ task, ...record }: CheckedOf<'memory'>): CheckedOf<'memory'> {
  const history = task?.statusHistory.map((change) => ({
    ...change,
    integrationId: undefined,
    agentId: claimedName(change.agentId) ?? importedName,
  }))
  return {
    ...record,
    ...(task !== undefined && {
      task: { ...task, blockedBy: claimedWriter(task.blockedBy), statusHistory: history ?? [] },
    }),
    integrationId: undefined,
    changedBy: claimedWriter(record.changedBy),
    trust: 'imported',
    // An idempotency key of a task differs from an equal one of a memory.
    route: importRoutes[externalKindOf(record)],
  }
}

/** A message keeps its recipient and who acknowledged it, so that it isn't pending again, but no words of the person. */
const disownMessage = (record: CheckedOf<'message'>): CheckedOf<'message'> => ({
  ...record,
  senderType: 'agent',
  fromAgentId: claimedName(record.fromAgentId) ?? importedName,
  isImported: true,
  integrationId: undefined,
  acks: record.acks.map(({ note, ...ack }) => ({
    ...ack,
    integrationId: undefined,
    ...(ack.type === 'agent' && { note }),
  })),
})
