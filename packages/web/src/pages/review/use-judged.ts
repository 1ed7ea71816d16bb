import type { ReviewItem } from '@holdfast/client/dashboard'
import { useState } from 'react'

/** Identifies an item by its proposal, or else by its records. */
export const keyOfItem = ({ memories, proposal, removed }: ReviewItem) =>
  proposal?.proposalId ?? removed?.recordId ?? memories.map(({ id }) => id).join(' ')

/** Not empty, also for a record that is gone or has no words. */
export function titleOfItem({ proposal, removed, memories: [memory] }: ReviewItem): string {
  const title = proposal?.title ?? removed?.title ?? memory?.title ?? ''
  return title === '' ? 'an untitled item' : title
}

/** Items, or memories of items, that the page hides: they are decided or skipped. */
export interface Judged {
  has(item: ReviewItem): boolean
  add(keys: readonly string[]): void
  drop(keys: readonly string[]): void
  clear(): void
  count: number
}

export function useJudged(): Judged {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  return {
    has: (item) => keys.has(keyOfItem(item)) || item.memories.some(({ id }) => keys.has(id)),
    add: (more) => setKeys((before) => new Set([...before, ...more])),
    drop: (some) => setKeys((before) => new Set([...before].filter((key) => !some.includes(key)))),
    clear: () => setKeys(new Set()),
    count: keys.size,
  }
}
