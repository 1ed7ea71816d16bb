import { expect, it } from 'vitest'
import { newId } from './ids.ts'

it('creates lower-case UUIDs of version 7 that increase and never repeat', () => {
  const ids = Array.from({ length: 2_000 }, newId)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
})

it('begins with the time in milliseconds', () => {
  const before = Date.now()
  const at = Number.parseInt(newId().replaceAll('-', '').slice(0, 12), 16)
  expect(at).toBeGreaterThanOrEqual(before)
  expect(at).toBeLessThanOrEqual(Date.now() + 1)
})
