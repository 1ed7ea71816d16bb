import { expect, it } from 'vitest'
import { createConnections, inferRun, isFirstWarning, newConnection } from './connections.ts'

it('remembers recent clients, up to its limits', () => {
  let now = 0
  const connections = createConnections(() => now)
  const first = connections('a', 'editor')
  expect(connections('a', 'editor')).toBe(first)
  expect(connections('a', 'terminal')).not.toBe(first)
  // Made-up clients of another key do not affect this one.
  for (let at = 0; at < 5_000; at++) connections('b', `made up ${at}`)
  expect(connections('a', 'editor')).toBe(first)
  for (let at = 0; at < 16; at++) connections('a', `made up ${at}`)
  const second = connections('a', 'editor')
  expect(second).not.toBe(first)
  for (let at = 0; at < 1_000; at++) connections(`key ${at}`, '')
  const third = connections('a', 'editor')
  expect(third).not.toBe(second)
  now = 31 * 60_000
  expect(connections('a', 'editor')).not.toBe(third)
})

it('uses one run for calls close together', () => {
  const connection = newConnection(0)
  const run = inferRun(connection, 0)
  expect(inferRun(connection, 29 * 60_000)).toBe(run)
  expect(inferRun(connection, 58 * 60_000)).toBe(run)
  expect(inferRun(connection, 89 * 60_000)).not.toBe(run)
})

it('warns once per run, and forgets instead of growing', () => {
  const connection = newConnection(0)
  expect([isFirstWarning(connection, 'a'), isFirstWarning(connection, 'a'), isFirstWarning(connection, 'b')]).toEqual([
    true,
    false,
    true,
  ])
  for (let at = 0; at < 1_000; at++) isFirstWarning(connection, String(at))
  expect(connection.warned.size).toBeLessThanOrEqual(100)
})
