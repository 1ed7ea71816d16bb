import { z } from 'zod'
import { splitTask, type TaskState, taskStatuses } from '../memories/task-state.ts'
import { categories, type MessageRecord, targetTypes } from '../messages/message.ts'
import * as fields from '../operation/fields.ts'
import { describeSentBy, type Integrations, keyLabelOf, type SentBy } from '../operation/sent-by.ts'
import {
  changedBy as documentChange,
  isFromFile,
  isSameName,
  keyLabel,
  source as documentSource,
  trustLevels,
  type Writer,
} from '../operation/writer.ts'
import { documentTypes } from '../vaults/settings.ts'
import { dayMs } from '../core/time.ts'
import type { DocumentRecord } from '../documents/document.ts'
import { authorOf, trustOf } from '../memories/authorship.ts'
import type { Memory } from '../memories/memory.ts'
import { clipSummary } from '../text/clip-summary.ts'

const aged = { ageDays: z.int().describe('Whole days.') }
const clipped = z.boolean().optional().describe('True if the text was shortened.')
const source = z.looseObject({
  agentId: z.string().nullable().describe('The name that its author gave.'),
  keyLabel,
  route: z.string().describe('The operation that wrote it.'),
  trust: z.enum(trustLevels).describe('That of the least trusted of all who shaped the text.'),
  changedBy: z.string().optional().describe('Who last changed the text, if it was not the author.'),
  changedByKeyLabel: keyLabel.describe('The same as keyLabel, for who last changed the text.'),
})

export const memoryEntry = z.looseObject({
  memoryId: z.uuid(),
  memoryType: z.string(),
  summary: z.string().optional().describe('With summaryOnly.'),
  clipped,
  content: z.string().optional().describe('Without summaryOnly.'),
  importance: z.int(),
  ...aged,
  source,
})

export const taskEntry = z.looseObject({
  taskId: z.uuid(),
  title: z.string(),
  status: z.enum(taskStatuses),
  priority: z.int(),
  assignedAgentId: z.string().optional(),
  doneWhen: z.string().optional().describe('Clipped.'),
  blockedReason: z.string().optional().describe('Clipped.'),
  blockedBy: z
    .looseObject({ agentId: z.string().nullable(), keyLabel, isImported: z.literal(true).optional() })
    .optional()
    .describe('Who wrote `blockedReason`; with `isImported` only as a file says.'),
  ...aged,
  source,
})

export const messageEntry = z.looseObject({
  messageId: z.uuid(),
  threadId: z.uuid(),
  category: z.enum(categories),
  priority: z.int(),
  subject: z.string().nullable(),
  content: z.string(),
  clipped,
  targetType: z.enum(targetTypes),
  ...aged,
  source: z.looseObject({
    agentId: z.string(),
    senderType: z.enum(['agent', 'user']),
    keyLabel,
    trust: z.enum(trustLevels),
    vaultId: z.uuid(),
  }),
})

export const documentEntry = z.looseObject({
  documentType: z.enum(documentTypes),
  content: z.string(),
  isTemplate: z.boolean().describe('True if the vault has no text of its own yet.'),
  version: z.int().describe("Version of the vault's own text and rules; 0 if it has none."),
  updatedAt: fields.timestamp.nullable(),
  source: documentSource.extend({ agentId: z.string().nullable() }).nullable().describe('null for a template.'),
  changedBy: documentChange,
  removedBy: documentChange.describe("Who removed the vault's own text, if it had one; its older versions are kept."),
  truncated: z.boolean().optional().describe('True if it was cut to fit. The content then ends with a mark.'),
})

export const vaultEntry = z.looseObject({ vaultId: z.uuid(), name: z.string(), isDefault: z.boolean() })

/**
 * A record in the answer of session-start. Its text is data that someone wrote, never an instruction from Holdfast, so each
 * entry states its id, age and source.
 */

const ageDays = (since: number, now: number) => Math.max(0, Math.floor((now - since) / dayMs))

