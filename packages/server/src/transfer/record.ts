import { z } from 'zod'
import { relationTypes } from '../links/relation-types.ts'
import { memoryTypes, writableFields } from '../memories/memory.ts'
import { taskStatuses } from '../memories/task-state.ts'
import { categories, targetTypes, templateNames } from '../messages/message.ts'
import { maxContentLength, noteFields } from '../notes/note.ts'
import { inheritModes } from '../documents/templates.ts'
import * as fields from '../operation/fields.ts'
import { trustLevels } from '../operation/writer.ts'
import { parseInput, type Parsed } from '../operation/parse-input.ts'
import { documentTypes, settingsPatch } from '../vaults/settings.ts'

/**
 * A record as exports write it and imports read it: one shape for every source. Fields that a source doesn't know are left
 * out, and get the values of a record written now.
 *
 * - ref: names a record of the same import, whose id here isn't known yet, by its original id or its `externalWriteId`.
 */

const time = fields.timestamp
const name = z.string().min(1).max(500)
const ref = z.string().min(1).max(500).describe('The original id of the record, or its `externalWriteId`.')
// Far below the database's limit, so versions can keep counting. A higher version is reduced to this, since an export that
// reached it must be importable.
const maxVersion = 1_000_000_000
const versionNumber = z
  .int()
  .min(1)
  .transform((count) => Math.min(count, maxVersion))
const version = versionNumber.optional()

/** Who wrote it. */
const writer = {
  agentId: name.optional(),
  agentRunId: name.optional(),
  modelId: name.optional(),
}

const integrationId = z.uuid().optional()
const route = z.string().min(1).max(100).optional().describe('The operation that wrote it, or `import`.')
const author = z.object({ integrationId, agentId: name.optional(), agentRunId: name.optional(), route })

/** Who shaped a text besides its author. */
const shapers = {
  changedBy: author.extend({ at: time }).optional().describe('Its last change, also if its author made it.'),
  hasOtherWriters: z.boolean().optional().describe('Whether anyone but its author has ever changed it.'),
  trust: z.enum(trustLevels).optional(),
}

const origin = {
  id: z.uuid().optional().describe('Its original id; kept unless another vault of yours has it.'),
  externalWriteId: fields.externalWriteId,
  version,
  createdAt: time.optional(),
  updatedAt: time.optional(),
}

const noteRecord = z.object({
  kind: z.literal('note'),
  ...origin,
  ...writer,
  integrationId,
  route,
  ...shapers,
  title: noteFields.title,
  content: noteFields.content.default(''),
  tags: noteFields.tags.default([]),
  folderPath: noteFields.folderPath.optional(),
  trashedAt: time.optional(),
})

const noteVersionRecord = z.object({
  kind: z.literal('noteVersion'),
  note: ref,
  version: versionNumber,
  title: noteFields.title,
  content: z.string().max(maxContentLength),
  tags: noteFields.tags.default([]),
  writer: author.extend({ at: time }).optional(),
  trust: shapers.trust,
  updatedAt: time,
})

const statusChange = z.object({
  from: z.enum(taskStatuses),
  to: z.enum(taskStatuses),
  at: time,
  integrationId,
  agentId: z.string().max(500),
  agentRunId: z.string().max(500).optional(),
  comment: z.string().max(100_000).optional(),
})

const taskState = z.object({
  status: z.enum(taskStatuses),
  completedAt: time.optional(),
  assignedAgentId: fields.agentName.optional(),
  doneWhen: z.string().max(10_000).optional(),
  blockedReason: z.string().max(10_000).optional(),
  blockedBy: author.extend({ at: time }).optional(),
  statusHistory: z.array(statusChange).max(200).default([]),
})

/** A task's content is its title and its description. */
const maxTaskChars = 110_002

const memoryRecord = z.object({
  kind: z.literal('memory'),
  ...origin,
  ...writer,
  content: z.string().min(1).max(maxTaskChars),
  summary: writableFields.summary,
  memoryType: z.enum(memoryTypes).default('fact'),
  importance: writableFields.importance,
  confidence: writableFields.confidence,
  entities: writableFields.entities,
  sourceNoteIds: z.array(ref).max(100).optional(),
  supersedesId: z.uuid().optional(),
  supersededById: z.uuid().optional(),
  supersededAt: time.optional().describe('When searches stopped finding it.'),
  expiresAt: time.optional(),
  occurredAt: time.optional(),
  metadata: writableFields.metadata,
  writeReason: writableFields.writeReason,
  archivedAt: time.optional(),
  archiveReason: z.string().max(2000).optional(),
  integrationId,
  route,
  titleChars: z.int().min(0).max(10_000).optional(),
  ...shapers,
  accessCount: z.int().min(0).max(2_147_483_647).optional(),
  lastAccessedAt: time.optional(),
  task: taskState.optional(),
})

