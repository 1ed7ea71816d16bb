import { wordTags } from '../crypto/blind.ts'
import { tagKeys } from '../crypto/keys.ts'
import { keyedIn } from '../memories/find-page.ts'
import type { VaultContext } from '../operation/context.ts'
import { choiceTest, slotsOf } from '../vault-index/choose-items.ts'
import { searchFields } from '../vault-index/field-search.ts'
import { distinctWords, keyQuery } from '../vault-index/query.ts'
import type { SlotTest } from '../vault-index/live.ts'
import type { VaultIndex } from '../vault-index/vault-index.ts'

/** What is sealed in tasks; what is left out does not filter. */
interface SealedTaskFilter {
  /** Words that they hold. */
  q?: string | undefined
  entity?: string | undefined
  /** In which they were made. */
  agentRunId?: string | undefined
}

const maxWords = 8

/** The ids of the tasks that pass, in whatever state; undefined where nothing filters. */
export async function chooseTasks(
  { vault, indexes, now }: VaultContext,
  { q, entity, agentRunId }: SealedTaskFilter,
): Promise<string[] | undefined> {
  if (q === undefined && entity === undefined && agentRunId === undefined) return undefined
  const at = now()
  const keyed = (words: readonly string[]) => wordTags(tagKeys(vault.keys).words, words)
  const questions =
    q === undefined
      ? []
      : distinctWords(q)
          .slice(0, maxWords)
          .map((word) => keyQuery(word, at, keyed))
  return indexes.read(vault, (index) => {
    const choice = {
      state: 'all' as const,
      at,
      kinds: ['memory'],
      types: ['task'],
      ...(entity !== undefined && { entity }),
      ...(agentRunId !== undefined && { agentRunId }),
    }
    const test = choiceTest(index, choice, keyedIn(vault))
    if (q === undefined) return slotsOf(index, test).map((slot) => index.itemIdOf(slot))
    return holdersOfAll(index, questions, test)
  })
}

/** Those that hold every word. A word that none holds is passed over: it may be the half of one that is still being typed. */
function holdersOfAll(index: VaultIndex, questions: readonly ReturnType<typeof keyQuery>[], test: SlotTest): string[] {
  let held: ReadonlySet<string> | undefined
  for (const question of questions) {
    const all = { within: ['content', 'title', 'tags'] as const, limit: index.slotCount, offset: 0 }
    const ids = new Set(searchFields(index, question, test, all).hits.map(({ itemId }) => itemId))
    if (ids.size > 0) held = new Set([...ids].filter((id) => held?.has(id) ?? true))
  }
  return [...(held ?? [])]
}
