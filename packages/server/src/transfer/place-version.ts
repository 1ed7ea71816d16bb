import type { VaultScope } from '../crypto/keys.ts'
import type { Reader, Tx } from '../db/dialect.ts'
import {
  insertVersion as insertMemoryVersion,
  listVersionWriters as listMemoryVersions,
  versionFromFile,
} from '../memories/version-store.ts'
import { insertVersion as insertNoteVersion, listVersionWriters as listNoteVersions } from '../notes/version-store.ts'
import { versionColumns, versionsToDrop, type KeptVersion } from '../operation/writer.ts'
import type { Places } from './find-places.ts'
import { findNoteVersionNumber, findVersionAndAuthor } from './place-store.ts'
import type { CheckedOf } from './record.ts'
import { memoryVersionOf, noteVersionOf } from './write-nodes.ts'

/** A former text of a note or memory that is here, and what else is kept of it. */
interface VersionPlace {
  recordId: string
  /** The version that the note or memory has now. */
  own: number
  kept: readonly KeptVersion[]
  added: KeptVersion
  insert: (tx: Tx) => Promise<void>
}

export type NodeVersion = CheckedOf<'noteVersion' | 'memoryVersion'>

/** Undefined if its note or memory isn't here. */
export async function placeVersion(
  db: Reader,
  vault: VaultScope,
  places: Places,
  record: NodeVersion,
): Promise<VersionPlace | undefined> {
  if (record.kind === 'noteVersion') {
    const recordId = placeOf(places, 'note', record.note)
    if (recordId === undefined) return undefined
    const former = noteVersionOf(record, (ref) => places.node('memory', ref))
    return {
      recordId,
      own: await findNoteVersionNumber(db, vault, recordId),
      kept: await listNoteVersions(db, vault, recordId),
      added: { version: former.version, ...versionColumns(vault, former) },
      insert: (tx) => insertNoteVersion(tx, vault, recordId, former),
    }
  }
  const recordId = placeOf(places, 'memory', record.memory)
  if (recordId === undefined) return undefined
  const { version: own, integrationId } = await findVersionAndAuthor(db, vault, recordId)
  const added = versionFromFile(vault, integrationId ?? undefined, memoryVersionOf(record))
  const kept = await listMemoryVersions(db, vault, recordId)
  return { recordId, own, kept, added, insert: (tx) => insertMemoryVersion(tx, vault, recordId, added) }
}

export const nodeOf = ({ kind }: NodeVersion) => (kind === 'noteVersion' ? 'note' : 'memory')

type Unwritten = { status: 'existing' } | { status: 'left'; reason: string }

/** Why a version isn't written to its note or memory; undefined if it is. */
export function refuseVersion({ own, kept, added }: VersionPlace, node: string): Unwritten | undefined {
  if (kept.some(({ version }) => version === added.version)) return { status: 'existing' }
  if (added.version >= own) return { status: 'left', reason: `its ${node} has a lower version` }
  const all = [...kept, added].toSorted((a, b) => b.version - a.version)
  // Existing versions are not replaced.
  if (versionsToDrop(all).length === 0) return undefined
  return { status: 'left', reason: `its ${node} already has ${kept.length} older versions` }
}

/** The id of a node that is here. */
function placeOf(places: Places, kind: 'note' | 'memory', ref: string): string | undefined {
  const id = places.node(kind, ref)
  return id !== undefined && places.kinds.get(id) === kind ? id : undefined
}
