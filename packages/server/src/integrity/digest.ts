import { idFromBytes, idToBytes } from '../db/binary-ids.ts'

/**
 * What a check remembers of the records of a vault, in segments of some hundred: of each its id, its version and a keyed hash of the plain
 * columns that nothing else says. The next check compares: what is gone or older was lost, and what changed has a higher version.
 */

export const digestKinds = ['memories', 'notes', 'messages'] as const
export type DigestKind = (typeof digestKinds)[number]

/** The place of a record in the order of its kind: when it was created, if the kind is in that order, and its id. */
export interface RecordKey {
  at: number
  id: string
}

/** Before all records. */
export const firstKey: RecordKey = { at: -1, id: '' }

export const isSameKey = (one: RecordKey, other: RecordKey): boolean => one.at === other.at && one.id === other.id

export interface Fingerprint {
  /** Of a message, which never changes, the second in which it was created. */
  version: number
  /** 16 bytes. */
  hash: Buffer
}

export interface DigestedRecord extends Fingerprint {
  id: string
  /** The state of a memory that is or was a task. */
  task?: Fingerprint | undefined
}

export interface Segment {
  /** The last key that it covers. */
  to: RecordKey
  /** When it was written. */
  writtenAt: number
  records: DigestedRecord[]
}

const format = 1
const headerBytes = 1 + 8 + 8 + 2
const hashBytes = 16
const fingerprintBytes = 4 + hashBytes

/** 37 bytes for each record, 57 for a task. */
export function encodeSegment({ to, writtenAt, records }: Segment): Buffer {
  const id = Buffer.from(to.id)
  const header = Buffer.alloc(headerBytes)
  header.writeUInt8(format)
  header.writeDoubleBE(writtenAt, 1)
  header.writeDoubleBE(to.at, 9)
  header.writeUInt16BE(id.length, 17)
  return Buffer.concat([header, id, encodeRecords(records)])
}

export const encodeRecords = (records: readonly DigestedRecord[]): Buffer =>
  Buffer.concat(
    records.flatMap(({ id, task, ...record }) => [
      idToBytes(id),
      Buffer.of(task === undefined ? 1 : 2),
      encodeFingerprint(record),
      ...(task === undefined ? [] : [encodeFingerprint(task)]),
    ]),
  )

function encodeFingerprint({ version, hash }: Fingerprint): Buffer {
  const bytes = Buffer.alloc(fingerprintBytes)
  bytes.writeUInt32BE(version)
  hash.copy(bytes, 4)
  return bytes
}

/** `foreign` if another version of the program wrote it, in another format. */
export function decodeSegment(bytes: Buffer): Segment | 'foreign' {
  if (bytes.readUInt8() !== format) return 'foreign'
  const writtenAt = bytes.readDoubleBE(1)
  const idEnd = headerBytes + bytes.readUInt16BE(17)
  const to = { at: bytes.readDoubleBE(9), id: bytes.toString('utf8', headerBytes, idEnd) }
  const records: DigestedRecord[] = []
  for (let at = idEnd; at < bytes.length;) {
    const id = idFromBytes(bytes.subarray(at, at + 16))
    const parts = bytes.readUInt8(at + 16)
    at += 17
    const record = { id, ...decodeFingerprint(bytes, at) }
    at += fingerprintBytes
    if (parts === 1) records.push(record)
    else {
      records.push({ ...record, task: decodeFingerprint(bytes, at) })
      at += fingerprintBytes
    }
  }
  return { to, writtenAt, records }
}

const decodeFingerprint = (bytes: Buffer, at: number): Fingerprint => ({
  version: bytes.readUInt32BE(at),
  hash: bytes.subarray(at + 4, at + fingerprintBytes),
})

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** Whether the record can be in a segment: a damaged id can't, and the record is missing then. */
export const isDigestible = (id: string, version: number): boolean =>
  uuid.test(id) && Number.isInteger(version) && version >= 0 && version < 2 ** 32

export interface Difference {
  id: string
  part: 'record' | 'task'
  problem: 'missing' | 'rolled_back' | 'changed'
  recorded: DigestedRecord
}

/** What must not differ although nobody changed or deleted a record. */
export function compareSegment(
  kind: DigestKind,
  recorded: readonly DigestedRecord[],
  found: readonly DigestedRecord[],
): Difference[] {
  const now = new Map(found.map((record) => [record.id, record]))
  return recorded.flatMap((before): Difference[] => {
    const { id } = before
    const after = now.get(id)
    if (after === undefined) return [{ id, part: 'record', problem: 'missing', recorded: before }]
    const compare = kind === 'messages' ? compareUnchanging : compareFingerprints
    const record = compare(before, after)
    // A lost state of a task is found together with its memory.
    const task = before.task && after.task && compareFingerprints(before.task, after.task)
    return [
      ...(record === undefined ? [] : [{ id, part: 'record', problem: record, recorded: before } as const]),
      ...(task === undefined ? [] : [{ id, part: 'task', problem: task, recorded: before } as const]),
    ]
  })
}

function compareFingerprints(before: Fingerprint, after: Fingerprint): 'rolled_back' | 'changed' | undefined {
  if (after.version < before.version) return 'rolled_back'
  return after.version === before.version && !after.hash.equals(before.hash) ? 'changed' : undefined
}

const compareUnchanging = (before: Fingerprint, after: Fingerprint): 'changed' | undefined =>
  after.version === before.version && after.hash.equals(before.hash) ? undefined : 'changed'
