import type { ActivityEntry } from '@holdfast/client/dashboard'
import { expect, it } from 'vitest'
import { mergeAlike } from './merge-alike.ts'

const signIn: Partial<ActivityEntry> = { operation: 'log-in', status: 200, actor: 'person', recordId: null, calls: 1 }
const at = (hour: number, more: Partial<ActivityEntry> = {}, day = 20) =>
  ({ ...signIn, at: new Date(2026, 10, day, hour).toISOString(), ...more }) as ActivityEntry
const countsOf = (entries: ActivityEntry[]) => mergeAlike(entries).map(({ calls }) => calls)

it('merges what one actor did several times on a day', () => {
  const [merged, ...others] = mergeAlike([at(14), at(12, { calls: 3 }), at(9)])
  expect(others).toEqual([])
  expect(merged).toMatchObject({ at: at(14).at, since: at(9).at, calls: 5 })
})

it('merges turns that an agent recorded, though each is a record', () => {
  const turn = { operation: 'ingest-turn', actor: 'agent', label: 'codex' } as const
  const merged = mergeAlike([
    at(14, { ...turn, recordId: 'a', records: 1 }),
    at(13, { ...turn, recordId: 'b', records: 2 }),
    at(12, { ...turn, label: 'scout', recordId: 'c', records: 1 }),
  ])
  expect(merged).toMatchObject([
    { calls: 2, records: 3, recordId: null },
    { calls: 1, records: 1, recordId: 'c' },
  ])
})

it('shows the newest first, so that no day comes twice', () => {
  const read = { operation: 'search-memories', actor: 'agent' } as const
  const [late, next, same] = [at(23, {}, 19), at(0, read), at(0, { operation: 'log-out' })]
  expect(mergeAlike([late, next, same])).toEqual([next, same, late])
})

it('keeps other actors, results, days and records apart, and the order', () => {
  expect(countsOf([at(14), at(13, { actor: 'operator' }), at(12)])).toEqual([1, 1, 1])
  expect(countsOf([at(14), at(13, { status: 401 })])).toEqual([1, 1])
  expect(countsOf([at(9), at(14, {}, 19)])).toEqual([1, 1])
  expect(countsOf([at(14, { recordId: 'a' }), at(13, { recordId: 'a' })])).toEqual([1, 1])
})
