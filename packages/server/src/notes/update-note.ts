import type { VaultScope } from '../crypto/keys.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import { invalid } from '../core/errors.ts'
import { isoTime } from '../core/time.ts'
import type { Tx } from '../db/dialect.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { titleKey } from '../text/wiki-links.ts'
import { nextSeq } from '../vaults/store.ts'
import { followHolders, refreshLinksFrom, resolveLinks } from './link-notes.ts'
import { noteBodyLimitBytes, noteFields, noteId, resolvedLinks, type Note, type ResolvedLinks } from './note.ts'
import { hasOtherRewrites, planUpdate, type Update } from './plan-update.ts'
import { saveNote } from './save-note.ts'
import { getNote } from './store.ts'

const edit = z.object({
  find: z.string().min(1).max(500_000).describe('A passage that occurs exactly once.'),
  replace: z.string().max(500_000).describe('What takes its place.'),
})

const input = z.object({
  noteId,
  title: noteFields.title.optional().describe('New title; notes that link to this one by the old title are rewritten.'),
  content: noteFields.content.optional(),
  mode: z
    .enum(['replace', 'append', 'prepend'])
    .default('replace')
    .describe('Whether content replaces the text or is put behind or before it, as it is.'),
  edits: z
    .array(edit)
    .min(1)
    .max(100)
    .optional()
    .describe(
      'Changes within the text, one after the other, in place of content; 1 to 100. Times the length of the note at most 5,000,000 characters.',
    ),
  tags: noteFields.tags.optional().describe('All tags from now on, at most 50.'),
  trashed: z
    .literal(false, 'must be false, which restores; use delete-note to trash')
    .optional()
    .describe('false restores a trashed note; delete-note trashes.'),
  expectedVersion: fields.expectedVersion,
  ...fields.inVault,
})

type Input = z.output<typeof input>

export const updateNote = operation({
  name: 'update-note',
  scopes: ['write'],
  vault: 'resolved',
  summary: 'Change a note, or restore a trashed one. Fields left out stay as they are; the last 50 versions are kept.',
  effect: 'write',
  alias: 'noteId',
  bodyLimitBytes: noteBodyLimitBytes,
  input,
  output: z.looseObject({
    noteId: z.uuid(),
    updated: z.boolean().describe('False where nothing was to change.'),
    version: z.int(),
    vaultId: z.uuid(),
    updatedAt: fields.timestamp,
    ...resolvedLinks,
  }),
  examples: {
    input: {
      noteId: '0198c5f0-0000-7000-8000-000000000201',
      content: 'Back up first, see [[Backups]]. Checked on Monday.',
      tags: ['operations', 'checked'],
    },
    output: {
      noteId: '0198c5f0-0000-7000-8000-000000000201',
      updated: true,
      version: 2,
      vaultId: '0198c5f0-0000-7000-8000-000000000001',
      updatedAt: '2026-11-21T09:30:00.000Z',
      links: [{ noteId: '0198c5f0-0000-7000-8000-000000000202', title: 'Backups' }],
      unresolvedLinks: [],
    },
  },
  async run(change, ctx) {
    if (change.content !== undefined && change.edits !== undefined)
      throw invalid({ content: 'give content or edits, not both' })
    for (let attempt = 1; ; attempt++) {
      const answer = await tryUpdate(change, ctx, attempt < maxAttempts)
      if (answer !== undefined) return answer
    }
  },
})

const maxAttempts = 3

/**
 * Undefined where the notes changed meanwhile, their new texts would have to be embedded, which no transaction waits for, and
 * `mayRestart`. Otherwise the change is made to what is there now, and the job that fills in vectors does the rest.
 */
async function tryUpdate(change: Input, ctx: VaultContext, mayRestart: boolean) {
  const { db, vault } = ctx
  const before = await getNote(db.read, vault, change.noteId)
  const planned = await planUpdate(db.read, { ...ctx, pause: nextTurn }, change, before)
  if (planned === undefined) return describe(before, await resolveLinks(db.read, vault, before), false)
  return db.write(async (tx) => {
    const seq = await nextSeq(tx, vault.userId, vault.id)
    const current = await getNote(tx, vault, change.noteId)
    const isStale = current.version !== before.version || (await hasOtherRewrites(tx, vault, planned))
    if (isStale && mayRestart && ctx.embeddings !== undefined) return undefined
    const update = isStale ? await planUpdate(tx, hurried(ctx), change, current) : planned
    if (update === undefined) return describe(current, await resolveLinks(tx, vault, current), false)
    return describe(update.after, await store(tx, vault, seq, update), true)
  })
}

/** In a transaction nothing but itself is waited for. */
const hurried = (ctx: VaultContext) => ({
  ...ctx,
  embeddings: ctx.embeddings && ('later' as const),
  pause: async () => {},
})

async function store(tx: Tx, vault: VaultScope, seq: number, update: Update): Promise<ResolvedLinks> {
  const { before, after, rewrites } = update
  const keys = [...new Set([before, after].map(({ head }) => titleKey(head.title)))]
  const hasMoved = keys.length > 1 || before.trashedAt !== after.trashedAt
  await followHolders(
    tx,
    vault,
    seq,
    { note: after, keys: hasMoved ? keys : [], isForced: rewrites.length > 0 },
    async () => {
      for (const rewrite of rewrites) await saveNote(tx, vault, seq, rewrite)
      await saveNote(tx, vault, seq, update)
    },
  )
  return refreshLinksFrom(tx, vault, seq, after, after.updatedAt)
}

const describe = (note: Note, resolved: ResolvedLinks, updated: boolean) => ({
  noteId: note.noteId,
  updated,
  version: note.version,
  vaultId: note.vaultId,
  updatedAt: isoTime(note.updatedAt),
  ...resolved,
})
