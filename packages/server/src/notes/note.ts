import { z } from 'zod'
import type { WriteRule } from '../auth/write-policy.ts'
import { isoTime, isoTimeOrNull } from '../core/time.ts'
import type { LinkCounts } from '../links/store.ts'
import type { CallContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { changedBy, describeSource, describeWriter, lastWriter, source, type Shapers } from '../operation/writer.ts'
import { isPersons, judgeHands, policyHolder, type AskedRecord } from '../proposals/permit.ts'
import { isBlank } from '@holdfast/transfer/text/hidden-characters'
import { maxTitleLength } from '@holdfast/transfer/text/wiki-links'

/**
 * A note in code, in answers and in contracts.
 *
 * - live: not trashed. Searches, lists and links by title use only live notes; a trashed note stays readable by id.
 * - holder of a title: the oldest live note with that title. Links by title lead to it.
 */

export interface Note {
  noteId: string
  vaultId: string
  /** Undefined at the vault's root. */
  folderId: string | undefined
  content: string
  wordCount: number
  trashedAt: number | undefined
  /** The agent that moved what a person wrote to the trash; cleared once a person has decided about it. */
  removedById?: string | undefined
  contentRevision: number
  version: number
  createdAt: number
  updatedAt: number
  head: NoteHead
}

/** The short fields, sealed together. Lists open these but not the content. */
export interface NoteHead extends Shapers {
  title: string
  tags: string[]
  /** The beginning of the content, without markup. */
  preview: string
  externalWriteId?: string | undefined
  modelId?: string | undefined
}

/** A note in a list. */
export type NoteOutline = Omit<Note, 'content'>

/** What the caller may do to a note. */
export const judgeNote = (ctx: Pick<CallContext, 'actor' | 'instance'>, note: Note): WriteRule =>
  judgeHands(policyHolder(ctx), { author: note.head, last: lastWriter(note.head, note.createdAt) })

/** What people review if an agent moves it to the trash: what they wrote, or changed last. */
export const isOfPerson = ({ head, createdAt }: Note): boolean =>
  isPersons(head) || isPersons(lastWriter(head, createdAt))

/** A note that a person decides about. */
export const askedNote = ({ noteId: id, head, content }: Note): AskedRecord => ({
  type: 'note',
  id,
  text: JSON.stringify([head.title, content, head.tags]),
})

export const maxContentLength = 500_000
const maxTags = 50

/** 500,000 characters can take six bytes each when escaped, and title and tags about 35,000 bytes more. */
export const noteBodyLimitBytes = 4 * 1024 * 1024

export const noteId = z.uuid().describe('Id of the note.')

export const noteFields = {
  title: z
    .string()
    .min(1)
    .max(maxTitleLength)
    .describe('Title, 1 to 500 characters. Other notes link to it as [[Title]].'),
  content: z
    .string()
    .max(maxContentLength)
    .describe(
      'Text, usually markdown, at most 500,000 characters. [[Title]], [[Title|alias]] and [[Title#Heading]] link to notes.',
    ),
  tags: z
    .array(z.string().min(1).max(100))
    .max(maxTags)
    .describe(
      'At most 50 tags of 1 to 100 characters. Tags that differ only in letter case or white space are the same.',
    ),
  folderId: z.uuid().describe('Folder to put it in.'),
  folderPath: z
    .string()
    .max(5000)
    .describe(
      'The same folder as a path, such as `Projects/Holdfast`; missing folders are created. At most 20 levels.',
    ),
}

/** Of a note from now on. Older notes and files may have a blank one. */
export const newNoteTitle = noteFields.title.refine((title) => !isBlank(title), fields.notBlank)

const outline = {
  noteId: z.uuid(),
  id: z.uuid().describe('The same as `noteId`.'),
  vaultId: z.uuid(),
  folderId: z.uuid().nullable().describe("null at the vault's root."),
  folderPath: z.string().nullable().describe("Names from the root, separated by `/`; null at the vault's root."),
  title: z.string(),
  tags: z.array(z.string()),
  status: z.enum(['active', 'trashed']),
  trashedAt: fields.timestamp.nullable(),
  links: z
    .looseObject({ out: z.int(), in: z.int() })
    .describe('How many links of any relation leave and reach the note.'),
  wordCount: z.int(),
  externalWriteId: z.string().nullable(),
  agentId: z.string().nullable(),
  agentRunId: z.string().nullable(),
  modelId: z.string().nullable(),
  source,
  changedBy,
  version: z.int(),
  createdAt: fields.timestamp,
  updatedAt: fields.timestamp,
}

export const noteRecord = z.looseObject({ ...outline, content: z.string() }).meta({ id: 'Note' })

export const noteOutlineRecord = z
  .looseObject({
    ...outline,
    preview: z
      .string()
      .describe('The beginning of the text, at most 200 characters, without headings, tables and markup.'),
  })
  .meta({ id: 'NoteOutline' })

export type NoteRecord = z.infer<typeof noteRecord>
export type NoteOutlineRecord = z.infer<typeof noteOutlineRecord>

/** What a note links to, in answers. */
export const resolvedLinks = {
  links: z
    .array(z.looseObject({ noteId: z.uuid(), title: z.string().describe('As written in the text.') }))
    .describe('Notes that the text links to by title.'),
  unresolvedLinks: z.array(z.string()).describe('Titles in links that no note has yet.'),
}

export interface ResolvedLinks {
  links: { noteId: string; title: string }[]
  unresolvedLinks: string[]
}

/** What a note's record needs from other tables. */
export interface NotePlace {
  /** By folder id. */
  paths: ReadonlyMap<string, string>
  /** By note id. */
  links: ReadonlyMap<string, LinkCounts>
}

export const describeNote = (note: Note, place: NotePlace): NoteRecord => ({
  ...describe(note, place),
  content: note.content,
})

export const describeOutline = (note: NoteOutline, place: NotePlace): NoteOutlineRecord => ({
  ...describe(note, place),
  preview: note.head.preview,
})

function describe(note: NoteOutline, { paths, links }: NotePlace) {
  const { head, folderId } = note
  return {
    noteId: note.noteId,
    id: note.noteId,
    vaultId: note.vaultId,
    folderId: folderId ?? null,
    folderPath: folderId === undefined ? null : (paths.get(folderId) ?? null),
    title: head.title,
    tags: head.tags,
    status: note.trashedAt === undefined ? ('active' as const) : ('trashed' as const),
    trashedAt: isoTimeOrNull(note.trashedAt),
    links: links.get(note.noteId) ?? { out: 0, in: 0 },
    wordCount: note.wordCount,
    externalWriteId: head.externalWriteId ?? null,
    agentId: head.agentId ?? null,
    agentRunId: head.agentRunId ?? null,
    modelId: head.modelId ?? null,
    source: describeSource(head),
    changedBy: describeWriter(head.hasOtherWriters === true ? head.changedBy : undefined),
    version: note.version,
    createdAt: isoTime(note.createdAt),
    updatedAt: isoTime(note.updatedAt),
  }
}

const exampleFields = {
  noteId: '0198c5f0-0000-7000-8000-000000000201',
  id: '0198c5f0-0000-7000-8000-000000000201',
  vaultId: '0198c5f0-0000-7000-8000-000000000001',
  folderId: '0198c5f0-0000-7000-8000-000000000301',
  folderPath: 'Projects/Holdfast',
  title: 'Deploying Holdfast',
  tags: ['operations'],
  status: 'active' as const,
  trashedAt: null,
  links: { out: 1, in: 0 },
  wordCount: 6,
  externalWriteId: null,
  agentId: 'claude-code',
  agentRunId: null,
  modelId: null,
  source: {
    integrationId: '0198c5f0-0000-7000-8000-000000000011',
    route: 'create-note',
    trust: 'agent_authored' as const,
  },
  changedBy: null,
  version: 1,
  createdAt: '2026-11-21T09:00:00.000Z',
  updatedAt: '2026-11-21T09:00:00.000Z',
}

export const exampleNote: NoteRecord = { ...exampleFields, content: 'Back up first, see [[Backups]].' }

export const exampleOutline: NoteOutlineRecord = { ...exampleFields, preview: 'Back up first, see Backups.' }
