import { invalid, notFound } from '../core/errors.ts'
import { findLink, findRemovedLinkId, removeLinks, type LinkChoice } from '../links/store.ts'
import { relinkNamed } from '../notes/link-notes.ts'
import type { VaultContext } from '../operation/context.ts'
import { nextSeq } from '../vaults/store.ts'

/** Removes a link; `removed` is false where it had been removed before, 404 where there never was one. */
export const dropLink = (
  { db, vault, now }: Pick<VaultContext, 'db' | 'vault' | 'now'>,
  which: LinkChoice,
): Promise<{ linkId: string; removed: boolean }> =>
  db.write(async (tx) => {
    const seq = await nextSeq(tx, vault.userId, vault.id)
    const link = await findLink(tx, vault, which)
    if (link?.origin === 'wiki')
      throw invalid({ linkId: 'stands in the text of its note and goes with it; change the note' })
    if (link !== undefined) {
      await removeLinks(tx, vault, seq, [link.linkId], now())
      if (link.relationType === 'wiki_link') await relinkNamed(tx, vault, seq, link, now())
    }
    const linkId = link?.linkId ?? (await findRemovedLinkId(tx, vault, which))
    if (linkId === undefined) throw notFound('Link')
    return { linkId, removed: link !== undefined }
  })
