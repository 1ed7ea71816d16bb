import { forbidden, invalid, notFound } from '../core/errors.ts'
import type { WriteRule } from '../auth/write-policy.ts'
import type { WriteTime } from '../core/time.ts'
import type { VaultScope } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import { findLink, insertLink, listLinksFrom, type NewLink, removeLinks } from '../links/store.ts'
import { listKinds, updateEntry } from '../vault-index/stored/store.ts'
import type { CallContext } from '../operation/context.ts'
import { enforce, policyHolder, type Permit, type PolicyHolder } from '../proposals/permit.ts'
import { askedMemory, judgeText, removedBy } from './authorship.ts'
import type { Memory, RelatedMemory } from './memory.ts'
import type { Writer } from '../operation/writer.ts'
import { findMemories, findSuccessorId, getMemory, updateMemory } from './store.ts'

/** Links between memories of a vault: `relatedMemoryIds`, source notes, and which memory supersedes which. */

/** So many memories, each of which supersedes the next, are looked at. */
const maxSuperseded = 100

/**
 * What an agent may do to a memory. It stands for those that it supersedes, so what a person wrote can't be lost by changing or archiving
 * what replaced it.
 */
export async function judgeMemory(
  db: Reader,
  scope: VaultScope,
  holder: PolicyHolder | undefined,
  memory: Memory,
): Promise<WriteRule> {
  let rule = judgeText(holder, memory)
  let { supersedesId } = memory
  for (let looked = 0; rule === 'yes' && supersedesId !== undefined && looked < maxSuperseded; looked++) {
    const [former] = await findMemories(db, scope, [supersedesId])
    if (former === undefined) break
    rule = judgeText(holder, former)
    supersedesId = former.supersedesId
  }
  return rule
}

/** What the caller may do. The policy is opened only when there is a memory to judge: most writes change none. */
export const permitOf =
  (ctx: Pick<CallContext, 'actor' | 'instance'> & { vault: VaultScope }): Permit<Memory> =>
  (tx, memory) =>
    judgeMemory(tx, ctx.vault, policyHolder(ctx), memory)

export const relatedId = (relation: RelatedMemory): string =>
  typeof relation === 'string' ? relation : relation.memoryId

/** Links a memory to others. */
export async function linkRelated(
  tx: Tx,
  scope: VaultScope,
  when: WriteTime,
  {
    memoryId,
    related,
    permit,
  }: { memoryId: string; related: readonly RelatedMemory[]; permit?: Permit<Memory> | undefined },
): Promise<void> {
  for (const relation of related) {
    const link = linkTo(memoryId, relation)
    if (link.relationType === 'supersedes' && permit !== undefined)
      enforceLink(await permit(tx, await getMemory(tx, scope, link.targetId)), 'relatedMemoryIds')
    await insertLink(tx, scope, when, link)
  }
}

/**
 * A link that says "supersedes" reads as if its target had been replaced, so an agent needs the permission to supersede it. It can't be
 * proposed: only a new memory can.
 */
export function enforceLink(rule: WriteRule, field: 'relatedMemoryIds' | 'relationType'): void {
  const instead = 'use another relation, or propose a successor with write-memory and its supersededById'
  if (rule === 'ask')
    throw invalid({ [field]: `supersedes: the person decides about this, and a link cannot be proposed; ${instead}` })
  if (rule === 'no') throw forbidden('This integration may not supersede what someone else wrote, nor say so by a link')
}

/**
 * A link is shown with the record that it starts from, as if the author of that record had made it. So an agent needs the permission to
 * change the record. It can't be proposed: Review doesn't show links.
 */
export function enforceLinksOf(
  rule: WriteRule | undefined,
  field: 'relatedMemoryIds' | 'sourceNoteIds' | 'sourceId' | 'linkId',
): void {
  if (rule === 'ask')
    throw invalid({
      [field]:
        'someone else wrote the record that has this link, and the person decides about it, but a link cannot be proposed; link from a memory or note of your own instead',
    })
  if (rule === 'no') throw forbidden('This integration may not change the links of what someone else wrote')
}

const linkTo = (memoryId: string, relation: RelatedMemory): NewLink => ({
  sourceType: 'memory',
  sourceId: memoryId,
  targetType: 'memory',
  targetId: relatedId(relation),
  relationType: (typeof relation === 'string' ? undefined : relation.relationType) ?? 'references',
  label: typeof relation === 'string' ? undefined : relation.label,
  origin: 'write',
})

const sourceLink = (memoryId: string, noteId: string): NewLink => ({
  sourceType: 'memory',
  sourceId: memoryId,
  targetType: 'note',
  targetId: noteId,
  relationType: 'derived_from',
  origin: 'write',
})

