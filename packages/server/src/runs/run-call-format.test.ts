import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CallOutcome } from '../calls/call.ts'
import { calledKinds } from '../calls/records.ts'
import { decodeCalls, encodeCalls } from './run-call-format.ts'

const startOf2026 = Date.UTC(2026, 0, 1)

const call: fc.Arbitrary<CallOutcome> = fc.record({
  operation: fc.constantFrom('write-memory', 'search-memories', 'read-memories'),
  isWrite: fc.boolean(),
  at: fc.integer({ min: startOf2026, max: startOf2026 + 86_400_000 }),
  durationMs: fc.nat(100_000).map((tenths) => tenths / 10),
  status: fc.constantFrom(200, 404, 503),
  recordCount: fc.nat(1000),
  records: fc.array(fc.record({ kind: fc.constantFrom(...calledKinds), id: fc.uuid() }), { maxLength: 10 }),
})

describe('the calls of a run', () => {
  it('are unchanged after encoding and decoding', () => {
    fc.assert(
      fc.property(fc.array(call, { minLength: 1, maxLength: 30 }), (calls) => {
        expect(decodeCalls(encodeCalls(calls))).toEqual(calls)
      }),
    )
  })

  it('can be read in the format of earlier versions', () => {
    const id = '0198c5f0-0000-7000-8000-000000000101'
    const json = JSON.stringify([['write-memory', 1, startOf2026, 1.5, 200, 1, [['memory', id]]]])
    expect(decodeCalls(Buffer.from(json))).toEqual([
      {
        operation: 'write-memory',
        isWrite: true,
        at: startOf2026,
        durationMs: 1.5,
        status: 200,
        recordCount: 1,
        records: [{ kind: 'memory', id }],
      },
    ])
  })

  it('are refused if they end too early', () => {
    const bytes = encodeCalls(fc.sample(call, 3))
    for (let length = 0; length < bytes.length; length++)
      expect(() => decodeCalls(bytes.subarray(0, length))).toThrow(/^Malformed/)
  })
})
