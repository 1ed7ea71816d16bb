import { z } from 'zod'
import { isoTime } from '../core/time.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import {
  choiceTest,
  entityTag,
  type EntityGroup,
  groupByAgent,
  groupByEntity,
  type ItemGroup,
  type ItemState,
  itemStates,
  slotsOf,
} from '../vault-index/choose-items.ts'
import { keyedIn } from './find-page.ts'
import { countPassing, countPlain, type PlainCount } from './list-store.ts'
import { exampleMemory, type Memory, memoryTypes } from './memory.ts'
import { findIntactMemories } from './store.ts'

const count = z.int()
const named = z.array(z.looseObject({ value: z.string(), count })).describe('The 50 most frequent.')

export const countMemories = operation({
  name: 'count-memories',
  for: { person: 'GET /api/memories/facets' },
  vault: 'required',
  summary: 'Count memories by type, importance, agent and entity, to show as filters of a list.',
  effect: 'read',
  outdatedBy: ['memories', 'links'],
  input: z.object({
    ...fields.ownVault,
    state: z
      .enum(itemStates)
      .default('live')
      .describe(
        '`live`: the memories that searches find. `superseded`: replaced by another, or expired and not archived yet. `all`: these and archived ones.',
      ),
  }),
  output: z.looseObject({
    total: count.describe('Memories in the requested state. All counts except `states` include only these.'),
    types: z.array(z.looseObject({ value: z.enum(memoryTypes), count })),
    importances: z.array(z.looseObject({ value: z.int(), count })).describe('The most important first.'),
    agents: named.describe('Their authors, at most 50, the most frequent first.'),
    entities: z
      .array(
        z.looseObject({
          value: z.string(),
          count,
          lastAt: fields.timestamp.describe('When the newest of its memories was stored.'),
        }),
      )
      .describe('What they are about, at most 50, the most frequent first.'),
    entityTotal: count.describe(
      'The number of entities in memories of this state, which may be more than `entities` lists.',
    ),
    states: z
      .looseObject({ live: count, superseded: count, archived: count, all: count })
      .describe('`all` is the sum of the others.'),
    neverRecalled: count,
    contradicts: count.describe('With a `contradicts` link.'),
  }),
  examples: {
    input: { vaultId: exampleMemory.vaultId },
    output: {
      total: 1,
      types: [{ value: 'preference', count: 1 }],
      importances: [{ value: 4, count: 1 }],
      agents: [{ value: 'claude-code', count: 1 }],
      entities: [{ value: 'Go', count: 1, lastAt: exampleMemory.createdAt }],
      entityTotal: 1,
      states: { live: 1, superseded: 0, archived: 0, all: 1 },
      neverRecalled: 1,
      contradicts: 0,
    },
  },
  run: ({ state }, ctx) => countFacets(ctx, state),
})

const maxNames = 50

/**
 * Counts the memories in a state by each filter. The vault's index counts agents and entities by their keyed words; one
 * memory of each is opened for the spelling.
 */
async function countFacets(ctx: Pick<VaultContext, 'db' | 'vault' | 'indexes' | 'now'>, state: ItemState) {
  const { db, vault, now } = ctx
  const all = await countPlain(db.read, vault, now())
  const counts = all.filter(isIn[state])
  const { agents, entities, entityTotal, contradicts } = await countSealed(ctx, state)
  const sum = (passes: (each: PlainCount) => boolean) => sumOf(counts.filter(passes))
  return {
    total: sumOf(counts),
    types: withoutNone(memoryTypes.map((value) => ({ value, count: sum(({ type }) => type === value) }))),
    importances: withoutNone(
      [5, 4, 3, 2, 1].map((value) => ({ value, count: sum(({ importance }) => importance === value) })),
    ),
    agents,
    entities,
    entityTotal,
    states: {
      live: sumOf(all.filter(isIn.live)),
      superseded: sumOf(all.filter(isIn.superseded)),
      archived: sumOf(all.filter(isIn.archived)),
      all: sumOf(all),
    },
    neverRecalled: await countPassing(db.read, vault, { state, now: now(), neverRecalled: true }),
    contradicts,
  }
}

const isIn: Record<ItemState, (each: PlainCount) => boolean> = {
  live: ({ isLive }) => isLive === 1,
  superseded: ({ isLive, isArchived }) => isLive === 0 && isArchived === 0,
  archived: ({ isArchived }) => isArchived === 1,
  all: () => true,
}

const sumOf = (counts: readonly PlainCount[]): number => counts.reduce((total, each) => total + each.count, 0)

const withoutNone = <T extends { count: number }>(counts: readonly T[]): T[] => counts.filter((each) => each.count > 0)

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
    entities: await nameEntities({ db, vault }, counted.entities.groups),
    entityTotal: counted.entities.total,
    contradicts: counted.contradicts,
  }
}

export async function nameAgents(ctx: Pick<VaultContext, 'db' | 'vault'>, groups: readonly ItemGroup[]) {
  const found = await nameGroups(ctx, groups, ({ head }) => head.agentId)
  return found.map(({ value, group }) => ({ value, count: group.count }))
}

export async function nameEntities({ db, vault }: Pick<VaultContext, 'db' | 'vault'>, groups: readonly EntityGroup[]) {
  const found = await nameGroups({ db, vault }, groups, ({ head }, { tag }) =>
    head.entities.find((entity) => entityTag(entity, keyedIn(vault)) === tag),
  )
  return found.map(({ value, group }) => ({ value, count: group.count, lastAt: isoTime(group.lastAt) }))
}

interface Named<T extends ItemGroup> {
  value: string
  group: T
}

/** The names of the groups, read from one memory of each. */
async function nameGroups<T extends ItemGroup>(
  { db, vault }: Pick<VaultContext, 'db' | 'vault'>,
  groups: readonly T[],
  nameOf: (memory: Memory, group: T) => string | undefined,
): Promise<Named<T>[]> {
  const ids = [...new Set(groups.map(({ itemId }) => itemId))]
  const memories = new Map((await findIntactMemories(db.read, vault, ids)).map((memory) => [memory.memoryId, memory]))
  const names = groups.flatMap((group) => {
    const memory = memories.get(group.itemId)
    const value = memory && nameOf(memory, group)
    // It may have changed since the index was read.
    return value === undefined ? [] : [{ value, group }]
  })
  return names.toSorted(byCount)
}

const byCount = (a: Named<ItemGroup>, b: Named<ItemGroup>): number =>
  b.group.count - a.group.count || (a.value < b.value ? -1 : 1)
