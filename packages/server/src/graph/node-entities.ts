import { z } from 'zod'
import { keyedIn } from '../memories/find-page.ts'
import type { VaultContext } from '../operation/context.ts'
import { countByEntity, eachEntity, entityTag, tagAt } from '../vault-index/choose-items.ts'
import type { SlotTest } from '../vault-index/live.ts'
import type { VaultIndex } from '../vault-index/vault-index.ts'
import type { ShownNode } from './describe-walk.ts'

/** The entities that nodes of a graph share with other records of the vault. */

/** More are unreadable on a map. */
export const maxEntities = 100

export const graphEntity = z
  .looseObject({
    id: z
      .string()
      .describe('The same whenever the vault is asked, however the name is spelled. Says nothing about it.'),
    name: z.string().describe('As a record spells it.'),
    count: z.int().describe('Number of records about it that match the filter, at least 2.'),
    nodeIds: z.array(z.uuid()).describe('The nodes of this answer that are about it.'),
  })
  .meta({ id: 'GraphEntity' })

export const exampleEntity = (...nodeIds: string[]): z.infer<typeof graphEntity> => ({
  id: '3405691582.2343432205',
  name: 'Go',
  count: 7,
  nodeIds,
})

/** Without its name, which only the records have. */
export interface FoundEntity {
  id: string
  count: number
  nodeIds: string[]
}

/** How many records that pass are about each entity, by its number. An entity of a single record connects nothing. */
export interface SharedEntities {
  counts: Uint32Array
  /** The number of a slot's entities that another record has too. */
  sharedAt: (slot: number) => number
}

/** Reads each slot once: 100,000 with three entities each take 4 ms. */
export function findShared(index: VaultIndex, passes: SlotTest): SharedEntities {
  const counts = countByEntity(index, passes)
  return {
    counts,
    sharedAt(slot) {
      let shared = 0
      eachEntity(index, slot, (entity) => (shared += (counts[entity] as number) > 1 ? 1 : 0))
      return shared
    },
  }
}

/** The shared entities of these nodes: those that connect most of them first, then those of most records. */
export function entitiesAmong(
  index: VaultIndex,
  nodeIds: readonly string[],
  { counts }: SharedEntities,
): { entities: FoundEntity[]; isCut: boolean } {
  const nodesOf = new Map<number, string[]>()
  for (const id of nodeIds) {
    const slot = index.slotOf(id)
    if (slot < 0) continue
    eachEntity(index, slot, (entity) => {
      if ((counts[entity] as number) > 1) nodesOf.set(entity, [...(nodesOf.get(entity) ?? []), id])
    })
  }
  const entities = Array.from(nodesOf, ([entity, ids]) => ({
    id: tagAt(index, entity),
    count: counts[entity] as number,
    nodeIds: ids,
  })).toSorted((a, b) => b.nodeIds.length - a.nodeIds.length || b.count - a.count || (a.id < b.id ? -1 : 1))
  return { entities: entities.slice(0, maxEntities), isCut: entities.length > maxEntities }
}

/** Entities with their names, from the nodes that were described. Leaves out those that no node has any more. */
export function nameShared(
  vault: VaultContext['vault'],
  found: readonly FoundEntity[],
  nodes: readonly ShownNode[],
): z.infer<typeof graphEntity>[] {
  const keyed = keyedIn(vault)
  const names = new Map<string, { name: string; nodeIds: string[] }>()
  const tags = new Map<string, string>()
  for (const { id, entities = [] } of nodes)
    for (const name of entities) {
      const tag = tags.get(name) ?? entityTag(name, keyed)
      tags.set(name, tag)
      const known = names.get(tag)
      if (known === undefined) names.set(tag, { name, nodeIds: [id] })
      else if (known.nodeIds.at(-1) !== id) known.nodeIds.push(id)
    }
  return found.flatMap(({ id, count }) => {
    const named = names.get(id)
    return named === undefined ? [] : [{ id, count, ...named }]
  })
}
