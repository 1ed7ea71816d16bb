import { z } from 'zod'
import { taskStatuses } from '../memories/task-state.ts'
import { categories, targetTypes } from '../messages/message.ts'
import * as fields from '../operation/fields.ts'
import { documentTypes } from '../vaults/settings.ts'

/** What `entries.ts` tells, as contracts have it. */

const aged = { ageDays: z.int().describe('Whole days.') }
const clipped = z.boolean().optional().describe('True where the record says more.')
const source = z.looseObject({
  agentId: z.string().nullable(),
  route: z.string().describe('The operation that wrote it.'),
})

export const memoryEntry = z.looseObject({
  memoryId: z.uuid(),
  memoryType: z.string(),
  summary: z.string().optional().describe('Where summaryOnly.'),
  clipped,
  content: z.string().optional().describe('Where not summaryOnly.'),
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
  source: z.looseObject({ agentId: z.string(), senderType: z.enum(['agent', 'user']), vaultId: z.uuid() }),
})

export const documentEntry = z.looseObject({
  documentType: z.enum(documentTypes),
  content: z.string(),
  isTemplate: z.boolean().describe('True where nobody has written it yet.'),
  version: z.int().describe("Of the vault's own text and rules; 0 where it has never written any."),
  updatedAt: fields.timestamp.nullable(),
  truncated: z.boolean().optional().describe('True where it was cut to fit; the content ends with a mark.'),
})

export const vaultEntry = z.looseObject({ vaultId: z.uuid(), name: z.string(), isDefault: z.boolean() })
