import { z } from 'zod'
import { pauses } from '../core/in-pieces.ts'
import { isoTime } from '../core/time.ts'
import { findDocuments, listFormerTexts } from '../documents/store.ts'
import { findMemories } from '../memories/store.ts'
import { findTasks } from '../memories/task-store.ts'
import { listFormerTexts as listFormerMemoryTexts } from '../memories/version-store.ts'
import { findWithAncestors, listAllFolders } from '../notes/folder-store.ts'
import { pathIn } from '../notes/folder.ts'
import { findNotes } from '../notes/store.ts'
import { listVersions } from '../notes/version-store.ts'
import { nonEmpty, ownVault } from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import type { Reader } from '../db/dialect.ts'
import { documentTypes } from '../vaults/settings.ts'
import { openOverrides } from '../vaults/settings-store.ts'
import {
  describeDocument,
  describeFormerText,
  describeLink,
  describeMemory,
  describeMemoryVersion,
  describeMessage,
  describeNote,
  describeNoteVersion,
} from './describe-records.ts'
import {
  findSupersededAt,
  listIdsAfter,
  listLinksAmong,
  listLinksAfter,
  listMemoryVersionsAfter,
  listMessagesAfter,
  listNoteVersionsAfter,
} from './export-store.ts'
import { sign, type WireRecord } from './signature.ts'
import type { OpenVault } from './write-nodes.ts'
import { kinds, type Kind, type TransferRecord } from './record.ts'

/** Keeps a page of long notes within a few megabytes. */
const notesAtOnce = 10
const memoriesAtOnce = 50
/** A page of long memories ends here: an answer is turned into text in one piece, and others wait meanwhile. */
const fullPageChars = 500_000
const longMemoriesAtOnce = 10
const rowsAtOnce = 200

export const exportPage = z.looseObject({
  records: z
    .array(z.record(z.string(), z.json()))
    .describe('Each with its kind, and a signature by which an import here recognizes that it is unchanged.'),
  next: z.string().nullable().describe('The `after` of the next page; null on the last page.'),
})

export const exportRecords = operation({
  name: 'export-records',
  for: { person: 'GET /api/exports/records' },
  vault: 'required',
  leastRole: 'owner',
  summary:
    'Export all records of one kind from a vault, in pages, in the format of import-records. Includes archived, trashed and superseded ones.',
  effect: 'read',
  isExport: true,
  input: z.object({
    ...ownVault,
    kind: z.enum(kinds).describe('The kind of records.'),
    id: z
      .array(z.uuid())
      .max(memoriesAtOnce)
      .optional()
      .describe(
        `Only this memory; repeat it for up to ${memoriesAtOnce}. With \`kind\` link: the links between these memories. Other kinds return nothing.`,
      ),
    after: z.string().max(100).default('').describe('The `next` of the previous page. Default: the first page.'),
  }),
  output: exportPage,
  examples: {
    input: { vaultId: '0198c5f0-0000-7000-8000-000000000001', kind: 'folder' },
    output: { records: [{ kind: 'folder', path: 'Projects', createdAt: '2026-11-21T09:00:00.000Z' }], next: null },
  },
  async run({ kind, id, after }, { db, vault, instance, about }) {
    const chosen = nonEmpty(id)
    const { records, next } =
      chosen === undefined
        ? await pages[kind](db.read, vault, after)
        : whole(await chosenRecords(db.read, vault, kind, chosen))
    if (chosen !== undefined)
      about(
        'memory',
        records.flatMap((record) => (record.kind === 'memory' ? (record.id ?? []) : [])),
      )
    const signer = { instance, userId: vault.userId }
    const pause = pauses()
    const signed: WireRecord[] = []
    for (const record of records) {
      await pause()
      signed.push(sign(signer, asJson(record)))
    }
    return { records: signed, next }
  },
})

interface Page {
  records: TransferRecord[]
  next: string | null
}

