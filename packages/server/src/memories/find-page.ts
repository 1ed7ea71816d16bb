import { wordTags } from '../crypto/blind.ts'
import { tagKeys } from '../crypto/keys.ts'
import type { VaultContext } from '../operation/context.ts'
import { choiceTest, pageOfSlots, slotsOf, type ItemChoice } from '../vault-index/choose-items.ts'
import type { WordTags } from '../vault-index/key-entry.ts'
import { compareBy, findPassing, listMemoryIds, type MemorySort, type PlainFilter } from './list-store.ts'

/** What is sealed in records; what is left out does not filter. */
export interface SealedFilter {
  agentId?: string | undefined
  entity?: string | undefined
  agentRunId?: string | undefined
  /** Has a link of this relation, either way. */
  relationType?: string | undefined
}

type Context = Pick<VaultContext, 'db' | 'vault' | 'indexes'>

interface Page {
  ids: string[]
  total: number
}

/**
 * A page of memories. By plain columns the database finds it. What is sealed the vault's index knows, and most of what is plain.
 * For the rest it names those that may pass, whose columns are then read, 500 at once (1,000: 10 ms; 100,000 of one agent: 1 s).
 */
export async function findPage(
  ctx: Context,
  plain: PlainFilter,
  sealed: SealedFilter,
  sort: MemorySort,
  { limit, offset }: { limit: number; offset: number },
): Promise<Page> {
  if (!isNarrowed(sealed)) return listMemoryIds(ctx.db.read, ctx.vault, plain, sort, { limit, offset })
  const { state, neverRecalled } = plain
  if (state !== 'archived' && neverRecalled !== true && sort !== 'updated' && sort !== 'recalled') {
    const choice = choiceOf(plain, sealed)
    return ctx.indexes.read(ctx.vault, (index) => {
      const slots = slotsOf(index, choiceTest(index, choice, keyedIn(ctx.vault)))
      return { ids: pageOfSlots(index, slots, sort, { limit, offset }), total: slots.length }
    })
  }
  const passing = await findPassing(ctx.db.read, ctx.vault, plain, await chooseIds(ctx, plain, sealed))
  const page = passing.toSorted(compareBy(sort)).slice(offset, offset + limit)
  return { ids: page.map(({ id }) => id), total: passing.length }
}

export const isNarrowed = (sealed: SealedFilter): boolean => Object.values(sealed).some((value) => value !== undefined)

/** The memories that pass both filters as far as the vault's index can tell: all that do, and perhaps some more. */
export function chooseIds({ vault, indexes }: Context, plain: PlainFilter, sealed: SealedFilter): Promise<string[]> {
  const choice = choiceOf(plain, sealed)
  return indexes.read(vault, (index) =>
    slotsOf(index, choiceTest(index, choice, keyedIn(vault))).map((slot) => index.itemIdOf(slot)),
  )
}

export const keyedIn =
  (vault: VaultContext['vault']): WordTags =>
  (words) =>
    wordTags(tagKeys(vault.keys).words, words)

function choiceOf(plain: PlainFilter, { agentId, entity, agentRunId, relationType }: SealedFilter): ItemChoice {
  const { types, importanceMin, createdFrom, createdTo } = plain
  return {
    state: plain.state,
    at: plain.now,
    kinds: ['memory'],
    ...(types !== undefined && { types }),
    ...(importanceMin !== undefined && { minImportance: importanceMin }),
    ...(createdFrom !== undefined && { createdAfter: createdFrom }),
    ...(createdTo !== undefined && { createdBefore: createdTo }),
    ...(agentId !== undefined && { agentId }),
    ...(entity !== undefined && { entity }),
    ...(agentRunId !== undefined && { agentRunId }),
    ...(relationType !== undefined && { relationType }),
  }
}
