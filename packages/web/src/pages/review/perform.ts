import type { ReviewedMemory, ReviewItem } from '@holdfast/client/dashboard'
import { call } from '../../api/call.ts'
import { CannotUndo } from '../../components/records/undo-each.ts'
import { canAccept } from './can-accept.ts'
import { keyOfItem } from './use-judged.ts'

/** `dismiss`: don't ask about a guess again, which stays unsure. */
export type Decision = 'accept' | 'reject' | 'dismiss'

/** Undoes a decision. Undefined if it changed nothing, or too much. */
export type Undo = (() => Promise<unknown>) | undefined

const sureConfidence = 5

/** Whether the decision is possible from what the card shows. */
export function canDecide(item: ReviewItem, decision: Decision): boolean {
  if (item.kind === 'proposal' && decision === 'accept') return canAccept(item) && isWhole(item)
  return item.kind !== 'changed' || decision !== 'reject' || item.former !== null
}

/** Whether the item shows all that accepting it changes. */
export const isWhole = ({ changes }: ReviewItem) => !changes.some(({ isCut }) => isCut)

/** Decides one item, and returns how to undo that. `kept`: the memory of a pair that replaces the other one. */
export async function perform(
  vaultId: string,
  item: ReviewItem,
  decision: Decision,
  kept: ReviewedMemory | undefined = item.memories[0],
): Promise<Undo> {
  const { kind } = item
  if (kind === 'proposal') return decision === 'accept' ? accept(vaultId, item) : reject(vaultId, item)
  if (kind === 'removed') return decideRemoved(vaultId, item, decision === 'accept' ? 'keep' : 'restore')
  if (kind === 'changed') return decision === 'accept' ? keep(vaultId, item) : restoreText(vaultId, item)
  if (kept === undefined || decision === 'dismiss') return keep(vaultId, item)
  if (kind === 'unsure') return decision === 'accept' ? confirm(vaultId, kept) : archive(vaultId, kept.id)
  return decision === 'accept' ? merge(vaultId, item, kept) : keep(vaultId, item)
}

async function accept(vaultId: string, item: ReviewItem): Promise<Undo> {
  const { version, wholeTag } = item.proposal ?? { version: null, wholeTag: null }
  const shown = { ...(version !== null && { expectedVersion: version }), ...(wholeTag !== null && { wholeTag }) }
  return undoBy(vaultId, item, await call('decide-review', { ...naming(vaultId, item), decision: 'accept', ...shown }))
}

async function reject(vaultId: string, item: ReviewItem): Promise<Undo> {
  await call('decide-review', { ...naming(vaultId, item), decision: 'reject' })
  return () => call('decide-review', { ...naming(vaultId, item), decision: 'reopen' })
}

async function decideRemoved(vaultId: string, item: ReviewItem, decision: 'keep' | 'restore'): Promise<Undo> {
  const expectedVersion = item.removed?.version
  return undoBy(vaultId, item, await call('decide-review', { ...naming(vaultId, item), decision, expectedVersion }))
}

/** If an agent changes a memory again in the meantime, that isn't on the card, so the decision doesn't cover it. */
async function keep(vaultId: string, item: ReviewItem): Promise<Undo> {
  const { kind, memories } = item
  const reviewed = { vaultId, kind, ids: memories.map(({ id }) => id) }
  const expectedVersion = kind === 'changed' ? memories[0]?.version : undefined
  await call('decide-review', { ...reviewed, decision: 'keep', expectedVersion })
  return () => call('decide-review', { ...reviewed, decision: 'reopen' })
}

async function confirm(vaultId: string, { id, confidence }: ReviewedMemory): Promise<Undo> {
  const { memories } = await call('update-memories', { vaultId, ids: [id], confidence: sureConfidence })
  const [confirmed] = memories
  if (confirmed?.changed !== true) return undefined
  return () => call('update-memory', { vaultId, memoryId: id, confidence, expectedVersion: confirmed.version })
}

export async function archive(vaultId: string, id: string): Promise<() => Promise<unknown>> {
  await call('archive-memories', { vaultId, ids: [id] })
  return async () => {
    const { notFound } = await call('update-memories', { vaultId, ids: [id], archived: false })
    if (notFound.length > 0) throw new CannotUndo('gone')
  }
}

async function merge(vaultId: string, item: ReviewItem, { id }: ReviewedMemory): Promise<Undo> {
  const otherIds = item.memories.map((memory) => memory.id).filter((other) => other !== id)
  return undoBy(vaultId, item, await call('merge-memories', { vaultId, id, otherIds }))
}

async function restoreText(vaultId: string, { memories: [memory], former }: ReviewItem): Promise<Undo> {
  if (memory === undefined || former === null) return async () => {}
  const { id: memoryId, version: expectedVersion } = memory
  const restored = { vaultId, memoryId, fromVersion: former.version, expectedVersion }
  const { version } = await call('update-memory', restored)
  // What was replaced is kept as a version itself.
  return () => call('update-memory', { vaultId, memoryId, fromVersion: expectedVersion, expectedVersion: version })
}

const naming = (vaultId: string, item: ReviewItem) => ({ vaultId, kind: item.kind, ids: [keyOfItem(item)] })

/** Undoes with the token that came with the answer. */
function undoBy(vaultId: string, item: ReviewItem, { undo }: { undo: string | null }): Undo {
  if (undo === null) return undefined
  const { kind, memories, proposal, removed } = item
  const ids = [proposal?.proposalId ?? removed?.recordId ?? memories[0]?.id ?? '']
  return () => call('decide-review', { vaultId, kind, ids, decision: 'undo', undo })
}
