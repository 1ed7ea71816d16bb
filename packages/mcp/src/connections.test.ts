import { expect, it } from 'vitest'
import { createConnections, inferRun, isNews, newConnection } from './connections.ts'

it('remembers whom it has heard of lately, and not more than it may', () => {
  let now = 0
  const connections = createConnections(() => now)
  const first = connections('a', 'editor')
  expect(connections('a', 'editor')).toBe(first)
  expect(connections('a', 'terminal')).not.toBe(first)
  // Whoever makes up clients under another key, or other keys' clients, takes nothing from this one.
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
