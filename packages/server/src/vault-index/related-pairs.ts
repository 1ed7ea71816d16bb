import type { SlotTest } from './live.ts'
import type { VaultIndex } from './vault-index.ts'

/** The ids of items that pass and have a link of this relation to another one that passes, from its source to its target. */
export function relatedPairs(index: VaultIndex, relationType: string, passes: SlotTest): [string, string][] {
  const { parts } = index
  const links: [number, number][] = []
  parts.links.forEachOf(parts.relationNames.indexOf(relationType), (source, target) => links.push([source, target]))
  const wanted = new Set(links.flat())
  const itemIds = new Map<number, string>()
  for (let slot = 0; slot < index.slotCount && wanted.size > 0; slot++) {
    const node = parts.slotNodes[slot] as number
    if (wanted.has(node) && passes(slot)) itemIds.set(node, index.itemIdOf(slot))
  }
  return links.flatMap(([source, target]) => {
    const [sourceId, targetId] = [itemIds.get(source), itemIds.get(target)]
    return sourceId === undefined || targetId === undefined ? [] : [[sourceId, targetId] as [string, string]]
  })
}
