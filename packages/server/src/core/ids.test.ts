import { expect, it } from 'vitest'
import { newId } from './ids.ts'

it('creates lower-case UUIDs of version 7 that increase and never repeat', () => {
  const ids = Array.from({ length: 2_000 }, newId)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
})

it('begins with the time in milliseconds', async () => {
  // A module of its own: ids never go back, and another test of this worker may have moved the clock ahead.
  const own = './ids.ts?own'
  const ids = (await import(own)) as typeof import('./ids.ts')
  const before = Date.now()
  const at = Number.parseInt(ids.newId().replaceAll('-', '').slice(0, 12), 16)
  expect(at).toBeGreaterThanOrEqual(before)
  expect(at).toBeLessThanOrEqual(Date.now() + 1)
})
