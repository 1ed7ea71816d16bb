import type { CallOutcome } from '../calls/call.ts'
import { type CalledRecord, calledKinds } from '../calls/records.ts'
import { ByteReader, ByteWriter } from '../core/byte-format.ts'
import { idFromBytes, idToBytes } from '../db/binary-ids.ts'

/**
 * The calls of a run as bytes, which are sealed before they are stored: 8 bytes for a call, and 17 for each of its records. Version,
 * names of operations, earliest time, calls.
 */

const formatVersion = 1
const idBytes = 16

/** The kinds by the number that stands for them. Add new ones at the end. */
const kinds = ['memory', 'task', 'note', 'message', 'turn'] as const satisfies typeof calledKinds

export function encodeCalls(calls: readonly CallOutcome[]): Uint8Array {
  const out = new ByteWriter()
  const operations = [...new Set(calls.map(({ operation }) => operation))]
  const since = Math.min(...calls.map(({ at }) => at))
  out.byte(formatVersion)
  out.number(operations.length)
  for (const operation of operations) writeText(out, operation)
  writeText(out, String(since))
  out.number(calls.length)
  for (const call of calls) {
    out.number(operations.indexOf(call.operation))
    out.byte(call.isWrite ? 1 : 0)
    out.number(call.at - since)
    out.number(Math.round(call.durationMs * 10))
    out.number(call.status)
    out.number(call.recordCount)
    out.number(call.records.length)
    for (const { kind, id } of call.records) {
      out.byte(kinds.indexOf(kind))
      out.raw(idToBytes(id))
    }
  }
  return out.finish()
}

export function decodeCalls(bytes: Uint8Array): CallOutcome[] {
  if (bytes[0] === jsonStart) return parseCalls(Buffer.from(bytes).toString())
  const from = new ByteReader(bytes, 'list of calls')
  if (from.byte() !== formatVersion) from.fail('unknown version')
  const operations = Array.from({ length: from.number() }, () => readText(from))
  const since = Number(readText(from))
  return Array.from({ length: from.number() }, () => ({
    operation: operations[from.number()] ?? from.fail('unknown operation'),
    isWrite: from.byte() === 1,
    at: since + from.number(),
    durationMs: from.number() / 10,
    status: from.number(),
    recordCount: from.number(),
    records: Array.from({ length: from.number() }, () => ({
      kind: kinds[from.byte()] ?? from.fail('unknown kind'),
      id: idFromBytes(from.raw(idBytes)),
    })),
  }))
}

function writeText(out: ByteWriter, text: string): void {
  const bytes = new TextEncoder().encode(text)
  out.number(bytes.length)
  out.raw(bytes)
}

const readText = (from: ByteReader): string => new TextDecoder().decode(from.raw(from.number()))

/** Earlier versions stored JSON, which starts with `[`. Calls are kept for 30 days. */
const jsonStart = 0x5b

type JsonCall = [
  operation: string,
  isWrite: 0 | 1,
  at: number,
  durationMs: number,
  status: number,
  recordCount: number,
  records: [CalledRecord['kind'], string][],
]

const parseCalls = (json: string): CallOutcome[] =>
  (JSON.parse(json) as JsonCall[]).map(([operation, isWrite, at, durationMs, status, recordCount, records]) => ({
    operation,
    isWrite: isWrite === 1,
    at,
    durationMs,
    status,
    recordCount,
    records: records.map(([kind, id]) => ({ kind, id })),
  }))
