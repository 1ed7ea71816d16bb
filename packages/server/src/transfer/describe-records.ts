import { isoTime } from '../core/time.ts'
import type { FormerText, StoredDocument } from '../documents/store.ts'
import type { StoredLink } from '../links/store.ts'
import type { Memory, MemoryHead } from '../memories/memory.ts'
import type { TaskState } from '../memories/task-state.ts'
import type { FormerText as FormerMemoryText } from '../memories/version-store.ts'
import type { Ack, Message } from '../messages/message.ts'
import type { Note } from '../notes/note.ts'
import type { NoteVersion } from '../notes/version-store.ts'
import { isSameName, type Writer } from '../operation/writer.ts'
import type { RecordOf } from './record.ts'
import { timeOf } from './write-nodes.ts'

/** Turns stored data into records that an import reads: the reverse of `write-nodes.ts` and `write-others.ts`. */

export function describeNote(note: Note, folderPath: string | undefined): RecordOf<'note'> {
  const { head } = note
  return {
    kind: 'note',
    id: note.noteId,
    title: head.title,
    content: note.content,
    tags: head.tags,
    folderPath,
    trashedAt: timeOf(note.trashedAt),
    externalWriteId: head.externalWriteId,
    agentId: head.agentId,
    agentRunId: head.agentRunId,
    modelId: head.modelId,
    integrationId: head.integrationId,
    route: head.route,
    ...describeShapers(head),
    version: note.version,
    createdAt: isoTime(note.createdAt),
    updatedAt: isoTime(note.updatedAt),
  }
}

const describeShapers = ({
  changedBy,
  hasOtherWriters,
  trust,
}: Pick<MemoryHead, 'changedBy' | 'hasOtherWriters' | 'trust'>) => ({
  changedBy: changedBy && describeWriter(changedBy),
  hasOtherWriters,
  trust,
})

const describeWriter = ({ at, ...writer }: Writer) => ({ ...writer, at: isoTime(at) })

export const describeNoteVersion = (noteId: string, former: NoteVersion): RecordOf<'noteVersion'> => ({
  kind: 'noteVersion',
  note: noteId,
  ...former,
  writer: describeWriter(former.writer),
})

export function describeMemory(
  memory: Memory,
  task: TaskState | undefined,
  supersededAt: number | undefined,
): RecordOf<'memory'> {
  const { head } = memory
  return {
    kind: 'memory',
    id: memory.memoryId,
    content: memory.content,
    summary: head.summary,
    memoryType: memory.memoryType,
    importance: memory.importance,
    confidence: memory.confidence,
    entities: head.entities,
    sourceNoteIds: head.sourceNoteIds,
    supersedesId: memory.supersedesId,
    supersededById: memory.supersededById,
    supersededAt: timeOf(supersededAt),
    expiresAt: timeOf(memory.expiresAt),
    occurredAt: isoTime(memory.occurredAt),
    metadata: head.metadata,
    writeReason: head.writeReason,
    archivedAt: timeOf(memory.archivedAt),
    archiveReason: head.archiveReason,
    externalWriteId: head.externalWriteId,
    agentId: head.agentId,
    agentRunId: head.agentRunId,
    modelId: head.modelId,
    integrationId: memory.integrationId,
    route: head.route,
    titleChars: head.titleChars,
    ...describeShapers(head),
    accessCount: memory.accessCount,
    lastAccessedAt: timeOf(memory.lastAccessedAt),
    task: task && describeTask(task),
    version: memory.version,
    createdAt: isoTime(memory.createdAt),
    updatedAt: isoTime(memory.updatedAt),
  }
}

export const describeMemoryVersion = (
  memoryId: string,
  { version, shape, task, updatedAt, ...shapers }: FormerMemoryText,
): RecordOf<'memoryVersion'> => ({
  kind: 'memoryVersion',
  memory: memoryId,
  version,
  ...shape,
  expiresAt: timeOf(shape.expiresAt),
  occurredAt: isoTime(shape.occurredAt),
  task,
  ...describeShapers(shapers),
  updatedAt: isoTime(updatedAt),
})

const describeTask = ({ status, completedAt, detail }: TaskState) => ({
  status,
  completedAt: timeOf(completedAt),
  ...detail,
  blockedBy: detail.blockedBy && { ...detail.blockedBy, at: isoTime(detail.blockedBy.at) },
  statusHistory: detail.statusHistory.map((change) => ({ ...change, at: isoTime(change.at) })),
})

export const describeLink = (link: StoredLink): RecordOf<'link'> => ({
  kind: 'link',
  id: link.linkId,
  sourceType: link.sourceType,
  source: link.sourceId,
  targetType: link.targetType,
  target: link.targetId,
  relationType: link.relationType,
  label: link.label,
  origin: link.origin,
  createdAt: isoTime(link.createdAt),
})

export function describeMessage(message: Message, acks: readonly Ack[]): RecordOf<'message'> {
  const { messageId, vaultId: _vault, expiresAt, createdAt, ...said } = message
  return {
    kind: 'message',
    id: messageId,
    ...said,
    expiresAt: isoTime(expiresAt),
    createdAt: isoTime(createdAt),
    acks: acks.map(({ by, integrationId, note, at }) => ({ ...by, integrationId, note, at: isoTime(at) })),
  }
}

export function describeDocument(document: StoredDocument): RecordOf<'document'> {
  const { integrationId, agentId, agentRunId, route } = document.shapers
  return {
    kind: 'document',
    documentType: document.documentType,
    content: document.content,
    ...document.rules,
    templateVersion: document.templateVersion,
    author: { integrationId, agentId, agentRunId, route },
    ...describeShapers(document.shapers),
    version: document.version,
    createdAt: isoTime(document.createdAt),
    updatedAt: isoTime(document.updatedAt),
  }
}

export const describeFormerText = (
  { documentType }: StoredDocument,
  { version, content, author, writer, trust, at }: FormerText,
): RecordOf<'documentVersion'> => ({
  kind: 'documentVersion',
  documentType,
  version,
  content,
  author: describeWriter(writer),
  firstAuthor: isSameName(author, writer) ? undefined : author,
  trust,
  at: isoTime(at),
})
