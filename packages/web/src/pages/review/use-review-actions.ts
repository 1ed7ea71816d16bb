import type { ReviewedMemory, ReviewItem } from '@holdfast/client/dashboard'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { refresh } from '../../api/queries.ts'
import { countMemories, memoryReads, useMemoryActions } from '../../components/records/use-memory-actions.ts'
import { useRestoreVersion } from '../../components/records/use-restore-version.ts'
import { toast, toastError, toastUndo } from '../../shell/toasts.tsx'

const sureConfidence = 5

/** The pairs and memories decided on this page. */
export interface Judged {
  has(item: ReviewItem): boolean
  add(names: readonly string[]): void
  /** After a decision is undone. */
  drop(name: string): void
}

/** Remembers decisions on a page that isn't fetched again. */
export function useJudged(): Judged {
  const [names, setNames] = useState<ReadonlySet<string>>(new Set())
  return {
    has: (item) => names.has(keyOfItem(item)) || item.memories.some(({ id }) => names.has(id)),
    add: (more) => setNames((before) => new Set([...before, ...more])),
    drop: (name) => setNames((before) => new Set([...before].filter((one) => one !== name))),
  }
}

/** Identifies an item by its proposal, or else by its records. */
export const keyOfItem = ({ memories, proposal, removed }: ReviewItem) =>
  proposal?.proposalId ?? removed?.recordId ?? memories.map(({ id }) => id).join(' ')

const messages = {
  contradiction: 'Both kept',
  duplicate: 'Both kept',
  unsure: 'Left unsure',
  changed: 'Change kept',
  proposal: 'Proposal rejected',
  removed: 'Left removed',
} as const

/** Decisions on items. All but a merge can be undone from their toast. */
export function useReviewActions(vaultId: string, judged: Judged) {
  const client = useQueryClient()
  const { merge, isBusy } = useMemoryActions(vaultId)
  const { restore, isBusy: isRestoring } = useRestoreVersion(vaultId)
  const { mutate, isPending } = useMutation({
    mutationFn: (step: () => Promise<void>) => step(),
    onError: (error) => toastError(error),
    onSettled: () => refresh(client, memoryReads),
  })

  const leave = async (item: ReviewItem) => {
    const { kind, memories } = item
    if (kind === 'proposal') return settle(vaultId, item, 'reject', messages.proposal)
    if (kind === 'removed') return settle(vaultId, item, 'keep', messages.removed)
    const reviewed = { vaultId, kind, ids: memories.map(({ id }) => id) }
    await call('decide-review', { ...reviewed, ...shownVersion(item), decision: 'keep' })
    const key = keyOfItem(item)
    judged.add([key])
    const undo = async () => {
      await call('decide-review', { ...reviewed, decision: 'reopen' })
      judged.drop(key)
      toast('Back in review')
    }
    toastUndo(messages[kind], () => mutate(undo))
  }

  const confirm = async ({ id, confidence }: ReviewedMemory) => {
    await call('rate-memories', { vaultId, ids: [id], confidence: sureConfidence })
    const undo = async () => {
      await call('rate-memories', { vaultId, ids: [id], confidence })
      toast('Back in review')
    }
    toastUndo('Confirmed', () => mutate(undo))
  }

  const archive = async ({ id }: ReviewedMemory) => {
    await call('archive-memories', { vaultId, ids: [id] })
    judged.add([id])
    const undo = async () => {
      await call('restore-memories', { vaultId, ids: [id] })
      judged.drop(id)
      toast(`${countMemories(1)} restored`)
    }
    toastUndo(`${countMemories(1)} archived`, () => mutate(undo))
  }

  return {
    isBusy: isPending || isBusy || isRestoring,
    leave: (item: ReviewItem) => mutate(() => leave(item)),
    accept: (item: ReviewItem) => mutate(() => settle(vaultId, item, 'accept', 'Proposal accepted')),
    bringBack: (item: ReviewItem) => mutate(() => settle(vaultId, item, 'restore', 'Restored')),
    prefer(kept: ReviewedMemory, others: readonly ReviewedMemory[]) {
      const otherIds = others.map(({ id }) => id)
      merge(kept.id, otherIds, () => judged.add(otherIds))
    },
    restoreText: (item: ReviewItem) => restorePersonsText(item, restore),
    confirm: (memory: ReviewedMemory) => mutate(() => confirm(memory)),
    archive: (memory: ReviewedMemory) => mutate(() => archive(memory)),
  }
}

/** Decisions without an undo: the record itself can be changed back. */
async function settle(
  vaultId: string,
  item: ReviewItem,
  decision: 'accept' | 'reject' | 'keep' | 'restore',
  message: string,
): Promise<void> {
  const { kind, proposal, removed } = item
  const expectedVersion = decision === 'reject' ? undefined : (proposal?.version ?? removed?.version)
  const wholeTag = decision === 'accept' ? proposal?.wholeTag : undefined
  const shown = { ...(expectedVersion !== undefined && { expectedVersion }), ...(wholeTag != null && { wholeTag }) }
  await call('decide-review', { vaultId, kind, ids: [keyOfItem(item)], decision, ...shown })
  toast(message)
}

/** If an agent changes it again in the meantime, that isn't on the card, so the decision doesn't cover it. */
const shownVersion = ({ kind, memories: [memory] }: ReviewItem) =>
  kind === 'changed' && memory !== undefined ? { expectedVersion: memory.version } : {}

function restorePersonsText(
  { memories: [memory], former }: ReviewItem,
  restore: ReturnType<typeof useRestoreVersion>['restore'],
): void {
  if (memory === undefined || former === null) return
  const { id: memoryId, version: expectedVersion } = memory
  restore({ memoryId, fromVersion: former.version, expectedVersion, message: 'Your text is restored' })
}

export type ReviewActions = ReturnType<typeof useReviewActions>
