import type { OnDamage } from '../crypto/cell.ts'
import type { VaultScope } from '../crypto/keys.ts'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { notFound } from '../core/errors.ts'
import type { Reader } from '../db/dialect.ts'
import type { NodeType } from '../links/store.ts'
import { isLive, type Memory, type MemoryType, memoryTypes, titleOf } from '../memories/memory.ts'
import { findIntactMemories } from '../memories/store.ts'
import type { NoteOutline } from '../notes/note.ts'
import { findIntactOutlines } from '../notes/store.ts'
import { listKinds } from '../vault-index/stored/store.ts'

/** Notes and memories as nodes of one graph. */

export const nodeTypes = ['note', 'memory'] as const satisfies readonly NodeType[]
export const nodeType = z.enum(nodeTypes)

export interface NodeRef {
  type: NodeType
  id: string
}

export interface DescribedNode extends NodeRef {
  title: string
  isLive: boolean
  /** When it was stored, in milliseconds since 1970. */
  createdAt: number
  memoryType?: MemoryType
  importance?: number
  /** What a memory is about. */
  entities?: readonly string[]
}

export const nodeFields = {
  id: z.uuid(),
  type: nodeType,
  title: z.string().describe("A note's title; a memory's summary or first line, at most 200 characters."),
}

/** Throws unless each node exists in this vault with this type, live or archived. */
export async function requireNodes(db: Reader, scope: VaultScope, nodes: readonly NodeRef[]): Promise<void> {
  const kinds = await listKinds(
    db,
    scope,
    nodes.map(({ id }) => id),
  )
  for (const { type, id } of nodes) if (kinds.get(id) !== type) throw nodeNotFound(type)
}

/** Throws unless the node exists in this vault, with this type if one is given. */
export async function requireNode(
  db: Reader,
  scope: VaultScope,
  id: string,
  type: NodeType | undefined,
): Promise<void> {
  const kind = (await listKinds(db, scope, [id])).get(id)
  if (kind === undefined || (type !== undefined && kind !== type)) throw nodeNotFound(type)
}

export const nodeNotFound = (type: NodeType | undefined) =>
  notFound(type === undefined ? 'Node' : type === 'note' ? 'Note' : 'Memory')

/** Kept small, because a memory can have 100,000 characters. */
const openedAtOnce = 20

/** Titles of these nodes and whether they are live. Nodes that aren't in the vault or are damaged are left out. */
export async function describeNodes(
  db: Reader,
  scope: VaultScope,
  nodes: readonly NodeRef[],
  { now, onDamage }: { now: number; onDamage?: OnDamage },
): Promise<Map<string, DescribedNode>> {
  const memories: Memory[] = []
  const ids = idsOf(nodes, 'memory')
  for (let at = 0; at < ids.length; at += openedAtOnce) {
    memories.push(...(await findIntactMemories(db, scope, ids.slice(at, at + openedAtOnce), onDamage)))
    await setImmediate()
  }
  const notes = await findIntactOutlines(db, scope, idsOf(nodes, 'note'), onDamage)
  return new Map([
    ...memories.map((memory) => [memory.memoryId, describeMemoryNode(memory, now)] as const),
    ...notes.map((note) => [note.noteId, describeNoteNode(note)] as const),
  ])
}

const idsOf = (nodes: readonly NodeRef[], wanted: NodeType) => [
  ...new Set(nodes.filter(({ type }) => type === wanted).map(({ id }) => id)),
]

const describeNoteNode = ({ noteId, head, trashedAt, createdAt }: NoteOutline): DescribedNode => ({
  id: noteId,
  type: 'note',
  title: head.title,
  isLive: trashedAt === undefined,
  createdAt,
})

const describeMemoryNode = (memory: Memory, now: number): DescribedNode => ({
  id: memory.memoryId,
  type: 'memory',
  title: titleOf(memory),
  isLive: isLive(memory, now),
  createdAt: memory.createdAt,
  memoryType: memory.memoryType,
  importance: memory.importance,
  entities: memory.head.entities,
})

export const memoryNodeFields = {
  memoryType: z.enum(memoryTypes).optional().describe('Only for memories.'),
  importance: z.int().optional().describe('Only for memories.'),
}