const pages: Record<Kind, (db: Reader, vault: OpenVault, after: string) => Promise<Page>> = {
  settings: async (_db, vault) => {
    const settings = openOverrides(vault)
    return whole(Object.keys(settings).length === 0 ? [] : [{ kind: 'settings', settings }])
  },
  folder: async (db, vault) => {
    const folders = await listAllFolders(db, vault)
    const byId = new Map(folders.map((folder) => [folder.folderId, folder]))
    return whole(
      folders.map(({ folderId, createdAt }) => ({
        kind: 'folder',
        path: pathIn(byId, folderId),
        createdAt: isoTime(createdAt),
      })),
    )
  },
  note: async (db, vault, after) => {
    const ids = await listIdsAfter(db, vault, 'notes', { after, limit: notesAtOnce })
    const notes = inOrder(ids, await findNotes(db, vault, ids), ({ noteId }) => noteId)
    const folderIds = notes.flatMap(({ folderId }) => folderId ?? [])
    const folders = await findWithAncestors(db, vault, [...new Set(folderIds)])
    const records = notes.map((note) =>
      describeNote(note, note.folderId === undefined ? undefined : pathIn(folders, note.folderId)),
    )
    return { records, next: nextOf(ids, notesAtOnce) }
  },
  noteVersion: async (db, vault, after) => {
    const [first] = await listNoteVersionsAfter(db, vault, after, 1)
    if (first === undefined) return whole([])
    const versions = await listVersions(db, vault, first.noteId)
    return {
      records: versions.toReversed().map((former) => describeNoteVersion(first.noteId, former)),
      next: first.noteId,
    }
  },
  memory: async (db, vault, after) => {
    const ids = await listIdsAfter(db, vault, 'memories', { after, limit: memoriesAtOnce })
    const records: TransferRecord[] = []
    let [taken, chars] = [0, 0]
    for (; taken < ids.length && chars < fullPageChars; taken += longMemoriesAtOnce) {
      const more = await describeMemories(db, vault, ids.slice(taken, taken + longMemoriesAtOnce))
      records.push(...more)
      chars += more.reduce((sum, { content }) => sum + content.length, 0)
    }
    return { records, next: taken < ids.length ? (ids[taken - 1] ?? null) : nextOf(ids, memoriesAtOnce) }
  },
  memoryVersion: async (db, vault, after) => {
    const [first] = await listMemoryVersionsAfter(db, vault, after, 1)
    if (first === undefined) return whole([])
    const texts = await listFormerMemoryTexts(db, vault, first.memoryId)
    return {
      records: texts.toReversed().map((former) => describeMemoryVersion(first.memoryId, former)),
      next: first.memoryId,
    }
  },
  link: async (db, vault, after) => {
    const links = await listLinksAfter(db, vault, after, rowsAtOnce)
    const ids = links.map(({ linkId }) => linkId)
    return { records: links.map(describeLink), next: nextOf(ids, rowsAtOnce) }
  },
  message: async (db, vault, after) => {
    const messages = await listMessagesAfter(db, vault, after, rowsAtOnce)
    const records = messages.map(({ message, acks }) => describeMessage(message, acks))
    return {
      records,
      next: nextOf(
        messages.map(({ message }) => message.messageId),
        rowsAtOnce,
      ),
    }
  },
  document: async (db, vault) => whole((await findDocuments(db, vault, documentTypes)).map(describeDocument)),
  documentVersion: async (db, vault, after) => {
    const type = documentTypes.toSorted().find((name) => name > after)
    if (type === undefined) return whole([])
    const [document] = await findDocuments(db, vault, [type])
    const texts = document === undefined ? [] : await listFormerTexts(db, vault, document.id)
    const records = texts.toReversed().flatMap((text) => (document ? [describeFormerText(document, text)] : []))
    return { records, next: type }
  },
}

async function describeMemories(db: Reader, vault: OpenVault, ids: readonly string[]) {
  const memories = inOrder(ids, await findMemories(db, vault, ids), ({ memoryId }) => memoryId)
  const tasks = await findTasks(db, vault, ids)
  const supersededAt = await findSupersededAt(db, vault, ids)
  return memories.map((memory) => describeMemory(memory, tasks.get(memory.memoryId), supersededAt.get(memory.memoryId)))
}

async function chosenRecords(
  db: Reader,
  vault: OpenVault,
  kind: Kind,
  chosen: readonly string[],
): Promise<TransferRecord[]> {
  const ids = [...new Set(chosen.map((id) => id.toLowerCase()))]
  if (kind === 'memory') return describeMemories(db, vault, ids)
  if (kind === 'link') return (await listLinksAmong(db, vault, ids)).map(describeLink)
  return []
}

const whole = (records: TransferRecord[]): Page => ({ records, next: null })

const nextOf = (ids: readonly string[], limit: number): string | null =>
  ids.length < limit ? null : (ids.at(-1) ?? null)

function inOrder<T>(ids: readonly string[], found: readonly T[], idOf: (record: T) => string): T[] {
  const byId = new Map(found.map((record) => [idOf(record), record]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** As on the wire, without undefined fields. */
const asJson = (record: TransferRecord) => JSON.parse(JSON.stringify(record)) as WireRecord
