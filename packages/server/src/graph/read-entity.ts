import { z } from 'zod'
import { isoTimeOrNull } from '../core/time.ts'
import { collectDamage } from '../crypto/cell.ts'
import { nameEntities } from '../memories/count-memories.ts'
import { keyedIn } from '../memories/find-page.ts'
import { describeListed, exampleListed, listedMemory } from '../memories/memory.ts'
import { findIntactMemories } from '../memories/store.ts'
import type { VaultContext } from '../operation/context.ts'
import * as fields from '../operation/fields.ts'
import { operation } from '../operation/operation.ts'
import { describeLeftOut, leftOut, page, pageOf } from '../operation/page.ts'
import { addKeyLabels } from '../operation/sent-by.ts'
import { choiceTest, entityTag, groupByEntity, pageOfSlots, slotsOf } from '../vault-index/choose-items.ts'
import type { VaultIndex } from '../vault-index/vault-index.ts'
import { findMentioningNotes, maxNotes, mentioningNote } from './entity-notes.ts'
import { timeline, timelineOf } from './entity-timeline.ts'

const maxNeighbors = 30

const input = z.object({
  ...fields.ownVault,
  name: z.string().min(1).max(200).describe('The entity. Letter case and white space do not matter.'),
  state: z
    .enum(['live', 'all'])
    .default('live')
    .describe('`all`: include archived, expired and superseded memories and tasks.'),
  from: fields.timestamp.optional().describe('List only memories and tasks stored at or after this time.'),
  to: fields.timestamp.optional().describe('List only memories and tasks stored before this time.'),
  limit: fields.limit,
  offset: fields.offset,
})

type Input = z.output<typeof input>

const entityRecord = z
  .looseObject({
    name: z.string().describe('As the newest of its records spells it; as requested if there is none.'),
    counts: z.looseObject({
      memories: z.int(),
      tasks: z.int(),
      notLive: z.int().describe('Archived, expired and superseded ones, which only `all` includes.'),
    }),
    firstAt: fields.timestamp.nullable().describe('When the oldest memory or task was stored.'),
    lastAt: fields.timestamp.nullable(),
    timeline,
    neighbors: z
      .array(z.looseObject({ name: z.string(), count: z.int().describe('Number of records about both.') }))
      .describe(`The ${maxNeighbors} entities that are most often next to it.`),
    notes: z
      .array(mentioningNote)
      .describe(`The ${maxNotes} live notes that mention it most. An everyday word counts in titles and tags only.`),
    totalNotes: z.int(),
  })
  .describe('All of it, whichever page is listed.')

export const readEntity = operation({
  name: 'read-entity',
  // A name is content: in the body, no proxy logs it.
  for: { person: 'POST /api/entities/read' },
  vault: 'required',
  summary:
    'Read what a vault has about an entity: memories and tasks, notes that mention it, entities next to it, and when they were stored. Does not count as a recall.',
  effect: 'read',
  outdatedBy: ['memories', 'tasks', 'notes'],
  input,
  output: z.looseObject({
    about: entityRecord,
    memories: z.array(listedMemory).describe('Memories and tasks, newest first.'),
    ...leftOut,
    ...page,
  }),
  examples: {
    input: { vaultId: exampleListed.vaultId, name: 'go' },
    output: {
      about: {
        name: 'Go',
        counts: { memories: 1, tasks: 0, notLive: 0 },
        firstAt: exampleListed.createdAt,
        lastAt: exampleListed.createdAt,
        timeline: {
          unit: 'day',
          points: [{ from: '2026-11-21T00:00:00.000Z', to: '2026-11-22T00:00:00.000Z', count: 1 }],
        },
        neighbors: [{ name: 'editors', count: 1 }],
        notes: [],
        totalNotes: 0,
      },
      memories: [exampleListed],
      total: 1,
      limit: 20,
      offset: 0,
      hasMore: false,
    },
  },
  async run(request, ctx) {
    const { db, vault, instance, indexes } = ctx
    const found = await indexes.read(vault, (index) => findRecords(index, request, ctx))
    const damage = collectDamage(instance.onDamage)
    const intact = await findIntactMemories(db.read, vault, found.ids, damage.onDamage)
    const byId = new Map(intact.map((memory) => [memory.memoryId, memory]))
    const memories = found.ids.flatMap((id) => byId.get(id) ?? []).map(describeListed)
    await addKeyLabels(ctx, memories)
    const { notes, total, damagedIds } = await findMentioningNotes(ctx, request.name)
    const tag = entityTag(request.name, keyedIn(vault))
    const named = await nameEntities(ctx, found.neighbors)
    const isSelf = ({ value }: { value: string }) => entityTag(value, keyedIn(vault)) === tag
    return {
      about: {
        name: named.find(isSelf)?.value ?? request.name,
        counts: found.counts,
        firstAt: isoTimeOrNull(found.times.at(0)),
        lastAt: isoTimeOrNull(found.times.at(-1)),
        timeline: timelineOf(found.times),
        neighbors: named.filter((each) => !isSelf(each)).map(({ value: name, count }) => ({ name, count })),
        notes,
        totalNotes: total,
      },
      memories,
      ...describeLeftOut(new Set([...damage.ids, ...damagedIds])),
      ...pageOf(request, found.total),
    }
  },
})

function findRecords(
  index: VaultIndex,
  { name: entity, state, from, to, limit, offset }: Input,
  { vault, now }: Pick<VaultContext, 'vault' | 'now'>,
) {
  const keyed = keyedIn(vault)
  const all = { state: 'all' as const, at: now(), kinds: ['memory'], entity }
  // The one test of every slot: 100,000 take 80 ms.
  const known = slotsOf(index, choiceTest(index, all, keyed))
  const live = known.filter(choiceTest(index, { ...all, state: 'live' }, keyed))
  const slots = state === 'all' ? known : live
  const tasks = slots.filter(choiceTest(index, { ...all, types: ['task'] }, keyed)).length
  const isListed = choiceTest(
    index,
    {
      ...all,
      ...(from !== undefined && { createdAfter: Date.parse(from) }),
      ...(to !== undefined && { createdBefore: Date.parse(to) }),
    },
    keyed,
  )
  const listed = slots.filter(isListed)
  const { createdAt } = index.parts.facts.arrays
  return {
    counts: {
      memories: slots.length - tasks,
      tasks,
      notLive: known.length - live.length,
    },
    times: slots.map((slot) => createdAt[slot] as number).toSorted((a, b) => a - b),
    // The entity itself is in all of them.
    neighbors: groupByEntity(index, slots.toReversed(), maxNeighbors + 1).groups,
    ids: pageOfSlots(index, listed, 'newest', { limit, offset }),
    total: listed.length,
  }
}
