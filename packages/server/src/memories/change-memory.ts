import { type JsonValue, mergePatch } from '../core/json.ts'
import { lowestTrust, type Trust, type Writer } from '../operation/writer.ts'
import { authorshipOf, withEndBy, sign, withAuthorship, isShapedAlike, reshape, saysTheSame } from './authorship.ts'
import { maxListed, ratedFields, type Memory, type MemoryType } from './memory.ts'
import type { FormerText } from './version-store.ts'

/** A change of a memory. Fields left out stay unchanged. */
export interface MemoryChange {
  content?: string | undefined
  summary?: string | undefined
  memoryType?: MemoryType | undefined
  importance?: number | undefined
  confidence?: number | undefined
  entities?: string[] | undefined
  /** Raises a lower importance to this. */
  leastImportance?: number | undefined
  /** Added to the existing entities, up to the maximum. */
  moreEntities?: readonly string[] | undefined
  sourceNoteIds?: string[] | undefined
  supersededById?: string | undefined
  expiresAt?: string | null | undefined
  metadata?: Record<string, JsonValue> | undefined
  writeReason?: string | undefined
  occurredAt?: string | undefined
  archived?: false | undefined
  /** For a task whose content was joined from title and description: where the title ends. */
  titleChars?: number | undefined
  /** The trust of the memory that it takes entities or importance from. */
  takesFrom?: Trust | undefined
  /** Whether texts of its task change, which aren't part of the memory. */
  changesTask?: boolean | undefined
}

/** The changed memory, with the next version, signed by its writer if its text changed. */
export function changeMemory(before: Memory, change: MemoryChange, by: Writer): Memory {
  const after = applyChange(before, change, by)
  if (!changesText(before, after, change, by)) return withRevision(before, after)
  if (change.changesTask !== true && isOnlyRated(before, after, change, by))
    return withRevision(before, withRatings(before, after))
  const from = authorshipOf(before)
  const trust = lowestTrust(from.trust, change.takesFrom ?? from.trust)
  return withRevision(before, forgetRatings(sign(after, { ...from, trust }, by), by))
}

function withRatings(before: Memory, after: Memory): Memory {
  const rated = ratedFields.filter((field) => before[field] !== after[field])
  const ratings = rated.map((field) => [field, { value: after[field] ?? null, version: after.version }])
  return { ...after, head: { ...after.head, ratings: { ...after.head.ratings, ...Object.fromEntries(ratings) } } }
}

/** A person who changes or restores a text decides about its ratings with it. */
const forgetRatings = (memory: Memory, by: Writer): Memory =>
  by.integrationId === undefined && memory.head.ratings !== undefined
    ? { ...memory, head: { ...memory.head, ratings: undefined } }
    : memory

/** A former text with what a person has rated since the memory had it. */
function withLaterRatings({ head: { ratings = {} } }: Memory, former: FormerText): FormerText {
  const later = ratedFields.flatMap((field) => {
    const rating = ratings[field]
    return rating === undefined || rating.version <= former.version ? [] : [[field, rating.value ?? undefined]]
  })
  return later.length === 0 ? former : { ...former, shape: { ...former.shape, ...Object.fromEntries(later) } }
}

/** Whether it changes what the memory or its task says, and isn't only about whether searches find it. */
export const changesText = (before: Memory, after: Memory, change: MemoryChange, { at }: Pick<Writer, 'at'>): boolean =>
  change.changesTask === true || !isShapedAlike(withoutLiftedExpiry(before, change, at), after)

/**
 * A person who rates, sorts or dates a memory takes no word of it over: it stays its last writer's. Otherwise a rating would turn what
 * an agent wrote into the person's text, which the review would then offer to restore.
 */
const isOnlyRated = (before: Memory, after: Memory, { takesFrom }: MemoryChange, by: Writer): boolean =>
  by.integrationId === undefined && takesFrom === undefined && saysTheSame(before, after)

/** Restoring an expired memory lifts its expiry, which changes nothing that its author said. */
function withoutLiftedExpiry(before: Memory, { archived, expiresAt }: MemoryChange, now: number): Memory {
  const isLifted = archived === false && expiresAt === null && (before.expiresAt ?? Infinity) <= now
  return isLifted ? { ...before, expiresAt: undefined } : before
}