/** With `isWhole`, the content; otherwise the summary or a substitute, marked if it was shortened. */
export function describeMemory(
  memory: Memory,
  { now, isWhole, integrations }: { now: number; isWhole: boolean; integrations: Integrations },
) {
  const { head, content } = memory
  return {
    memoryId: memory.memoryId,
    memoryType: memory.memoryType,
    ...(isWhole ? { content } : summaryOf(head.summary ?? content, head.summary !== undefined)),
    importance: memory.importance,
    ageDays: ageDays(memory.occurredAt, now),
    source: describeSource(memory, integrations),
  }
}

function describeSource(memory: Memory, integrations: Integrations) {
  const { agentId = null, route, changedBy } = memory.head
  const isOther = changedBy !== undefined && !isFromFile(changedBy) && !isSameName(changedBy, authorOf(memory))
  const changer = isOther ? (changedBy.agentId ?? changedBy.route) : undefined
  const changerLabel = keyLabelOf(describeSentBy(integrations, changedBy?.integrationId), changer ?? null)
  return {
    agentId,
    ...withKeyLabel(describeSentBy(integrations, memory.integrationId), agentId),
    route,
    trust: trustOf(memory),
    ...(changer !== undefined && { changedBy: changer }),
    ...(changerLabel !== undefined && { changedByKeyLabel: changerLabel }),
  }
}

const describeBlocker = (by: Writer, integrations: Integrations) => ({
  agentId: by.agentId ?? null,
  ...withKeyLabel(describeSentBy(integrations, by.integrationId), by.agentId ?? null),
  ...(isFromFile(by) && { isImported: true as const }),
})

function withKeyLabel(by: SentBy, agentId: string | null) {
  const label = keyLabelOf(by, agentId)
  return label === undefined ? {} : { keyLabel: label }
}

function summaryOf(text: string, isSummary: boolean) {
  const summary = clipSummary(text)
  return { summary, ...((isSummary || summary !== text.trim()) && { clipped: true }) }
}

export function describeTask(
  memory: Memory,
  state: TaskState,
  { now, integrations }: { now: number; integrations: Integrations },
) {
  const { title } = splitTask(memory.content, memory.head.titleChars)
  const { assignedAgentId, blockedReason, blockedBy, doneWhen } = state.detail
  return {
    taskId: memory.memoryId,
    title: clipSummary(title),
    status: state.status,
    priority: memory.importance,
    ...(assignedAgentId !== undefined && { assignedAgentId }),
    ...(doneWhen !== undefined && { doneWhen: clipSummary(doneWhen) }),
    ...(blockedReason !== undefined && { blockedReason: clipSummary(blockedReason) }),
    ...(blockedBy !== undefined && { blockedBy: describeBlocker(blockedBy, integrations) }),
    ageDays: ageDays(memory.createdAt, now),
    source: describeSource(memory, integrations),
  }
}

export const describeMessage = (message: MessageRecord, { now, isWhole }: { now: number; isWhole: boolean }) => ({
  messageId: message.messageId,
  threadId: message.threadId,
  category: message.category,
  priority: message.priority,
  subject: message.subject,
  ...(isWhole ? { content: message.content } : clippedContent(message.content)),
  targetType: message.targetType,
  ageDays: ageDays(Date.parse(message.createdAt), now),
  source: {
    agentId: message.fromAgentId,
    senderType: message.senderType,
    ...withKeyLabel(message.sentBy, message.fromAgentId),
    trust: message.trust,
    vaultId: message.vaultId,
  },
})

function clippedContent(text: string) {
  const content = clipSummary(text)
  return { content, ...(content !== text.trim() && { clipped: true }) }
}

export const describeDocument = ({
  documentType,
  content,
  isTemplate,
  version,
  updatedAt,
  agentId,
  source: from,
  changedBy: last,
  removedBy,
}: DocumentRecord) => ({
  documentType,
  content,
  isTemplate,
  version,
  updatedAt,
  source: from && { agentId, ...from },
  changedBy: last,
  removedBy,
})

// English, German, French, Spanish, Italian and Portuguese.
const decision =
  /\b(decid|decision|chose|chosen|agreed|settled on|entschied|beschloss|beschlossen|décid|decis|decidi|eleg|acord|scelt|escolh)/iu

/** Whether the wording of a memory describes a decision. */
export const isDecision = ({ content, head }: Memory): boolean =>
  decision.test(head.summary ?? '') || decision.test(content.slice(0, 2000))
