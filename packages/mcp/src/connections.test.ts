import { expect, it } from 'vitest'
import { createConnections, inferRun, isNews, newConnection } from './connections.ts'

it('remembers whom it has heard of lately, and not more than it may', () => {
  let now = 0
  const connections = createConnections(() => now)
  const first = connections('a')
  expect(connections('a')).toBe(first)
  for (let at = 0; at < 2_000; at++) connections(`other ${at}`)
  expect(connections('a')).not.toBe(first)
  const second = connections('a')
  now = 31 * 60_000
  expect(connections('a')).not.toBe(second)
})

it('keeps one run for calls that come close together', () => {
  const connection = newConnection(0)
  const run = inferRun(connection, 0)
  expect(inferRun(connection, 29 * 60_000)).toBe(run)
  expect(inferRun(connection, 58 * 60_000)).toBe(run)
  expect(inferRun(connection, 89 * 60_000)).not.toBe(run)
})

it('tells news once a run, and forgets rather than grows', () => {
  const connection = newConnection(0)
  expect([isNews(connection, 'a'), isNews(connection, 'a'), isNews(connection, 'b')]).toEqual([true, false, true])
  for (let at = 0; at < 1_000; at++) isNews(connection, String(at))
  expect(connection.told.size).toBeLessThanOrEqual(100)
})
