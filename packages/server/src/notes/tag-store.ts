import { exactTag } from '../crypto/blind.ts'
import { tagKeys, type VaultScope } from '../crypto/keys.ts'
import type { Tx } from '../db/dialect.ts'
import { normaliseForEquality } from '@holdfast/transfer/text/normalise'

/** Tags of notes, as keyed tags that lists and searches filter by. */

export async function setNoteTags(
  tx: Tx,
  scope: VaultScope,
  noteId: string,
  tags: readonly string[],
  { isNew = false }: { isNew?: boolean } = {},
): Promise<void> {
  if (!isNew)
    await tx
      .deleteFrom('noteTags')
      .where('userId', '=', scope.userId)
      .where('vaultId', '=', scope.id)
      .where('noteId', '=', noteId)
      .execute()
  const rows = noteTags(scope, tags).map((tag) => ({ userId: scope.userId, vaultId: scope.id, noteId, tag }))
  if (rows.length > 0) await tx.insertInto('noteTags').values(rows).execute()
}

/** One keyed tag for each tag that differs from the others in more than letter case and white space. */
export const noteTags = ({ keys }: VaultScope, tags: readonly string[]): Buffer[] =>
  [...new Set(tags.map(normaliseForEquality))].map((tag) => exactTag(tagKeys(keys).exact, 'note tag', tag))
