import { policyHolder } from '../proposals/permit.ts'
import type { WriteRule } from '../auth/write-policy.ts'
import type { Tx } from '../db/dialect.ts'
import type { StoredLink } from '../links/store.ts'
import { permitOf } from '../memories/related-memories.ts'
import { getMemory } from '../memories/store.ts'
import { judgeNote } from '../notes/note.ts'
import { getNote } from '../notes/store.ts'
import type { VaultContext } from '../operation/context.ts'
import type { NodeRef } from './nodes.ts'

/** What the caller may do to the ends of links. */

type Context = Pick<VaultContext, 'vault' | 'actor' | 'instance'>

export async function judgeNode(tx: Tx, ctx: Context, { type, id }: NodeRef): Promise<WriteRule> {
  if (ctx.actor.kind === 'person') return 'yes'
  return type === 'memory'
    ? permitOf(ctx)(tx, await getMemory(tx, ctx.vault, id))
    : judgeNote(ctx, await getNote(tx, ctx.vault, id))
}

/** Whether the caller may remove a link: the record that it starts from counts, and the person who made it. */
export async function judgeRemoval(tx: Tx, ctx: Context, link: StoredLink): Promise<WriteRule> {
  const rule = await judgeNode(tx, ctx, { type: link.sourceType, id: link.sourceId })
  if (rule !== 'yes' || link.origin !== 'dashboard') return rule
  return policyHolder(ctx)?.policy.persons ?? 'yes'
}
