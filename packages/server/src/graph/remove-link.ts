import { z } from 'zod'
import { invalid, notFound } from '../core/errors.ts'
import { enforceLinksOf } from '../memories/related-memories.ts'
import { findLink, findRemovedLinkId, removeLinks, type LinkChoice } from '../links/store.ts'
import { relinkNamed } from '../notes/link-notes.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { refs } from '../calls/records.ts'
import { nextSeq } from '../vaults/store.ts'
import { judgeRemoval } from './judge-node.ts'
import { exampleLink, relationType } from './link.ts'

const input = z.object({
  linkId: z.uuid().optional().describe('Id of the link. Alternatively, pass sourceId, targetId and relationType.'),
  sourceId: z.uuid().optional().describe('Id of the note or memory that the link starts from.'),
  targetId: z.uuid().optional().describe('Id of the note or memory that the link points to.'),
  relationType: relationType.optional().describe('How the source relates to the target.'),
  ...fields.inVault,
})

export const removeLink = operation({
  name: 'remove-link',
  for: { agent: { toolset: 'graph', scopes: ['write'] }, person: 'DELETE /api/links' },
  vault: 'resolved',
  summary: 'Remove a link between two notes or memories. To remove a link in the text of a note, edit the note.',
  effect: 'destructive',
  changes: ['links'],
  alias: 'linkId',
  needs: [['linkId'], ['sourceId', 'targetId', 'relationType']],
  input,
  output: z.looseObject({
    linkId: z.uuid(),
    removed: z.boolean().describe('False if it was already removed.'),
    vaultId: z.uuid(),
  }),
  returns: ({ linkId }) => refs('link', linkId),
  examples: {
    input: { linkId: exampleLink.linkId },
    output: { linkId: exampleLink.linkId, removed: true, vaultId: '0198c5f0-0000-7000-8000-000000000001' },
  },
  async run(request, ctx) {
    const { linkId, removed } = await removeOnce(ctx, choiceOf(request))
    return { linkId, removed, vaultId: ctx.vault.id }
  },
})

function choiceOf({ linkId, sourceId, targetId, relationType: relation }: z.output<typeof input>): LinkChoice {
  if (linkId !== undefined) return { linkId, sourceId, targetId, relationType: relation }
  if (sourceId !== undefined && targetId !== undefined && relation !== undefined)
    return { sourceId, targetId, relationType: relation }
  throw invalid({ linkId: 'required without sourceId, targetId and relationType' })
}

/** 404 if the link never existed. */
function removeOnce(
  ctx: Pick<VaultContext, 'db' | 'vault' | 'now' | 'about' | 'actor' | 'instance'>,
  which: LinkChoice,
): Promise<{ linkId: string; removed: boolean }> {
  const { db, vault, now, about } = ctx
  return db.write(async (tx) => {
    const seq = await nextSeq(tx, vault)
    const link = await findLink(tx, vault, which)
    if (link?.origin === 'wiki') throw invalid({ linkId: 'is in the text of its note; change the note to remove it' })
    if (link !== undefined) {
      enforceLinksOf(await judgeRemoval(tx, ctx, link), 'linkId')
      await removeLinks(tx, vault, { seq, at: now() }, [link.linkId])
      about('link', link.linkId)
      if (link.relationType === 'wiki_link') await relinkNamed(tx, vault, { seq, at: now() }, link)
    }
    const linkId = link?.linkId ?? (await findRemovedLinkId(tx, vault, which))
    if (linkId === undefined) throw notFound('Link')
    return { linkId, removed: link !== undefined }
  })
}
