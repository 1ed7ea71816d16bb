import type { VaultContext } from '../operation/context.ts'
import {
  choiceTest,
  entityTag,
  groupByAgent,
  groupByEntity,
  slotsOf,
  type ItemGroup,
  type ItemState,
} from '../vault-index/choose-items.ts'
import { keyedIn } from './find-page.ts'
import { countPlain, type PlainCount } from './list-store.ts'
import { memoryTypes, type Memory } from './memory.ts'
import { findMemories } from './store.ts'

const maxNames = 50

/**
 * How many memories of the state there are by what lists are narrowed by. Who wrote them and what they are about the vault's
 * index counts, by keyed words; one memory of each is opened to learn how it is spelled.
 */
export async function countFacets(ctx: Pick<VaultContext, 'db' | 'vault' | 'indexes' | 'now'>, state: ItemState) {
  const { db, vault, now } = ctx
  const all = await countPlain(db.read, vault, now())
  const counts = all.filter(isIn[state])
  const { agents, entities, contradicts } = await countSealed(ctx, state)
  const sum = (passes: (each: PlainCount) => boolean) => sumOf(counts.filter(passes))
  return {
    total: sumOf(counts),
    types: withoutNone(memoryTypes.map((value) => ({ value, count: sum(({ type }) => type === value) }))),
    importances: withoutNone(
      [5, 4, 3, 2, 1].map((value) => ({ value, count: sum(({ importance }) => importance === value) })),
    ),
    agents,
    entities,
    states: { live: sumOf(all.filter(isIn.live)), archived: sumOf(all.filter(isIn.archived)), all: sumOf(all) },
    neverRecalled: sum(({ isRecalled }) => isRecalled === 0),
    contradicts,
  }
}

const isIn: Record<ItemState, (each: PlainCount) => boolean> = {
  live: ({ isLive }) => isLive === 1,
  archived: ({ isArchived }) => isArchived === 1,
  all: () => true,
}

const sumOf = (counts: readonly PlainCount[]): number => counts.reduce((total, { count }) => total + count, 0)

const withoutNone = <T extends { count: number }>(counts: readonly T[]): T[] => counts.filter(({ count }) => count > 0)

async function countSealed(
  { db, vault, indexes, now }: Pick<VaultContext, 'db' | 'vault' | 'indexes' | 'now'>,
  state: ItemState,
) {
  const keyed = keyedIn(vault)
  const choice = { state, at: now(), kinds: ['memory'] }
  const counted = await indexes.read(vault, (index) => {
    const slots = slotsOf(index, choiceTest(index, choice, keyed))
    const isContradicted = choiceTest(index, { ...choice, relationType: 'contradicts' }, keyed)
    return {
      agents: groupByAgent(index, slots, maxNames),
      entities: groupByEntity(index, slots, maxNames),
      contradicts: slots.filter(isContradicted).length,
    }
  })
  return {
    agents: await nameAgents({ db, vault }, counted.agents),
    entities: await nameEntities({ db, vault }, counted.entities),
    contradicts: counted.contradicts,
  }
}

export const nameAgents = (ctx: Pick<VaultContext, 'db' | 'vault'>, groups: readonly ItemGroup[]) =>
  nameGroups(ctx, groups, ({ head }) => head.agentId)

export const nameEntities = (
  { db, vault }: Pick<VaultContext, 'db' | 'vault'>,
  groups: readonly (ItemGroup & { tag: string })[],
) =>
  nameGroups({ db, vault }, groups, ({ head }, { tag }) =>
    head.entities.find((entity) => entityTag(entity, keyedIn(vault)) === tag),
  )

/** What the groups are called, by the record of one item of each. */
async function nameGroups<T extends ItemGroup>(
  { db, vault }: Pick<VaultContext, 'db' | 'vault'>,
  groups: readonly T[],
  nameOf: (memory: Memory, group: T) => string | undefined,
): Promise<NameCount[]> {
  const ids = [...new Set(groups.map(({ itemId }) => itemId))]
  const memories = new Map((await findMemories(db.read, vault, ids)).map((memory) => [memory.memoryId, memory]))
  const named = groups.flatMap((group) => {
    const memory = memories.get(group.itemId)
    const value = memory && nameOf(memory, group)
    // Changed or deleted since the index was read.
    return value === undefined ? [] : [{ value, count: group.count }]
  })
  return named.toSorted(byCount)
}

type NameCount = {
  value: string
  count: number
}

const byCount = (a: NameCount, b: NameCount): number => b.count - a.count || (a.value < b.value ? -1 : 1)