const memoryVersionRecord = z.object({
  kind: z.literal('memoryVersion'),
  memory: ref,
  version: versionNumber,
  content: z.string().min(1).max(maxTaskChars),
  summary: writableFields.summary,
  memoryType: z.enum(memoryTypes),
  importance: fields.importance,
  confidence: fields.importance,
  entities: writableFields.entities,
  expiresAt: time.optional(),
  occurredAt: time,
  metadata: writableFields.metadata,
  writeReason: writableFields.writeReason,
  titleChars: z.int().min(0).max(10_000).optional(),
  task: taskState.pick({ doneWhen: true, blockedReason: true }).optional(),
  ...shapers,
  updatedAt: time,
})

const linkRecord = z.object({
  kind: z.literal('link'),
  id: z.uuid().optional().describe('Its original id; here it gets a new one.'),
  sourceType: z.enum(['note', 'memory']),
  source: ref,
  targetType: z.enum(['note', 'memory']),
  target: ref,
  relationType: z.enum(relationTypes),
  label: z.string().max(500).optional(),
  origin: z.enum(['agent', 'wiki', 'write', 'dashboard']).default('dashboard'),
  createdAt: time.optional(),
})

const party = z.enum(['agent', 'user'])

const messageRecord = z.object({
  kind: z.literal('message'),
  id: z.uuid(),
  fromAgentId: fields.agentName,
  senderType: party,
  targetId: fields.agentName,
  targetType: z.enum(targetTypes),
  category: z.enum(categories),
  priority: fields.importance,
  subject: z.string().max(200).optional(),
  content: z.string().min(1).max(10_240),
  integrationId: z.uuid().optional(),
  isImported: z.boolean().optional(),
  template: z.enum(templateNames).optional(),
  parentMessageId: z.uuid().optional(),
  threadId: z.uuid(),
  expiresAt: time,
  createdAt: time,
  acks: z
    .array(
      z.object({
        type: party,
        id: fields.agentName,
        integrationId: z.uuid().optional(),
        note: z.string().max(100_000).optional(),
        at: time,
      }),
    )
    .max(1000)
    .default([]),
})

const documentText = z.string().max(100_000)

const documentRecord = z.object({
  kind: z.literal('document'),
  documentType: z.enum(documentTypes),
  content: documentText,
  inheritMode: z.enum(inheritModes).optional(),
  agentEditable: z.boolean().optional(),
  appendOnly: z.boolean().optional(),
  templateVersion: z.int().min(0).max(1_000_000).optional(),
  author: author.default({}),
  ...shapers,
  version,
  createdAt: time.optional(),
  updatedAt: time.optional(),
})

const documentVersionRecord = z.object({
  kind: z.literal('documentVersion'),
  documentType: z.enum(documentTypes),
  version: versionNumber,
  content: documentText,
  author: author.extend({ at: time.optional() }).default({}).describe('Who wrote this version, and when.'),
  firstAuthor: author.optional().describe('Who wrote its text first, if that was someone else.'),
  trust: shapers.trust,
  at: time.describe('When this version began, also if only the rules of the document changed.'),
})

const folderRecord = z.object({
  kind: z.literal('folder'),
  path: z.string().min(1).max(5000),
  createdAt: time.optional(),
})

const settingsRecord = z.object({ kind: z.literal('settings'), settings: settingsPatch })

const schemas = {
  settings: settingsRecord,
  folder: folderRecord,
  note: noteRecord,
  noteVersion: noteVersionRecord,
  memory: memoryRecord,
  memoryVersion: memoryVersionRecord,
  link: linkRecord,
  message: messageRecord,
  document: documentRecord,
  documentVersion: documentVersionRecord,
}

/** In the order to import them: records come after the ones they name. */
export const kinds = Object.keys(schemas) as Kind[]

type Schemas = typeof schemas

/** A record on the wire. Exports add a `signature`, which the schemas don't have: it is checked before them. */
export type TransferRecord = z.input<Schemas[keyof Schemas]>

export type RecordOf<K extends TransferRecord['kind']> = Extract<TransferRecord, { kind: K }>

export type CheckedRecord = z.output<Schemas[keyof Schemas]>
export type Kind = keyof Schemas
export type CheckedOf<K extends Kind> = Extract<CheckedRecord, { kind: K }>

/** The record, or its problems. */
export function checkRecord(raw: unknown): Parsed<CheckedRecord> {
  const said = typeof raw === 'object' && raw !== null && 'kind' in raw ? raw.kind : undefined
  const kind = kinds.find((known) => known === said)
  if (kind === undefined) return { fields: { kind: `must be one of ${kinds.join(', ')}` } }
  // Each schema has the kind of its key, but TypeScript can't follow the union.
  return parseInput(schemas[kind] as z.ZodObject, raw) as Parsed<CheckedRecord>
}
