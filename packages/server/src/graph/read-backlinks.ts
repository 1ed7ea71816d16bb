import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import * as fields from '../operation/fields.ts'
import type { VaultContext } from '../operation/context.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { page, pageOf } from '../operation/page.ts'
import { exampleNote, noteId } from '../notes/note.ts'
import { findIntactNotes, getNote } from '../notes/store.ts'
import { lineAround } from '../text/find-in-text.ts'
import { findWikiLink, titleKey } from '@holdfast/transfer/text/wiki-links'
import { exampleLink } from './link.ts'
import { nodeLink, readNodeLinks } from './node-links.ts'

const backlink = nodeLink.extend({
  excerpt: z.string().nullable().describe('The text around the link in a note, at most 200 characters.'),
})

export const readBacklinks = operation({
  name: 'read-backlinks',
  for: { person: 'GET /api/notes/backlinks' },
  vault: 'required',
  summary: 'List the links to a note, newest first: from notes that mention its title, and links added separately.',
  effect: 'read',
  outdatedBy: ['notes', 'links', 'memories'],
  about: ({ id }) => refs('note', id),
  input: z.object({
    ...fields.ownVault,
    id: noteId,
    limit: fields.limit,
    offset: fields.offset,
  }),
  output: z.looseObject({ backlinks: z.array(backlink), ...page }),
  examples: {
    input: { vaultId: exampleNote.vaultId, id: exampleNote.noteId },
    output: {
      backlinks: [
        {
          ...exampleLink,
          sourceType: 'note',
          sourceId: '0198c5f0-0000-7000-8000-000000000203',
          targetType: 'note',
          targetId: exampleNote.noteId,
          relationType: 'wiki_link',
          label: null,
          origin: 'wiki',
          direction: 'incoming',
          other: { id: '0198c5f0-0000-7000-8000-000000000203', type: 'note', title: 'House rules', live: true },
          excerpt: 'Nothing is deployed on a Friday, see [[Deploying Holdfast]].',
        },
      ],
      total: 1,
      limit: 20,
      offset: 0,
      hasMore: false,
    },
  },
  async run({ id, limit, offset }, ctx) {
    const { head } = await getNote(ctx.db.read, ctx.vault, id)
    const { links, total } = await readNodeLinks(ctx, id, { direction: 'incoming', limit, offset })
    const naming = links.filter(({ origin }) => origin === 'wiki').map(({ sourceId }) => sourceId)
    const excerpts = await findExcerpts(ctx, naming, titleKey(head.title))
    return {
      backlinks: links.map((link) => ({
        ...link,
        excerpt: (link.origin === 'wiki' ? excerpts.get(link.sourceId) : undefined) ?? null,
      })),
      ...pageOf({ limit, offset }, total),
    }
  },
})

/** Kept small, because a note can have 500,000 characters. */
const openedAtOnce = 5

/** For each note, the text around its first link to the title. */
async function findExcerpts(
  { db, vault }: Pick<VaultContext, 'db' | 'vault'>,
  noteIds: readonly string[],
  key: string,
): Promise<Map<string, string>> {
  const excerpts = new Map<string, string>()
  for (let at = 0; at < noteIds.length; at += openedAtOnce) {
    for (const { noteId: source, content } of await findIntactNotes(
      db.read,
      vault,
      noteIds.slice(at, at + openedAtOnce),
    )) {
      const place = findWikiLink(content, key)
      if (place !== undefined) excerpts.set(source, lineAround(content, place))
    }
    await nextTurn()
  }
  return excerpts
}