/**
 * The memory with a former text. If a person restores it, it is again what its writer wrote, with its own trust. Agents sign
 * what they restore.
 */
export const restoreText = (before: Memory, former: FormerText, by: Writer): Memory =>
  withRevision(before, forgetRatings(toFormer(before, former, by), by))

/** The same for undoing a run, which keeps what a person has rated since. */
export const undoText = (before: Memory, former: FormerText, by: Writer): Memory =>
  withRevision(before, toFormer(before, withLaterRatings(before, former), by))

/** The memory as it would read after that, whoever does it. */
export const shapeAfterUndo = (memory: Memory, former: FormerText): Memory =>
  reshape(memory, withLaterRatings(memory, former).shape)

function toFormer(before: Memory, former: FormerText, by: Writer): Memory {
  const shaped = reshape({ ...before, version: before.version + 1, updatedAt: by.at }, former.shape)
  const hasSameEnd = shaped.expiresAt === before.expiresAt
  const next = hasSameEnd || isHidden(before) ? shaped : withEndBy(shaped, by)
  return by.integrationId === undefined ? withAuthorship(next, former) : sign(next, former, by)
}

/** The sealed cells get a new revision only if they differ. */
const withRevision = (before: Memory, after: Memory): Memory =>
  needsSeal(before, after) ? { ...after, contentRevision: before.contentRevision + 1 } : after

function applyChange(before: Memory, change: MemoryChange, by: Writer): Memory {
  const { head } = before
  const after: Memory = {
    ...before,
    content: change.content ?? before.content,
    memoryType: change.memoryType ?? before.memoryType,
    importance: Math.max(change.importance ?? before.importance, change.leastImportance ?? 0),
    confidence: change.confidence ?? before.confidence,
    supersedesId: change.supersededById ?? before.supersedesId,
    expiresAt: expiryOf(before, change),
    occurredAt: change.occurredAt === undefined ? before.occurredAt : Date.parse(change.occurredAt),
    archivedAt: change.archived === false ? undefined : before.archivedAt,
    version: before.version + 1,
    updatedAt: by.at,
    head: {
      ...head,
      // An empty summary removes it, so agents get the content again.
      summary: change.summary === '' ? undefined : (change.summary ?? head.summary),
      entities: withMore(change.entities ?? head.entities, change.moreEntities),
      sourceNoteIds: change.sourceNoteIds ?? head.sourceNoteIds,
      writeReason: change.writeReason ?? head.writeReason,
      metadata: change.metadata === undefined ? head.metadata : mergePatch(head.metadata, change.metadata),
      titleChars:
        change.titleChars ?? ((change.content ?? before.content) === before.content ? head.titleChars : undefined),
      archiveReason: change.archived === false ? undefined : head.archiveReason,
    },
  }
  if (change.archived === false) return { ...after, removedById: undefined }
  return after.expiresAt === before.expiresAt || isHidden(before) ? after : withEndBy(after, by)
}

/** Who archived or superseded it stays known, whoever changes its end. */
const isHidden = ({ archivedAt, supersededById }: Memory): boolean =>
  archivedAt !== undefined || supersededById !== undefined

const withMore = (entities: string[], more: readonly string[] = []): string[] =>
  more.length === 0 ? entities : [...new Set([...entities, ...more])].slice(0, maxListed)

function expiryOf(before: Memory, { expiresAt }: MemoryChange): number | undefined {
  if (expiresAt === undefined) return before.expiresAt
  return expiresAt === null ? undefined : Date.parse(expiresAt)
}

export const needsSeal = (before: Memory, after: Memory) =>
  before.content !== after.content || !isEqual(before.head, after.head)

export const isUnchanged = (before: Memory, after: Memory) => isEqual(lasting(before), lasting(after))

/** Whether searches find both by the same words and time. */
export const isIndexedAlike = (a: Memory, b: Memory) =>
  a.content === b.content &&
  a.head.summary === b.head.summary &&
  a.occurredAt === b.occurredAt &&
  isEqual(a.head.entities, b.head.entities)

const lasting = ({ version: _version, updatedAt: _at, ...rest }: Memory) => rest

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
