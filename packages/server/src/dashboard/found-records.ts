import { z } from 'zod'
import { describeNodes, memoryNodeFields, nodeFields, nodeTypes } from '../graph/nodes.ts'
import { findMemories } from '../memories/store.ts'
import { findOutlines } from '../notes/store.ts'
import type { VaultContext } from '../operation/context.ts'
import { previewOf } from '../text/excerpts.ts'

/** Memories and notes of which no more is known than their ids, as pages show them. */

export const foundRecord = z
  .looseObject({
    ...nodeFields,
    ...memoryNodeFields,
    live: z.boolean().describe('False where it is archived, trashed, expired or superseded.'),
    preview: z.string().describe('How its content begins, in one line of at most 200 characters.'),
  })
  .meta({ id: 'FoundRecord' })

/** In the order of the ids; those that the vault does not hold are missing. */
export async function describeRecords(
  { db, vault, now }: VaultContext,
  ids: readonly string[],
): Promise<z.input<typeof foundRecord>[]> {
  const nodes = await describeNodes(
    db.read,
    vault,
    nodeTypes.flatMap((type) => ids.map((id) => ({ type, id }))),
    now(),
  )
  const memories = await findMemories(
    db.read,
    vault,
    ids.filter((id) => nodes.get(id)?.type === 'memory'),
  )
  const notes = await findOutlines(
    db.read,
    vault,
    ids.filter((id) => nodes.get(id)?.type === 'note'),
  )
  const previews = new Map([
    ...memories.map(({ memoryId, content }) => [memoryId, previewOf(content)] as const),
    ...notes.map(({ noteId, head }) => [noteId, head.preview] as const),
  ])
  return ids.flatMap((id) => {
    const node = nodes.get(id)
    if (node === undefined) return []
    const { isLive, createdAt: _at, ...shown } = node
    return [{ ...shown, live: isLive, preview: previews.get(id) ?? '' }]
  })
}