/** Links a memory to the notes that it was derived from. */
export async function linkSources(
  tx: Tx,
  scope: VaultScope,
  when: WriteTime,
  { memoryId, noteIds }: { memoryId: string; noteIds: readonly string[] },
): Promise<void> {
  for (const noteId of noteIds) await insertLink(tx, scope, when, sourceLink(memoryId, noteId))
}

/** Replaces the links to source notes that earlier writes made. */
export async function relinkSources(
  tx: Tx,
  scope: VaultScope,
  seq: number,
  { before, after }: { before: Memory; after: Memory },
): Promise<void> {
  const { memoryId, updatedAt, head } = after
  const when = { seq, at: updatedAt }
  const dropped = new Set(before.head.sourceNoteIds.filter((noteId) => !head.sourceNoteIds.includes(noteId)))
  const links = dropped.size === 0 ? [] : await listLinksFrom(tx, scope, [memoryId])
  const own = links.filter(
    ({ targetId, relationType, origin }) =>
      dropped.has(targetId) && relationType === 'derived_from' && origin === 'write',
  )
  await removeLinks(
    tx,
    scope,
    when,
    own.map(({ linkId }) => linkId),
  )
  await linkSources(tx, scope, when, { memoryId, noteIds: head.sourceNoteIds })
}

export async function refuseUnknownIds(
  tx: Tx,
  scope: VaultScope,
  relatedMemoryIds: readonly RelatedMemory[],
  sourceNoteIds: readonly string[],
): Promise<void> {
  const related = relatedMemoryIds.map((relation) => relatedId(relation))
  const kinds = await listKinds(tx, scope, [...related, ...sourceNoteIds])
  if (related.some((id) => kinds.get(id) !== 'memory')) throw notFound('Memory')
  if (sourceNoteIds.some((id) => kinds.get(id) !== 'note')) throw notFound('Note')
}

interface Superseding {
  supersededId: string
  successor: Memory
  by: Writer
  permit?: Permit<Memory> | undefined
}

/**
 * Marks the older memory as superseded by `successor`, which is stored in the same transaction. It can still be read, and
 * searches as of a day before its successor find it. Does nothing if this successor superseded it already.
 */
export async function supersede(
  tx: Tx,
  scope: VaultScope,
  seq: number,
  { supersededId, successor, by, permit }: Superseding,
): Promise<void> {
  const old = await getMemory(tx, scope, supersededId)
  if (old.supersededById === successor.memoryId) return
  if (old.supersededById !== undefined)
    throw invalid({ supersededById: `was already superseded by ${old.supersededById}; use that id instead` })
  await refuseCycle(tx, scope, successor.memoryId, supersededId)
  enforce(await permit?.(tx, old), () => askedMemory(old))
  const changed = {
    ...removedBy(old, by),
    supersededById: successor.memoryId,
    version: old.version + 1,
    updatedAt: successor.updatedAt,
    contentRevision: old.contentRevision + 1,
    head: { ...old.head, supersededBy: by },
  }
  await updateMemory(tx, scope, changed, { resealed: true })
  await updateEntry(tx, scope, seq, { itemId: supersededId, facts: { supersededAt: successor.occurredAt } })
  const ends = {
    sourceType: 'memory',
    sourceId: successor.memoryId,
    targetType: 'memory',
    targetId: supersededId,
  } as const
  await insertLink(
    tx,
    scope,
    { seq, at: successor.updatedAt },
    { ...ends, relationType: 'supersedes', origin: 'write' },
  )
}

/** Undoes `supersede`, unless another memory supersedes the old one by now. Returns the old memory's id. */
export async function undoSupersede(
  tx: Tx,
  scope: VaultScope,
  { seq, at }: WriteTime,
  { memoryId, supersedesId }: Pick<Memory, 'memoryId' | 'supersedesId'>,
): Promise<string | undefined> {
  const [old] = supersedesId === undefined ? [] : await findMemories(tx, scope, [supersedesId])
  if (old?.supersededById !== memoryId) return undefined
  const changed = { ...old, supersededById: undefined, removedById: undefined, version: old.version + 1, updatedAt: at }
  await updateMemory(tx, scope, changed, { resealed: false })
  await updateEntry(tx, scope, seq, { itemId: old.memoryId, facts: { supersededAt: null } })
  const ends = { sourceId: memoryId, targetId: old.memoryId, relationType: 'supersedes' } as const
  const link = await findLink(tx, scope, ends)
  if (link !== undefined) await removeLinks(tx, scope, { seq, at }, [link.linkId])
  return old.memoryId
}

/** Follows the chain from the successor: if it reached the older memory, both would be superseded forever. */
async function refuseCycle(tx: Tx, scope: VaultScope, successorId: string, supersededId: string): Promise<void> {
  for (let next: string | undefined = successorId; next !== undefined; next = await findSuccessorId(tx, scope, next))
    if (next === supersededId)
      throw invalid({ supersededById: 'a memory cannot supersede itself or what supersedes it' })
}
